"""Numbers that check: national ids, cards and accounts, by the validators of python-stdnum, loaded when first asked.

The table holds the written forms of each number that stands alone in a text. A check digit that one number in ten has by
chance is not enough for a bare run of digits: such a number is listed only as its country groups it, and otherwise needs
a cue word, which finds it whatever its digits.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module

Check = Callable[[str], bool]

# Of each validator, how its numbers are written: 9 is a digit, A a capital, "a" any letter, "_" a blank or a hyphen, "~"
# either or nothing. Validators of "own" are in this file: python-stdnum has none.
NATIONAL_IDS = """
ar.cuit 99-99999999-9
at.vnr 9999_999999
be.nn 99999999999 99.99.99-999.99 999999-999-99 999999_99999
bg.egn 9999999999
br.cnpj 99.999.999/9999-99
br.cpf 99999999999 999999999-99
ca.sin 999-999-999
ch.ssn 999.9999.9999.99 9999999999999
cl.rut 99.999.999-9 99.999.999-A 9.999.999-9 9.999.999-A 99999999-9 99999999-A
cn.ric 999999999999999999 99999999999999999a
co.nit 999.999.999-9
cz.rc 999999/9999 999999/999
de.idnr 99999999999 99_999_999_999
do.cedula 999-9999999-9
ee.ik 99999999999
es.dni 99999999~A 99.999.999~A
fi.hetu 999999-999A 999999-9999 999999+999A 999999+9999 999999A999A 999999A9999
gb.nhs 999_999_9999
gr.amka 99999999999
ie.pps 9999999A 9999999AA
in_.aadhaar 9999_9999_9999
is_.kennitala 999999-9999
kr.rrn 999999-9999999 9999999999999
lt.asmens 99999999999
lv.pvn 999999-99999
my.nric 999999-99-9999
nl.bsn 9999.99.999
no.fodselsnummer 99999999999 999999_99999
nz.ird 99-999-999
pk.cnic 99999-9999999-9
pl.pesel 99999999999
pt.cc 9999999999AA9 99999999_9_AA9
ro.cnp 9999999999999
ru.inn 999999999999
se.personnummer 999999-9999 999999+9999 99999999-9999 999999999999
si.emso 9999999999999
th.pin 9-9999-99999-99-9 9_9999_99999_99_9
tr.tckimlik 99999999999
us.itin 999-99-9999
za.idnr 9999999999999 999999_9999_99_9 999999_9999_999
own.social_security 999999999999
own.medicare 9999_99999_9
"""
# The same of those that begin with letters.
LETTERED_IDS = """
es.nie A~9999999~A
in_.pan AAAAA9999A
in_.epic AAA9999999
it.codicefiscale AAAAAA99A99A999A AAA_AAA_99A99_A999A
mx.curp AAAA999999AAAAAA99 AAAA999999AAAAAAA9
mx.rfc AAAA999999999 AAAA999999AAA AAAA99999999A AAAA999999A99 AAAA999999AA9 AAAA9999999A9 AAAA9999999AA AAAA999999A9A
ve.rif A-99999999-9
own.nric A9999999A
own.hong_kong A999999(9) A999999(A) AA999999(9) AA999999(A)
own.taiwan A999999999
own.dea AA9999999
"""
# A date alone says what these are.
DATED_IDS = """
dk.cpr 999999-9999
kr.rrn 999999-9999999
"""
DEVICES = """
imei 99_999999_999999_9
"""
_SHAPE = {**dict.fromkeys(map(ord, "0123456789"), "9"), ord("\u00a0"): " ", ord("\n"): " "}
_SHAPE |= dict.fromkeys(map(ord, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"), "A")


def bare(text: str) -> str:
    """A number without its separators, in capitals."""
    return (text if text.isalnum() else "".join(c for c in text if c.isalnum())).upper()


@cache
def holds(name: str) -> Check:
    """The validator of a module of python-stdnum, which is loaded on first use, or one of ours."""

    def check(text: str) -> bool:
        if name in _OWN:
            return _OWN[name](bare(text))
        valid, plain = _validator(name), bare(text)
        try:
            return valid(text) or (plain != text and valid(plain))
        except (LookupError, ValueError, TypeError, ArithmeticError):
            # A few validators meet what their own tables lack: the number is none.
            return False

    return check


@cache
def _validator(name: str) -> Check:
    """The function of python-stdnum that checks a kind of number, loaded when the first such number is met."""
    valid: Check = import_module(f"stdnum.{name}").is_valid
    return valid


def _variants(written: str) -> Iterator[str]:
    signs = {"_": " -", "~": ("", " ", "-")}.get(next((c for c in written if c in "_~"), ""), ("",))
    return (written.replace("_", sign).replace("~", sign) for sign in signs)


def shapes(rows: str) -> dict[str, list[str]]:
    """The validators of numbers by the shape of these."""
    by_shape: dict[str, list[str]] = {}
    for name, *written in map(str.split, rows.strip().split("\n")):
        for shape in (each for one in written for each in _variants(one)):
            by_shape.setdefault(shape, []).append(name)
    return by_shape


def any_of(rows: str) -> Check:
    """Check whether any validator of a number's shape accepts it."""
    table = {shape.replace("a", "A"): names for shape, names in shapes(rows).items()}
    return lambda text: any(holds(name)(text) for name in table.get(text.translate(_SHAPE), ()))


# --- cards and accounts


def card(text: str) -> bool:
    """A payment card: 13 to 19 digits, an issuer's first digit, Luhn; not all digits alike."""
    digits = bare(text)
    return 13 <= len(digits) <= 19 and digits[0] in "23456" and len(set(digits)) > 1 and holds("luhn")(digits)


_IBAN_PARTS = {"n": "[0-9]", "a": "[A-Z]", "c": "[A-Z0-9]"}


@cache
def _iban_pattern(country: str) -> re.Pattern[str] | None:
    """The pattern of a country's accounts, with blanks and hyphens between, by the registry in python-stdnum."""
    (_, known), *_ = import_module("stdnum.numdb").get("iban").info(country)
    parts = re.findall(r"(\d+)!([nac])", known.get("bban", ""))
    letters = "".join(r"(?:[ \u00a0\n-]?" + _IBAN_PARTS[kind] + f"){{{many}}}" for many, kind in parts)
    return re.compile(r"[A-Z]{2}[ -]?[0-9]{2}" + letters, re.IGNORECASE) if parts else None


def iban_end(text: str) -> int:
    """The number of characters of the account number that a text begins with; none if it begins with no such number."""
    pattern = _iban_pattern(text[:2].upper())
    match = pattern.match(text) if pattern else None
    return match.end() if match and holds("iban")(bare(match[0])) else 0


# --- what python-stdnum has not


def _weighted(digits: str, weights: Sequence[int]) -> int:
    return sum(int(d) * w for d, w in zip(digits, weights, strict=False))


def _social_security(number: str) -> bool:
    """Spain: province and number mod 97 are the last two digits."""
    province, middle = int(number[:2]), int(number[2:-2])
    return (province * (10**7 if middle < 10**7 else 10**8) + middle) % 97 == int(number[-2:])


def _medicare(number: str) -> bool:
    """Australia: a weighted sum mod 10 is the ninth digit."""
    return number[0] in "23456" and _weighted(number[:8], (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(number[8])


def _nric(number: str) -> bool:
    """Singapore: the first letter gives the century and the letters that check."""
    kind = number[0]
    letters = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "F": "XWUTRQPNMLK", "G": "XWUTRQPNMLK", "M": "XWUTRQPNJLK"}
    shift = {"T": 4, "G": 4, "M": 3}.get(kind, 0)
    return kind in letters and letters[kind][(_weighted(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + shift) % 11] == number[8]


def _hong_kong(number: str) -> bool:
    """Hong Kong: letters count as 10 and on, a missing one as 36; mod 11."""
    values = [36] * (9 - len(number)) + [int(c, 36) for c in number[:-1]]
    total = sum(v * w for v, w in zip(values, range(9, 1, -1), strict=True))
    return "0123456789A"[-total % 11] == number[-1]


def _taiwan(number: str) -> bool:
    """Taiwan: the letter stands for two digits; mod 10."""
    first = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0]) + 10
    total = first // 10 + first % 10 * 9 + _weighted(number[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))
    return number[1] in "1289" and total % 10 == 0


def _dea(number: str) -> bool:
    """United States, prescribers: digits one, three and five and twice the others end in the last."""
    digits = number[2:]
    return (_weighted(digits[:6:2], (1, 1, 1)) + 2 * _weighted(digits[1:6:2], (1, 1, 1))) % 10 == int(digits[6])


_VEHICLE_LETTERS = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789", strict=True))


def vehicle(text: str) -> bool:
    """A vehicle's number of 17 signs: a weighted sum mod 11 is the ninth (ISO 3779, as America and China have it)."""
    digits = "".join(_VEHICLE_LETTERS.get(c, c) for c in text)
    total = _weighted(digits, (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2))
    return not text.isdecimal() and "0123456789X"[total % 11] == text[8]


_OWN: dict[str, Check] = {
    "own.social_security": _social_security, "own.medicare": _medicare, "own.nric": _nric,
    "own.hong_kong": _hong_kong, "own.taiwan": _taiwan, "own.dea": _dea,
}  # fmt: skip
