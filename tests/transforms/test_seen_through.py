"""A release as somebody reads it who knows which words were invented."""

from unname.transforms.base import seen_through
from unname.transforms.redact import assemble
from unname.types import Document, Mask, MaskSpan, Placeholder, Release

DOCUMENT = Document("d", "Anna came in the eighties")
MASK = Mask("d", (MaskSpan(0, 4, "rule"), MaskSpan(17, 25, "rule")))


def released(*written: Placeholder) -> Release:
    return assemble(DOCUMENT, MASK, [(0, 4, written[0]), (17, 25, written[1])])


def test_what_was_invented_is_a_gap_and_what_is_true_stays() -> None:
    both = released(Placeholder("name", "Maria", invented=True), Placeholder("date", "last century"))
    assert both.text == "Maria came in the last century"
    assert seen_through(both) == "[MASK] came in the last century"


def test_a_release_without_inventions_is_read_as_it_stands() -> None:
    tokens = released(Placeholder("name", "[NAME]"), Placeholder("mask", "[MASK]"))
    assert seen_through(tokens) == tokens.text
