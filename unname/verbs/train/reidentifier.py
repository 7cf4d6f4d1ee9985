"""Trained reidentifiers as files: train one, embed a population."""

from pathlib import Path

from unname import registry
from unname.errors import ModelError, SettingsError
from unname.inputs.files import read_inputs
from unname.job import Source
from unname.log import Progress, silent
from unname.other_jobs import ReidentifierTraining
from unname.reidentifiers.base import Embeds, Reidentifier, Saved
from unname.reidentifiers.models import load_model
from unname.storage.files import MODEL, parents_made, require_absent, require_apart
from unname.storage.people import read_profiles


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
    taken = registry.parameters_of(registry.TRAINABLE_REIDENTIFIERS, training.kind)
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


def embed_files(model: Path, people: Path, out: Path, *, progress: Progress = silent) -> int:
    """`unname embed`: every profile's embedding under a biencoder as `.npy`, and how many there are.

    A `.json` beside it says of which model and people it is; both are for the owner alone.
    """
    if out.suffix != ".npy":
        raise SettingsError("embeddings are written as .npy; give the file that ending")
    loaded = load_model(model)
    if not isinstance(loaded, Embeds):
        raise ModelError("this model has no embeddings; one of the kind biencoder has")
    profiles = read_profiles(people)
    with parents_made(out):
        loaded.embed_to(profiles, out, progress=progress, fresh=True)
    return len(profiles)
