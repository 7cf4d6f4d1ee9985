"""Attackers who decode: they find what was planted, and nothing where nothing is to be found."""

import numpy as np
import pytest
import torch
from scipy.stats import binomtest
from torch import nn

from unname.errors import ModelError, UnsafeReleaseError
from unname.neural.trainer_state import seeded
from unname.sharing.card import (
    ALIGNED,
    DECODER,
    EQUALITY,
    LANGUAGE,
    MEMBERSHIP,
    PAIRS,
    TABLE,
    Attack,
    Card,
    Scene,
    _Attackers,
    decoding_attacks,
    pair_attack,
    read_card,
)
from unname.sharing.decoders import align_known, aligned, recover_rotation
from unname.sharing.decoding import (
    Tokens,
    best_path,
    guess_in_parts,
    learn_bigrams,
    learn_prior,
    mean_gaussians,
    tokens,
    whitening,
    with_language,
)
from unname.sharing.lessons import Lesson, most_told
from unname.sharing.pairs import Neighbours, Numbered
from unname.sharing.recognising import equality, membership
from unname.sharing.representation import Representer
from unname.sharing.representer import PrivateRepresenter
from unname.sharing.settings import Limits, RepresentationSettings
from unname.sharing.space import make_space
from unname.sharing.training import Attacked
from unname.statistics import rate
from unname.storage.wordvectors import WordVectors

pytestmark = pytest.mark.usefixtures("one_thread")
RANDOM = np.random.default_rng(0)
WORDS = 60


def world(count: int, seed: int) -> list[Numbered]:
    """Sentences of a small language: a name (one of thirty, all in one class) after a title, then what people do."""
    random = np.random.default_rng(seed)
    found = []
    for person in range(count):
        name, act = int(random.integers(2, 32)), int(random.integers(32, 50))
        # Who has which title follows from the name, so that a language model has something to say.
        words = np.array([50 + name % 8, name, act, int(random.integers(58, 62))])
        casings = words % 7
        casings[:2] = 4
        found.append(Numbered(words, casings, np.array([0, 1, 0, 0]), np.array([1]), person))
    return found


def made_representer(noise: float) -> PrivateRepresenter:
    """A representer of these words that passes vectors on nearly as they are, with so much noise."""
    names = tuple(f"w{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(WORDS))
    space = make_space(WordVectors(names, RANDOM.normal(size=(WORDS, 12)).astype(np.float32)))
    settings = RepresentationSettings(width=24, neighbours=10, noise=noise)
    with seeded(0):
        network = Representer(space.vectors, 24, noise=noise).eval()
    return PrivateRepresenter(space.words, network, ("O", "B-NAME", "I-NAME"), settings, bytes(32))


def attacks(noise: float, *, turned: bool = False) -> dict[str, Attack]:
    scene = Scene(made_representer(noise), world(400, 1), world(40, 2), world(700, 3), turned=turned)
    found, coverage = decoding_attacks(scene)
    assert coverage == 1.0
    return {one.name: one for one in found}


@pytest.fixture(scope="module")
def clear() -> dict[str, Attack]:
    return attacks(0.02)


@pytest.fixture(scope="module")
def drowned() -> dict[str, Attack]:
    return attacks(8.0)


def test_where_there_is_hardly_any_noise_every_attack_finds_the_names(clear: dict[str, Attack]) -> None:
    assert clear[TABLE].found > 0.9
    assert clear[DECODER].found > 0.8
    assert clear[f"{ALIGNED}, 1000 known"].found > 0.8
    assert clear[f"{ALIGNED}, 1000 known"].found > clear[f"{ALIGNED}, 10 known"].found
    assert clear[MEMBERSHIP].found > 0.9
    assert clear[EQUALITY].found > 0.8
    assert all(one.blind < 0.2 for one in clear.values() if one.name not in (MEMBERSHIP, EQUALITY))


def test_in_enough_noise_no_attack_finds_more_than_without_vectors(drowned: dict[str, Attack]) -> None:
    for one in drowned.values():
        if LANGUAGE not in one.name:
            assert one.found - one.blind < 0.12 and -0.1 < one.most < 0.2, one


class Passed(nn.Module):
    """Passes vectors on as they are."""

    def forward(self, states: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        return states


@pytest.mark.parametrize("follows", [False, True])
def test_what_vectors_tell_at_most_is_what_gaussian_ones_of_their_covariance_would(follows: bool) -> None:
    """Two words at 0.6 and -0.6 in one of two numbers, under noise of .5; where it follows, of .5 and .2."""
    random = np.random.default_rng(0)
    words = random.integers(2, 4, size=(2000, 3))
    sentences = [Numbered(row, np.zeros(3, np.int64), np.array([0, 1, 2]), np.array([1, 2])) for row in words]
    network = Representer(np.array([[0.6, 0.0], [-0.6, 0.0]], np.float32), 2, noise=0.5, follows=follows)
    network.lstm, network.noise_in.scale.data = Passed(), torch.full((2,), -9.0)  # type: ignore[assignment]
    if network.noise_out.follows is not None:
        # log .5 ± c at ± 0.6 in both numbers, so that the second word's noise is .2.
        c = float(np.log(0.5 / 0.2)) / 2
        network.noise_out.scale.data -= c
        network.noise_out.follows.weight.data = torch.tensor([[c / 0.6, 0.0], [c / 0.6, 0.0]])
    held = words[:, 1:].ravel()
    spread = np.var(np.where(held == 2, 0.6, -0.6), ddof=1)
    noise = np.where(held == 2, 0.25, 0.04) if follows else np.full(len(held), 0.25)
    wanted = 0.5 * (np.log(spread + noise.mean()) + np.log(noise.mean()) - 2 * np.log(noise).mean())
    assert most_told(network, sentences) == pytest.approx(wanted, abs=0.005)
    assert network.training


def test_what_vectors_tell_at_most_is_no_less_than_what_they_tell() -> None:
    """Nearly without noise a vector says which of 60 words it is: ln 60 nats. In much, next to nothing."""
    sentences = [
        Numbered(row, np.zeros(4, np.int64), np.zeros(4, np.int64), np.arange(4))
        for row in np.random.default_rng(1).integers(2, 2 + WORDS, size=(400, 4))
    ]
    told = [most_told(made_representer(noise).network, sentences) for noise in (0.001, 0.1, 1.0, 50.0)]
    assert told[0] > np.log(WORDS)
    assert told == sorted(told, reverse=True)
    assert 0 <= told[3] < 0.2
    # Of few tokens it says more and not less; of no more than a vector has numbers, nothing at all.
    assert most_told(made_representer(1.0).network, sentences[:10]) > told[2]
    for few in ([], sentences[:6]):
        with pytest.raises(UnsafeReleaseError):
            most_told(made_representer(1.0).network, few)


def test_a_map_that_is_trusted_less_lets_what_is_in_clear_decide() -> None:
    """A map of ten tokens is wrong nearly everywhere and looks sure."""
    random = np.random.default_rng(0)
    vectors, odds = random.normal(size=(500, 100)), 1 / np.arange(1, 501) ** 1.5
    words = random.choice(500, p=odds / odds.sum(), size=3000)
    around = 0.5 * random.normal(size=(3000, 50)) @ random.normal(size=(50, 50))
    states = np.tanh(vectors[words] @ random.normal(size=(100, 50)) / 10 + around).astype(np.float32)
    cloud = Tokens(states, words, np.zeros(3000, np.int64), np.arange(3000), np.ones(3000, bool))
    prior = learn_prior(words, cloud.classes, 500, 1)

    def right(many: int, trust: float) -> float:
        found = align_known(cloud.at(slice(many)), cloud, vectors).trusted(trust)
        return float((guess_in_parts(found, cloud, prior) == words).mean())

    blind = float((words == 0).mean())
    assert right(10, 1.0) < blind - 0.1
    assert right(10, 0.1) > blind - 0.05
    assert right(1000, 1.0) > blind + 0.2


def test_of_several_trusts_in_a_map_the_best_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    found, holder = {}, made_representer(0.4)
    for trusts in ((1.0,), (1.0, 0.3, 0.1), (0.1,)):
        monkeypatch.setattr("unname.sharing.card._TRUST", trusts)
        attackers = _Attackers(Scene(holder, world(100, 1), world(40, 2), world(300, 3)))
        attackers.blind()
        found[trusts] = [one.found for one in attackers.known()]
    every = list(found.values())
    assert all(np.array(every[1]) >= np.maximum(every[0], every[2]))
    assert every[0] != every[2]


def test_a_language_model_helps_where_vectors_leave_a_doubt() -> None:
    """Title 50 goes with names 8, 16 and 24; the vectors of name 9 fit a little better."""
    sentence = Numbered(np.array([50, 8, 40, 60]), np.array([4, 4, 2, 2]), np.array([0, 1, 0, 0]), np.array([1]))
    some = tokens([sentence], [np.zeros((4, 2), np.float32)])
    scores = np.full((4, 62), -9.0, np.float32)
    scores[np.arange(4), some.words] = 3.0
    scores[1, 9] = 3.5
    assert scores.argmax(axis=1).tolist() == [50, 9, 40, 60]
    bigrams = learn_bigrams([one.words for one in world(400, 1)], 62)
    assert with_language(scores, some, bigrams).tolist() == [50, 8, 40, 60]
    scores[1, 9] = 30.0
    assert with_language(scores, some, bigrams)[1] == 9


def test_an_insider_without_the_rotation_finds_it_himself(clear: dict[str, Attack]) -> None:
    """So a rotation hides nothing from who has the representer: the card never counts on it."""
    turned = attacks(0.02, turned=True)
    assert turned[TABLE].found > 0.6
    for name in (f"{ALIGNED}, 1000 known", EQUALITY):
        assert turned[name].found == pytest.approx(clear[name].found, abs=0.1)


def test_a_recovered_rotation_is_the_one_that_was_used() -> None:
    random = np.random.default_rng(0)
    words, classes = random.integers(40, size=4000), random.integers(5, size=4000)
    means = random.normal(size=(40, 5))
    states = (means[words] + 2 * random.normal(size=(5, 5))[classes] + 0.1 * random.normal(size=(4000, 5))).astype(
        np.float32
    )
    turn, _ = np.linalg.qr(random.normal(size=(5, 5)))
    own = Tokens(states, words, classes, np.arange(4000), np.ones(4000, bool))
    seen = own._replace(states=(states @ turn).astype(np.float32), words=np.zeros(4000, np.int64))
    gaussians, prior = mean_gaussians(own, 40, means), learn_prior(words, classes, 40, 5)
    # Any other rotation would be about 3 away.
    assert np.linalg.norm(recover_rotation(seen, own, gaussians, prior) - turn) < 0.4


def test_alignment_is_weighted_ridge_regression() -> None:
    random = np.random.default_rng(0)
    vectors, map_ = random.normal(size=(500, 4)), random.normal(size=(4, 3))
    states = (vectors @ map_ + 7.0 + 0.1 * random.normal(size=(500, 3))).astype(np.float32)
    found, covariance = aligned(states, vectors, np.ones(500), np.eye(3))
    assert np.allclose(found[:-1], map_, atol=0.05)
    assert np.allclose(found[-1], 7.0, atol=0.05)
    # Few pairs would leave the covariance of all; many leave the noise's own.
    assert np.all(np.diag(covariance) < 0.05)


def test_whitened_vectors_have_independent_parts_of_deviation_one() -> None:
    rows = np.random.default_rng(0).normal(size=(5000, 3)) @ np.array([[2, 0, 0], [1, 1, 0], [0, 0, 0.1]])
    assert np.allclose(np.cov((rows @ whitening(np.cov(rows.T))).T), np.eye(3), atol=0.01)


def test_a_prior_is_how_often_a_word_has_a_class() -> None:
    words, classes = np.array([2, 2, 2, 3, 4]), np.array([7, 7, 7, 7, 9])
    prior = learn_prior(words, classes, 5, 20)
    table = np.exp(prior.of(np.array([7, 9, 11, 500])))
    assert np.allclose(table.sum(axis=1), 1)
    assert table[0].argmax() == 2
    assert table[1].argmax() == 4
    assert table[2].argmax() == 2  # a class nobody saw: as in the whole text
    assert np.allclose(table[2], table[3])


def test_the_best_path_is_the_best_of_all() -> None:
    """Against trying every sentence."""
    random = np.random.default_rng(3)
    bigrams = learn_bigrams([random.integers(0, 4, size=6) for _ in range(30)], 4)
    for _ in range(20):
        scores = [row.astype(np.float32) for row in random.normal(size=(4, 4))]
        every = np.stack(np.meshgrid(*[range(4)] * 4, indexing="ij"), -1).reshape(-1, 4)
        gains = bigrams.gain(np.arange(4), np.arange(4))
        worth = sum(np.array([row[w] for w in every[:, at]]) for at, row in enumerate(scores))
        worth = worth + sum(gains[every[:, at], every[:, at + 1]] for at in range(3))
        assert best_path(scores, bigrams).tolist() == every[int(worth.argmax())].tolist()


def test_sentences_are_decoded_apart() -> None:
    sentences = world(5, 0)
    some = tokens(sentences, [np.zeros((4, 2), np.float32)] * 5)
    bigrams = learn_bigrams([s.words for s in world(200, 1)], 62)
    scores = np.full((20, 62), -9.0, np.float32)
    scores[np.arange(20), some.words] = 9.0
    assert with_language(scores, some, bigrams).tolist() == some.words.tolist()


def test_means_of_rare_words_are_drawn_towards_what_they_would_be_alone() -> None:
    known = Tokens(np.array([[2.0, 0.0], [0.0, 2.0], [0.0, 4.0]], np.float32), np.array([0, 1, 1]), np.zeros(3, np.int64),
                   np.arange(3), np.ones(3, bool))  # fmt: skip
    found = mean_gaussians(known, 3, np.array([[0.0, 0.0], [0.0, 0.0], [5.0, 5.0]]))
    assert found.means.tolist() == [[1.0, 0.0], [0.0, 2.0], [5.0, 5.0]]


def test_membership_takes_the_nearer_of_two_sentences() -> None:
    representer = made_representer(0.001)
    near = Neighbours(representer.space, 5)
    sentences = world(200, 4)
    states = representer.represent(sentences, secret=1)
    shared = [Lesson(row, s.casings, s.gold) for s, row in zip(sentences, states, strict=True)]

    def represent(some: list[Numbered]) -> list[np.ndarray]:  # type: ignore[type-arg]
        return representer.represent(some, secret=0, noisy=False)

    found = membership(sentences, shared, near, represent, np.eye(24), seed=0)  # type: ignore[arg-type]
    assert found.value > 0.97
    assert (found.n, found.clusters) == (200, 200)
    blind = [one._replace(states=np.zeros_like(one.states)) for one in shared]
    random = np.random.default_rng(1)
    noise = [one._replace(states=random.normal(size=one.states.shape).astype(np.float32)) for one in blind]
    assert 0.35 < membership(sentences, noise, near, represent, np.eye(24), seed=0).value < 0.65  # type: ignore[arg-type]


def test_equality_is_half_where_vectors_say_nothing() -> None:
    sentences = world(400, 5)
    random = np.random.default_rng(0)
    blind = tokens(sentences, [random.normal(size=(4, 6)).astype(np.float32) for _ in sentences])
    places = np.flatnonzero(blind.held)
    people = np.arange(len(sentences)) % 40
    assert 0.4 < equality(blind, places, people, most=400, seed=0).value < 0.6
    table = random.normal(size=(62, 6))
    seen = blind._replace(states=table[blind.words].astype(np.float32))
    found = equality(seen, places, people, most=400, seed=0)
    assert found.value > 0.95
    assert 20 < found.clusters <= 40
    # One pair is for choosing the border, and none is left to judge it by.
    alone = seen.words == np.bincount(seen.words[places]).argmax()
    first, second = np.flatnonzero(alone & seen.held)[:2]
    some = np.array([first, second, *places[seen.words[places] != seen.words[first]][:1]])
    for few in (places[:1], some):
        assert equality(seen, few, people, most=400, seed=0).n == 0


def made_card(attacks: tuple[Attack, ...], limits: Limits) -> Card:
    return Card(attacks, limits, coverage=1.0, neighbours=100, epochs=60, told=1.0, weights="0" * 64)


def made_attack(name: str, found: float, blind: float, cases: int = 2000, more: float = 0.0) -> Attack:
    return Attack(name, found, blind, cases, found - blind + more)


FINE = (made_attack(PAIRS, 0.53, 0.5), made_attack(f"{ALIGNED}, 1000 known", 0.30, 0.26))


def test_a_card_says_which_limits_are_passed() -> None:
    assert made_card(FINE, Limits()).beyond() == []
    assert len(made_card(FINE, Limits(pairs=0.52, alignment=0.03)).beyond()) == 2
    assert len(made_card(FINE, Limits()).beyond(Limits(pairs=0.52, alignment=0.03))) == 2
    assert made_card((FINE[0], made_attack(f"{ALIGNED}, 1000 known", 0.32, 0.26)), Limits()).beyond()
    assert "fewer than 101" in made_card(FINE, Limits(neighbours=101)).beyond()[0]
    assert "60 epochs, fewer than 61" in made_card(FINE, Limits(epochs=61)).beyond()[0]
    # Whoever asks for nonsense gets nothing, and what is past a limit does not look as if it were not.
    assert len(made_card(FINE, Limits(pairs=float("nan"), alignment=float("nan"))).beyond()) == 2
    assert (
        "55.1 % of pairs, more than 55.0 %"
        in made_card((made_attack(PAIRS, 0.53, 0.5, more=0.0201), FINE[1]), Limits()).beyond()[0]
    )
    # Of several alignments, in any order, the one with most known tokens counts; a language model's help is not held
    # against it.
    more = (
        made_attack(f"{ALIGNED}, 1000 known, {LANGUAGE}", 0.5, 0.26),
        *FINE,
        made_attack(f"{ALIGNED}, 10 known", 0.9, 0.1),
    )
    assert made_card(more, Limits()).beyond() == []
    # Of several pair adversaries none may have had too few cases.
    few = (FINE[0], made_attack(PAIRS, 0.5, 0.5, cases=40), FINE[1])
    assert "too little" in made_card(few, Limits()).beyond()[0]


def test_upper_limits_count_not_what_chance_made_of_few_cases() -> None:
    assert made_card((made_attack(PAIRS, 0.53, 0.5, more=0.03), FINE[1]), Limits()).beyond()
    assert made_card((FINE[0], made_attack(FINE[1].name, 0.30, 0.26, more=0.02)), Limits()).beyond()
    for cases, safe in ((500, True), (40, False)):
        tries = [Attacked((), rate([1.0] * (cases * share // 10) + [0.0] * (cases - cases * share // 10), range(cases)), 30)
                 for share in (5, 4)]  # fmt: skip
        pairs = pair_attack(tries)
        assert (pairs.found, pairs.cases) == (0.5, 30)
        assert (made_card((pairs, FINE[1]), Limits(cases=1)).beyond() == []) is safe
    most = binomtest(280, 500).proportion_ci(0.95, "wilson").high
    one = Attacked((), rate([1.0] * 280 + [0.0] * 220, range(500)), 500)
    assert pair_attack([one]).most == pytest.approx(most - 0.5, abs=1e-6)
    # The same pairs of ten people, half of whom are found always: nobody knows how the next ten fare.
    few = Attacked((), rate([1.0] * 250 + [0.0] * 250, [place // 50 for place in range(500)]), 500)
    assert pair_attack([few]).most > 0.2


@pytest.mark.parametrize("left", [(), (0,), (1,), (0, 2), (3, 1), (0, 4)])
def test_a_card_without_enough_to_judge_by_lets_nothing_pass(left: tuple[int, ...]) -> None:
    every = (
        *FINE, made_attack(f"{ALIGNED}, 1000 known", 0.2, 0.2, 499), made_attack(PAIRS, 0.5, 0.5, 30),
        made_attack(f"{ALIGNED}, 999 known", 0.2, 0.2),
    )  # fmt: skip
    assert "too little" in made_card(tuple(every[place] for place in left), Limits()).beyond()[0]


def test_a_card_comes_back_from_a_file_and_a_malformed_one_is_refused() -> None:
    card = Card(FINE, Limits(), 0.8, 100, 50, 1.5, "ab" * 32)
    whole = card.as_dict()
    limits = whole["limits"]
    assert read_card(whole) == card
    row = whole["attacks"][0]
    for wrong in (
        {}, {"attacks": whole["attacks"]}, whole | {"more": 1}, whole | {"attacks": 7}, whole | {"coverage": 2},
        whole | {"limits": limits | {"pairs": 2.0}}, whole | {"limits": limits | {"cases": True}},
        whole | {"limits": {}}, whole | {"limits": limits | {"more": 1}}, whole | {"attacks": [{"name": "x"}]},
        whole | {"epochs": -1}, whole | {"attacks": [row | {"name": f"{ALIGNED}, {'9' * 5000} known"}]},
        whole | {"attacks": [row | {"name": 5}]}, whole | {"attacks": [row | {"name": "Ada Byron"}]},
        whole | {"told": -1.0}, whole | {"told": float("inf")}, whole | {"neighbours": 1.5},
        whole | {"weights": "x"}, whole | {"weights": 5},
        whole | {"attacks": [row | {"found": float("nan")}]}, whole | {"attacks": [row | {"most": 5}]},
    ):  # fmt: skip
        with pytest.raises(ModelError):
            read_card(wrong)


def test_too_few_words_to_ask_about_are_an_error() -> None:
    scene = Scene(made_representer(0.1), world(40, 1), world(10, 2), [])
    with pytest.raises(UnsafeReleaseError, match="too little public text"):
        decoding_attacks(scene)
