"""Who is each document about? Ranks, crowds and first guesses under every reidentifier."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from unname.knowledge.population import Population
from unname.log import Progress, silent
from unname.reidentifiers.base import SCALE, best, crowd
from unname.reidentifiers.ensemble import build_ensemble
from unname.types import Document


def reidentify(
    documents: Sequence[Document],
    population: Population,
    *,
    reidentifiers: Sequence[str] = ("bm25", "ngrams"),
    top: int = 10,
    progress: Progress = silent,
) -> Iterator[dict[str, Any]]:
    """For each document `{"id", "by": {name: {"rank", "crowd", "top": [[person, score], …]}}}`.

    `rank` is 1 plus the people who score strictly higher and `crowd` counts ties too; both are None where the document's
    person is unknown. Ties in `top` are in population order.
    """
    ensemble = build_ensemble(reidentifiers, population.profiles)
    advance = progress("reidentify", len(documents))
    for document in documents:
        column = None if document.person is None else population.rows.get(document.person)
        by = {}
        for name, index in ensemble.facing(document.person).items():
            scores = index.scores(document.text)
            first = best(scores, top)
            by[name] = {
                "rank": None if column is None else int(np.count_nonzero(scores > scores[column])) + 1,
                "crowd": None if column is None else crowd(scores, column),
                "top": [[ensemble.people[int(i)], round(int(scores[i]) / SCALE, 6)] for i in first],
            }
        advance(1)
        yield {"id": document.id, "by": by}
