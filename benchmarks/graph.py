"""A knowledge graph as inverted index: how large, how fast, and how long the search for combinations takes.

    python -m benchmarks.graph [scale|combinations ...] [--people N] [--fresh]

`scale`: invented people with names, dates, places, trades and awards, as many terms a person as in Papadopoulou 2022
(22 million for half a million of biographies; here for a million people): seconds and peak memory of building, bytes on the
disk, intersections a second beside Python sets in the same run, and MB/s of the gazetteer where 1, 10 and 100 % of the words
state a term. `combinations`: milliseconds of Algorithm 2 by the number of terms in a document, groups of 5, over the
congress graph and over the invented one.
"""

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.corpora import data_folder
from benchmarks.results import load_rows, save, say
from unname.knowledge.gazetteer import Stated, find_terms
from unname.knowledge.graph import Graph, Triple, build_graph, open_graph
from unname.masking.combinations import breaches
from unname.storage.people import read_triples

GROUP = 5
TERMS = (5, 10, 20, 40, 80)
DOCUMENTS = 200
_ONSETS = ("b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "dr", "kl", "st", "tr")
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ei")


def _word(number: int) -> str:
    """A made-up word for a number, another for each."""
    parts, number = [], number + 400
    while number:
        number, rest = divmod(number, len(_ONSETS) * len(_VOWELS))
        parts.append(_ONSETS[rest % len(_ONSETS)] + _VOWELS[rest // len(_ONSETS)])
    return "".join(parts)


def invented(people: int, seed: int = 0) -> Iterator[Triple]:
    """Triples of invented people: names from long-tailed lists, a birth date, a place, trades, an employer, awards."""
    random = np.random.default_rng(seed)

    def drawn(many: int, skew: float) -> np.ndarray[Any, Any]:
        return (many * random.random(people) ** skew).astype(np.int64)

    given, middle, family = drawn(20_000, 3), drawn(20_000, 3), drawn(400_000, 2)
    day, place, trade = random.integers(0, 40_000, people), drawn(200_000, 4), drawn(3_000, 4)
    employer, award, other = drawn(2_000_000, 2), drawn(3_000_000, 2), drawn(300, 3)
    for n in range(people):
        person = f"i{n}"
        yield person, "name", f"{_word(given[n])} {_word(middle[n])} {_word(family[n])}".title()
        yield person, "date of birth", str(np.datetime64("1880-01-01") + day[n])
        yield person, "place of birth", _word(500_000 + place[n]).title()
        yield person, "occupation", _word(800_000 + trade[n])
        yield person, "employer", f"{_word(900_000 + employer[n])} works"
        yield person, "award", f"{_word(3_000_000 + award[n])} prize"
        yield person, "notable work", f"{_word(12_000_000 + n)} of {_word(20_000_000 + n % 700_000)}"
        yield person, "collection", f"{_word(60_000_000 + n)} at {_word(80_000_000 + n)}"
        yield person, "publication", f"{_word(100_000_000 + n)} for {_word(120_000_000 + n)}; {_word(140_000_000 + n)}"
        street = f"{n % 900 + 100} {_word(30_000_000 + n // 3)} street"
        yield person, "address", f"{street}; {_word(40_000_000 + n // 2)} lane"
        yield person, "nationality", _word(7_000_000 + other[n])


def _memory() -> int:
    """Most that this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def _terms_of_people(graph: Graph) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """(starts, terms): the terms of column c are `terms[starts[c]:starts[c + 1]]`."""
    owners = np.repeat(np.arange(len(graph.terms), dtype=np.int32), np.diff(graph.starts))
    order = np.argsort(graph.postings, kind="stable")
    return np.searchsorted(graph.postings[order], np.arange(len(graph.people) + 1)), owners[order]


def scale(people: int) -> dict[str, Any]:
    """Build, keep, map, intersect, find."""
    before = _memory()
    seconds, graph = _timed(lambda: build_graph(invented(people)))
    peak = _memory()
    row: dict[str, Any] = {
        "people": len(graph.people), "terms": len(graph.terms), "postings": len(graph.postings),
        "build s": round(seconds, 1), "peak MiB": peak, "before MiB": before,
    }  # fmt: skip
    with TemporaryDirectory() as folder:
        path = Path(folder) / "graph"
        row["save s"] = round(_timed(lambda: graph.save(path))[0], 1)
        row["MiB on disk"] = round(sum(f.stat().st_size for f in path.iterdir()) / 2**20)
        row["open ms"] = round(1000 * _timed(lambda: open_graph(path))[0], 2)
        row |= _intersections(open_graph(path)) | _finding(open_graph(path))
    row["combinations"] = combinations(graph)
    return row


def _intersections(graph: Graph, many: int = 2000) -> dict[str, Any]:
    """Counts of two to six terms of one person, and the same by Python sets."""
    random = np.random.default_rng(1)
    starts, owned = _terms_of_people(graph)
    asked = []
    for column in random.integers(0, len(graph.people), many):
        own = owned[starts[column] : starts[column + 1]]
        asked.append([int(t) for t in random.choice(own, min(len(own), int(random.integers(2, 7))), replace=False)])
    sets = {t: set(graph.having(t).tolist()) for t in {t for row in asked for t in row}}
    for t in sets:  # Long postings are made bits once, as sets are made once.
        if graph.frequency(t) > len(graph.people) / 32:
            graph.count((t, t))
    ours, mine = _timed(lambda: [graph.count(row) for row in asked])
    theirs, other = _timed(lambda: [len(set.intersection(*sorted((sets[t] for t in row), key=len))) for row in asked])
    if mine != other:
        raise SystemExit("counts differ")
    row = {"intersections/s": round(many / ours), "python sets/s": round(many / theirs)}
    # The same where terms are ones that many have.
    common = np.argsort(-np.diff(graph.starts))[:40]
    pairs = [[int(a), int(b), int(c)] for a, b, c in random.choice(common, (300, 3))]
    long = {int(t): set(graph.having(int(t)).tolist()) for t in common}
    for t in common:
        graph.count((int(t), int(t)))
    ours, mine = _timed(lambda: [graph.count(row) for row in pairs])
    theirs, other = _timed(lambda: [len(long[a] & long[b] & long[c]) for a, b, c in pairs])
    if mine != other:
        raise SystemExit("counts differ")
    return row | {"of common terms/s": round(300 / ours), "python sets, common/s": round(300 / theirs)}


def _finding(graph: Graph) -> dict[str, Any]:
    """MB/s of the gazetteer on made-up text in which a share of the words states a term."""
    random, found = np.random.default_rng(2), {}
    filler = [f"{_word(n)}qu" for n in range(20_000)]
    for share in (0.01, 0.1, 1.0):
        parts: list[str] = []
        while len(parts) < 60_000:
            if random.random() < share:
                parts += graph.terms.text(int(random.integers(len(graph.terms)))).split()
            else:
                parts.append(filler[int(random.integers(len(filler)))])
        texts = [" ".join(parts[at : at + 300]) for at in range(0, len(parts), 300)]
        size = sum(len(text.encode()) for text in texts)
        _timed(partial(_all_found, graph, texts[:20]))
        seconds, terms = _timed(partial(_all_found, graph, texts))
        found[f"{share:.0%}"] = {"MB/s": round(size / seconds / 1e6, 2), "terms": sum(map(len, terms))}
    return {"gazetteer": found}


def _all_found(graph: Graph, texts: Sequence[str]) -> list[list[Stated]]:
    return [find_terms(graph, text) for text in texts]


def combinations(graph: Graph) -> list[dict[str, Any]]:
    """Milliseconds and breaches by the number of terms: half of them a person's, the others of people at random.

    First of all terms, then of terms that a group has, so that it takes combinations.
    """
    starts, owned = _terms_of_people(graph)
    shared = np.where(np.diff(graph.starts)[owned] >= GROUP, owned, -1)
    return [*_by_terms(graph, starts, owned, "any"), *_by_terms(graph, starts, shared, "shared")]


def _by_terms(
    graph: Graph, starts: np.ndarray[Any, Any], owned: np.ndarray[Any, Any], kind: str
) -> list[dict[str, Any]]:
    """Rows of one kind of terms; -1 stands for one that does not count."""
    random, rows = np.random.default_rng(3), []
    enough = np.flatnonzero(np.diff(np.concatenate([[0], np.cumsum(owned >= 0)])[starts]) >= 4)
    for many in TERMS:
        took, gone, bounded = [], [], 0
        for column in random.choice(enough, DOCUMENTS):
            own = np.unique(owned[starts[column] : starts[column + 1]])
            own = own[own >= 0]
            terms = set(random.choice(own, min(len(own), many // 2), replace=False).tolist())
            while len(terms) < many:
                terms.add(int(owned[random.integers(len(owned))]))
                terms.discard(-1)
            ordered = sorted(terms, key=lambda t: (graph.frequency(t), t))
            seconds, found = _timed(partial(breaches, list(map(graph.having, ordered)), len(graph.people), GROUP))
            took.append(1000 * seconds)
            gone.append(len(found))
            bounded += any(b.bounded for b in found)
        rows.append({
            "of": kind, "terms": many, "median ms": round(statistics.median(took), 2),
            "slowest of 20 ms": round(_top(took), 2), "slowest ms": round(max(took), 1),
            "terms gone": round(statistics.mean(gone), 1), "order given up": bounded,
        })  # fmt: skip
        say(rows[-1])
    return rows


def _top(values: Sequence[float]) -> float:
    return float(np.quantile(values, 0.95))


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["combinations", "scale"])
    parser.add_argument("--people", type=int, default=1_000_000)
    parser.add_argument("--fresh", action="store_true")
    given = parser.parse_args()
    rows = load_rows("graph", fresh=given.fresh)
    for part in given.parts:
        if part == "combinations":
            graph = build_graph(read_triples(data_folder() / "congress" / "graph.tsv.gz"))
            rows["congress"] = {
                "people": len(graph.people),
                "terms": len(graph.terms),
                "combinations": combinations(graph),
            }
        else:
            rows["invented"] = scale(given.people)
        say(rows)
        save("graph", rows, seed=0)


if __name__ == "__main__":
    main()
