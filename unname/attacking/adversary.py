"""One guess from everything: all scores with signed weights, crowd sizes, profile words shown and missing, placeholders.

An adversary learns from documents of other people whose persons he knows. His first look, a listwise logit over all
scores and crowd sizes, makes a shortlist of everybody; the second, a listwise logit or gradient boosting over
everything there is, puts it in order. Negative weights matter: a search that hides somebody from one reidentifier
pushes him conspicuously low under it, while a twin of that reidentifier still sees him (METHODS §5).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from unname.attacking.crowdsizes import CrowdPattern, readings
from unname.attacking.profilewords import Features, Reading
from unname.reidentifiers.base import IntArray

if TYPE_CHECKING:
    from sklearn.ensemble import HistGradientBoostingClassifier

Scores = npt.NDArray[np.float64]
# Candidates whom the second look sees, and how many of them teach it beside the true one.
SHORTLIST = 50
_OTHERS = 30
_FIRST_PENALTY, _SECOND_PENALTY = 3e-3, 1e-2
# How well each of some people, by column, agrees with texts beyond any score: (people, features).
Agreement = Callable[[IntArray], Features]
# Crowds are told apart by these multiples of k.
_STEPS = (0.25, 0.5, 0.8, 1, 1.2, 1.6, 2.2, 3, 4.5, 8)
# The logarithm of how many placeholders a text has, more or less.
_USUAL_GAPS = 3.0
# Fewer documents teach nothing that holds for others.
_FEWEST = 4
# Newton's method: steps at most, the gain that is worth one more, its part that a step must reach, and the shortest step.
_MOST_STEPS, _LEAST_GAIN, _EXPECTED, _SHORTEST = 50, 1e-8, 1e-4, 1e-3


def standardised(scores: Scores) -> Scores:
    """Scores of one document (members, people) with mean 0 and deviation 1 in each row; a row that says nothing is 0."""
    centred = scores - scores.mean(axis=1, keepdims=True)
    deviation = np.sqrt(np.einsum("ij,ij->i", centred, centred) / max(scores.shape[1], 1))
    said = deviation > 1e-12 * np.abs(scores).max(axis=1, initial=0.0)  # less than that is rounding
    centred *= np.where(said, 1 / np.maximum(deviation, 1e-300), 0.0)[:, None]
    return np.asarray(centred)


def fit_weights(
    cases: Sequence[npt.NDArray[np.floating]], people: Sequence[int], *, members: int, penalty: float = _FIRST_PENALTY
) -> Scores:
    """Signed weights (members,) under which softmax(Σ weight · evidence) best predicts the true people.

    `cases` are (members, candidates). A convex problem, solved by Newton's method: evidence of one kind is so much alike
    that a descent along slopes takes ten times the readings. With none to learn from, every member counts the same.
    """
    if not cases:
        return np.ones(members)
    problem = _Problem(_stacked(cases, people), len(cases), penalty)
    weights = np.full(members, 0.1)
    value, slope, bend = problem.at(weights)
    for _ in range(_MOST_STEPS):
        step = np.linalg.solve(bend, slope)
        gain = float(slope @ step)
        if gain < _LEAST_GAIN:
            break
        length, there = 1.0, problem.at(weights - step)
        while not there[0] <= value - _EXPECTED * length * gain:
            length /= 2
            if length < _SHORTEST:  # single precision sees no more
                return weights
            there = problem.at(weights - length * step)
        weights = weights - length * step
        value, slope, bend = there
    return weights


@dataclass(frozen=True, slots=True, repr=False)
class _Problem:
    """The mean loss of cases, stacks of (members, cases · candidates) with the places of the true ones, and a penalty."""

    stacks: Sequence[tuple[Features, IntArray]]
    cases: int
    penalty: float

    def at(self, weights: Scores) -> tuple[float, Scores, Scores]:
        """The loss, its slope (members,) and how that bends (members, members)."""
        light, members = weights.astype(np.float32), len(weights)
        value = 0.5 * self.penalty * float(weights @ weights)
        slope, bend = self.penalty * weights, self.penalty * np.eye(members)
        for stack, true in self.stacks:
            places = np.arange(len(true))
            chance = (light @ stack).reshape(len(true), -1)
            own, most = chance[places, true].astype(np.float64), chance.max(axis=1)
            chance -= most[:, None]
            np.exp(chance, out=chance)
            sums = chance.sum(axis=1, dtype=np.float64)
            value += float((np.log(sums) + most - own).sum()) / self.cases
            chance /= sums[:, None].astype(np.float32)
            weighed = stack * chance.ravel()
            means = weighed.reshape(members, *chance.shape).sum(axis=2)
            bend = bend + (weighed @ stack.T - means @ means.T).astype(np.float64) / self.cases
            chance[places, true] -= 1
            slope = slope + stack @ chance.ravel() / self.cases
        return value, slope, bend


def _stacked(cases: Sequence[npt.NDArray[np.floating]], people: Sequence[int]) -> list[tuple[Features, IntArray]]:
    """Cases of equal width side by side, (members, cases · candidates), and the places of their true persons."""
    by_width: dict[int, list[int]] = {}
    for place, case in enumerate(cases):
        by_width.setdefault(case.shape[1], []).append(place)
    return [
        (np.hstack([np.asarray(cases[p], np.float32) for p in places]), np.array([people[p] for p in places], np.int64))
        for places in by_width.values()
    ]


@dataclass(frozen=True, slots=True, repr=False)
class Seen:
    """An adversary's view of one document, or of all documents of a person together.

    `scores` (members, people) standardised, and `crowds` (those of whom the mask may know, people).
    """

    scores: Scores
    crowds: IntArray

    def of(self, people: IntArray) -> "Seen":
        """The same of some people, by column."""
        return Seen(self.scores[:, people], self.crowds[:, people])


@dataclass(frozen=True, slots=True, repr=False)
class FirstLook:
    """Weights for scores and for what crowd sizes betray, over everybody."""

    weights: Scores
    pattern: CrowdPattern

    def scores(self, rows: Scores) -> Scores:
        """One score for everybody from the `evidence`: (people,)."""
        return np.asarray(self.weights @ rows)


def evidence(seen: Seen, pattern: CrowdPattern, *, known: int = -1) -> Scores:
    """Standardised scores, and the logarithms of how much likelier crowds of such sizes are for true persons.

    Of a document that taught the pattern the person is `known`.
    """
    if not len(seen.crowds):
        return seen.scores
    return np.vstack([seen.scores, pattern.ratios(seen.crowds, known=known)])


def learn_first(taught: Sequence[tuple[Seen, int]], members: int, crowds: int) -> FirstLook:
    """A first look from what was seen of documents, and the places of their persons; of so many members and crowds."""
    pattern = CrowdPattern()
    for seen, person in taught if crowds else ():
        pattern.learn(seen.crowds, person)
    rows = [evidence(seen, pattern, known=person).astype(np.float32) for seen, person in taught]
    weights = fit_weights(rows, [person for _, person in taught], members=members + readings(crowds))
    return FirstLook(weights, pattern)


@dataclass(frozen=True, slots=True, repr=False)
class Candidates:
    """Candidates of one document, all that is known of them (candidates, features), and the place of the true one.

    The place is −1 where the first look left the person out: nobody puts him in.
    """

    columns: IntArray
    features: Features
    first: Features
    true: int = -1

    def thinned(self, lot: np.random.Generator) -> "Candidates":
        """With the true one and some of the others, drawn by lot, which is enough to learn from."""
        others = np.delete(np.arange(len(self.columns)), self.true)
        if len(others) > _OTHERS:
            others = np.sort(lot.choice(others, _OTHERS, replace=False))
        kept = np.append(self.true, others)
        return Candidates(self.columns[kept], self.features[kept], self.first[kept], 0)


def candidates(
    seen: Seen,
    look: FirstLook,
    reading: Reading,
    column: int,
    k: int,
    lot: np.random.Generator,
    *,
    agreement: Agreement,
) -> tuple[Candidates, Scores]:
    """The shortlist of the first look with everything that is known of it, and that look's scores for everybody."""
    rows = evidence(seen, look.pattern)
    total = look.scores(rows)
    own = shortlist(total, SHORTLIST, lot)
    first = (total[own] - total.max()).astype(np.float32)
    about, compared = reading.about, reading.features(own)
    features = np.hstack([
        first[:, None], rows[:, own].T, _beside(seen.crowds[:, own], k), compared, compared[:, :5] * (about[1] - _USUAL_GAPS),
        np.broadcast_to(about, (len(own), len(about))), agreement(own),
    ]).astype(np.float32)  # fmt: skip
    place = np.flatnonzero(own == column)
    return Candidates(own, features, first, int(place[0]) if len(place) else -1), total


def shortlist(scores: Scores, most: int, lot: np.random.Generator) -> IntArray:
    """Columns of the highest scores, in ascending order; of people alike at the end of the list some by lot.

    By order of the population, those who stand first in a table would be found more often by who knows nothing.
    """
    if most >= len(scores):
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - most)[len(scores) - most]
    above, alike = np.flatnonzero(scores > least), np.flatnonzero(scores == least)
    return np.sort(np.append(above, lot.choice(alike, most - len(above), replace=False)))


def _beside(crowds: IntArray, k: int) -> Features:
    """Crowds under each member and the least of them, how far below, at and above k they are: (candidates, features)."""
    if not len(crowds):
        return np.zeros((crowds.shape[1], 0), np.float32)
    columns = []
    for row in (*crowds, crowds.min(axis=0)):
        place = np.searchsorted(_STEPS, row / k, side="right")
        columns += [np.log1p(row), *(place == step for step in range(len(_STEPS) + 1))]
    return np.stack(columns, axis=1).astype(np.float32)


@dataclass(frozen=True, slots=True, repr=False)
class SecondLook:
    """The reordering of a shortlist: by a listwise logit's `weights`, by boosted `trees`, by both; by neither as it was."""

    weights: Scores | None = None
    trees: "HistGradientBoostingClassifier | None" = None

    def scores(self, case: Candidates) -> Scores:
        """Log odds of the candidates: (candidates,)."""
        first = case.first.astype(np.float64)
        if self.weights is None and self.trees is None:
            return first
        # Ties between candidates that look alike to trees are broken by the first look.
        odds = 1e-6 * first
        if self.trees is not None:
            odds = odds + self.trees.decision_function(case.features)
        if self.weights is not None:
            odds = odds + self.weights @ _relative(case)
        return np.asarray(odds)

    def kinds(self) -> "dict[str, SecondLook]":
        """All variants that can be made of what was fitted, by name."""
        looks = {"first": SecondLook(), "logit": SecondLook(self.weights)}
        return looks | ({"boosting": SecondLook(None, self.trees), "both": self} if self.trees is not None else {})


def chances(odds: Scores) -> Scores:
    """Each candidate's chance from log odds: (candidates,), summing to 1."""
    raised = np.exp(odds - odds.max())
    return np.asarray(raised / raised.sum())


def _relative(case: Candidates) -> Scores:
    """Features beside those of the other candidates, for a logit: (features, candidates)."""
    return standardised(case.features.astype(np.float64).T)


def learn_second(views: Sequence[Sequence[Sequence[Candidates]]], seed: int, kind: str) -> list[SecondLook]:
    """For each view the second look of a kind, taught by all folds of its cases; of too few cases that of the first."""
    taught = [[case for cases in folds for case in cases] for folds in views]
    return [_fit(cases, seed, kind) if len(cases) >= _FEWEST else SecondLook() for cases in taught]


def gains_of_kinds(folds: Sequence[Sequence[Candidates]], held: int, seed: int) -> Mapping[str, float]:
    """The gain of each kind of second look on one fold, held out, when it learned from the others.

    Empty where there is too little to learn from or nothing to try it on.
    """
    taught = [case for fold, cases in enumerate(folds) if fold != held for case in cases]
    if not taught or not folds[held] or len(taught) + len(folds[held]) < _FEWEST:
        return {}
    looks = _fit(taught, seed).kinds().items()
    return {kind: sum(_gained(look, case) for case in folds[held]) for kind, look in looks}


def best_kind(gains: Sequence[Mapping[str, float]]) -> str:
    """The kind that gained most on all folds together; `first`, which changes nothing, where none was tried."""
    together = {kind: sum(each.get(kind, 0.0) for each in gains) for kind in dict.fromkeys(chain.from_iterable(gains))}
    return max(together, key=lambda kind: together[kind], default="first")


def _gained(look: SecondLook, case: Candidates) -> float:
    """1 where the true person comes first, and a little for the chance that is given to him."""
    given = chances(look.scores(case))
    return float(given[case.true] >= given.max()) + 0.1 * float(given[case.true])


def _fit(cases: Sequence[Candidates], seed: int, kind: str = "both") -> SecondLook:
    """A second look of this kind; one of both can be taken apart."""
    weights = trees = None
    if kind in ("logit", "both"):
        rows = [_relative(case) for case in cases]
        weights = fit_weights(rows, [case.true for case in cases], members=len(rows[0]), penalty=_SECOND_PENALTY)
    if kind in ("boosting", "both"):
        trees = _fit_trees(cases, seed)
    return SecondLook(weights, trees)


def _fit_trees(cases: Sequence[Candidates], seed: int) -> "HistGradientBoostingClassifier":
    from sklearn.ensemble import HistGradientBoostingClassifier  # a second to load, for whoever audits

    truth = np.concatenate([np.arange(len(case.columns)) == case.true for case in cases])
    trees = HistGradientBoostingClassifier(
        max_iter=60, learning_rate=0.12, max_leaf_nodes=15, max_bins=63, min_samples_leaf=20, l2_regularization=1.0,
        early_stopping=False, random_state=seed,
    )  # fmt: skip
    return trees.fit(np.concatenate([case.features for case in cases]), truth)


def ranking(total: Scores, case: Candidates, odds: Scores) -> Scores:
    """Odds that the second look gives the shortlist, and below them the first look's scores for everybody else: (people,)."""
    scores = total - total.max() + odds.min() - 1
    scores[case.columns] = odds
    return np.asarray(scores)
