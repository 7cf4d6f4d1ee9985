"""The static reidentifier: what it learns, that its gradients are right, and that its scores are exact sums."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from test_trained import HINTS, planted, ranks

from unname.errors import InputError, ModelError
from unname.reidentifiers.learned.static import Static, static_two_v1
from unname.reidentifiers.learned.static_index import StaticIndex
from unname.reidentifiers.learned.static_training import StaticExamples, StaticTraining, _StaticLearning, tokens_of
from unname.reidentifiers.learned.training_examples import MaskPrior, text_digest
from unname.reidentifiers.learned.wordtable import shipped_table, word_table
from unname.reidentifiers.models import load_model
from unname.reidentifiers.terms.neighbours import pairs, sequence, spans_of
from unname.types import Document, Profile

SHORT = StaticTraining(dimensions=16, steps=1000, batch=32, averaging=0.9)
TEXT = "in 1846 the mill near [MASK] the old mill"


@pytest.fixture(scope="module")
def learned() -> tuple[list[Profile], list[Document], Static]:
    people, documents = planted()
    return people, documents, Static(training=SHORT, fewest=1).fit(people, documents[:48])


def test_it_finds_people_of_whom_it_saw_no_document_by_words_that_are_in_no_profile(learned) -> None:
    people, documents, model = learned
    unseen = documents[48:]
    found = ranks(model.index(people).scores_of([d.text for d in unseen]), people, unseen)
    assert sum(rank == 0 for rank in found) >= 0.9 * len(unseen)


def test_scores_are_sums_over_distinct_words_and_pairs_whatever_the_company(learned) -> None:
    people, documents, model = learned
    index = model.index(people)
    texts = [TEXT, documents[0].text, "", documents[1].text * 50]
    for text, row in zip(texts, index.scores_of(texts), strict=True):
        words = list(dict.fromkeys(word for word in sequence(text) if word != "█"))
        both = list(pairs(sequence(text)))
        whole = index.words(words).sum(axis=0) + index.pairs(both).sum(axis=0)
        assert (index.against(whole[None])[0] == row).all() and (index.scores(text) == row).all()


def test_the_worth_of_a_word_is_the_fall_of_people_without_it(learned) -> None:
    people, _, model = learned
    index = model.index(people)
    gone = "in 1846 the [MASK] near [MASK] the old [MASK]"
    (fall, nothing) = index.worth(TEXT, ["mill", "absent"], np.arange(len(people)))
    assert (index.scores(TEXT) - index.scores(gone) == fall).all() and not nothing.any()


def test_agreement_with_fields_adds_up_to_the_score_but_for_the_centre(learned) -> None:
    people, documents, model = learned
    index, columns = model.index(people), np.array([3, 0, 5])
    found = index.agreement([documents[0].text], columns)
    assert found.shape == (3, len({name for p in people for name in p.fields}), 4)
    assert (np.diff(found[:, :, 1:], axis=2) <= 0).all()
    whole = index.agreement([documents[0].text], np.arange(len(people)))[columns]
    assert found == pytest.approx(whole, rel=1e-5, abs=1e-2)  # a product of another width adds up in another order


def test_gradients_are_those_that_differences_show() -> None:
    read = [["a", "b", "█", "c"], ["b", "c"], ["a", "1846"]]
    vocabulary = {token: row for row, token in enumerate(dict.fromkeys(t for row in read for t in tokens_of(row)))}
    table = {word: np.random.default_rng(row).normal(0, 1, 3).astype(np.float32) for row, word in enumerate("ab")}
    described = sparse.csr_array(np.array([[1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 1, 1]], np.float32))
    training = StaticTraining(
        dimensions=2, batch=3, dropout=0.0, smoothing=0.1, spread=0.5, prior=MaskPrior("none"), averaging=0.5
    )
    known = StaticExamples(read, [0, 1, 2], described, [set()] * 3, np.zeros(3, np.bool_))
    learning = _StaticLearning(known, vocabulary, table, np.zeros((4, 3), np.float32), training, 0)
    seen: list[list[np.ndarray]] = []
    learning.optimiser.step = lambda gradients, pace=1.0: seen.append(gradients)  # type: ignore[method-assign]
    chosen, random = np.arange(3), np.random.default_rng(0)
    learning._step(chosen, random, 1.0)

    def loss() -> float:
        tokens, features, lift = (w.astype(np.float64) for w in learning.weights)
        found = [tokens_of(row) for row in read]
        bags = np.array([[token in row for token in vocabulary] for row in found], float)
        entries = np.array([[word in row for word in table] for row in found], float)
        scores = (bags @ tokens + (entries @ learning.table) @ lift) @ (described @ features).T
        chance = np.log(np.exp(scores).sum(axis=1, keepdims=True))
        given = scores - chance
        return float(-np.mean(0.9 * np.diag(given) + 0.1 * given.mean(axis=1)))

    for weights, gradient in zip(learning.weights, seen[0], strict=True):
        for place in np.ndindex(*weights.shape):
            before, step = weights[place], np.float32(1e-2)
            weights[place] = before + step
            up = loss()
            weights[place] = before - step
            down = loss()
            weights[place] = before
            assert gradient[place] == pytest.approx((up - down) / (2 * step), abs=2e-3)


@pytest.mark.parametrize("seed", range(5))
def test_a_masked_text_is_learned_from_as_it_would_be_read(seed: int) -> None:
    """Words go with the spans of years and the pairs they are in, in the order in which a reader meets the others."""
    row = ["a", "b", "1846", "a", "█", "c", "a", "b", "c", "c", "1846"]
    vocabulary = {name: number for number, name in enumerate(sorted({*tokens_of(row)} - {"b"}))}
    table = {word: np.zeros(2, np.float32) for word in ("c", "a")}
    known = StaticExamples([row], [0], sparse.csr_array(np.eye(1, dtype=np.float32)), [{"a"}], np.zeros(1, np.bool_))
    learning = _StaticLearning(known, vocabulary, table, np.zeros((1, 2), np.float32), StaticTraining(dimensions=2), 0)
    prior = MaskPrior("uniform", lexical=0.5)
    gone = prior.hidden(["a", "b", "1846", "c"], {"a"}, np.random.default_rng(seed))
    left = ["█" if word in gone else word for word in row]
    bags, entries = learning._masked(np.zeros(1, np.int64), np.random.default_rng(seed), prior)
    assert bags.indices.tolist() == [vocabulary[token] for token in tokens_of(left) if token in vocabulary]
    assert entries.indices.tolist() == [place for w in dict.fromkeys(left) for place, e in enumerate(table) if e == w]


def test_words_that_no_text_had_count_by_the_table(learned) -> None:
    people, _, model = learned
    unseen = next(word for word in ("senator", "river", "physician") if word in shipped_table().rows)
    assert model.index(people).words([unseen, "qqzzx"])[0].any()
    assert not model.index(people).words([unseen, "qqzzx"])[1].any()


def test_two_halves_learn_from_different_people() -> None:
    people, documents = planted()
    short = replace(SHORT, steps=50)
    both = [Static(training=short, fewest=1, halves=2, half=half).fit(people, documents).trained_on_ for half in (0, 1)]
    assert not both[0] & both[1] and all(both)
    assert both[0] | both[1] == {text_digest(t) for d in documents for t in (str(d.person), d.text)}
    assert static_two_v1().half == 1 and static_two_v1().name == "static-two.v1"


def test_too_little_to_learn_from_is_told_without_a_word_of_it() -> None:
    people, documents = planted()
    with pytest.raises(ModelError, match=r"static needs 50 documents .* there are 49") as caught:
        Static().fit(people, documents[:49])
    assert not any(hint in str(caught.value) for hint in HINTS.values())
    assert not Static().can_learn(people, documents[:49]) and Static().can_learn(people, documents[:50])
    with pytest.raises(ModelError, match="must be fitted"):
        Static().index(people)


def test_a_saved_model_scores_alike_and_a_changed_one_is_refused(learned, tmp_path: Path) -> None:
    people, documents, model = learned
    model.save(tmp_path / "model")
    again = load_model(tmp_path / "model")
    texts = [d.text for d in documents[:5]]
    assert (again.index(people).scores_of(texts) == model.index(people).scores_of(texts)).all()
    (tmp_path / "model" / "tokens.json").write_text("[]")
    with pytest.raises(ModelError, match="not the one its description names"):
        load_model(tmp_path / "model")


def test_the_same_seed_teaches_the_same_and_another_seed_something_else(learned) -> None:
    people, documents, _ = learned
    short = replace(SHORT, steps=60)
    one, same, other = (Static(training=short, fewest=1, seed=seed).fit(people, documents) for seed in (0, 0, 1))
    assert (one.token_vectors_ == same.token_vectors_).all() and (one.token_vectors_ != other.token_vectors_).any()


def test_plain_numbers_are_those_that_scores_are_made_of(learned) -> None:
    people, _, model = learned
    index = model.index(people)
    assert isinstance(index, StaticIndex)
    tokens, profiles, shift = index.plain([TEXT])
    total = np.zeros(len(profiles[0]), np.int64)
    for token in {*tokens_of(sequence(TEXT)), *spans_of("1846")}:
        total += np.array(tokens.get(token, [0] * len(total)))
    assert ((np.array(profiles) @ total << shift) == index.scores(TEXT)).all()


# --- word vectors of the user's own


def test_vectors_that_the_user_names_take_the_place_of_the_shipped_ones(tmp_path: Path) -> None:
    """A word that no text had is read like the words that lie beside it in the file, in any language."""
    people, documents = planted()
    hints = sorted(HINTS.values())
    kinds = np.random.default_rng(0).normal(0, 1, (len(hints), 20))
    rows = {f"ähnlich{number}": kind + 0.01 for number, kind in enumerate(kinds)} | dict(zip(hints, kinds, strict=True))
    rows |= {f"wort{number}": np.random.default_rng(number).normal(0, 1, 20) for number in range(60)}
    path = tmp_path / "wörter.vec"
    path.write_text(
        "".join(f"{word} {' '.join(map(str, row.tolist()))}\n" for word, row in rows.items()), encoding="utf-8"
    )
    model = Static(training=SHORT, fewest=1, word_vectors=path).fit(people, documents)
    index = model.index(people)
    for number, hint in enumerate(hints):
        seen, alike = index.words([hint, f"ähnlich{number}"])
        others = index.words([f"wort{number}" for number in range(60)])
        length = np.linalg.norm
        near = seen @ alike / length(seen) / length(alike)
        assert near > np.quantile(others @ seen / length(others, axis=1) / length(seen), 0.95)
    assert not index.words(["senator"]).any(), "the shipped table is not there"


def test_directions_of_a_files_vectors_are_kept_and_faults_named_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("Uno 1 0 5\ndos 2 0 1\ntres 3 1 2\n")
    table = word_table(path)
    given = np.array([[1, 0, 5], [2, 0, 1], [3, 1, 2.0]])
    given -= given.mean(axis=0)
    given /= np.sqrt((given**2).sum(axis=1).mean())
    assert list(table.rows) == ["uno", "dos", "tres"]
    assert table.vectors @ table.vectors.T == pytest.approx(given @ given.T, abs=1e-4)
    assert np.diff((table.vectors**2).sum(axis=0)).max() <= 1e-5, "the longest first"
    path.write_text("uno 1 0 5\ndos 2\n")
    with pytest.raises(InputError, match="line 2") as caught:
        word_table(path)
    assert "dos" not in str(caught.value)
    with pytest.raises(InputError, match="cannot be read"):
        word_table(tmp_path / "none.txt")
