"""A linear tagger's view of a token, against a slow reading of the same text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import SettingsError
from unname.hashing import hashed, mix
from unname.normalised import normalised
from unname.taggers.linear.features import casing, read, shape
from unname.taggers.linear.scores import Linear, matrix, sparsest, vocabulary
from unname.taggers.lists import make_lists
from unname.taggers.tokens import lines

TEXTS = st.text(alphabet="aB1 .:\n-éÑ@", max_size=60)


def key(name: str, value: str) -> int:
    return hashed(f"{name}={value}")


def at(offset: int, value: int) -> int:
    return int(mix(np.uint64(value), np.uint64(hashed(f"at {offset}"))))


def test_shapes_say_capitals_small_letters_digits_and_at_most_four_of_a_run() -> None:
    assert [shape(w) for w in ("Ada", "McKay", "12345", "DNI", "abcdefgh", "a1-B")] == [
        "Xxx", "XxXxx", "dddd", "XXX", "xxxx", "xd-X",
    ]  # fmt: skip


def test_casing_has_seven_classes() -> None:
    assert [casing(w) for w in ("12", "12a", "small", "UPPER", "Initial", "a1bc", "iOS", "--")] == [
        "numeric", "mainly numeric", "lower", "upper", "initial", "digit", "other", "other",
    ]  # fmt: skip


@given(TEXTS)
def test_every_token_sees_the_words_up_to_three_away_with_pads_at_the_ends_of_lines_and_texts(text: str) -> None:
    text = normalised(text).text  # a word that is broken at a line end is one
    reading = read([text])
    keys = reading.every()
    stream, ours = ["<text>"] * 3, []
    end = 0
    for row in lines(text):
        if end and set(text[end : row[0].start]) & {"\n", "\r"}:
            stream.append("<line>")
        for token in row:
            ours.append(len(stream))
            stream.append(text[token.start : token.end])
        end = row[-1].end
    stream += ["<text>"] * 3
    assert len(keys) == len(ours)
    for row, place in zip(keys.tolist(), ours, strict=True):
        for offset in range(-3, 4):
            assert at(offset, key("word", stream[place + offset].casefold())) in row


@given(st.lists(TEXTS, max_size=4))
def test_the_features_of_a_text_do_not_depend_on_other_texts(texts: list[str]) -> None:
    alone = [read([text]).every() for text in texts]
    together = read(texts).every()
    assert np.array_equal(np.vstack([*alone, together[:0]]), together)


def differ(one: str, other: str) -> bool:
    """Check whether the last tokens of two texts have different features."""
    return set(read([one]).every()[-1].tolist()) != set(read([other]).every()[-1].tolist())


def test_a_token_sees_the_words_before_the_colon_and_how_its_line_begins() -> None:
    far = "a b c d e f g h"
    assert differ(f"Name: {far}", f"Town: {far}")
    assert differ(f"Seen {far}", f"Sent {far}")
    assert differ(f"Old town: {far}", f"New town: {far}")
    assert not differ(f"x\n\nNames {far}\n\n{far}\n\n{far}", f"y\n\nNames {far}\n\n{far}\n\n{far}")


def test_a_token_sees_what_is_written_before_the_same_word_elsewhere() -> None:
    between = " was seen again and again, said the note of "
    assert differ(f"Dr Shaw{between}Shaw", f"Of Shaw{between}Shaw")
    assert differ(f"a shaw of it{between}Shaw", f"a sham of it{between}Shaw")


def test_only_what_occurs_often_enough_is_kept_and_nothing_is_no_feature() -> None:
    keys = np.array([[5, 0, 9], [5, 7, 0], [5, 7, 3]], np.uint64)
    assert vocabulary([keys], 2).tolist() == [5, 7]
    assert matrix(keys, vocabulary([keys], 2)).toarray().tolist() == [[1, 0], [1, 1], [1, 1]]


@given(st.lists(TEXTS, min_size=1, max_size=3), st.integers(0, 9))
def test_scores_by_word_type_are_those_of_all_features_of_each_token(texts: list[str], seed: int) -> None:
    reading = read(texts)
    keys = vocabulary([reading.every()], 1)
    linear = Linear(keys, np.random.default_rng(seed).normal(size=(len(keys), 3)))
    slow = [sum((linear.weights[keys == k].sum(axis=0) for k in row if k), np.zeros(3)) for row in reading.every()]
    assert np.allclose(linear.scores(reading), np.array(slow).reshape(-1, 3), atol=1e-9)


def test_features_without_weight_are_dropped() -> None:
    kept = sparsest(Linear(np.array([1, 2, 3], np.uint64), np.array([[0, 0.5], [0.01, 0], [0, 0]])), 0.1)
    assert (kept.keys.tolist(), kept.weights.tolist()) == ([1], [[0, 0.5]])


def listed(text: str, **entries: list[str]) -> list[bool]:
    lists = make_lists(entries, {})
    plain = read([text])
    marked = lists.marked(plain)
    return (marked.columns[:, plain.columns.shape[1]] != 0).tolist()


def test_listed_stretches_are_marked_whatever_their_case() -> None:
    text = "In new york, New Yorkers"
    assert listed(text, towns=["New York"]) == [False, True, True, False, False, False]


def test_a_document_does_not_see_in_a_list_what_it_alone_put_there() -> None:
    lists = make_lists({}, {"TOWN": [(["Elmira"], 0), (["Dunmore"], 0), (["Dunmore"], 1)]})
    plain = read(["Elmira Dunmore", "Elmira Dunmore"])
    seen = lists.marked(plain, learning=True).columns[:, -1] != 0
    assert seen.tolist() == [False, True, True, True]
    assert (lists.marked(plain).columns[:, -1] != 0).all()


def test_the_longest_listed_stretch_is_told_and_two_lists_are_told_apart() -> None:
    lists = make_lists({"a": ["Port"], "b": ["Port Ash"]}, {})
    plain = read(["Port", "Port Ash", "Ash"])
    one, two, within, none = lists.marked(plain).columns[:, plain.columns.shape[1] + 1].tolist()
    assert len({one, two, within, none}) == 4 and none == 0


def test_more_lists_than_can_be_told_apart_are_refused() -> None:
    with pytest.raises(SettingsError, match="lists"):
        make_lists({str(number): [] for number in range(32)}, {})
