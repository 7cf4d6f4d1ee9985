"""Words of a release that its original does not have."""

import pytest

from unname.auditing.standins import without_stand_ins

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
