"""Profiles as vectors, in a file."""

from pathlib import Path

from unname.errors import ModelError, SettingsError
from unname.log import Progress, silent
from unname.reidentifiers.base import Embeds
from unname.reidentifiers.models import load_model
from unname.storage.files import parents_made
from unname.storage.people import read_profiles


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
