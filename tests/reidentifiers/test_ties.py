"""Exact arithmetic: equal evidence ties, a score is the sum of its words, and newcomers change nobody's score."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname import registry
from unname.knowledge.fictional import Town
from unname.reidentifiers.base import AdditiveIndex, crowd
from unname.reidentifiers.names import is_trained
from unname.text import folded_words
from unname.types import Document, Profile

# Those that learn from documents have tests of their own.
ADDITIVE = [name for name in registry.names(registry.REIDENTIFIERS) if not is_trained(registry.REIDENTIFIERS, name)]
KNOWING = [name for name in registry.names(registry.ATTACKERS) if not is_trained(registry.ATTACKERS, name)]
EXACT = sorted({*ADDITIVE, *KNOWING} - {"latent.v1"})

texts = st.lists(st.sampled_from(["Ada", "ada", "Byron", "1897", "April 9, 1897", "of", "the", "smith", "SMITHS"])).map(
    " ".join
)
notes = st.lists(texts, min_size=1, max_size=5)


def people_of(rows: Sequence[str]) -> list[Profile]:
    return [Profile(str(i), {"note": row}) for i, row in enumerate(rows)]


@pytest.mark.parametrize("name", EXACT)
@given(rows=notes, text=texts)
def test_people_whose_profiles_are_alike_always_tie(name: str, rows: list[str], text: str) -> None:
    people = people_of([*rows, *reversed(rows)])
    scores = registry.create(registry.ATTACKERS, name).fit(people).index(people).scores(text)
    assert scores.tolist() == scores[::-1].tolist()


# Who understands needs an encoder, and has a test of its own for this.
UNDERSTANDING = ("meaning.v1", "attributes.v1")


@pytest.mark.parametrize("name", [name for name in registry.names(registry.ATTACKERS) if name not in UNDERSTANDING])
def test_real_twins_tie_for_every_attacker(name: str, small_town: Town) -> None:
    people = [*small_town.profiles, *(Profile(f"{p.id}-twin", p.fields) for p in small_town.profiles)]
    attacker = registry.create(registry.ATTACKERS, name).fit(people, small_town.documents)
    one, other = np.split(attacker.index(people).scores_of([d.text for d in small_town.documents[:20]]), 2, axis=1)
    assert np.array_equal(one, other)


@pytest.mark.parametrize("name", ADDITIVE)
@given(rows=notes, text=st.one_of(texts, st.text(max_size=20).map(lambda t: t.replace("[", "("))))
def test_a_score_is_the_sum_over_distinct_words(name: str, rows: list[str], text: str) -> None:
    people = people_of(rows)
    index = registry.create(registry.REIDENTIFIERS, name).fit(people).index(people)
    assert isinstance(index, AdditiveIndex)
    summed = np.zeros(len(people), np.int64)
    for word in set(folded_words(text)):
        summed += index.contributions([word])[0]
    assert index.scores(text).dtype == np.int64 and np.array_equal(index.scores(text), summed)


@pytest.mark.parametrize("name", ADDITIVE)
def test_a_real_score_is_the_sum_over_distinct_words(name: str, congress: tuple[list[Profile], list[Document]]) -> None:
    people, documents = congress
    index = registry.create(registry.REIDENTIFIERS, name).fit(people).index(people)
    for document in documents[:20]:
        rows = index.contributions(sorted(set(folded_words(document.text))))
        assert np.array_equal(index.scores(document.text), rows.sum(axis=0))


@pytest.mark.parametrize("name", EXACT)
@given(rows=notes, more=notes, text=texts)
def test_newcomers_change_nobodys_score_without_a_refit(name: str, rows: list[str], more: list[str], text: str) -> None:
    people = people_of(rows)
    fitted = registry.create(registry.ATTACKERS, name).fit(people)
    before = fitted.index(people).scores(text)
    grown = fitted.index([*people, *(Profile(f"new-{i}", {"note": note}) for i, note in enumerate(more))])
    assert len(grown.people) == len(rows) + len(more)
    assert np.array_equal(grown.scores(text)[: len(rows)], before)


@pytest.mark.parametrize("name", EXACT)
@given(rows=notes, asked=st.lists(texts, max_size=5))
def test_no_text_changes_the_scores_of_another(name: str, rows: list[str], asked: list[str]) -> None:
    people = people_of(rows)
    index = registry.create(registry.ATTACKERS, name).fit(people).index(people)
    together = index.scores_of(asked)
    assert together.shape == (len(asked), len(rows))
    assert all(np.array_equal(row, index.scores(text)) for row, text in zip(together, asked, strict=True))


@pytest.mark.parametrize("name", EXACT)
def test_no_weight_is_negative_so_that_hiding_a_word_the_person_lacks_helps_nobody(name: str, small_town: Town) -> None:
    index = registry.create(registry.ATTACKERS, name).fit(small_town.profiles).index(small_town.profiles)
    assert (index.scores_of([d.text for d in small_town.documents[:20]]) >= 0).all()


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("text", ["", "[MASK]", "[MASK] [NAME_1], [MASK].", "[MASK][MASK]\n[A]"])
def test_a_fully_masked_document_has_everybody_else_as_its_crowd(name: str, text: str, small_town: Town) -> None:
    index = registry.create(registry.ATTACKERS, name).fit(small_town.profiles).index(small_town.profiles)
    assert {crowd(index.scores(text), row) for row in range(len(small_town.profiles))} == {len(small_town.profiles) - 1}


@given(st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=30), st.data())
def test_a_crowd_is_how_many_others_score_at_least_as_high(values: list[int], data: st.DataObject) -> None:
    person = data.draw(st.integers(0, len(values) - 1))
    slow = sum(1 for other, value in enumerate(values) if other != person and value >= values[person])
    assert crowd(np.array(values, np.int64), person) == slow


def test_only_exact_ties_count() -> None:
    assert crowd(np.array([5, 5, 4, 6]), 0) == 2
