"""Times as people write them, and as they are said."""

import pytest

from unname.runtime import said_time, seconds_of


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("10m", 600), ("1h30m", 5400), (" 2H ", 7200), ("1h5s", 3605), ("", 0), ("10", 0), ("m", 0), ("-5m", 0),
     ("5m1h", 0), ("1.5h", 0), ("٣m", 0), ("99999m", 0)],
)  # fmt: skip
def test_times_are_read(text: str, seconds: int) -> None:
    assert seconds_of(text) == seconds


def test_times_are_said_in_the_two_largest_units() -> None:
    assert [said_time(s) for s in (0, 59.6, 61, 599, 600, 3599, 5430)] == [
        "0 s", "1 min 0 s", "1 min 1 s", "9 min 59 s", "10 min", "59 min", "1 h 30 min",
    ]  # fmt: skip
