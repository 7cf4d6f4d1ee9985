"""H2: hostile text costs linear time, and what takes too long is given up as a whole, never taken in part."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.hostile import LARGE, READERS, SMALL, TEXTS, Read, per_character
from unname.errors import TaggingTimeoutError
from unname.facts.stated import FactSettings, facts_in, to_mask
from unname.taggers.entities.tagger import Entities
from unname.taggers.rules.tagger import Rules

RULES = Rules(phrases=(("new york", "CITY"), ("a a a a b", "X")), allow=("no no",))
# The rules with lists, which takes in what they do without.
READS = {**READERS, "rules": lambda text: RULES.tag([text])}

# Where the last thing ends that a reader finds; of the fold, what its last eight letters stand for.
ENDS: dict[str, Callable[[Any], int]] = {
    "rules": lambda found: found[0][-1].end,
    "leak scan": lambda found: found[-1][1],
    "normalised": lambda found: found.original(len(found.text) - 8, len(found.text))[1],
}


def is_linear(read: Read, bit: str, small: int = SMALL, large: int = LARGE) -> bool:
    """Whether a character of a text costs at most twice what one of a tenth of it does; a busy machine has three tries."""
    return any(per_character(read, bit, large, 1) <= 2 * per_character(read, bit, small) for _ in range(3))


@pytest.mark.parametrize("reader", READS)
@pytest.mark.parametrize("bit", TEXTS)
def test_ten_times_the_text_costs_at_most_twice_as_much_a_character_and_is_read_to_its_end(
    reader: str, bit: str
) -> None:
    ends: list[tuple[int, int]] = []

    def read(text: str) -> None:
        text += "\nseen by Mr. Lovelace"
        ends.append((len(text), ENDS[reader](READS[reader](text))))

    assert is_linear(read, TEXTS[bit])
    assert max(ends)[0] > LARGE and all(length == end for length, end in ends)


@pytest.mark.parametrize("bit", TEXTS)
def test_the_same_of_the_tagger_that_ships_and_of_facts(bit: str) -> None:
    """Of smaller texts, since a network does for each word what rules do for few."""

    def read(text: str) -> None:
        found = Entities(lean=3).tag([text])[0]
        rules = FactSettings("mask")
        hidden = list(to_mask(facts_in(text, found, rules), text, rules))
        assert all(0 <= start < end <= len(text) for start, end, _ in hidden)

    assert is_linear(read, TEXTS[bit], SMALL // 10, LARGE // 10)


def test_the_check_notices_quadratic_time() -> None:
    backtracking = re.compile("a*b")
    small, large = (per_character(backtracking.findall, "a", size, 1) for size in (2_000, 20_000))
    assert large > 2 * small


def test_a_text_that_takes_too_long_is_given_up_as_a_whole() -> None:
    with pytest.raises(TaggingTimeoutError):
        Rules(timeout_s=0.0).tag(["quick", "NHC: 1 " * 10_000])
