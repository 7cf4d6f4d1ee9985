"""Families of features: what each attacker reads, by hand, and that a gap ends what it should end."""

from collections import Counter
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname import registry
from unname.errors import ModelError
from unname.reidentifiers.base import SCALE
from unname.reidentifiers.terms.features import (
    FeatureCosine,
    PassageCosine,
    pairs,
    phrases,
    proper_names,
    runs,
    skeletons,
)
from unname.text import WORD, visible
from unname.types import Profile

FAMILIES = ("facts", "names", "pairs", "phrases", "runs", "skeletons")
texts = st.text("abAB 1[MASK].,-", max_size=40)


def test_phrases_are_two_and_three_words_in_a_row() -> None:
    assert phrases("Ada met the Queen") == ["ada met", "met the", "the queen", "ada met the", "met the queen"]
    assert phrases("Ada") == [] and phrases("") == []


def test_a_gap_ends_a_phrase() -> None:
    assert phrases(visible("Ada met [MASK] the Queen")) == ["ada met", "the queen"]


def test_pairs_are_two_words_at_most_five_apart_in_either_order() -> None:
    assert pairs("b a") == pairs("a b") == ["a b"]
    assert sorted(pairs("a b c", reach=1)) == ["a b", "b c"]
    assert "a g" not in pairs("a b c d e f g") and "a f" in pairs("a b c d e f g")


def test_pairs_reach_over_gaps() -> None:
    assert pairs(visible("Ada [MASK] Queen")) == ["ada queen"]


@given(st.lists(st.sampled_from("abc"), max_size=12), st.integers(1, 6))
def test_pairs_are_all_pairs_within_reach(row: list[str], reach: int) -> None:
    slow = Counter()
    for i, one in enumerate(row):
        for j, other in enumerate(row):
            if i < j <= i + reach:
                slow[min(one, other) + " " + max(one, other)] += 1
    assert Counter(pairs(" ".join(row), reach)) == slow


@given(st.lists(st.sampled_from(["a", "b", "cc", "[MASK]"]), max_size=12))
def test_phrases_are_all_short_stretches_without_a_gap(row: list[str]) -> None:
    stretches = (row[i:j] for i in range(len(row)) for j in (i + 2, i + 3) if j <= len(row))
    slow = Counter(" ".join(stretch) for stretch in stretches if "[MASK]" not in stretch)
    assert Counter(phrases(visible(" ".join(row)))) == slow


def test_proper_names_are_words_with_a_capital_and_their_neighbours() -> None:
    assert proper_names("then Ada Lovelace met Charles") == ["ada", "lovelace", "ada lovelace", "charles"]
    assert sorted(proper_names("Jean-Luc O'Brien")) == ["brien", "jean", "jean luc", "luc", "luc o", "o", "o brien"]
    assert proper_names("A man, J. Smith") == ["smith"]
    assert proper_names("Ada    Lovelace") == proper_names("Ada of Lovelace") == ["ada", "lovelace"]
    assert proper_names("Élodie and Łukasz") == ["élodie", "łukasz"]
    assert proper_names("nobody here, 42 of them") == []


@pytest.mark.parametrize("text", ["łódź świat", "москва и киев", "ёлка", "čeština", "ŉame", "½ cup", "²nd ⅔"])
def test_words_in_small_letters_of_any_script_are_no_names(text: str) -> None:
    assert proper_names(text) == []


def test_words_of_scripts_without_capitals_may_all_be_names() -> None:
    assert proper_names("東京") == ["東京"]


def test_skeletons_are_words_as_they_sound() -> None:
    assert skeletons("Smith") == skeletons("Smyth") == ["smt"]
    assert skeletons("Katherine") == skeletons("Catherine")
    assert skeletons("Fillmore") == skeletons("Filmore")
    assert skeletons("Philips")[0] != skeletons("Johnson")[0]
    assert skeletons("a I o") == []


@given(st.text())
def test_a_skeleton_has_at_least_two_signs_none_of_them_doubled(text: str) -> None:
    for skeleton in skeletons(text):
        assert len(skeleton) >= 2
        assert all(one != other for one, other in zip(skeleton, skeleton[1:], strict=False))


def test_runs_are_five_characters_across_a_border_between_words() -> None:
    assert runs("Of Rye") == ["of ry", "f rye"]
    assert runs("abcdef") == []
    assert runs("a,  \n b c") == ["a, b ", ", b c"]


@given(st.text("ab ,.█", max_size=20))
def test_no_run_reaches_over_a_gap_or_stays_within_a_word(text: str) -> None:
    for run in runs(text):
        assert len(run) == 5 and "█" not in run and not WORD.fullmatch(run)


def slow_cosine(extract: FeatureCosine, people: list[Profile], text: str) -> list[float]:
    """TF-IDF cosine, less the text's own length, one feature of one person at a time."""
    bags = [Counter(extract.extract("\n".join(p.fields.values()))) for p in people]
    asked = set(extract.extract(visible(text)))
    found = []
    for bag in bags:
        weights = {f: (1 + log(n)) * idf(f, bags) for f, n in bag.items()}
        length = sqrt(sum(w * w for w in weights.values()))
        found.append(sum(weights[f] * idf(f, bags) for f in asked if f in weights) / length if length else 0.0)
    return found


def idf(feature: str, bags: list[Counter[str]]) -> float:
    return log((1 + len(bags)) / (1 + sum(feature in bag for bag in bags))) + 1


@pytest.mark.parametrize("family", FAMILIES)
@given(notes=st.lists(texts, min_size=1, max_size=4), text=texts)
def test_a_score_is_the_cosine_computed_slowly(family: str, notes: list[str], text: str) -> None:
    people = [Profile(str(i), {"note": note}) for i, note in enumerate(notes)]
    attacker = registry.create(registry.ATTACKERS, family)
    scores = attacker.fit(people).index(people).scores(text)
    features = max(1, len(set(attacker.extract(visible(text)))))
    assert np.abs(scores / SCALE - slow_cosine(attacker, people, text)).max() <= features * 2.0**-19


@pytest.mark.parametrize("family", FAMILIES)
def test_attackers_must_be_fitted_first_and_show_no_words(family: str) -> None:
    attacker = registry.create(registry.ATTACKERS, family)
    with pytest.raises(ModelError, match="must be fitted"):
        attacker.index([Profile("a", {})])
    people = [Profile("a", {"x": "Canaria 1897 Canaria Bird"})]
    assert "canaria" not in (repr(attacker.fit(people)) + repr(attacker.index(people))).casefold()


@given(notes=st.lists(st.lists(st.sampled_from(["ada", "bird", "crown", "dome"]), max_size=11), min_size=1, max_size=4))
def test_a_passage_score_is_that_of_the_best_among_overlapping_stretches(notes: list[list[str]]) -> None:
    people = [Profile(str(i), {"note": " ".join(note)}) for i, note in enumerate(notes)]
    owners, passages = [], []
    for person, note in enumerate(notes):
        starts = list(range(0, len(note), 2)) or [0]
        for start in starts[:-1] or starts:
            owners.append(person)
            passages.append(Profile("", {"": " ".join(note[start : start + 4])}))
    scores = slow_cosine(FeatureCosine("slow.v1", skeletons), passages, "a bird in the crown")
    slow = [max(s for s, owner in zip(scores, owners, strict=True) if owner == person) for person in range(len(people))]
    found = PassageCosine(size=4).fit(people).index(people).scores("a bird in the crown")
    assert np.abs(found / SCALE - slow).max() <= 5 * 2.0**-19


@pytest.mark.parametrize("family", ["phrases", "skeletons", "facts", "names"])
def test_a_word_is_worth_what_goes_with_it(family: str) -> None:
    """Of words that occur once and features that need no other word to go: exactly, for whomever one asks."""
    profiles = [
        Profile("a", {"life": "born 1897 at Elmira, led the Paper Mill"}),
        Profile("b", {"life": "the Paper boat of 1902"}),
        Profile("c", {"life": "Elmira was cold in 1897"}),
    ]
    index = registry.create(registry.ATTACKERS, family).fit(profiles).index(profiles)
    text, row = "In 1897 he led the Paper Mill near Elmira", ["1897", "led", "paper", "mill", "elmira", "absent"]
    worth, columns = index.worth(text, row, np.arange(3)), np.arange(3)
    assert worth.any() and not worth[-1].any()
    for word, falls in zip(row, worth, strict=True):
        left = " ".join("[MASK]" if part.lower() == word else part for part in text.split())
        assert np.array_equal(index.scores(text) - index.scores(left), falls[columns])
    assert np.array_equal(index.worth(text, row, np.array([2])), worth[:, [2]])


def test_a_pair_goes_with_either_of_its_words() -> None:
    profiles = [Profile("a", {"life": "paper mill at Elmira"}), Profile("b", {"life": "a mill"})]
    index = registry.create(registry.ATTACKERS, "pairs").fit(profiles).index(profiles)
    worth = index.worth("the paper mill", ["paper", "mill", "the"], np.arange(2))
    assert worth[0, 0] == worth[1, 0] == index.scores("paper mill")[0] > 0
    assert not worth[2].any() and not worth[:, 1].any()
