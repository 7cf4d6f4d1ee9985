"""A transform."""

from dataclasses import dataclass

from unname.errors import InputError
from unname.types import Document, Mask, Release


@dataclass(frozen=True)
class Stars:
    """Put the same token in place of every hidden word, whatever it was."""

    shown: str = "[STARS]"
    name: str = "foreign.v1"

    def release(self, document: Document, mask: Mask) -> Release:
        text, pieces, at = "", [], 0
        for start, end in (*((span.start, span.end) for span in mask.spans), (len(document.text),) * 2):
            if not at <= start <= end <= len(document.text) or (start == end < len(document.text)):
                raise InputError("a mask has a span that is out of order, empty or outside the text")
            for said, upto in ((document.text[at:start], start), (self.shown if start < end else "", end)):
                if said:
                    pieces.append((len(text), len(text) + len(said), at, upto))
                text, at = text + said, upto
        return Release(document.id, text, tuple(pieces))
