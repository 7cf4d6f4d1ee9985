"""H2: hostile text costs linear time, and what takes too long is given up as a whole, never taken in part."""

import re

import pytest

from benchmarks.hostile import DENSE, NUMBERS, READERS, SIZE, SPARSE, Read, of_size, seconds
from unname.errors import TaggingTimeoutError
from unname.taggers.rules import Rules

RULES = Rules(phrases=(("new york", "CITY"), ("a a a a b", "X")), allow=("no no",))
# The rules with lists, which takes in what they do without.
READS = {**READERS, "rules": lambda text: RULES.tag([text])}


# Who reads what: the rules all, the others but what hides from them.
TEXTS = {**SPARSE, **DENSE, **NUMBERS}
READ = [(reader, bit) for reader in READS for bit in TEXTS if reader == "rules" or bit not in NUMBERS]


def takes_less(read: Read, text: str, most_s: float) -> bool:
    """Whether any of three tries does; most need no second one."""
    return any(seconds(read, text, 1) < most_s for _ in range(3))


@pytest.mark.parametrize(("reader", "bit"), READ)
def test_hostile_strings_take_milliseconds(reader: str, bit: str) -> None:
    """50 ms per 100 kB, 100 where every few characters begin something, and room for a machine that is slow or busy."""
    most_s = 0.05 if bit in SPARSE else 0.1
    assert takes_less(READS[reader], of_size(TEXTS[bit], SIZE), most_s * 5)


@pytest.mark.parametrize(("reader", "bit"), READ)
def test_four_times_the_text_takes_about_four_times_as_long(reader: str, bit: str) -> None:
    read, text = READS[reader], of_size(TEXTS[bit], SIZE // 2)
    small = seconds(read, text, 3)
    large = of_size(TEXTS[bit], 2 * SIZE)
    assert takes_less(read, large, 8 * small + 0.1), "quadratic time would be sixteen times"


def test_the_check_notices_quadratic_time() -> None:
    backtracking = re.compile("a*b")
    small, large = (seconds(backtracking.findall, of_size("a", size), 3) for size in (12_000, 48_000))
    assert large > 8 * small + 0.1


def test_a_text_that_takes_too_long_is_given_up_as_a_whole() -> None:
    with pytest.raises(TaggingTimeoutError):
        Rules(timeout_s=0.0).tag(["quick", of_size("NHC: 1 ", SIZE)])
