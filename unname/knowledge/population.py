"""What an adversary may know: the profiles that every document is held against."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unname.errors import InputError, SettingsError
from unname.types import Profile

# Field names that by themselves say the value names a person or reaches them.
_DIRECT_NAMES = re.compile(
    r"(^|[\s_.-])(sur|first|last|full|given|family|middle|maiden|nick|birth)?[\s_.-]?names?$|^id$|"
    r"e[\s_.-]?mail|phone|mobile|fax|passport|social[\s_.-]?security|\bssn\b|"
    r"(record|patient|insurance|national|account|licen[cs]e)[\s_.-]?(number|no|id)$",
    re.IGNORECASE,
)
# Such a name when it belongs to something or somebody else: "school name", "next of kin name".
_FOREIGN_NAMES = re.compile(
    r"school|company|employer|firm|place|street|village|city|town|ship|team|kin|spouse|relative|"
    r"mother|father|child|physician|doctor|user[\s_.-]?agent|birth[\s_.-]?place",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, repr=False)
class Population:
    """Profiles in a fixed order; `rows` maps a person's id to their place in it. Two with one id are an InputError."""

    profiles: tuple[Profile, ...]
    rows: dict[str, int] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for row, profile in enumerate(self.profiles):
            first = self.rows.setdefault(profile.id, row)
            if first != row:
                raise InputError(f"profiles {first + 1} and {row + 1} have the same id; a person has one profile")

    def __repr__(self) -> str:
        return f"Population({len(self.profiles)} profiles)"

    def __len__(self) -> int:
        return len(self.profiles)

    def field_names(self) -> list[str]:
        """Every field name, most frequent first."""
        counts: dict[str, int] = defaultdict(int)
        for profile in self.profiles:
            for name in profile.fields:
                counts[name] += 1
        return sorted(counts, key=lambda name: (-counts[name], name))


def make_population(
    profiles: Iterable[Profile], *, fields: Sequence[str] = (), without_fields: Sequence[str] = ()
) -> Population:
    """A population with only `fields`, or all but `without_fields`; a name that no profile has is an error."""
    population = Population(tuple(profiles))
    known = set(population.field_names())
    missing = [name for name in (*fields, *without_fields) if name not in known]
    if missing:
        raise SettingsError(f"no profile has a field {missing[0]!r}; known: {', '.join(sorted(known))}")
    if not fields and not without_fields:
        return population
    kept = (set(fields) or known) - set(without_fields)
    return Population(
        tuple(Profile(p.id, {k: v for k, v in p.fields.items() if k in kept}) for p in population.profiles)
    )


def merge_graph(profiles: Iterable[Profile], triples: Iterable[tuple[str, str, str]]) -> tuple[list[Profile], int]:
    """Add (person, relation, value) triples to the profiles' fields; also how many graph persons have no profile."""
    relations: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for person, relation, value in triples:
        relations[person][relation].append(value)
    merged = []
    for profile in profiles:
        fields = dict(profile.fields)
        for relation, values in relations.pop(profile.id, {}).items():
            fields[relation] = " | ".join([*([fields[relation]] if relation in fields else []), *values])
        merged.append(Profile(profile.id, fields))
    return merged, len(relations)


def require_crowd_possible(population: Population, k: int) -> None:
    """A population of k people or fewer cannot hide anybody among k others."""
    if len(population) <= k:
        raise InputError(f"a crowd of {k} needs more than {k} people; the population has {len(population)}")


def direct_fields(population: Population, asked: Sequence[str]) -> tuple[str, ...]:
    """The fields that directly identify: those asked for, by their names for `auto`, nothing for `none`."""
    if tuple(asked) == ("none",):
        return ()
    known = population.field_names()
    if tuple(asked) == ("auto",):
        return tuple(n for n in known if _DIRECT_NAMES.search(n) and not _FOREIGN_NAMES.search(n))
    missing = [name for name in asked if name not in known]
    if missing:
        raise SettingsError(f"no profile has a field {missing[0]!r} to call direct; known: {', '.join(sorted(known))}")
    return tuple(asked)
