"""The main directions under latent attackers, against scikit-learn and plain linear algebra; integer products are exact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from unname.reidentifiers.learned import translation
from unname.reidentifiers.learned.translation import Translation
from unname.reidentifiers.terms.subspace import main_directions, to_integers
from unname.reidentifiers.terms.tfidf import fit_tfidf
from unname.text import folded_words
from unname.types import Document, Profile

notes = st.lists(st.lists(st.sampled_from(["ada", "bird", "crown", "dome", "elm"]), max_size=8), min_size=1, max_size=6)


def sparse_rows(seed: int, rows: int = 60, features: int = 40) -> sparse.csr_array:
    draw = np.random.default_rng(seed)
    # A few strong directions and a long tail of weak ones.
    whole = draw.standard_normal((rows, 5)) @ draw.standard_normal((5, features)) * 5
    whole += draw.standard_normal((rows, features)) * 0.1
    return sparse.csr_array(np.where(draw.random((rows, features)) < 0.4, whole, 0.0))


@given(notes, notes)
def test_tfidf_is_that_of_scikit_learn(rows: list[list[str]], asked: list[list[str]]) -> None:
    texts, others = [" ".join(row) for row in rows], [" ".join(row) for row in asked]
    if not any(texts):
        return
    theirs = TfidfVectorizer(analyzer=folded_words, sublinear_tf=True)
    ours, weighed = fit_tfidf(texts, folded_words)
    assert np.allclose(weighed.toarray(), theirs.fit_transform(texts).toarray())
    assert np.allclose(ours.transform(others).toarray(), theirs.transform(others).toarray())


def test_words_of_too_few_texts_are_left_out() -> None:
    model, weighed = fit_tfidf(["ada bird", "ada", "bird crown"], folded_words, rarest=2)
    assert list(model.columns) == ["ada", "bird"] and weighed.shape == (3, 2)


@pytest.mark.parametrize("seed", range(3))
def test_main_directions_hold_as_much_as_the_best_there_are(seed: int) -> None:
    rows = sparse_rows(seed)
    basis = main_directions(rows, 10, steps=5, seed=seed).basis
    assert np.allclose(basis.T @ basis, np.eye(10), atol=1e-5)
    best = (np.linalg.svd(rows.toarray(), compute_uv=False)[:10] ** 2).sum()
    held = ((rows @ basis.astype(np.float64)) ** 2).sum()
    assert 0.99 * best <= held <= best * (1 + 1e-5)


def test_directions_that_are_not_there_are_zeros() -> None:
    twice = sparse.csr_array(np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 1.0]]))
    subspace = main_directions(twice, 3)
    assert np.linalg.norm(subspace.basis, axis=0) == pytest.approx([1, 1, 0], abs=1e-5)
    with pytest.raises(ValueError, match="at least two features"):
        main_directions(twice[:, :1], 1)


def test_products_of_integers_are_the_same_in_any_order_and_company() -> None:
    draw = np.random.default_rng(0)
    one, other = (to_integers(v / np.linalg.norm(v, axis=1)[:, None], 25) for v in draw.standard_normal((2, 37, 600)))
    whole = one @ other.T
    exact = one.astype(np.int64) @ other.T.astype(np.int64)
    shuffled = draw.permutation(600)
    assert np.array_equal(whole, exact) and np.array_equal(one[:, shuffled] @ other[:, shuffled].T, exact)
    assert all(np.array_equal(other @ row, alone) for row, alone in zip(one, whole, strict=True))


def test_people_placed_beforehand_score_as_those_too_many_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    people = [Profile(f"p{i}", {"x": f"word{i % 7} other{i % 5}"}) for i in range(35)]
    documents = [Document(f"d{i}", f"told{i % 7} said{i % 5}", f"p{i}") for i in range(35)]
    model, texts = Translation(dimensions=8).fit(people, documents), [d.text for d in documents]
    placed = model.index(people)
    monkeypatch.setattr(translation, "_PLACED_BYTES", 0)
    many = model.index(people)
    assert placed._placed is not None and many._placed is None
    assert np.abs(placed.scores_of(texts) - many.scores_of(texts)).max() <= 4
    assert all(np.array_equal(placed.scores(t), row) for t, row in zip(texts, placed.scores_of(texts), strict=True))
