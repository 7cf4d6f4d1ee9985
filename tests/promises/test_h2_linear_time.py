"""H2: hostile text costs linear time, and what takes too long is given up as a whole, never taken in part."""

import re

import pytest

from benchmarks.hostile import DENSE, READERS, SIZE, SPARSE, Read, of_size, seconds
from unname.errors import TaggingTimeoutError
from unname.taggers.rules import Rules

RULES = Rules(phrases=(("new york", "CITY"), ("a a a a b", "X")), allow=("no no",))
# The rules with lists, which takes in what they do without.
READS = {**READERS, "rules": lambda text: RULES.tag([text])}


def takes_less(read: Read, text: str, most_s: float) -> bool:
    """Whether any of three tries does; most need no second one."""
    return any(seconds(read, text, 1) < most_s for _ in range(3))


@pytest.mark.parametrize("reader", READS)
@pytest.mark.parametrize(("bit", "most_s"), [*((bit, 0.05) for bit in SPARSE), *((bit, 0.2) for bit in DENSE)])
def test_hostile_strings_take_milliseconds(bit: str, most_s: float, reader: str) -> None:
    """50 ms per 100 kB, 200 where each sign is to be looked at, and room for a machine that is slow or busy."""
    assert takes_less(READS[reader], of_size({**SPARSE, **DENSE}[bit], SIZE), most_s * 5)


@pytest.mark.parametrize("reader", READS)
@pytest.mark.parametrize("bit", {**SPARSE, **DENSE})
def test_four_times_the_text_takes_about_four_times_as_long(bit: str, reader: str) -> None:
    read, text = READS[reader], of_size({**SPARSE, **DENSE}[bit], SIZE // 2)
    small = seconds(read, text, 3)
    large = of_size({**SPARSE, **DENSE}[bit], 2 * SIZE)
    assert takes_less(read, large, 8 * small + 0.1), "quadratic time would be sixteen times"


def test_the_check_notices_quadratic_time() -> None:
    backtracking = re.compile("a*b")
    small, large = (seconds(backtracking.findall, of_size("a", size), 3) for size in (12_000, 48_000))
    assert large > 8 * small + 0.1


def test_a_text_that_takes_too_long_is_given_up_as_a_whole() -> None:
    with pytest.raises(TaggingTimeoutError):
        Rules(timeout_s=0.0).tag(["quick", of_size("NHC: 1 ", SIZE)])
