"""From the results of an attack to the figures of an audit: who can still be found, alone, linked, or by inference."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from unname.auditing.attack import (
    AWARE_LEARNED,
    AWARE_SMALLEST,
    FUSED,
    FUSED_UNUSED,
    AttackResults,
)
from unname.auditing.attackers import UNKNOWN, Tally
from unname.auditing.report import (
    AttackerFigures,
    Aware,
    Crowds,
    DocumentRisk,
    Found,
    Inferred,
    Linked,
    PerPerson,
    Sides,
    found,
)
from unname.knowledge.population import Population
from unname.reidentifiers.bm25 import Bm25
from unname.text import visible
from unname.types import Document, Profile

CROWD_CAP = 1000
_LINKED_DOCUMENTS = 1000
_FIELD_VALUES = 50


def tally_figures(tally: Tally, clusters: Sequence[str]) -> Found:
    """The figures of one attacker."""
    ahead = [found(row, clusters).rate for row in (tally.top5, tally.top10)]
    return replace(found(tally.top1, clusters), top5=ahead[0], top10=ahead[1])


def any_of(tallies: dict[str, Tally], names: Sequence[str]) -> Tally:
    """For each document the largest credit over these attackers."""
    rows = [(tallies[n].top1, tallies[n].top5, tallies[n].top10) for n in names]
    return Tally(*([max(values) for values in zip(*of_top, strict=True)] for of_top in zip(*rows, strict=True)))


def attacker_names(results: AttackResults, *, used: bool) -> list[str]:
    """Single attackers of one side, fused and aware ones left out."""
    return [name for name, was_used in results.used.items() if was_used == used]


def attack_figures(before: AttackResults, after: AttackResults, clusters: Sequence[str], k: int) -> dict[str, Any]:
    """Every attacker, the any-attackers, the aware and the fused one, before and after: fields of a `Report`."""

    def both(name: str) -> tuple[Found | None, Found]:
        original = name if name in before.documents else name.replace("@release", "@originals")
        there = original in before.documents
        return (
            tally_figures(before.documents[original], clusters) if there else None,
            tally_figures(after.documents[name], clusters),
        )

    def single(name: str, used: bool) -> AttackerFigures:
        about = after.about.get(name, UNKNOWN)
        return AttackerFigures(name, used, *both(name), about.title, about.sentence, about.family)

    def any_figures(used: bool, also: Sequence[str] = ()) -> Sides | None:
        names = attacker_names(after, used=used) + [n for n in also if n in after.documents]
        if not names:
            return None
        was = attacker_names(before, used=used)
        return Sides(
            tally_figures(any_of(before.documents, was), clusters),
            tally_figures(any_of(after.documents, names), clusters),
        )

    return {
        "attackers": tuple(single(n, u) for n, u in after.used.items()),
        "any_unused": any_figures(False),
        "any_used": any_figures(True),
        "any_unused_or_aware": any_figures(False, (AWARE_SMALLEST, AWARE_LEARNED)),
        "fused": Sides(*both(FUSED)),
        "fused_unused": Sides(*both(FUSED_UNUSED)) if FUSED_UNUSED in after.documents else None,
        "aware": _aware_figures(after, clusters, k),
    }


def _aware_figures(after: AttackResults, clusters: Sequence[str], k: int) -> Aware | None:
    if AWARE_LEARNED not in after.documents:
        return None
    readings = {n: tally_figures(after.documents[n], clusters) for n in (AWARE_SMALLEST, AWARE_LEARNED)}
    worst = max(readings.values(), key=lambda reading: float(reading.rate or 0))
    return Aware(**asdict(worst), bound=round(1 / (k + 1), 6), readings=readings)


def person_figures(before: AttackResults, after: AttackResults) -> PerPerson:
    """The same rates per person: all released documents of a person attacked together."""

    def side(results: AttackResults, used: bool) -> Found | None:
        names = attacker_names(results, used=used)
        return tally_figures(any_of(results.by_person, names), results.persons) if names else None

    def fused(results: AttackResults) -> Found:
        return tally_figures(results.by_person[FUSED], results.persons)

    return PerPerson(
        Sides(side(before, False), side(after, False)),
        Sides(side(before, True), side(after, True)),
        Sides(fused(before), fused(after)),
    )


def smallest_crowds(results: AttackResults) -> list[int]:
    """Smallest crowd over the used reidentifiers, one for each released document; none where none served."""
    if not results.crowds:
        return []
    shown = [guess >= 0 for guess in results.documents[next(iter(results.crowds))].guess]
    return [min(row) for row, there in zip(zip(*results.crowds.values(), strict=True), shown, strict=True) if there]


def histogram_of(smallest: Sequence[int], k: int, people: int) -> Crowds | None:
    """Counts of documents by their smallest crowd, in steps that double; None where there is none.

    `people` is the size of the population that the crowds were counted over.
    """
    if not smallest:
        return None
    edges = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, CROWD_CAP]
    if k not in edges:
        edges = sorted({*edges, k})
    counts = Counter(int(np.searchsorted(edges, value, side="right")) - 1 for value in smallest)
    return Crowds(
        tuple(edges), tuple(counts.get(i, 0) for i in range(len(edges))), sum(value < k for value in smallest),
        float(np.median([min(value, people - 1) for value in smallest])), people, "exact",
    )  # fmt: skip


def linkability(documents: Sequence[Document], texts: Sequence[str | None]) -> Linked | None:
    """How often the most similar other document (BM25 among the texts themselves) is by the same person.

    Asked of documents whose person has another one here; None where there are none. `chance` is what a guess gets.
    """
    present = [(d, t) for d, t in zip(documents, texts, strict=True) if t is not None]
    counts = Counter(d.person for d, _ in present)
    asked = [i for i, (d, _) in enumerate(present) if counts[d.person] > 1][:_LINKED_DOCUMENTS]
    if not asked:
        return None
    profiles = [Profile(str(i), {"text": visible(t)}) for i, (_, t) in enumerate(present)]
    index = Bm25().fit(profiles).index(profiles)
    credits, chance = [], []
    for i in asked:
        scores = index.scores(present[i][1])
        scores[i] = -1
        best = np.flatnonzero(scores == scores.max())
        same = sum(present[j][0].person == present[i][0].person for j in best)
        credits.append(same / len(best))
        chance.append((counts[present[i][0].person] - 1) / (len(present) - 1))
    right = found(credits, [str(present[i][0].person) for i in asked])
    return Linked(right.rate, right.ci, right.n, right.people, right.known, float(np.mean(chance)))


def inference(
    population: Population, documents: Sequence[Document], tally: Tally, *, truth: Population | None = None
) -> tuple[Inferred, ...]:
    """For fields with few values: how often the attacker's first guess has the person's value, beside the commonest one.

    Hiding who someone is does not hide what the text says about them; this measures what a wrong guess still gets right.
    The guess is one of `population`; a person who is not in it has the values that `truth` says.
    """
    rows: list[Inferred] = []
    for name in population.field_names():
        values = [profile.fields.get(name) for profile in population.profiles]
        counts = Counter(value for value in values if value is not None)
        if not 2 <= len(counts) <= _FIELD_VALUES or sum(counts.values()) < len(values) / 2:
            continue
        credits, clusters, commonest = [], [], counts.most_common(1)[0][0]
        base = []
        for document, guess in zip(documents, tally.guess, strict=True):
            true = _value(str(document.person), name, population, truth)
            if true is not None:
                credits.append(float(guess >= 0 and values[guess] == true))
                base.append(float(true == commonest))
                clusters.append(str(document.person))
        if credits:
            right = found(credits, clusters)
            rows.append(Inferred(name, right.rate, right.ci, right.n, right.people, right.known, float(np.mean(base))))
    return tuple(sorted(rows, key=lambda row: row.commonest - (row.rate or 0))[:8])


def _value(person: str, field: str, *populations: Population | None) -> str | None:
    """What the first population that knows the person says."""
    for population in populations:
        if population is not None and person in population.rows:
            return population.profiles[population.rows[person]].fields.get(field)
    return None


def document_risks(documents: Sequence[Document], after: AttackResults) -> tuple[DocumentRisk, ...]:
    """For the private folder: each document's crowds and the attackers that find its person."""
    finders: dict[str, list[str]] = defaultdict(list)
    for name, tally in after.documents.items():
        for document, got in zip(documents, tally.top1, strict=True):
            if got == 1.0:
                finders[document.id].append(name)
    return tuple(
        DocumentRisk(id=d.id, crowds={m: row[i] for m, row in after.crowds.items()}, found_by=tuple(finders[d.id]))
        for i, d in enumerate(documents)
    )
