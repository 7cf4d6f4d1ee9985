"""The files that leave the house: examples as arrays, and a card beside them. Both are read again and checked before they go.

`lessons.safetensors` holds `states` (tokens, d) float16, `casings` and `labels` (tokens,) uint8, and `lengths` (sentences,)
int32; `card.json` names the labels, the examples' origin, and what the representer's card says. Casings and labels are in
clear. Sentences stand in an order that is drawn, and each that is alike in
words, casings and labels stands once, so that no noise can be averaged out over them.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

from unname.errors import InputError, ModelError, SettingsError, UnsafeReleaseError
from unname.sharing.card import Card, read_card
from unname.sharing.examples import SharedExample
from unname.sharing.tagger import Origin, checked_origin
from unname.storage.files import SHARED_EXAMPLES, staged_folders, write_atomically
from unname.storage.modelfolder import MOST_JSON, parse_json, read_bytes, require_plain, tensors
from unname.taggers.lstm.reading import CASINGS
from unname.taggers.reading import are_bio_labels
from unname.text import fold, without_accents

FORMAT = "unname-lessons.v2"
CARD, ARRAYS = "card.json", "lessons.safetensors"
_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]{0,39}")
_MOST_LABELS = 127
# Shorter words and numbers stand in any text by chance.
_LONG = 3
_NOTICE = "Casings and labels are in clear. Whoever has the representer finds what its card says an insider can."
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, repr=False)
class SharedExamples:
    """Shared examples with their BIO labels, their origin, and the privacy card of their representer."""

    examples: tuple[SharedExample, ...]
    labels: tuple[str, ...]
    origin: Origin
    card: Card

    def __repr__(self) -> str:
        return f"SharedExamples({len(self.examples)} examples)"

    def save(
        self, folder: Path, *, replace: bool = False, words: Sequence[str] = (), public: Sequence[str] = ()
    ) -> None:
        """Write a folder. Nothing is written if one of the `words` of identifiers stands in its card: UnsafeReleaseError.

        Arrays hold numbers alone. BIO labels that are `public` may be words of identifiers, too ("HOSPITAL").
        """
        if not self.examples:
            raise InputError("there are no examples")
        require_label_names(self.labels)
        about = {
            "format": FORMAT, "labels": self.labels, "origin": asdict(self.origin), "lessons": len(self.examples),
            "notice": _NOTICE, "card": self.card.as_dict(),
        }  # fmt: skip
        require_no_text([label[2:] for label in self.labels if label not in public], words)
        contents = {
            CARD: (json.dumps(about, indent=1) + "\n").encode(),
            ARRAYS: save({
                "states": np.concatenate([one.states for one in self.examples]).astype(np.float16),
                "casings": np.concatenate([one.casings for one in self.examples]).astype(np.uint8),
                "labels": np.concatenate([one.gold for one in self.examples]).astype(np.uint8),
                "lengths": np.array([len(one.states) for one in self.examples], np.int32),
            }),
        }  # fmt: skip
        with staged_folders((folder, False), replace=replace, kinds=(SHARED_EXAMPLES,)) as (aside,):
            for name, content in contents.items():
                write_atomically(aside / name, content)
            back = read_shared(aside)
            if (len(back.examples), back.labels, back.origin, back.card) != (
                len(self.examples), self.labels, self.origin, self.card
            ):  # fmt: skip
                raise UnsafeReleaseError("what was written reads otherwise; nothing was released")


def require_label_names(labels: Sequence[str]) -> None:
    """InputError where labels are too many, or do not look like names of labels: a column of text may have been taken."""
    names = sorted({label[2:] for label in labels[1:]})
    off = [str(place) for place, name in enumerate(names, 1) if not _LABEL.fullmatch(name)]
    if len(names) > _MOST_LABELS or off:
        which = f", number {', '.join(off[:5])} of them in alphabetical order" if off else ""
        raise InputError(f"the {len(names)} labels{which}, do not look like names of kinds of identifiers; they would be "
                         "shared as they are")  # fmt: skip


def require_no_text(shown: Sequence[str], words: Sequence[str]) -> None:
    """UnsafeReleaseError where strings that would leave hold a word of an identifier, however it is written."""
    held = {part for word in words if len(word) >= _LONG for part in _WORD.findall(without_accents(fold(word)))}
    for place, text in enumerate(sorted(set(shown)), 1):
        if not held.isdisjoint(_WORD.findall(without_accents(fold(text)))):
            raise UnsafeReleaseError(f"number {place}, in alphabetical order, of the labels that the representer does not "
                                     "know is a word of an identifier; nothing was written")  # fmt: skip


def read_shared(folder: Path) -> SharedExamples:
    """The examples that `SharedExamples.save` wrote; anything that is off in the folder is a ModelError."""
    require_plain(folder, frozenset((CARD, ARRAYS)))
    about = parse_json(read_bytes(folder / CARD, MOST_JSON))
    if about.get("format") != FORMAT:
        raise ModelError("the examples are of an unknown kind or version")
    if set(about) != {"format", "labels", "origin", "lessons", "notice", "card"}:
        raise ModelError("the card of examples has unknown or missing parts")
    labels, card, origin = about["labels"], about["card"], checked_origin(about["origin"])
    if (
        not isinstance(labels, list)
        or not all(isinstance(label, str) for label in labels)
        or not isinstance(card, dict)
    ):
        raise ModelError("the card of examples has a part of the wrong kind")
    if not are_bio_labels(labels):
        raise ModelError("the labels of examples are not those of identifiers")
    card = read_card(card)
    content = read_bytes(folder / ARRAYS)
    kinds = {name: (found.kind, len(found.shape)) for name, found in tensors(content).items()}
    if kinds != {"states": ("F16", 2), "casings": ("U8", 1), "labels": ("U8", 1), "lengths": ("I32", 1)}:
        raise ModelError("the arrays of examples are not those that examples have")
    arrays = load(content)
    lengths, states = arrays["lengths"].astype(np.int64), arrays["states"].astype(np.float32)
    many = len(states)
    if (
        (lengths < 1).any() or int(lengths.sum()) != many or states.shape[1] != origin.width
        or len(arrays["casings"]) != many or len(arrays["labels"]) != many or not np.isfinite(states).all()
        or about["lessons"] != len(lengths) or about["notice"] != _NOTICE
        or (arrays["casings"] >= len(CASINGS)).any() or (arrays["labels"] >= len(labels)).any()
    ):  # fmt: skip
        raise ModelError("the arrays of examples do not fit each other")
    ends = np.cumsum(lengths)[:-1]
    rows = (
        np.split(part, ends) for part in (states, arrays["casings"].astype(np.int64), arrays["labels"].astype(np.int64))
    )
    found = tuple(SharedExample(*row) for row in zip(*rows, strict=True)) if len(lengths) else ()
    return SharedExamples(found, tuple(labels), origin, card)


def pooled(some: Sequence[SharedExamples]) -> SharedExamples:
    """All examples as one; labels that only some have are kept. SettingsError where they do not belong together."""
    first = some[0]
    for other in some[1:]:
        first.origin.require(other.origin)
        if other.card != first.card:
            raise SettingsError("the examples have different privacy cards")
    names = sorted({label[2:] for one in some for label in one.labels[1:]})
    labels = ("O", *(f"B-{name}" for name in names), *(f"I-{name}" for name in names))
    places = {label: number for number, label in enumerate(labels)}
    if len(labels) > 2 * _MOST_LABELS + 1:
        raise SettingsError("the examples have more labels together than a tagger can tell")
    examples: list[SharedExample] = []
    for one in some:
        mapping = np.array([places[label] for label in one.labels])
        examples += [example._replace(gold=mapping[example.gold]) for example in one.examples]
    return SharedExamples(tuple(examples), labels, first.origin, first.card)
