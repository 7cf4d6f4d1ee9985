"""Who is each document about? Ranks, crowds and first guesses under every reidentifier."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from unname.job import Runtime
from unname.knowledge.population import Population
from unname.reidentifiers.base import SCALE, Reidentifier, best, crowd
from unname.reidentifiers.ensemble import build_ensemble
from unname.run.training_documents import learns, masking_seed, masking_split, training_groups
from unname.types import Document


def reidentify(
    documents: Sequence[Document],
    population: Population,
    *,
    reidentifiers: Sequence[str] = ("bm25", "ngrams"),
    training: Sequence[Document] = (),
    models: Mapping[str, Reidentifier] | None = None,
    top: int = 10,
    runtime: Runtime | None = None,
) -> Iterator[dict[str, Any]]:
    """For each document `{"id", "by": {name: {"rank", "crowd", "top": [[person, score], …]}}}`.

    `rank` is 1 plus the people who score strictly higher and `crowd` counts ties too; both are None where the document's
    person is unknown. Ties in `top` are in population order. Reidentifiers that learn do so from `training` or, where
    that is little, from documents of other people; `models` are trained already.
    """
    runtime, seed = runtime or Runtime(), 0
    taught = training_groups(documents, population, training, seed) if learns(reidentifiers) else ()
    ensemble = build_ensemble(
        [*reidentifiers, *(models or {})], population.profiles, taught=taught, split=masking_split(seed),
        models=models, given={"seed": masking_seed(seed)}, pool=runtime.working(),
    )  # fmt: skip
    advance = runtime.progress("reidentify", len(documents))
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
