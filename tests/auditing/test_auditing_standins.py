"""Words of a release that its original does not have."""

import pytest

from unname.auditing.standins import new_stretches, without_stand_ins

ORIGINAL = "Anna Holm came on 5 March 2019 to Leeds. Peter drove."


@pytest.mark.parametrize(
    ("released", "seen"),
    [
        (ORIGINAL, ORIGINAL),
        ("[NAME] came on [DATE] to Leeds. Peter drove.", "[NAME] came on [DATE] to Leeds. Peter drove."),
        ("Maria Brandt came on 5 March 2019 to Leeds. Peter drove.",
         "[MASK] [MASK] came on 5 March 2019 to Leeds. Peter drove."),
        # A word that stands elsewhere in the original is none of this place.
        ("Peter Brandt came on 5 March 2019 to Leeds. Peter drove.",
         "[MASK] [MASK] came on 5 March 2019 to Leeds. Peter drove."),
        # What a stand-in has in common with what it hides says something true.
        ("Anna Holm came on 12 March 2019 to Leeds. Peter drove.",
         "Anna Holm came on [MASK] March 2019 to Leeds. Peter drove."),
        ("Anna [MASK]m came on 5 March 2019 to Leeds.", "Anna [MASK]m came on 5 March 2019 to Leeds."),
        ("maria@example.org", "[MASK]@[MASK].[MASK]"),
        ("", ""),
    ],
)  # fmt: skip
def test_words_that_the_original_lacks_are_gaps(released: str, seen: str) -> None:
    assert without_stand_ins(released, ORIGINAL) == seen


def test_words_of_the_original_in_another_order_are_stand_ins() -> None:
    original, released = "Seen 3 May 2019; next 7 July 2020.", "Seen 7 July 2020; next 3 May 2019."
    assert without_stand_ins(released, original).count("[MASK]") >= 3


def test_a_long_text_takes_time_in_proportion() -> None:
    words = [f"word{number % 700}" for number in range(40_000)]
    changed = [word if number % 10 else f"other{number}" for number, word in enumerate(words)]
    seen = without_stand_ins(" ".join(changed), " ".join(words))
    assert seen.count("[MASK]") >= 4_000


def test_new_stretches_are_of_words_beside_each_other() -> None:
    original = "Seen on 3 May 1961 in Leeds, aged 47, by Kern."
    released = "Seen on May 1961 in United Kingdom, aged 40-49, by [NAME]."
    assert new_stretches(released, original) == ["United Kingdom", "40-49"]
    assert new_stretches("Seen on the 1960s in [PLACE]", original) == ["the 1960s"]
    assert new_stretches(original, original) == []
