"""Folding of a text for the second reading: small letters, without the marks on them."""

import unicodedata

# Letters that Unicode does not take apart, those that Arabic keyboards mix up, and the line that stretches an Arabic word.
_NO_PARTS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "ħ": "h", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th",
                           "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "\u0640": None})  # fmt: skip


def folded(text: str) -> str:
    """A text as it is compared."""
    if text.isascii():  # has none of all this
        return text.lower()
    apart = unicodedata.normalize("NFKD", text)
    whole = unicodedata.normalize("NFKC", "".join(c for c in apart if not unicodedata.combining(c)))
    return whole.casefold().translate(_NO_PARTS)
