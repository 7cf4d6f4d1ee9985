"""The case for counting a word once: persons found at first guess on `congress` by presence and by raw counts of words.

python -m benchmarks.presence
"""

from collections import Counter
from typing import Any

import numpy as np

from benchmarks.corpora import load
from benchmarks.results import save, say
from unname.reidentifiers.base import AdditiveIndex
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.ngrams import Ngrams
from unname.statistics import credit, rate
from unname.text import folded_words


def scores(index: AdditiveIndex, text: str, *, raw: bool) -> np.ndarray[Any, Any]:
    """Evidence for every profile with each distinct word counted once, or as often as it occurs."""
    counts = Counter(folded_words(text))
    weights = np.array([n if raw else 1 for n in counts.values()], np.int64)
    return np.asarray(index.contributions(list(counts)).T @ weights)


def main() -> None:
    """Measure both members on the originals."""
    corpus = load("congress")
    people = [str(d.person) for d in corpus.documents]
    rows: dict[str, Any] = {}
    for reidentifier in (Bm25(), Ngrams()):
        index = reidentifier.fit(corpus.population.profiles).index(corpus.population.profiles)
        for raw in (False, True):
            found = [
                credit(scores(index, d.text, raw=raw), corpus.population.rows[str(d.person)]) for d in corpus.documents
            ]
            name = f"{reidentifier.name} {'raw counts' if raw else 'presence'}"
            rows[name] = rate(found, people).as_dict()
            say(name, rows[name]["rate"])
    save("presence", rows, seed=0)


if __name__ == "__main__":
    main()
