"""Trained reidentifiers as files: train one, embed a population."""

from pathlib import Path

from unname import registry
from unname.errors import ModelError
from unname.inputs.files import read_inputs
from unname.job import Source
from unname.log import Progress, silent
from unname.reidentifiers.base import Reidentifier, Saved
from unname.storage.files import MODEL, require_absent, require_apart
from unname.verbs.train.learner import inputs_in, make_learner
from unname.verbs.train.options import ReidentifierTraining


def train_reidentifier_files(
    source: Source,
    out: Path,
    training: ReidentifierTraining | None = None,
    *,
    replace: bool = False,
    progress: Progress = silent,
) -> Reidentifier:
    """`unname train reidentifier`: learn who documents are about, and write a model folder."""
    training = training or ReidentifierTraining()
    checkpoint, group = training.checkpoint, registry.TRAINABLE_REIDENTIFIERS
    learner: Reidentifier = make_learner(group, training.kind, training.given(), seed=training.seed, progress=progress)
    named = (training.document_encoder, training.profile_encoder)
    encoders = [Path(name) for name in named if name and not name.startswith("hub:")]
    encoders += inputs_in(training.kind, "document_encoder", "profile_encoder")
    require_apart(out, *([checkpoint] if checkpoint else []), inputs=[*source.tables().values(), *encoders])
    require_absent(out, replace=replace, kind=MODEL)
    inputs = read_inputs(source)
    profiles, documents = inputs.population.profiles, list(inputs.documents)
    learned = learner.fit(profiles, documents)
    if not isinstance(learned, Saved):
        raise ModelError(f"a reidentifier of the kind {registry.plain(training.kind)} cannot be kept in a folder")
    learned.save(out, replace=replace)
    return learned
