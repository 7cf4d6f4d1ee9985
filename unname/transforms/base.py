"""The contract of transforms: what one is given besides document and mask, and where it keeps what must stay secret.

A transform is a function of document, mask and context. Characters that no span covers stay as they are, byte for byte.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Protocol, runtime_checkable

from unname.knowledge.coreference import UNKNOWN, KnownAs
from unname.knowledge.general.fits import WhoFits
from unname.knowledge.general.values import Value
from unname.knowledge.leaks import DirectIdentifiers
from unname.knowledge.mentions import NameIndex
from unname.stopwords import languages_of
from unname.text import MASK_TOKEN, Word, folded_words, visible
from unname.types import Document, Mask, Placeholder, Plain, Profile, Release


class Secrets:
    """Entries that undo a release, such as which name a stand-in replaces: they go to the private folder alone."""

    def __init__(self) -> None:
        self._entries: list[dict[str, Plain]] = []

    def __repr__(self) -> str:
        return f"Secrets({len(self._entries)} entries)"

    def record(self, **entry: Plain) -> None:
        """Keep one entry."""
        self._entries.append(entry)

    @property
    def entries(self) -> tuple[Mapping[str, Plain], ...]:
        """All entries, in the order they were recorded."""
        return tuple(self._entries)


@dataclass(frozen=True, repr=False)
class Context:
    """Information that a transform may use besides document and mask; of one document under one mask.

    `key` is the release's secret: what is drawn from it cannot be guessed by a reader. `person` is the id of whom the
    document is about, None where nobody knows, and `called` what the people table calls this person: with it,
    `unname.knowledge.whoiswho.mentions_in` says whom each hidden name means. `row` are the document's words.
    `identifiers` are what nothing that is written may say, and `names` everybody's in the table, for a transform that
    `avoids_names`; None for others.
    """

    key: bytes
    person: str | None = None
    called: KnownAs = UNKNOWN
    row: tuple[Word, ...] = ()
    secrets: Secrets = field(default_factory=Secrets)
    identifiers: DirectIdentifiers | None = None
    names: NameIndex | None = None

    def __repr__(self) -> str:
        return f"Context({len(self.row)} words, {self.secrets!r})"

    @cached_property
    def language(self) -> str:
        """The document's language by its function words, such as `de`; `en` where they do not say."""
        return languages_of(word.folded for word in self.row)[0]


def says_nothing(written: Placeholder) -> bool:
    """True if the text that a transform wrote is a gap to every reader, as `[NAME]` is and a stand-in such as `Anna` is not.

    The text says so and not the transform: whoever reads a release without its pieces must see the same.
    """
    return _is_gap(written.text)


def seen_through(release: Release, *, general: bool = False) -> str:
    """A released text as somebody reads it who knows which words were invented: a gap in place of each stretch of these.

    Evidence is counted on this. Words that mislead would make everybody else look more likely, and crowds too large.
    With `general` values are gaps as well that say less than what was there: they tell who fits, and no more.
    """
    invented = [place for place, one in release.written.items() if one.invented or (general and one.general)]
    if not invented:
        return release.text
    parts = [release.text[start:end] for start, end, _, _ in release.pieces]
    for place in invented:
        parts[place] = MASK_TOKEN
    return "".join(parts)


@lru_cache(maxsize=1 << 12)
def _is_gap(text: str) -> bool:
    return not folded_words(visible(text))


@runtime_checkable
class Transform(Protocol):
    """Makes the released text of a document under a mask."""

    @property
    def name(self) -> str:
        """Versioned name, such as `redact.v1`."""
        ...

    def release(self, document: Document, mask: Mask, context: Context) -> Release:
        """The released text with its map back; spans out of range, unsorted or overlapping are an InputError."""
        ...


@runtime_checkable
class MovesDates(Protocol):
    """A transform that moves the dates of a document together: every one of them has to be hidden, or two would not fit."""

    @property
    def moves_dates(self) -> bool:
        """True where it does."""
        ...


@runtime_checkable
class Generalises(Protocol):
    """A transform that writes general values, at the levels that a mask says (`MaskSpan.level`)."""

    def values(self, text: str) -> Sequence[Value]:
        """The stretches of a text that it can say more generally, in order."""
        ...

    def fitting(self, profiles: Sequence[Profile]) -> WhoFits:
        """The people whom its general values fit."""
        ...


@runtime_checkable
class AvoidsNames(Protocol):
    """A transform that writes names: it is given everybody's in the table, so that it writes nobody's."""

    @property
    def avoids_names(self) -> bool:
        """True where it needs them."""
        ...
