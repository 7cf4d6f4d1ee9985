"""BM25 as an attack against bm25s's own retrieval: the same queries, the same profiles, one run, one thread each.

    python -m benchmarks.retrieval

Both get each document's distinct folded words and give the ten best profiles. bm25s (`method="lucene"`, the same
inverse document frequency) is run as its documentation shows, over all queries at once; repeats, best of each.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import bm25s
import numpy as np

from benchmarks.corpora import load
from benchmarks.results import save, say
from unname.reidentifiers.base import best, profile_text
from unname.reidentifiers.terms.bm25 import Bm25
from unname.text import folded_words

REPEATS = 5
TOP = 10


def best_of(run: Callable[[], Any]) -> float:
    """Seconds of the fastest of some runs."""
    seconds = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def measure(name: str) -> dict[str, Any]:
    """Queries a second of both on one corpus, and on how many queries both put the same person first."""
    corpus = load(name)
    profiles = corpus.population.profiles
    queries = [list(dict.fromkeys(folded_words(d.text))) for d in corpus.documents]
    theirs = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    theirs.index([folded_words(profile_text(p)) for p in profiles], show_progress=False)
    ours = Bm25().fit(profiles).index(profiles)
    first: dict[str, np.ndarray[Any, np.dtype[np.int64]]] = {}

    def with_bm25s() -> None:
        # Words that no profile holds are unknown to it; it is given what it knows.
        known = [[word for word in query if word in theirs.vocab_dict] for query in queries]
        found, _ = theirs.retrieve(known, k=TOP, show_progress=False, n_threads=0)
        first["bm25s"] = np.asarray(found)[:, 0].astype(np.int64)

    def with_unname() -> None:
        found = [best(ours.sum_of(query), TOP) for query in queries]
        first["unname"] = np.array([row[0] for row in found], np.int64)

    with_unname()
    with_bm25s()
    seconds = {"bm25s": best_of(with_bm25s), "unname": best_of(with_unname)}
    return {
        "queries": len(queries), "profiles": len(profiles),
        "queries_per_second": {who: round(len(queries) / s, 1) for who, s in seconds.items()},
        "ratio": round(seconds["bm25s"] / seconds["unname"], 3),
        "same_first": int(np.count_nonzero(first["bm25s"] == first["unname"])),
    }  # fmt: skip


def main() -> None:
    """Every corpus."""
    rows = {}
    for name in sys.argv[1:] or ("congress", "tab", "wikipedia553"):
        rows[name] = measure(name)
        say(name, rows[name])
    save("retrieval", rows, bm25s=bm25s.__version__)


if __name__ == "__main__":
    main()
