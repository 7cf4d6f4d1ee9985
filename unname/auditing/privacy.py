"""From the results of an attack to the figures of an audit: who can still be found, alone, linked, or by inference."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from unname.attacking.attack import (
    CROWD_LEARNED,
    CROWD_SMALLEST,
    FUSED,
    MATCHED,
    AttackResults,
)
from unname.attacking.attackers import Tally
from unname.attacking.fieldvalues import FieldValues
from unname.attacking.learning import STRONGEST, WITHOUT_MODELS, counted
from unname.auditing.report import (
    AttackerFigures,
    Crowds,
    CrowdSizes,
    DocumentRisk,
    Found,
    Inferred,
    Linked,
    Named,
    PerPerson,
    PlausibleCrowds,
    Sides,
    rate_of,
)
from unname.knowledge.population import Population
from unname.reidentifiers.base import UNKNOWN, folded_value
from unname.reidentifiers.terms.bm25 import Bm25
from unname.text import visible
from unname.types import Document, Profile

CROWD_CAP = 1000
_LINKED_DOCUMENTS = 1000


def tally_figures(tally: Tally, clusters: Sequence[str]) -> Found:
    """The figures of one attacker."""
    ahead = [rate_of(row, clusters).rate for row in (tally.top5, tally.top10)]
    return replace(rate_of(tally.top1, clusters), top5=ahead[0], top10=ahead[1])


def any_of(tallies: dict[str, Tally], names: Sequence[str]) -> Tally:
    """The largest credit over these attackers for each document."""
    rows = [(tallies[n].top1, tallies[n].top5, tallies[n].top10) for n in names]
    return Tally(*([max(values) for values in zip(*of_top, strict=True)] for of_top in zip(*rows, strict=True)))


def attacker_names(results: AttackResults, *, used: bool) -> list[str]:
    """Single attackers of one side, without those that combine others."""
    return [name for name, was_used in results.used.items() if was_used == used]


def most_found(after: AttackResults, originals: Sequence[Document]) -> Found:
    """The most that one adversary finds: who combines everything where there is one, else the best attacker."""
    clusters = [str(document.person) for document in originals]
    names = [counted(after.documents)] if STRONGEST in after.documents else list(after.used)
    rates = [tally_figures(after.documents[name], clusters) for name in names]
    # With all documents of a person, and all guesses side by side, as the verdict counts them.
    per_person = [name for name in (*names, MATCHED) if name in after.by_person]
    rates += [tally_figures(after.by_person[name], after.persons) for name in per_person]
    return max(rates, key=lambda figures: figures.rate or 0.0, default=rate_of([], []))


def attack_figures(before: AttackResults, after: AttackResults, clusters: Sequence[str], k: int) -> dict[str, Any]:
    """Every attacker, the any-attackers, and those who combine others, before and after: fields of a `Report`."""

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

    def any_figures(used: bool) -> Sides | None:
        names = attacker_names(after, used=used)
        if not names:
            return None
        was = attacker_names(before, used=used)
        return Sides(
            tally_figures(any_of(before.documents, was), clusters),
            tally_figures(any_of(after.documents, names), clusters),
        )

    def combined(name: str) -> Found | None:
        return tally_figures(after.documents[name], clusters) if name in after.documents else None

    return {
        "attackers": tuple(single(n, u) for n, u in after.used.items()),
        "any_unused": any_figures(False),
        "any_used": any_figures(True),
        "fused": Sides(*both(FUSED)),
        "strongest": combined(STRONGEST),
        "strongest_without_models": combined(WITHOUT_MODELS),
        "matched": tally_figures(after.by_person[MATCHED], after.persons) if MATCHED in after.by_person else None,
        "crowd_sizes": _crowd_sizes(after, clusters, k),
        "plausible_crowds": _plausible(after.plausible, k),
    }


def _crowd_sizes(after: AttackResults, clusters: Sequence[str], k: int) -> CrowdSizes | None:
    if CROWD_LEARNED not in after.documents:
        return None
    readings = {n: tally_figures(after.documents[n], clusters) for n in (CROWD_SMALLEST, CROWD_LEARNED)}
    worst = max(readings.values(), key=lambda reading: float(reading.rate or 0))
    return CrowdSizes(**asdict(worst), bound=round(1 / (k + 1), 6), readings=readings)


def _plausible(plausible: Sequence[int], k: int) -> PlausibleCrowds | None:
    shown = [size for size in plausible if size >= 0]
    if not shown:
        return None
    below, nobody = sum(size < k for size in shown), sum(size == 0 for size in shown)
    return PlausibleCrowds(below, len(shown), float(np.median(shown)), nobody, "exact")


def person_figures(before: AttackResults, after: AttackResults) -> PerPerson:
    """The same rates per person: all released documents of a person attacked together."""

    def side(results: AttackResults, used: bool) -> Found | None:
        names = attacker_names(results, used=used)
        return tally_figures(any_of(results.by_person, names), results.persons) if names else None

    def combined(results: AttackResults, name: str) -> Found | None:
        return tally_figures(results.by_person[name], results.persons) if name in results.by_person else None

    best = max(after.used, key=lambda name: sum(after.by_person[name].top1), default="")
    single = combined(after, best)
    return PerPerson(
        Sides(side(before, False), side(after, False)),
        Sides(side(before, True), side(after, True)),
        Sides(combined(before, FUSED), combined(after, FUSED)),
        combined(after, STRONGEST),
        combined(after, WITHOUT_MODELS),
        Named(best, single) if single else None,
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
    """The rate at which the most similar other document (BM25 among the texts themselves) is by the same person.

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
    right = rate_of(credits, [str(present[i][0].person) for i in asked])
    return Linked(right.rate, right.ci, right.n, right.people, right.known, float(np.mean(chance)))


def inference(
    values: FieldValues,
    population: Population,
    documents: Sequence[Document],
    guesses: Sequence[tuple[int, ...]],
    *,
    truth: Population | None = None,
) -> tuple[Inferred, ...]:
    """For every field how often the value that the strongest adversary holds for likeliest is the person's.

    Beside it the commonest value. Hiding who someone is does not hide what the text says about them; this measures what
    a wrong guess still gets right. `guesses` are numbers of `values`, those of `population`; a person who is not in it has
    the values that `truth` says. Those that gain most come first.
    """
    rows: list[Inferred] = []
    for place, name in enumerate(values.fields):
        codes = values.codes[place]
        number = {
            folded_value(profile, name): int(code) for profile, code in zip(population.profiles, codes, strict=True)
        }
        commonest = int(np.argmax(np.bincount(codes[codes >= 0])))
        credits, base, clusters = [], [], []
        for document, guess in zip(documents, guesses, strict=True):
            said = _value(str(document.person), name, population, truth)
            if said:
                true = number.get(said, -2)
                credits.append(float(guess[place] == true))
                base.append(float(true == commonest))
                clusters.append(str(document.person))
        if credits:
            right = rate_of(credits, clusters)
            rows.append(Inferred(name, right.rate, right.ci, right.n, right.people, right.known, float(np.mean(base))))
    return tuple(sorted(rows, key=lambda row: row.commonest - (row.rate or 0)))


def _value(person: str, field: str, *populations: Population | None) -> str:
    """The folded value of a field in the first population that knows the person."""
    for population in populations:
        if population is not None and person in population.rows:
            return folded_value(population.profiles[population.rows[person]], field)
    return ""


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
