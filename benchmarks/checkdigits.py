"""National numbers of invented people, with check digits worked out here: by none of the code that is to recognise them.

Each scheme takes a birth date, a serial number and the person's name, and returns the number without separators. Sources:
what the issuing authorities publish about their numbers.
"""

from collections.abc import Callable, Sequence
from datetime import date


def _weighted(digits: str, weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))


def _serial(serial: int, many: int, step: int = 7919) -> str:
    """So many digits, different for each serial number and never with a zero in front."""
    lowest = 10 ** (many - 1)
    return str(lowest + (serial * step * 104729 + 31337) % (9 * lowest))


def _next_valid(number: Callable[[int], str | None], serial: int) -> str:
    """The number of the first serial from this one on for which the scheme has a check digit."""
    return next(found for found in map(number, range(serial, serial + 50)) if found is not None)


def luhn(body: str) -> str:
    """The check digit of ISO 7812."""
    total = sum(sum(divmod(int(digit) * (2 - place % 2), 10)) for place, digit in enumerate(reversed(body)))
    return str(-total % 10)


def mod_11_10(body: str) -> str:
    """The check digit of ISO 7064, mod 11,10."""
    product = 10
    for digit in body:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return str((11 - product) % 10)


def verhoeff(body: str) -> str:
    """Verhoeff's check digit: turns and reflections of a pentagon."""

    def times(a: int, b: int) -> int:
        turned = (a + b) % 5 if a < 5 else (a - b) % 5
        return turned + 5 * ((a < 5) != (b < 5))

    moved = [list(range(10)), [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]]
    while len(moved) < 8:
        moved.append([moved[1][digit] for digit in moved[-1]])
    value = 0
    for place, digit in enumerate(reversed(body), 1):
        value = times(value, moved[place % 8][int(digit)])
    return str(next(digit for digit in range(10) if times(value, moved[0][digit]) == 0))


def _ymd(born: date) -> str:
    return f"{born:%y%m%d}"


def _dmy(born: date) -> str:
    return f"{born:%d%m%y}"


def nhs(born: date, serial: int, name: str) -> str:
    """England: mod 11 over ten digits."""

    def number(at: int) -> str | None:
        body = "4" + _serial(at, 8)
        check = -_weighted(body, range(10, 1, -1)) % 11
        return None if check == 10 else f"{body}{check}"

    return _next_valid(number, serial)


def ssn(born: date, serial: int, name: str) -> str:
    """United States: no check digit."""
    return f"{219 + serial * 37 % 400}{11 + serial * 13 % 80:02d}{1001 + serial * 1237 % 8000}"


def steuer_id(born: date, serial: int, name: str) -> str:
    """Germany: ten digits, one of which stands twice and one nowhere, then mod 11,10."""
    shift = serial % 9
    body = ("8610593274"[shift:] + "8610593274"[:shift]).lstrip("0")
    body = body[:9] + body[2] if len(body) == 10 else body + body[2]
    return body + mod_11_10(body)


def ahv(born: date, serial: int, name: str) -> str:
    """Switzerland: 756, nine digits, the check digit of an EAN."""
    body = "756" + _serial(serial, 9)
    return body + str(-_weighted(body, (1, 3) * 6) % 10)


def nir(born: date, serial: int, name: str) -> str:
    """France: sex, year, month, department, town, order, and 97 less the rest."""
    body = f"{1 + serial % 2}{born:%y%m}{10 + serial * 17 % 80}{100 + serial * 53 % 300}{100 + serial * 71 % 800}"
    return f"{body}{97 - int(body) % 97:02d}"


def dni(born: date, serial: int, name: str) -> str:
    """Spain: eight digits and a letter."""
    body = _serial(serial, 8)
    return body + "TRWAGMYFPDXBNJZSQVHLCKE"[int(body) % 23]


def codice_fiscale(born: date, serial: int, name: str) -> str:
    """Italy: consonants of surname and given name, birth date, town and a check letter."""

    def three(word: str) -> str:
        letters = [letter for letter in word.upper() if letter.isascii() and letter.isalpha()]
        consonants = [letter for letter in letters if letter not in "AEIOU"]
        return "".join([*consonants, *(letter for letter in letters if letter in "AEIOU"), *"XXX"])[:3]

    given, _, family = name.partition(" ")
    body = f"{three(family)}{three(given)}{born:%y}{'ABCDEHLMPRST'[born.month - 1]}{born.day + 40 * (serial % 2):02d}"
    body += f"H{501 + serial}"
    odd = dict(zip("0123456789", (1, 0, 5, 7, 9, 13, 15, 17, 19, 21), strict=True))
    odd |= dict(zip("ABCDEFGHIJ", odd.values(), strict=True))
    odd |= dict(zip("KLMNOPQRSTUVWXYZ", (2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23), strict=True))
    even = {sign: int(sign, 36) - (0 if sign.isdigit() else 10) for sign in odd}
    total = sum(even[sign] if place % 2 else odd[sign] for place, sign in enumerate(body))
    return body + chr(ord("A") + total % 26)


def nif(born: date, serial: int, name: str) -> str:
    """Portugal: mod 11 over nine digits."""
    body = "2" + _serial(serial, 7)
    rest = _weighted(body, range(9, 1, -1)) % 11
    return f"{body}{0 if rest < 2 else 11 - rest}"


def cpf(born: date, serial: int, name: str) -> str:
    """Brazil: two check digits, each mod 11."""
    body = _serial(serial, 9)
    for _ in range(2):
        rest = _weighted(body, range(len(body) + 1, 1, -1)) % 11
        body += str(0 if rest < 2 else 11 - rest)
    return body


def bsn(born: date, serial: int, name: str) -> str:
    """Netherlands: nine digits that pass the test of eleven."""

    def number(at: int) -> str | None:
        body = _serial(at, 8)
        check = _weighted(body, range(9, 1, -1)) % 11
        return None if check == 10 else f"{body}{check}"

    return _next_valid(number, serial)


def pesel(born: date, serial: int, name: str) -> str:
    """Poland: birth date, serial and a check digit."""
    body = _ymd(born) + f"{1000 + serial * 577 % 9000}"
    return f"{body}{-_weighted(body, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10}"


def rodne_cislo(born: date, serial: int, name: str) -> str:
    """Czechia and Slovakia: birth date, serial, all of it divisible by eleven."""

    def number(at: int) -> str | None:
        body = f"{born:%y}{born.month + 50 * (at % 2):02d}{born:%d}{100 + at * 53 % 900}"
        check = int(body) % 11
        return None if check == 10 else f"{body}{check}"

    return _next_valid(number, serial)


def taj(born: date, serial: int, name: str) -> str:
    """Hungary: eight digits by three and seven, mod 10."""
    body = _serial(serial, 8)
    return f"{body}{_weighted(body, (3, 7) * 4) % 10}"


def cnp(born: date, serial: int, name: str) -> str:
    """Romania: sex, birth date, county, order and a check digit."""
    body = f"{1 + serial % 2}{_ymd(born)}{10 + serial * 3 % 36}{100 + serial * 37 % 900}"
    check = _weighted(body, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return f"{body}{1 if check == 10 else check}"


def egn(born: date, serial: int, name: str) -> str:
    """Bulgaria: birth date, region and a check digit."""
    body = f"{_ymd(born)}{100 + serial * 37 % 900}"
    return f"{body}{_weighted(body, (2, 4, 8, 5, 10, 9, 7, 3, 6)) % 11 % 10}"


def snils(born: date, serial: int, name: str) -> str:
    """Russia: nine digits and two of control, mod 101."""
    body = _serial(serial, 9)
    return f"{body}{_weighted(body, range(9, 0, -1)) % 101 % 100:02d}"


def rnokpp(born: date, serial: int, name: str) -> str:
    """Ukraine: days since the end of 1899, a serial and a check digit."""
    body = f"{(born - date(1899, 12, 31)).days:05d}{1000 + serial * 37 % 9000}"
    return f"{body}{_weighted(body, (-1, 5, 7, 9, 4, 6, 10, 5, 7)) % 11 % 10}"


def oib(born: date, serial: int, name: str) -> str:
    """Croatia: ten digits, mod 11,10."""
    body = _serial(serial, 10)
    return body + mod_11_10(body)


def jmbg(born: date, serial: int, name: str) -> str:
    """Serbia and Slovenia (EMŠO): birth date, region, serial, mod 11."""

    def number(at: int) -> str | None:
        body = f"{born:%d%m}{born.year % 1000:03d}{50 + at % 9}{100 + at * 37 % 900}"
        check = -_weighted(body, (7, 6, 5, 4, 3, 2) * 2) % 11
        return None if check == 10 else f"{body}{check}"

    return _next_valid(number, serial)


def amka(born: date, serial: int, name: str) -> str:
    """Greece: birth date, serial, Luhn."""
    body = f"{_dmy(born)}{1000 + serial * 37 % 9000}"
    return body + luhn(body)


def kimlik(born: date, serial: int, name: str) -> str:
    """Turkey: nine digits and two check digits."""
    body = _serial(serial, 9)
    odd, even = sum(map(int, body[::2])), sum(map(int, body[1::2]))
    tenth = (odd * 7 - even) % 10
    return f"{body}{tenth}{(odd + even + tenth) % 10}"


def personnummer(born: date, serial: int, name: str) -> str:
    """Sweden: century and birth date, serial, Luhn over ten digits."""
    body = f"{_ymd(born)}{100 + serial * 37 % 880}"
    return f"{born.year // 100}{body}{luhn(body)}"


def cpr(born: date, serial: int, name: str) -> str:
    """Denmark: birth date and four digits, divisible by eleven as before 2007."""

    def number(at: int) -> str | None:
        body = f"{_dmy(born)}{100 + at * 37 % 300}"
        check = -_weighted(body, (4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
        return None if check == 10 else f"{body}{check}"

    return _next_valid(number, serial)


def fodselsnummer(born: date, serial: int, name: str) -> str:
    """Norway: birth date, serial and two check digits."""

    def number(at: int) -> str | None:
        body = f"{_dmy(born)}{100 + at * 37 % 390}"
        first = -_weighted(body, (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11
        second = -_weighted(f"{body}{first % 10}", (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
        return None if 10 in (first, second) else f"{body}{first}{second}"

    return _next_valid(number, serial)


def hetu(born: date, serial: int, name: str) -> str:
    """Finland: birth date, serial and a sign, mod 31. The sign of the century is a separator of the pattern."""
    body = f"{_dmy(born)}{100 + serial * 37 % 790}"
    return body + "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(body) % 31]


def isikukood(born: date, serial: int, name: str) -> str:
    """Estonia and Lithuania: sex and century, birth date, serial, mod 11 in two rounds."""
    body = f"{3 + serial % 2}{_ymd(born)}{100 + serial * 37 % 900}"
    check = _weighted(body, (1, 2, 3, 4, 5, 6, 7, 8, 9, 1)) % 11
    if check == 10:
        check = _weighted(body, (3, 4, 5, 6, 7, 8, 9, 1, 2, 3)) % 11 % 10
    return f"{body}{check}"


def personas_kods(born: date, serial: int, name: str) -> str:
    """Latvia: birth date, century, serial and a check digit."""

    def number(at: int) -> str | None:
        body = f"{_dmy(born)}1{100 + at * 37 % 900}"
        check = (1101 - _weighted(body, (1, 6, 3, 7, 9, 10, 5, 8, 4, 2))) % 11
        return None if check == 10 else f"{body}{check}"

    return _next_valid(number, serial)


def saudi(born: date, serial: int, name: str) -> str:
    """Saudi Arabia: ten digits that begin with one, Luhn."""
    body = "1" + _serial(serial, 8)
    return body + luhn(body)


def teudat_zehut(born: date, serial: int, name: str) -> str:
    """Israel: nine digits, Luhn."""
    body = _serial(serial, 8)
    return body + luhn(body)


def melli(born: date, serial: int, name: str) -> str:
    """Iran: ten digits, mod 11."""
    body = _serial(serial, 9)
    rest = _weighted(body, range(10, 1, -1)) % 11
    return f"{body}{rest if rest < 2 else 11 - rest}"


def aadhaar(born: date, serial: int, name: str) -> str:
    """India: twelve digits, the first above one, Verhoeff."""
    body = "4" + _serial(serial, 10)
    return body + verhoeff(body)


def resident(born: date, serial: int, name: str) -> str:
    """China: region, birth date, serial and a sign of ISO 7064, mod 11-2."""
    body = f"420106{born:%Y%m%d}{100 + serial * 37 % 900}"
    return body + "10X98765432"[_weighted(body, [2**power % 11 for power in range(17, 0, -1)]) % 11]


def my_number(born: date, serial: int, name: str) -> str:
    """Japan: eleven digits, mod 11."""
    body = _serial(serial, 11)
    rest = _weighted(body, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return f"{body}{0 if rest < 2 else 11 - rest}"


def rrn(born: date, serial: int, name: str) -> str:
    """South Korea: birth date, sex, region and a check digit."""
    body = f"{_ymd(born)}{1 + serial % 2}{10000 + serial * 3701 % 80000}"
    return f"{body}{(11 - _weighted(body, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10}"


def thai(born: date, serial: int, name: str) -> str:
    """Thailand: thirteen digits, mod 11."""
    body = "3" + _serial(serial, 11)
    return f"{body}{(11 - _weighted(body, range(13, 1, -1)) % 11) % 10}"


def cccd(born: date, serial: int, name: str) -> str:
    """Vietnam: province, sex and century, year, serial; no check digit."""
    return f"0{10 + serial * 3 % 80}{serial % 2}{born:%y}{_serial(serial, 6)}"


def nik(born: date, serial: int, name: str) -> str:
    """Indonesia: district, birth date, serial; no check digit."""
    return f"3273{10 + serial % 20}{born.day + 40 * (serial % 2):02d}{born:%m%y}{1 + serial * 37 % 900:04d}"


SCHEMES: dict[str, Callable[[date, int, str], str]] = {
    made.__name__: made
    for made in (
        nhs, ssn, steuer_id, ahv, nir, dni, codice_fiscale, nif, cpf, bsn, pesel, rodne_cislo, taj, cnp, egn, snils, rnokpp,
        oib, jmbg, amka, kimlik, personnummer, cpr, fodselsnummer, hetu, isikukood, personas_kods, saudi, teudat_zehut,
        melli, aadhaar, resident, my_number, rrn, thai, cccd, nik,
    )
}  # fmt: skip
