"""Trained taggers as folders: the kind in one, loaded without loading the other kinds' libraries."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from unname import registry
from unname.errors import InputError, ModelError, SettingsError
from unname.storage.faults import shown_name
from unname.storage.modelfolder import MOST_JSON, faults_of, parse_json, read_bytes, require_plain
from unname.storage.people import read_lines
from unname.taggers.base import Tagger, TrainableTagger
from unname.taggers.foreign.labels import read_label_map
from unname.taggers.foreign.named import make_foreign, split_foreign

RULES = "rules.v1"


def learns(kind: str) -> bool:
    """Check whether a kind of tagger, by its plain or versioned name, has to learn, and then lies in a folder."""
    return all(hasattr(registry.part(registry.TAGGERS, kind), name) for name in ("save", "load"))


def trainable(kind: str) -> type[TrainableTagger]:
    """The class of a kind of tagger that learns, by its plain or versioned name; SettingsError for any other."""
    if learns(kind) and not registry.is_known(registry.TRAINABLE_TAGGERS, kind):
        raise SettingsError("this kind of tagger is made by `unname sanitize` or `unname share pool`")
    return _kept(kind)


def _kept(kind: str) -> type[TrainableTagger]:
    """The class of a kind of tagger that lies in a folder; a chain is one that cannot be trained itself."""
    if not learns(kind):
        raise SettingsError("this kind of tagger does not learn; it is used as it is")
    return cast(type[TrainableTagger], registry.part(registry.TAGGERS, kind))


def load_tagger(folder: Path) -> Tagger:
    """The trained tagger that a folder holds; a folder that is no model of ours, or unsound, is a ModelError."""
    with faults_of(folder):
        require_plain(folder)
        kind = parse_json(read_bytes(folder / "model.json", MOST_JSON)).get("name")
        if not isinstance(kind, str) or kind not in registry.names(registry.TAGGERS):
            raise ModelError("the tagger is of an unknown kind or version")
        return _kept(kind).load(folder)


def split_taggers(given: Sequence[str]) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """The registered taggers among all that were named, which need no training, and the folders of trained ones."""
    names, folders = [], []
    for number, name in enumerate(given, start=1):
        if name in ("", "none"):
            continue
        known = registry.is_known(registry.TAGGERS, name)
        if known and not learns(name):
            names.append(name)
        elif Path(name).is_dir() and (not known or (Path(name) / "model.json").is_file()):
            folders.append(Path(name))
        elif known:
            raise SettingsError(
                f"{name} has to learn first: name the folder that `unname train tagger` or `sanitize` wrote; no folder "
                f"{name} holds one"
            )
        else:
            raise SettingsError(
                f"tagger: name {number} is neither a folder that is there nor a tagger that needs no training, such as "
                "rules, nor one from elsewhere; `unname methods` lists all, and how they are named"
            )
    return tuple(names), tuple(folders)


def read_phrases(path: Path) -> Sequence[str]:
    """The lines of a list of phrases; one without any is an InputError, for it would find nothing."""
    lines = read_lines(path)
    if not lines:
        raise InputError(f"{shown_name(path)}: holds no phrases")
    return lines


def named_taggers(
    given: Sequence[str],
    *,
    gazetteers: Sequence[tuple[str, Path]] = (),
    allow: Path | None = None,
    label_map: Path | None = None,
    spans: bool = False,
) -> list[Tagger]:
    """All taggers that were named: ours by name, from folders, and from elsewhere, ready to tag.

    `label_map` is for those from elsewhere, or for `spans` that are handed in; with neither it is a SettingsError.
    """
    theirs, ours = split_foreign(given)
    if label_map is not None and not theirs and not spans:
        raise SettingsError("label-map is for taggers from elsewhere and spans; neither is named")
    made = make_taggers(*split_taggers(ours), gazetteers=gazetteers, allow=allow)
    return [*made, *make_foreign(theirs, read_label_map(label_map))]


def make_taggers(
    names: Sequence[str],
    folders: Sequence[Path] = (),
    *,
    gazetteers: Sequence[tuple[str, Path]] = (),
    allow: Path | None = None,
) -> list[Tagger]:
    """Taggers by name and from folders, ready to tag.

    `gazetteers` are lists of phrases to find, with their labels, `allow` one of phrases never to tag; one a line, for the
    rules.
    """
    full = [registry.resolve(registry.TAGGERS, name) for name in names]
    if len({*full, *(folder.resolve() for folder in folders)}) < len(full) + len(folders):
        raise SettingsError("a tagger is named twice")
    given: dict[str, Any] = {}
    if gazetteers:
        given["phrases"] = tuple((phrase, label) for label, path in gazetteers for phrase in read_phrases(path))
    if allow is not None:
        given["allow"] = tuple(read_lines(allow))
    if given and registry.plain(RULES) not in map(registry.plain, full):
        raise SettingsError("lists of phrases are for the rules: name `rules` among the taggers")
    made = [
        registry.create(registry.TAGGERS, name, **(given if registry.plain(name) == registry.plain(RULES) else {}))
        for name in full
    ]
    return [*made, *(load_tagger(folder) for folder in folders)]
