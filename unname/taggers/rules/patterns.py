"""The table of recognisers: the shapes of identifiers, the checks on them, the words or signs they need.

Its parts are the places where a pattern is tried: at a number, at letters before one, behind words that name a number,
anywhere. Every repetition in a pattern is bounded, or of signs that nothing after it can take, so a try costs a bounded
time. Of the matches at one number the longest is taken, then the surest, then the first.
"""

import re
from itertools import pairwise
from socket import AF_INET6, inet_pton

from unname.dates import DASH, SLASH
from unname.months import LETTERS, is_month, months_of
from unname.taggers.rules import checksums, cues
from unname.taggers.rules.names import NAMES
from unname.taggers.rules.recogniser import (
    CHECKED,
    DISTINCT,
    LIKELY,
    SHAPE,
    SPACED,
    UNSPACED,
    UPPER,
    WITHIN,
    Check,
    Recogniser,
    any_of,
)


def _not_before(signs: str) -> str:
    return rf"{_WHOLE}(?![{signs}]\d)"


# A number with check digits, or with all its parts, is whole whatever sign follows; others may go on behind one.
_WHOLE = rf"(?![^\W_](?<=[{SPACED}]))"
_END = _not_before("./-")
# Without its white space, a number with a rare shape is still one.
_APART = rf"(?<![^\W\d_ºª½](?<=[{SPACED}]))"


def _row(label: str, pattern: str, score: float = DISTINCT, check: Check | None = None, end: str = "") -> Recogniser:
    begin, end = _APART if score < DISTINCT else "", end or (_WHOLE if score == CHECKED else _END)
    return Recogniser(label, re.compile(begin + pattern + end), score, check)


# --- dates

# Day and month, in either order: what two numbers may not be.
_NOT = r"0{1,2}(?!\d)|3[2-9]|[4-9]\d"
_DAY_MONTH = rf"(?!{_NOT}|\d{{1,2}}\D{{1,3}}(?:{_NOT})|(?:1[3-9]|[23]\d)\D{{1,3}}(?:1[3-9]|[23]\d))"
_YEAR = r"(?:1[5-9]|20)\d\d"
# Not one of several years, nor the first part of another date.
_YEAR_AFTER = rf"(?:\d{{4}}(?![./-]\d)|{_YEAR}(?![/-]\d{{4}}(?!\d)|[./-]\d{{1,2}}[./-]\d))"
# A full stop ends the sentence and no date, unless the sentence goes on.
_STOP = r"\.(?=[ \u00a0]{0,2}[a-zß-öø-ÿа-яё,;])"
_SIGN = f"[{DASH}{SLASH}.]"
_WORD = re.compile(LETTERS)
# Any word; a match holds only if one of its words is a month. Some are named by two.
_MONTH = (
    rf"(?:day\s{{1,3}})?(?:(?:(?i:of|the|de[nlr]?|di|d[oa]s?|ng|a|viz|เดือน)\s{{1,3}}){{1,2}}|d['’]\s?)?(?=[^\W\d_]{{3}}|[^\0-\x7f]){LETTERS}"
    r"(?:[ \u00a0](?:الثاني|الأول|Fómhair))?"
)
_TO_YEAR = rf"[\s,.{DASH}{SLASH}]{{0,4}}(?:(?i:del?|do|di|of|พ\.?ศ\.?|سنة|عام)\s{{0,3}})?"
_NTH = r"(?:st|nd|rd|th|er|ème|:?e|:a|-?(?:го|е|ое|й)|[ºª.])?"
_LINK = r"(?:[-\s]?(?:m|gada|წლის|оны|ko|ж|жылғы|yil|cü|ci|cı|il|թ|թվականի|год|року)(?![^\W_])){0,2}"


def _is_dated(written: str) -> bool:
    """Check whether a word is a month; a short form, which may be another word, with a year of four figures or no blanks."""
    words = _WORD.findall(written)
    if any(map(is_month, words)):
        return True
    dated = written[:4].isdecimal() or written[-4:].isdecimal() or (written[-2:].isdecimal() and " " not in written)
    if not dated and "de" not in words:  # "2 de fev"
        return False
    words = [word for word in words if word.lower() not in cues.words("no_months")]
    return any(map(months_of, words)) or any(months_of(" ".join(pair)) for pair in pairwise(words))


_DATES = (
    _row("DATE", rf"(?=\d{{1,2}}\s?{_SIGN}\s?\d{{1,2}}\s?{_SIGN})" + _DAY_MONTH +
         rf"\d{{1,2}}(?:(?P<dmy>\s?{_SIGN}\s?)\d{{1,2}}(?P=dmy)|\s?/\s?\d{{1,2}}\s?/\s?)(?:\d{{4}}|\d{{2}}(?!{_SIGN}\d))",
         end=_WHOLE),
    _row("DATE", r"\d{1,2}\s?[./-]\s?(?:X|XI{1,2}|IX|IV|V|VI{1,3}|I{1,3})\s?[./-]\s?(?:19|20)\d\d", end=_WHOLE),
    _row("DATE", r"(?:0?[1-9]|[12]\d|3[01])\.\s(?:0?[1-9]|1[0-2])\.(?=[!?)\"'»”\s]{0,4}\Z)|"
         r"(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.(?=[!?)\"'»”\s]{0,4}\Z)", SHAPE, end="(?=)"),
    _row("DATE", r"(?:0?[1-9]|1[0-2])\s?[/.]\s?(?:19|20)\d\d"
         r"(?:\s?[-–]\s?(?:0?[1-9]|1[0-2])\s?[/.]\s?(?:19|20)\d\d)?", LIKELY),
    _row("DATE", rf"{_YEAR}(?P<ymd>{_SIGN})" + _DAY_MONTH + r"\d{1,2}(?P=ymd)\d{1,2}"
         r"(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?", end=_WHOLE),
    # Year, month and day in eight figures, with hours and minutes or without.
    _row("DATE", r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:T?(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?Z?)?",
         LIKELY, end=_WHOLE),
    _row("DATE", r"(?:(?:\d{4}|(?<=[治正和成國国])\d{1,2})\s?[年년]\s?)?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日號号일]", end="(?=)"),
    _row("DATE", r"\d{4}\s?[年년]\s?\d{1,2}\s?[月월]", end="(?=)"),
    _row("DATE", r"\d{1,2}\s(?:tháng|thg)\.?\s\d{1,2},?\s(?:năm\s)?\d{4}", end=_WHOLE),
    # A day and month end the text ("Vandaag is het 14-05."): two figures each, one of them a nought, unlike a score.
    _row("DATE", rf"(?<!\d[{DASH}{SLASH}.,:])(?=0|\d\d.0)(?:0[1-9]|[12]\d|3[01])[-/](?:0[1-9]|1[0-2])"
         r"(?=[.!?)\"'»”\s]{0,4}\Z)", SHAPE),
)  # fmt: skip
# Numbers beside any word, which must be a month: looked for apart, since a word stands beside most numbers.
BEFORE_MONTH = (
    _row("DATE", rf"\d{{1,2}}+(?:\s?[-–]\s?\d{{1,2}}+)?{_NTH}[\s{DASH}{SLASH}]{{0,3}}+{_MONTH}"
         rf"(?:{_TO_YEAR}(?:{_YEAR_AFTER}|['’]?\d{{2}}(?![:./,-]?\d))|{_STOP})?", DISTINCT, _is_dated, _WHOLE),
)  # fmt: skip
YEAR_BEFORE_MONTH = (
    _row("DATE", rf"{_YEAR}{_LINK}(?:[{DASH}{SLASH}.]|[.,]?\s{{1,3}}){LETTERS}\.?[\s{DASH}{SLASH}]{{0,3}}+\d{{1,2}}+{_NTH}",
         DISTINCT, _is_dated, _WHOLE),
    _row("DATE", rf"{_YEAR}(?=[\s.-]?[^\W\d_]){_LINK}[.,]?\s{{1,3}}+\d{{1,2}}+\.?[\s-]{{1,3}}+{LETTERS}",
         DISTINCT, _is_dated, _WHOLE),
)  # fmt: skip
_YEARS = Recogniser("DATE", re.compile(rf"{_YEAR}\s?[-–]\s?(?:{_YEAR}|\d\d|(?<=\s)){_WHOLE}"), LIKELY)

# --- ages

_OLD = (
    r"years?[\s-]{1,3}(?:of\s{1,3}age|old)|years?[\s-]olds?|y/?o|y\.\s?o\.|yrs?\.?[\s-]{0,3}old|"
    r"(?:months?|weeks?|days?)[\s-](?:old|of\s{1,3}age)|a(?:ñ|n)os\s{1,3}de\s{1,3}(?:edad|idade)|(?:meses|días|dias|semanas)"
    r"\s{1,3}de\s{1,3}(?:edad|vida|idade)|jährige?[rsnm]?|Jahre\s{1,3}alt|jaar\s{1,3}oud|jarige?"
)
_AGE = r"\d{1,3}+(?:[.,]\d|\s?½)?"
_SAID_OLD = _row("AGE", rf"{_AGE}[\s-]{{0,3}}+(?:{_OLD})", end=_WHOLE)
# Years that are an age unless the words around say how long something took.
_LASTING = r"evoluci|seguimi|duraci|tratami|antig|histori|experi"
_AGO = r"despu|m[aá]s\b|antes|atr[aá]s|prev|posterior|plus|prima|dopo|fa\b"
_YEARS_OLD = Recogniser(
    "AGE",
    re.compile(rf"{_AGE}\s{{0,3}}+(?:a(?:ñ|n)os|ans|anni)\b(?!\s{{1,3}}(?:de\s{{1,3}}(?:{_LASTING})|{_AGO}))"),
    LIKELY,
    not_after=cues.words("no_age_after"),
)

# --- numbers with a meaning of their own


def _is_ip(text: str) -> bool:
    return max(map(int, text.partition(":")[0].split("."))) < 256


def _is_dni(text: str) -> bool:
    return checksums.holds("es.dni")(checksums.bare(text).rjust(9, "0"))


_GROUPS = r"\d{{4}}(?P<{0}>[\s-])\d{{4}}(?P={0})\d{{4}}(?P={0})"


# The letters and digits of a shape; a blank may be a line end.
_SIGNS = {"9": r"\d", "A": "[A-Z]", "a": "[A-Za-z]", " ": r"[ \u00a0\n]"}
_NIR = r"[1-478]\s?\d{2}\s?\d{2}\s?(?:\d{2}|2[AB])\s?\d{3}\s?\d{3}"
_VEHICLE = r"(?=[A-HJ-NPR-Z\d]{8}[\dX])[A-HJ-NPR-Z\d]{17}"


def _shaped(rows: str) -> str:
    """A pattern of these shapes; not of some of a longer row of fours."""
    one = any_of(checksums.shapes(rows), lambda sign: _SIGNS.get(sign) or re.escape(sign))
    return rf"(?<!\d{{4}}[ -]){one}(?!(?<=[ -]\d{{4}})[ -]\d{{4}})"


def _card(pattern: str) -> Recogniser:
    """A card begins with its issuer's first digit."""
    return Recogniser("CARD", re.compile(r"(?![01789])" + pattern), CHECKED, checksums.card)


_NUMBERS = (
    _row("IP", r"\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?", DISTINCT, _is_ip, _not_before(".")),
    # The next digits may be the number's last ones, or a security code or the card's expiry.
    _card(rf"{_GROUPS.format('card')}\d{{1,4}}"),
    _card(rf"{_GROUPS.format('long_card')}\d{{1,4}}(?P=long_card)\d{{1,3}}"),
    _card(r"\d{4}(?P<amex>[\s-])\d{6}(?P=amex)\d{5}(?!\d)"),
    _card(r"\d{13,19}" + _WHOLE),
    _row("NATIONAL_ID", r"\d{8}[\s-]?[A-Za-z]", CHECKED, _is_dni),
    _row("NATIONAL_ID", r"\d{1,2}\.\d{3}\.\d{3}\s?-?\s?[A-Za-z]", CHECKED, _is_dni),
    _row("NATIONAL_ID", r"\d{2}[\s/-]\d{7,8}[\s/-]\d{2}", LIKELY),
    _row("RECORD", r"\d{2}(?:\s{1,2}\d{2}\s{1,2}|(?P<record>[/-])\d{2}(?P=record))\d{5}", SHAPE),
    _row("NATIONAL_ID", rf"{_NIR}\s?\d{{2}}", CHECKED, checksums.holds("fr.nir")),
    _row("NATIONAL_ID", r"[1-478]\s\d{2}\s(?:0[1-9]|1[0-2])\s(?:\d{2}|2[AB])\s\d{3}\s\d{3}(?:\s\d{2})?", LIKELY),
    _row("NATIONAL_ID", _shaped(checksums.NATIONAL_IDS), CHECKED, checksums.any_of(checksums.NATIONAL_IDS)),
    _row("NATIONAL_ID", _shaped(checksums.DATED_IDS), LIKELY, checksums.any_of(checksums.DATED_IDS)),
    _row("DEVICE", _shaped(checksums.DEVICES), CHECKED, checksums.any_of(checksums.DEVICES)),
    _row("PLATE", _VEHICLE, CHECKED, checksums.vehicle),
    _row("NATIONAL_ID", r"\d{3}\.\d{3}\.\d{3}-\d{2}|\d{3}-\d{3}-\d{3} \d{2}", DISTINCT, end=_WHOLE),
    # The United States: no area 000, 666 or from 900 on, no group 00, no number 0000 (there is no check digit).
    _row(
        "NATIONAL_ID", r"(?!000|666|9)\d{3}(?P<ssn>\s|\s?-\s?)(?!00)\d{2}(?P=ssn)(?!0000)\d{4}", end=_not_before(".-")
    ),
    _row("POSTCODE", r"\d{4}\s?[A-Z]{2}(?=\s{1,3}[A-Z][a-z])", SHAPE),
)

# --- telephone

_EXT = r"(?:\s{0,3}(?:x|ext|extn|extensión|extension|poste|int|Durchwahl)\.?\s{0,3}\d{1,5})?"


def _digits(least: int, most: int, signs: str) -> str:
    """So many digits in groups of two and more, with these signs between them."""
    return rf"(?:\d(?:{signs}(?<=\d\d{signs})(?=\d\d))?){{{least - 1},{most - 1}}}\d"


def _phone(pattern: str, score: float = SHAPE, before: str = ".-") -> Recogniser:
    """A telephone number may have another behind a slash, but no date; one without gaps also behind a hyphen."""
    return _row("PHONE", pattern + _EXT, score, end=_not_before(before) + r"(?!/\d{4}(?!\d)|/\d{1,2}/)")


_PHONES = (
    _phone(r"[6789]\d{8}", before="."),
    _phone(r"(?=[6789]\d(?:\d(?:\d\d)?)?[\s.-])" + _digits(9, 9, r"[\s.-]")),
    _phone(r"[2-9]\d{2}\)?[\s.-]{1,2}\d{3}[\s.-]\d{4}", DISTINCT),
    _phone(r"[2-9]\d{2}\)[2-9]\d{2}[.-]?\d{4}", DISTINCT),
    _phone(r"1[\s.-]\(?[2-9]\d{2}\)?[\s.-]{1,2}\d{3}[\s.-]\d{4}", DISTINCT),
    _phone(r"0[1-9]\d{0,4}\)?\s?[\s./-](?=\d\d)" + _digits(5, 9, r"[\s./-]")),
    _phone(r"0[1-9]\d{8,9}", before="."),
    _phone(r"3\d{2}[\s-]\d{6,7}"),
)
# From abroad, with a sign or two zeros before: then more digits must follow.
_ABROAD = tuple(
    _row("PHONE", rf"{sign}(?:[\s.\-/()]{{0,3}}\d){{6,14}}(?!\d){_EXT}", end="(?=)")
    for sign in (r"(?:(?<=\+)|(?<=\+[\s\S]))\d{1,3}", r"(?=00[\d\s.\-/()]{10})\d{1,3}")
)
_ANY_PHONE = re.compile(rf"\d(?:[\s().\-/]{{0,3}}\d){{4,14}}(?!\d){_EXT}")

# --- addresses of houses

_CAP = rf"{UPPER}(?:\.[ao]?(?=\s)|{WITHIN}{{0,30}}+)"
_STREET_EN = any_of(cues.words("street_behind"))
# "AZ" and "ID" are cues of records, too.
_STATE = rf"(?<![^\W\d_])(?:{'|'.join(sorted(cues.words('state') - {'AZ', 'ID'}))})"
_BEHIND_STATE = "|".join(f"(?<={_STATE}{gap})" for gap in (r"[\s-]", r"[\s,.]\s"))
_PLACES = (
    Recogniser("POSTCODE", re.compile(rf"(?:{_BEHIND_STATE})\d{{5}}(?:-\d{{4}})?(?![\w-])")),
    Recogniser("ADDRESS", re.compile(
        rf"{_APART}\d{{1,5}}+[A-Za-z]?(?:[-/]\d{{1,4}}+)?,?\s{{1,3}}+(?:{_CAP}\s{{1,3}}+){{1,4}}{_STREET_EN}\b"
    ), LIKELY),
    Recogniser("ADDRESS", re.compile(
        _APART + r"\d{1,4}+(?:\s?(?:bis|ter))?,?\s{1,3}+(?:rue|avenue|boulevard|place|chemin|allée|impasse|quai|route|cours)"
        r"(?:\s{1,3}(?:d[eu]s?|la|l['’]|d['’]))?(?:[ \u00a0]{0,3}[\w'’-]{1,30}){1,3}"
    ), LIKELY),
    Recogniser("POSTCODE", re.compile(r"\d{5}(?=,?\s{1,3}[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{2})"), SHAPE),
)  # fmt: skip
HOUSE = Recogniser(
    "ADDRESS",
    re.compile(
        r"(?!\d{5})\d{1,4}(?:[.,]\d{1,3}\b)?(?:(?: ?[A-Z]|[a-z])\b)?"
        r"(?:[\s,./-]{1,4}(?:\d{1,3}(?!\d)\s?[ºª°]?(?:(?: ?[A-Z]|[a-z])\b)?|[A-Z]\b|"
        rf"(?i:{any_of(cues.words('behind_house'))})\b\.?)){{0,4}}"
    ),
    LIKELY,
    cues=cues.words("street"),
    begins="cue",
)

# The beginning of a line that continues no number of the line before: a house and its street, a word.
NEXT_LINE = re.compile(rf"\d{{1,3}}[A-Za-z]?(?:[-/]\d{{1,3}}[A-Za-z]?)?,?[ \u00a0]{{1,3}}{UPPER}|{UPPER}[^\W\d_A-Z]")

# --- what is tried at the first digit of a number

AT_DIGITS = (*_DATES, _SAID_OLD, *_NUMBERS, *_PHONES, *_ABROAD, _YEARS_OLD, _YEARS, *_PLACES)
# Of these, what stands at the beginning of a line is no end of a number of the line before.
BEGIN_LINES = (*_DATES, *BEFORE_MONTH, _SAID_OLD, *_PLACES)

# --- what is tried at the letters before a number

_ACCOUNT = re.compile(r"[A-Za-z]{2}\d{2}(?:[ \u00a0\n-]?[A-Za-z0-9]){11,30}")
AT_LETTERS = (
    # The number may be followed by other words: it is what its country's numbers are.
    Recogniser("IBAN", _ACCOUNT, CHECKED, cut=checksums.iban_end),
    _row("NATIONAL_ID", r"[XYZxyz][\s-]?\d{7}[\s-]?[A-Za-z]", CHECKED, checksums.holds("es.nie")),
    _row("NATIONAL_ID", r"[A-HJNP-SUVW]-?\d{7}-?[0-9A-J]", CHECKED, checksums.holds("es.cif")),
    _row("NATIONAL_ID", _shaped(checksums.LETTERED_IDS), CHECKED, checksums.any_of(checksums.LETTERED_IDS)),
    _row("PLATE", _VEHICLE, CHECKED, checksums.vehicle),
    _row("NATIONAL_ID", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\s{0,2}\d{2}(?:\s{0,2}\d{2}){2}\s{0,2}[A-D]", end=_WHOLE),
    _row("POSTCODE", r"[A-Z]{1,2}\d[A-Z\d]?\s?\d[ABD-HJLNP-UW-Z]{2}", LIKELY, end=_WHOLE),
    _row("POSTCODE", r"GIR\s?\d[ABD-HJLNP-UW-Z]{2}", LIKELY, end=_WHOLE),
    _row("POSTCODE", r"[ABCEGHJ-NPRSTVXY]\d[A-Z][\s-]\d[A-Z]\d", LIKELY, end=_WHOLE),
)

# --- what words before a number say that it is


def _with_digits(least: int) -> Check:
    return lambda written: sum(map(str.isdigit, written)) >= least


_UNITS = cues.words("age_units")
# The shape of a cue's number: letters and digits in groups joined by signs, or groups of digits.
_SIGN = rf"[^\W_{UNSPACED}]"
_VALUE = re.compile(rf"(?:{_SIGN}{{1,24}}+[/.-]){{0,6}}{_SIGN}{{1,24}}(?:[ \u00a0][0-9]{{2,12}}){{0,5}}")
_PLATE = re.compile(r"[A-HJ-NPR-Z\d]{17}(?![^\W_])|[A-Za-z0-9]{1,4}(?:[\s-]?[A-Za-z0-9]{1,4}){1,3}")
_BEFORE_VALUE = cues.words("filler") | cues.before_numbers("filler") | {""}


def _value(label: str, least: int, pattern: re.Pattern[str] = _VALUE) -> Recogniser:
    begins = "number" if pattern is _ANY_PHONE else "joined"
    return Recogniser(
        label,
        pattern,
        check=_with_digits(least),
        cues=cues.before_numbers(label.lower()),
        fillers=_BEFORE_VALUE,
        begins=begins,
    )


AFTER_CUES = (
    Recogniser("AGE", re.compile(rf"\d{{1,3}}(?:\s{{0,3}}(?i:{any_of(_UNITS)})\b)?(?![^\W_])"),
               cues=cues.words("age"), fillers=frozenset(("", "of", "de", "von", "di", "is"))),
    Recogniser("DATE", re.compile(rf"{_YEAR}(?:\s?[-–/]\s?(?:(?:1[5-9]|20)?\d\d))?{_END}"), LIKELY,
               cues=cues.words("before_year")),
    Recogniser("RECORD", re.compile(
        r"\d{2,6}/\d{2}(?:\d{2})?(?:(?:\s?[,;]|\s{1,2}and|\s{1,2}et)\s{1,2}\d{1,6}/\d{2}(?!\d))*(?![^\W_])"
    ), cues=cues.before_numbers("application")),
)  # fmt: skip
# Behind a month.
BESIDE_MONTH = Recogniser("DATE", re.compile(
    r"(?:\d{4}|\d{1,2}(?:st|nd|rd|th|º)?(?:(?:[.,]{0,2}\s{1,3}(?:de\s{1,3}|of\s{1,3})?|[-/])\d{4})?)(?![^\W_])"
), fillers=frozenset(("", "de", "del", "of")), begins="cue")  # fmt: skip
# Of a cue that signs join to another word, too, and with letters between that are joined to the number.
VALUES = (
    _value("PHONE", 6, _ANY_PHONE),
    _value("FAX", 6, _ANY_PHONE),
    _value("POSTCODE", 4),
    _value("NATIONAL_ID", 5),
    _value("RECORD", 4),
    _value("PLATE", 2, _PLATE),
    _value("ACCOUNT", 6),
    _value("DEVICE", 4),
)

# --- recognisers tried anywhere: around signs


def _is_ipv6(written: str) -> bool:
    # Reads an address as `ipaddress` does, in a tenth of the time, and opens nothing.
    try:
        return len(written) > 3 and bool(inet_pton(AF_INET6, written))
    except OSError:
        return False


_PAGE = r"[^\s<>\"']{1,2000}(?<![.,;:!?)\]}'\"])"
_H = "0-9A-Fa-f"
_HEX = f"[{_H}]"


def _around(label: str, before: str, pattern: str, check: Check | None = None) -> Recogniser:
    return Recogniser(label, re.compile(pattern), check=check, before=re.compile(rf"{before}\Z"))


_US_STATE = any_of(cues.words("state"))
_ADDRESSES = (
    # A town before its state and ZIP code.
    _around(
        "ADDRESS",
        rf"(?<![^\W_])(?:{UPPER}{WITHIN}{{1,30}}[ ]){{0,2}}{UPPER}{WITHIN}{{1,30}}",
        rf",(?=\s{{1,2}}{_US_STATE}[\s,.-]{{1,2}}\d{{5}}(?!\d))",
    ),
    _around("EMAIL", r"[\w.!#$%&'*+/=?^`{}~-]+", r"@\s?[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"),
    _around("URL", r"(?<![^\W_]|@)[^\W_]*", rf"://{_PAGE}"),
    _around("URL", r"(?<![^\W_]|@)(?<!://)[^\W_]*", rf"[wW][wW][wW]\.{_PAGE}"),
    _around("URL", r"(?<![^\W_]|[@.-])(?:[^\W_]|[.-]){2,}", rf"\.(?:com|org|net|edu|gov|info)\b(?:/{_PAGE}|/)?"),
    _around(
        "IP", rf"(?<![^\W_]){_HEX}{{0,4}}", rf":{_HEX}{{0,4}}:[{_H}:.]{{0,40}}(?:{_HEX}|(?<=:))(?![^\W_])", _is_ipv6
    ),
    _around("MAC", rf"(?<![^\W_]){_HEX}{{2}}", rf"[:-]{_HEX}{{2}}(?:[:-]{_HEX}{{2}}){{4}}(?![\w:])"),
)
ANYWHERE = _ADDRESSES

RECOGNISERS = (
    *AT_DIGITS,
    *BEFORE_MONTH,
    *YEAR_BEFORE_MONTH,
    *AT_LETTERS,
    *AFTER_CUES,
    BESIDE_MONTH,
    *VALUES,
    HOUSE,
    *ANYWHERE,
    *NAMES,
)
