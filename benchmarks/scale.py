"""Fictional populations of 10⁴, 10⁵ and 10⁶ profiles: index build, bytes a profile, time a document, exact crowds.

    python -m benchmarks.scale [10000 100000 1000000]

The same 200 documents (of the first people, who are in every population) are masked against each population by
`greedy` with both members at k = 10, exact targets, in one process. The crowds of some of them are counted anew by
brute force over every profile. An exponent is the slope of the logarithm of a figure over that of the people.
"""

import math
import resource
import sys
import time
from typing import Any

from benchmarks.results import load_rows, save, say
from unname.job import Deidentification
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population
from unname.protecting.outcomes import Outcome
from unname.protecting.parts import make_parts
from unname.protecting.person import Person
from unname.protecting.until_safe import hide
from unname.reidentifiers.terms.termindex import TermIndex
from unname.runtime import Runtime
from unname.verbs.deidentify.in_memory import make_masker
from unname.verifying.recount import Recount

SIZES = (10_000, 100_000, 1_000_000)
DOCUMENTS = 200
NOTED = 150
RECOUNTED = {10_000: 200, 100_000: 50, 1_000_000: 10}
SETTINGS = Deidentification(
    method="greedy", reidentifiers=("bm25", "ngrams"), k=10, keyed_target=False, direct=("none",)
)


def measure(people: int) -> dict[str, Any]:
    """Everything about one size."""
    town = fictional_town(people=people, noted=NOTED)
    say(f"{people} people made")
    population = Population(town.profiles)
    started = time.perf_counter()
    masker = make_masker(population, make_parts(SETTINGS), (), key=bytes(range(32)), runtime=Runtime())
    build_s = time.perf_counter() - started
    indexes = {n: i for n, i in masker.ensemble.facing(None).items() if isinstance(i, TermIndex)}
    say(f"indexed in {build_s:.1f} s")
    documents = town.documents[:DOCUMENTS]
    each: list[float] = []
    found: list[Outcome] = []
    for document in documents:
        column = population.rows[str(document.person)]
        started = time.perf_counter()
        found += hide(masker, Person((document,), population.profiles[column], column))
        each.append(time.perf_counter() - started)
    each.sort()
    wrong, counted = recount(town, population, found)
    return {
        "people": people, "documents": len(documents), "build_s": round(build_s, 2),
        "bytes_per_profile": {n: round(i.size_bytes / people, 1) for n, i in indexes.items()},
        "ms_per_document": {"mean": round(1000 * sum(each) / len(each), 3), "median": round(500 * (each[len(each) // 2]
                            + each[(len(each) - 1) // 2]), 3)},
        "masked": sum(o.hidden_words for o in found) / sum(o.words for o in found),
        "withheld": sum(o.release is None for o in found),
        "crowds_recounted": counted, "crowds_different": wrong,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }  # fmt: skip


def recount(town: Town, population: Population, found: list[Outcome]) -> tuple[int, int]:
    """(different, counted) crowds of the first released documents, by brute force."""
    chosen = [(d, o) for d, o in zip(town.documents, found, strict=False) if o.release is not None]
    chosen = chosen[: RECOUNTED.get(len(population), 10)]
    wrong = 0
    for name in ("bm25.v1", "ngrams.v1"):
        asked = [([o.release.text], population.rows[str(d.person)], None) for d, o in chosen if o.release is not None]
        counted = Recount(name, population.profiles).crowds(asked)
        wrong += sum(n != o.crowds[name] for n, (_, o) in zip(counted, chosen, strict=True))
    return wrong, 2 * len(chosen)


def exponents(rows: dict[str, Any]) -> dict[str, float]:
    """Slopes between the smallest and the largest population measured."""
    sizes = sorted((row for row in rows.values() if "people" in row), key=lambda row: row["people"])
    first, last = sizes[0], sizes[-1]
    if first is last:
        return {}

    def slope(a: float, b: float) -> float:
        return round(math.log(b / a) / math.log(last["people"] / first["people"]), 3)

    return {
        "build": slope(first["build_s"], last["build_s"]),
        "mean time a document": slope(first["ms_per_document"]["mean"], last["ms_per_document"]["mean"]),
        "median time a document": slope(first["ms_per_document"]["median"], last["ms_per_document"]["median"]),
    }


def main() -> None:
    """Every size asked for; each in this process, smallest first."""
    rows = load_rows("scale", fresh=False)
    for people in sorted(map(int, sys.argv[1:])) or SIZES:
        rows[str(people)] = measure(people)
        rows["exponents"] = exponents({name: row for name, row in rows.items() if name != "exponents"})
        save("scale", rows, seed=0)
        say(people, rows[str(people)], rows["exponents"])


if __name__ == "__main__":
    main()
