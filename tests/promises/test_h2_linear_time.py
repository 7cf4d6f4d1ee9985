"""H2: hostile text costs linear time, and what takes too long is given up as a whole, never taken in part."""

import time
from collections.abc import Callable

import pytest

from unname.auditing.leaks import direct_identifiers
from unname.errors import TaggingTimeoutError
from unname.shadow import shadow
from unname.taggers.rules import Rules
from unname.types import Profile

RULES = Rules(phrases=(("new york", "CITY"), ("a a a a b", "X")), allow=("no no",))
NAMED = direct_identifiers(Profile("p", {"name": "Ada Lovelace", "phone": "0555 570 3312"}), ["name", "phone"])
READERS: dict[str, Callable[[str], object]] = {
    "rules": lambda text: RULES.tag([text]),
    "shadow": shadow,
    "leak scan": NAMED.find,
}
# What brings a backtracking pattern to its knees: repeated beginnings that never end.
SPARSE = {
    "digits": "1",
    "mails": "a@", "ats": "@", "numbers in a row": "1-", "no.": "no. ", "blanks": " ", "letters": "a",
    "dots": "a.com", "colons": ":a:", "hyphens": "-aa", "ampersands": "&", "entities": "&amp;",
    "marks": "\u0301", "links": "://",
    "hyphens at line ends": "a-\n",
    "titles": "Dr ", "fields": "Nombre: ", "zero-width": "\u200b", "brackets": "(", "names": "Aa",
}  # fmt: skip
# Texts in which every few characters begin an identifier or a disguise: slower, and still linear.
DENSE = {
    "dates": "1/1/19 ", "pairs": "1 2 ", "cues": "NHC: 1 ", "accounts": "ES91 ", "streets": "c/ A 1 ", "plus": "+1 ",
    "letters and digits": "A1",
    "months": "mayo 1 ", "houses": "12 High ", "ages": "46 years ", "look-alikes": "а x ", "spaced": "a b c d ",
    "times": ":1",
    "phrases": "a a a ", "ligatures": "ﬁ²²²",
}  # fmt: skip
SIZE = 100_000


def seconds(read: Callable[[str], object], text: str, times: int) -> float:
    """The best of several, in seconds of this process."""
    best = float("inf")
    for _ in range(times):
        started = time.process_time()
        read(text)
        best = min(best, time.process_time() - started)
    return best


def of_size(bit: str, size: int) -> str:
    return (bit * (size // len(bit) + 1))[:size]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("bit", SPARSE)
def test_hostile_strings_take_milliseconds(bit: str, reader: str) -> None:
    """50 ms per 100 kB, and room for a machine that is slow or busy."""
    assert seconds(READERS[reader], of_size(SPARSE[bit], SIZE), 3) < 0.05 * 5


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("bit", {**SPARSE, **DENSE})
def test_four_times_the_text_takes_about_four_times_as_long(bit: str, reader: str) -> None:
    read, text = READERS[reader], of_size({**SPARSE, **DENSE}[bit], SIZE // 2)
    small = seconds(read, text, 3)
    large = seconds(read, of_size({**SPARSE, **DENSE}[bit], 2 * SIZE), 2)
    assert large < 8 * small + 0.1, "quadratic time would be sixteen times"


def test_the_check_notices_quadratic_time() -> None:
    def slow(text: str) -> int:
        return sum(text.count("b", i) for i in range(0, len(text), 20))

    small, large = (seconds(slow, of_size("a", size), 2) for size in (SIZE // 2, 2 * SIZE))
    assert large > 8 * small + 0.1


def test_a_text_that_takes_too_long_is_given_up_as_a_whole() -> None:
    with pytest.raises(TaggingTimeoutError):
        Rules(timeout_s=0.0).tag(["quick", of_size("NHC: 1 ", SIZE)])
