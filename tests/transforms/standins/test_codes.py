"""Stand-ins in figures and signs: the format stays, and nobody can have them."""

import ipaddress
import random
import string
from collections.abc import Callable
from functools import cache
from typing import Any

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum.util import get_number_modules

from unname.transforms.standins.codes import other_age, other_email, other_identifier, other_link, other_phone
from unname.transforms.standins.draws import Draws

DRAWS = Draws(b"k" * 32)
# Of these a stranger may be told apart by a check digit, a date or a range.
TYPICAL = {
    "credit card": "4111 1111 1111 1111",
    "IBAN": "DE89 3704 0044 0532 0130 00",
    "NHS number": "943 476 5919",
    "DNI": "54362315K",
    "Steuer-ID": "36 574 261 809",
    "SSN": "536-90-4399",
    "SSN that begins with zero": "036-90-4399",
    "BSN": "1112.22.333",
    "NIR": "2 95 10 99 126 111 93",
    "codice fiscale": "RCCMNL83S18D969H",
    "ISBN": "978-0-471-11709-4",
    "hetu": "131052-308T",
    "vehicle": "1HGCM82633A004352",
    "Aadhaar": "2341 2341 2346",
}
# Numbers in a row, which nothing checks: what a company writes in its own barcodes, and companies of San Marino.
INTERNAL = {"stdnum.gs1_128", "stdnum.sm.coe"}
AREAS_OF_NOBODY = {"000", "666", *map(str, range(900, 1000))}


def shape(text: str) -> str:
    """A text with "9" for every digit and "A" or "a" for every letter."""
    signs = ("9" if c.isdecimal() else "a" if c.islower() else "A" if c.isalpha() else c for c in text)
    return "".join(signs)


def plain(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@cache
def validators() -> list[Any]:
    return [module for module in get_number_modules() if module.__name__ not in INTERNAL]


def accepts(module: Any, text: str) -> bool:
    try:
        return bool(module.is_valid(text))
    except Exception:
        return False


def checking(like: str) -> list[Any]:
    """The validators that accept few of the numbers of a shape."""
    chance = random.Random(3)
    signs = {"9": string.digits, "A": string.ascii_uppercase}
    drawn = ["".join(chance.choice(signs.get(c, c)) for c in shape(like)) for _ in range(40)]
    return [module for module in validators() if sum(accepts(module, plain(each)) for each in drawn) < 12]


@pytest.mark.parametrize("kind", TYPICAL)
def test_no_check_accepts_an_identifier(kind: str) -> None:
    text = TYPICAL[kind]
    made = {other_identifier(text, DRAWS.under(str(turn))) for turn in range(25)}
    assert len(made) > 20 and None not in made
    for module in checking(text):
        for each in map(str, made):
            assert not accepts(module, each) and not accepts(module, plain(each)), module.__name__


def test_no_social_security_number_is_issued() -> None:
    for text in ("536-90-4399", "036-90-4399", "536904399", "SSN 536 90 4399"):
        made = [other_identifier(text, DRAWS.under(str(turn))) or "" for turn in range(50)]
        areas = {"".join(filter(str.isdecimal, each))[:3] for each in made}
        assert areas and areas <= AREAS_OF_NOBODY


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("MRN 12345", "MRN 99999"),
        ("NHS-Nr. 943 476 5919", "NHS-Nr. 999 999 9999"),
        ("Case no. 12/B", "Case no. 99/A"),
        ("D.N.I. 54362315K", "D.N.I. 99999999A"),
        ("ab-12 Cd", "aa-99 Aa"),
        ("(12) [34].5", "(99) [99].9"),
        ("Historia: 778899", "Historia: 999999"),
    ],
)
def test_the_format_of_an_identifier_and_its_cue_stay(text: str, like: str) -> None:
    made = other_identifier(text, DRAWS) or ""
    cue = next((at for at, c in enumerate(like) if c == "9"), 0) if like[0] not in "a(" else 0
    assert made[:cue] == text[:cue] == like[:cue]
    assert shape(made[cue:]) == shape(text[cue:]) and made[cue:] != text[cue:]


def test_words_that_are_no_cue_are_drawn() -> None:
    assert "Holm" not in str(other_identifier("Holm 1234", DRAWS)) and "AH" not in str(other_identifier("AH/77", DRAWS))


def test_a_value_has_one_identifier_however_it_is_written() -> None:
    made = [other_identifier(each, DRAWS) for each in ("943 476 5919", "943-476-5919", "NHS 9434765919")]
    assert len({"".join(filter(str.isdecimal, each or "")) for each in made}) == 1
    lower, upper = other_identifier("ab12cd", DRAWS), other_identifier("AB-12-CD", DRAWS)
    assert lower and upper and lower.upper() == upper.replace("-", "")
    assert other_identifier("12345", DRAWS) != other_identifier("12345", DRAWS.under("x"))


def test_leading_zeros_stay_and_no_others_come() -> None:
    made = [other_identifier("0012345", DRAWS.under(str(turn))) or "" for turn in range(30)]
    assert all(each[:2] == "00" and each[2] != "0" for each in made)
    assert all((other_identifier("1234", DRAWS.under(str(turn))) or "0")[0] != "0" for turn in range(60))


def test_digits_of_other_scripts_keep_theirs() -> None:
    assert all("０" <= c <= "９" for c in other_identifier("４７１１", DRAWS) or "-")
    assert all("٠" <= c <= "٩" for c in other_identifier("٣٤٥٦", DRAWS) or "-")
    assert shape(other_identifier("京Б12", DRAWS) or "") == "AA99"
    assert "京" not in str(other_identifier("京Б12", DRAWS))


@pytest.mark.parametrize("text", ["", " -/ ", "0000", "🙂", "1" * 65, "x" * 100_000])
def test_where_there_is_no_identifier(text: str) -> None:
    assert other_identifier(text, DRAWS) is None


# --- telephone numbers


def is_reserved(number: phonenumbers.PhoneNumber) -> bool:
    significant = phonenumbers.national_significant_number(number)
    fiction = {
        1: (significant[3:8] == "55501",),
        33: (significant[:5] in ("19900", "26191", "35301", "46571", "53649", "63998"),),
        44: (significant[:7] in ("1632960", "2079460", "7700900"),),
        46: (significant[:7] in ("3139006", "8465004"),),
        49: (significant[:7] in ("3023125", "6990009", "4066969", "2214710", "8999998"),),
        61: (significant[1:5] == "5550",),
    }
    return any(fiction.get(number.country_code or 0, ()))


def can_be_dialled(text: str, region: str) -> bool:
    assert sum(map(str.isdecimal, text)) > 6
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_valid_number(number) and not is_reserved(number)


REGIONS = [
    "US",
    "GB",
    "FR",
    "DE",
    "ES",
    "IT",
    "NL",
    "AU",
    "IN",
    "BR",
    "MX",
    "PL",
    "SE",
    "FI",
    "PT",
    "CH",
    "RU",
    "JP",
    "CN",
    "ZA",
]
FORMATS = (phonenumbers.PhoneNumberFormat.NATIONAL, phonenumbers.PhoneNumberFormat.INTERNATIONAL)


@pytest.mark.parametrize("region", REGIONS)
def test_no_telephone_number_can_be_dialled_where_it_is_from(region: str) -> None:
    kinds = (phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE)
    for kind in kinds:
        number = phonenumbers.example_number_for_type(region, kind)
        assert number is not None
        for written in (phonenumbers.format_number(number, each) for each in FORMATS):
            made = {other_phone(written, DRAWS.under(str(turn)), regions=(region,)) for turn in range(25)}
            assert None not in made and len(made) > 10
            for each in map(str, made):
                assert shape(each) == shape(written) and not can_be_dialled(each, region)
                assert not each.startswith("+") or each.startswith(f"+{number.country_code}")


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("212-736-5000", "US"),
        ("06 12 34 56 78", "FR"),
        ("020 7123 4567", "GB"),
        ("02 9374 4000", "AU"),
        ("912 34 56 78", "ES"),
    ],
)
def test_nor_where_nobody_says_where_it_is_from(text: str, region: str) -> None:
    for turn in range(5):
        assert not can_be_dialled(other_phone(text, DRAWS.under(str(turn))) or "none", region)


def test_numbers_kept_for_fiction_are_preferred() -> None:
    assert str(other_phone("+1 212 736 5000", DRAWS))[-8:-2] == "555 01"
    assert str(other_phone("+44 7911 123456", DRAWS)).startswith("+44 7700 900")
    assert str(other_phone("Tel. 06 12 34 56 78", DRAWS, regions=("FR",))).startswith("Tel. 06 39 98")
    assert str(other_phone("736-5000", DRAWS)).startswith("555-01")


def test_a_value_has_one_telephone_number_however_it_is_written() -> None:
    one, other = (other_phone(each, DRAWS, regions=("DE",)) or "" for each in ("0171/1234567", "Tel: 0171 123 45 67"))
    assert one.replace("/", "") == other.removeprefix("Tel: ").replace(" ", "")


def test_an_extension_is_drawn_and_its_word_stays() -> None:
    made = other_phone("212-736-5000 x123", DRAWS, regions=("US",)) or ""
    assert shape(made) == "999-999-9999 a999" and made[13] == "x" and made[-3:] != "123"


@pytest.mark.parametrize("text", ["", "12", "1-800-FLOWERS", "Anna 0171 1234567", "1" * 30, "🙂", "+" * 5000])
def test_where_there_is_no_telephone_number(text: str) -> None:
    assert other_phone(text, DRAWS) is None


# --- addresses on the net


def test_an_email_address_keeps_the_pattern_of_its_mailbox() -> None:
    made = other_email("Anna.holm_92@klinik.de", DRAWS) or ""
    assert shape(made.removesuffix("@example.org")) == "Aaaa.aaaa_99" and "nna" not in made
    assert len((other_email("a@b.de", DRAWS) or "").split("@")[0]) == 3
    assert len((other_email("a" * 40 + "@b.de", DRAWS) or "").split("@")[0]) == 12
    assert (other_email("用户@例子.中国", DRAWS) or "").isascii()
    assert (other_email("<mailto:anna@x.org>", DRAWS) or "").startswith("<mailto:")
    assert other_email("anna@x.org", DRAWS) == other_email("ANNA@X.org", DRAWS).lower()  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["", "anna", "@", "@anna", "Anna Holm <anna@x.org>"])
def test_where_there_is_no_email_address(text: str) -> None:
    assert other_email(text, DRAWS) is None


@pytest.mark.parametrize(
    ("text", "start", "length"),
    [
        ("https://www.foo.de/ab?c=1", "https://www.example.org/", 4),
        ("http://foo.de", "http://example.org", 0),
        ("ftp://foo.de/" + "a" * 50, "ftp://example.org/", 16),
        ("www.foo.de", "www.example.org", 0),
        ("foo.de/anna", "example.org/", 4),
        ("https://anna:pw@foo.de/x", "https://example.org/", 1),
    ],
)
def test_a_link_keeps_its_scheme_and_the_length_of_its_path(text: str, start: str, length: int) -> None:
    made = other_link(text, DRAWS) or ""
    assert made.startswith(start) and len(made) == len(start) + length


def test_addresses_of_machines_are_of_documentation() -> None:
    kept = [
        ipaddress.ip_network(each) for each in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
    ]
    for text in ("10.0.0.1", "8.8.8.8", "2a00:1450:4001:82b:0:0:0:200e", "fe80::1", "::1"):
        address = ipaddress.ip_address(other_link(text, DRAWS) or "")
        assert any(address in network for network in kept)
    assert (other_link("10.0.0.1:8080", DRAWS) or "").endswith(":8080")
    mac = other_link("00:1A:2B:3C:4D:5E", DRAWS) or ""
    assert int(mac[:2], 16) & 3 == 2 and len(mac) == 17 and mac == mac.upper()


def test_a_user_name_keeps_its_pattern() -> None:
    made = other_link("@anna_holm92", DRAWS) or ""
    assert shape(made) == "@aaaa_aaaa99" and "anna" not in made
    assert shape(other_link("@anna@foo.social", DRAWS) or "") == "@aaaa@aaaaaaa.aaa"


def test_where_there_is_no_link() -> None:
    assert [other_link(each, DRAWS) for each in ("", "anna", "12:30", "1.2.3", "https://", "🙂")] == [None] * 6


# --- ages


@pytest.mark.parametrize(
    ("text", "years", "wanted"),
    [
        ("61 years old", 2, "63 years old"),
        ("61-year-old", -2, "59-year-old"),
        ("de 61 años", 3, "de 64 años"),
        ("61J", 1, "62J"),
        ("aged 7", 2, "aged 9"),
        ("07", 2, "09"),
        ("2 ans", -3, "5 ans"),
        ("1 Jahr", -1, "2 Jahr"),
        ("88 years", 3, "85 years"),
        ("61-65", 2, "63-67"),
        ("3 years 8 months", 1, "4 years 8 months"),
        ("６１歳", 2, "６３歳"),
        ("61M", 2, "63M"),
    ],
)
def test_an_age_moves_and_the_rest_stays(text: str, years: int, wanted: str) -> None:
    assert other_age(text, years) == wanted


@pytest.mark.parametrize(
    "text",
    ["8 months", "8-month-old", "8 Monate", "3 Wochen", "10 days", "12 meses",
     "8 mois", "5 месяцев", "8个月", "24M", "90", "95 years",
     "103", "sixty-one", "60s", "60er", "12.03.1950", "born 1950, 61", "", "²", "🙂", "1" * 5000],
)  # fmt: skip
def test_where_there_is_no_age_to_move(text: str) -> None:
    assert other_age(text, 2) is None


def test_no_move_gives_no_age() -> None:
    assert other_age("61 years", 0) is None


@given(st.integers(1, 89), st.integers(-9, 9).filter(bool))
def test_every_moved_age_is_another_one_from_1_to_89(age: int, years: int) -> None:
    made = other_age(f"{age} years", years)
    assert made is not None and 1 <= int(made.split()[0]) <= 89
    assert abs(int(made.split()[0]) - age) == abs(years)


# --- all of them

MAKERS: list[Callable[[str], str | None]] = [
    lambda text: other_identifier(text, DRAWS),
    lambda text: other_phone(text, DRAWS, regions=("DE",)),
    lambda text: other_email(text, DRAWS),
    lambda text: other_link(text, DRAWS),
    lambda text: other_age(text, 3),
]
SIGNS = st.text(st.one_of(st.sampled_from("0123456789+-/.@:()aZé א٣９²\u0301"), st.characters()), max_size=24)


@given(st.from_regex(r"\A[A-Z0-9]{6,20}( [0-9]{3,6})?\Z"), st.integers(0, 9))
def test_any_code_gives_one_of_its_shape(text: str, turn: int) -> None:
    made = other_identifier(text, DRAWS.under(str(turn)))
    assert made is None or (shape(made) == shape(text) and made != text)


@given(SIGNS, st.sampled_from(range(len(MAKERS))))
def test_any_text_gives_another_one_or_none_and_always_the_same(text: str, which: int) -> None:
    made = MAKERS[which](text)
    assert made is None or made != text
    assert made == MAKERS[which](text)
