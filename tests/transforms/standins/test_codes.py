"""Other identifiers: the format stays, and no check accepts them."""

import random
import string
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum.util import get_number_modules

from tests.transforms.standins.shapes import ODD_SIGNS, shape
from unname.transforms.standins.codes import other_identifier
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


@given(st.from_regex(r"\A[A-Z0-9]{6,20}( [0-9]{3,6})?\Z"), st.integers(0, 9))
def test_any_code_gives_one_of_its_shape(text: str, turn: int) -> None:
    made = other_identifier(text, DRAWS.under(str(turn)))
    assert made is None or (shape(made) == shape(text) and made != text)


@given(ODD_SIGNS)
def test_any_text_gives_another_identifier_or_none_and_always_the_same(text: str) -> None:
    made = other_identifier(text, DRAWS)
    assert made is None or made != text
    assert made == other_identifier(text, DRAWS)
