"""What identifiers look like: dates, ages and numbers of many kinds, and letters with numbers.

A form is tried only where its first run of digits has the right length, so a text is read once. Every repetition in a
pattern is bounded, or of signs that nothing after it can take, so a try costs a bounded time.
"""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_letters, ascii_uppercase

from unname.taggers import checksums

# How sure: a check digit or a word that says so; a shape that few other things have; a shape alone.
CHECKED, DISTINCT, LIKELY, SHAPE = 1.0, 0.9, 0.8, 0.6


def _not_before(signs: str) -> str:
    return rf"(?![^\W_])(?![{signs}]\d)"


# What has check digits, or all that is to it, is whole whatever sign follows; other numbers may go on behind one.
_WHOLE, _END = r"(?![^\W_])", _not_before("./-")


@dataclass(frozen=True, slots=True)
class Form:
    """Where `pattern` matches at a run of `lengths` digits and `check` holds, there is a `label`.

    `after` are the kinds of the two signs that may follow the run ("" for all): "_" for white space, "a" for letters, "0"
    for digits, "$" for the end, signs for themselves, "?" for all: no pattern is tried where it cannot match. An
    unaccented letter behind the run, or behind one sign, must be one of `initials`. Patterns are also joined into one, so
    their groups have names, each its own.
    """

    label: str
    lengths: Sequence[int]
    after: str
    pattern: re.Pattern[str]
    score: float = DISTINCT
    check: Callable[[str], bool] | None = None
    initials: str = ascii_letters

    def may_match(self, length: int, kinds: str, initial: str = "") -> bool:
        """Whether the pattern may match at a run of so many digits with signs of two kinds, or such a letter, behind it."""
        pairs = self.after.split()
        fits = length in self.lengths and (not pairs or kinds in pairs or f"{kinds[0]}?" in pairs)
        return fits and initial in self.initials


# Signs that a form names; there are more than a million others.
SIGNS = frozenset(".,:;/()]-–+½")


def kinds_of(signs: str) -> str:
    """The kinds of up to two signs, as a form's `after` has them; "*" is any that no form names."""
    return _kind_of(signs[:1]) + _kind_of(signs[1:])


@lru_cache(maxsize=1 << 17)
def _kind_of(sign: str) -> str:
    if not sign:
        return "$"
    if sign.isspace() or sign == "_":
        return "_"
    return sign if sign in SIGNS else "0" if sign.isdecimal() else "a" if sign.isalnum() else "*"


def _form(
    label: str,
    lengths: str,
    after: str,
    pattern: str,
    score: float = DISTINCT,
    check: Callable[[str], bool] | None = None,
    end: str = "",
    initials: str = ascii_letters,
) -> Form:
    whole = re.compile(pattern + (end or (_WHOLE if score == CHECKED else _END)))
    return Form(label, tuple(map(int, lengths.split())), after, whole, score, check, initials)


def words_of(text: str) -> frozenset[str]:
    """A list of words as a set."""
    return frozenset(text.split())


# --- dates

MONTHS = words_of("""
    january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep sept oct nov dec enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre
    noviembre diciembre ene abr ago dic januar februar märz maerz mai juni juli oktober dezember jänner okt dez
    janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre gennaio
    febbraio aprile maggio giugno luglio settembre ottobre dicembre janeiro fevereiro março maio junho julho
    setembro outubro novembro dezembro januari februari maart mei augustus
    """)
# Words after which four digits are a year.
BEFORE_YEAR = words_of("""
    in since from until till to by of year years circa c ca born died and between about around before after during
    early late mid summer spring autumn winter class b d en desde hasta año años entre hacia nacido nacida el del im
    jahr jahre seit bis um geboren ab vor nach depuis année vers né née jusqu dans nel dal dall anno del fino sin
    sinds tot jaar omstreeks geboren em ano até
    """)
YEAR = _form("DATE", "4", "", r"(?:1[5-9]|20)\d\d(?:\s?[-–/]\s?(?:(?:1[5-9]|20)?\d\d))?", LIKELY)
AFTER_MONTH = re.compile(r"(?:\d{4}|\d{1,2}(?:st|nd|rd|th|º|\.)?(?:,?\s{1,3}(?:de\s{1,3}|of\s{1,3})?\d{4})?)(?![^\W_])")
YEARS = Form(
    "DATE",
    (4,),
    "_- _– -? –?",
    re.compile(r"(?:1[5-9]|20)\d\d\s?[-–]\s?(?:(?:1[5-9]|20)\d\d|\d\d|(?<=\s))(?![^\W_])"),
    LIKELY,
)


# Day and month, in either order: what two numbers may not be.
_NOT = r"0{1,2}(?!\d)|3[2-9]|[4-9]\d"
_DAY_MONTH = rf"(?!{_NOT}|\d{{1,2}}\D{{1,3}}(?:{_NOT})|(?:1[3-9]|[23]\d)\D{{1,3}}(?:1[3-9]|[23]\d))"


def any_of(words: Iterable[str]) -> str:
    """A pattern of these words: letters that words begin with are looked at once."""
    ends: dict[str, list[str]] = {}
    for word in sorted(words):
        ends.setdefault(word[:1], []).append(word[1:])
    whole = ends.pop("", None)
    rest = "|".join(re.escape(first) + any_of(rest) for first, rest in ends.items())
    return f"(?:{rest}){'?+' if whole else ''}" if rest else ""


# Not one of several years, nor the first part of another date.
_YEAR_AFTER = r"(?:\d{4}(?![./-]\d)|(?:1[5-9]|20)\d\d(?![/-]\d{4}(?!\d)|[./-]\d{1,2}[./-]\d))"
_MONTH = (
    rf"(?:day\s{{1,3}})?(?:(?:of|de|d['’])\s{{0,3}})?(?i:{any_of(MONTHS)})(?![^\W\d_])\.?"
    rf"(?:[\s,./-]{{0,3}}(?:(?:de|del|of)\s{{1,3}})?(?:{_YEAR_AFTER}|['’]?\d{{2}}(?![:./,-]?\d)))?"
)
_MONTHS_BEGIN = "ADEFGJLMNOSadefgjlmnos"

_DATES = (
    _form("DATE", "1 2", "/0 .0 -0 /_ ._ -_ _/ _. _-", r"(?=\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-])" + _DAY_MONTH +
          r"\d{1,2}(?:(?P<dmy>\s?[./-]\s?)\d{1,2}(?P=dmy)|\s?/\s?\d{1,2}\s?/\s?)(?:\d{4}|\d{2}(?![./-]\d))", end=_WHOLE),
    _form("DATE", "1 2", "/0 .0 /_ ._ _/ _.", r"(?:0?[1-9]|1[0-2])\s?[/.]\s?(?:19|20)\d\d"
          r"(?:\s?[-–]\s?(?:0?[1-9]|1[0-2])\s?[/.]\s?(?:19|20)\d\d)?", LIKELY),
    _form("DATE", "4", "/0 .0 -0", r"(?:1[5-9]|20)\d\d(?P<ymd>[./-])" + _DAY_MONTH + r"\d{1,2}(?P=ymd)\d{1,2}"
          r"(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?", end=_WHOLE),
    _form("DATE", "1 2", "_a", r"\d{1,2}\s" + _MONTH, end=_WHOLE, initials=_MONTHS_BEGIN),
    _form("DATE", "1 2", "a? -? –? __ _- _– _/ ._ .a ./ .- /_ /a // /-",
          r"\d{1,2}+(?:\s?[-–]\s?\d{1,2}+)?(?:st|nd|rd|th|er|[ºª.])?[\s/-]{0,3}+" + _MONTH, end=_WHOLE,
          initials=_MONTHS_BEGIN + "rt"),
)  # fmt: skip

# --- ages

_OLD = (
    r"years?[\s-]{1,3}(?:of\s{1,3}age|old)|years?[\s-]olds?|y/?o|y\.\s?o\.|yrs?\.?[\s-]{0,3}old|"
    r"(?:months?|weeks?|days?)[\s-](?:old|of\s{1,3}age)|a(?:ñ|n)os\s{1,3}de\s{1,3}(?:edad|idade)|(?:meses|días|dias|semanas)"
    r"\s{1,3}de\s{1,3}(?:edad|vida|idade)|jährige?[rsnm]?|Jahre\s{1,3}alt|jaar\s{1,3}oud|jarige?"
)
_AGE = r"\d{1,3}+(?:[.,]\d|\s?½)?"
_AGES_BEGIN = "Jadjmswy"
# Behind most numbers is one blank and a word: these have a plainer pattern, as days have.
_AGES = (
    _form("AGE", "1 2 3", "_a", rf"\d{{1,3}}\s(?:{_OLD})", end=_WHOLE, initials=_AGES_BEGIN),
    _form("AGE", "1 2 3", "a? __ _- _½ -_ -- -a .0 ,0 ½?", rf"{_AGE}[\s-]{{0,3}}+(?:{_OLD})", end=_WHOLE,
          initials=_AGES_BEGIN),
)  # fmt: skip
# Years that are an age unless the words around say how long something took.
_LASTING = r"evoluci|seguimi|duraci|tratami|antig|histori|experi"
_AGO = r"despu|m[aá]s\b|antes|atr[aá]s|prev|posterior|plus|prima|dopo|fa\b"
YEARS_OLD = Form(
    "AGE", (1, 2, 3), "_a __ a? .0 ,0 _½ ½?",
    re.compile(rf"{_AGE}\s{{0,3}}+(?:a(?:ñ|n)os|ans|anni)\b(?!\s{{1,3}}(?:de\s{{1,3}}(?:{_LASTING})|{_AGO}))"), LIKELY,
    initials="a",
)  # fmt: skip
NO_AGE_AFTER = words_of(
    "hace durante tras desde cada hacía últimos primeros próximos pendant depuis après da per ogni dopo unos"
)
BEFORE_AGE = words_of("age aged edad âge âgé âgée alter età leeftijd idade aged: edat")
_UNITS = words_of("años anos year years yr yrs ans jahre jahren anni jaar a meses months m")
AGE_ALONE = re.compile(rf"\d{{1,3}}(?:\s{{0,3}}(?i:{any_of(_UNITS)})\b)?(?![^\W_])")

# --- numbers with a meaning of their own


def _is_ip(text: str) -> bool:
    return max(map(int, text.split("."))) < 256


def _is_of_eleven(text: str) -> bool:
    """Poland, Brazil, Turkey, Norway, Germany: eleven digits that check."""
    return any(
        check(text)
        for check in (checksums.pesel, checksums.cpf, checksums.kimlik, checksums.fodselsnummer, checksums.steuer_id)
    )


_GROUPS = r"\d{{4}}(?P<{0}>[\s-])\d{{4}}(?P={0})\d{{4}}(?P={0})"


def _card(lengths: str, after: str, pattern: str) -> Form:
    """A card begins with its issuer's first digit."""
    whole = re.compile(r"(?![01789])" + pattern)
    return Form("CARD", tuple(map(int, lengths.split())), after, whole, CHECKED, checksums.card)


_NUMBERS = (
    _form("IP", "1 2 3", ".0", r"\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?", DISTINCT,
          lambda text: _is_ip(text.partition(":")[0]), _not_before(".")),
    # What follows may be the number's last digits, or a security code or when the card expires.
    _card("4", "_0 -0", rf"{_GROUPS.format('card')}\d{{1,4}}"),
    _card("4", "_0 -0", rf"{_GROUPS.format('long_card')}\d{{1,4}}(?P=long_card)\d{{1,3}}"),
    _card("4", "_0 -0", r"\d{4}(?P<amex>[\s-])\d{6}(?P=amex)\d{5}(?!\d)"),
    _card("13 14 15 16 17 18 19", "", r"\d{13,19}" + _WHOLE),
    _form("NATIONAL_ID", "8", "a? _a -a", r"\d{8}[\s-]?[A-Za-z]", CHECKED, checksums.dni),
    _form("NATIONAL_ID", "1 2", ".0", r"\d{1,2}\.\d{3}\.\d{3}\s?-?\s?[A-Za-z]", CHECKED,
          lambda text: checksums.dni(checksums.bare(text).rjust(9, "0"))),
    _form("NATIONAL_ID", "2", "_0 /0 -0", r"\d{2}[\s/-]\d{7,8}[\s/-]\d{2}", LIKELY),
    _form("NATIONAL_ID", "12", "", r"\d{12}", CHECKED, checksums.nass),
    _form("RECORD", "2", "_0 __ /0 -0", r"\d{2}(?:\s{1,2}\d{2}\s{1,2}|(?P<record>[/-])\d{2}(?P=record))\d{5}", SHAPE),
    _form("NATIONAL_ID", "1", "_0", r"[1-478]\s\d{2}\s?\d{2}\s?(?:\d{2}|2[AB])\s?\d{3}\s?\d{3}\s?\d{2}",
          CHECKED, checksums.nir),
    _form("NATIONAL_ID", "13 15", "", r"[1-478]\s?\d{2}\s?\d{2}\s?(?:\d{2}|2[AB])\s?\d{3}\s?\d{3}\s?\d{2}",
          CHECKED, checksums.nir),
    _form("NATIONAL_ID", "1", "_0", r"[1-478]\s\d{2}\s(?:0[1-9]|1[0-2])\s(?:\d{2}|2[AB])\s\d{3}\s\d{3}(?:\s\d{2})?", LIKELY),
    _form("NATIONAL_ID", "5", "a0", r"\d{5}[AB]\d{8}", CHECKED, checksums.nir),
    _form("NATIONAL_ID", "2", "_0", r"\d{2}\s\d{3}\s\d{3}\s\d{3}", CHECKED, checksums.steuer_id),
    _form("NATIONAL_ID", "11", "", r"\d{11}", DISTINCT, _is_of_eleven, _not_before(".")),
    _form("NATIONAL_ID", "3", "_0 -0", r"\d{3}[\s-]\d{3}[\s-]\d{4}", CHECKED, checksums.nhs),
    _form("NATIONAL_ID", "6 8", "-0 +0", r"(?:\d{2})?\d{6}[-+]\d{4}", CHECKED, checksums.personnummer),
    _form("NATIONAL_ID", "6", "-0", r"\d{6}-\d{4}", LIKELY, checksums.cpr),
    _form("NATIONAL_ID", "6", "_0", r"\d{6}\s\d{5}", CHECKED, checksums.fodselsnummer),
    _form("NATIONAL_ID", "6", "-0 +0 a0", r"\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]", CHECKED, checksums.hetu),
    _form("NATIONAL_ID", "3", ".0", r"\d{3}\.\d{3}\.\d{3}-\d{2}", DISTINCT, end=_WHOLE),
    _form("NATIONAL_ID", "3", "_0 -0", r"\d{3}(?P<ssn>[\s-])\d{2}(?P=ssn)\d{4}", DISTINCT, checksums.ssn, _not_before(".-")),
    _form("POSTCODE", "4", "_a aa", r"\d{4}\s?[A-Z]{2}(?=\s{1,3}[A-Z][a-z])", SHAPE,
          initials=ascii_uppercase),
)  # fmt: skip

# --- telephone

_EXT = r"(?:\s{0,3}(?:x|ext|extn|extensión|extension|poste|int|Durchwahl)\.?\s{0,3}\d{1,5})?"


def _digits(least: int, most: int, signs: str) -> str:
    """So many digits in groups of two and more, with these signs between them."""
    return rf"(?:\d(?:{signs}(?<=\d\d{signs})(?=\d\d))?){{{least - 1},{most - 1}}}\d"


def _phone(lengths: str, after: str, pattern: str, score: float = SHAPE) -> Form:
    """A telephone number may have another behind a slash, but no date; one without gaps also behind a hyphen."""
    end = _not_before(".-" if after else ".") + r"(?!/\d{4}(?!\d)|/\d{1,2}/)"
    return _form("PHONE", lengths, after, pattern + _EXT, score, end=end)


_PHONES = (
    _phone("9", "", r"[6789]\d{8}"),
    _phone("2 3 5", "_0 .0 -0", r"(?=[6789])" + _digits(9, 9, r"[\s.-]")),
    _phone("3", "_0 __ _. _- .0 ._ .. .- -0 -_ -. -- )_ ). )-", r"[2-9]\d{2}\)?[\s.-]{1,2}\d{3}[\s.-]\d{4}", DISTINCT),
    _phone("1", "_0 _( .0 .( -0 -(", r"1[\s.-]\(?[2-9]\d{2}\)?[\s.-]{1,2}\d{3}[\s.-]\d{4}", DISTINCT),
    _phone("2 3 4 5 6", "_0 __ _. _/ _- )_ ). )/ )- .0 /0 -0",
           r"0[1-9]\d{0,4}\)?\s?[\s./-](?=\d\d)" + _digits(5, 9, r"[\s./-]")),
    _phone("10 11", "", r"0[1-9]\d{8,9}"),
    _phone("3", "_0 -0", r"3\d{2}[\s-]\d{6,7}"),
)  # fmt: skip
_ABROAD = re.compile(rf"(?:(?<=\+)|(?<=\+[\s\S])|(?=00))\d{{1,3}}(?:[\s.\-/()]{{0,3}}\d){{6,14}}(?!\d){_EXT}")
ABROAD = (
    Form("PHONE", range(1, 7), " ".join(a + b for a in "_.-/()" for b in "0_.-/()"), _ABROAD),
    Form("PHONE", range(7, sys.maxsize), "", _ABROAD),
)
ANY_PHONE = re.compile(rf"\d(?:[\s().\-/]{{0,3}}\d){{4,14}}(?!\d){_EXT}")

FORMS = (*_DATES, *_AGES, *_NUMBERS, *_PHONES)

# --- letters, then digits


def _lettered(
    label: str,
    letters: str,
    lengths: str,
    after: str,
    digits: str,
    score: float = LIKELY,
    check: Callable[[str], bool] | None = None,
) -> tuple[Form, Form]:
    """The whole, and what of it is from the first digit on."""
    whole = _form(label, lengths, after, letters + digits, score, check, _WHOLE)
    return whole, Form(label, whole.lengths, after, re.compile(rf"(?<=[\w\s])(?:{digits})"))


_LETTERED = (
    _lettered("NATIONAL_ID", r"[XYZxyz][\s-]?", "7", "a? _a -a", r"\d{7}[\s-]?[A-Za-z]", CHECKED, checksums.dni),
    _lettered("NATIONAL_ID", r"[A-HJNP-SUVW]-?", "7 8", "", r"\d{7}-?[0-9A-J]", CHECKED, checksums.cif),
    _lettered("NATIONAL_ID", r"[A-Z]{6}", "2", "a0", r"\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]",
              CHECKED, checksums.codice_fiscale),
    _lettered("NATIONAL_ID", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\s{0,2}", "2 4 6", "_0 __ _a a?",
              r"\d{2}(?:\s{0,2}\d{2}){2}\s{0,2}[A-D]", DISTINCT),
    _lettered("POSTCODE", r"[A-Z]{1,2}", "1 2 3", "a0 a_ _0 aa", r"\d[A-Z\d]?\s?\d[ABD-HJLNP-UW-Z]{2}"),
    _lettered("POSTCODE", r"GIR\s?", "1", "aa", r"\d[ABD-HJLNP-UW-Z]{2}"),
    _lettered("POSTCODE", r"[ABCEGHJ-NPRSTVXY]", "1", "a_ a-", r"\d[A-Z][\s-]\d[A-Z]\d"),
)  # fmt: skip
LETTERED = tuple(whole for whole, _ in _LETTERED)
_KINDS = {"n": r"\d", "a": "[A-Za-z]", "c": "[A-Za-z0-9]"}
ACCOUNTS = {
    country: re.compile(
        r"[A-Za-z]{2}\d{2}"
        + "".join(rf"(?:[\s-]?{_KINDS[kind]}){{{many}}}" for many, kind in re.findall(r"(\d+)(.)", parts))
    )
    for country, parts in checksums.IBAN_STRUCTURES.items()
}
# Behind its check digits an account has two digits, four letters, or one and digits.
_ACCOUNT = re.compile(r"(?<=[A-Za-z]{2})\d{2}(?:(?:[\s-]?\d){2}|(?:[\s-]?[A-Za-z]){4}|[\s-]?[A-Za-z](?:[\s-]?\d){2})")
AFTER_LETTERS = (
    *(digits for _, digits in _LETTERED),
    Form("IBAN", (2, 3), "_0 -0 _a -a a?", _ACCOUNT),
    Form("IBAN", range(4, sys.maxsize), "", _ACCOUNT),
)
