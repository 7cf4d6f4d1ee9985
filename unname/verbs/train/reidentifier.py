"""Trained reidentifiers as files: train one, embed a population."""

from pathlib import Path

from unname import registry
from unname.errors import ModelError, SettingsError
from unname.inputs.files import read_inputs
from unname.job import Source
from unname.log import Progress, silent
from unname.reidentifiers.base import Reidentifier, Saved
from unname.storage.files import MODEL, require_absent, require_apart
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
    given, checkpoint = training.given(), training.checkpoint
    taken = registry.arguments_of(registry.TRAINABLE_REIDENTIFIERS, training.kind)
    if useless := sorted(set(given) - taken):
        raise SettingsError(f"a reidentifier of the kind {training.kind} has no use for {', '.join(useless)}")
    named = (training.document_encoder, training.profile_encoder)
    encoders = [Path(name) for name in named if name and not name.startswith("hub:")]
    require_apart(out, *([checkpoint] if checkpoint else []), inputs=[*source.tables().values(), *encoders])
    require_absent(out, replace=replace, kind=MODEL)
    inputs = read_inputs(source)
    profiles, documents = inputs.population.profiles, list(inputs.documents)
    given |= {"seed": training.seed} if "seed" in taken else {}
    if "progress" in taken:
        given["progress"] = progress
    else:
        progress("train", 1)
    learner: Reidentifier = registry.create(registry.TRAINABLE_REIDENTIFIERS, training.kind, **given)
    learned = learner.fit(profiles, documents)
    if not isinstance(learned, Saved):
        raise ModelError(f"a reidentifier of the kind {training.kind} cannot be kept in a folder")
    learned.save(out, replace=replace)
    return learned
