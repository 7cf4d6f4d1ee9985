"""Short forms of given names: those of a library, without those that are ordinary words."""

import pytest

from unname.knowledge.nicknames import NICKNAMES


@pytest.mark.parametrize(
    ("given", "short"),
    [("elizabeth", "beth"), ("william", "bill"), ("margaret", "peggy"), ("robert", "bert"), ("theodore", "ted")],
)  # fmt: skip
def test_short_forms(given: str, short: str) -> None:
    assert short in NICKNAMES[given]


def test_ordinary_words_are_no_short_forms() -> None:
    every = {short for forms in NICKNAMES.values() for short in forms}
    assert every.isdisjoint({"see", "one", "day", "court", "left", "life", "van", "von", "than"})
    assert all(short.isalpha() and len(short) > 1 for short in every) and len(NICKNAMES) > 500
    assert "zzz" not in NICKNAMES and NICKNAMES.get("zzz", ()) == ()
