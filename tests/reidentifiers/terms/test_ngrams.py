"""Character n-grams against scikit-learn's TfidfVectorizer with analyzer `char_wb`."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from unname.errors import ModelError
from unname.reidentifiers.base import SCALE, profile_text
from unname.reidentifiers.terms.ngrams import Ngrams, word_ngrams
from unname.text import folded_words
from unname.types import Document, Profile

word = st.text("abc", min_size=1, max_size=7)
profiles = st.lists(st.lists(word, min_size=1, max_size=6), min_size=1, max_size=5).map(
    lambda rows: [Profile(str(i), {"note": " ".join(row)}) for i, row in enumerate(rows)]
)
# From two on: the library marks both borders with the same sign, so that its shortest n-grams tell them not apart.
sizes = st.tuples(st.integers(2, 6), st.integers(2, 6)).map(lambda pair: (min(pair), max(pair)))


def library_scores(
    people: list[Profile], texts: list[str], shortest: int, longest: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Scores by scikit-learn (texts, people), and how many known n-grams each text has (texts,)."""
    vectoriser = TfidfVectorizer(
        analyzer="char_wb", ngram_range=(shortest, longest), lowercase=False, sublinear_tf=True
    )
    known = vectoriser.fit_transform([" ".join(folded_words(profile_text(p))) for p in people])
    counter = CountVectorizer(
        analyzer="char_wb", ngram_range=(shortest, longest), lowercase=False, vocabulary=vectoriser.vocabulary_
    )
    found = counter.transform([" ".join(sorted(set(folded_words(text)))) for text in texts]).toarray()
    return (known @ (found * vectoriser.idf_).T).T, found.sum(axis=1)


def assert_same(ours: npt.NDArray[np.int64], theirs: npt.NDArray[np.float64], terms: npt.NDArray[np.float64]) -> None:
    """Scores agree within the rounding, and a ranking by ours is one by theirs where they differ by more than it."""
    for mine, other, allowed in zip(ours, theirs, 2.0**-19 * np.maximum(terms, 1), strict=True):
        assert np.abs(mine / SCALE - other).max() <= allowed
        assert np.diff(other[np.argsort(-mine, kind="stable")]).max(initial=0.0) <= 2 * allowed


@given(profiles, st.lists(word, max_size=8), sizes)
def test_random_texts_score_as_in_the_library(people: list[Profile], query: list[str], size: tuple[int, int]) -> None:
    ours = Ngrams(*size).fit(people).index(people).scores_of([" ".join(query)])
    assert_same(ours, *library_scores(people, [" ".join(query)], *size))


def test_real_texts_score_and_rank_as_in_the_library(congress: tuple[list[Profile], list[Document]]) -> None:
    people, documents = congress
    texts = [document.text for document in documents[:100]]
    ours = Ngrams().fit(people).index(people).scores_of(texts)
    theirs, terms = library_scores(people, texts, 3, 5)
    assert_same(ours, theirs, terms)
    assert np.array_equal(ours.argmax(axis=1), theirs.argmax(axis=1))


@given(st.text(max_size=12), sizes)
def test_ngrams_of_a_word_are_every_stretch_of_it_between_borders(word: str, size: tuple[int, int]) -> None:
    padded = f"\x02{word}\x03"
    places = range(len(padded) + 1)
    expected = [padded[i:j] for i in places for j in places if size[0] <= j - i <= size[1]]
    if len(padded) < size[0]:
        expected = [padded]
    assert sorted(word_ngrams(word, *size)) == sorted(expected)


def test_a_misspelt_name_finds_its_person_by_its_parts() -> None:
    people = [Profile("a", {"x": "Katherine Morrison"}), Profile("b", {"x": "Margaret Davidson"})]
    scores = Ngrams().fit(people).index(people).scores("Catherine Morison")
    assert scores[0] > scores[1]


def test_ngrams_must_be_fitted_first() -> None:
    with pytest.raises(ModelError, match="must be fitted"):
        Ngrams().index([Profile("a", {})])


def test_people_added_to_a_list_after_fitting_are_indexed() -> None:
    people = [Profile("a", {"n": "Ada"}), Profile("b", {"n": "Byron"})]
    fitted = Ngrams().fit(people)
    people.append(Profile("c", {"n": "Ada"}))
    assert fitted.index(people).scores("Ada")[2] > 0
