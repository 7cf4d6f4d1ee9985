"""From examinations to the figures of an audit: who can still be found, alone, linked, or by inference."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from unname.auditing.attack import (
    AWARE_LEARNED,
    AWARE_SMALLEST,
    FUSED,
    FUSED_UNUSED,
    Examination,
)
from unname.auditing.attackers import Tally
from unname.auditing.statistics import rate
from unname.knowledge.population import Population
from unname.reidentifiers.bm25 import Bm25
from unname.text import visible
from unname.types import Document, Profile

CROWD_CAP = 1000
_LINKED_DOCUMENTS = 1000
_FIELD_VALUES = 50


def tally_figures(tally: Tally, clusters: Sequence[str]) -> dict[str, Any]:
    """`{"rate", "ci", "n", …, "top5", "top10"}` of one attacker."""
    figures = rate(tally.top1, clusters).as_dict()
    figures["top5"] = rate(tally.top5, clusters).as_dict()["rate"]
    figures["top10"] = rate(tally.top10, clusters).as_dict()["rate"]
    return figures


def any_of(tallies: dict[str, Tally], names: Sequence[str]) -> Tally:
    """For each document the largest credit over these attackers."""
    if not names:
        return Tally()
    found = Tally()
    found.top1 = [max(values) for values in zip(*(tallies[n].top1 for n in names), strict=True)]
    found.top5 = [max(values) for values in zip(*(tallies[n].top5 for n in names), strict=True)]
    found.top10 = [max(values) for values in zip(*(tallies[n].top10 for n in names), strict=True)]
    return found


def attacker_names(examination: Examination, *, used: bool) -> list[str]:
    """Single attackers of one side, fused and aware ones left out."""
    return [name for name, was_used in examination.used.items() if was_used == used]


def attack_figures(before: Examination, after: Examination, clusters: Sequence[str], k: int) -> dict[str, Any]:
    """Every attacker, the any-attackers, the aware and the fused one, before and after."""

    def both(name: str) -> dict[str, Any]:
        original = name if name in before.documents else name.replace("@release", "@originals")
        figures = {"after": tally_figures(after.documents[name], clusters)}
        if original in before.documents:
            figures["before"] = tally_figures(before.documents[original], clusters)
        return figures

    def any_figures(used: bool, also: Sequence[str] = ()) -> dict[str, Any] | None:
        names = attacker_names(after, used=used) + [n for n in also if n in after.documents]
        if not names:
            return None
        was = attacker_names(before, used=used)
        return {
            "before": tally_figures(any_of(before.documents, was), clusters),
            "after": tally_figures(any_of(after.documents, names), clusters),
        }

    figures: dict[str, Any] = {
        "attackers": [{"name": n, "used": u, **both(n)} for n, u in after.used.items()],
        "any_unused": any_figures(False),
        "any_used": any_figures(True),
        "any_unused_or_aware": any_figures(False, (AWARE_SMALLEST, AWARE_LEARNED)),
        "fused": both(FUSED),
        "fused_unused": both(FUSED_UNUSED) if FUSED_UNUSED in after.documents else None,
        "aware": _aware_figures(after, clusters, k),
    }
    return figures


def _aware_figures(after: Examination, clusters: Sequence[str], k: int) -> dict[str, Any] | None:
    if AWARE_LEARNED not in after.documents:
        return None
    readings = {n: tally_figures(after.documents[n], clusters) for n in (AWARE_SMALLEST, AWARE_LEARNED)}
    worst = max(readings.values(), key=lambda reading: float(reading["rate"]))
    return {**worst, "readings": readings, "bound": round(1 / (k + 1), 6)}


def person_figures(before: Examination, after: Examination) -> dict[str, Any]:
    """The same rates per person: all released documents of a person attacked together."""

    def side(examination: Examination, used: bool) -> dict[str, Any] | None:
        names = attacker_names(examination, used=used)
        return tally_figures(any_of(examination.by_person, names), examination.persons) if names else None

    return {
        "any_unused": {"before": side(before, False), "after": side(after, False)},
        "any_used": {"before": side(before, True), "after": side(after, True)},
        "fused": {
            "before": tally_figures(before.by_person[FUSED], before.persons),
            "after": tally_figures(after.by_person[FUSED], after.persons),
        },
    }


def smallest_crowds(examination: Examination) -> list[int]:
    """Smallest crowd over the used reidentifiers, one for each released document; none where none served."""
    if not examination.crowds:
        return []
    shown = [guess >= 0 for guess in examination.documents[next(iter(examination.crowds))].guess]
    return [min(row) for row, there in zip(zip(*examination.crowds.values(), strict=True), shown, strict=True) if there]


def crowd_histogram(examination: Examination, k: int, people: int) -> dict[str, Any]:
    """Smallest crowd over the used reidentifiers, per released document, in steps that double; exact up to the cap.

    `people` is the size of the population that the crowds were counted over.
    """
    return histogram_of(smallest_crowds(examination), k, people)


def histogram_of(smallest: Sequence[int], k: int, people: int) -> dict[str, Any]:
    """Counts of documents by their smallest crowd, in steps that double; empty where there is none."""
    if not smallest:
        return {}
    edges = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, CROWD_CAP]
    if k not in edges:
        edges = sorted({*edges, k})
    counts = Counter(int(np.searchsorted(edges, value, side="right")) - 1 for value in smallest)
    return {
        "edges": edges,
        "counts": [counts.get(i, 0) for i in range(len(edges))],
        "below_k": sum(value < k for value in smallest),
        "median": float(np.median([min(value, people - 1) for value in smallest])),
        "people": people,
        "known": "exact",
    }


def linkability(documents: Sequence[Document], texts: Sequence[str | None]) -> dict[str, Any] | None:
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
    return {**rate(credits, [str(present[i][0].person) for i in asked]).as_dict(), "chance": float(np.mean(chance))}


def inference(
    population: Population, documents: Sequence[Document], tally: Tally, *, truth: Population | None = None
) -> list[dict[str, Any]]:
    """For fields with few values: how often the attacker's first guess has the person's value, beside the commonest one.

    Hiding who someone is does not hide what the text says about them; this measures what a wrong guess still gets right.
    The guess is one of `population`; a person who is not in it has the values that `truth` says.
    """
    rows: list[dict[str, Any]] = []
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
            rows.append({"field": name, **rate(credits, clusters).as_dict(), "commonest": float(np.mean(base))})
    return sorted(rows, key=lambda row: row["commonest"] - row["rate"])[:8]


def _value(person: str, field: str, *populations: Population | None) -> str | None:
    """What the first population that knows the person says."""
    for population in populations:
        if population is not None and person in population.rows:
            return population.profiles[population.rows[person]].fields.get(field)
    return None


def per_document(documents: Sequence[Document], after: Examination) -> list[dict[str, Any]]:
    """For the private folder: each document's crowds and the attackers that find its person."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, tally in after.documents.items():
        for document, got in zip(documents, tally.top1, strict=True):
            if got == 1.0:
                found[document.id].append(name)
    return [
        {"id": d.id, "crowds": {m: row[i] for m, row in after.crowds.items()}, "found_by": found[d.id]}
        for i, d in enumerate(documents)
    ]
