"""Check digits of cards, accounts and national ids: each function takes what a pattern matched and says whether it holds.

Separators are ignored. Sources: ISO 7812 (Luhn), ISO 13616 and 7064 (mod 97-10, mod 11,10), and the issuing authorities'
published rules.
"""

import re
from collections.abc import Sequence

# What an account number of a country has behind its two letters and two check digits: so many digits (n), letters (a) or
# either (c), in this order (ISO 13616).
IBAN_STRUCTURES = {
    "AD": "8n12c", "AT": "16n", "BE": "12n", "BG": "4a6n8c", "BR": "23n1a1c", "CH": "5n12c", "CY": "8n16c", "CZ": "20n",
    "DE": "18n", "DK": "14n", "EE": "16n", "ES": "20n", "FI": "14n", "FR": "10n11c2n", "GB": "4a14n", "GR": "7n16c",
    "HR": "17n", "HU": "24n", "IE": "4a14n", "IL": "19n", "IS": "22n", "IT": "1a10n12c", "LI": "5n12c", "LT": "16n",
    "LU": "3n13c", "LV": "4a13c", "MC": "10n11c2n", "MT": "4a5n18c", "NL": "4a10n", "NO": "11n", "PL": "24n", "PT": "21n",
    "RO": "4a16c", "SA": "2n18c", "SE": "20n", "SI": "15n", "SK": "20n", "SM": "1a10n12c", "TR": "6n16c", "UA": "6n19c",
}  # fmt: skip
_IBAN_LENGTHS = {country: 4 + sum(map(int, re.findall(r"\d+", parts))) for country, parts in IBAN_STRUCTURES.items()}
_LETTERS_AS_NUMBERS = {ord("A") + i: str(10 + i) for i in range(26)}
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_HETU_SIGNS = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_ODD = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)


def bare(text: str) -> str:
    """A number without its separators, in capitals."""
    if not text.isalnum():
        text = "".join(text.split()).replace("-", "").replace(".", "").replace("/", "")
    return text.upper()


_OF_DIGITS = bytes.maketrans(b"0123456789", bytes(range(10)))
_NO_DIGITS = bytes(set(range(256)) - set(b"0123456789"))


def _digits(text: str) -> bytes:
    """The values of all digits, of whatever script."""
    if text.isascii():
        return text.encode().translate(_OF_DIGITS, _NO_DIGITS)
    return bytes(int(c) for c in text if c.isdecimal())


def _weighted(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(d * w for d, w in zip(digits, weights, strict=False))


_DOUBLED = bytes.maketrans(bytes(range(10)), bytes((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)))


def _luhn(digits: bytes) -> bool:
    """The sum of digits, every second one doubled, ends in 0; not all digits alike."""
    total = sum(digits[::-2]) + sum(digits[-2::-2].translate(_DOUBLED))
    return total % 10 == 0 and len(set(digits)) > 1


def card(text: str) -> bool:
    """A payment card: 13 to 19 digits, an issuer's first digit, Luhn."""
    digits = _digits(text)
    return 13 <= len(digits) <= 19 and digits[0] in (2, 3, 4, 5, 6) and _luhn(digits)


def iban(text: str) -> bool:
    """An account number of its country's length with mod 97 = 1."""
    number = bare(text)
    if _IBAN_LENGTHS.get(number[:2]) != len(number):
        return False
    head, rest = number[:4].translate(_LETTERS_AS_NUMBERS), number[4:]
    return int((rest if rest.isdecimal() else rest.translate(_LETTERS_AS_NUMBERS)) + head) % 97 == 1


def dni(text: str) -> bool:
    """Spain, DNI and NIE: eight digits (or X, Y, Z and seven) mod 23 say the letter."""
    number = bare(text)
    number = str("XYZ".find(number[0])) + number[1:] if number[0] in "XYZ" else number
    return number[:-1].isdecimal() and number[-1] == _DNI_LETTERS[int(number[:-1]) % 23]


def cif(text: str) -> bool:
    """Spain, CIF: a letter, seven digits, and a digit or letter by a doubled sum."""
    number = bare(text)
    digits = [int(c) for c in number[1:8]]
    total = sum(digits[1::2]) + sum(sum(divmod(2 * d, 10)) for d in digits[::2])
    control = -total % 10
    return number[8] in (str(control), "JABCDEFGHI"[control])


def nass(text: str) -> bool:
    """Spain, social security: province and number mod 97 are the last two digits."""
    number = bare(text)
    province, middle, control = int(number[:2]), int(number[2:-2]), int(number[-2:])
    return len(number) == 12 and (province * (10**7 if middle < 10**7 else 10**8) + middle) % 97 == control


def nir(text: str) -> bool:
    """France: 97 − number mod 97 are the last two digits; Corsica's 2A and 2B count as 19 and 18."""
    number = bare(text).replace("2A", "19", 1).replace("2B", "18", 1)
    return len(number) == 15 and number.isdecimal() and 97 - int(number[:13]) % 97 == int(number[13:])


def codice_fiscale(text: str) -> bool:
    """Italy: 15 letters and digits, by place odd or even, mod 26 say the last letter."""
    values = [int(c, 36) - (10 if c.isalpha() else 0) for c in bare(text)]
    total = sum(_ODD[v] if i % 2 == 0 else v for i, v in enumerate(values[:15]))
    return total % 26 == values[15]


def steuer_id(text: str) -> bool:
    """Germany: mod 11,10; of the first ten digits one stands two or three times, which a telephone number seldom has."""
    digits = _digits(text)
    rest = 10
    for d in digits[:10]:
        rest = ((rest + d) % 10 or 10) * 2 % 11
    repeated = [n for n in range(10) if digits[:10].count(n) > 1]
    return len(digits) == 11 and digits[0] != 0 and len(repeated) == 1 and (11 - rest) % 10 == digits[10]


def nhs(text: str) -> bool:
    """United Kingdom, NHS: weights 10 to 2, mod 11."""
    digits = _digits(text)
    return len(digits) == 10 and 11 - _weighted(digits, range(10, 1, -1)) % 11 == (digits[9] or 11)


def pesel(text: str) -> bool:
    """Poland: a date (the month tells the century) and weights 1, 3, 7, 9, mod 10."""
    digits = _digits(text)
    month, day = digits[2] * 10 + digits[3], digits[4] * 10 + digits[5]
    dated = 1 <= month % 20 <= 12 and 1 <= day <= 31
    return len(digits) == 11 and dated and _weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0


def _dated(digits: Sequence[int], day_first: bool = True) -> bool:
    """Six digits of a date; from 61 on, a day says that a number stands for a person without one."""
    a, b, c = (digits[i] * 10 + digits[i + 1] for i in (0, 2, 4))
    day = a if day_first else c
    return 1 <= b <= 12 and 1 <= day % 60 <= 31 and day < 92


def personnummer(text: str) -> bool:
    """Sweden: a date and Luhn over the last ten digits."""
    digits = _digits(text)[-10:]
    return len(digits) == 10 and _dated(digits, day_first=False) and _luhn(digits)


def fodselsnummer(text: str) -> bool:
    """Norway: a date (40 more in a day or month for other kinds) and two check digits mod 11."""
    digits = _digits(text)
    if len(digits) != 11 or not 1 <= (digits[0] * 10 + digits[1]) % 40 <= 31:
        return False
    first = _weighted(digits, (3, 7, 6, 1, 8, 9, 4, 5, 2, 1)) % 11
    return first == 0 and _weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def cpr(text: str) -> bool:
    """Denmark: a date (the check digit was given up in 2007)."""
    return _dated(_digits(text))


def hetu(text: str) -> bool:
    """Finland: nine digits mod 31 say the last sign."""
    number = text.upper()
    return _dated(_digits(number)) and number[-1] == _HETU_SIGNS[int(number[:6] + number[7:10]) % 31]


def cpf(text: str) -> bool:
    """Brazil: two check digits, mod 11."""
    digits = _digits(text)
    if len(digits) != 11 or len(set(digits)) == 1:
        return False
    first = _weighted(digits, range(10, 1, -1)) * 10 % 11 % 10
    return first == digits[9] and _weighted(digits, range(11, 1, -1)) * 10 % 11 % 10 == digits[10]


def kimlik(text: str) -> bool:
    """Turkey: two check digits, mod 10."""
    digits = _digits(text)
    if len(digits) != 11 or digits[0] == 0:
        return False
    tenth = (7 * sum(digits[0:9:2]) - sum(digits[1:8:2])) % 10
    return tenth == digits[9] and sum(digits[:10]) % 10 == digits[10]


def ssn(text: str) -> bool:
    """United States: no area 000, 666 or from 900 on, no group 00, no number 0000 (there is no check digit)."""
    number = bare(text)
    return number[:3] not in ("000", "666") and number[0] != "9" and number[3:5] != "00" and number[5:] != "0000"
