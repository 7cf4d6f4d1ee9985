"""k-anonymity by intersection: which terms must go, so that no combination of those left is true of too few people.

Source: Papadopoulou 2022, Algorithm 2: combinations of one term, of two, of three …; one that somebody has, and fewer than a
group, is a breach, and one of its terms goes. The paper is silent on order and end. Here terms stand in the order of how
few have them, then of their words; combinations of one size come in the order of their terms, and one of which a term is
gone is passed over. The end is exact. Whatever terms a person has, all of them together are true of fewest; so once all
that each person has of the terms left is true of a group, no combination is a breach, and none needs to be tried.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Columns = npt.NDArray[np.int32]
Codes = npt.NDArray[np.uint64]
# Combinations that are looked at in one document before the rest is decided without order.
MOST = 200_000
_WIDTH = 64


class Breach(NamedTuple):
    """A combination of terms, how many people have it, which of it goes, and whether the order was given up (`bounded`)."""

    terms: tuple[int, ...]
    people: int
    gone: int
    bounded: bool = False


Choice = Callable[[tuple[int, ...]], int]


def rarest(terms: tuple[int, ...]) -> int:
    """The term that fewest people have: the greedy strategy."""
    return terms[0]


def breaches(
    having: Sequence[Columns],
    people: int,
    group: int,
    *,
    person: int | None = None,
    choose: Choice = rarest,
    most: int = MOST,
    fixed: frozenset[int] = frozenset(),
) -> list[Breach]:
    """Breaches of some terms in order (see above), as they were met: for each, the terms that must go.

    `having[t]` are the sorted columns, below `people`, of who has term t; none is empty. A group is of at least `group`
    people, the person among them. With `person`, a column, only combinations that are true of that person are breaches.
    `fixed` terms stay readable whatever they tell, so of a combination another goes; for those whom they alone give away
    nothing can be done, and nothing is hidden.
    Beyond `most` combinations, each set of terms that is true of too few loses its rarest until there is none such: what
    is left is as safe, but more may be gone, and the breaches say so.
    """
    search = _Search(having, people, group, person, choose, most, fixed)
    for size in range(1, len(having) + 1):
        if not search.go_through(size):
            break
    return search.found


class _Search:
    """Terms that are left, what was found, and for each term the people who have it (`_Part`), made when first needed."""

    def __init__(
        self, having: Sequence[Columns], people: int, group: int, person: int | None, choose: Choice, most: int,
        fixed: frozenset[int],
    ) -> None:  # fmt: skip
        self.group, self.choose, self.left, self.fixed = group, choose, most, fixed
        self.found: list[Breach] = []
        self.gone: set[int] = set()
        self.having = having
        self.codes = _codes(having, people)
        self.own = None if person is None else self.codes[person]
        self.lost = _lost(self.codes, fixed, group)
        counts = [t for t, row in enumerate(having) if person is None or bool((row == person).any())]
        self.open = [] if person is not None and self.lost[person] else counts
        self.parts: dict[int, _Part] = {}

    def go_through(self, size: int) -> bool:
        """All combinations of one size in order; whether larger ones may still be breaches."""
        for first in tuple(self.open):
            if first in self.gone:
                self.open.remove(first)
                continue
            part = self.parts.get(first) or self._part(first)
            risky, largest = part.risky(self.gone, self.group)
            if not risky:
                self.open.remove(first)
                self.parts.pop(first, None)
                continue
            if size <= largest:
                self._extend(part, size, (first,), part.everybody, risky)
        if self.left <= 0:
            self._without_order()
        return bool(self.open) and self.left > 0

    def _part(self, first: int) -> "_Part":
        row = self.having[first]
        self.parts[first] = _Part(first, len(self.having), self.codes[row], self.lost[row], self.group, self.own)
        return self.parts[first]

    def _extend(self, part: "_Part", size: int, terms: tuple[int, ...], held: int, risky: int) -> None:
        """Try all combinations of one size that begin with some terms; returns early when one of these is gone."""
        self.left -= 1
        if len(terms) == size:
            people = held.bit_count()
            free = tuple(term for term in terms if term not in self.fixed)
            if 0 < people < self.group and free:
                gone = self.choose(free)
                self.found.append(Breach(terms, people, gone))
                self.gone.add(gone)
            return
        for term in range(terms[-1] + 1, len(self.having)):
            if self.left <= 0 or not self.gone.isdisjoint(terms):
                return
            if term in self.gone:
                continue
            risk = risky & part.has[term]
            if risk:
                self._extend(part, size, (*terms, term), held & part.has[term], risk)

    def _without_order(self) -> None:
        """The rarest term of every full set that is true of too few goes, until there is none."""
        for first in self.open:
            if first in self.gone:
                continue
            part = self.parts.get(first) or self._part(first)
            while first not in self.gone and (worst := part.smallest(self.gone, self.group)) is not None:
                gone = next(term for term in worst[0] if term not in self.fixed)
                self.found.append(Breach(*worst, gone, bounded=True))
                self.gone.add(gone)
        self.open = []


class _Part:
    """The people who have one term, and their other terms after it, as bits over people.

    Of people with the same terms a group counts at most: that is enough, and what is fewer stays exact. `own` is what the
    person has who alone counts.
    """

    def __init__(
        self, first: int, terms: int, codes: Codes, lost: npt.NDArray[np.bool_], group: int, own: Codes | None
    ) -> None:
        kinds, counts = _distinct(np.column_stack([_from(codes, first), lost.astype(np.uint64)]))
        kinds, found = np.ascontiguousarray(kinds[:, :-1]), kinds[:, -1].astype(np.bool_)
        flags = np.unpackbits(kinds.view(np.uint8), axis=1, bitorder="little")[:, :terms].astype(np.bool_)
        counts = np.minimum(counts, group)
        ends = np.cumsum(counts)
        held = np.packbits(np.repeat(flags, counts, axis=0), axis=0, bitorder="little").T
        self.has = [int.from_bytes(row.tobytes(), "little") for row in held]
        self.everybody = (1 << int(ends[-1])) - 1
        rare = ~found & (counts < group if own is None else (kinds == _from(own[None, :], first)).all(axis=1))
        # By kind of person who may be one of too few: their bits, and their terms.
        self.rare = [
            (((1 << int(counts[kind])) - 1) << int(ends[kind] - counts[kind]), np.flatnonzero(flags[kind]).tolist())
            for kind in np.flatnonzero(rare).tolist()
        ]

    def risky(self, gone: set[int], group: int) -> tuple[int, int]:
        """People who are one of too few by all that is left of their terms, as bits, and the most terms of any."""
        still, together, largest = [], 0, 0
        for bits, terms in self.rare:
            left = [term for term in terms if term not in gone]
            if self._people(left) < group:
                still.append((bits, left))
                together |= bits
                largest = max(largest, len(left))
        self.rare = still
        return together, largest

    def smallest(self, gone: set[int], group: int) -> tuple[tuple[int, ...], int] | None:
        """A full set of terms that is true of too few, and of how many; None where there is none."""
        self.risky(gone, group)
        return (tuple(self.rare[0][1]), self._people(self.rare[0][1])) if self.rare else None

    def _people(self, terms: Sequence[int]) -> int:
        held = self.everybody
        for term in terms:
            held &= self.has[term]
        return held.bit_count()


def _codes(having: Sequence[Columns], people: int) -> Codes:
    """For everybody, which terms they have: (people, blocks of 64 terms)."""
    codes = np.zeros((people, -(-len(having) // _WIDTH)), np.uint64)
    for term, row in enumerate(having):
        codes[row, term // _WIDTH] |= np.uint64(1 << term % _WIDTH)
    return codes


def _lost(codes: Codes, fixed: frozenset[int], group: int) -> npt.NDArray[np.bool_]:
    """People whom the terms that stay readable give away already: (people,)."""
    if not fixed:
        return np.zeros(len(codes), np.bool_)
    staying = np.zeros(codes.shape[1], np.uint64)
    for term in fixed:
        staying[term // _WIDTH] |= np.uint64(1 << term % _WIDTH)
    kinds, places = np.unique(codes & staying, axis=0, return_inverse=True)
    few = [kind.any() and int(((codes & kind) == kind).all(axis=1).sum()) < group for kind in kinds]
    lost: npt.NDArray[np.bool_] = np.array(few, np.bool_)[places.reshape(-1)]
    return lost


def _from(codes: Codes, first: int) -> Codes:
    """Codes without the terms before one."""
    kept = np.full(codes.shape[1], ~np.uint64(0))
    kept[: first // _WIDTH] = 0
    kept[first // _WIDTH] <<= np.uint64(first % _WIDTH)
    return codes & kept


def _distinct(codes: Codes) -> tuple[Codes, npt.NDArray[np.int64]]:
    """Different rows, and how often each occurs."""
    numbers = np.zeros(len(codes), np.int64)
    for column in codes.T:
        _, here = np.unique(column, return_inverse=True)
        _, numbers = np.unique(numbers * (int(here.max()) + 1) + here, return_inverse=True)
    _, places, counts = np.unique(numbers, return_index=True, return_counts=True)
    return np.ascontiguousarray(codes[places]), counts
