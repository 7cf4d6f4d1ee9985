"""Training: the full softmax exactly, masks as a release shows them, and a killed run that goes on as if it was not."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_trained import planted
from tiny_encoders import make_encoder

from unname.errors import ModelError, SettingsError, StateError
from unname.reidentifiers.encoders.biencoder_training import (
    TrainingSet,
    _BiencoderRun,
    load_pair,
    make_training_set,
    train,
)
from unname.reidentifiers.encoders.losses import blocked_loss
from unname.reidentifiers.encoders.settings import BiencoderSettings
from unname.reidentifiers.learned.training_examples import TrainingExample, hide_words, training_examples
from unname.text import fold, visible, words
from unname.transforms.redact import Redact
from unname.types import Document, Mask, MaskSpan, Profile

PEOPLE, DOCUMENTS = planted()
CORPUS = [d.text for d in DOCUMENTS] + [f"{k} || {v}" for p in PEOPLE for k, v in p.fields.items()]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)  # several wait for each other where cores are shared


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_encoder(tmp_path_factory.mktemp("encoders") / "bert", "bert", CORPUS)


def brief(encoder: str, **other: Any) -> BiencoderSettings:
    asked = {"document_encoder": encoder, "profile_encoder": encoder, "width": 32, "window": 16, "batch": 8, "epochs": 3,
             "profile_epochs": (1,), "held_out": 0.2, "warm_start": 2, "document_rate": 1e-3, "profile_rate": 1e-3,
             "threads": 1, "part": 2, "patience": 10, "dropout": 0.1, "encoder_dropout": 0.1}  # fmt: skip
    return BiencoderSettings(**(asked | other))


def data(asked: BiencoderSettings, documents: list[Document] = DOCUMENTS) -> TrainingSet:
    return make_training_set(PEOPLE, training_examples(PEOPLE, documents), asked)


def weights(asked: BiencoderSettings, checkpoint: Path | None = None, **other: Any) -> dict[str, torch.Tensor]:
    pair = load_pair(asked)
    train(pair, data(asked), asked, checkpoint=checkpoint, **other)
    return pair.state_dict()


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return set(one) == set(other) and all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("block", [1, 3, 7, 100])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_blocked_softmax_equals_the_plain_one_with_its_gradients(block: int, smoothing: float) -> None:
    draw = torch.Generator().manual_seed(block)
    found = []
    for blocked in (True, False):
        draw.manual_seed(1)
        queries = (3 * torch.randn(5, 4, generator=draw, dtype=torch.float64)).requires_grad_()
        keys = (3 * torch.randn(7, 4, generator=draw, dtype=torch.float64)).requires_grad_()
        targets = torch.tensor([0, 6, 3, 3, 2])
        if blocked:
            loss = blocked_loss(queries, keys, targets, smoothing=smoothing, block=block)
        else:
            loss = torch.nn.functional.cross_entropy(queries @ keys.T, targets, label_smoothing=smoothing)
        (2 * loss).backward()
        assert queries.grad is not None and keys.grad is not None
        found.append((loss.detach(), queries.grad, keys.grad))
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("block", [1, 3, 100])
def test_other_keys_of_the_same_owner_are_no_wrong_answers(block: int) -> None:
    draw = torch.Generator().manual_seed(1)
    queries = torch.randn(4, 3, generator=draw, dtype=torch.float64)
    keys, targets, owners = torch.randn(6, 3, generator=draw, dtype=torch.float64), [1, 0, 5, 3], [7, 7, 7, 2, 2, 1]
    wanted, pairs = [], (queries.clone().requires_grad_(), keys.clone().requires_grad_())
    for query, target in zip(pairs[0], targets, strict=True):
        kept = [i for i in range(6) if owners[i] != owners[target] or i == target]
        logits = (query @ pairs[1][kept].T)[None]
        wanted.append(
            torch.nn.functional.cross_entropy(logits, torch.tensor([kept.index(target)]), label_smoothing=0.1)
        )
    torch.stack(wanted).mean().backward()
    mine = queries.clone().requires_grad_(), keys.clone().requires_grad_()
    loss = blocked_loss(*mine, torch.tensor(targets), smoothing=0.1, block=block, owners=torch.tensor(owners))
    loss.backward()
    assert loss.item() == pytest.approx(torch.stack(wanted).mean().item())
    for one, other in zip(mine, pairs, strict=True):
        assert one.grad is not None and other.grad is not None and torch.allclose(one.grad, other.grad, atol=1e-6)


def test_the_blocked_softmax_bears_large_logits() -> None:
    queries = torch.tensor([[1e4, 0.0]], requires_grad=True)
    keys = torch.tensor([[1.0, 0.0], [-1.0, 0.0], [0.5, 1.0]])
    loss = blocked_loss(queries, keys, torch.tensor([0]), smoothing=0.0, block=2)
    loss.backward()
    assert loss.item() == 0.0 and queries.grad is not None and bool(torch.isfinite(queries.grad).all())


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab█[]É ß._\n", max_size=30), st.sets(st.sampled_from(["a", "b", "ab", "ss", "é"])))
def test_masks_in_training_look_as_released_ones_do(text: str, hidden: set[str]) -> None:
    text = visible(text)  # as training examples are
    spans = tuple(MaskSpan(w.start, w.end, "x") for w in words(text) if w.folded in hidden)
    released = Redact().release(Document("d", text), Mask("d", spans)).text
    assert hide_words(text, hidden) == visible(released)


def test_half_of_the_examples_lose_the_words_of_their_profile(encoder: str) -> None:
    people = [Profile(str(i), {"trade": "smith"}) for i in range(400)]
    examples = [TrainingExample("a smith of york", i) for i in range(400)]
    asked = brief(encoder, mask_prior="none", lexical=0.5, held_out=0.0)
    made = make_training_set(people, examples, asked)
    hidden = [" █ " in made.masked(i, asked, 1, 0) for i in range(400)]
    assert 150 < sum(hidden) < 250
    assert {made.masked(i, asked, 1, 0) for i in range(400)} == {"a smith of york", "a  █  of york"}


def test_the_idf_prior_hides_rare_words_rather_than_common_ones(encoder: str) -> None:
    people = [Profile(str(i), {"trade": "smith"}) for i in range(400)]
    examples = [TrainingExample(f"the word{i} stands there", i) for i in range(400)]
    hidden = {}
    for kind in ("idf", "uniform"):
        asked = brief(encoder, mask_prior=kind, lexical=0.0, held_out=0.0)
        made = make_training_set(people, examples, asked)
        texts = [made.masked(i, asked, 1, 0) for i in range(400)]
        hidden[kind] = [sum(word not in text for text in texts) for word in ("word", "stands")]
    assert hidden["idf"][0] > 1.5 * hidden["idf"][1] and 0.8 < hidden["uniform"][0] / hidden["uniform"][1] < 1.25


def test_masks_are_drawn_anew_each_epoch_and_the_same_for_a_seed(encoder: str) -> None:
    asked = brief(encoder)
    made = data(asked)
    drawn = [[made.masked(i, asked, 1, epoch) for i in range(20)] for epoch in (0, 1, 0)]
    assert drawn[0] == drawn[2] != drawn[1]
    assert drawn[0] != [made.masked(i, replace(asked, seed=1), 1, 0) for i in range(20)]


def test_people_held_out_are_chosen_by_their_ids_and_are_nobody_to_train_against(encoder: str) -> None:
    made = data(brief(encoder))
    back = {made.examples[i].person for i in made.kept_back}
    assert back and not back & set(made.people) and made.candidates == made.people
    again = make_training_set(PEOPLE, training_examples(PEOPLE, DOCUMENTS[::-1]), brief(encoder))
    assert {again.examples[i].person for i in again.kept_back} == back
    whole = data(brief(encoder, all_profiles=True))
    assert sorted(whole.candidates) == list(range(len(PEOPLE))) and whole.candidates[: len(made.people)] == made.people


def test_long_documents_lend_windows_in_proportion_to_their_length(encoder: str) -> None:
    asked = brief(encoder, mask_prior="none", lexical=0.0, held_out=0.0)
    examples = [TrainingExample("anvil " * 21, 0)] * 300
    run = _BiencoderRun(load_pair(asked), make_training_set(PEOPLE, examples, asked), asked, None)
    lengths = [len(run.pieces(i, None, 0)[0].ids) for i in range(300)]
    assert set(lengths) == {16, 9} and 0.5 < lengths.count(16) / 300 < 0.78
    every = replace(asked, window_choice="all")
    run = _BiencoderRun(load_pair(every), make_training_set(PEOPLE, examples, every), every, None)
    assert [len(piece.ids) for piece in run.pieces(0, None, 0)] == [16, 9]


class Killed(BaseException):
    """Stands for a kill at some point of a run."""


def kill_after(many: int) -> Callable[[str, int], Callable[[int], None]]:
    left = [many]

    def progress(stage: str, total: int) -> Callable[[int], None]:
        def advance(done: int) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise Killed

        return advance

    return progress


@pytest.mark.parametrize("other", [{}, {"schedule": "joint"}, {"window_choice": "all", "bf16": False}])
def test_a_killed_run_goes_on_to_the_same_weights(
    other: dict[str, Any], encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = brief(encoder, **other)
    falling = {-1: 0.5, 0: 0.4, 1: 0.3, 2: 0.6}  # so that rates are halved, and the last weights are the best
    monkeypatch.setattr(_BiencoderRun, "accuracy", lambda run: run.candidates().new_tensor(falling[run.epoch]).item())
    straight = weights(asked)
    for many in (3, 1, 8):  # within and between parts, and in another epoch
        with pytest.raises(Killed):
            weights(asked, tmp_path, progress=kill_after(many))
    assert same(straight, weights(asked, tmp_path))
    assert same(straight, weights(asked, tmp_path)), "a finished run stays as it is"
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".json", ".safetensors", ".safetensors"]


def test_a_killed_run_loses_at_most_a_part(encoder: str, tmp_path: Path) -> None:
    asked = brief(encoder)
    with pytest.raises(Killed):
        weights(asked, tmp_path, progress=kill_after(4))  # in step 5, after two parts of 2
    seen: list[int] = []

    def progress(stage: str, total: int) -> Callable[[int], None]:
        return seen.append

    weights(asked, tmp_path, progress=progress)
    steps = -(-len(data(asked).taught) // 8)
    assert len(seen) == 3 * steps - 4


def test_a_checkpoint_of_another_run_is_refused(encoder: str, tmp_path: Path) -> None:
    asked = brief(encoder, epochs=1)
    weights(asked, tmp_path)
    for changed in (replace(asked, seed=1), replace(asked, smoothing=0.2)):
        with pytest.raises(StateError, match="other settings, data"):
            weights(changed, tmp_path)
    with pytest.raises(StateError, match="other settings, data"):
        train(load_pair(asked), data(asked, DOCUMENTS[1:]), asked, checkpoint=tmp_path)
    pair = load_pair(asked)
    with torch.no_grad():
        pair.document.encoder.embeddings.word_embeddings.weight[7, 3] += 1  # type: ignore[union-attr,operator,index]
    with pytest.raises(StateError, match="other settings, data"):
        train(pair, data(asked), asked, checkpoint=tmp_path)


@pytest.mark.parametrize("harm", ["json", "cut", "gone", "name"])
def test_a_damaged_checkpoint_is_refused(harm: str, encoder: str, tmp_path: Path) -> None:
    asked = brief(encoder, epochs=1)
    weights(asked, tmp_path)
    about, state = tmp_path / "checkpoint.json", next(tmp_path.glob("state-*"))
    if harm == "json":
        about.write_text(about.read_text()[:-9])
    elif harm == "cut":
        state.write_bytes(state.read_bytes()[:-1])
    elif harm == "gone":
        state.unlink()
    else:
        about.write_text(about.read_text().replace("state-", "../state-"))
    with pytest.raises(StateError, match="damaged"):
        weights(asked, tmp_path)


def test_frozen_layers_stay_as_they_are_and_the_rest_does_not(encoder: str) -> None:
    asked = brief(encoder, frozen_layers=1, epochs=2, held_out=0.0, schedule="joint")
    before, after = load_pair(asked).state_dict(), weights(asked)
    moved = {name for name in before if not torch.equal(before[name], after[name])}
    assert not any("embeddings" in name or "layer.0." in name for name in moved)
    for side in ("document", "profile"):
        assert any(f"{side}.encoder.encoder.layer.1." in name for name in moved)
        assert f"{side}.projection.weight" in moved


def test_an_epoch_trains_its_side_alone(encoder: str) -> None:
    for epochs, side, other in (((), "document", "profile"), ((0,), "profile", "document")):
        asked = brief(encoder, epochs=1, profile_epochs=epochs, warm_start=0, held_out=0.0)
        before, after = load_pair(asked).state_dict(), weights(asked)
        moved = {name.partition(".")[0] for name in before if not torch.equal(before[name], after[name])}
        assert moved == {side} and other not in moved


def test_rates_halve_when_held_out_accuracy_falls_and_the_best_weights_come_back(
    encoder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = iter([0.1, 0.5, 0.4, 0.3, 0.2, 0.1])
    monkeypatch.setattr(_BiencoderRun, "accuracy", lambda self: next(figures))
    seen: list[tuple[float, dict[str, torch.Tensor]]] = []
    end = _BiencoderRun.end_epoch

    def noted(self: _BiencoderRun) -> None:
        end(self)
        seen.append((self.factor, {name: value.clone() for name, value in self.pair.state_dict().items()}))

    monkeypatch.setattr(_BiencoderRun, "end_epoch", noted)
    asked = brief(encoder, epochs=6, patience=3)
    pair = load_pair(asked)
    run = train(pair, data(asked), asked)
    assert run.held_out == (0.1, 0.5, 0.4, 0.3, 0.2) and run.best_epoch == 0
    assert [factor for factor, _ in seen] == [1, 1, 0.5, 0.25, 0.125]
    assert same(pair.state_dict(), seen[1][1]) and not same(seen[1][1], seen[2][1])


def test_batches_hold_every_lesson_once_each_epoch_in_another_order(encoder: str) -> None:
    asked = brief(encoder)
    made = data(asked)
    run = _BiencoderRun(load_pair(asked), made, asked, None)
    run.epoch = 0
    first = run.batches()
    run.epoch = 1
    assert first != run.batches()
    assert sorted(i for batch in first for i in batch) == list(range(len(made.taught)))
    assert max(map(len, first)) <= 8


def test_the_accuracy_is_the_share_of_held_out_people_found_first(encoder: str) -> None:
    asked = brief(encoder, bf16=False)
    made = data(asked)
    run = _BiencoderRun(load_pair(asked), made, asked, None)
    rows = [*made.candidates, *sorted({made.examples[i].person for i in made.kept_back})]
    with torch.no_grad():
        people = torch.cat([run.pair.profile.eval()([[run.pair.profile.profile(PEOPLE[r])]]) for r in rows])
        tower = run.pair.document.eval()
        texts = torch.cat([tower([run.pieces(i, 3, 0)]) for i in made.kept_back])
    first = [rows[int(i)] for i in (texts @ people.T).argmax(dim=1)]
    right = [f == made.examples[i].person for f, i in zip(first, made.kept_back, strict=True)]
    assert run.accuracy() == pytest.approx(np.mean(right))


@pytest.mark.parametrize(
    "wrong",
    [
        {"schedule": "x"}, {"window_choice": "x"}, {"mask_prior": "x"}, {"width": 0}, {"window": 8}, {"epochs": -1},
        {"held_out": 1.0}, {"smoothing": -0.1}, {"document_rate": 0.0}, {"lexical": 2.0}, {"part": 0}, {"warm_up": 2.0},
    ],
)  # fmt: skip
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        BiencoderSettings(**wrong)


def test_nothing_to_learn_from_is_an_error(encoder: str) -> None:
    with pytest.raises(ModelError, match="needs documents of known people"):
        make_training_set(PEOPLE, [], brief(encoder))


def test_nobody_is_held_out_if_everybody_would_be(encoder: str) -> None:
    one = make_training_set(PEOPLE[:1], [TrainingExample("x", 0)], brief(encoder, held_out=0.99))
    assert one.taught == [0] and one.kept_back == []


def test_folding_is_that_of_words() -> None:
    assert hide_words("İstanbul, Straße", {fold("STRASSE")}) == "İstanbul,  █ "


def test_a_run_killed_at_any_write_is_found_as_it_was_before_or_after(
    encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = brief(encoder, epochs=1, part=3)
    straight = weights(asked)
    replaced = os.replace
    for step in range(40):
        left = [step]

        def replace_or_die(one: Any, other: Any, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise Killed
            replaced(one, other)

        monkeypatch.setattr(os, "replace", replace_or_die)
        try:
            found = weights(asked, tmp_path / str(step))
        except Killed:
            monkeypatch.setattr(os, "replace", replaced)
            assert same(straight, weights(asked, tmp_path / str(step)))
            continue
        assert same(straight, found) and step > 3
        return
    raise AssertionError("the run never ended")


def test_without_dropout_training_draws_nothing_at_random(encoder: str) -> None:
    for share, alike in ((0.0, True), (0.3, False)):
        pair = load_pair(brief(encoder, dropout=0.0, encoder_dropout=share)).train()
        groups = [pair.document.reader.windows([DOCUMENTS[0].text], 16)[0]]
        assert torch.equal(pair.document(groups), pair.document(groups)) is alike
