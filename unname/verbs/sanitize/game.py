"""The result of a game of sanitizing: by rounds, what is left, an attacker's gain with a budget, advice on publishing.

A publisher hides what taggers find; each sensitive word that is left costs him L, each other word that is hidden C. An
attacker learns from what is left, reads what his tagger claims first, and then the rest in any order. Source: Li 2014, §II
(both players), §IV (theorems 4.1 and 4.2, whose statements `require_equilibrium` checks on every run).
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from unname.errors import InvariantError, SettingsError
from unname.statistics import Rate, numbered, percent, rate
from unname.text import WORD
from unname.types import Document, Span

RATIOS = (1, 2, 5, 10, 20, 50, 100)
# Between a learner's kind and how far it leans, in its name.
LEANS_BY = " leaning "
# What sums of floating point numbers may be off by.
_SLACK = 1e-9


class Words:
    """The words of some documents after each other, and which of them annotated spans touch (`sensitive`, bool)."""

    def __init__(self, documents: Sequence[Document]) -> None:
        words = [[match.span() for match in WORD.finditer(document.text)] for document in documents]
        lengths = [len(document.text) + 1 for document in documents]
        self._base = np.cumsum([0, *lengths])[:-1]
        at = np.repeat(self._base, [len(row) for row in words])
        places = np.array([span for row in words for span in row], np.int64).reshape(-1, 2)
        self._starts, self._ends = places[:, 0] + at, places[:, 1] + at
        # Documents of a person count as one where it matters how much they differ.
        whose = numbered([("document", d.id) if d.person is None else ("person", d.person) for d in documents])
        self.people = np.repeat(whose, [len(row) for row in words])
        self.sensitive = self.touched([document.spans for document in documents])

    def touched(self, rows: Iterable[Iterable[Span]]) -> npt.NDArray[np.bool_]:
        """A mask of the words that spans of each document's text touch."""
        spans = [
            (s.start + base, s.end + base) for base, row in zip(self._base.tolist(), rows, strict=True) for s in row
        ]
        starts, ends = np.array(spans, np.int64).reshape(-1, 2).T
        edges = np.zeros(len(self._starts) + 1, np.int64)
        np.add.at(edges, np.searchsorted(self._ends, starts, "right"), 1)
        np.add.at(edges, np.searchsorted(self._starts, ends, "left"), -1)
        return np.asarray(np.cumsum(edges)[:-1] > 0)

    def count(self, which: npt.NDArray[np.bool_]) -> tuple[int, int]:
        """The number of sensitive words among some, and of others."""
        right = int((which & self.sensitive).sum())
        return right, int(which.sum()) - right

    def share(self, which: npt.NDArray[np.bool_], kind: npt.NDArray[np.bool_]) -> Rate:
        """The share of the words of a kind that are among some, with an interval over people."""
        return rate(which[kind].astype(float), self.people[kind].astype(str).tolist())


@dataclass(frozen=True, slots=True)
class Claim:
    """A learner's claim of what is left: so many sensitive words, and so many others."""

    learner: str
    sensitive: int
    others: int

    def utility(self, loss: float, cost: float) -> float:
        """The worth to a publisher of hiding all of it; to an attacker, of reading all of it."""
        return loss * self.sensitive - cost * self.others


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: the words left when learners look, the best `claim`, hidden if the turn is `kept`, and its `rivals`."""

    left_sensitive: int
    left_others: int
    claim: Claim
    kept: bool
    rivals: tuple[Claim, ...] = ()

    def found(self, budget: float, claims: Sequence[Claim] = ()) -> float:
        """The expected number of sensitive words among `budget` words that are read, those of the best claim first.

        Or those of several `claims` of one learner, each of which holds the smaller ones: what it is surest of comes first.
        """
        read = right = expected = 0.0
        for claim in sorted(claims or (self.claim,), key=lambda one: one.sensitive + one.others):
            more, sensitive = claim.sensitive + claim.others - read, max(claim.sensitive - right, 0.0)
            if more > 0:
                expected += sensitive * min(max(budget - read, 0.0), more) / more
                read, right = read + more, right + sensitive
        rest = self.left_sensitive + self.left_others - read
        after = min(max(budget - read, 0.0), rest)
        return expected + ((self.left_sensitive - right) * after / rest if rest > 0 else 0.0)

    def by_chance(self, budget: float) -> float:
        """The same for an attacker who reads words at random."""
        left = self.left_sensitive + self.left_others
        return self.left_sensitive * min(budget, left) / left if left else 0.0


def best_found(turn: Turn, claims: Iterable[Claim], budget: float) -> float:
    """The number of sensitive words that the best kind of learner finds with a budget, however far it leans."""
    kinds: dict[str, list[Claim]] = {}
    for claim in claims:
        kinds.setdefault(claim.learner.partition(LEANS_BY)[0], []).append(claim)
    return max((turn.found(budget, some) for some in kinds.values()), default=0.0)


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game: `sensitive` words and `others` at first, and every turn, of which the last is not kept.

    `held_out` says whether claims were made by learners that had not seen the documents, or by those that had (as in the
    paper); `by_utility` whether the best claim is that worth most, or that of the most accurate learner (as in the paper).
    Where rounds were limited the last turn may have been worth keeping: then it is no `equilibrium`. `attackers` are claims
    of learners that the publisher does not use, made of what is published. All counts are of words, and exact.
    """

    loss: float
    cost: float
    documents: int
    sensitive: int
    others: int
    turns: tuple[Turn, ...]
    held_out: bool = True
    by_utility: bool = True
    equilibrium: bool = True
    attackers: tuple[Claim, ...] = ()
    published_ci: tuple[float, float] | None = None
    leaked_ci: tuple[float, float] | None = None

    @property
    def kept(self) -> tuple[Turn, ...]:
        """The turns that hide."""
        return tuple(turn for turn in self.turns if turn.kept)

    @property
    def last(self) -> Turn:
        """The turn that is not kept: what is published, and what its best learner would claim of it."""
        return self.turns[-1]

    def cut(self, ratio: float) -> "Game":
        """The same chain cut short where the next round would not pay at a smaller L/C; without attackers.

        At that ratio other learners might have been chosen, so that a game played there may do better (`chosen_alike`).
        SettingsError: the ratio is larger than that at which it was played.
        """
        if ratio > self.loss / self.cost + _SLACK:
            raise SettingsError("a game says nothing of a larger L/C than that at which it was played")
        turns: list[Turn] = []
        for turn in self.turns:
            pays = turn.kept and turn.claim.utility(ratio, 1.0) > 0
            turns.append(replace(turn, kept=pays))
            if not pays:
                break
        gains = [claim.utility(ratio, 1.0) for claim in self._publishers(turns[-1])]
        return replace(
            self, loss=float(ratio), cost=1.0, turns=tuple(turns), equilibrium=max(gains) <= 0, attackers=(),
            published_ci=None, leaked_ci=None,
        )  # fmt: skip

    @property
    def chosen_alike(self) -> bool:
        """True if a game at a smaller L/C chooses the same learners: there is only one, or the most accurate is taken."""
        names = {claim.learner for turn in self.turns for claim in (turn.claim, *turn.rivals)}
        return len(names) == 1 or (not self.by_utility and not any(LEANS_BY in name for name in names))

    def _publishers(self, turn: Turn) -> tuple[Claim, ...]:
        """Claims that the publisher weighs by what they are worth to him."""
        return (turn.claim, *(turn.rivals if self.by_utility else ()))

    def publisher_loss(self, turn: Turn) -> float:
        """T at the beginning of a turn: L for each sensitive word that is left, C for each other one that is hidden."""
        return self.loss * turn.left_sensitive + self.cost * (self.others - turn.left_others)

    @property
    def published(self) -> float:
        """Share of the words that are not sensitive and stay readable."""
        return self.last.left_others / self.others if self.others else 1.0

    @property
    def leaked(self) -> float:
        """Share of the sensitive words that stay readable."""
        return self.last.left_sensitive / self.sensitive if self.sensitive else 0.0

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Each learner's claim of what is published: the publisher's best, the others, and further attackers."""
        return (self.last.claim, *self.last.rivals, *self.attackers)

    def found(self, budget: float) -> float:
        """The number of sensitive words that an attacker finds with this budget, by the kind of learner best for him."""
        return best_found(self.last, self.claims, budget)

    def budgets(self) -> list[int]:
        """Budgets from one word to all that is left, for a curve."""
        left = self.last.left_sensitive + self.last.left_others
        return sorted({max(1, round(left ** (step / 60))) for step in range(61)})

    def table(self) -> list[tuple[str, ...]]:
        """A row for each turn: learner, what it claims, what is left before it, the publisher's loss, whether it is kept."""
        return [
            (
                str(number), turn.claim.learner or "none", f"{turn.claim.sensitive}", f"{turn.claim.others}",
                f"{turn.left_sensitive}", percent(turn.left_others / self.others if self.others else 1.0),
                f"{self.publisher_loss(turn):g}", "yes" if turn.kept else "no",
            )
            for number, turn in enumerate(self.turns, start=1)
        ]  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {**asdict(self), "published": round(self.published, 6), "leaked": round(self.leaked, 6)}

    def advice(self, budget: int) -> list[str]:
        """Advice on publishing at this L/C, on what remains, and on an attacker's gain, in plain words."""
        last, rounds = self.last, len(self.kept)
        first = f"Publish after {rounds} round{'' if rounds == 1 else 's'} of hiding."
        if not rounds and self.equilibrium:
            first = f"At L/C = {self.loss / self.cost:g} no learner is worth using: nothing would be hidden."
        elif not self.equilibrium:
            first = f"Rounds were limited to {rounds}; another one would still have paid."
        claim = max(self.claims, key=lambda one: one.utility(self.loss, self.cost))
        claimed = claim.sensitive + claim.others
        lines = [
            first,
            f"{_shown(self.published, self.published_ci)} of the other words stay readable. Of {self.sensitive} sensitive "
            f"words {last.left_sensitive} stay as well: {_shown(self.leaked, self.leaked_ci)}.",
            f"Whoever learns from what is published ({claim.learner}) claims {claimed} words and is right in "
            f"{claim.sensitive}."
            if claimed
            else "Whoever learns from what is published claims nothing.",
            f"An attacker who reads {budget} words finds {self.found(budget):.1f} sensitive ones; reading at random, "
            f"{last.by_chance(budget):.1f}.",
        ]
        if (gain := claim.utility(self.loss, self.cost)) > 0:
            lines.append(f"At this L/C reading what he claims pays him: {gain:g}. {self._remedy(claim)}")
        if not self.held_out:
            lines.append("The learners had seen these documents: on others more is left.")
        return lines

    def _remedy(self, claim: Claim) -> str:
        """Advice against an attacker who gains by a claim."""
        if claim in self.attackers:
            return "The publisher did not try that learner: let his lean further, or add others (--lean, --kind)."
        if claim is self.last.claim:
            return "More rounds would take that away (--rounds)."
        return "The publisher has that learner and took a more accurate one (--choose utility)."


def _shown(share: float, interval: tuple[float, float] | None) -> str:
    """A share with its interval, where that is known."""
    if interval is None:
        return percent(share)
    low, high = (f"{round(100 * bound, 1):.1f}" for bound in interval)
    return f"{percent(share)} ({low}–{high})"


def require_equilibrium(game: Game) -> None:
    """Check what Li 2014 proves on what the stopping rule saw; InvariantError where it does not hold, which is a bug.

    Every kept turn lowers the publisher's loss. At the end no learner's claims are worth reading: TP = 0 or FP/TP ≥ L/C
    (theorem 4.1), hence TP ≤ C/L of the words that are not sensitive (theorem 4.2). And the counts add up.
    """
    ratio = game.loss / game.cost
    if not game.turns or (game.turns[-1].kept and game.equilibrium) or not all(turn.kept for turn in game.turns[:-1]):
        raise InvariantError("sanitizing: every turn but the last is kept")
    before = Turn(game.sensitive, game.others, Claim("", 0, 0), kept=True)
    for number, turn in enumerate(game.turns, start=1):
        left = (before.left_sensitive - before.claim.sensitive, before.left_others - before.claim.others)
        if (turn.left_sensitive, turn.left_others) != left or min(left) < 0:
            raise InvariantError(f"sanitizing, turn {number}: what is left is not what was there less what was hidden")
        if number > 1 and game.publisher_loss(turn) >= game.publisher_loss(before):
            raise InvariantError(f"sanitizing, turn {number}: the round before it was kept and did not pay")
        before = turn
    if len(game.kept) > game.sensitive:
        raise InvariantError("sanitizing: more rounds than there are words to find")
    if game.equilibrium:
        for claim in game._publishers(game.last):
            right, wrong = claim.sensitive, claim.others
            if right and wrong / right < ratio - _SLACK:
                raise InvariantError("sanitizing: at the end an attacker still gains by reading what he claims")
            if right > game.others / ratio + _SLACK:
                raise InvariantError("sanitizing: more can be found at the end than the bound allows")
