"""Models that learned and were used in masking, in a private folder, and read back from there."""

import json
from pathlib import Path

from unname.errors import ModelError
from unname.knowledge.population import Population
from unname.reidentifiers.base import Reidentifier, Saved
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.learned.training_examples import FOLDS
from unname.reidentifiers.models import load_model
from unname.reidentifiers.names import resolve_name
from unname.storage.files import write_atomically
from unname.storage.modelfolder import MOST_JSON, parse_json, read_bytes


def write_models(folder: Path, ensemble: Ensemble) -> None:
    """Write what was trained and used in masking into the private folder: `models/NAME-FOLD`, and everybody's fold."""
    learned = {name: held for name, held in ensemble.fitted.items() if isinstance(held[0], Saved)}
    if not learned:
        return
    home = folder / "models"
    home.mkdir(mode=0o700)
    for name, held in learned.items():
        for fold, model in enumerate(held):
            if isinstance(model, Saved):
                model.save(home / f"{name}-{fold}")
    about = {
        "split": ensemble.split, "models": {name: len(held) for name, held in learned.items()},
        "secret": sorted(ensemble.secret & learned.keys()),
    }  # fmt: skip
    write_atomically(home / "models.json", (json.dumps(about) + "\n").encode(), private=True)


def served_models(private: Path, population: Population) -> Ensemble | None:
    """The models that `write_models` wrote, over a population; None where nothing that learned was used."""
    home = private / "models"
    if not home.is_dir():
        return None
    about = parse_json(read_bytes(home / "models.json", MOST_JSON))
    stated, split, secret = about.get("models"), about.get("split"), about.get("secret", [])
    sound = isinstance(stated, dict) and all(type(n) is int and n in (1, FOLDS) for n in stated.values())
    sound = sound and isinstance(secret, list) and all(isinstance(name, str) for name in secret)
    if not sound or not isinstance(split, str) or not isinstance(stated, dict):
        raise ModelError("models.json of a private folder is damaged")
    fitted: dict[str, tuple[Reidentifier, ...]] = {}
    for name in sorted(stated):
        full = resolve_name(name)
        fitted[full] = tuple(load_model(home / f"{full}-{fold}") for fold in range(stated[name]))
    members = {name: tuple(model.index(population.profiles) for model in held) for name, held in fitted.items()}
    return Ensemble(tuple(p.id for p in population.profiles), members, fitted, split, secret=frozenset(secret))
