"""Methods × attackers: who is still found after which masking, and what it cost.

    python -m benchmarks.reidentification congress|tab|wikipedia553 [--fresh] [--limit N] [--only ROWS]

Rows: nothing, human masks (where annotated), lexical, idf, idf-table-aware and greedy (against BM25, against n-grams,
against both) at k = 1, 10, 100. Targets are keyed (k′ from k to 4k) unless a row says exact. No field is declared
direct, so that methods are compared on what they choose, except in the rows named `default`.
"""

import argparse
import time
from dataclasses import replace
from typing import Any

from benchmarks.corpora import Corpus, human_release, load, without_spans
from benchmarks.results import load_rows, save, say
from unname.auditing.privacy import any_of, tally_figures
from unname.run.audit import Audit, Prepared, audit, prepare
from unname.run.deidentify import deidentify
from unname.run.workers import MANY_DOCUMENTS, Crew, suitable_workers
from unname.settings import Deidentification
from unname.types import Mask

KEY = bytes(range(32))
SEED = 0
BOTH = ("bm25", "ngrams")
AUDIT_ONLY_LEFT_OUT = ("bm25.v1", "ngrams.v1")


def plan(corpus: str) -> list[tuple[str, str, tuple[str, ...], int, dict[str, Any]]]:
    """(row name, method, reidentifiers, k, other settings), cheapest evidence first."""
    rows: list[tuple[str, str, tuple[str, ...], int, dict[str, Any]]] = [("none", "none", BOTH, 10, {})]
    if corpus != "congress":
        rows.append(("human", "human", BOTH, 10, {}))
    for k in (10, 100, 1):
        rows.append((f"greedy both k={k}", "greedy", BOTH, k, {}))
        rows.append((f"greedy both k={k} exact", "greedy", BOTH, k, {"keyed_target": False}))
    rows.append(("lexical", "lexical", BOTH, 10, {}))
    for k in (10, 100, 1):
        rows.append((f"idf k={k}", "idf", BOTH, k, {}))
        rows.append((f"idf-table-aware k={k}", "idf-table-aware", BOTH, k, {}))
    if corpus == "congress":
        rows.append(("greedy both k=10 default", "greedy", BOTH, 10, {"direct": ("auto",)}))
        for single in BOTH:
            rows += [(f"greedy {single} k={k}", "greedy", (single,), k, {}) for k in (10, 100, 1)]
    return rows


def texts_of(corpus: Corpus, method: str, settings: Deidentification, crew: Crew) -> tuple[list[str | None], Any]:
    """Released texts and, where we made them, masks."""
    if method == "none":
        return [d.text for d in corpus.documents], [Mask(d.id) for d in corpus.documents]
    if method == "human":
        return [human_release(d) for d in corpus.documents], None
    made = deidentify(corpus.documents, corpus.population, settings=settings, key=KEY, spread=crew)
    return made.texts(), made.masks


def figures(found: Audit) -> dict[str, Any]:
    """What a row keeps of an audit."""
    report, clusters = found.report, [str(i) for i in range(found.report["documents"])]
    audit_only = [n for n in found.examination.used if n not in AUDIT_ONLY_LEFT_OUT]
    kept = {
        name: report[name]
        for name in ("documents", "people", "k", "withheld", "attackers", "any_unused", "any_used", "aware", "fused",
                     "any_unused_or_aware", "fused_unused", "per_person", "masked", "information_loss", "crowds",
                     "linkability", "inference")
    }  # fmt: skip
    kept["any_audit_only"] = tally_figures(any_of(found.examination.documents, audit_only), clusters)
    if "kinds" in report:
        kept["kinds"] = report["kinds"]
    return kept


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=["congress", "tab", "wikipedia553"])
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--only", default="", help="rows whose name starts with one of these, parted by commas")
    options = parser.parse_args()
    corpus = load(options.corpus)
    if options.limit:
        corpus = replace(corpus, documents=corpus.documents[: options.limit])
    name = f"reidentification_{options.corpus}"
    rows = load_rows(name, fresh=options.fresh)
    with Crew(suitable_workers(0, MANY_DOCUMENTS)) as crew:
        measure(options, corpus, rows, crew)


def measure(options: argparse.Namespace, corpus: Corpus, rows: dict[str, Any], crew: Crew) -> None:
    """Fill in the rows that are missing."""
    name = f"reidentification_{options.corpus}"
    prepared: dict[tuple[str, ...], Prepared] = {}
    for row, method, reidentifiers, k, other in plan(options.corpus):
        if row in rows or not row.startswith(tuple(options.only.split(","))):
            continue
        started = time.perf_counter()
        if reidentifiers not in prepared:
            prepared.clear()
            prepared[reidentifiers] = prepare(
                [without_spans(d) for d in corpus.documents], corpus.population,
                used=reidentifiers, training=corpus.others, k=k, seed=SEED, spread=crew,
            )  # fmt: skip
        ready = prepared[reidentifiers]
        ready.k = k
        chosen = "greedy" if method == "human" else method
        settings = Deidentification(
            method=chosen, reidentifiers=reidentifiers, k=k, seed=SEED, **{"direct": ("none",), **other}
        )
        texts, masks = texts_of(corpus, method, settings, crew)
        masked_s = time.perf_counter() - started
        found = audit(ready, texts, masks=masks, aware=method in ("greedy", "idf", "idf-table-aware"))
        rows[row] = {"settings": settings.as_dict(), **figures(found)}
        save(name, rows, seed=SEED, attackers=list(found.examination.used))
        unused = rows[row]["any_audit_only"]["rate"]
        say(f"{row}: masked {rows[row]['masked']['rate']:.4f}, audit-only any {unused:.4f}, "
            f"{masked_s:.0f} + {time.perf_counter() - started - masked_s:.0f} s")  # fmt: skip


if __name__ == "__main__":
    main()
