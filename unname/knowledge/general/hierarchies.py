"""Hierarchies of values that a user wrote, as ARX takes them: a value and more general ones in each row of a table."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from unname.errors import InputError
from unname.knowledge.general.value import Level, Value
from unname.languages import phrases
from unname.storage.people import iter_triples
from unname.text import fold, places

_HIDDEN = "*"
# Levels of a value in a graph, at most.
_MOST_LEVELS = 12


def _folded(text: str) -> str:
    return fold(" ".join(text.split()))


@dataclass(frozen=True, slots=True, repr=False)
class Hierarchies:
    """More general texts for words and phrases: `levels` has them by the folded value, the least general first."""

    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _groups: Mapping[str, frozenset[str]] = field(init=False, default_factory=dict)
    _longest: Mapping[str, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        longest = dict[str, int]()
        for value in self.levels:
            words = [value[start:end] for start, end in places(value)]
            longest[words[0]] = max(longest.get(words[0], 0), len(words))
        groups = dict[str, frozenset[str]]()
        for row in {tuple(map(_folded, row)) for row in self.levels.values()}:
            for place, group in enumerate(row):
                groups[group] = groups.get(group, frozenset()).union(row[place + 1 :])
        object.__setattr__(self, "_groups", groups)
        object.__setattr__(self, "_longest", longest)

    def __repr__(self) -> str:
        return f"Hierarchies({len(self.levels)} values)"

    def __or__(self, other: "Hierarchies") -> "Hierarchies":
        """Both together; of a value in both, the levels of the first. InputError for a value with different levels."""
        if any(self.levels[value] != other.levels[value] for value in self.levels.keys() & other.levels.keys()):
            raise InputError("a value has different levels in two hierarchies; leave it out of one of them")
        return Hierarchies({**other.levels, **self.levels})

    def values_in(self, text: str) -> Iterator[Value]:
        """The values that stand in a text as whole words, in order; of those that begin at one word, the longest."""
        row = list(places(text)) if self.levels else []
        for place, (start, first) in enumerate(row):
            words = self._longest.get(fold(text[start:first]), 0)
            for _, end in reversed(row[place : place + words]):
                if levels := self.levels.get(said := _folded(text[start:end])):
                    above = tuple(Level(level, self.key_of(level)) for level in levels)
                    yield Value(start, end, "group", self.key_of(said) or f"value:{said}", above)
                    break

    def key_of(self, text: str) -> str:
        """The key of a more general text; empty of any other."""
        said = _folded(text)
        return f"group:{said}" if said in self._groups else ""

    def above(self, text: str) -> frozenset[str]:
        """The keys of all that stands behind a more general text in a row; none of any other text."""
        return frozenset(f"group:{group}" for group in self._groups.get(_folded(text), ()))


NONE = Hierarchies()


def read_hierarchy(path: Path) -> Hierarchies:
    """A table without a header, `value;level1;level2;...`, parted by semicolons or commas; a last level `*` is left out.

    A file that ends in `.tsv` or `.tsv.gz` has triples as a knowledge graph does: a value, `subclass of`, `located in` or
    another relation that rises (`generalities.toml`), and what is more general. Levels go up from one to the next, by the
    first triple of each.

    InputError for a file that cannot be read or is not UTF-8, rows that are not equally long, a value that is empty or
    stands twice with different levels, rows without a level, and a graph without a relation that rises.
    """
    return _of_graph(path) if path.name.endswith((".tsv", ".tsv.gz")) else _of_table(path)


def _of_graph(path: Path) -> Hierarchies:
    """The levels that the relations of a graph lead to; a chain ends before what it already has."""
    rising = frozenset(map(_folded, phrases("generalities", "rising")))
    above, said = dict[str, str](), dict[str, str]()
    for value, relation, more in iter_triples(path):
        if _folded(relation) in rising and any(map(str.isalnum, value)) and any(map(str.isalnum, more)):
            above.setdefault(_folded(value), _folded(more))
            said.setdefault(_folded(more), " ".join(more.split()))
    levels = dict[str, tuple[str, ...]]()
    for value in above:
        row = [value]
        while row[-1] in above and above[row[-1]] not in row and len(row) <= _MOST_LEVELS:
            row.append(above[row[-1]])
        if len(row) > 1:
            levels[value] = tuple(said[each] for each in row[1:])
    if not levels:
        raise InputError("a hierarchy has no triple whose relation rises, such as `subclass of` or `located in`")
    return Hierarchies(levels)


def _of_table(path: Path) -> Hierarchies:
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("a hierarchy is not UTF-8") from None
    except OSError as error:
        raise InputError(f"a hierarchy cannot be read: {error.strerror}") from None
    levels = dict[str, tuple[str, ...]]()
    for number, (value, above) in enumerate(_rows(text), start=1):
        if levels.setdefault(value, above) != above:
            raise InputError(f"a hierarchy, row {number}: the value stands in an earlier row, with different levels")
    if not levels:
        raise InputError("a hierarchy has no rows")
    return Hierarchies(levels)


def _rows(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each value, folded, and its levels."""
    delimiter = ";" if ";" in text else ","
    width = 0
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    try:
        for cells in reader:
            if not any(map(str.strip, cells)):
                continue
            number += 1
            width = width or len(cells)
            yield _row([" ".join(cell.split()) for cell in cells], number, width)
    except csv.Error:
        raise InputError(f"a hierarchy, row {number + 1}: not valid CSV") from None


def _row(cells: list[str], number: int, width: int) -> tuple[str, tuple[str, ...]]:
    if len(cells) != width:
        raise InputError(f"a hierarchy, row {number}: {len(cells)} cells, where the first row has {width}")
    value, *above = cells
    if above and above[-1] == _HIDDEN:
        above.pop()
    if not any(map(str.isalnum, value)):
        raise InputError(f"a hierarchy, row {number}: the value is empty")
    if not above or not all(above):
        raise InputError(f"a hierarchy, row {number}: no level, or an empty one")
    return _folded(value), tuple(dict.fromkeys(above))
