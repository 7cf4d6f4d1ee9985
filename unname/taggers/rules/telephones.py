"""Telephone numbers without a cue word: those that phonenumbers knows in a country that the text's letters point to."""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from unname import languages
from unname.taggers.rules.recogniser import SPACED


class Countries(NamedTuple):
    """The countries a text may come from (ISO 3166); unless its letters point to them, a number must look more like one."""

    regions: tuple[str, ...]
    pointed_to: bool


_ANYWHERE = ("US", "GB", "IN", "AU", "IT", "NL", "ID", "ZA", "FR", "DE", "PL", "MX")
_MOST_REGIONS = 14
_GROUPS = r"(?:[ \u00a0-]\d{2,7})"
# Groups of digits with blanks or hyphens, with points alone, with an area in brackets; or the digits alone.
CANDIDATE = re.compile(
    rf"(?:\d{{1,5}}(?:[ -]\d(?=[ -]))?{_GROUPS}{{1,4}}|\d{{2,4}}(?:\.\d{{2,4}}){{2,4}}"
    rf"|(?:\d[ -]?\()?(?<=\()\d{{1,5}}\)[ -]?\d{{2,7}}{_GROUPS}{{0,3}}|\d{{9,11}})(?![^\W_](?<=[{SPACED}]))(?![./,-]?\d)"
)
_YEARS = re.compile(r"(?:(?:19|20)\d\d\D?)+")
_FEWEST, _FEWEST_UNSAID, _MOST = 8, 10, 12


def countries_of(text: str) -> Countries:
    """The countries that a text's letters and currency signs point to; the largest where none does."""
    characters = "".join(set(text))
    pointed = [region for sign, regions in _signs() if sign.search(characters) for region in regions]
    regions = tuple(dict.fromkeys(pointed))[:_MOST_REGIONS]
    return Countries(regions, True) if regions else Countries(_ANYWHERE, False)


@cache
def _signs() -> list[tuple[re.Pattern[str], list[str]]]:
    rows = languages.read("cues")["sign_of_country"].items()
    return [(re.compile(f"[{signs}]"), regions.split()) for signs, regions in rows]


def telephone_end(text: str, start: int, countries: Callable[[], Countries]) -> int:
    """The end of a telephone number that begins here, or `start` if none begins."""
    match = CANDIDATE.match(text, start)
    if match is None or _YEARS.fullmatch(match[0]):
        return start
    written = match[0]
    digits = sum(map(str.isdecimal, written))
    if not _FEWEST <= digits <= _MOST:
        return start
    (regions, pointed_to), grouped = countries(), len(written) > digits
    likely = pointed_to or (grouped and (digits >= _FEWEST_UNSAID or written[0] == "0"))
    return match.end() if likely and _is_telephone(written, regions, grouped) else start


@lru_cache(maxsize=1 << 12)
def _is_telephone(written: str, regions: tuple[str, ...], grouped: bool) -> bool:
    return any(_valid_in(written, regions, grouped))


def _valid_in(written: str, regions: tuple[str, ...], grouped: bool) -> Iterator[bool]:
    import phonenumbers

    # A bracket that stands before the number belongs to it.
    whole = f"({written}" if ")" in written and "(" not in written else written
    for region in regions:
        try:
            number = phonenumbers.parse(written, region)
        except phonenumbers.NumberParseException:
            continue
        if not phonenumbers.is_valid_number_for_region(number, region):
            continue
        if grouped:
            strict = phonenumbers.Leniency.STRICT_GROUPING
            yield any(phonenumbers.PhoneNumberMatcher(whole, region, leniency=strict))
        else:
            kinds = (phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE_OR_MOBILE)
            yield phonenumbers.number_type(number) in kinds
