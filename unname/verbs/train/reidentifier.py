"""Trained reidentifiers as files: train one, embed a population."""

from pathlib import Path

from unname.errors import ModelError, SettingsError
from unname.inputs.files import read_inputs
from unname.job import Source
from unname.log import Progress, silent
from unname.other_jobs import ReidentifierTraining
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.learned.additive import Additive
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
    given, checkpoint = training.encoders(), training.checkpoint
    if training.kind not in ("additive", "biencoder"):
        raise SettingsError("no kind of reidentifier that can be trained is called that; known: additive, biencoder")
    named = (training.document_encoder, training.profile_encoder)
    encoders = [Path(name) for name in named if name and not name.startswith("hub:")]
    require_apart(out, *([checkpoint] if checkpoint else []), inputs=[*source.tables().values(), *encoders])
    require_absent(out, replace=replace, kind=MODEL)
    inputs = read_inputs(source)
    profiles, documents = inputs.population.profiles, list(inputs.documents)
    if training.kind == "additive":
        if given or checkpoint:
            raise SettingsError("only a biencoder has encoders and such settings; additive takes none of them")
        progress("train", 1)
        additive = Additive(seed=training.seed).fit(profiles, documents)
        additive.save(out, replace=replace)
        return additive
    if not training.document_encoder:
        raise SettingsError("a biencoder needs --document-encoder: a folder, or hub:owner/name")
    from unname.reidentifiers.encoders.biencoder import Biencoder
    from unname.reidentifiers.encoders.biencoder_training import Training

    given.setdefault("profile_encoder", training.document_encoder)
    settings = Training(seed=training.seed, **given)
    biencoder = Biencoder(settings, checkpoint=checkpoint, progress=progress).fit(profiles, documents)
    biencoder.save(out, replace=replace)
    return biencoder


def embed_files(model: Path, people: Path, out: Path, *, progress: Progress = silent) -> int:
    """`unname embed`: every profile's embedding under a biencoder as `.npy`, and how many there are.

    A `.json` beside it says of which model and people it is; both are for the owner alone.
    """
    if out.suffix != ".npy":
        raise SettingsError("embeddings are written as .npy; give the file that ending")
    from unname.reidentifiers.encoders.biencoder import Biencoder

    loaded = load_model(model)
    if not isinstance(loaded, Biencoder):
        raise ModelError("only a biencoder has embeddings; this model is of another kind")
    profiles = read_profiles(people)
    with parents_made(out):
        loaded.embed_to(profiles, out, progress=progress, fresh=True)
    return len(profiles)
