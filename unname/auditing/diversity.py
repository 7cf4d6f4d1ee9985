"""Diversity of secrets in a crowd: where all its members share a value, hiding among them hides nothing about it."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from unname.attacking.attackers import Attacker
from unname.errors import SettingsError
from unname.knowledge.population import Population
from unname.reidentifiers.base import IntArray
from unname.statistics import numbered
from unname.types import Document, Profile

DISTINCT_EDGES = (1, 2, 3, 5, 10)
_BLOCK = 64


def require_fields(fields: Sequence[str], profiles: Sequence[Profile]) -> None:
    """Refuse a field that no profile has: a SettingsError."""
    known = sorted({name for profile in profiles for name in profile.fields})
    unknown = [name for name in fields if name not in known]
    if unknown:
        raise SettingsError(f"no profile has a field {unknown[0]!r}; known: {', '.join(known)}")


def crowd_members(
    members: Sequence[Attacker],
    population: Population,
    originals: Sequence[Document],
    texts: Sequence[str | None],
) -> Iterator[tuple[int, list[npt.NDArray[np.bool_]]]]:
    """(place, who scores at least as high as the person under each member, the person included) of released documents."""
    shown = [(i, t) for i, t in enumerate(texts) if t is not None and originals[i].person in population.rows]
    for start in range(0, len(shown), _BLOCK):
        block = shown[start : start + _BLOCK]
        persons = [str(originals[i].person) for i, _ in block]
        scores = [member.scores_of([t for _, t in block], persons) for member in members]
        for place, (i, _) in enumerate(block):
            column = population.rows[str(originals[i].person)]
            yield i, [rows[place] >= rows[place, column] for rows in scores]


def diversity(
    members: Sequence[Attacker],
    population: Population,
    originals: Sequence[Document],
    texts: Sequence[str | None],
    fields: Sequence[str],
) -> list[dict[str, Any]]:
    """For each field, how many different values a released document's crowd (with the person) holds.

    Of the members' crowds the smallest counts; of equally small ones the one with fewer values. Values are compared as
    they are written, of the profiles with all their fields: what is sensitive is often not what the attackers know. Who
    has none has the value "not stated". `chance` is the share of documents that would hold
    one value if their crowds were the person and others drawn at random. A field nobody has is a SettingsError.
    """
    require_fields(fields, population.full)
    if not members or not fields:
        return []
    values = {name: numbered([profile.fields.get(name) for profile in population.full]) for name in fields}
    rows_of: dict[str, list[tuple[int, float, float]]] = {name: [] for name in fields}
    for i, crowds in crowd_members(members, population, originals, texts):
        column = population.rows[str(originals[i].person)]
        sizes = [int(np.count_nonzero(crowd)) for crowd in crowds]
        smallest = [crowd for crowd, size in zip(crowds, sizes, strict=True) if size == min(sizes)]
        for name, codes in values.items():
            best = min((_spread(codes[crowd]) for crowd in smallest), key=lambda spread: (spread[0], -spread[1]))
            rows_of[name].append((*best, _chance_of_one(codes, column, min(sizes))))
    return [_figures(name, values[name], rows) for name, rows in rows_of.items()]


def _spread(codes: IntArray) -> tuple[int, float]:
    """The number of different values, and the share of the commonest."""
    counts = np.bincount(codes)
    return int(np.count_nonzero(counts)), float(counts.max() / len(codes))


def _chance_of_one(codes: IntArray, column: int, size: int) -> float:
    """Chance that `size` − 1 others, drawn from all, share the value of the person in this column."""
    same, others, drawn = int(np.count_nonzero(codes == codes[column])) - 1, len(codes) - 1, size - 1
    if drawn > same:
        return 0.0
    ways = [gammaln(n + 1) - gammaln(n - drawn + 1) for n in (same, others)]
    return float(np.exp(ways[0] - ways[1]))


def _figures(name: str, codes: IntArray, rows: Sequence[tuple[int, float, float]]) -> dict[str, Any]:
    distinct = np.array([row[0] for row in rows], np.int64)
    ones = int(np.count_nonzero(distinct == 1))
    places = np.searchsorted(DISTINCT_EDGES, distinct, side="right") - 1
    return {
        "field": name,
        "documents": len(rows),
        "one_value": {"count": ones, "share": ones / len(rows) if rows else None},
        "distinct_median": float(np.median(distinct)) if rows else None,
        "distinct": {
            "edges": list(DISTINCT_EDGES),
            "counts": np.bincount(places, minlength=len(DISTINCT_EDGES)).tolist(),
        },
        "largest_share_mean": float(np.mean([row[1] for row in rows])) if rows else None,
        "population_distinct": int(codes.max()) + 1,
        "chance": float(np.mean([row[2] for row in rows])) if rows else None,
        "known": "exact",
    }
