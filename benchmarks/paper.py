"""Algorithm 1 as printed against our search under the same models: words hidden, readings by the encoder, seconds.

    python -m benchmarks.paper --model DIR --attacker DIR [--documents N] [--grid K,...]

`congress` with rich profiles, seeded documents of the test part, a bi-encoder alone and with term matching (BM25).
`--model` names the bi-encoder that both hide from, `--attacker` another that neither saw (see benchmarks.biencoder
--rich). Each document is masked once by either search until the largest crowd of a grid is there; what is left at each
smaller crowd is a part of the same trace for the paper, and a search of its own for ours. Found is whom any held-out
attacker names: the other bi-encoder, n-grams, and BM25 where it did not serve. Levels are the smallest crowds of the
grid at which no more than 25, 5 and 1 % are found. Documents that are done are kept; the same command goes on.
"""

import argparse
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpora import Corpus
from benchmarks.results import load_rows, save, say
from benchmarks.strength import corpus_of
from unname.draws import draw
from unname.masking.base import Case, readable_text
from unname.masking.local import CountedIndex
from unname.masking.paper import Paper
from unname.masking.search import Greedy
from unname.reidentifiers.base import AdditiveIndex, Index, LocalIndex, crowd
from unname.reidentifiers.models import load_model
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.ngrams import Ngrams
from unname.statistics import credit_of, rate, standing
from unname.types import Document

LEVELS = (0.25, 0.05, 0.01)


@dataclass(frozen=True, slots=True, repr=False)
class World:
    """Documents, who is hidden from, held-out attackers by name, crowds; `seconds` by method of the search alone."""

    corpus: Corpus
    documents: Sequence[Document]
    biencoder: LocalIndex
    bm25: AdditiveIndex
    attackers: Mapping[str, Index]
    grid: tuple[int, ...]
    seconds: dict[str, float] = field(default_factory=lambda: {"paper": 0.0, "ours": 0.0})

    def case(self, document: Document, k: int, *, terms: bool) -> Case:
        """One document, hidden from the bi-encoder, and from term matching where asked."""
        column = self.corpus.population.rows[str(document.person)]
        members: dict[str, AdditiveIndex] = {"bm25": self.bm25} if terms else {}
        profile = self.corpus.population.profiles[column]
        return Case((document,), profile, column, members, (k,), k, local={"biencoder": CountedIndex(self.biencoder)})


@dataclass(frozen=True, slots=True, repr=False)
class Left:
    """A document after a search at one crowd: hidden and all words, readings, and the text."""

    hidden: int
    words: int
    evaluations: int
    text: str


def left(case: Case, hidden: Iterable[str], evaluations: int) -> Left:
    """A document without these words."""
    gone = frozenset(hidden)
    spans = [(word.start, word.end) for word in case.words[0] if word.folded in gone]
    return Left(len(spans), len(case.words[0]), evaluations, readable_text(case.documents[0].text, spans))


def by_paper(world: World, document: Document, *, terms: bool) -> list[Left]:
    """Algorithm 1: one trace to the largest crowd, cut where each crowd is there."""
    case = world.case(document, world.grid[-1], terms=terms)
    started = time.perf_counter()
    order = Paper().search(case, 0).order
    world.seconds["paper"] += time.perf_counter() - started
    distinct = len({word.folded for word in case.words[0]})
    made = []
    for k in world.grid:
        steps = next((n for n in range(len(order)) if smallest(case, order[:n]) >= k), len(order))
        # Every step reads the text without each word that is left; before the first the text itself.
        made.append(left(case, order[:steps], 1 + sum(distinct - step for step in range(steps))))
    return made


def readings(case: Case) -> int:
    """Texts that went through the bi-encoder until now."""
    return sum(index.readings for index in case.local.values() if isinstance(index, CountedIndex))


def smallest(case: Case, hidden: Sequence[str]) -> int:
    """The smallest crowd under any model with these words hidden."""
    text = left(case, hidden, 0).text
    return min(crowd(index.scores(text), case.column) for index in (*case.ensemble.values(), *case.local.values()))


def by_ours(world: World, document: Document, *, terms: bool) -> list[Left]:
    """Our search, anew for each crowd."""
    made = []
    for k in world.grid:
        case = world.case(document, k, terms=terms)
        method = Greedy()
        started = time.perf_counter()
        trace = method.trace(case)
        mask = method.cut(trace, trace.state.targets(), len(trace.order))[0]
        if k == world.grid[-1]:
            world.seconds["ours"] += time.perf_counter() - started
        gone = [word.folded for word in case.words[0] if mask.covers(word.start, word.end)]
        made.append(left(case, gone, readings(case)))
    return made


def found_by(world: World, document: Document, texts: Sequence[str], *, terms: bool) -> list[float]:
    """For each text whether any held-out attacker names the person (ties by lot: a share)."""
    column = world.corpus.population.rows[str(document.person)]
    credits = np.zeros(len(texts))
    for name, index in world.attackers.items():
        if name != "bm25" or not terms:
            scores = index.scores_of(texts)
            credits = np.maximum(credits, [credit_of(*standing(row, column), 1) for row in scores])
    return credits.tolist()


def figures(rows: Sequence[Mapping[str, Any]], grid: Sequence[int]) -> list[dict[str, Any]]:
    """Over all documents, at each crowd of the grid: found, share of words, readings a document."""
    found = []
    for place, k in enumerate(grid):
        cells = [row["at"][place] for row in rows]
        credits = [cell["found"] for cell in cells]
        found.append({
            "k": k, "found": rate(credits, [row["id"] for row in rows]).as_dict(),
            "masked": sum(cell["hidden"] for cell in cells) / sum(cell["words"] for cell in cells),
            "evaluations": sum(cell["evaluations"] for cell in cells) / len(cells),
        })  # fmt: skip
    return found


def compared(paper: Sequence[Mapping[str, Any]], ours: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Words and readings of both at each level, each at the smallest crowd of its own that reaches it."""
    levels = {}
    for level in LEVELS:
        cells = [next((row for row in rows if row["found"]["rate"] <= level), None) for rows in (paper, ours)]
        if all(cells):
            there, here = (cell for cell in cells if cell)
            levels[f"{level:g}"] = {
                "paper": there, "ours": here, "words": here["masked"] / there["masked"],
                "evaluations": there["evaluations"] / here["evaluations"],
            }  # fmt: skip
    return levels


def main() -> None:
    """Both searches, document by document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--attacker", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--grid", default="1,3,10,30,100", help="crowds, smallest first")
    parser.add_argument("--kept", type=Path, default=Path("paper.jsonl"), help="what is done, a document a line")
    options = parser.parse_args()
    corpus = corpus_of("congress", rich=True)
    people = corpus.population.profiles
    drawn = sorted(corpus.documents, key=lambda document: draw("paper", 0, document.id))[: options.documents]
    indexes = [load_model(folder).index(people) for folder in (options.model, options.attacker)]
    bm25, ngrams = (one.fit(people).index(people) for one in (Bm25(), Ngrams()))
    if not isinstance(indexes[0], LocalIndex) or not isinstance(bm25, AdditiveIndex):
        raise SystemExit("--model names no reidentifier that a search can follow")
    held_out: dict[str, Index] = {"another biencoder": indexes[1], "ngrams": ngrams, "bm25": bm25}
    world = World(corpus, drawn, indexes[0], bm25, held_out, tuple(map(int, options.grid.split(","))))
    done = [json.loads(line) for line in options.kept.open()] if options.kept.exists() else []
    found = {(row["members"], row["id"]): row for row in done}
    results = load_rows("paper")
    for terms, members in ((False, "biencoder"), (True, "biencoder and BM25")):
        label = f"{members}; k = {', '.join(map(str, world.grid))}"
        rows: list[dict[str, Any]] = []
        with options.kept.open("a") as lines:
            for document in drawn:
                row = found.get((label, document.id), {"members": label, "id": document.id})
                # Seconds compare where both were measured together.
                row["together"] = "paper" not in row
                for name, search in (("paper", by_paper), ("ours", by_ours)):
                    if name in row:
                        continue
                    before = world.seconds[name]
                    made = search(world, document, terms=terms)
                    credits = found_by(world, document, [one.text for one in made], terms=terms)
                    row[name] = {"seconds": world.seconds[name] - before, "at": [
                        {"found": credit, "hidden": one.hidden, "words": one.words, "evaluations": one.evaluations}
                        for one, credit in zip(made, credits, strict=True)
                    ]}  # fmt: skip
                rows.append(row)
                print(json.dumps(row), file=lines, flush=True)
                if len(rows) % 10 == 0 or len(rows) == len(drawn):
                    sides = [
                        figures([{"id": r["id"]} | r[name] for r in rows], world.grid) for name in ("paper", "ours")
                    ]
                    both = [r for r in rows if r["together"]]
                    seconds = [sum(r[name]["seconds"] for r in both) for name in ("paper", "ours")]
                    results[label] = {
                        "documents": len(rows), "paper": sides[0], "ours": sides[1], "levels": compared(*sides),
                        "seconds_at_largest": seconds, "times_faster": seconds[0] / seconds[1] if both else None,
                    }  # fmt: skip
                    save("paper", results, seed=0)
                    say(label, len(rows), results[label]["levels"], results[label]["times_faster"])


if __name__ == "__main__":
    main()
