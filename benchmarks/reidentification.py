"""Methods × attackers: who is still found after which masking, and what it cost.

    python -m benchmarks.reidentification congress|tab|wikipedia553 [--fresh] [--limit N] [--only ROWS] [--model DIR]
        [--half 0|1] [--tagger DIR]

Rows: nothing, human masks (where annotated), lexical, idf, idf-table-aware and greedy (against BM25, against n-grams,
against both, and `trained`: against both and the additive reidentifier) at k = 1, 10, 100 (trained: 10, 50, 100).
Targets are keyed (k′ from k to 3k) unless a row says exact. No field is declared direct, so that methods are compared on
what they choose, except in the rows named `default`. `--model` names a trained reidentifier that attacks as well (see
benchmarks.biencoder). `--tagger` names a
trained tagger (figures in the tables: a CRF that learned names in wikigold) for the row `named entity`, which hides all
that it finds. `--half` takes the documents of one half of the people, by hash: half 0 of `congress` was looked at
while the search and the additive member were chosen, half 1 was not.
"""

import argparse
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from benchmarks.corpora import Corpus, human_release, load, without_spans
from benchmarks.results import load_rows, save, say
from unname.auditing.privacy import any_of, tally_figures
from unname.job import AUTO, Deidentification, Runtime
from unname.parallel.workers import MANY_DOCUMENTS, WorkerPool, suitable_workers
from unname.protecting.parts import Fitted
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.models import load_model
from unname.reidentifiers.training_examples import fold_of
from unname.run.audit import Audit, Knowledge, PreparedAudit, audit, prepare
from unname.run.deidentify import deidentify
from unname.taggers.base import Tagger
from unname.taggers.models import load_tagger
from unname.types import Mask

KEY = bytes(range(32))
SEED = 0
BOTH = ("bm25", "ngrams")
AUDIT_ONLY_LEFT_OUT = ("bm25.v1", "ngrams.v1", "additive.v1")


def plan(corpus: str, *, tagged: bool = False) -> list[tuple[str, str, tuple[str, ...], int, dict[str, Any]]]:
    """(row name, method, reidentifiers, k, other settings), cheapest evidence first."""
    rows: list[tuple[str, str, tuple[str, ...], int, dict[str, Any]]] = [
        (f"trained k={k}", "greedy", AUTO, k, {}) for k in (100, 10, 50)
    ]
    rows.append(("trained k=100 exact", "greedy", AUTO, 100, {"keyed_target": False}))
    if tagged:
        rows.append(("named entity", "tagged", BOTH, 10, {"taggers": (), "hide": ("all",)}))
    rows.append(("none", "none", BOTH, 10, {}))
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


@dataclass
class Bench:
    """A corpus, who does the work, attackers trained elsewhere, and what can be used again between rows."""

    corpus: Corpus
    pool: WorkerPool
    models: tuple[Reidentifier, ...] = ()
    taggers: tuple[Tagger, ...] = ()
    ensembles: dict[tuple[str, ...], Ensemble] = field(default_factory=dict)
    prepared: dict[tuple[str, ...], PreparedAudit] = field(default_factory=dict)

    def texts_of(self, method: str, settings: Deidentification) -> tuple[list[str | None], Any]:
        """Released texts and, where we made them, masks."""
        documents = self.corpus.documents
        if method == "none":
            return [d.text for d in documents], [Mask(d.id) for d in documents]
        if method == "human":
            return [human_release(d) for d in documents], None
        made = deidentify(
            documents,
            self.corpus.population,
            settings=settings,
            key=KEY,
            training=self.corpus.others,
            fitted=Fitted(
                ensemble=self.ensembles.get(settings.reidentifiers), taggers=self.taggers if method == "tagged" else ()
            ),
            runtime=Runtime(pool=self.pool),
        )
        if settings.reidentifiers == AUTO:
            self.ensembles[AUTO] = made.ensemble
        return made.texts(), made.masks

    def ready(self, reidentifiers: tuple[str, ...], k: int, *, aware: bool) -> PreparedAudit:
        """Attackers against an ensemble, fitted once as long as it stays the same."""
        if reidentifiers not in self.prepared:
            self.prepared.clear()
            ensemble = self.ensembles.get(reidentifiers)
            self.prepared[reidentifiers] = prepare(
                [without_spans(d) for d in self.corpus.documents],
                self.corpus.population,
                seed=SEED,
                knowledge=Knowledge(
                    used=tuple(ensemble.members) if ensemble else reidentifiers,
                    training=self.corpus.others,
                    k=k,
                    ensemble=ensemble,
                    models=self.models,
                ),
                runtime=Runtime(pool=self.pool),
            )
        ready = self.prepared[reidentifiers]
        ready.knowledge = replace(ready.knowledge, k=k)
        ready.plan = replace(ready.plan, aware=aware)
        return ready


def figures(found: Audit) -> dict[str, Any]:
    """What a row keeps of an audit."""
    report, clusters = found.report.as_dict(), [str(i) for i in range(found.report.documents)]
    audit_only = [n for n in found.attack.used if n not in AUDIT_ONLY_LEFT_OUT]
    kept = {
        name: report[name]
        for name in ("documents", "people", "k", "withheld", "attackers", "any_unused", "any_used", "aware", "fused",
                     "any_unused_or_aware", "fused_unused", "per_person", "masked", "information_loss", "crowds",
                     "linkability", "inference")
    }  # fmt: skip
    kept["any_audit_only"] = to_builtins(tally_figures(any_of(found.attack.documents, audit_only), clusters))
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
    parser.add_argument("--model", action="append", default=[], type=Path, help="folder of a trained attacker")
    parser.add_argument("--tagger", action="append", default=[], type=Path, help="folder of a trained tagger")
    parser.add_argument("--half", type=int, choices=[0, 1], help="documents of one half of the people only")
    options = parser.parse_args()
    corpus = load(options.corpus)
    if options.half is not None:
        mine = tuple(d for d in corpus.documents if fold_of(str(d.person), "tune") == options.half)
        corpus = replace(corpus, documents=mine)
    if options.limit:
        corpus = replace(corpus, documents=corpus.documents[: options.limit])
    rows = load_rows(f"reidentification_{options.corpus}", fresh=options.fresh)
    models = tuple(load_model(folder) for folder in options.model)
    with WorkerPool(suitable_workers(0, MANY_DOCUMENTS)) as pool:
        measure(options, Bench(corpus, pool, models, tuple(map(load_tagger, options.tagger))), rows)


def measure(options: argparse.Namespace, bench: Bench, rows: dict[str, Any]) -> None:
    """Fill in the rows that are missing."""
    for name, method, reidentifiers, k, other in plan(options.corpus, tagged=bool(options.tagger)):
        row = name if options.half is None else f"{name} half {options.half}"
        if row in rows or not row.startswith(tuple(options.only.split(","))):
            continue
        started = time.perf_counter()
        chosen = "greedy" if method == "human" else method
        settings = Deidentification(
            method=chosen, reidentifiers=reidentifiers, k=k, seed=SEED, **{"direct": ("none",), **other}
        )
        texts, masks = bench.texts_of(method, settings)
        masked_s = time.perf_counter() - started
        ready = bench.ready(reidentifiers, k, aware=method in ("greedy", "idf", "idf-table-aware"))
        found = audit(ready, texts, masks=masks)
        rows[row] = {"settings": settings.as_dict(), **figures(found)}
        save(f"reidentification_{options.corpus}", rows, seed=SEED, attackers=list(found.attack.used))
        unused = rows[row]["any_audit_only"]["rate"]
        say(f"{row}: masked {rows[row]['masked']['rate']:.4f}, audit-only any {unused:.4f}, "
            f"{masked_s:.0f} + {time.perf_counter() - started - masked_s:.0f} s")  # fmt: skip


if __name__ == "__main__":
    main()
