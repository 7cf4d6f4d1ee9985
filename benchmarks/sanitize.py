"""GreedySanitize on names: rounds, words published, what the best attacker still finds; and all of MEDDOCAN's types.

    python -m benchmarks.sanitize [meddocan|btc|wikigold|wnut17 ...] [--choice CHOICE ...] [--folds 0,1,2,3] [--all]
    python -m benchmarks.sanitize types

Four folds of documents (of larger corpora a sample; `--all` takes all); a game is played on three and its chain used on the
fourth. Choices: crf, svm, ensemble (a game of this learner), selection (of the three the most accurate in each round), each
played at L/C = 100, so that the same chain cut short says how it ends at smaller ones; `judging` is the ensemble of the
paper, whose SVM adds nothing; `crf in-sample` and `svm in-sample` stop by claims of learners that saw the documents, as in
the paper; `default` is `unname sanitize` as it comes, at L/C = 10, learners that lean to recall among them; `weighed` are
single classifiers that weigh a leak as L/C needless masks. Attackers (CRF, SVM, ensemble; the first two also leaning) learn
from what held-out learners leave of the three folds, and are tried on what the chain leaves of the fourth: whatever they
find counts, whichever does best. CRFs learn in 30 passes, from features seen ten times or more. All counts are of words
(`\\w+`).
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.clinical import meddocan
from benchmarks.corpora import data_folder
from benchmarks.results import load_rows, save, say
from unname.statistics import wilson
from unname.storage.documents import read_corpus
from unname.storage.formats import group_of
from unname.taggers.base import Tagger
from unname.taggers.labels import is_direct
from unname.taggers.linear.crf import Crf
from unname.taggers.linear.crfsuite import CrfSettings
from unname.taggers.linear.ensemble import EnsembleTagger
from unname.taggers.linear.svm import Svm
from unname.taggers.remaining import Remaining, hiding_all
from unname.taggers.vote import Vote
from unname.types import Document, Span
from unname.verbs.sanitize.game import RATIOS, Turn, Words
from unname.verbs.sanitize.learning import CrossLearning, Learners, leaning
from unname.verbs.sanitize.options import HELD_OUT, Sanitizing
from unname.verbs.sanitize.run import ATTACKERS_LEAN, claim_of, hidden_words, sanitize

CORPORA = ("wikigold", "wnut17", "meddocan", "btc")
CHOICES = ("crf", "svm", "ensemble", "selection", "crf in-sample", "svm in-sample", "default", "weighed", "judging")
FOLDS = 4
# Of larger corpora so many documents: all of them take a day.
SAMPLE = {"meddocan": 250, "btc": 2000, "wnut17": 2500}
ATTACKERS = ("crf", "svm", "ensemble")
_FEWEST, _PASSES = 10, 30
_NAMES = frozenset(("PER", "person", "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"))


def names(corpus: str, *, every: bool = False) -> list[Document]:
    """Documents in which only the names of persons are annotated: as many as one waits for, drawn at random, or all."""
    archive = data_folder() / "names" / f"{corpus}.tar.gz"
    read = meddocan("train") if corpus == "meddocan" else read_corpus(archive, "conll")
    found = [replace(d, spans=tuple(replace(s, label="NAME") for s in d.spans if s.label in _NAMES)) for d in read]
    drawn = np.random.default_rng(0).permutation(len(found))[: len(found) if every else SAMPLE.get(corpus, len(found))]
    return [found[place] for place in sorted(drawn.tolist())]


def crf() -> Crf:
    """A CRF that learns quickly."""
    return Crf(CrfSettings(passes=_PASSES), fewest=_FEWEST)


def svm() -> Svm:
    """An SVM with the same features."""
    return Svm(fewest=_FEWEST)


def ensemble(*, judge_only: bool = False) -> EnsembleTagger:
    """The ensemble of these two, or the one of the paper."""
    return EnsembleTagger(crf(), svm(), judge_only=judge_only)


LEARNERS: Learners = {"crf": crf, "svm": svm, "ensemble": ensemble, "judging": partial(ensemble, judge_only=True)}


def settings(choice: str) -> Sanitizing:
    """The settings of the game for a choice."""
    paper: dict[str, Any] = {"loss": 100.0, "lean": 1.0, "choose": "accuracy", "attackers": ()}
    if choice == "default":
        return Sanitizing(("crf", "svm"), attackers=())
    if choice == "judging":
        return Sanitizing(("judging",), **paper)
    kind, _, stopping = choice.partition(" ")
    return Sanitizing((kind,), **paper, stopping=stopping or HELD_OUT)


class Follower:
    """A follower of a game on documents that the game does not see, who attacks what is published there.

    That is what the first learner alone leaves, and what is left wherever the game ends at one of some ratios L/C.
    """

    def __init__(
        self, asked: Sequence[Document], attackers: Sequence[str] = ATTACKERS, ratios: Sequence[float] = RATIOS
    ) -> None:
        self._open = set(ratios)
        self._asked, self._words, self._attackers = asked, Words(asked), attackers
        self._left = tuple(Remaining(document.text) for document in asked)
        self._links = 0
        self.states: list[dict[str, Any]] = []

    def __call__(self, links: Sequence[Tagger], left: Sequence[Remaining], learning: CrossLearning, turn: Turn) -> None:
        """One state: what is left after these links, and what each attacker would claim of it."""
        for link in links[self._links :]:
            self._left = hiding_all(self._left, self._tagged(link))
        self._links = len(links)
        state: dict[str, Any] = {"links": len(links), **spread(self._words, hidden_words(self._words, self._left))}
        ending = {ratio for ratio in self._open if turn.claim.utility(ratio, 1.0) <= 0}
        self._open -= ending
        if len(links) == 1 or ending:
            state["attacks"] = {
                learner.name: [claim.sensitive, claim.others]
                for learner in leaning(self._attackers, ATTACKERS_LEAN)
                for claim in [claim_of(learner, self._words, self._left, self._tagged(learning.learned(learner)))]
            }
        self.states.append(state)

    def _tagged(self, tagger: Tagger | None) -> list[list[Span]]:
        return tagger.tag([one.shown for one in self._left]) if tagger else [[] for _ in self._left]


class Spread(NamedTuple):
    """Sums over people (or documents, where these are not known) of so many words `x` of `y`: a share and its interval."""

    x: int
    y: int
    xx: int
    xy: int
    yy: int
    people: int

    @classmethod
    def of(cls, words: Words, some: npt.NDArray[np.bool_], kind: npt.NDArray[np.bool_]) -> "Spread":
        """The number of words of a kind that are also among some."""
        x = np.bincount(words.people, some & kind).astype(np.int64)
        y = np.bincount(words.people, kind).astype(np.int64)
        sums = (x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum(), (y > 0).sum())
        return cls(*map(int, sums))

    def plus(self, other: "Spread") -> "Spread":
        """The sums over both, which have no people in common."""
        return Spread(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def share(self) -> float:
        """Of all words of the kind."""
        return self.x / self.y if self.y else 0.0

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval at as many independent words as differ as much from person to person.

        Where all have the same share nothing tells how much they might differ, and each person counts as one.
        """
        if not self.y:
            return 0.0, 1.0
        share, few = self.share, max(self.people, 2)
        spread = (self.xx - 2 * share * self.xy + share * share * self.yy) * few / (few - 1)
        alone = share * (1 - share) * self.y
        independent = self.y / max(spread / alone, 1.0) if spread > 1e-9 and alone > 0 else self.people
        return wilson(share, independent)


def spread(words: Words, hidden: Any) -> dict[str, Any]:
    """The sensitive and the other words that are left, each as a `Spread`."""
    kinds = (("sensitive", words.sensitive), ("others", ~words.sensitive))
    return {name: list(Spread.of(words, ~hidden, which)) for name, which in kinds}


def played(taught: Sequence[Document], asked: Sequence[Document], choice: str) -> dict[str, Any]:
    """One game, and what its chain leaves of other documents."""
    how = settings(choice)
    # Nobody learns to attack from texts that the publisher's learners have seen: of those less is left than of others.
    started, follower = (
        time.process_time(),
        Follower(asked, ATTACKERS if how.stopping == HELD_OUT else (), RATIOS if how.loss == 100.0 else (how.loss,)),
    )
    made = sanitize(taught, how, learners=LEARNERS, watch=follower)
    return {"game": made.game.as_dict(), "states": follower.states, "cpu_s": round(time.process_time() - started)}


def weighed(taught: Sequence[Document], asked: Sequence[Document]) -> dict[str, Any]:
    """Single classifiers to which a leak is L/C needless masks: leaning so far, and an SVM with such weights in training."""
    words, found = Words(asked), dict[str, Any]()
    first, second = crf().fit(taught), svm().fit(taught)
    for ratio in RATIOS:
        made: dict[str, Tagger] = {"crf": replace(first, lean=float(ratio)), "svm": replace(second, lean=float(ratio))}
        made["svm, class weights"] = Svm(fewest=_FEWEST, identifier_weight=float(ratio)).fit(taught)
        for name, tagger in made.items():
            hidden = words.touched(tagger.tag([document.text for document in asked]))
            found[f"{name} {ratio}"] = spread(words, hidden)
    return {"weighed": found}


def folds(documents: Sequence[Document], number: int) -> tuple[list[Document], list[Document]]:
    """Three folds to play on, and the fourth."""
    place = np.random.default_rng(0).permutation(len(documents)) % FOLDS
    paired = list(zip(documents, place.tolist(), strict=True))
    return [d for d, p in paired if p != number], [d for d, p in paired if p == number]


def types() -> None:
    """All types of MEDDOCAN: taught by train, asked on dev; what is left by group, beside each learner once."""
    taught, asked = meddocan("train"), meddocan("dev")
    chosen: dict[str, Callable[[], Sanitizing]] = {
        "default": lambda: Sanitizing(("crf", "svm"), loss=10.0, attackers=()),
        "svm": lambda: Sanitizing(("svm",), loss=10.0, lean=1.0, attackers=()),
    }
    for name, how in chosen.items():
        if f"types {name}" in load_rows("sanitize"):
            continue
        started, follower = time.process_time(), Grouped(asked)
        made = sanitize(taught, how(), learners=LEARNERS, watch=follower)
        seconds = round(time.process_time() - started)
        save_row(f"types {name}", {"game": made.game.as_dict(), "states": follower.states, "cpu_s": seconds})
        say(f"types {name}", [(state["links"], state["direct"][:2], state["others"][:2]) for state in follower.states])


def once() -> None:
    """The same with each learner used once, and with whatever any of them finds."""
    taught, asked = meddocan("train"), meddocan("dev")
    words, texts = Words(asked), [document.text for document in asked]
    first, second = crf().fit(taught), svm().fit(taught)
    plain: dict[str, Tagger] = {"crf": first, "svm": second, "vote crf svm": Vote((first, second), 1)}
    for name, tagger in plain.items():
        left = hiding_all([Remaining(text) for text in texts], tagger.tag(texts))
        hidden = hidden_words(words, left)
        state = {"links": 1, **spread(words, hidden), **leaks(asked, left)}
        save_row(f"types {name}, once", {"states": [{"links": 0}, state]})
        say(f"types {name}, once", state["direct"])


class Grouped(Follower):
    """A follower who also counts entities of which a word can be read, by group of labels."""

    def __init__(self, asked: Sequence[Document]) -> None:
        super().__init__(asked, ("crf", "svm"), (10.0,))

    def __call__(self, links: Sequence[Tagger], left: Sequence[Remaining], learning: CrossLearning, turn: Turn) -> None:
        super().__call__(links, left, learning, turn)
        self.states[-1] |= leaks(self._asked, self._left)


def leaks(asked: Sequence[Document], left: Sequence[Remaining]) -> dict[str, Any]:
    """(entities of which a word can be read, entities) by group of labels, and over those that name a person directly."""
    groups: dict[str, list[int]] = {}
    direct = [0, 0]
    for document, one in zip(asked, left, strict=True):
        for span in document.spans:
            leaked = bool(one.visible([span]))
            for row in (
                groups.setdefault(group_of(span.label) or span.label, [0, 0]),
                *([direct] if is_direct(span.label) else []),
            ):
                row[0], row[1] = row[0] + leaked, row[1] + 1
    return {"groups": dict(sorted(groups.items())), "direct": direct}


def main() -> None:
    """Measure what is asked for; rows that an earlier run left are kept, and not measured again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=", ".join((*CORPORA, "types")))
    parser.add_argument("--choice", action="append", choices=CHOICES, help="repeatable (default: all)")
    parser.add_argument("--folds", default="0,1,2,3")
    parser.add_argument("--all", action="store_true", help="all documents of every corpus")
    options = parser.parse_args()
    for corpus in options.corpora or (*CORPORA, "types"):
        if corpus == "types":
            once()
            types()
            continue
        documents = names(corpus, every=options.all)
        for number in map(int, options.folds.split(",")):
            taught, asked = folds(documents, number)
            for choice in options.choice or CHOICES:
                key = f"{corpus} fold {number} {choice}"
                if key in load_rows("sanitize"):
                    continue
                row = weighed(taught, asked) if choice == "weighed" else played(taught, asked, choice)
                save_row(key, row)
                states = row.get("states", ())
                say(key, row.get("cpu_s"), [(s["links"], s["sensitive"][0], s["others"][0]) for s in states])


def save_row(key: str, row: dict[str, Any]) -> None:
    """Keep one row; nothing else is written, for what was read before may be old by now."""
    save("sanitize", {key: row}, seed=0)


if __name__ == "__main__":
    main()
