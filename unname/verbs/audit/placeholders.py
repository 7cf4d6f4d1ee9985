"""Placeholders of other tools, as ours."""

from collections.abc import Sequence

import regex

from unname.errors import SettingsError
from unname.protecting.wordlists import TIMEOUT_S
from unname.text import MASK_TOKEN, NUMBERED, folded_words
from unname.types import Document

# So many words are no placeholder if most of them stand in the original.
_LINE = 4


def with_our_placeholders(
    texts: Sequence[str | None], originals: Sequence[Document], pattern: str | None, *, ours: bool
) -> list[str | None]:
    """Texts in the order of their originals with the placeholders of another tool as `ours`."""
    shown = texts if ours else map(numbers_apart, texts)
    return [normal_placeholders(text, pattern, d.text) for text, d in zip(shown, originals, strict=True)]


def numbers_apart(text: str | None) -> str | None:
    """A release of another tool in which numbers within brackets are read: `[AGE 87]`, and `[AGE 80]` for what is near it."""
    return text and NUMBERED.sub(lambda match: f"{match['token']}] {match['number']}", text)


def normal_placeholders(text: str | None, pattern: str | None, original: str = "") -> str | None:
    """A text with our own placeholders; what a pattern matches and the original says as well is none, and stays."""
    if text is None or pattern is None:
        return text
    try:
        expression = regex.compile(pattern, regex.VERSION0)
        if expression.match(""):
            raise SettingsError("the mask pattern matches the empty string; it must say what a placeholder looks like")
        return _normalised(expression, text, original)
    except (regex.error, OverflowError, RecursionError):
        raise SettingsError("the mask pattern is not a valid regular expression") from None
    except TimeoutError:
        raise SettingsError("the mask pattern takes too long for a text; write it without nested repetitions") from None


def _normalised(expression: regex.Pattern[str], text: str, original: str) -> str:
    said = set(folded_words(original))

    def placeholder(match: regex.Match[str]) -> str:
        row = folded_words(match[0])
        same = match[0] in original or (len(row) >= _LINE and sum(word in said for word in row) > len(row) / 2)
        return match[0] if same else MASK_TOKEN

    return str(expression.sub(placeholder, text, timeout=TIMEOUT_S))
