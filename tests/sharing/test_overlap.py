"""Texts that say what others say, however they are written; a form that many fill in is no such text."""

import pytest

from unname.sharing.overlap import is_covered_by, shingles
from unname.types import Document, Span

TEXT = "Zoë Byron of Elmira was seen on Monday for a cough that had lasted a week, and went home well in the evening."
OTHERS = "Seen for chest pain, and walked home well after a night on the ward. Nothing else was found at that time."


def document(text: str, *names: str) -> Document:
    return Document("1", text, spans=tuple(Span(text.index(n), text.index(n) + len(n), "NAME") for n in names))


DOCUMENT = document(TEXT, "Zoë Byron", "Elmira")


@pytest.mark.parametrize(
    "other",
    [
        TEXT, f"{TEXT} ", TEXT.upper(), TEXT.replace("ë", "e"), TEXT.replace(" ", "\n"), TEXT[:60],
        f"{OTHERS} {TEXT} {OTHERS}", TEXT.replace("cough", "cold"), TEXT.replace("i", "i\u200b"),
    ],
)  # fmt: skip
def test_the_same_text_is_known_again(other: str) -> None:
    assert is_covered_by([document(OTHERS), DOCUMENT], [OTHERS[:20], other])


def test_other_texts_and_a_form_with_other_names_are_not() -> None:
    other = TEXT.replace("Zoë Byron", "Ada King").replace("Elmira", "Troy")
    assert not is_covered_by([DOCUMENT], [OTHERS, other[:60], "", "Zoë Byron", "of Elmira"])
    assert not is_covered_by(
        [DOCUMENT], ["Someone called Byron is mentioned here, in a text on something else altogether."]
    )


def test_what_has_no_identifier_is_known_only_where_nearly_all_of_it_is_said() -> None:
    plain = document(TEXT)
    assert is_covered_by([plain], [TEXT.lower()])
    assert not is_covered_by([plain], [f"{TEXT[:60]} {OTHERS}"])


def test_a_short_text_is_one_row_of_words() -> None:
    assert shingles("Ada, King!") == {("ada", "king")}
    assert shingles(" ... ") == set()
