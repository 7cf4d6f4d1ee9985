"""One version of a corpus's texts under attack: which documents belong together, and what each attacker scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from unname.attacking.adversary import Agreement, Seen
from unname.attacking.attackers import Attacker, Judges, Scores, put_together
from unname.attacking.crowdsizes import all_crowds
from unname.attacking.profilewords import Features
from unname.draws import draw
from unname.parallel.pool import Pool
from unname.reidentifiers.base import FieldIndex, Index, IntArray

# Candidates that the first look learns from.
MOST_CANDIDATES = 4000
BLOCK_CELLS = 8_000_000
# Scores of a version that are kept while it is under attack; of a larger one they are counted again by whoever needs them.
MOST_KEPT = 25_000_000
_SCORED_AT_A_TIME = 50
# A document, or several of one person, by their places.
Unit = tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """An adversary's knowledge: rows of the attackers whose scores he has, and rows whose crowds the mask may follow."""

    name: str
    rows: tuple[int, ...]
    crowds: tuple[int, ...]


@dataclass(slots=True, repr=False)
class Version:
    """One version of the texts under attack. Column −1 is a person nobody here knows; `sought` are those whom it is about.

    `among` are, by text, the columns of the people whom its general values fit, None where that is everybody: who attacks
    knows that, and takes nobody else for likelier than those.
    """

    ids: Sequence[str]
    persons: Sequence[str]
    texts: Sequence[str | None]
    columns: Sequence[int]
    folds: Sequence[int]
    people: int
    k: int
    seed: int
    bare: Sequence[tuple[Attacker, int]] = ()
    views: tuple[View, ...] = ()
    attackers: Sequence[Attacker] = ()
    sought: Sequence[int] = ()
    among: Sequence[IntArray | None] = ()
    kept: Scores | None = None

    def score(self, chosen: Sequence[int], judges: Judges = (None,)) -> Iterator[tuple[int, Scores | None]]:
        """(document, scores (judged, attackers, people) float64) of each, None of a withheld one.

        Rows are as for learning to combine attackers where each of some other folds is judged.
        """
        if self.kept is not None:
            yield from ((i, self._from_kept(i, self.kept[i], judges)) for i in chosen)
            return
        rows = len(self.attackers)
        # In stretches whose scores fit in memory together.
        size = max(1, min(256, BLOCK_CELLS // (self.people * max(1, rows) * len(judges))))
        for start in range(0, len(chosen), size):
            block = chosen[start : start + size]
            shown = [(i, text) for i in block if (text := self.texts[i]) is not None]
            texts, persons = [text for _, text in shown], [self.persons[i] for i, _ in shown]
            scored = np.empty((len(shown), len(judges), rows, self.people))
            for row in range(rows if shown else 0):
                self.attackers[row].judged_into(scored[:, :, row].swapaxes(0, 1), texts, persons, judges)
            for place, (i, _) in enumerate(shown):
                _leave_out(scored[place], self.among[i] if i < len(self.among) else None)
            fresh = {i: scores for (i, _), scores in zip(shown, scored, strict=True)}
            for i in block:
                yield i, fresh.get(i)

    def _from_kept(self, i: int, kept: Scores, judges: Judges) -> Scores | None:
        """A document's scores as `score` gives them, from those that are `kept` (facings, people)."""
        if self.texts[i] is None:
            return None
        scores, at = np.empty((len(judges), len(self.attackers), self.people)), 0
        for row, attacker in enumerate(self.attackers):
            apart = kept[at : at + attacker.facings]
            at += attacker.facings
            for place, judged in enumerate(judges):
                scores[place, row] = attacker.together(apart, self.persons[i], judged)
        _leave_out(scores, self.among[i] if i < len(self.among) else None)
        return scores

    def sums(self, units: Sequence[Unit], judges: Judges) -> Iterator[tuple[Unit, Scores]]:
        """Summed scores of each unit, (judged, attackers, people), as a combination learns from them."""
        scored = self.score([i for unit in units for i in unit], judges)
        for unit in units:
            parts = [scores for _ in unit if (scores := next(scored)[1]) is not None]
            yield unit, sum(parts[1:], parts[0])

    def units(self, fold: int, most: int) -> list[Unit]:
        """Released documents of a fold, drawn by hash; where people have several, half are all those of a person."""
        groups: dict[str, list[int]] = {}
        # Those of a person by id: what is drawn for a unit hangs on the first.
        for i, of in sorted(enumerate(self.folds), key=lambda row: self.ids[row[0]]):
            if of == fold and self.texts[i] is not None and self.columns[i] >= 0:
                groups.setdefault(self.persons[i], []).append(i)
        single = sorted((i for group in groups.values() for i in group), key=lambda i: draw("", self.seed, self.ids[i]))
        several = sorted((g for g in groups.values() if len(g) > 1), key=lambda g: draw("", self.seed, self.ids[g[0]]))
        together = several[: most // 2]
        return [*((i,) for i in single[: most - len(together)]), *map(tuple, together)]

    def texts_of(self, unit: Unit) -> list[str]:
        """The released texts of a unit."""
        return [text for i in unit if (text := self.texts[i]) is not None]

    def seen(self, view: View, scores: Scores, standard: Scores, crowds: dict[int, IntArray]) -> Seen:
        """Scores and crowds as an adversary of this view sees them; `crowds` by row are kept for other views of the unit."""
        for row in view.crowds:
            if row not in crowds:
                crowds[row] = all_crowds(scores[row])
        rows = np.array([crowds[row] for row in view.crowds], np.int64)
        return Seen(standard[list(view.rows)], rows.reshape(len(view.crowds), self.people))

    def agreement(self, unit: Unit, view: View, judged: int | None = None) -> Agreement:
        """Agreement of people's profiles with a unit's texts, field by field, under the attackers of this view that can tell.

        Each figure of a field (`FieldIndex`), and how far it lies below the best of all people who are asked for. Those
        whom the mask hides from say nothing that their scores do not.
        """
        person, texts = self.persons[unit[0]], self.texts_of(unit)
        asked = [self.attackers[row] for row in view.rows]
        facing = [a.facing(person, judged) for a in asked if a.reads_fields]

        def features(columns: IntArray) -> Features:
            rows = [np.zeros((len(columns), 0))]
            for indexes in facing:
                each = [index.agreement(texts, columns) for index in indexes if isinstance(index, FieldIndex)]
                means = np.mean(each, axis=0).reshape(len(columns), -1)
                rows += [means, means - means.max(axis=0)]
            return np.hstack(rows).astype(np.float32)

        return features

    def drawn(self, unit: Unit) -> IntArray:
        """Columns of some people, drawn by hash, among them the unit's own: (candidates,) in ascending order."""
        if self.people <= MOST_CANDIDATES:
            return np.arange(self.people)
        some = self.lot("", unit).choice(self.people, MOST_CANDIDATES, replace=False)
        return np.unique(np.append(some, self.columns[unit[0]])).astype(np.int64)

    def lot(self, purpose: str, unit: Unit) -> np.random.Generator:
        """Random numbers of a unit's own for a purpose."""
        return np.random.default_rng(int.from_bytes(draw(purpose, self.seed, self.ids[unit[0]])[:8]))


def _leave_out(scores: Scores, among: IntArray | None) -> None:
    """Put whoever is not among some people just behind the last of them: scores (…, people)."""
    if among is None:
        return
    others = np.ones(scores.shape[-1], np.bool_)
    others[among] = False
    behind = np.nextafter(scores[..., among].min(axis=-1, keepdims=True), -np.inf)
    scores[..., others] = np.minimum(scores[..., others], behind)


def bound(version: Version, indexes: Sequence[Index], kept: Scores | None = None) -> Version:
    """The version with its attackers, whose indexes travel apart so that versions share them, and scores that are kept."""
    version.attackers = version.attackers or put_together(version.bare, indexes)
    version.kept = kept
    return version


def scored_once(
    version: Version, indexes: tuple[Index, ...], attackers: Sequence[Attacker], pool: Pool
) -> Scores | None:
    """Scores of every document under each index that may face its person, (documents, facings, people); None of too many."""
    facings = sum(attacker.facings for attacker in attackers)
    if len(version.texts) * facings * version.people > MOST_KEPT:
        return None
    kept = np.zeros((len(version.texts), facings, version.people))
    shown = [i for i, text in enumerate(version.texts) if text is not None]
    stretches = [shown[start : start + _SCORED_AT_A_TIME] for start in range(0, len(shown), _SCORED_AT_A_TIME)]
    sent: _Scored = (version, *indexes)
    for stretch, scores in zip(stretches, pool.map(_scored_apart, sent, stretches), strict=True):
        kept[stretch] = scores
    return kept


_Scored = tuple[Version, *tuple[Index, ...]]


def _scored_apart(shared: _Scored, chosen: Sequence[int]) -> Scores:
    version, *indexes = shared
    version = bound(version, indexes)
    texts, persons = version.texts_of(tuple(chosen)), [version.persons[i] for i in chosen]
    scores, at = np.empty((len(texts), sum(a.facings for a in version.attackers), version.people)), 0
    for attacker in version.attackers:
        attacker.apart_into(scores[:, at : at + attacker.facings], texts, persons)
        at += attacker.facings
    return scores
