"""Three hospitals that learn together: from vectors, from raw texts put together, by federated averaging, or each alone.

Cases of MEDDOCAN's train go by their ids, which begin with the journal they are from: two of five to a public corpus (which
teaches word vectors and the representer), the others to three sites of like size, whose journals differ. Asked on dev.
"""

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from benchmarks.clinical import meddocan
from benchmarks.tagging import shown
from unname.scoring.i2b2 import token_scores
from unname.scoring.meddocan import TOKEN
from unname.sharing.lessons import Lesson, lessons, represented, tagged, teach, token_f1
from unname.sharing.pairs import Numbered, numbered
from unname.sharing.representation import Body, Representer
from unname.sharing.settings import RepresentationSettings, TeachingSettings
from unname.sharing.space import Space, taught_space
from unname.sharing.training import train_representation
from unname.taggers.lstm.reading import WORDS_FROM
from unname.taggers.reading import bio_labels
from unname.types import Document

WIDTH, EPOCHS, ROUNDS = 100, 5, 16
# The paper's: no price, little noise.
PAPER: dict[str, Any] = {"bottleneck": 0.0, "noise": 0.1}
# What each nat costs that vectors tell of their words: from the start, amid much noise, or rising from nothing.
NARROW: dict[str, Any] = {"bottleneck": 0.005, "noise": 0.3}
RISING: dict[str, Any] = {"bottleneck": 0.005, "noise": 0.1, "rising": 10, "tagger_epochs": 30}
# A public corpus is small: with as many epochs as elsewhere its representer takes a third of the steps, and a price that is
# asked from the first of them leaves it with little. So the second way changes four things: the price rises from nothing,
# amid less noise, over more epochs, and N is a share of the vocabulary that is nearer to the paper's.
WAYS = {
    "N = 100": RepresentationSettings(**NARROW),
    "N = 5, the price rises": RepresentationSettings(neighbours=5, **RISING),
}


def divided() -> tuple[list[Document], list[Document], list[list[Document]]]:
    """Public cases, others that say when to stop, and those of three sites."""
    train = sorted(meddocan("train"), key=lambda d: d.id)
    public = [d for place, d in enumerate(train) if place % 5 < 2]
    rest = [d for place, d in enumerate(train) if place % 5 >= 2]
    third = len(rest) // 3
    return (
        public[::5],
        [d for place, d in enumerate(public) if place % 5],
        [rest[:third], rest[third : 2 * third], rest[2 * third :]],
    )


def looked_up(sentences: Sequence[Numbered], space: Space) -> list[Lesson]:
    """Lessons of plain vectors."""
    table = np.zeros((WORDS_FROM + len(space.words), space.vectors.shape[1]), np.float32)
    table[WORDS_FROM:] = space.vectors
    return lessons(sentences, [table[sentence.words] for sentence in sentences])


def averaged(parts: Sequence[Sequence[Lesson]], held_out: Sequence[Lesson], labels: tuple[str, ...], seed: int) -> Body:
    """Federated averaging: in each round every site learns an epoch from where all stand (McMahan 2017); the best counts."""
    settings = TeachingSettings(epochs=1, seed=seed)
    total = sum(map(len, parts))
    body, best, score = None, None, -1.0
    for number in range(ROUNDS):
        # The rate falls over the rounds as it does over epochs where one learns alone.
        rate = settings.rate * (1 - 0.95 * number / ROUNDS)
        own = TeachingSettings(epochs=1, rate=rate, last_rate=1.0, seed=seed + 1000 * number)
        states = [teach(part, (), labels, own, start=body).state_dict() for part in parts]
        body = Body(parts[0][0].states.shape[1], labels, units=settings.units)
        body.load_state_dict({
            name: sum((len(part) / total * state[name] for part, state in zip(parts, states, strict=True)), torch.zeros(()))
            for name in states[0]
        })  # fmt: skip
        if (found := token_f1(body, held_out)) > score:
            best, score = body, found
    if best is None:
        raise ValueError
    return best


def sites(seed: int = 0) -> dict[str, Any]:
    """Token figures on dev of every way to learn."""
    stopping, public, houses = divided()
    asked = meddocan("dev")
    labels = bio_labels([d for part in (stopping, public, *houses) for d in part])
    space = taught_space(public, width=WIDTH, epochs=EPOCHS, seed=0)
    held, mine, theirs = (numbered(some, space, labels) for some in (stopping, public, asked))
    parts = [numbered(some, space, labels) for some in houses]
    settings = TeachingSettings(seed=seed)
    found: dict[str, Any] = {
        "documents": {"public": len(public), "stopping": len(stopping), "sites": [*map(len, houses)]}
    }

    def judged(name: str, body: Body, read: Sequence[Lesson], started: float) -> None:
        spans = tagged(asked, body, read, labels)
        tokens = shown(token_scores(asked, spans, labels=None, pattern=TOKEN).total)
        found[name] = {"tokens": tokens, "cpu_s": round(time.process_time() - started)}

    plain = [looked_up(part, space) for part in parts]
    stop, open_, read = (looked_up(some, space) for some in (held, mine, theirs))
    for number, part in enumerate(plain, start=1):
        started = time.process_time()
        judged(f"site {number} alone", teach(part, stop, labels, settings), read, started)
    for name, some in (("public alone", open_), ("raw pool", [s for part in plain for s in part]),
                       ("raw pool and public", [*open_, *(s for part in plain for s in part)])):  # fmt: skip
        started = time.process_time()
        judged(name, teach(some, stop, labels, settings), read, started)
    started = time.process_time()
    judged("federated averaging", averaged(plain, stop, labels, seed), read, started)
    started = time.process_time()
    judged("federated averaging with public", averaged([*plain, open_], stop, labels, seed), read, started)
    for name, how in WAYS.items():
        started = time.process_time()
        network = train_representation(mine, held, space, labels, how).representer
        shared = partial(_shared, network)
        pool = [s for number, part in enumerate(parts) for s in shared(part, number + 10)]
        quiet = shared(theirs, 1, noisy=False)
        judged(f"representations pooled, {name}", teach(pool, shared(held, 2), labels, settings), quiet, started)
        started = time.process_time()
        both = teach([*pool, *shared(mine, 3)], shared(held, 2), labels, settings)
        judged(f"representations and public, {name}", both, quiet, started)
    return found


def _shared(network: Representer, some: Sequence[Numbered], secret: int, *, noisy: bool = True) -> list[Lesson]:
    return lessons(some, represented(network, some, secret=secret, noisy=noisy))
