"""Other telephone numbers for those of a text: of the same format, kept for fiction or dialled by nobody."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from unname.transforms.standins.draws import Draws
from unname.transforms.standins.signs import (
    DIGITS,
    LONGEST_CODE,
    alphabet_of,
    behind_cue,
    drawn_signs,
    figure,
    in_script,
)

_FEWEST_DIGITS, _MOST_DIGITS = 3, 17
# Draws among the numbers that are kept for fiction, and among all.
_MOST_KEPT, _MOST_DIALLED = 20, 200
# Significant numbers that are kept for fiction, by country code: "x" is any digit, "n" one from 2 to 9.
_FICTIONAL = {
    1: ("nxx55501xx",),
    33: ("19900xxxx", "26191xxxx", "35301xxxx", "46571xxxx", "53649xxxx", "63998xxxx"),
    44: ("1632960xxx", "2079460xxx", "7700900xxx"),
    46: ("3139006xx", "84650040x"),
    49: ("3023125xxx", "6990009xxx", "4066969xxx", "2214710xxx", "8999998xxx"),
    61: ("25550xxxx", "35550xxxx", "75550xxxx", "85550xxxx"),
}
# Seven digits without an area, as America writes them.
_LOCAL, _WRITTEN_LOCAL = "55501xx", re.compile(r"\d{3}[ .-]\d{4}")
_FREE_SIGNS = {"x": DIGITS, "n": DIGITS[2:]}
# Where a number without a country code may be dialled if it is not known to be valid anywhere.
_LARGE = ("US", "GB", "IN", "AU", "IT", "NL", "ID", "ZA", "FR", "DE", "PL", "MX", "ES", "BR", "CN", "JP", "RU", "TR")


def other_phone(text: str, draws: Draws, *, regions: Sequence[str] = ()) -> str | None:
    """Another telephone number of the same format, which nobody can be called by; the country code stays.

    `regions` (ISO 3166) is where a number without a country code may be from; without them, or where it is in none of them,
    anywhere. Values are the same by their digits. None where the text has words besides those that say what it is, such as
    a number in letters, and where every draw is a number that somebody may have.
    """
    if len(text) > LONGEST_CODE:
        return None
    start = behind_cue(text)
    written = text[start:]
    digits = "".join(map(figure, filter(str.isdecimal, written)))
    extension = _extension(written, digits)
    number, behind = digits[: len(digits) - extension], digits[len(digits) - extension :]
    if extension < 0 or not _FEWEST_DIGITS <= len(number) <= _MOST_DIGITS:
        return None
    own = draws.under("phone", digits)
    if _WRITTEN_LOCAL.fullmatch(written):
        drawn = _patterned(_LOCAL, own, "again" * (number[:5] == _LOCAL[:5]))
    else:
        drawn = _other_number(number, written, regions, own) or number
    if drawn == number:
        return None
    signs = iter(drawn + drawn_signs([DIGITS] * len(behind), own, "extension"))
    return text[:start] + "".join(in_script(next(signs), c) if c.isdecimal() else c for c in written)


def _extension(written: str, digits: str) -> int:
    """The number of digits of an extension that ends a number; −1 where other words stand in it."""
    if not any(alphabet_of(c) and not c.isdecimal() for c in written):
        return 0
    import phonenumbers

    try:
        extension = phonenumbers.parse(written, "US").extension or ""
    except phonenumbers.NumberParseException:
        return -1
    runs = re.findall(r"[^\W\d_]+", written)
    return len(extension) if extension and digits.endswith(extension) and len(runs) == 1 else -1


def _other_number(digits: str, written: str, regions: Sequence[str], draws: Draws) -> str | None:
    """The digits of a number that cannot be dialled where the original can."""
    lead = "" if "+" in written[:3] else "00"
    country = _country(digits.removeprefix(lead)) if digits.startswith(lead) else 0
    if country:
        return _unreached(digits, f"{lead}{country}", (f"+{country}",), draws)
    places = _places(digits)
    codes = {_code_of(each) for each in regions}
    places = tuple(each for each in places if _code_of(each) in codes) or places
    if (other := _unreached(digits, "", places, draws)) is not None:
        return other
    # Some numbers are valid in so many regions that none is free in all of them: then those that write it so count.
    sizes = [len(each) for each in re.findall(r"\d+", written)]
    same = [each for each in places if (groups := _groups(digits, each)) == sizes[: len(groups)]]
    return _unreached(digits, "", same, draws) if same else None


def _unreached(digits: str, fixed: str, places: Sequence[str], draws: Draws) -> str | None:
    """The first number that is tried and is nobody's in these places; the digits of `fixed` stay."""
    skipped, order = 2 * fixed.startswith("00"), list(places)
    for candidate in _candidates(digits, fixed, places, draws):
        where = next((at for at in order if _reaches(candidate[skipped:], at)), None)
        if where is None and candidate != digits:
            return candidate
        if where is not None:
            # Whoever has one number often has the next.
            order.remove(where)
            order.insert(0, where)
    return None


def _candidates(digits: str, fixed: str, places: Sequence[str], draws: Draws) -> Iterator[str]:
    """Numbers to try: those kept for fiction in the places of the original, then any."""
    kept = [row for place in places for row in _fictional(digits, fixed, place)]
    kept = [row for row in kept if row[1][0] == digits[len(row[0])]] or kept
    for turn in range(_MOST_KEPT if kept else 0):
        before, pattern = draws.choice(kept, "range", str(turn))
        yield before + _patterned(pattern, draws, "kept", str(turn))
    zeros = len(digits) - len(digits[len(fixed) :].lstrip("0"))
    free = [*digits[:zeros], *[DIGITS[1:]][: len(digits) - zeros], *[DIGITS] * (len(digits) - zeros - 1)]
    for turn in range(_MOST_DIALLED):
        yield drawn_signs(free, draws, "free", str(turn))


def _patterned(pattern: str, draws: Draws, *name: str) -> str:
    return drawn_signs([_FREE_SIGNS.get(c, c) for c in pattern], draws, *name)


def _code_of(region: str) -> int:
    """The country code of a region: several share one."""
    import phonenumbers

    return phonenumbers.country_code_for_region(region)


def _groups(digits: str, region: str) -> list[int]:
    """The sizes of the groups in which a region writes a number."""
    import phonenumbers

    number = phonenumbers.parse(digits, region)
    national = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)
    return [len(each) for each in re.findall(r"\d+", national)]


def _fictional(digits: str, fixed: str, place: str) -> Iterator[tuple[str, str]]:
    """The digits before the significant number, and each pattern that is kept for fiction where it is dialled."""
    number = _parsed(digits[2:] if fixed.startswith("00") else digits, place)
    if number is None:
        return
    significant = number[1]
    if digits.endswith(significant):
        before = digits[: len(digits) - len(significant)]
        yield from ((before, row) for row in _FICTIONAL.get(number[0], ()) if len(row) == len(significant))


def _parsed(digits: str, place: str) -> tuple[int, str, bool] | None:
    """The country code, the significant number, and whether it is valid; `place` is a region, or a code after a plus."""
    import phonenumbers

    region, plus = (None, "+") if place.startswith("+") else (place, "")
    try:
        number = phonenumbers.parse(plus + digits, region)
    except phonenumbers.NumberParseException:
        return None
    return (
        number.country_code or 0,
        phonenumbers.national_significant_number(number),
        phonenumbers.is_valid_number(number),
    )


def _reaches(digits: str, place: str) -> bool:
    """True if a number may be somebody's."""
    number = _parsed(digits, place)
    return number is not None and number[2] and not _is_fictional(number[0], number[1])


def _is_fictional(country: int, significant: str) -> bool:
    return any(
        len(row) == len(significant)
        and all(digit in _FREE_SIGNS.get(sign, sign) for sign, digit in zip(row, significant, strict=True))
        for row in _FICTIONAL.get(country, ())
    )


@lru_cache(maxsize=1 << 12)
def _places(digits: str) -> tuple[str, ...]:
    """The regions in which a number is valid, one for each country code; the large ones if there is none."""
    import phonenumbers

    regions = [rows[0] for code, rows in phonenumbers.COUNTRY_CODE_TO_REGION_CODE.items() if rows[0] != "001"]
    valid = (each for each in regions if (number := _parsed(digits, each)) and number[2])
    return tuple(valid) or _LARGE


def _country(digits: str) -> int:
    """The country code that a number begins with; 0 if none."""
    number = _parsed(digits, "+")
    return number[0] if number and digits.startswith(str(number[0])) and len(digits) > 6 else 0
