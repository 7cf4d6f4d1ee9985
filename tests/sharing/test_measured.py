"""A house's measurements of a representer on its own sentences: they need no card, and few sentences."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from unname.sharing.examples import most_nats, rough_nats
from unname.sharing.measured import measured
from unname.sharing.pairs import Numbered
from unname.sharing.representation import Representer
from unname.sharing.representer import PrivateRepresenter
from unname.sharing.settings import RepresentationSettings
from unname.taggers.lstm.reading import WORDS_FROM

pytestmark = pytest.mark.usefixtures("one_thread")
WORDS = 40
SETTINGS = RepresentationSettings(width=8, neighbours=5)


def made_representer(noise: float, size: float = 1.0) -> PrivateRepresenter:
    """One that has learned nothing; its vectors are made larger or smaller, and their noise with them."""
    random = np.random.default_rng(0)
    vectors = random.normal(size=(WORDS, 6))
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    with torch.random.fork_rng():
        torch.manual_seed(0)
        network = Representer(vectors.astype(np.float32), SETTINGS.width, noise=1.0)
    with torch.no_grad():
        network.noise_in.scale.fill_(-8.0)
        network.noise_out.scale.fill_(float(np.log(noise * size)))
        for name, value in network.lstm.named_parameters():
            if "0" in name:
                value.mul_(size)
    words = tuple(f"word{number}" for number in range(WORDS))
    return PrivateRepresenter(words, network, ("O", "B-NAME", "I-NAME"), SETTINGS, bytes(32))


def sentences(people: int, each: int = 3) -> list[Numbered]:
    random = np.random.default_rng(1)
    none = np.zeros(6, np.int64)
    return [
        Numbered(random.integers(WORDS_FROM, WORDS_FROM + WORDS, size=6), none, none, np.array([1, 2]), person)
        for person in range(people) for _ in range(each)
    ]  # fmt: skip


def test_an_insider_who_goes_by_distances_sees_through_little_noise_in_few_sentences() -> None:
    found = measured(made_representer(0.003), sentences(9), neighbours=5, epochs=1)
    assert found.pairs.low > 0.85 and found.nats > 10
    assert len(found.beyond(nats=10.0, pairs=0.55)) == 2
    assert found.beyond(nats=float("nan"), pairs=float("nan"))


def test_weights_that_are_hard_to_learn_from_hide_nothing() -> None:
    """Vectors and noise a hundred times as small tell as much as before."""
    large, small = (
        measured(made_representer(0.04, size), sentences(30), neighbours=5, epochs=1) for size in (1.0, 0.01)
    )
    assert min(large.pairs.low, small.pairs.low) > 0.6
    assert abs(large.pairs.value - small.pairs.value) < 0.1


def test_in_enough_noise_neither_sees_anything() -> None:
    found = measured(made_representer(3.0), sentences(150), neighbours=5, epochs=1)
    assert found.pairs.low < 0.5 < found.pairs.high < 0.55 and found.nats < 1
    assert found.beyond(nats=10.0, pairs=0.55) == []


@pytest.mark.parametrize("people", [1, 2])
def test_of_too_few_people_nothing_is_known_and_only_who_accepts_all_may_share(people: int) -> None:
    found = measured(made_representer(3.0), sentences(people), neighbours=5, epochs=1)
    assert found.pairs.n == 0
    assert "100.0 %" in found.beyond(nats=10.0, pairs=0.99)[0]
    assert found.beyond(nats=10.0, pairs=1.0) == []


def test_of_few_tokens_more_is_told_and_not_less() -> None:
    network = made_representer(0.3).network
    many = sentences(300)
    assert rough_nats(network, many) >= most_nats(network, many)
    bare = [without_identifiers(s) for s in many[:1]]
    assert rough_nats(network, bare) > 0


def without_identifiers(sentence: Numbered) -> Numbered:
    return sentence._replace(held=np.zeros(0, np.int64))


def test_how_strong_the_adversary_is_follows_from_nothing_in_the_folder() -> None:
    holder = made_representer(0.003)
    weak = replace(holder, settings=replace(SETTINGS, adversary_units=1, batch=1, rate=1e-9, neighbours=1))
    one, other = (measured(each, sentences(9), neighbours=5, epochs=1) for each in (holder, weak))
    assert one == other
