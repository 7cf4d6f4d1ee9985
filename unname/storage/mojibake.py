"""Text that was UTF-8 and was read as something else before it came here, such as MÃ¼ller: noticed, and what it was."""

import re

# A first byte of UTF-8 and one that goes on, as Windows-1252 and Windows-1251 show them: whoever has none needs no look.
_ON_1252 = "\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_ON_1251 = "ЂЃѓЉЊЌЋЏђљњќћџЎўЈҐЁЄЇІіґёєјЅѕї\xa0¤¦§©«¬\xad®°±µ¶·»„…†‡€‰‹‘’“”•–—™›"
_PAIR = re.compile(f"[Â-ôРС][{_ON_1252}{_ON_1251}]")
_TWO = re.compile(r"[^\x00-\x7f]{2}")
_LOOKED_AT = 1 << 16


def repaired(text: str) -> str:
    """A text as it was before it was read wrongly; itself where it does not look so."""
    if text.isascii() or _TWO.search(text) is None or _PAIR.search(text) is None:
        return text
    from ftfy import fix_encoding  # for whoever meets such a text

    return fix_encoding(text)


def is_garbled(text: str) -> bool:
    """True if a text, at least its beginning, looks as if it was read wrongly."""
    start = text[:_LOOKED_AT]
    return repaired(start) != start
