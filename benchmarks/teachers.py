"""What decides how many people are found: how many documents about other people the attacker has read.

    python -m benchmarks.teachers [--rows ROW,...] [--fresh]

The dev part of `congress` as a closed world of 1,300 people, k = 100, a fixed key. Its releases: `search` (the search
against bm25, n-grams and additive), `statics` (against bm25, n-grams and two statics), `rounds` (the default, with no
documents of others) and `random` (as many words as `statics`, those above `search` drawn at random). The train part is
shared out: two people in five teach the masking's statics, the audit reads documents about the others. A row
`statics 1000` is audited by attackers who have read 1,000 of these, a row without a number by who has read all, and
`known` by who holds the masking's private models too.
"""

import argparse
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import to_builtins

from benchmarks.adversary import KEY, more_hidden
from benchmarks.corpora import Corpus, closed_world, load, without_spans
from benchmarks.results import load_rows, save, say
from unname.draws import draw
from unname.job import AuditPlan, Deidentification, Runtime
from unname.parallel.workers import MANY_DOCUMENTS, WorkerPool, suitable_workers
from unname.protecting.result import Deidentified
from unname.run.audit import Knowledge, audit, prepare
from unname.run.deidentify import deidentify
from unname.run.training_documents import teaches_masking
from unname.transforms.redact import Redact
from unname.types import Document

K = 100
ATTACKERS = ("bm25", "ngrams", "facts", "skeletons", "names", "pairs", "static")
WORDS, STATICS = ("bm25", "ngrams", "additive"), ("bm25", "ngrams", "static", "static-two")
ROWS = (
    "search", "statics", "search known", "statics known", "rounds", "random", "search 1000", "statics 1000", "search 250",
    "statics 250", "search 0", "statics 0",
)  # fmt: skip
FIGURES = ("strongest", "strongest_without_models", "matched", "read", "masked", "documents", "people")


@dataclass
class World:
    """The people who are released, with the profiles of those who teach beside them, and what is released."""

    corpus: Corpus
    others: tuple[Document, ...]
    runtime: Runtime
    made: dict[str, Deidentified] = field(default_factory=dict)

    def release(self, name: str) -> Deidentified:
        """A release by its name."""
        if name not in self.made:
            settings = Deidentification(
                k=K, method="adaptive" if name == "rounds" else "composed",
                reidentifiers=STATICS if name == "statics" else WORDS,
            )  # fmt: skip
            self.made[name] = deidentify(
                self.corpus.documents, self.corpus.population, settings=settings, key=KEY,
                training=self.others if name == "statics" else (), runtime=self.runtime,
            )  # fmt: skip
        return self.made[name]

    def row(self, row: str) -> dict[str, Any]:
        """Who is found."""
        name, _, how = row.partition(" ")
        made = self.release("search" if name == "random" else name)
        masks = more_hidden(made, self.release("statics"), rarest=False) if name == "random" else made.masks
        texts = made.texts()
        if name == "random":
            texts = [Redact().release(d, m).text for d, m in zip(self.corpus.documents, masks, strict=True)]
        read = sorted(
            (d for d in self.others if not teaches_masking(d.person, 0)), key=lambda d: draw("teachers", 0, d.id)
        )
        read = read[: int(how)] if how.isdigit() else read
        known = Knowledge(k=K, training=read)
        if how == "known":
            known = replace(known, used=tuple(made.ensemble.members), ensemble=made.ensemble)
        prepared = prepare(
            list(map(without_spans, self.corpus.documents)), self.corpus.population, runtime=self.runtime,
            plan=AuditPlan(attackers=ATTACKERS, simulate=False), knowledge=known,
        )  # fmt: skip
        report = audit(prepared, texts, masks=masks).report
        found = {a.name: to_builtins(a.after) for a in report.attackers}
        return {name: to_builtins(getattr(report, name)) for name in FIGURES} | {"attackers": found}


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default=",".join(ROWS), help="these rows alone, parted by commas")
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    corpus, everybody = closed_world("dev"), load("congress")
    teachers = tuple(map(without_spans, (d for d in everybody.others if d.split == "train")))
    beside = {d.person for d in teachers}
    profiles = tuple(p for p in everybody.population.profiles if p.id in beside)
    corpus = replace(corpus, population=replace(corpus.population, beside=profiles))
    rows = load_rows("teachers", fresh=options.fresh)
    with WorkerPool(suitable_workers(0, MANY_DOCUMENTS)) as pool:
        world = World(corpus, teachers, Runtime(pool=pool))
        for row in options.rows.split(","):
            if row in rows:
                continue
            rows[row] = world.row(row)
            save("teachers", rows, seed=0, k=K, attackers=ATTACKERS)
            found = rows[row]["strongest"]
            say(f"{row}: {found['rate']:.3f} at {rows[row]['masked']['rate']:.3f}, read {rows[row]['read']}")


if __name__ == "__main__":
    main()
