"""Public knowledge as an inverted index: each term → the people of whom it is true (Papadopoulou 2022, §3.1).

Terms are rows of folded words (see `variants`). Nothing is kept as an object of its own: terms and ids are strings in one
block of bytes, looked up by a key of 64 bits and compared in full; a term's people are a sorted stretch of one array. So an
index of tens of millions of terms is a handful of arrays, which a folder keeps and a process maps.
"""

import json
import secrets
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from unname.errors import ModelError, StateError
from unname.hashing import Keys, hashed, mix
from unname.knowledge.cooccurrence import stated_beside, texts_of
from unname.knowledge.population import Population
from unname.knowledge.variants import Term, is_proper, terms_of
from unname.storage.arrays import map_array, write_arrays
from unname.storage.modelfolder import parse_json
from unname.storage.opening import read_within
from unname.types import Profile

Columns = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]
Triple = tuple[str, str, str]
# The arrays of a folder, and their kinds of numbers.
_ARRAYS = {
    "keys": np.uint64, "ends": np.int64, "letters": np.uint8, "starts": np.int64, "postings": np.int32, "first": np.uint64,
    "reach": np.uint8, "common": np.bool_, "people_keys": np.uint64, "people_ends": np.int64, "people_letters": np.uint8,
}  # fmt: skip
_FORMAT = 3
# Terms and people that are looked up when an index is opened: one whose arrays do not fit each other finds none of them.
_TRIED = 256
# Terms that are sorted at a time while an index is made.
_AT_ONCE = 1 << 21
# From this share of all people on, who has a term is also kept as one bit a person: that is smaller then, and faster.
_DENSE = 1 / 32


@dataclass(frozen=True, slots=True, repr=False)
class Strings:
    """Strings in the order of their keys: string i is the UTF-8 of `letters[ends[i − 1]:ends[i]]`."""

    keys: Keys
    ends: Places
    letters: npt.NDArray[np.uint8]

    def __repr__(self) -> str:
        return f"Strings({len(self.keys)})"

    def __len__(self) -> int:
        return len(self.keys)

    def text(self, place: int) -> str:
        """The string at a place."""
        start = int(self.ends[place - 1]) if place else 0
        return bytes(self.letters[start : int(self.ends[place])]).decode("utf-8", "surrogatepass")

    def place(self, key: int, text: str) -> int | None:
        """The place of a string, by its key; None if it is absent."""
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        return at if at < len(self.keys) and int(self.keys[at]) == key and self.text(at) == text else None


def key_of(term: Sequence[str]) -> int:
    """The key of a row of words: that of its first, mixed with each of the others."""
    key = np.uint64(hashed(term[0]))
    for word in term[1:]:
        key = np.uint64(mix(key, np.uint64(hashed(word))))
    return int(key)


@dataclass(frozen=True, repr=False)
class Graph:
    """Terms, people, and which terms each has; `postings[starts[t]:starts[t + 1]]` are the columns of term t, in order.

    `first` are the keys of all words that begin a term, sorted, `reach` of how many words the longest such term is.
    `common` is true of each term that is more than a name, so that a text may write it in small letters.
    """

    terms: Strings
    starts: Places
    postings: Columns
    first: Keys
    reach: npt.NDArray[np.uint8]
    common: npt.NDArray[np.bool_]
    people: Strings
    _dense: dict[int, npt.NDArray[np.uint64]] = field(default_factory=dict, init=False, compare=False)

    def __repr__(self) -> str:
        return f"Graph({len(self.people)} people, {len(self.terms)} terms)"

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_dense": {}}

    def term(self, term: Sequence[str]) -> int | None:
        """The number of a term; None if nobody has it."""
        return self.terms.place(key_of(term), " ".join(term)) if term else None

    def column(self, person: str) -> int | None:
        """The column of a person; None if the graph does not know them."""
        return self.people.place(hashed(person), person)

    def having(self, term: int) -> Columns:
        """The people with a term: sorted columns, a view."""
        return self.postings[int(self.starts[term]) : int(self.starts[term + 1])]

    def frequency(self, term: int) -> int:
        """The number of people with a term."""
        return int(self.starts[term + 1] - self.starts[term])

    def having_all(self, terms: Iterable[int]) -> Columns:
        """The people with all of some terms: sorted columns; everybody if there are none."""
        ordered = sorted(set(terms), key=self.frequency)
        if not ordered:
            return np.arange(len(self.people), dtype=np.int32)
        columns = self.having(ordered[0])
        for term in ordered[1:]:
            if not len(columns):
                break
            columns = columns[self._held(term, columns)]
        return columns

    def count(self, terms: Iterable[int]) -> int:
        """The number of people with all of some terms."""
        ordered = sorted(set(terms), key=self.frequency)
        if ordered and self._is_dense(ordered[0]):
            bits = np.bitwise_and.reduce([self._bits(term) for term in ordered])
            return int(_ONES[bits.view(np.uint16)].sum())
        return len(self.having_all(ordered))

    def _held(self, term: int, columns: Columns) -> npt.NDArray[np.bool_]:
        """The flags of those of some people who have a term."""
        if self._is_dense(term):
            bits = self._bits(term)[columns >> 6] >> (columns & 63).astype(np.uint64)
            return np.asarray(bits & np.uint64(1), np.bool_)
        row = self.having(term)
        places = np.minimum(np.searchsorted(row, columns), len(row) - 1)
        return np.asarray(row[places] == columns, np.bool_)

    def _is_dense(self, term: int) -> bool:
        return self.frequency(term) > max(64, len(self.people) * _DENSE)

    def _bits(self, term: int) -> npt.NDArray[np.uint64]:
        if term not in self._dense:
            flags = np.zeros(-(-len(self.people) // 64) * 64, np.uint8)
            flags[self.having(term)] = 1
            self._dense[term] = np.packbits(flags, bitorder="little").view(np.uint64)
        return self._dense[term]

    def longest(self, first: Keys) -> npt.NDArray[np.uint8]:
        """The number of words of the longest term that begins with each key of a word; 0 if none does."""
        if not len(self.first):
            return np.zeros(len(first), np.uint8)
        at = np.minimum(np.searchsorted(self.first, first), len(self.first) - 1)
        return np.where(self.first[at] == first, self.reach[at], np.uint8(0))

    def save(self, folder: Path) -> None:
        """Write the index into a folder, as one file for each array, and their hashes."""
        folder.mkdir(parents=True, exist_ok=True)
        hashes = write_arrays(folder, self._arrays())
        about = {"format": _FORMAT, "people": len(self.people), "terms": len(self.terms), "arrays": hashes}
        (folder / "graph.json").write_text(json.dumps(about))

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        parts = (self.terms.keys, self.terms.ends, self.terms.letters, self.starts, self.postings, self.first,
                 self.reach, self.common, self.people.keys, self.people.ends, self.people.letters)  # fmt: skip
        return dict(zip(_ARRAYS, parts, strict=True))


_DAMAGED = "the index of a graph is damaged; make it again"
_ONES = np.array([number.bit_count() for number in range(1 << 16)], np.uint8)


def open_graph(folder: Path) -> Graph:
    """An index that `Graph.save` wrote, mapped. ModelError if it is none, or has changed.

    Hashes reveal damage; anybody who can write into the folder can write hashes too, so everything a look-up relies on is
    checked as well: order, ranges, and that a look-up finds terms and people, some of them drawn, in their places.
    """
    content = read_within(folder.resolve(), "graph.json")
    try:
        about = parse_json(content if isinstance(content, bytes) else b"")
    except ModelError:
        raise ModelError("there is no index of a graph at the place given, or it is damaged") from None
    if about.get("format") != _FORMAT:
        raise ModelError("the index of a graph is of another version; make it again")
    hashes = about.get("arrays")
    try:
        if not isinstance(hashes, dict):
            raise ModelError("no hashes")
        parts = [map_array(folder / f"{name}.npy", kind, hashes.get(name)) for name, kind in _ARRAYS.items()]
    except ModelError:
        raise ModelError(_DAMAGED) from None
    keys, ends, letters, starts, postings, first, reach, common, *people = parts
    graph = Graph(Strings(keys, ends, letters), starts, postings, first, reach, common, Strings(*people))
    if (about.get("people"), about.get("terms")) != (len(graph.people), len(graph.terms)) or not _is_sound(graph):
        raise ModelError(_DAMAGED)
    return graph


def _is_sound(graph: Graph) -> bool:
    """Check whether every look-up stays within its array and finds its entry."""
    starts, postings = graph.starts, graph.postings
    if not all(_in_place(strings) for strings in (graph.terms, graph.people)):
        return False
    if len(starts) != len(graph.terms) + 1 or len(graph.common) != len(graph.terms):
        return False
    # Each term is true of somebody, and who has it is sorted: only where a term ends may the next column be smaller.
    if int(starts[0]) or int(starts[-1]) != len(postings) or not _rises(starts):
        return False
    if len(postings) and (int(postings.min()) < 0 or int(postings.max()) >= len(graph.people)):
        return False
    for at in range(0, len(postings), _AT_ONCE):
        some = postings[at : at + _AT_ONCE + 1]
        falls = at + 1 + np.flatnonzero(some[1:] <= some[:-1])
        if (starts[np.searchsorted(starts, falls)] != falls).any():
            return False
    if len(graph.first) != len(graph.reach) or not _rises(graph.first) or not graph.reach.all():
        return False
    try:
        return all(_is_found(graph, place) for place in _some(len(graph.terms))) and all(
            graph.column(graph.people.text(place)) == place for place in _some(len(graph.people))
        )
    except UnicodeDecodeError:
        return False


def _in_place(strings: Strings) -> bool:
    """Check whether strings are in the order of their keys, one after the other, up to the last letter."""
    ends = strings.ends
    if len(strings.keys) != len(ends) or not _rises(strings.keys):
        return False
    if not len(ends):
        return not len(strings.letters)
    return int(ends[0]) >= 0 and bool((ends[1:] >= ends[:-1]).all()) and int(ends[-1]) == len(strings.letters)


def _rises(values: npt.NDArray[Any]) -> bool:
    return bool((values[1:] > values[:-1]).all())


def _is_found(graph: Graph, place: int) -> bool:
    """Check whether a look-up finds a term by its words, and reads a text far enough to find it."""
    term = graph.terms.text(place).split(" ")
    reach = graph.longest(np.array([hashed(term[0])], np.uint64))
    return graph.term(term) == place and int(reach[0]) >= len(term)


def _some(many: int) -> list[int]:
    """Places that are drawn anew each time; all of them where there are few."""
    if many <= _TRIED:
        return list(range(many))
    return sorted({secrets.randbelow(many) for _ in range(_TRIED)})


def build_graph(triples: Iterable[Triple], *, user: Mapping[Term, Sequence[Term]] | None = None) -> Graph:
    """The index of (person, relation, value) triples, with all forms of each value; `user` gives further forms of terms.

    Memory: 12 bytes for each person of each term, and the letters of each term once; people in the order of their keys.
    """
    making, numbers = _Making(), dict[str, int]()
    for person, relation, value in triples:
        column = numbers.setdefault(person, len(numbers))
        common = not is_proper(relation)
        for term in terms_of(relation, value, user):
            making.add(term, column, common)
    keys = np.fromiter(map(hashed, numbers), np.uint64, len(numbers))
    people, place = _in_order([_SortedStrings(keys, *_written(numbers))])
    return making.graph(people, place(keys).astype(np.int32))


def triples_of(profiles: Iterable[Profile]) -> Iterator[Triple]:
    """A table of people as triples: each field states its value."""
    return ((p.id, name, value) for p in profiles for name, value in p.fields.items() if value)


def facts_of(population: Population, *, texts: bool = False) -> Iterator[Triple]:
    """Triples of all fields of a population, of people of a knowledge graph beside it, and of long `texts` of fields."""
    stated = stated_beside(texts_of(population.full)) if texts else ()
    return chain(triples_of(population.full), population.strangers, stated)


def graph_of(population: Population, *, texts: bool = False) -> Graph:
    """The index of all known facts of a population (`facts_of`)."""
    return build_graph(facts_of(population, texts=texts))


class _SortedStrings(NamedTuple):
    """Some strings: their keys, lengths in bytes, sums that tell two with one key apart, and letters."""

    keys: Keys
    lengths: Places
    sums: npt.NDArray[np.uint32]
    letters: npt.NDArray[np.uint8]


class _Making:
    """Terms of people as they come, put in order part by part."""

    def __init__(self) -> None:
        self._parts: list[_SortedStrings] = []
        self._pairs: list[tuple[Keys, Columns]] = []
        self._first: dict[int, int] = {}
        self._words: dict[str, int] = {}
        self._small: list[Keys] = []
        self._begin()

    def _begin(self) -> None:
        self._terms: dict[Term, int] = {}
        self._of, self._columns = array("i"), array("i")
        self._common: set[int] = set()

    def add(self, term: Term, column: int, common: bool) -> None:
        """A person has a term, which is a name or a common word."""
        number = self._terms.setdefault(term, len(self._terms))
        if common:
            self._common.add(number)
        self._of.append(number)
        self._columns.append(column)
        if len(self._of) >= _AT_ONCE:
            self._end()

    def _end(self) -> None:
        terms = list(self._terms)
        if not terms:
            return
        keys = self._keys(terms)
        self._parts.append(_SortedStrings(keys, *_written(map(" ".join, terms))))
        pairs = np.unique(np.stack([np.frombuffer(self._of, np.int32), np.frombuffer(self._columns, np.int32)]), axis=1)
        self._pairs.append((keys[pairs[0]], pairs[1].copy()))
        self._small.append(keys[np.fromiter(self._common, np.int64, len(self._common))])
        self._begin()

    def _keys(self, terms: Sequence[Term]) -> Keys:
        """The key of each row of words, as `key_of` makes it; notes how long the terms are that begin with a word."""
        known, lengths = self._words, np.fromiter(map(len, terms), np.int64, len(terms))
        keys = np.zeros(len(terms), np.uint64)
        for place in range(int(lengths.max())):
            rows = np.flatnonzero(lengths > place)
            words = [terms[row][place] for row in rows.tolist()]
            known.update((word, hashed(word)) for word in set(words) - known.keys())
            here = np.fromiter((known[word] for word in words), np.uint64, len(words))
            keys[rows] = mix(keys[rows], here) if place else here
            if not place:
                for key, length in zip(here.tolist(), lengths.tolist(), strict=True):
                    if self._first.get(key, 0) < length:
                        self._first[key] = length
        return keys

    def graph(self, people: Strings, column_of: Columns) -> Graph:
        """The index of all that came; `column_of` gives the place of each person among `people`."""
        self._end()
        terms, place = _in_order(self._parts)
        pairs = [place(keys) << 32 | column_of[columns] for keys, columns in self._pairs]
        both = np.unique(np.concatenate(pairs)) if pairs else np.zeros(0, np.int64)
        starts = np.searchsorted(both, np.arange(len(terms) + 1, dtype=np.int64) << 32)
        first = np.array(sorted(self._first), np.uint64)
        reach = np.array([self._first[key] for key in first.tolist()], np.uint8)
        common = np.zeros(len(terms), np.bool_)
        for keys in self._small:
            common[place(keys)] = True
        return Graph(terms, starts, (both & 0x7FFFFFFF).astype(np.int32), first, reach, common, people)


def _written(strings: Iterable[str]) -> tuple[Places, npt.NDArray[np.uint32], npt.NDArray[np.uint8]]:
    """Lengths, sums and letters of strings."""
    encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    sums = np.fromiter(map(zlib.crc32, encoded), np.uint32, len(encoded))
    return lengths, sums, np.frombuffer(b"".join(encoded), np.uint8)


def _in_order(parts: Sequence[_SortedStrings]) -> tuple[Strings, Callable[[Keys], Places]]:
    """Each string once, in the order of the keys, and what gives the place of a key.

    StateError: two strings have one key, which happens once in a million indexes of the largest kind.
    """
    if not parts:
        return Strings(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.uint8)), lambda keys: keys.astype(
            np.int64
        )
    keys, lengths, sums = (np.concatenate(rows) for rows in list(zip(*parts, strict=True))[:3])
    order = np.argsort(keys, kind="stable")
    same = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    if (sums[order[same]] != sums[order[same + 1]]).any():
        raise StateError("two terms of the graph have the same key; leave one of its values out")
    fresh = np.delete(order, same + 1)
    unique, ends = keys[fresh], np.cumsum(lengths[fresh])
    letters = np.empty(int(lengths[fresh].sum()), np.uint8)
    before, old = 0, np.cumsum(lengths) - lengths
    for part in parts if len(keys) else ():
        here = np.flatnonzero((fresh >= before) & (fresh < before + len(part.keys)))
        for some in np.array_split(here, max(1, len(here) // _AT_ONCE)):
            size = lengths[fresh[some]]
            within = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
            source = np.repeat(old[fresh[some]] - old[before], size) + within
            letters[np.repeat(ends[some] - size, size) + within] = part.letters[source]
        before += len(part.keys)
    return Strings(unique, ends, letters), lambda wanted: np.searchsorted(unique, wanted)
