"""Other identifiers for those of a text: of the same format, and no check that is known for its shape accepts them."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from math import prod

from unname.taggers.rules.checksums import DEVICES, LETTERED_IDS, NATIONAL_IDS, any_of, bare, holds, vehicle
from unname.text import fold
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.signs import (
    CAPITALS,
    DIGITS,
    LONGEST_CODE,
    alphabet_of,
    behind_cue,
    drawn_signs,
    figure,
    in_script,
)

_MOST_SIGNS, _MOST_TRIES = 64, 2000
# Shorter numbers have no check digit; of nine digits about one draw in two hundred fails every check.
_FEWEST_CHECKED, _FEWEST_SIGNS = 6, 9
_VEHICLE = re.compile("[A-HJ-NPR-Z0-9]{17}")
# Modules of python-stdnum that accept any number of a length, or most: they say what it may be, not that it is one.
_UNCHECKED = """
ar.dni at.businessid at.postleitzahl bic bitcoin cfi cr.cpf de.handelsregisternummer de.wkn dz.nif eg.tn
es.postal_code eu.nace fi.associationid fi.veronumero fo.vn fr.accise gs1_128 imei is_.vsk isan isil kr.brn li.peid mac
meid nl.brin nl.postcode ro.onrc se.postnummer sm.coe us.atin us.ein us.ptin us.tin
"""
# These do so with so many digits, and check what is longer.
_UNCHECKED_LENGTHS = {("pe.cui", 8), ("de.stnr", 10), ("de.stnr", 11)}
_Check = Callable[[str], object]


def other_identifier(text: str, draws: Draws) -> str | None:
    """Another number of the same format that no known check accepts; words that say what it is stay before it.

    Digits give digits and letters give Latin letters; leading zeros stay. Values are the same by letters and digits alone.
    None where nothing is left to draw, or every draw is a number that somebody may have.
    """
    if len(text) > LONGEST_CODE:
        return None
    start = behind_cue(text)
    signs = [c for c in text[start:] if alphabet_of(c)]
    if not signs or len(signs) > _MOST_SIGNS:
        return None
    was = "".join(figure(c) for c in signs)
    alphabets = _free(was, [alphabet_of(c) for c in signs])
    own = draws.under("identifier", fold("".join(signs)))
    for turn in range(min(_MOST_TRIES, 8 * prod(map(len, alphabets)))):
        drawn = drawn_signs(alphabets, own, str(turn))
        if drawn.upper() != was.upper() and not _is_taken(_with(text[start:], drawn, script=False)):
            return text[:start] + _with(text[start:], drawn)
    return None


def _free(was: str, alphabets: Sequence[str]) -> list[str]:
    """The signs that may be drawn at each place: leading zeros stay, and no other number begins with one."""
    free, leading = list(alphabets), True
    nine = len(was) == 9 and was.isdecimal()
    for at, sign in enumerate(was):
        if alphabets[at] != DIGITS:
            continue
        if leading:
            free[at] = "0" if sign == "0" else DIGITS[1:]
            leading = sign == "0"
        # No social security number of the United States begins so.
        if nine and at < 3 and was[0] == "0":
            free[at] = "0"
        elif nine and at == 0:
            free[at] = "9"
    return free


def _with(text: str, drawn: str, *, script: bool = True) -> str:
    """A text with drawn signs in place of its own, in the script of its digits; marks on letters go."""
    signs = iter(drawn)
    return "".join(
        (in_script(next(signs), c) if script else next(signs)) if alphabet_of(c) else c
        for c in text
        if alphabet_of(c) or not unicodedata.category(c).startswith("M")
    )


def _is_taken(code: str) -> bool:
    """True if a code of ASCII digits and letters passes a check for its shape, so that somebody or something may have it."""
    plain = bare(code)
    digits = "".join(c for c in plain if c.isdecimal())
    if len(digits) < _FEWEST_CHECKED and len(plain) < _FEWEST_SIGNS:
        return False
    if any(_accepts(check, plain) for check in _checks_of(_shape(plain))):
        return True
    # A word may stand beside the number that is checked.
    if digits != plain and re.search(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])", code) and _is_taken(digits):
        return True
    return _table()(code.upper()) or _table()(plain) or _is_written(code.upper(), plain)


def _is_written(code: str, plain: str) -> bool:
    """True for numbers that are checked only as they are written, and for vehicles."""
    century = "" if plain[6:7].isalpha() else "-"
    if len(plain) == 11 - len(century) and holds("fi.hetu")(plain[:6] + century + plain[6:]):
        return True
    return ("/" in code and holds("cz.bankaccount")(code)) or (bool(_VEHICLE.fullmatch(plain)) and vehicle(plain))


@cache
def _table() -> Callable[[str], bool]:
    return any_of("\n".join(each.strip() for each in (NATIONAL_IDS, LETTERED_IDS, DEVICES)))


@cache
def _checks() -> dict[str, _Check]:
    """Every validator of python-stdnum that checks more than a length; it raises an error for what it refuses."""
    from stdnum.util import get_number_modules

    names = (
        (getattr(module, "__name__", "").removeprefix("stdnum."), module.validate) for module in get_number_modules()
    )
    return {name: check for name, check in names if name not in _UNCHECKED.split()}


@lru_cache(maxsize=1 << 10)
def _checks_of(shape: str) -> tuple[_Check, ...]:
    """The validators that may accept a number of a shape ("9" a digit, "A" a letter): it is not too long or short."""
    length = -1 if "A" in shape else len(shape)
    checks = {name: check for name, check in _checks().items() if (name, length) not in _UNCHECKED_LENGTHS}
    if shape.startswith("A"):
        # Letters before a number may be a country's, which many validators take away.
        return tuple(checks.values())
    alphabets = [DIGITS if sign == "9" else CAPITALS for sign in shape]
    samples = [drawn_signs(alphabets, Draws(b""), shape, str(turn)) for turn in range(3)]
    # Some take leading zeros away.
    samples.append("0" * (len(shape) - 4) + samples[0][-4:])
    return tuple(check for check in checks.values() if not all(_is_too_long(check, each) for each in samples))


def _is_too_long(check: _Check, code: str) -> bool:
    """True if a validator says that a code is too long or too short."""
    too_long: type[Exception] = import_module("stdnum.exceptions").InvalidLength
    try:
        check(code)
    except too_long:
        return True
    except (LookupError, ValueError, TypeError, ArithmeticError):
        return False
    return False


def _accepts(check: _Check, code: str) -> bool:
    try:
        check(code)
    except (LookupError, ValueError, TypeError, ArithmeticError):
        # Some validators meet what their own tables lack: the number is none.
        return False
    return True


def _shape(plain: str) -> str:
    return "".join("9" if c.isdecimal() else "A" for c in plain)
