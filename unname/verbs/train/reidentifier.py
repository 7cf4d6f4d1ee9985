"""Trained reidentifiers as files: train one, embed a population."""

from pathlib import Path

from unname.errors import SettingsError
from unname.inputs.files import read_inputs
from unname.job import Source
from unname.log import Progress, silent
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.learned.additive import Additive
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
