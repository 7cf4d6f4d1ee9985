"""The people that documents may be about: ranks, crowds, probabilities and first guesses under every reidentifier."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from unname.errors import SettingsError
from unname.inputs.files import read_inputs, with_training
from unname.inputs.training_documents import learns, masking_split, training_groups
from unname.job import NONE, Source
from unname.knowledge.population import Population
from unname.log import Progress, silent
from unname.reidentifiers.base import SCALE, FloatArray, IntArray, Reidentifier, best, crowd
from unname.reidentifiers.ensemble import build_ensemble
from unname.reidentifiers.models import load_models, require_unseen
from unname.runtime import Runtime
from unname.storage.files import parents_made, require_new
from unname.storage.tables import write_jsonl
from unname.types import Document

# At which a bi-encoder and `additive` are trained.
_TEMPERATURE = 1.0


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
    """For each document `{"id", "by": {name: {"rank", "crowd", "top": [[person, score], …], …}}}`.

    `rank` is 1 plus the people who score strictly higher and `crowd` counts ties too; both are None where the document's
    person is unknown. Ties in `top` are in population order. `probabilities` are those of the people in `top` and
    `probability` that of the document's person: a softmax of scores over all profiles at `temperature` 1 (Morris 2022 §4).
    Scores of reidentifiers that were not trained so are no log odds, and their probabilities are not calibrated.
    Reidentifiers that learn do so from `training` or, where that is little, from documents of other people; `models` are
    trained already, and with `reidentifiers` none they alone are asked. SettingsError: nobody to ask.
    """
    asked = () if tuple(reidentifiers) == NONE else tuple(reidentifiers)
    if not asked and not models:
        raise SettingsError("reidentifiers none: nobody is left to ask; name a trained model's folder (--model)")
    runtime, seed = runtime or Runtime(), 0
    taught = training_groups(documents, population, training, seed) if learns(asked) else ()
    ensemble = build_ensemble(
        [*asked, *(models or {})], population.profiles, taught=taught, split=masking_split(seed),
        models=models, pool=runtime.working(),
    )  # fmt: skip
    advance = runtime.progress("reidentify", len(documents))
    for document in documents:
        column = None if document.person is None else population.rows.get(document.person)
        by = {}
        for name, index in ensemble.facing(document.person).items():
            scores = index.scores(document.text)
            first, chances = best(scores, top), _softmax(scores)
            by[name] = {
                "rank": None if column is None else int(np.count_nonzero(scores > scores[column])) + 1,
                "crowd": None if column is None else crowd(scores, column),
                "top": [[ensemble.people[int(i)], round(int(scores[i]) / SCALE, 6)] for i in first],
                "temperature": _TEMPERATURE,
                "probabilities": [round(float(chances[i]), 6) for i in first],
                "probability": None if column is None else round(float(chances[column]), 6),
            }
        advance(1)
        yield {"id": document.id, "by": by}


def reidentify_files(
    source: Source,
    out: Path,
    *,
    reidentifiers: Sequence[str] = ("bm25", "ngrams"),
    models: Sequence[Path] = (),
    top: int = 10,
    progress: Progress = silent,
) -> int:
    """`unname reidentify`: what `reidentify` says of each document, one JSON line each, and of how many documents.

    `models` are folders of trained reidentifiers. The file names people.
    """
    require_new(out)
    inputs = with_training(read_inputs(source, unknown_person="any"), source)
    loaded = load_models(models)
    require_unseen(loaded.values(), inputs.documents)
    rows = reidentify(
        inputs.documents, inputs.population, reidentifiers=reidentifiers, training=inputs.others, models=loaded, top=top,
        runtime=Runtime(1, progress),
    )  # fmt: skip
    with parents_made(out):
        write_jsonl(out, rows, private=True, fresh=True)
    return len(inputs.documents)


def _softmax(scores: IntArray) -> FloatArray:
    """p(person | text) over all profiles: (people,) float64."""
    light = (scores - scores.max()) / (SCALE * _TEMPERATURE)
    weights = np.exp(light)
    return np.asarray(weights / weights.sum())
