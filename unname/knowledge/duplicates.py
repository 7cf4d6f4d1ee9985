"""One person several times in a people table: twelve admissions of one human are no crowd.

Two profiles are taken for the same person where their direct fields agree: a number or contact of their own, or a name
with a birth date, and nothing speaks against it; where the name and everything else that tells people apart are equal,
whatever number each row has; or, in a table without any such field whose ids count records rather than people, where all
fields are equal. Equal rows of different people are a crowd, and stay.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, combinations, pairwise

from unname.dates import days_of
from unname.knowledge.fieldnames import Kind, field_kind, of_kin
from unname.knowledge.novalues import says_nothing
from unname.text import folded_runs, folded_words, without_accents
from unname.types import Profile

# The least likeness of two names: letters that agree, of all.
ALIKE = 0.85
# Profiles with one value that are compared with each other; more share it by chance or by default ("unknown").
MOST_ALIKE = 60
_FEWEST_DIGITS = 5
# Of people of other names so many at most have what says that two rows are one person; from so many different values on,
# of all, a field counts rows.
_SHARED, _DISTINCT = 0.05, 0.95
# Characters of a value that are compared.
_READ = 2000
_RECORD_IDS = re.compile(
    r"^(adm|admission|visit|enc|encounter|rec|record|row|case|episode|epi|stay|event|note|doc|fall|zeile|aufenthalt|"
    r"datensatz|ingreso|episodio|registro|visita|sejour|dossier|ligne|ricovero|riga|internamento|opname)[\W_]*\d",
    re.IGNORECASE,
)
_RECORD_COLUMN = re.compile(
    r"(?:^|[\W_])(adm|admission|visit|enc|encounter|rec|record|row|case|episode|episodio|stay|event|fall|zeile|aufenthalt|"
    r"ingreso|registro|sejour|ricovero)(?:$|[\W_]|id|no|nr)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, repr=False)
class _ComparedProfile:
    """The compared parts of a profile: a row of name words, and the values of its other direct fields by field."""

    name: tuple[str, ...]
    others: Mapping[str, frozenset[str]]


def same_people(
    profiles: Sequence[Profile], direct: Mapping[str, Kind], *, id_column: str = "id"
) -> list[tuple[int, ...]]:
    """Places of profiles that are about the same person: groups of two or more, in order of their first.

    `direct` are the direct fields and the kind of each, `id_column` is the name of the column of ids.
    """
    counting = _RECORD_COLUMN.search(id_column) is not None
    if not counting:
        recorded = sum(_RECORD_IDS.match(profile.id) is not None for profile in profiles)
        counting = recorded > len(profiles) / 2
    if direct:
        return _grouped(len(profiles), _pairs(profiles, direct, counting=counting))
    rows: dict[tuple[tuple[str, str], ...], list[int]] = defaultdict(list)
    for place, profile in enumerate(profiles if counting else ()):
        folded = ((name, " ".join(map(without_accents, folded_words(value)))) for name, value in profile.fields.items())
        rows[tuple(sorted(folded))].append(place)
    return [tuple(row) for row in rows.values() if len(row) > 1]


def merged(profiles: Sequence[Profile], groups: Iterable[Sequence[int]]) -> tuple[list[Profile], dict[str, str]]:
    """Profiles with each group made one, under its first id, all different values kept; and the new id by old one."""
    gone: dict[int, int] = {}
    made = dict(enumerate(profiles))
    renamed: dict[str, str] = {}
    for first, *rest in groups:
        fields: dict[str, list[str]] = {}
        for place in (first, *rest):
            for name, value in profiles[place].fields.items():
                row = fields.setdefault(name, [])
                row += [part for part in value.split(" | ") if part not in row]
        made[first] = Profile(profiles[first].id, {name: " | ".join(row) for name, row in fields.items()})
        gone |= dict.fromkeys(rest, first)
        renamed |= {profiles[place].id: profiles[first].id for place in rest}
    return [profile for place, profile in made.items() if place not in gone], renamed


@dataclass(frozen=True, slots=True, repr=False)
class _Rest:
    """The rest of all profiles, beside names, numbers and row counters; `held` counts the names that have each of these."""

    rows: Sequence[int]
    held: Mapping[int, int]
    names: int

    @classmethod
    def of(cls, profiles: Sequence[Profile], direct: Mapping[str, Kind], names: Sequence[tuple[str, ...]]) -> "_Rest":
        fields = sorted({name for profile in profiles for name in profile.fields})
        telling = [field for field in fields if direct.get(field) not in ("name", "number")]
        telling = [field for field in telling if field in direct or not _counts_rows(profiles, field)]
        rows = [_hashed(profile, telling) for profile in profiles]
        held: dict[int, set[tuple[str, ...]]] = defaultdict(set)
        for row, name in zip(rows, names, strict=True):
            held[row].add(name)
        return cls(rows, {row: len(of) for row, of in held.items()}, len(set(names)))

    def agree(self, a: int, b: int) -> bool:
        """Check whether two rows agree on what hardly anybody of another name has as well: more than a sex or a ward."""
        row = self.rows[a]
        return row != 0 and row == self.rows[b] and self.held[row] - 1 <= _SHARED * self.names


def _hashed(profile: Profile, fields: Sequence[str]) -> int:
    """A hash of some fields of a profile, whose values may be long texts; 0 if they are empty."""
    values = [() if says_nothing(value) else tuple(value.casefold().split())
            for value in (profile.fields.get(name, "")[:_READ] for name in fields)]  # fmt: skip
    return (hash(tuple(values)) or 1) if any(values) else 0


def _counts_rows(profiles: Sequence[Profile], field: str) -> bool:
    """Check whether a field numbers rows: hardly two rows have the same value, which is a number or holds one."""
    if _RECORD_COLUMN.search(field):
        return True
    values = [value for profile in profiles if (value := profile.fields.get(field))]
    figured = sum(any(c.isdigit() for c in value) for value in values)
    return 2 * figured > len(values) and len(set(values)) > _DISTINCT * len(values)


def _pairs(profiles: Sequence[Profile], direct: Mapping[str, Kind], *, counting: bool) -> Iterator[tuple[int, int]]:
    # A field that names somebody else, such as a spouse, does not identify the person.
    own = {field: kind for field, kind in direct.items() if not of_kin(field)}
    called = any(field_kind(field) == "name" for field in own)
    own = {f: kind for f, kind in own.items() if kind != "name" or not called or field_kind(f) == "name"}
    read = [_read(profile, own) for profile in profiles]
    rest = _Rest.of(profiles, direct, [one.name for one in read])
    blocks: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, one in enumerate(read):
        for field, values in one.others.items():
            for value in values:
                blocks[field, value].append(place)
        if one.name:
            blocks["", " ".join(one.name)].append(place)
    for block in blocks.values():
        several = combinations(block, 2) if len(block) <= MOST_ALIKE else chain(
            pairwise(block), ((block[0], place) for place in block[1:])
        )  # fmt: skip
        for a, b in several:
            same_rest = counting or profiles[a].fields == profiles[b].fields or rest.agree(a, b)
            if _same(read[a], read[b], direct, named_is_enough=same_rest):
                yield a, b


def _read(profile: Profile, direct: Mapping[str, Kind]) -> _ComparedProfile:
    name: list[str] = []
    others: dict[str, frozenset[str]] = {}
    for field, kind in direct.items():
        value = profile.fields.get(field, "")
        if says_nothing(value):
            continue
        if kind == "name":
            name += [without_accents(word) for word in folded_runs(value) if word.isalpha()]
        elif days := days_of(value, dated=kind == "date"):
            others[field] = frozenset(f"{day.year}-{day.month}-{day.day}" for day in days)
        else:
            figures = "".join(c for c in value if c.isdigit())
            letters = "".join(folded_runs(value))
            sure = len(figures) >= _FEWEST_DIGITS and not any(c.isalpha() for c in value)
            others[field] = frozenset([figures if sure else letters])
    return _ComparedProfile(tuple(sorted(name)), others)


def _same(a: _ComparedProfile, b: _ComparedProfile, direct: Mapping[str, Kind], *, named_is_enough: bool) -> bool:
    """Check whether two profiles are about one person: names are alike and the rest agrees, or does not contradict.

    Names alone are shared by many; they are enough where ids count records, or all other fields are equal as well.
    """
    if a.name and b.name and not _alike(a.name, b.name):
        return False
    named = bool(a.name and b.name)
    agree: set[Kind] = set()
    differ: set[Kind] = set()
    for field in a.others.keys() & b.others.keys():
        (differ if a.others[field].isdisjoint(b.others[field]) else agree).add(direct[field])
    if "date" in differ:
        return False
    if named and "date" in agree:
        return True  # a number may count visits
    if "number" in agree or ("number" not in differ and named and agree):
        return True
    return named_is_enough and a.name == b.name and len(a.name) > 1


def _alike(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    if set(a) <= set(b) or set(b) <= set(a):
        return True
    return SequenceMatcher(None, " ".join(a), " ".join(b), autojunk=False).ratio() >= ALIKE


def _grouped(count: int, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Places that pairs hold together, directly or by others."""
    above = list(range(count))

    def top(place: int) -> int:
        while above[place] != place:
            above[place] = above[above[place]]
            place = above[place]
        return place

    for a, b in pairs:
        first, last = sorted((top(a), top(b)))
        above[last] = first
    groups: dict[int, list[int]] = defaultdict(list)
    for place in range(count):
        groups[top(place)].append(place)
    return [tuple(row) for row in groups.values() if len(row) > 1]
