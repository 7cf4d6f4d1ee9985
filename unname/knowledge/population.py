"""The adversary's knowledge: the profiles that every document is compared with."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unname.errors import InputError, SettingsError
from unname.types import Profile


@dataclass(frozen=True, slots=True, repr=False)
class Population:
    """Profiles in a fixed order; `rows` maps a person's id to their place in it. Two with one id are an InputError.

    `everything` are the same people with all their fields, if some were left out of `profiles`: direct
    identifiers are hidden whatever the adversary is assumed to know. `strangers` are (person, relation, value) of
    people of a knowledge graph who have no profile; they count in groups over the graph, and in no crowd. `beside` are
    profiles of further people whom nobody is sought among; documents about them can teach.
    """

    profiles: tuple[Profile, ...]
    everything: tuple[Profile, ...] = ()
    strangers: tuple[tuple[str, str, str], ...] = ()
    beside: tuple[Profile, ...] = ()
    rows: dict[str, int] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if self.everything and [p.id for p in self.everything] != [p.id for p in self.profiles]:
            raise InputError("the profiles with all fields are not those of the same people, in the same order")
        for row, profile in enumerate(self.profiles):
            first = self.rows.setdefault(profile.id, row)
            if first != row:
                raise InputError(f"profiles {first + 1} and {row + 1} have the same id; a person has one profile")

    def __repr__(self) -> str:
        return f"Population({len(self.profiles)} profiles)"

    def __len__(self) -> int:
        return len(self.profiles)

    @property
    def taught_about(self) -> frozenset[str]:
        """Ids of everybody whom documents can teach about."""
        return frozenset(self.rows).union(profile.id for profile in self.beside)

    @property
    def full(self) -> tuple[Profile, ...]:
        """The profiles with all their fields."""
        return self.everything or self.profiles

    @property
    def letters(self) -> int:
        """The number of characters of all values together."""
        return sum(len(value) for profile in self.profiles for value in profile.fields.values())

    def field_names(self) -> list[str]:
        """Every field name, most frequent first."""
        return _names(self.profiles)

    def named_fields(self) -> list[str]:
        """The same of the profiles with all their fields."""
        return _names(self.full)


def _names(profiles: Iterable[Profile]) -> list[str]:
    counts = Counter(name for profile in profiles for name in profile.fields)
    return sorted(counts, key=lambda name: (-counts[name], name))


def make_population(
    profiles: Iterable[Profile],
    *,
    fields: Sequence[str] = (),
    without_fields: Sequence[str] = (),
    strangers: Iterable[tuple[str, str, str]] = (),
) -> Population:
    """A population with only `fields`, or all but `without_fields`; a name that no profile has is an error."""
    population = Population(tuple(profiles), strangers=tuple(strangers))
    known = set(population.field_names())
    missing = [name for name in (*fields, *without_fields) if name not in known]
    if missing:
        raise SettingsError(f"no profile has a field {missing[0]!r}; known: {', '.join(sorted(known))}")
    if not fields and not without_fields:
        return population
    kept = (set(fields) or known) - set(without_fields)
    return Population(
        tuple(Profile(p.id, {k: v for k, v in p.fields.items() if k in kept}) for p in population.profiles),
        population.profiles,
        population.strangers,
    )


def merge_graph(
    profiles: Iterable[Profile], triples: Iterable[tuple[str, str, str]]
) -> tuple[list[Profile], list[tuple[str, str, str]]]:
    """Add (person, relation, value) triples to the profiles' fields; also the triples of people without a profile."""
    relations: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for person, relation, value in triples:
        relations[person][relation].append(value)
    merged = []
    for profile in profiles:
        fields = dict(profile.fields)
        for relation, values in relations.pop(profile.id, {}).items():
            fields[relation] = " | ".join([*([fields[relation]] if relation in fields else []), *values])
        merged.append(Profile(profile.id, fields))
    strangers = [(p, r, v) for p, fields in relations.items() for r, values in fields.items() for v in values]
    return merged, strangers


def require_crowd_possible(population: Population, k: int) -> None:
    """A population of k people or fewer cannot hide anybody among k others."""
    if len(population) <= k:
        raise InputError(f"a crowd of {k} needs more than {k} people; the population has {len(population)}")
