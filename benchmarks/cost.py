"""The share of words that the search hides: masked % over k from one trace a document, exact targets, BM25 and n-grams.

    python -m benchmarks.cost

Beside it the first trial of this project (plain float64 numpy, the same members, stop, then give back).
"""

import time
from typing import Any

from benchmarks.corpora import load
from benchmarks.results import save, say
from unname.auditing.utility import hidden_words
from unname.masking.base import Case
from unname.masking.search import Greedy
from unname.reidentifiers.ensemble import build_ensemble

GRID = (1, 5, 10, 100)
FIRST_TRIAL = {
    "congress full": {1: 2.0, 5: 2.8, 10: 3.2, 100: 4.9},
    "congress thin": {10: 3.1, 100: 5.0},
    "tab": {1: 1.2, 5: 2.0, 10: 2.5, 100: 3.6},
    "wikipedia553": {10: 28.6, 100: 37.5},
}


def main() -> None:
    """Measure every corpus."""
    rows: dict[str, Any] = {}
    for name, first in FIRST_TRIAL.items():
        corpus = load(name.split()[0], full=name.endswith("full"))
        members = build_ensemble(("bm25", "ngrams"), corpus.population.profiles).additive()
        method, hidden, total = Greedy(), dict.fromkeys(GRID, 0), 0
        started = time.perf_counter()
        for document in corpus.documents:
            column = corpus.population.rows[str(document.person)]
            case = Case((document,), corpus.population.profiles[column], column, members, (max(GRID),), max(GRID))
            trace = method.trace(case)
            total += len(case.words[0])
            for k in GRID:
                targets = [k] * len(trace.state.constraints)
                steps = trace.length_for(targets)
                if steps is None:
                    raise SystemExit("a document cannot be hidden; that must not happen")
                hidden[k] += hidden_words(document, method.cut(trace, targets, steps)[0])[0]
        seconds = time.perf_counter() - started
        rows[name] = {
            "documents": len(corpus.documents), "people": len(corpus.population), "words": total,
            "masked_percent": {str(k): round(100 * hidden[k] / total, 3) for k in GRID},
            "first_trial_percent": {str(k): v for k, v in first.items()},
            "documents_per_second": round(len(corpus.documents) / seconds, 1),
        }  # fmt: skip
        save("cost", rows, seed=0)
        say(name, rows[name])


if __name__ == "__main__":
    main()
