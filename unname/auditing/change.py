"""Changes of crowds when the world changes: people leave, one more word is learned, a field comes to light.

A simulation on a sample of released documents. A document loses its crowd when it had k others under every member that
used in masking, and then has fewer under some.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from unname import registry
from unname.attacking.attackers import Attacker, Scores
from unname.draws import draw
from unname.knowledge.population import Population
from unname.parallel.pool import ONE_PROCESS, Pool
from unname.reidentifiers.base import IntArray, Reidentifier, profile_text
from unname.reidentifiers.learned.training_examples import fold_of
from unname.reidentifiers.terms.wordcounts import Bags
from unname.stopwords import stop_words_of
from unname.text import folded_words, visible
from unname.types import Document, Profile

SAMPLE_DOCUMENTS = 300
# Scores held at a time, over members: 240 MB.
MOST_CELLS = 30_000_000
LEAVING = (0.05, 0.1, 0.2, 0.5)
DRAWS = 20
WORDS_A_DOCUMENT = 5
_LEARNED = "\0learned"


@dataclass(frozen=True, slots=True, repr=False)
class _Sample:
    """Documents drawn from a release: their texts, the columns of their people, and the scores under each member."""

    texts: tuple[str, ...]
    keys: tuple[str, ...]
    persons: tuple[str, ...]
    columns: IntArray
    scores: tuple[Scores, ...]

    def own(self, member: int) -> Scores:
        """The people's own scores: (documents,)."""
        return np.asarray(self.scores[member][np.arange(len(self.texts)), self.columns])


def population_change(
    members: Sequence[Attacker],
    population: Population,
    originals: Sequence[Document],
    texts: Sequence[str | None],
    *,
    k: int,
    seed: int = 0,
    pool: Pool = ONE_PROCESS,
) -> dict[str, Any] | None:
    """Counts and shares of released documents that lose their crowd; None where no member masked or nothing is released.

    `leaving`: a share of everybody else leaves, in seeded draws that are the same for all documents; nobody is weighed
    anew. `word`: the person's profile gains one word that the released text shows and the profile lacks (function words
    aside), indexed by the fitted member without a refit, over up to five such words a document. `fields`: for each field
    that `population.everything` has and its profiles lack, all profiles gain it and the member is fitted anew
    (a trained one only indexes them).
    """
    sample = _draw(members, population, originals, texts, seed) if members else None
    if sample is None:
        return None
    crowds = [
        np.count_nonzero(sample.scores[m] >= sample.own(m)[:, None], axis=1) - 1 for m in range(len(members))
    ]  # fmt: skip
    had = np.min(crowds, axis=0) >= k
    hidden = sorted(set(population.named_fields()) - set(population.field_names()))
    # Others may be at this while leaving and words are simulated here. The scores are of no use there, and large.
    bare = [replace(member, indexes=()) for member in members]
    shared = (population.profiles, replace(sample, scores=()), bare)
    gained = ((name, [profile.fields.get(name) for profile in population.full]) for name in hidden)
    wider = pool.map(_crowds_with, shared, gained) if hidden else iter(())
    return {
        "documents": len(sample.texts),
        "had_crowd": int(had.sum()),
        "k": k,
        "known": "heuristic",
        "draws": DRAWS,
        "leaving": _leaving(sample, had, k, seed),
        "word": _word(members, population, sample, had, k, seed),
        "fields": [{"field": name, "lost": _share(row < k, had)} for name, row in zip(hidden, wider, strict=True)],
    }


def _draw(
    members: Sequence[Attacker],
    population: Population,
    originals: Sequence[Document],
    texts: Sequence[str | None],
    seed: int,
) -> _Sample | None:
    shown = [i for i, t in enumerate(texts) if t is not None and originals[i].person in population.rows]
    shown.sort(key=lambda i: draw("change", seed, originals[i].id))
    room = MOST_CELLS // (len(population) * len(members))
    chosen = shown[: max(1, min(SAMPLE_DOCUMENTS, room))]
    if not chosen:
        return None
    drawn = tuple(str(texts[i]) for i in chosen)
    persons = tuple(str(originals[i].person) for i in chosen)
    columns = np.array([population.rows[str(originals[i].person)] for i in chosen], np.int64)
    scores = tuple(member.scores_of(drawn, persons) for member in members)
    return _Sample(drawn, tuple(originals[i].id for i in chosen), persons, columns, scores)


def _share(lost: npt.NDArray[np.bool_], had: npt.NDArray[np.bool_]) -> float | None:
    return float((lost & had).sum() / had.sum()) if had.any() else None


def _leaving(sample: _Sample, had: npt.NDArray[np.bool_], k: int, seed: int) -> list[dict[str, Any]]:
    people = sample.scores[0].shape[1]
    random = np.random.default_rng(int.from_bytes(draw("leaving", seed)[:8]))
    orders = [random.permutation(people) for _ in range(DRAWS)]
    stay = np.ones((people, len(LEAVING) * DRAWS), np.float32)
    for number, share in enumerate(LEAVING):
        for place, order in enumerate(orders):
            stay[order[: round(share * people)], number * DRAWS + place] = 0
    left = np.full((len(sample.texts), stay.shape[1]), np.inf)
    for m, scores in enumerate(sample.scores):
        # Counts below 2²⁴ are exact in float32; the person is no other, whether drawn or not.
        least = (scores >= sample.own(m)[:, None]).astype(np.float32)
        left = np.minimum(left, least @ stay - stay[sample.columns])
    lost = left < k
    rows = []
    for number, share in enumerate(LEAVING):
        of_draws = [_share(lost[:, number * DRAWS + place], had) for place in range(DRAWS)]
        known = [value for value in of_draws if value is not None]
        figures = (float(np.mean(known)), min(known), max(known)) if known else (None, None, None)
        rows.append({"share": share, "mean": figures[0], "low": figures[1], "high": figures[2]})
    return rows


def _word(
    members: Sequence[Attacker],
    population: Population,
    sample: _Sample,
    had: npt.NDArray[np.bool_],
    k: int,
    seed: int,
) -> dict[str, Any]:
    learned = [
        (i, word)
        for i, text in enumerate(sample.texts)
        if had[i]
        for word in _unknown_words(text, population.profiles[sample.columns[i]], sample.keys[i], seed)
    ]
    known = [population.profiles[sample.columns[i]] for i, _ in learned]
    changed = [Profile(p.id, {**p.fields, _LEARNED: word}) for p, (_, word) in zip(known, learned, strict=True)]
    crowds = np.full(len(learned), len(population))
    for m, member in enumerate(members):
        own = _scores_of_changed(member, changed, sample, [i for i, _ in learned])
        for place, (i, _) in enumerate(learned):
            row = sample.scores[m][i]
            others = int(np.count_nonzero(row >= own[place])) - int(row[sample.columns[i]] >= own[place])
            crowds[place] = min(crowds[place], others)
    lost: dict[int, list[bool]] = {}
    for (i, _), crowd in zip(learned, crowds, strict=True):
        lost.setdefault(i, []).append(bool(crowd < k))
    return {
        "documents": len(lost),
        "words": len(learned),
        "mean": float(np.mean([np.mean(row) for row in lost.values()])) if lost else None,
        "any": float(np.mean([any(row) for row in lost.values()])) if lost else None,
    }


def _unknown_words(text: str, profile: Profile, key: str, seed: int) -> list[str]:
    read = folded_words(visible(text))
    shown = set(read) - set(folded_words(profile_text(profile))) - stop_words_of(read)
    return sorted(shown, key=lambda word: draw("word", seed, f"{key}\0{word}"))[:WORDS_A_DOCUMENT]


def _scores_of_changed(member: Attacker, changed: Sequence[Profile], sample: _Sample, places: Sequence[int]) -> Scores:
    """Score of each changed profile for its own document: (changed,)."""
    own = np.zeros(len(changed))
    split = member.split if len(member.fitted) > 1 else None
    folds = [0 if split is None else fold_of(sample.persons[i], split) for i in places]
    for fold, reidentifier in enumerate(member.fitted):
        mine = [j for j, of in enumerate(folds) if of == fold]
        if not mine:
            continue
        index = reidentifier.index([changed[j] for j in mine])
        column = {j: place for place, j in enumerate(mine)}
        texts = {i: index.scores(sample.texts[i]) for i in dict.fromkeys(places[j] for j in mine)}
        for j in mine:
            own[j] = texts[places[j]][column[j]]
    return own


def _crowds_with(
    shared: tuple[Sequence[Profile], _Sample, Sequence[Attacker]], gained: tuple[str, Sequence[str | None]]
) -> IntArray:
    """The smallest crowd of each document's person when all profiles have gained a field: (documents,)."""
    (known, sample, members), (name, values) = shared, gained
    profiles = Bags(
        [
            p if value is None else Profile(p.id, {**p.fields, name: value})
            for p, value in zip(known, values, strict=True)
        ]
    )
    crowds = []
    for member in members:
        indexes = tuple(_refit(member, r, profiles).index(profiles) for r in member.fitted)
        wider = replace(member, indexes=indexes)
        scores = wider.scores_of(sample.texts, sample.persons)
        own = scores[np.arange(len(sample.texts)), sample.columns]
        crowds.append(np.count_nonzero(scores >= own[:, None], axis=1) - 1)
    return np.asarray(np.min(crowds, axis=0))


def _refit(member: Attacker, fitted: Reidentifier, profiles: Sequence[Profile]) -> Reidentifier:
    if member.trained_on:
        return fitted
    fresh: Reidentifier = registry.create(registry.ATTACKERS, member.name.partition("@")[0])
    return fresh.fit(profiles)
