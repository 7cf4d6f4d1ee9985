"""Private representations: pairs, noise, the three parts, and adversaries that go on learning."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from unname.errors import ModelError, SettingsError, StateError
from unname.log import silent
from unname.neural.trainer_state import seeded
from unname.sharing.adversary import Adversary, reversed_gradient
from unname.sharing.pairs import Neighbours, batches, faked, numbered, paired, together
from unname.sharing.representation import Body, Noise, Representer
from unname.sharing.settings import RepresentationSettings
from unname.sharing.space import Space, make_space
from unname.sharing.training import (
    Attacking,
    Epoch,
    _Networks,
    _Run,
    attacked,
    make_representer,
    train_representation,
)
from unname.storage.wordvectors import WordVectors
from unname.taggers.lstm.reading import UNKNOWN, WORDS_FROM, key
from unname.taggers.reading import bio_labels, read
from unname.testing import sample_notes

pytestmark = pytest.mark.usefixtures("one_thread")
NOTES = sample_notes()
LABELS = bio_labels(NOTES)
TINY = RepresentationSettings(
    width=8,
    neighbours=5,
    units=8,
    adversary_units=8,
    batch=16,
    tagger_epochs=2,
    adversary_epochs=1,
    turns=1,
    rate=0.01,
    noise=0.1,
    bottleneck=0.0,
)


def made_space() -> Space:
    """Random vectors for all words of the notes but one."""
    words = sorted({key(r.normalised.text[t.start : t.end]) for n in NOTES for r in [read(n.text)] for t in r.tokens})
    words = [word for word in words if word.isalnum() and word != "byron"]
    return make_space(
        WordVectors(tuple(words), np.random.default_rng(0).normal(size=(len(words), 6)).astype(np.float32))
    )


SPACE = made_space()
SENTENCES = numbered(NOTES, SPACE, LABELS)


def test_sentences_are_those_of_the_tagger_in_numbers() -> None:
    assert sum(len(s.words) for s in SENTENCES) == sum(len(read(n.text).tokens) for n in NOTES)
    assert any((s.words == UNKNOWN).any() for s in SENTENCES)
    known = [SPACE.words[word - WORDS_FROM] for s in SENTENCES for word in s.words.tolist() if word >= WORDS_FROM]
    assert "chest" in known
    assert all(s.gold[at] > 0 for s in SENTENCES for at in s.held)
    assert not any(s.gold[0] > len(LABELS) // 2 for s in SENTENCES)
    batch, gold = together(SENTENCES[:3])
    assert batch.words.shape == gold.shape == (3, int(batch.lengths.max()))
    assert sorted(len(b) for b in batches(SENTENCES, 16, np.random.default_rng(0)))[-1] == 16


def test_a_false_pair_differs_at_one_token_half_of_the_time_at_an_identifier() -> None:
    random, near = np.random.default_rng(0), Neighbours(SPACE, 5)
    sentence = max(SENTENCES, key=lambda s: len(s.held) * (len(s.held) < len(s.words)))
    at = []
    for _ in range(400):
        (place,) = np.flatnonzero(faked(sentence, near, random) != sentence.words)
        at.append(int(place) in sentence.held)
        word = int(sentence.words[place])
        assert word < WORDS_FROM or word not in near.of(word)
    assert 0.4 < np.mean(at) < 0.6


@pytest.mark.parametrize("balanced", [True, False])
def test_true_pairs_are_alike_and_false_ones_differ_at_one_token(balanced: bool) -> None:
    random, near = np.random.default_rng(0), Neighbours(SPACE, 5)
    sentence = max(SENTENCES, key=lambda s: len(s.held) * (len(s.held) < len(s.words)))
    pairs = paired([sentence] * 400, near, random, balanced=balanced)
    apart = (pairs.one != pairs.other).sum(1)
    assert torch.equal(apart == 0, pairs.real)
    assert int(apart.max()) == 1
    assert 0.4 < float(pairs.real.float().mean()) < 0.6
    own = torch.from_numpy(sentence.words)
    replaced = [(side != own).any(1) for side in (pairs.one, pairs.other)]
    if balanced:  # neither side tells alone which pairs are true
        for side in replaced:
            assert all(0.4 < float(side[kind].float().mean()) < 0.6 for kind in (pairs.real, ~pairs.real))
    else:
        assert not replaced[0].any()
        assert torch.equal(replaced[1], ~pairs.real)


def test_noise_has_the_deviation_that_was_learned_and_is_drawn_anew() -> None:
    noise = Noise(2, start=0.5)
    with torch.no_grad():
        noise.scale[1] = float(np.log(2.0))
    drawn = noise(torch.zeros(20_000, 2))
    assert torch.allclose(drawn.std(dim=0), torch.tensor([0.5, 2.0]), rtol=0.05)
    follows = Noise(2, start=0.5, follows=True)
    assert torch.allclose(follows.deviation(torch.randn(3, 2)), torch.tensor(0.5))
    representer = Representer(SPACE.vectors, 8, noise=0.1).eval()
    words, lengths = torch.tensor([[3, 4, 5]]), torch.tensor([3])
    assert not torch.equal(representer(words, lengths), representer(words, lengths))
    representer.noisy = False
    assert torch.equal(representer(words, lengths), representer(words, lengths))
    assert representer(words, lengths).shape == (1, 3, 8)


def test_noise_never_falls_below_its_least() -> None:
    noise = Noise(2, start=0.1, least=1.0)
    with torch.no_grad():
        noise.scale.fill_(-7.0)
    assert torch.allclose(noise(torch.zeros(20_000, 2)).std(dim=0), torch.tensor([1.0, 1.0]), rtol=0.05)


def test_signs_are_known_but_stand_for_no_word() -> None:
    space = make_space(WordVectors(("ana", ".", "eva"), np.eye(3, dtype=np.float32)))
    assert space.words == ("ana", ".", "eva")
    near = Neighbours(space, 2)
    assert near.of(WORDS_FROM).tolist() == [WORDS_FROM + 2]
    assert near.of(UNKNOWN).tolist() == [WORDS_FROM, WORDS_FROM + 2]
    assert near.replaceable(np.array([WORDS_FROM + 1, WORDS_FROM, UNKNOWN])).tolist() == [1, 2]
    assert near.replaceable(np.array([WORDS_FROM + 1])).tolist() == [0]


def test_an_identifier_of_a_label_that_is_not_taught_counts_as_held() -> None:
    few = numbered(NOTES[:1], SPACE, ("O", "B-NAME", "I-NAME"))
    many = numbered(NOTES[:1], SPACE, LABELS)
    assert [s.held.tolist() for s in few] == [s.held.tolist() for s in many]
    assert {int(g) for s in few for g in s.gold} == {0, 1, 2}


@pytest.mark.parametrize("killed_in", ["tagger", "turns"])
def test_a_killed_training_goes_on_where_it_was(tmp_path: Path, killed_in: str) -> None:
    settings = replace(TINY, turns=2)
    whole = train_representation(SENTENCES[:60], SENTENCES[60:90], SPACE, LABELS, settings)

    class KilledError(Exception):
        pass

    def progress(stage: str, total: int) -> object:
        if stage == f"{killed_in}, epoch 2":
            raise KilledError
        return lambda done: None

    with pytest.raises(KilledError):
        train_representation(
            SENTENCES[:60], SENTENCES[60:90], SPACE, LABELS, settings, checkpoint=tmp_path, progress=progress  # type: ignore[arg-type]
        )  # fmt: skip
    rest = train_representation(SENTENCES[:60], SENTENCES[60:90], SPACE, LABELS, settings, checkpoint=tmp_path)
    assert rest.history == whole.history
    for name, value in rest.representer.state_dict().items():
        assert torch.equal(value, whole.representer.state_dict()[name])
    with pytest.raises(StateError):
        train_representation(SENTENCES[:50], SENTENCES[60:90], SPACE, LABELS, settings, checkpoint=tmp_path)


def test_chance_is_asked_of_each_pair_not_of_their_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sure and right in most pairs, sure and wrong in the rest: the mean loss may be ln 2, and everything is known."""
    settings = replace(TINY, weight=100.0)
    run = made_run(settings)
    said, real = torch.tensor([[2.5] * 9 + [-5.9]] * 2), torch.tensor([True] * 10)
    assert abs(float(run.adversary.losses(said, real).mean()) - np.log(2)) < 0.05
    monkeypatch.setattr(run, "_attack", lambda *_, **__: (said, real))
    fooled = run.representer_alone(SENTENCES[:10], np.random.default_rng(0)).item()
    monkeypatch.setattr(run, "_attack", lambda *_, **__: (torch.zeros(2, 10), real))
    chance = run.representer_alone(SENTENCES[:10], np.random.default_rng(0)).item()
    assert fooled > chance + 50


def test_what_vectors_tell_costs_the_representer(monkeypatch: pytest.MonkeyPatch) -> None:
    free, dear = (made_run(replace(TINY, bottleneck=price)) for price in (0.0, 10.0))
    losses = []
    for run in (free, dear):
        with seeded(0):
            losses.append(run.tagger_and_representer(SENTENCES[:10], np.random.default_rng(0)).item())
    batch, _ = together(SENTENCES[:10])
    with seeded(0), torch.no_grad():
        told = float(free.representer.telling(batch.words, batch.lengths)[1].mean())
    assert losses[1] - losses[0] == pytest.approx(10 * told, rel=0.05)
    with torch.no_grad():
        free.representer.noise_out.scale.fill_(4.0)
        assert float(free.representer.telling(batch.words, batch.lengths)[1].mean()) < 0.01 * told


def test_a_price_that_rises_is_nothing_at_first_and_whole_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = replace(TINY, tagger_epochs=1, adversary_epochs=0, turns=0)

    def learned(settings: RepresentationSettings) -> list[float]:
        return [e.told for e in train_representation(SENTENCES[:60], SENTENCES[60:90], SPACE, LABELS, settings).history]

    free, rising = learned(replace(quick, bottleneck=0.0)), learned(replace(quick, bottleneck=5.0, rising=3))
    assert rising == free
    assert learned(replace(quick, bottleneck=5.0)) != free

    # While it rises a loss may grow, and nothing is given up.
    prices = list[float]()

    def judged(run: _Run, part: str, held_out: object) -> Epoch:
        prices.append(run._price)
        return Epoch(part, float(len(prices)), 0.0, 0.0, 0.5, 0.0)

    monkeypatch.setattr(_Run, "judged", judged)
    learned(replace(quick, bottleneck=1.0, rising=4, tagger_epochs=50, patience=2))
    assert prices == [0.0, 0.25, 0.5, 0.75, 1.0, 1.0]


def made_run(settings: RepresentationSettings) -> _Run:
    with seeded(0):
        networks = _Networks(
            make_representer(SPACE.vectors, settings), Body(settings.width, LABELS, units=8),
            Adversary(settings.width, SPACE.vectors.shape[1], units=8),
        )  # fmt: skip
    return _Run(networks, Neighbours(SPACE, 5), settings, silent)


def test_without_identifiers_or_held_out_texts_there_is_nothing_to_learn() -> None:
    plain = [s._replace(held=s.held[:0]) for s in SENTENCES[:9]]
    for taught, held_out in ((plain, SENTENCES[:9]), (SENTENCES[:9], [])):
        with pytest.raises(ModelError):
            train_representation(taught, held_out, SPACE, LABELS, TINY)


def test_a_reversed_gradient_comes_back_with_its_sign_turned() -> None:
    states = torch.ones(3, requires_grad=True)
    reversed_gradient(states, 2.0).sum().backward()  # type: ignore[no-untyped-call]
    assert states.grad is not None
    assert states.grad.tolist() == [-2.0] * 3


@pytest.mark.parametrize("procedure", ["three-part", "dann"])
def test_all_parts_are_gone_through_and_the_same_seed_gives_the_same(procedure: str) -> None:
    settings = replace(TINY, procedure=procedure)
    one, other = (train_representation(SENTENCES[:60], SENTENCES[60:90], SPACE, LABELS, settings) for _ in range(2))
    parts = [epoch.part for epoch in one.history]
    assert parts == (["dann"] if procedure == "dann" else ["tagger", "tagger", "adversary", "turns"])
    assert one.history == other.history
    for name, value in one.representer.state_dict().items():
        assert torch.equal(value, other.representer.state_dict()[name])


def test_only_those_learn_whose_turn_it_is() -> None:
    settings = replace(TINY, turns=0)
    trained = train_representation(SENTENCES[:40], SENTENCES[40:60], SPACE, LABELS, settings)
    before = {name: value.clone() for name, value in trained.representer.state_dict().items()}
    tagger = {name: value.clone() for name, value in trained.body.state_dict().items()}
    own = {name: value.clone() for name, value in trained.adversary.state_dict().items()}
    found = attacked(trained, SENTENCES[:40], SENTENCES[40:60], SENTENCES[60:80], Attacking(2))
    assert len(found.curve) == 2
    assert (found.right.n, found.sentences) == (20, 20)
    for kept, network in ((before, trained.representer), (tagger, trained.body), (own, trained.adversary)):
        assert all(torch.equal(value, network.state_dict()[name]) for name, value in kept.items())


def test_a_patient_adversary_goes_on_while_it_gets_better_and_many_pairs_of_a_sentence_are_of_one_person() -> None:
    trained = train_representation(SENTENCES[:40], SENTENCES[40:60], SPACE, LABELS, replace(TINY, turns=0))
    asked = [s._replace(person=place // 4) for place, s in enumerate(SENTENCES[60:80])]
    found = attacked(trained, SENTENCES[:40], SENTENCES[40:60], asked, Attacking(2, patient=True, times=3))
    many, best = len(found.curve), 1 + int(np.argmax(found.curve))
    assert 2 <= many <= 8
    assert many == 8 or (
        2 * many >= 3 * best and (many == 2 or 2 * (many - 1) < 3 * (1 + int(np.argmax(found.curve[:-1]))))
    )
    assert (found.right.n, found.right.clusters, found.sentences) == (60, 5, 20)


@pytest.mark.slow
def test_without_noise_an_adversary_tells_pairs_apart_and_with_much_of_it_cannot() -> None:
    settings = RepresentationSettings(
        width=16, neighbours=5, units=16, adversary_units=32, batch=16, tagger_epochs=2, adversary_epochs=0, turns=0,
        rate=0.005, noise=0.1, bottleneck=0.0,
    )  # fmt: skip
    many = SENTENCES * 4
    trained = train_representation(many, SENTENCES, SPACE, LABELS, settings)
    trained.representer.noisy = False
    clear = attacked(trained, many, SENTENCES, SENTENCES, Attacking(25, enough=0.9)).right.value
    trained.representer.noisy = True
    with torch.no_grad():
        trained.representer.noise_in.scale.fill_(3.0)
        trained.representer.noise_out.scale.fill_(3.0)
    drowned = attacked(trained, many, SENTENCES, SENTENCES, Attacking(3)).right.value
    assert clear > 0.8
    assert drowned < 0.65


@pytest.mark.parametrize(
    "how",
    [
        {"width": 7},
        {"procedure": "other"},
        {"noise": 0.0},
        {"neighbours": 0},
        {"least_noise": -1.0},
        {"batch": 0},
        {"turns": -1},
    ],
)
def test_settings_that_make_no_sense_are_refused(how: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        RepresentationSettings(**how)  # type: ignore[arg-type]
