"""A mandatory mask of rules and taggers above the search: leaks of annotated identifiers, people found, and the cost.

    python -m benchmarks.composed [--fresh] [--only ROWS] [--model DIR]

On `tab`, whose annotators say which entities are direct and quasi-identifiers. Taggers learn kinds (direct, quasi) from
the documents of other people: five folds by person, so that no document is tagged by a model that saw it. Rows: nothing,
human masks, the taggers alone (`tagged`), the search alone (`greedy`), and the search above a mandatory mask (`composed`) of
rules, of rules and what the taggers call direct, and of all that they find. Crowds of 10 and 100 under BM25, n-grams and
the additive reidentifier; no field is declared direct. Leak: share of annotated entities of which anything can be read
(docs/scores.md).
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.adversary import KEY, Bench, figures
from benchmarks.corpora import Corpus, human_masks, human_release, load
from benchmarks.results import load_rows, save, say
from unname.job import AUTO, AuditPlan, Deidentification
from unname.parallel.workers import MANY_DOCUMENTS, WorkerPool, suitable_workers
from unname.protecting.parts import Fitted
from unname.reidentifiers.models import load_model
from unname.runtime import Runtime
from unname.scoring.tab import tab_scores
from unname.taggers.base import Tagger
from unname.taggers.labels import relabelled
from unname.taggers.linear.crf import Crf
from unname.types import Document, Span
from unname.verbs.audit.in_memory import audit
from unname.verbs.deidentify.in_memory import deidentify

FOLDS = 5
RULES, CRF, BOTH = ("rules",), ("crf",), ("rules", "crf")


@dataclass(frozen=True)
class ByFold:
    """Each text is tagged by the tagger of its fold, which saw no document of its person."""

    taggers: tuple[Tagger, ...]
    folds: Mapping[str, int] = field(repr=False)
    name: str = "crf.v1"

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        return [self.taggers[self.folds[digest(text)]].tag([text])[0] for text in texts]


def digest(text: str) -> str:
    """A hash that identifies a text."""
    return sha256(text.encode()).hexdigest()


def fold_of(document: Document) -> int:
    """The fold of a document: people are drawn by hash."""
    return int(digest(f"tagger fold {document.person}"), 16) % FOLDS


def cross_fitted(documents: Sequence[Document]) -> ByFold:
    """A tagger of kinds for each fold, taught by the other four."""
    made = []
    for fold in range(FOLDS):
        taught = [relabelled(d, by="kind") for d in documents if fold_of(d) != fold]
        made.append(Crf().fit(taught))
        say(f"fold {fold}: taught by {len(taught)} documents")
    return ByFold(tuple(made), {digest(d.text): fold_of(d) for d in documents})


def plan() -> list[tuple[str, str, tuple[str, ...], tuple[str, ...], int]]:
    """(row, method, taggers, labels to hide, k)."""
    rows: list[tuple[str, str, tuple[str, ...], tuple[str, ...], int]] = [
        ("none", "none", (), (), 10),
        ("human", "human", (), (), 10),
        ("tagged rules", "tagged", RULES, ("all",), 10),
        ("tagged direct", "tagged", BOTH, ("direct",), 10),
        ("tagged all", "tagged", CRF, ("all",), 10),
    ]
    for k in (10, 100):
        rows += [
            (f"greedy k={k}", "greedy", (), (), k),
            (f"composed rules k={k}", "composed", RULES, (), k),
            (f"composed direct k={k}", "composed", BOTH, ("direct",), k),
            (f"composed all k={k}", "composed", CRF, ("all",), k),
        ]
    return rows


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--only", default="", help="rows whose name starts with one of these, parted by commas")
    parser.add_argument("--model", action="append", default=[], type=Path, help="folder of a trained attacker")
    options = parser.parse_args()
    corpus = load("tab")
    rows = load_rows("composed", fresh=options.fresh)
    wanted = [r for r in plan() if r[0] not in rows and r[0].startswith(tuple(options.only.split(",")))]
    if not wanted:
        return
    tagger = cross_fitted(corpus.documents)
    with WorkerPool(suitable_workers(0, MANY_DOCUMENTS)) as pool:
        models = tuple(load_model(folder) for folder in options.model)
        bench = Bench(corpus, AuditPlan(simulate=False), Runtime(pool=pool), models=models)
        for row in wanted:
            measure(bench, tagger, row, rows)


def measure(bench: Bench, tagger: ByFold, row: tuple[str, str, Any, Any, int], rows: dict[str, Any]) -> None:
    """One row: mask, attack, and count what annotators called identifiers and can still be read."""
    name, method, taggers, hide, k = row
    settings = Deidentification(
        method="none" if method == "human" else method, reidentifiers=AUTO, k=k, seed=0, direct=("none",),
        taggers=tuple(t for t in taggers if t == "rules"), hide=hide, facts="report",
    )  # fmt: skip
    texts, spans = released(bench, settings, [tagger] if "crf" in taggers else [], human=method == "human")
    masks = None if method == "human" else spans
    bench.prepared = bench.prepared or bench.ready(bench.known(k))
    bench.prepared.knowledge = bench.known(k)
    made = audit(bench.prepared, texts, masks=masks)
    leaks = tab_scores(bench.corpus.documents, [[Span(s.start, s.end) for s in m.spans] for m in spans])
    rows[name] = {"settings": settings.as_dict(), **figures(made), "tab": leaks.as_dict()}
    save("composed", rows, seed=0, folds=FOLDS, attackers=[a.name for a in made.report.attackers])
    direct, quasi = leaks.leak("direct"), leaks.leak("quasi")
    worst = made.report.counted
    say(
        f"{name}: masked {made.report.masked.rate:.4f}, strongest {worst and worst.rate}, leak {direct:.3f} / {quasi:.3f}"
    )


def released(
    bench: Bench, settings: Deidentification, taggers: Sequence[Tagger], *, human: bool
) -> tuple[list[str | None], Any]:
    """Released texts and masks; the ensemble is built once and serves every row."""
    corpus: Corpus = bench.corpus
    if human:
        return [human_release(d) for d in corpus.documents], [human_masks(d) for d in corpus.documents]
    made = deidentify(
        corpus.documents,
        corpus.population,
        settings=settings,
        key=KEY,
        training=corpus.others,
        fitted=Fitted(taggers=taggers, ensemble=bench.ensemble),
        runtime=bench.runtime,
    )
    bench.ensemble = made.ensemble
    return made.texts(), made.masks


if __name__ == "__main__":
    main()
