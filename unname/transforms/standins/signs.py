"""Digits and letters of a text, others drawn in their place, and the words before a number that say what it is."""

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from functools import cache

from unname.taggers.rules import cues
from unname.text import fold, plain
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.words import TRIES

# Texts longer than these are no code, whatever their label says.
LONGEST_CODE = 1000
DIGITS, CAPITALS, SMALL = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
# Signs drawn from one number.
_AT_ONCE = 32


def alphabet_of(c: str) -> str:
    """The signs that a sign is drawn from; none if it stays."""
    if c.isdecimal() or (c.isnumeric() and not c.isalpha()):
        return DIGITS
    if not c.isalpha():
        return ""
    return SMALL if c.islower() else CAPITALS


def figure(c: str) -> str:
    """A digit of any script as ASCII; any other sign as it is."""
    return str(unicodedata.decimal(c)) if c.isdecimal() else c


def in_script(digit: str, like: str) -> str:
    """An ASCII digit in the script of another sign, if that is a digit."""
    return chr(ord(like) - unicodedata.decimal(like) + int(digit)) if like.isdecimal() else digit


def drawn_signs(alphabets: Sequence[str], draws: Draws, *name: str) -> str:
    """A text with one sign of each alphabet."""
    signs = list[str]()
    for at, alphabet in enumerate(alphabets):
        if at % _AT_ONCE == 0:
            number = draws.number(1 << 256, *name, str(at))
        number, place = divmod(number, len(alphabet))
        signs.append(alphabet[place])
    return "".join(signs)


def redrawn(text: str, draws: Draws, *, avoid: Set[str] = frozenset()) -> str | None:
    """A text with other digits and, in place of its Latin letters, others of their case; None where there is no other.

    A number that begins with another digit than 0 still does.
    """
    for attempt in map(str, range(TRIES)):
        new = "".join(
            _other_sign(c, draws.under(attempt, str(place)), starts=not place or not text[place - 1].isdecimal())
            for place, c in enumerate(text)
        )
        if plain(new) != plain(text) and plain(new) not in avoid:
            return new
    return None


def _other_sign(sign: str, draws: Draws, *, starts: bool) -> str:
    if sign.isdecimal():
        new = 1 + draws.number(9) if starts and unicodedata.decimal(sign) else draws.number(10)
        return in_script(str(new), sign)
    if sign.isascii() and sign.isalpha():
        return chr((ord("A") if sign.isupper() else ord("a")) + draws.number(26))
    return sign


def behind_cue(text: str) -> int:
    """The place behind the words that say what the number is."""
    end = 0
    for match in re.finditer(r"(?:(?:[^\W\d_]\.){2,}|[^\W_]+)[\W_]+", text):
        word = "".join(c for c in match[0] if c.isalpha())
        if (
            match.start() > end + 3
            or len(word) < 2
            or any(map(str.isnumeric, match[0]))
            or fold(word) not in _cue_words()
        ):
            break
        end = match.end()
    # A plus or a bracket belongs to the number.
    return len(text[:end].rstrip("+(")) if end < len(text) else 0


@cache
def _cue_words() -> frozenset[str]:
    """Words that say what number follows."""
    kinds = ("phone", "fax", "national_id", "record", "account", "plate", "device")
    every = {word for kind in kinds for phrase in cues.before_numbers(kind) for word in _letters(phrase, phrase)}
    return frozenset(every | {fold(word) for word in cues.words("filler") if len(word) > 1})


def _letters(phrase: str, whole: str) -> Iterator[str]:
    """The words of a cue; of two letters (which may be a town's, on a plate) only those that are a cue by themselves."""
    return (fold(word) for word in re.findall(r"[^\W\d_]{2,}", phrase) if len(word) > 2 or word == whole)
