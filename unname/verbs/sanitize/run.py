"""GreedySanitize: hide what a tagger finds, train another on what is left, until hiding more costs more than it saves.

Source: Li 2014, algorithm 1. Learners that have seen a document leave too little of it, and the game would end at once: here
claims are of learners that were taught without it (inner folds), and so is what is left of it. (What is left of the other
documents, from which they learn in later rounds, was left by learners that had seen it.) The paper's variant, in which
those claim that have seen all, is an option. What is published of new documents is what the chain of them leaves.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from unname.errors import InputError, InvariantError
from unname.inputs.annotated import read_annotated
from unname.rounds import in_rounds
from unname.runtime import Runtime
from unname.storage.documents import Columns
from unname.storage.files import MODEL, require_absent, require_apart
from unname.taggers.base import Tagger, disjoint
from unname.taggers.chain import Chain
from unname.taggers.remaining import Remaining, hiding_all
from unname.text import WORD
from unname.types import Document, Span
from unname.verbs.sanitize.game import Claim, Game, Turn, Words, require_equilibrium
from unname.verbs.sanitize.learning import CrossLearning, Learner, Learners, all_learners, inner_folds, leaning
from unname.verbs.sanitize.options import HELD_OUT, Sanitizing
from unname.verbs.sanitize.page import render_game

# An attacker reads what he is surest of first: how far his learners lean, step by step, says what comes next.
ATTACKERS_LEAN = (1.0, 10.0, 100.0, 1000.0)


@dataclass(frozen=True, slots=True, repr=False)
class Sanitized:
    """The `chain` of taggers to use on other documents, the `game` they come from, and what is `left` of its documents."""

    chain: Chain
    game: Game
    left: tuple[Remaining, ...]


class Watch(Protocol):
    """Somebody who looks on: before each round and at the end."""

    def __call__(self, links: Sequence[Tagger], left: Sequence[Remaining], learning: CrossLearning, turn: Turn) -> None:
        """The chain so far, what is left of all documents, what can be learned from that, and what was claimed of it."""
        ...


def sanitize(
    documents: Sequence[Document],
    how: Sanitizing | None = None,
    *,
    learners: Learners | None = None,
    watch: Watch | None = None,
    runtime: Runtime | None = None,
) -> Sanitized:
    """Play the game on annotated documents, of which every span is sensitive.

    `learners` are further kinds of taggers by name, or others in place of ours; `watch` is shown every state that is
    looked at. What the paper proves is checked; an InvariantError says where it does not hold. InputError: nothing is
    annotated, a span lies outside of its text, or there are fewer documents (or people) than inner folds.
    """
    how = how or Sanitizing()
    learners = all_learners(how, learners or {})
    for number, document in enumerate(documents, start=1):
        if not all(0 <= span.start < span.end <= len(document.text) for span in document.spans):
            raise InputError(f"document {number}: a span lies outside of the text, or is empty")
    # In an order of their own, so that the order of the input decides nothing that is learned.
    order = sorted(range(len(documents)), key=lambda place: (documents[place].id, documents[place].text))
    documents = [replace(documents[place], spans=tuple(disjoint(documents[place].spans))) for place in order]
    words = Words(documents)
    if not words.sensitive.any():
        raise InputError("the documents to learn from have no annotated spans")
    publisher = _Publisher(documents, words, how, learners, watch, runtime or Runtime())
    played = in_rounds(publisher.start(), publisher.again, _State.judged, paid=_paid, most=how.rounds)
    turns = [judged.turn for judged in played.judged if judged.turn]
    if not played.unpaid:
        turns.append(replace(publisher.look(played.state)[0], kept=False))
    leaked, published = publisher.intervals(played.state)
    game = Game(
        how.loss, how.cost, len(documents), *words.count(np.ones_like(words.sensitive)), tuple(turns),
        held_out=how.stopping == HELD_OUT, by_utility=how.choose == "utility",
        equilibrium=played.unpaid or turns[-1].claim.utility(how.loss, how.cost) <= 0,
        attackers=publisher.attackers(played.state),
        leaked_ci=leaked, published_ci=published,
    )  # fmt: skip
    require_equilibrium(game)
    require_recount(game, documents, played.state.left)
    left = tuple(one for _, one in sorted(zip(order, played.state.left, strict=True), key=lambda pair: pair[0]))
    return Sanitized(Chain(played.state.links, game.as_dict()), game, left)


class _Judged(NamedTuple):
    """The publisher's cost of a state, and the turn that led to it."""

    loss: float
    turn: Turn | None = None


def _paid(before: _Judged, after: _Judged) -> bool:
    return after.loss < before.loss


@dataclass(frozen=True, slots=True, repr=False)
class _State:
    """The rest of all documents after some links."""

    left: tuple[Remaining, ...]
    links: tuple[Tagger, ...]
    after: _Judged

    def judged(self) -> _Judged:
        """Its cost, and the turn that led here."""
        return self.after


class _Publisher:
    """The publisher, who hides what learners claim of one corpus."""

    def __init__(
        self, documents: Sequence[Document], words: Words, how: Sanitizing, learners: Learners, watch: Watch | None,
        runtime: Runtime,
    ) -> None:  # fmt: skip
        self._documents, self._words, self._how, self._learners = documents, words, how, learners
        self._part, self._watch, self._runtime = inner_folds(documents, how), watch, runtime
        self._learning: tuple[tuple[Remaining, ...], CrossLearning] | None = None

    def start(self) -> _State:
        """All documents as they came."""
        left = tuple(Remaining(document.text) for document in self._documents)
        return _State(left, (), _Judged(self._loss(left)))

    def again(self, state: _State, number: int) -> _State:
        """Hide the best claim; its learner, taught by all that was left, is the next link where that pays."""
        self._runtime.progress(f"round {number}", 1)
        turn, learner, claimed = self.look(state)
        left = hiding_all(state.left, claimed)
        after = _Judged(self._loss(left), turn)
        if not _paid(state.after, after):
            return _State(left, state.links, after._replace(turn=replace(turn, kept=False)))
        taught = self._at(state).learned(learner)
        if taught is None:
            raise InvariantError("sanitizing: the learner of the best claim had nothing to learn")
        return _State(left, (*state.links, taught), after)

    def look(self, state: _State) -> tuple[Turn, Learner, list[list[Span]]]:
        """Each learner's claim of what is left; of the best claim also its learner, and its spans of what is shown."""
        self._at(state).prepare(self._how.kinds())
        tried = leaning(self._how.kinds(), self._how.leans())
        spans_of = [self._at(state).claimed(learner) for learner in tried]
        claims = [claim_of(one, self._words, state.left, rows) for one, rows in zip(tried, spans_of, strict=True)]
        ratio = (self._how.loss, self._how.cost) if self._how.choose == "utility" else (1.0, 1.0)
        best = max(range(len(claims)), key=lambda place: claims[place].utility(*ratio))
        left = self._words.count(~self._hidden(state.left))
        rivals = tuple(claim for place, claim in enumerate(claims) if place != best)
        turn = Turn(*left, claims[best], kept=True, rivals=rivals)
        if self._watch:
            self._watch(state.links, state.left, self._at(state), turn)
        return turn, tried[best], spans_of[best]

    def attackers(self, state: _State) -> tuple[Claim, ...]:
        """Claims of what is published by learners that the publisher did not try, or did not lean so far."""
        self._at(state).prepare(self._how.attacking())
        tried = leaning(self._how.kinds(), self._how.leans())
        others = [one for one in leaning(self._how.attacking(), ATTACKERS_LEAN) if one not in tried]
        return tuple(claim_of(one, self._words, state.left, self._at(state).claimed(one)) for one in others)

    def intervals(self, state: _State) -> list[tuple[float, float] | None]:
        """Between which bounds the share of sensitive words that stay readable lies, and that of others, if there are any."""
        readable, sensitive = ~self._hidden(state.left), self._words.sensitive
        shares = [self._words.share(readable, kind) for kind in (sensitive, ~sensitive)]
        return [(share.low, share.high) if share.n else None for share in shares]

    def _hidden(self, left: Sequence[Remaining]) -> npt.NDArray[np.bool_]:
        return hidden_words(self._words, left)

    def _loss(self, left: Sequence[Remaining]) -> float:
        hidden = self._hidden(left)
        return self._how.loss * self._words.count(~hidden)[0] + self._how.cost * self._words.count(hidden)[1]

    def _at(self, state: _State) -> CrossLearning:
        """The learning from a state; what was learned from the last one is kept."""
        if self._learning is None or self._learning[0] is not state.left:
            documents = [one.document(document) for one, document in zip(state.left, self._documents, strict=True)]
            self._learning = state.left, CrossLearning(documents, self._part, self._how, self._learners, self._runtime)
        return self._learning[1]


def hidden_words(words: Words, left: Sequence[Remaining]) -> npt.NDArray[np.bool_]:
    """A mask of the words that are hidden."""
    return words.touched([one.hidden for one in left])


def claim_of(learner: Learner, words: Words, left: Sequence[Remaining], spans: Sequence[Sequence[Span]]) -> Claim:
    """The claim of a learner by spans of what is shown, in words that are not hidden yet."""
    before, after = hidden_words(words, left), hidden_words(words, hiding_all(left, spans))
    return Claim(learner.name, *words.count(after & ~before))


def require_recount(game: Game, documents: Sequence[Document], left: Sequence[Remaining]) -> None:
    """Count readable words at the end again in the texts as shown; an InvariantError where it is another number."""
    sensitive = others = 0
    for document, one in zip(documents, left, strict=True):
        words = [match.span() for match in WORD.finditer(one.shown)]
        starts, ends = [start for start, _ in words], [end for _, end in words]
        gold = {
            place
            for span in one.visible(document.spans)
            for place in range(bisect_right(ends, span.start), bisect_left(starts, span.end))
        }
        sensitive += len(gold)
        others += len(words) - len(one.hidden) - len(gold)  # a placeholder is one word
    if (sensitive, others) != (game.last.left_sensitive, game.last.left_others):
        raise InvariantError("sanitizing: what can be read at the end is not what was counted")


def sanitize_files(
    corpus: Path,
    out: Path,
    how: Sanitizing | None = None,
    *,
    columns: Columns | None = None,
    replace: bool = False,
    runtime: Runtime | None = None,
) -> Game:
    """`unname sanitize`: play the game on an annotated corpus; write the chain as a model folder, with a report."""
    how = how or Sanitizing()
    all_learners(how, {})
    require_apart(out, inputs=[corpus])
    require_absent(out, replace=replace, kind=MODEL)
    documents = read_annotated(corpus, columns, labels=how.labels, split=how.split)
    with (runtime or Runtime()).started(len(documents)) as running:
        made = sanitize(documents, how, runtime=running)
    made.chain.save(out, replace=replace, page=render_game(made.game, how.budget))
    return made.game
