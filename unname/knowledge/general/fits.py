"""The people of a table whom a general value fits: those of whom the table says it, or something that it holds of."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from unname.knowledge.general.hierarchies import NONE, Hierarchies
from unname.knowledge.general.numbers import age, of_ages
from unname.knowledge.general.places import places_of
from unname.knowledge.general.times import days_of, times_above
from unname.knowledge.general.values import key_of, values_in
from unname.stopwords import languages_of
from unname.text import folded_words
from unname.types import Profile

_PARTS = re.compile(r"\s*[|;,\n]\s*")
# Longer parts of a field are no general value.
_LONGEST = 60
_OLDEST = 120
_FULL_YEAR = 1000


class WhoFits:
    """The people of a table whom a general value fits.

    Somebody fits the key of each value in one of their fields and those of all its levels; of a general value that stands
    in a field alone, its own key and those above it. Whoever has no such value fits nothing. Fields are read once, when
    first asked.
    """

    def __init__(self, profiles: Sequence[Profile], hierarchies: Hierarchies = NONE) -> None:
        self._profiles, self._hierarchies, self._people = tuple(profiles), hierarchies, len(profiles)
        self._index: Mapping[str, NDArray[np.int32]] | None = None

    def __repr__(self) -> str:
        return f"WhoFits({self._people} people)"

    def of(self, key: str) -> NDArray[np.bool_]:
        """Of each person (people,), in the order given, True if the key fits them; all False for one that fits nobody."""
        if self._index is None:
            self._index, self._profiles = self._read(), ()
        fits = np.zeros(self._people, dtype=np.bool_)
        if (rows := self._index.get(key)) is not None:
            fits[rows] = True
        return fits

    def among(self, keys: Iterable[str], column: int) -> NDArray[np.int64] | None:
        """The columns of the people whom all of these keys fit that fit the person in a column; None: that is everybody."""
        who = [row for key in keys if (row := self.of(key))[column]] if column >= 0 else []
        return np.flatnonzero(np.logical_and.reduce(who)) if who else None

    def _read(self) -> Mapping[str, NDArray[np.int32]]:
        """The rows of the people whom each key fits, ascending."""
        rows: dict[str, list[int]] = defaultdict(list)
        known = dict[tuple[bool, str], frozenset[str]]()
        for row, profile in enumerate(self._profiles):
            keys = set[str]()
            for name, value in profile.fields.items():
                said = (of_ages(name), value)
                if said not in known:
                    known[said] = frozenset(self._keys(value, aged=said[0]))
                keys |= known[said]
            for key in keys:
                rows[key].append(row)
        return {key: np.array(each, dtype=np.int32) for key, each in rows.items()}

    def _keys(self, text: str, *, aged: bool) -> Iterator[str]:
        """The keys that somebody fits who has a text in a field."""
        bare = text.strip()
        if aged and bare.isdecimal() and int(bare) <= _OLDEST:
            values = [age(0, len(bare), int(bare))]
        else:
            language = languages_of(folded_words(text))[0]
            values = values_in(text, language=language, hierarchies=self._hierarchies)
            yield from self._alone(text, language)
            yield from _days(text)
        for value in values:
            yield from (value.own,) if value.own else ()
            for level in value.levels:
                yield level.key
                if self._hierarchies.levels and (key := key_of(level.text)):
                    yield key

    def _alone(self, text: str, language: str) -> Iterator[str]:
        """The keys of the general values that stand in a text alone or between commas, and of those above."""
        for part in {text.strip(), *_PARTS.split(text)}:
            if 0 < len(part) <= _LONGEST:
                key = key_of(part, hierarchies=self._hierarchies, language=language)
                yield from (key, *times_above(key), *self._hierarchies.above(part)) if key else ()
                yield from places_of(part, language)


def _days(text: str) -> Iterator[str]:
    """The keys of every day that a text may mean: figures that can be read in two orders fit both months."""
    for _, _, day in days_of(text):
        if day.year is not None and day.year >= _FULL_YEAR:
            key = f"day:{day.year:04d}-{day.month:02d}-{day.day:02d}"
            yield from (key, *times_above(key))
