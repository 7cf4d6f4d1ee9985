"""H2: hostile text costs linear time, and what takes too long is given up as a whole, never taken in part."""

import re

import pytest

from benchmarks.hostile import LARGE, READERS, SMALL, TEXTS, Read, per_character
from unname.errors import TaggingTimeoutError
from unname.taggers.rules import Rules

RULES = Rules(phrases=(("new york", "CITY"), ("a a a a b", "X")), allow=("no no",))
# The rules with lists, which takes in what they do without.
READS = {**READERS, "rules": lambda text: RULES.tag([text])}


def is_linear(read: Read, bit: str) -> bool:
    """Whether a character of a text costs at most twice what one of a tenth of it does; a busy machine has three tries."""
    return any(per_character(read, bit, LARGE, 1) <= 2 * per_character(read, bit, SMALL) for _ in range(3))


@pytest.mark.parametrize("reader", READS)
@pytest.mark.parametrize("bit", TEXTS)
def test_ten_times_the_text_costs_at_most_twice_as_much_a_character(reader: str, bit: str) -> None:
    assert is_linear(READS[reader], TEXTS[bit])


def test_the_check_notices_quadratic_time() -> None:
    backtracking = re.compile("a*b")
    small, large = (per_character(backtracking.findall, "a", size, 1) for size in (2_000, 20_000))
    assert large > 2 * small


def test_a_text_that_takes_too_long_is_given_up_as_a_whole() -> None:
    with pytest.raises(TaggingTimeoutError):
        Rules(timeout_s=0.0).tag(["quick", "NHC: 1 " * 10_000])
