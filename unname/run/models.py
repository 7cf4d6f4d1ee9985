"""Trained reidentifiers as files: train one, load some, embed a population."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from unname import registry
from unname.errors import InputError, ModelError, SettingsError
from unname.knowledge.population import Population
from unname.log import Progress, silent
from unname.reidentifiers.additive import Additive
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.models import load_model
from unname.reidentifiers.training_examples import FOLDS, text_digest
from unname.run.inputs import FROM_DOCUMENTS, REFUSE, read_inputs
from unname.storage.files import MODEL, parents_made, require_absent, require_apart, write_atomically
from unname.storage.modelfolder import MOST_JSON, parse_json, read_bytes
from unname.storage.people import read_profiles
from unname.storage.tables import Columns
from unname.types import Document

KINDS = ("additive", "biencoder")


def train_reidentifier_files(
    documents: Path,
    people: Path | str,
    out: Path,
    *,
    kind: str = "additive",
    document_encoder: str | None = None,
    profile_encoder: str | None = None,
    checkpoint: Path | None = None,
    epochs: int | None = None,
    split: str | None = None,
    columns: Columns | None = None,
    fields: Sequence[str] = (),
    without_fields: Sequence[str] = (),
    graph: Path | None = None,
    people_id_column: str = "id",
    duplicates: str = REFUSE,
    seed: int = 0,
    replace: bool = False,
    progress: Progress = silent,
    **options: Any,
) -> Reidentifier:
    """`unname train reidentifier`: learn who documents are about from `documents` (of `split`), and write a model folder.

    A `biencoder` needs an encoder for documents (a folder, or `hub:owner/name`) and may have another for profiles. With
    a `checkpoint` folder a killed training goes on where it was. `options` are further parameters of its `Training`.
    """
    if kind not in KINDS:
        raise SettingsError(f"no kind of reidentifier that can be trained is called that; known: {', '.join(KINDS)}")
    table_of_people = [] if people == FROM_DOCUMENTS else [Path(people)]
    encoders = [Path(name) for name in (document_encoder, profile_encoder) if name and not name.startswith("hub:")]
    read = [documents, *table_of_people, *encoders, *([graph] if graph else [])]
    require_apart(out, *([checkpoint] if checkpoint else []), inputs=read)
    require_absent(out, replace=replace, kind=MODEL)
    inputs = read_inputs(
        documents, people, split=split, columns=columns, fields=fields, without_fields=without_fields, graph=graph,
        people_id_column=people_id_column, duplicates=duplicates,
    )  # fmt: skip
    profiles, taught = inputs.population.profiles, list(inputs.documents)
    if kind == "additive":
        if document_encoder or profile_encoder or checkpoint or epochs or options:
            raise SettingsError("only a biencoder has encoders and such settings; additive takes none of them")
        progress("train", 1)
        additive = Additive(seed=seed).fit(profiles, taught)
        additive.save(out, replace=replace)
        return additive
    if not document_encoder:
        raise SettingsError("a biencoder needs --document-encoder: a folder, or hub:owner/name")
    from unname.reidentifiers.biencoder import Biencoder
    from unname.reidentifiers.training import Training

    given = {name: value for name, value in {"epochs": epochs, **options}.items() if value is not None}
    settings = Training(
        document_encoder=document_encoder, profile_encoder=profile_encoder or document_encoder, seed=seed, **given
    )
    made = Biencoder(settings, checkpoint=checkpoint, progress=progress).fit(profiles, taught)
    made.save(out, replace=replace)
    return made


def embed_files(model: Path, people: Path, out: Path, *, progress: Progress = silent) -> int:
    """`unname embed`: every profile's embedding under a biencoder as `.npy`, and how many there are.

    A `.json` beside it says of which model and people it is; both are for the owner alone.
    """
    if out.suffix != ".npy":
        raise SettingsError("embeddings are written as .npy; give the file that ending")
    from unname.reidentifiers.biencoder import Biencoder

    loaded = load_model(model)
    if not isinstance(loaded, Biencoder):
        raise ModelError("only a biencoder has embeddings; this model is of another kind")
    profiles = read_profiles(people)
    with parents_made(out):
        loaded.embed_to(profiles, out, progress=progress)
    return len(profiles)


def load_models(folders: Sequence[Path]) -> dict[str, Reidentifier]:
    """Trained reidentifiers by versioned name; two of one kind are a SettingsError."""
    found: dict[str, Reidentifier] = {}
    for folder in folders:
        model = load_model(folder)
        if model.name in found:
            raise SettingsError("two models of one kind were given; name one of each kind")
        found[model.name] = model
    return found


def require_unseen(models: Iterable[Reidentifier], documents: Sequence[Document]) -> None:
    """No model was taught by documents of anybody whom it is to judge: such a crowd would hold for nobody else.

    Neither by people of the same id nor by the same text, whatever else is known of anybody; InputError.
    """
    for model in models:
        taught: frozenset[str] = getattr(model, "taught_", frozenset())
        asked = {text for d in documents for text in (d.person, d.text) if text is not None} if taught else set()
        known = sum(text_digest(text) in taught for text in asked)
        if known:
            raise InputError(
                f"the {model.name} model was taught by documents or people that it is to judge ({known} known to it); "
                "train one on documents of others"
            )


def require_other(serving: Sequence[Path], attacking: Sequence[Path]) -> None:
    """A model that serves cannot attack as one that the masking never saw; SettingsError."""
    if {path.resolve() for path in serving} & {path.resolve() for path in attacking}:
        raise SettingsError("a model that serves the masking cannot be an attacker that it never saw; name another one")


def write_models(folder: Path, ensemble: Ensemble) -> None:
    """What learned and served, for the private folder: `models/NAME-FOLD`, and which people are in which fold."""
    learned = {name: held for name, held in ensemble.fitted.items() if hasattr(held[0], "save")}
    if not learned:
        return
    home = folder / "models"
    home.mkdir(mode=0o700)
    for name, held in learned.items():
        for fold, model in enumerate(held):
            model.save(home / f"{name}-{fold}")  # type: ignore[attr-defined]
    about = {"split": ensemble.split, "models": {name: len(held) for name, held in learned.items()}}
    write_atomically(home / "models.json", (json.dumps(about) + "\n").encode(), private=True)


def served_models(private: Path, population: Population) -> Ensemble | None:
    """What `write_models` wrote, over a population; None where nothing that learned served."""
    home = private / "models"
    if not home.is_dir():
        return None
    about = parse_json(read_bytes(home / "models.json", MOST_JSON))
    stated, split = about.get("models"), about.get("split")
    sound = isinstance(stated, dict) and all(type(n) is int and n in (1, FOLDS) for n in stated.values())
    if not sound or not isinstance(split, str) or not isinstance(stated, dict):
        raise ModelError("models.json of a private folder is damaged")
    fitted: dict[str, tuple[Reidentifier, ...]] = {}
    for name in sorted(stated):
        full = registry.resolve(registry.REIDENTIFIERS, name)
        fitted[full] = tuple(load_model(home / f"{full}-{fold}") for fold in range(stated[name]))
    members = {name: tuple(model.index(population.profiles) for model in held) for name, held in fitted.items()}
    return Ensemble(tuple(p.id for p in population.profiles), members, fitted, split)
