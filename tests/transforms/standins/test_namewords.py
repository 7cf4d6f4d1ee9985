"""The words of a mention that are names, and what they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.transforms.standins.namelists import FAMILY, GIVEN
from unname.transforms.standins.namewords import EITHER, read_mention

MENTIONS = [
    ("Holm, Anna Maria", "en", [("holm", FAMILY, 0), ("anna", GIVEN, 0), ("maria", GIVEN, 1)]),
    ("Dr. A.M. Holm, PhD", "en", [("a", GIVEN, 0), ("m", GIVEN, 1), ("holm", FAMILY, 0)]),
    ("Mrs Holm", "en", [("holm", FAMILY, 0)]),
    ("Zyxol", "en", [("zyxol", EITHER, 0)]),
    ("Anna van der Holm", "nl", [("anna", GIVEN, 0), ("van", FAMILY, -1), ("der", FAMILY, -1), ("holm", FAMILY, 0)]),
    ("Anna Holm née Berg", "en", [("anna", GIVEN, 0), ("holm", FAMILY, 0), ("berg", FAMILY, 1)]),
    ("Nagy Éva", "hu", [("nagy", FAMILY, 0), ("eva", GIVEN, 0)]),
    ("王小明", "zh", [("王", FAMILY, 0), ("小明", GIVEN, 0)]),
    ("王先生", "zh", [("王", FAMILY, 0)]),
]


@pytest.mark.parametrize(("mention", "language", "wanted"), MENTIONS)
def test_words_are_read_as_names(mention: str, language: str, wanted: list[tuple[str, str, int]]) -> None:
    assert [(each.word, each.role, each.place) for each in read_mention(mention, language, ())] == wanted


def test_a_word_that_somebody_is_called_is_no_title() -> None:
    assert [each.word for each in read_mention("Don Holm", "es", ())] == ["holm"]
    assert [each.word for each in read_mention("Don Holm", "es", ("don",))] == ["don", "holm"]


@given(st.text(max_size=40) | st.text("Aab.' -,Dr王김née", max_size=24), st.sampled_from(["en", "de", "zh", "xx", ""]))
def test_words_stand_in_the_mention_one_behind_the_other(mention: str, language: str) -> None:
    at = 0
    for each in read_mention(mention, language, ()):
        assert at <= each.start < each.end <= len(mention)
        at = each.end
