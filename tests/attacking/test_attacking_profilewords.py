"""Words of profiles shown and missing, against plain sets."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.attacking.profilewords import MOST_FIELDS, profile_words
from unname.text import folded_words, visible
from unname.types import Profile

WORDS = st.lists(
    st.sampled_from(["Ada", "ada", "Karl", "Zoë", "smith", "writer", "1897", "of", "ﬁne", "fine"]), max_size=5
)
VALUE = WORDS.map(" ".join)
PEOPLE = st.lists(st.dictionaries(st.sampled_from(["name", "trade", "note"]), VALUE), min_size=1, max_size=5)
TEXTS = st.lists(
    st.lists(
        st.sampled_from(["Ada", "KARL", "zoë", "met", "[MASK]", "[NAME_1]", "1897", "Of", "fine"]), max_size=6
    ).map(" ".join),
    max_size=3,
)


def slow_features(profiles: list[Profile], fields: list[str], texts: list[str]) -> list[list[float]]:
    """The definition with sets: whole profiles first, then each field."""
    shown = {word for text in texts for word in folded_words(visible(text))}
    whole = [set(folded_words("\n".join(p.fields.values()))) for p in profiles]

    def rarity(words: set[str]) -> float:
        return sum(math.log((1 + len(profiles)) / (0.5 + sum(w in one for one in whole))) for w in words)

    found = []
    for profile, words in zip(profiles, whole, strict=True):
        met, missing = words & shown, words - shown
        row = [rarity(met), rarity(missing), len(met), len(missing), len(met) / max(1, len(words))]
        for name in fields if len(fields) > 1 else []:
            own = set(folded_words(profile.fields.get(name, "")))
            row += [len(own & shown) / max(1, len(own)), rarity(own & shown), len(own - shown)]
        found.append(row)
    return found


@given(PEOPLE, TEXTS, st.permutations(["name", "trade", "note"]), st.integers(0, 3))
def test_features_are_what_sets_of_words_say(
    people: list[dict[str, str]], texts: list[str], order: list[str], many: int
) -> None:
    profiles, fields = [Profile(str(i), held) for i, held in enumerate(people)], order[:many]
    read = profile_words(profiles, fields)
    found = read.read(texts).features(np.arange(len(profiles)))
    assert len(found) == len(profiles) and found.dtype == np.float32
    for row, wanted in zip(found.tolist(), slow_features(profiles, fields, texts), strict=True):
        assert row == pytest.approx(wanted, abs=1e-4)


ADA = Profile("a", {"name": "Ada Lovelace", "town": "London"})
KARL = Profile("k", {"name": "Karl Ohm", "town": "Erlangen"})


def test_only_the_people_asked_for_are_answered_in_the_order_asked() -> None:
    read = profile_words([ADA, KARL, Profile("z", {})], ["name", "town"])
    everybody = read.read(["Ada of London"]).features(np.arange(3))
    assert np.array_equal(read.read(["Ada of London"]).features(np.array([2, 0])), everybody[[2, 0]])
    assert everybody[0, 2] == 2 and not everybody[1:, 2].any()


def test_a_placeholder_shows_no_word_of_any_profile() -> None:
    read = profile_words([Profile("m", {"name": "MASK NAME", "town": "1"}), ADA], ["name", "town"])
    assert not read.read(["[MASK] met [NAME_1]"]).features(np.arange(2))[:, [0, 2, 4]].any()
    assert read.read(["MASK"]).features(np.arange(2))[0, 2] == 1, "without brackets it is a word"


def test_a_word_shown_in_several_texts_counts_once() -> None:
    read = profile_words([ADA, KARL], ["name", "town"])
    once, often = (
        read.read(texts).features(np.arange(2)) for texts in (["Ada London"], ["Ada", "Ada Ada", "London ada"])
    )
    assert np.array_equal(once, often)


def test_what_few_profiles_hold_weighs_more_than_what_all_do() -> None:
    profiles = [Profile(str(i), {"name": f"Person{i}", "town": "London"}) for i in range(20)]
    read = profile_words(profiles, ["name", "town"])
    assert (
        read.read(["Person3"]).features(np.array([3]))[0, 0]
        > 10 * read.read(["London"]).features(np.array([3]))[0, 0]
        > 0
    )


def test_fields_beyond_the_first_fourteen_count_as_parts_of_the_whole_only() -> None:
    names = [f"field{i}" for i in range(MOST_FIELDS + 3)]
    profile = Profile("a", {name: f"word{i}" for i, name in enumerate(names)})
    read = profile_words([profile], names)
    assert read.parts == 1 + MOST_FIELDS and read.read([]).features(np.arange(1)).shape == (1, 5 + 3 * MOST_FIELDS)
    last = read.read([f"word{len(names) - 1}"]).features(np.array([0]))[0]
    assert last[2] == 1 and not last[5::3].any()


def test_the_only_field_there_is_is_the_whole_profile_and_not_read_twice() -> None:
    read = profile_words([Profile("a", {"biography": "She wrote."})], ["biography"])
    assert read.read([]).features(np.arange(1)).shape == (1, 5)


def test_people_of_whom_nothing_is_known_have_features_of_zero() -> None:
    read = profile_words([Profile("a", {}), Profile("b", {"name": ""})], ["name", "town"])
    assert not read.read(["Ada"]).features(np.arange(2)).any()
    assert "0 words" in repr(read)
