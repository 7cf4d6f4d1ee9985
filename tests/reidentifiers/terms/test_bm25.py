"""BM25 against the library bm25s: the same scores and ranking on real and on random texts."""

from itertools import islice

import bm25s
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from unname.errors import ModelError
from unname.reidentifiers.base import SCALE, profile_text
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.ngrams import Ngrams
from unname.text import folded_words
from unname.types import Document, Profile

PER_TERM = 2.0**-19  # each weight is rounded to a multiple of 2⁻²⁰; the rest is floating point

word = st.text("abc", min_size=1, max_size=3)
profiles = st.lists(st.lists(word, max_size=8), min_size=1, max_size=6).map(
    lambda rows: [Profile(str(i), {"note": " ".join(row)}) for i, row in enumerate(rows)]
)


def library_scores(people: list[Profile], texts: list[str], k1: float, b: float) -> npt.NDArray[np.float64]:
    """Scores by bm25s, each distinct word of a text once: (texts, people)."""
    bags = [folded_words(profile_text(p)) for p in people]
    library = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
    library.index(bags, show_progress=False)
    known = set().union(*bags)
    rows = [sorted(set(folded_words(text)) & known) for text in texts]
    return np.array([library.get_scores(row) if row else np.zeros(len(people)) for row in rows], np.float64)


def assert_same(ours: npt.NDArray[np.int64], theirs: npt.NDArray[np.float64], text: str) -> None:
    """Scores agree within the rounding, and a ranking by ours is one by theirs where they differ by more than it."""
    allowed = PER_TERM * max(1, len(set(folded_words(text))))
    assert np.abs(ours / SCALE - theirs).max() <= allowed
    assert np.diff(theirs[np.argsort(-ours, kind="stable")]).max(initial=0.0) <= 2 * allowed


@given(
    profiles, st.lists(word, max_size=8), st.sampled_from([0.5, 1.2, 1.5, 2.0]), st.sampled_from([0.0, 0.4, 0.75, 1.0])
)
def test_random_texts_score_as_in_the_library(people: list[Profile], query: list[str], k1: float, b: float) -> None:
    assume(any(p.fields["note"] for p in people))
    text = " ".join(query)
    ours = Bm25(k1=k1, b=b).fit(people).index(people).scores(text)
    assert_same(ours, library_scores(people, [text], k1, b)[0], text)


def test_real_texts_score_and_rank_as_in_the_library(congress: tuple[list[Profile], list[Document]]) -> None:
    people, documents = congress
    texts = [document.text for document in islice(documents, 150)]
    ours = Bm25().fit(people).index(people).scores_of(texts)
    theirs = library_scores(people, texts, 1.5, 0.75)
    for mine, other, text in zip(ours, theirs, texts, strict=True):
        assert_same(mine, other, text)
    assert np.array_equal(ours.argmax(axis=1), theirs.argmax(axis=1))


def test_a_biography_finds_its_person_among_1200(congress: tuple[list[Profile], list[Document]]) -> None:
    people, documents = congress
    scores = Bm25().fit(people).index(people).scores_of([d.text for d in documents[:150]])
    found = sum(people[row].id == d.person for row, d in zip(scores.argmax(axis=1), documents, strict=False))
    assert found / 150 > 0.9


def test_a_word_counts_once_however_often_the_text_repeats_it() -> None:
    people = [Profile("a", {"x": "ada ada writer"}), Profile("b", {"x": "karl"})]
    index = Bm25().fit(people).index(people)
    assert np.array_equal(index.scores("Ada"), index.scores("ada, ADA and ada"))


def test_a_word_is_weighed_by_hand() -> None:
    people = [Profile("a", {"x": "ada"}), Profile("b", {"x": "karl karl karl"})]
    score = Bm25(k1=1.0, b=0.5).fit(people).index(people).scores("karl")
    # df 1 of 2: ln(1 + 1.5/1.5) = ln 2; 3 of 3 words, mean 2: 3 / (3 + 0.5 + 0.5 · 1.5)
    assert score.tolist() == [0, round(np.log(2) * 3 / 4.25 * SCALE)]


def test_a_word_that_everybody_has_still_counts_for_something() -> None:
    people = [Profile(str(i), {"x": "same"}) for i in range(1000)]
    assert (Bm25().fit(people).index(people).scores("same") > 0).all()


def test_bm25_must_be_fitted_first() -> None:
    with pytest.raises(ModelError, match="must be fitted"):
        Bm25().index([Profile("a", {})])


@pytest.mark.parametrize("fields", [{}, {"x": ""}, {"x": "!?"}])
def test_people_of_whom_nothing_is_known_score_nothing(fields: dict[str, str]) -> None:
    people = [Profile("a", fields), Profile("b", fields)]
    assert Bm25().fit(people).index(people).scores("Ada").tolist() == [0, 0]


def test_weights_as_a_sparse_matrix_are_the_contributions(congress: tuple[list[Profile], list[Document]]) -> None:
    people = congress[0][:200]
    asked = ["ohio", "zzz", "1897", "", "ohio", "democrat"]
    for index in (Bm25().fit(people).index(people), Ngrams().fit(people).index(people)):
        found = index.weights_of(asked)
        assert found.dtype == np.int64 and np.array_equal(found.toarray(), index.contributions(asked))
    assert index.weights_of([]).shape == (0, 200)
