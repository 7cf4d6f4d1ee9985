"""Settings of a run: one flat frozen dataclass per verb, read from TOML and the command line, stored in manifests."""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from unname.errors import InputError, SettingsError

AUTO = ("auto",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deidentification:
    """Everything that decides what a release looks like, apart from the input and the secret key.

    `reidentifiers` are whom to hide from; `auto` is bm25, ngrams and, where there are documents or passages enough to
    learn from, additive. `k` is the crowd asked for. `keyed_target` draws each document's own target k′ between k and
    `target_span` · k, at most half of the population, from the secret key, so that a crowd near k does not point at the
    person (docs/concepts.md, keyed targets).
    `direct` names profile fields that must never survive, beside those that names and values tell (`auto`); `none` says
    that there is none; `direct_only` names all of them instead.
    `keep` names metadata columns that are released beside the text; what they say counts in every crowd.
    `protect` is `subject`, or `everyone-known` to hide whoever of the population a document names as well.
    `unknown_person` says what becomes of a document whose person is missing or not in the population: an `error`,
    `withhold`, or `floor-only` (lists, known names and all that taggers find are hidden; no crowd can be stated).
    `taggers` are those of a method that has any (`composed`, `tagged`), by name; trained ones come as folders. `hide` says
    what of their labels is hidden: `direct`, `all`, or labels by name; empty: as the method does by default.
    `stop_words` says what becomes of function words, of the language that each text is in: `spare` hides one only where
    it counts as much as eight others, `mask` treats it as any word, `skip` leaves it.
    `budget` is the largest share of a document's words that the method may hide; beyond it the document is withheld.
    """

    method: str = "composed"
    reidentifiers: tuple[str, ...] = AUTO
    k: int = 10
    transform: str = "redact"
    ids: str = "keyed"
    seed: int = 0
    keyed_target: bool = True
    target_span: float = 3.0
    give_back: bool = True
    unit: str = "word"
    stop_words: str = "spare"
    budget: float = 1.0
    direct: tuple[str, ...] = AUTO
    direct_only: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    protect: str = "subject"
    unknown_person: str = "error"
    taggers: tuple[str, ...] = ("rules",)
    hide: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _require_kinds(self)
        _require(self.k >= 1, "k must be at least 1")
        _require(0 < self.budget <= 1, "budget must be above 0 and at most 1")
        _require(1 <= self.target_span < math.inf, "target-span must be a number of at least 1")
        _require(self.ids in ("keyed", "keep"), "ids must be keyed or keep")
        _require(self.unit in ("word", "occurrence"), "unit must be word or occurrence")
        _require(self.stop_words in ("spare", "mask", "skip"), "stop-words must be spare, mask or skip")
        _require(self.protect in ("subject", "everyone-known"), "protect must be subject or everyone-known")
        _require(
            self.unknown_person in ("error", "withhold", "floor-only"),
            "unknown-person must be error, withhold or floor-only",
        )
        _require(
            self.unit == "word" or self.protect == "subject",
            "protect everyone-known hides whole words: unit must be word",
        )
        _require(not {"id", "text"} & set(self.keep), "keep must not name a column id or text: the release has its own")
        _require(len(self.reidentifiers) > 0, "at least one reidentifier is needed")

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for a manifest."""
        return asdict(self)


def _require_kinds(settings: Deidentification) -> None:
    """Values of the kinds that their names promise; SettingsError names the first that is not."""
    for each in fields(Deidentification):
        value = getattr(settings, each.name)
        default = each.default
        if isinstance(default, tuple):
            _require(
                not isinstance(value, str) and isinstance(value, Sequence) and all(isinstance(v, str) for v in value),
                f"{each.name.replace('_', '-')} must be several names, such as {tuple(default) or ('name',)}",
            )
            continue
        number = isinstance(value, int | float) and not isinstance(value, bool)
        right, what = {
            bool: (isinstance(value, bool), "True or False"),
            int: (isinstance(value, int) and not isinstance(value, bool), "a whole number"),
            float: (number, "a number"),
            str: (isinstance(value, str), "text"),
        }[type(default)]
        _require(right, f"{each.name.replace('_', '-')} must be {what}, not {type(value).__name__}")


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise SettingsError(message)


def read_settings(path: Path) -> Mapping[str, Any]:
    """Options from a TOML file: keys are long option names, with dashes or underscores."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"settings file cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        raise InputError("settings file is not valid TOML in UTF-8") from None
    for key, value in values.items():
        if isinstance(value, dict):
            raise SettingsError(f"settings file: {key!r} is a table; keys are long option names, all on one level")
    return {key.replace("-", "_"): ",".join(map(str, v)) if isinstance(v, list) else v for key, v in values.items()}
