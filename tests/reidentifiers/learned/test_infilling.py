"""The infilling attacker: it guesses what stood at gaps from what stands around them, and finds people by the guess."""

from itertools import product

import numpy as np
import pytest

from unname.errors import ModelError
from unname.reidentifiers.base import SCALE
from unname.reidentifiers.learned.infilling import Infilling, likelihoods
from unname.reidentifiers.learned.infilling_model import OFFSETS, GapModel, contexts, frozen, input_rows, tokens
from unname.reidentifiers.learned.infilling_training import InfillingTraining, Questions, beginning, gradients
from unname.reidentifiers.terms.bm25 import Bm25
from unname.testing import check_reidentifier
from unname.text import GAP, visible
from unname.types import Document, Profile

TOOLS = {
    "smith": "anvil",
    "miller": "flour",
    "tailor": "needle",
    "cooper": "barrel",
    "mason": "chisel",
    "baker": "oven",
}
RIVERS = {"york": "ouse", "bath": "avon", "leeds": "aire", "derby": "derwent", "truro": "allen", "wells": "axe"}
SHORT = InfillingTraining(dimensions=16, width=24, steps=250)


def planted() -> tuple[list[Profile], list[Document], list[str]]:
    """People, documents that name trade and town beside tool and river, and releases in which only the latter stand."""
    pairs = list(product(TOOLS, RIVERS))
    people = [Profile(f"{trade}-{town}", {"trade": trade, "town": town}) for trade, town in pairs]
    text = "He was known as a {} with an own {} and lived then in {} near the {} all his life."
    documents = [
        Document(f"d{i}", text.format(a, TOOLS[a], b, RIVERS[b]), people[i].id) for i, (a, b) in enumerate(pairs)
    ]
    return people, documents, [text.format("[MASK]", TOOLS[a], "[TOWN]", RIVERS[b]) for a, b in pairs]


def small_model(seed: int = 0) -> tuple[GapModel, list[np.ndarray]]:
    draw = np.random.default_rng(seed)
    weights = beginning(draw.random(9) * 20, InfillingTraining(dimensions=5, width=7), draw)
    weights[3] *= 20
    weights[2] += np.float32(0.3)
    return frozen({word: row for row, word in enumerate("abcdef", start=1)}, weights), weights


def test_it_finds_people_by_words_that_were_hidden_where_term_matching_finds_nobody() -> None:
    people, documents, releases = planted()
    unseen = range(0, len(people), 5)
    taught = [d for i, d in enumerate(documents) if i not in unseen]
    index = Infilling(fewest=1, training=SHORT).fit(people, taught).index(people)
    plain = Bm25().fit(people).index(people)
    for i in unseen:
        assert not plain.scores(releases[i]).any()
        for scores in (index.scores(releases[i]), index._matched(releases[i])):  # together, and the infills alone
            assert int((scores >= scores[i]).sum()) == 1


def test_the_word_at_a_gap_is_likelier_than_any_other_and_visible_words_are_no_infills() -> None:
    people, documents, releases = planted()
    model = Infilling(fewest=1, training=SHORT).fit(people, documents).model_
    assert model is not None
    names = ["", *model.vocabulary]
    for person, release in zip(people[::7], releases[::7], strict=True):
        likely, gaps = likelihoods(model, visible(release))
        assert gaps == 2 and {names[row] for row in np.argsort(-likely)[:2]} == set(person.fields.values())
        assert not likely[[model.vocabulary[word] for word in ("he", "known", "life")]].any()
        assert likely.max() <= 1 and likely.min() >= 0


@pytest.mark.parametrize(
    "text", [f"{GAP}", f"{GAP} a b", f"a z {GAP} {GAP} c d e f", f"a b c d e f {GAP}", f"q {GAP} a a {GAP}"]
)
def test_probabilities_are_those_of_the_plain_network_and_sum_to_one(text: str) -> None:
    model, (inputs, mixed, hidden, out, bias) = small_model()
    row = input_rows(tokens(text), model.vocabulary)
    places = np.flatnonzero(row == 7)
    found = model.probabilities(row, places)
    assert np.allclose(found.sum(axis=1), 1, atol=1e-5)
    said = tokens(text)
    distinct = {word for word in said if word in model.vocabulary}
    for place, likely in zip(places, found, strict=True):
        layer = hidden.astype(float)
        for offset, weight in zip(OFFSETS, mixed, strict=False):
            at = place + offset
            token = said[at] if 0 <= at < len(said) else None
            which = 8 if token is None else 7 if token == GAP else model.vocabulary.get(token, 0)
            layer = layer + inputs[which].astype(float) @ weight
        for word in distinct:
            layer = layer + inputs[model.vocabulary[word]].astype(float) @ mixed[-1] / np.sqrt(len(distinct))
        scores = [float(np.maximum(layer, 0) @ column + b) for column, b in zip(out.astype(float), bias, strict=True)]
        powers = np.exp(np.array(scores) - max(scores))
        assert np.allclose(likely, powers / powers.sum(), atol=0.02)


def test_a_gap_is_predicted_the_same_beside_any_other_gaps() -> None:
    model, _ = small_model()
    row = input_rows(tokens(f"{GAP} a b {GAP} c {GAP} d e f {GAP}"), model.vocabulary)
    places = np.flatnonzero(row == 7)
    together = model.probabilities(row, places)
    for place, likely in zip(places, together, strict=True):
        assert np.array_equal(model.probabilities(row, np.array([place]))[0], likely)


def test_very_large_weights_stay_exact_and_finite() -> None:
    model, weights = small_model()
    large = frozen(model.vocabulary, [w * np.float32(1000) for w in weights])
    found = large.probabilities(input_rows(tokens(f"a {GAP} b"), model.vocabulary), np.array([1]))
    assert np.isfinite(found).all() and np.isclose(found.sum(), 1, atol=1e-5)


def test_contexts_end_where_the_text_ends() -> None:
    found = contexts(np.array([1, 2, 3]), np.array([0, 2]), 9)
    assert found.tolist() == [[9, 9, 9, 9, 2, 3, 9, 9], [9, 9, 1, 2, 9, 9, 9, 9]]


def test_placeholders_of_every_type_are_gaps() -> None:
    assert tokens(visible("[NAME] met [MASK][PLACE_2] Ada.")) == [GAP, "met", GAP, GAP, "ada"]
    people, documents, releases = planted()
    index = Infilling(fewest=1, training=SHORT).fit(people, documents).index(people)
    typed = releases[0].replace("[MASK]", "[TRADE_1]")
    assert np.array_equal(index.scores(typed), index.scores(releases[0]))


def test_gradients_are_finite_differences() -> None:
    draw = np.random.default_rng(3)
    _, weights = small_model()
    precise = [w.astype(np.float64) for w in weights]
    precise[2] += 0.5
    asked = Questions(
        draw.integers(0, 9, (5, len(OFFSETS))), np.array([0, 0, 1, 1, 2]), np.array([1, 0, 3, 6, 3]),
        [[1, 2, 3], [4], []],
    )  # fmt: skip
    _, slopes = gradients(precise, asked)
    for weight, slope in zip(precise, slopes, strict=True):
        assert weight.shape == slope.shape
        for place in draw.choice(weight.size, min(weight.size, 12), replace=False):
            at, step = np.unravel_index(place, weight.shape), 1e-5
            kept = weight[at]
            weight[at] = kept + step
            above = gradients(precise, asked)[0]
            weight[at] = kept - step
            below = gradients(precise, asked)[0]
            weight[at] = kept
            assert np.isclose(slope[at], (above - below) / (2 * step), atol=1e-5)


def test_it_conforms() -> None:
    check_reidentifier(lambda: Infilling(fewest=1, training=InfillingTraining(steps=10)))


def test_scores_are_the_same_for_a_seed_and_in_any_company() -> None:
    people, documents, releases = planted()
    one, other, third = (
        Infilling(fewest=1, training=SHORT, seed=s).fit(people, documents).index(people) for s in (4, 4, 5)
    )
    together = one.scores_of(releases)
    assert np.array_equal(together, other.scores_of(releases)) and together.dtype == np.int64
    assert np.array_equal(together, [one.scores(text) for text in releases])
    assert not np.array_equal(together, third.scores_of(releases))


def test_a_score_is_translation_and_weighted_evidence_of_visible_words_and_likely_ones() -> None:
    people, documents, releases = planted()
    made = Infilling(fewest=1, training=SHORT).fit(people, documents)
    index = made.index(people)
    assert made.model_ is not None and made.bm25_ is not None and made.translation_ is not None
    plain = made.bm25_.index(people)
    for text in (releases[3], "a smith and a [MASK] of [MASK]", "a smith of york", "[MASK] " * 30 + "smith"):
        likely, gaps = likelihoods(made.model_, visible(text))
        slow = made.translation_.index(people).scores(text) / SCALE + 0.007 * plain.scores(text) / SCALE
        for word, row in made.model_.vocabulary.items():
            slow = slow + 0.1 * min(1, 20 / max(gaps, 1)) * likely[row] * plain.scores(word) / SCALE
        assert np.allclose(index.scores(text) / SCALE, slow, atol=1e-3)


def test_too_little_to_learn_from_says_how_much_it_needs_and_shows_no_text() -> None:
    people, documents, _ = planted()
    with pytest.raises(ModelError, match="needs 50 texts of known people to learn from; there are 36"):
        Infilling().fit(people, documents)
    with pytest.raises(ModelError) as refused:
        Infilling(fewest=1).fit(people, [Document("1", "anvil", None)])
    assert "anvil" not in str(refused.value)
    with pytest.raises(ModelError, match="must be fitted"):
        Infilling().index(people)


def test_no_words_show_in_a_repr() -> None:
    people, documents, _ = planted()
    made = Infilling(fewest=1, training=InfillingTraining(steps=2)).fit(people, documents)
    shown = repr(made) + repr(made.index(people)) + repr(made.model_)
    assert not any(word in shown for word in (*TOOLS, *RIVERS, *TOOLS.values(), *RIVERS.values()))
