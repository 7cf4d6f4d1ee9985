"""All that a text says and that can be said more generally: dates, ages, places, numbers, and what a user listed."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace

from unname.knowledge.general.hierarchies import NONE, Hierarchies
from unname.knowledge.general.numbers import ages_in, numbers_in, range_of
from unname.knowledge.general.places import place_of, places_in
from unname.knowledge.general.times import days_of, time_of, times_in
from unname.knowledge.general.value import Level, Value

__all__ = ["Level", "Value", "key_of", "values_in"]


def values_in(text: str, *, language: str = "en", hierarchies: Hierarchies = NONE) -> list[Value]:
    """The stretches of a text that can be said more generally, in order and disjoint.

    A user's hierarchies win over all else, dates over ages, ages over places and places over other numbers; among values
    of a kind that overlap, the longest wins.
    """
    kept = list[Value]()
    kinds = (hierarchies.values_in(text), times_in(text, language), ages_in(text), places_in(text, language))
    for values in kinds:
        _add(kept, values)
    _add(kept, _without_days(text, numbers_in(text)))
    return [_in_groups(value, hierarchies) for value in kept] if hierarchies.levels else kept


def key_of(text: str, *, hierarchies: Hierarchies = NONE, language: str = "en") -> str:
    """The key of a general value that was written as `values_in` says it in a language; empty of any other text."""
    said = text.strip()
    return hierarchies.key_of(said) or time_of(said) or range_of(said) or place_of(said, language)


def _add(kept: list[Value], values: Iterable[Value]) -> None:
    """Add values where none is yet, the longest first."""
    for value in sorted(values, key=lambda each: (each.start - each.end, each.start)):
        place = bisect_left(kept, value.start, key=lambda each: each.end - 1)
        if place == len(kept) or kept[place].start >= value.end:
            kept.insert(place, value)


def _without_days(text: str, numbers: Iterator[Value]) -> Iterator[Value]:
    """Numbers that are no part of a day, with a year or without."""
    row = list(numbers)
    days = [(start, end) for start, end, _ in days_of(text)] if row else []
    yield from (each for each in row if not any(start < each.end and each.start < end for start, end in days))


def _in_groups(value: Value, hierarchies: Hierarchies) -> Value:
    """A value with the keys of the user's groups for levels that are said as one of them."""
    levels = tuple(Level(each.text, hierarchies.key_of(each.text) or each.key) for each in value.levels)
    return replace(value, levels=levels)
