"""Stand-ins for what is written in figures and signs: telephone numbers, identifiers, addresses on the net, ages.

They keep the format and belong to nobody: an identifier fails every check that is known for its shape, a telephone number
is one of a range kept for fiction or none at all, and addresses lie where nobody can have one.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from math import prod

from unname import languages
from unname.taggers.rules import cues
from unname.taggers.rules.checksums import DEVICES, LETTERED_IDS, NATIONAL_IDS, any_of, bare, holds, vehicle
from unname.text import fold
from unname.transforms.standins.draws import Draws

# Texts longer than these are no code, whatever their label says.
_LONGEST, _MOST_SIGNS, _FEWEST_DIGITS, _MOST_DIGITS = 1000, 64, 3, 17
# Shorter numbers have no check digit; of nine digits about one draw in two hundred fails every check.
_FEWEST_CHECKED, _FEWEST_SIGNS, _MOST_TRIES, _MOST_KEPT, _MOST_DIALLED = 6, 9, 2000, 20, 200
_DIGITS, _CAPITALS, _SMALL = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
# Signs drawn from one number.
_AT_ONCE = 32


def other_identifier(text: str, draws: Draws) -> str | None:
    """Another number of the same format that no known check accepts; words that say what it is stay before it.

    Digits give digits and letters give Latin letters; leading zeros stay. Values are the same by letters and digits alone.
    None where nothing is left to draw, or every draw is a number that somebody may have.
    """
    if len(text) > _LONGEST:
        return None
    start = _behind_cue(text)
    signs = [c for c in text[start:] if _alphabet(c)]
    if not signs or len(signs) > _MOST_SIGNS:
        return None
    was = "".join(_figure(c) for c in signs)
    alphabets = _free(was, [_alphabet(c) for c in signs])
    own = draws.under("identifier", fold("".join(signs)))
    for turn in range(min(_MOST_TRIES, 8 * prod(map(len, alphabets)))):
        drawn = _drawn(alphabets, own, str(turn))
        if drawn.upper() != was.upper() and not _is_taken(_with(text[start:], drawn, script=False)):
            return text[:start] + _with(text[start:], drawn)
    return None


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


_VEHICLE = re.compile("[A-HJ-NPR-Z0-9]{17}")


def _is_written(code: str, plain: str) -> bool:
    """True for numbers that are checked only as they are written, and for vehicles."""
    century = "" if plain[6:7].isalpha() else "-"
    if len(plain) == 11 - len(century) and holds("fi.hetu")(plain[:6] + century + plain[6:]):
        return True
    return ("/" in code and holds("cz.bankaccount")(code)) or (bool(_VEHICLE.fullmatch(plain)) and vehicle(plain))


# Modules of python-stdnum that accept any number of a length, or most: they say what it may be, not that it is one.
_UNCHECKED = """
ar.dni at.businessid at.postleitzahl bic bitcoin cfi cr.cpf de.handelsregisternummer de.wkn dz.nif eg.tn
es.postal_code eu.nace fi.associationid fi.veronumero fo.vn fr.accise gs1_128 imei is_.vsk isan isil kr.brn li.peid mac
meid nl.brin nl.postcode ro.onrc se.postnummer sm.coe us.atin us.ein us.ptin us.tin
"""
# These do so with so many digits, and check what is longer.
_UNCHECKED_LENGTHS = {("pe.cui", 8), ("de.stnr", 10), ("de.stnr", 11)}
_Check = Callable[[str], object]


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
    alphabets = [_DIGITS if sign == "9" else _CAPITALS for sign in shape]
    samples = [_drawn(alphabets, Draws(b""), shape, str(turn)) for turn in range(3)]
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


@cache
def _cue_words() -> frozenset[str]:
    """Words that say what number follows."""
    kinds = ("phone", "fax", "national_id", "record", "account", "plate", "device")
    every = {word for kind in kinds for phrase in cues.before_numbers(kind) for word in _letters(phrase, phrase)}
    return frozenset(every | {fold(word) for word in cues.words("filler") if len(word) > 1})


def _letters(phrase: str, whole: str) -> Iterator[str]:
    """The words of a cue; of two letters (which may be a town's, on a plate) only those that are a cue by themselves."""
    return (fold(word) for word in re.findall(r"[^\W\d_]{2,}", phrase) if len(word) > 2 or word == whole)


def _behind_cue(text: str) -> int:
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


# --- signs


def _alphabet(c: str) -> str:
    """The signs that a sign is drawn from; none if it stays."""
    if c.isdecimal() or (c.isnumeric() and not c.isalpha()):
        return _DIGITS
    if not c.isalpha():
        return ""
    return _SMALL if c.islower() else _CAPITALS


def _figure(c: str) -> str:
    """A digit of any script as ASCII; any other sign as it is."""
    return str(unicodedata.decimal(c)) if c.isdecimal() else c


def _in_script(digit: str, like: str) -> str:
    return chr(ord(like) - unicodedata.decimal(like) + int(digit)) if like.isdecimal() else digit


def _free(was: str, alphabets: Sequence[str]) -> list[str]:
    """The signs that may be drawn at each place: leading zeros stay, and no other number begins with one."""
    free, leading = list(alphabets), True
    nine = len(was) == 9 and was.isdecimal()
    for at, sign in enumerate(was):
        if alphabets[at] != _DIGITS:
            continue
        if leading:
            free[at] = "0" if sign == "0" else _DIGITS[1:]
            leading = sign == "0"
        # No social security number of the United States begins so.
        if nine and at < 3 and was[0] == "0":
            free[at] = "0"
        elif nine and at == 0:
            free[at] = "9"
    return free


def _drawn(alphabets: Sequence[str], draws: Draws, *name: str) -> str:
    signs = list[str]()
    for at, alphabet in enumerate(alphabets):
        if at % _AT_ONCE == 0:
            number = draws.number(1 << 256, *name, str(at))
        number, place = divmod(number, len(alphabet))
        signs.append(alphabet[place])
    return "".join(signs)


def _with(text: str, drawn: str, *, script: bool = True) -> str:
    """A text with drawn signs in place of its own, in the script of its digits; marks on letters go."""
    signs = iter(drawn)
    return "".join(
        (_in_script(next(signs), c) if script else next(signs)) if _alphabet(c) else c
        for c in text
        if _alphabet(c) or not unicodedata.category(c).startswith("M")
    )


# --- telephone numbers

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
_FREE_SIGNS = {"x": _DIGITS, "n": _DIGITS[2:]}
# Where a number without a country code may be dialled if it is not known to be valid anywhere.
_LARGE = ("US", "GB", "IN", "AU", "IT", "NL", "ID", "ZA", "FR", "DE", "PL", "MX", "ES", "BR", "CN", "JP", "RU", "TR")


def other_phone(text: str, draws: Draws, *, regions: Sequence[str] = ()) -> str | None:
    """Another telephone number of the same format, which nobody can be called by; the country code stays.

    `regions` (ISO 3166) is where a number without a country code may be from; without them, or where it is in none of them,
    anywhere. Values are the same by their digits. None where the text has words besides those that say what it is, such as
    a number in letters, and where every draw is a number that somebody may have.
    """
    if len(text) > _LONGEST:
        return None
    start = _behind_cue(text)
    written = text[start:]
    digits = "".join(map(_figure, filter(str.isdecimal, written)))
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
    signs = iter(drawn + _drawn([_DIGITS] * len(behind), own, "extension"))
    return text[:start] + "".join(_in_script(next(signs), c) if c.isdecimal() else c for c in written)


def _extension(written: str, digits: str) -> int:
    """The number of digits of an extension that ends a number; −1 where other words stand in it."""
    if not any(_alphabet(c) and not c.isdecimal() for c in written):
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
    free = [*digits[:zeros], *[_DIGITS[1:]][: len(digits) - zeros], *[_DIGITS] * (len(digits) - zeros - 1)]
    for turn in range(_MOST_DIALLED):
        yield _drawn(free, draws, "free", str(turn))


def _patterned(pattern: str, draws: Draws, *name: str) -> str:
    return _drawn([_FREE_SIGNS.get(c, c) for c in pattern], draws, *name)


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


# --- addresses on the net

_MAILBOX = re.compile(r"(<?(?:mailto:)?)\s*([^\s<>@]+)@[^@]*?(>?)", re.IGNORECASE | re.DOTALL)
_SHORTEST_BOX, _LONGEST_BOX, _LONGEST_PATH = 3, 12, 16
_URL = re.compile(r"(?:(https?://|ftp://)|[a-z][a-z0-9+.-]*://)?(www\.)?([^\s/?#]*)(\S*)", re.IGNORECASE)
_MAC = re.compile(r"[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}", re.IGNORECASE)
_IP = re.compile(
    r"\[?((?:\d{1,3}\.){3}\d{1,3}|[0-9a-f:.]*:[0-9a-f:.]*)(?:%\w*)?(\]?(?::\d{1,5})?(?:/\d{1,3})?)", re.IGNORECASE
)
# Networks kept for documentation (RFC 5737, RFC 3849).
_NETWORKS, _NETWORK_6 = ("192.0.2.", "198.51.100.", "203.0.113."), 0x20010DB8 << 96


def other_email(text: str, draws: Draws) -> str | None:
    """Another address at example.org, its mailbox drawn in the pattern of the original; None where there is no "@"."""
    match = _MAILBOX.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        return None
    own = draws.under("email", fold(text.strip().removeprefix(match[1]).removesuffix(match[3])))
    return _differing(text, lambda turn: f"{match[1]}{_user(match[2], own, turn, _LONGEST_BOX)}@example.org{match[3]}")


def other_link(text: str, draws: Draws) -> str | None:
    """Another web address, IP or MAC address, or user name behind "@", of those that are kept for examples.

    Scheme and "www." stay, and the path keeps its length up to 16 signs. None where the text is none of these.
    """
    plain = text.strip()
    if len(text) > _LONGEST or not plain:
        return None
    own = draws.under("link", fold(plain))
    if plain.startswith("@"):
        at = "@example.org" if "@" in plain[1:] else ""
        return _differing(text, lambda turn: "@" + _user(plain[1:].partition("@")[0], own, turn, _LONGEST_PATH) + at)
    if _MAC.fullmatch(plain):
        return _differing(text, lambda turn: _mac(plain, own, turn))
    if address := _IP.fullmatch(plain):
        return _differing(text, lambda turn: _ip(plain, address, own, turn))
    url = _URL.fullmatch(plain)
    if url is None or not re.search(r"[^\W\d_]", url[3]) or not (url[1] or url[2] or "." in url[3].strip(".")):
        return other_email(text, draws)
    if "@" in plain and url[1] is None and not url[4]:
        return other_email(text, draws)
    before, path = (url[1] or "") + (url[2] or "") + "example.org", sum(map(str.isalnum, url[4]))

    def link(turn: str) -> str:
        many = min(path, _LONGEST_PATH) or _LONGEST_BOX * bool(turn)
        return before + "/" * (many > 0 or url[4].startswith("/")) + _drawn([_SMALL + _DIGITS] * many, own, turn)

    return _differing(text, link)


def _differing(text: str, make: Callable[[str], str | None]) -> str | None:
    """The first of what is made that is not the text itself."""
    tries = (make("" if turn == 0 else str(turn)) for turn in range(9))
    return next((each for each in tries if each is None or fold(each) != fold(text.strip())), None)


def _user(name: str, draws: Draws, turn: str, longest: int) -> str:
    """A drawn name of letters, digits and the signs between them, as the original has them."""
    pattern = "".join(c for c in name if _alphabet(c) or c in "._-+")[:longest].strip("._-+")
    alphabets = [_alphabet(c) or c for c in pattern]
    return _drawn([*alphabets, *[_SMALL] * (_SHORTEST_BOX - len(alphabets))], draws, turn)


def _mac(text: str, draws: Draws, turn: str) -> str:
    # The second figure says that whoever runs the network chose the number, and that it is one device's.
    signs = sum(map(str.isalnum, text))
    digits = _DIGITS + ("ABCDEF" if text.upper() == text else "abcdef")
    drawn = iter(
        _drawn([digits, digits[2] + digits[6] + digits[10] + digits[14], *[digits] * (signs - 2)], draws, turn)
    )
    return "".join(next(drawn) if c.isalnum() else c for c in text)


def _ip(text: str, written: re.Match[str], draws: Draws, turn: str) -> str | None:
    try:
        version = ipaddress.ip_address(written[1]).version
    except ValueError:
        return None
    if version == 4:
        return f"{draws.choice(_NETWORKS, 'network', turn)}{1 + draws.number(254, 'host', turn)}{written[2]}"
    # A short address stays short.
    host = draws.number(1 << (32 if "::" in written[1] else 96), "host", turn)
    return "[" * text.startswith("[") + str(ipaddress.IPv6Address(_NETWORK_6 + host)) + written[2]


# --- ages

_NUMBER = re.compile(r"\d+")
# A decade or an ordinal is no age.
_NO_AGE = re.compile(r"(?:['’]?s|er\w*|st|nd|rd|th)(?!\w)|%", re.IGNORECASE)
_OLDEST, _YOUNG, _MOST_NUMBERS = 89, 36, 2
_UNITS = ("duration-month", "duration-week", "duration-day", "duration-hour")


def other_age(text: str, years: int) -> str | None:
    """An age in figures so many years later or, where that leaves 1 to 89, earlier; the rest stays as it is.

    None where the text has no such number, or it is from 90 on, or counts months, weeks or days; where it is a decade; and
    where other numbers stand beside it that an age has not.
    """
    numbers = list(_NUMBER.finditer(text)) if len(text) <= _LONGEST else []
    if not 1 <= len(numbers) <= _MOST_NUMBERS or any(len(each[0]) > 2 for each in numbers):
        return None
    if _is_short(text, numbers[0]):
        return None
    ages = [each for each in numbers if not _is_short(text, each)]
    if any(_NO_AGE.match(text, each.end()) for each in ages):
        return None
    values = [int(each[0]) for each in ages]
    step = next((step for step in (years, -years) if all(1 <= value + step <= _OLDEST for value in values)), 0)
    if step == 0 or max(values) > _OLDEST:
        return None
    parts, at = list[str](), 0
    for each, value in zip(ages, values, strict=True):
        width = len(each[0]) if unicodedata.decimal(each[0][0]) == 0 else 1
        moved = "".join(_in_script(digit, each[0][0]) for digit in f"{value + step:0{width}d}")
        parts += [text[at : each.start()], moved]
        at = each.end()
    return "".join((*parts, text[at:]))


def _is_short(text: str, number: re.Match[str]) -> bool:
    """True if a number counts something shorter than years."""
    match = re.compile(r"[\s.–-]{0,3}([^\W\d_]+)").match(text, number.end())
    if match is None:
        return False
    word = fold(match[1])
    if len(word) == 1 and word.isascii():
        return word in "wdt" or (word == "m" and int(number[0]) <= _YOUNG)
    return any(word.startswith(each) for each in _short_units())


@cache
def _short_units() -> tuple[str, ...]:
    """Words for months, weeks, days and hours in the languages of the cues, by CLDR; those that begin no word for years."""
    from babel import localedata

    short, long = set[str](), set[str]()
    for language in languages.read("cues")["phone"]:
        if localedata.exists(language):
            units = localedata.load(language).get("unit_patterns", {})
            for unit in (*_UNITS, "duration-year"):
                words = (fold(word) for form in _forms(units.get(unit, {})) for word in re.findall(r"[^\W\d_]+", form))
                (short if unit in _UNITS else long).update(words)
    return tuple(
        sorted(
            word
            for word in short
            if len(word) > (2 if word.isascii() else 1) and not any(each.startswith(word) for each in long)
        )
    )


def _forms(patterns: object) -> Iterator[str]:
    """The written forms in a branch of CLDR; what a language takes over from another stands in a tuple."""
    if isinstance(patterns, str):
        yield patterns
    elif isinstance(patterns, tuple):
        for each in patterns:
            yield from _forms(each)
    elif isinstance(patterns, Mapping):
        for kind, each in patterns.items():
            if kind not in ("narrow", "per"):
                yield from _forms(each)
