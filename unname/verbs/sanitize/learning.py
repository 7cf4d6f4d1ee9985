"""Learning from documents without some parts of them: everything is learned once, whoever asks for it again.

Claims are of learners that were taught without the document they judge; an ensemble is made of what its rivals learned.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeGuard, cast

import numpy as np

from unname import registry
from unname.errors import InputError, NothingToLearnError, SettingsError
from unname.runtime import Runtime
from unname.taggers.base import Tagger, TrainableTagger
from unname.taggers.leaning import MOST_LEAN
from unname.taggers.linear.crf import Crf
from unname.taggers.linear.crfsuite import CrfSettings
from unname.taggers.linear.ensemble import WITNESS_PASSES, EnsembleTagger
from unname.taggers.linear.scores import Linear
from unname.taggers.linear.sequences import IntArray
from unname.taggers.linear.svm import Svm
from unname.types import Document, Span
from unname.verbs.sanitize.game import LEANS_BY
from unname.verbs.sanitize.options import HELD_OUT, Sanitizing

Learners = Mapping[str, Callable[[], TrainableTagger]]
NOBODY: frozenset[int] = frozenset()
_GROUP = registry.TRAINABLE_TAGGERS
# Kinds that an ensemble may share what it learned with.
_SHARED = ("crf", "svm")
# A kind of learner, and the parts that it is taught without.
_KindWithout = tuple[str, frozenset[int]]


class Learner(NamedTuple):
    """A kind of learner, and how many times as likely as it would by itself it takes identifiers to be."""

    kind: str
    lean: float = 1.0

    @property
    def name(self) -> str:
        """Its name in reports."""
        return self.kind if self.lean == 1.0 else f"{self.kind}{LEANS_BY}{self.lean:g}"


class CrossLearning:
    """Documents to learn from, in parts, and what was learned without some of them: everything once."""

    def __init__(
        self, documents: Sequence[Document], part: IntArray, how: Sanitizing, learners: Learners,
        runtime: Runtime | None = None,
    ) -> None:  # fmt: skip
        self._documents, self._part, self._how, self._learners = documents, part, how, learners
        self._runtime = runtime or Runtime()
        self._known: dict[_KindWithout, Tagger | None] = {}

    def prepare(self, kinds: Sequence[str]) -> None:
        """Teach what claims of some kinds need, by as many processes as there are."""
        parts = [frozenset((number,)) for number in np.unique(self._part).tolist()]
        wanted = [
            (kind, without) for kind in kinds for without in (parts if self._how.stopping == HELD_OUT else [NOBODY])
        ]
        items: dict[_KindWithout, None] = {}
        for kind, without in wanted:
            made = self._learners[kind]()
            if self._shares(made):
                for name in _pair(made):
                    items |= {(name, without | more): None for more in (NOBODY, *parts)}
            else:
                items[kind, without] = None
        left = [item for item in items if item not in self._known]
        if not left:
            return
        advance = self._runtime.progress("learn", len(left))
        shared = self._documents, self._part.tolist(), self._learners
        for item, tagger in zip(left, self._runtime.working().map(_learned, shared, left), strict=True):
            self._known[item] = tagger
            advance(1)

    def claimed(self, learner: Learner) -> list[list[Span]]:
        """The claims of a kind of learner in each document: taught without its part, or by all in the paper's variant."""
        claims: list[list[Span]] = [[] for _ in self._documents]
        for number in np.unique(self._part).tolist():
            places = np.flatnonzero(self._part == number).tolist()
            without = frozenset((number,)) if self._how.stopping == HELD_OUT else NOBODY
            if tagger := self.learned(learner, without):
                rows = tagger.tag([self._documents[place].text for place in places])
                for place, spans in zip(places, rows, strict=True):
                    claims[place] = spans
        return claims

    def learned(self, learner: Learner, without: frozenset[int] = NOBODY) -> Tagger | None:
        """A tagger taught by all documents but some parts; None where they have nothing to learn."""
        (kind, lean), key = learner, (learner.kind, without)
        if key not in self._known:
            self._known[key] = self._taught(kind, without)
        tagger = self._known[key]
        if lean == 1.0 or not getattr(tagger, "leans", False):
            return tagger
        leaning: Any = tagger  # one that leans is a dataclass whose `lean` serves when it tags
        return cast(Tagger, replace(leaning, lean=min(leaning.lean * lean, MOST_LEAN)))

    def _taught(self, kind: str, without: frozenset[int]) -> Tagger | None:
        part, made = self._part.tolist(), self._learners[kind]()
        if not self._shares(made):
            return _learned((self._documents, part, self._learners), (kind, without))

        def pair(more: int | None, passes: int) -> tuple[Crf, Linear]:
            both = [self.learned(Learner(name), without if more is None else without | {more}) for name in _pair(made)]
            if not isinstance(both[0], Crf):
                raise NothingToLearnError("nothing to learn without this part")
            return both[0], both[-1].linear_ if isinstance(both[-1], Svm) else Linear()

        try:
            documents = _without(self._documents, part, without)
            return made.fit_parts(documents, self._part[[number not in without for number in part]], pair)
        except NothingToLearnError:
            return None

    def _shares(self, made: Tagger) -> TypeGuard[EnsembleTagger]:
        """True if this is an ensemble whose parts learn just what its rivals do: then nothing is learned twice."""
        if not isinstance(made, EnsembleTagger) or made.crf.training.passes > WITNESS_PASSES:
            return False
        svm = Svm(made.svm.cost, made.svm.quiet, made.crf.gazetteers, made.crf.fewest, made.seed)
        mine = {"crf": Crf(made.crf.training, made.crf.gazetteers, made.crf.fewest), "svm": svm}
        return all(name in self._learners and self._learners[name]() == mine[name] for name in _pair(made))


def _pair(ensemble: EnsembleTagger) -> tuple[str, ...]:
    """The kinds of learners that an ensemble is made of."""
    return ("crf",) if ensemble.judge_only else ("crf", "svm")


def _without(documents: Sequence[Document], part: Sequence[int], without: frozenset[int]) -> list[Document]:
    return [document for document, number in zip(documents, part, strict=True) if number not in without]


def _learned(shared: tuple[Sequence[Document], Sequence[int], Learners], item: _KindWithout) -> Tagger | None:
    """A tagger taught by all documents but some parts; None where these have nothing to learn."""
    documents, part, learners = shared
    kind, without = item
    taught = _without(documents, part, without)
    made: TrainableTagger = learners[kind]()
    try:
        return made.fit(taught) if any(document.spans for document in taught) else None
    except NothingToLearnError:
        return None


def inner_folds(documents: Sequence[Document], how: Sanitizing) -> IntArray:
    """The inner fold of each document: those of a person together, whatever order they come in."""
    groups = [document.id if document.person is None else f"\0{document.person}" for document in documents]
    order = sorted(set(groups))
    if len(order) < how.folds:
        raise InputError(f"sanitizing needs at least {how.folds} documents, of as many people; there are {len(order)}")
    place = np.random.default_rng(how.seed).permutation(len(order)) % how.folds
    fold = dict(zip(order, place.tolist(), strict=True))
    return np.array([fold[group] for group in groups], np.int64)


def all_learners(how: Sanitizing, others: Learners) -> Learners:
    """Every kind of learner that is named: of `others`, or registered as a tagger that can be trained.

    A CRF learns as long as those do that serve an ensemble: they are the same then. SettingsError: a kind was named that
    there is not, with a parameter that it has not, or an ensemble with too few folds.
    """
    kinds = dict.fromkeys((*how.kinds(), *how.attacking(), *_SHARED))
    made: Learners = {kind: _registered(kind, how) for kind in kinds if kind not in others} | dict(others)
    if how.folds < 3 and how.stopping == HELD_OUT and any(isinstance(made[kind](), EnsembleTagger) for kind in kinds):
        raise SettingsError("an ensemble needs at least 3 folds: one to judge, and two that its last part learns from")
    return made


def _registered(kind: str, how: Sanitizing) -> Callable[[], TrainableTagger]:
    """A maker of a registered kind, which another process can call as well."""
    crf = CrfSettings(passes=WITNESS_PASSES)
    ours: Mapping[str, Mapping[str, Any]] = {
        "crf": {"training": crf},
        "ensemble": {"crf": Crf(crf), "svm": Svm(seed=how.seed), "judge_only": how.judge_only},
    }
    seed = {"seed": how.seed} if "seed" in registry.arguments_of(_GROUP, kind) else {}
    make = partial(registry.create, _GROUP, kind, **seed, **ours.get(registry.plain(kind), {}))
    make()  # a parameter that there is not, before anything is read
    return make


def leaning(kinds: Sequence[str], leans: Sequence[float]) -> list[Learner]:
    """Learners of some kinds: as they learned, and leaning to recall where they can without learning anew."""
    return [Learner(kind, lean) for kind in kinds for lean in (leans if _leans(kind) else (1.0,))]


def _leans(kind: str) -> bool:
    return registry.is_known(_GROUP, kind) and getattr(registry.declared(_GROUP, kind), "leans", False)
