"""Check digits: published specimens hold, and hardly any number with one digit changed does."""

import subprocess
import sys
from random import Random

import pytest

from unname.taggers.rules import checksums
from unname.taggers.rules.tagger import Rules

# Numbers from the authorities' own explanations and forms, or made up to hold; none is a person's.
NATIONAL = [
    "12345678Z", "12.345.678-Z", "281234567840", "86095742719", "943 476 5919", "44051401359", "811228-9874",
    "131052-308T", "11144477735", "10000000146", "420101199212037026", "756.9217.0769.85", "1237 010180", "9999 4105 7058",
    "85.07.30-033.28", "800101 5009 087", "30.686.957-4", "20-12345678-6", "710319/2745", "11.222.333/0001-81",
]  # fmt: skip
LETTERED = [
    "X1234567L", "RSSMRA85T10A562S", "S1234567D", "A123456(3)", "A123456789", "AB1234563", "BOXW310820HNERXN09",
]  # fmt: skip
RULES = Rules()


def _found(text: str) -> list[tuple[str, str]]:
    return [(span.label, text[span.start : span.end]) for span in RULES.tag([text])[0]]


@pytest.mark.parametrize("number", [*NATIONAL, *LETTERED])
def test_a_specimen_is_found_in_a_sentence_without_a_cue_word(number: str) -> None:
    assert ("NATIONAL_ID", number) in _found(f"it says {number}, as before")


@pytest.mark.parametrize("number", [*NATIONAL, *LETTERED])
def test_hardly_any_number_with_one_digit_changed_holds(number: str) -> None:
    holds = checksums.any_of(checksums.NATIONAL_IDS if number in NATIONAL else checksums.LETTERED_IDS)
    places = [i for i, c in enumerate(number) if c.isdigit()]
    changed = [number[:i] + d + number[i + 1 :] for i in places for d in "0123456789" if d != number[i]]
    assert holds(number) and sum(map(holds, changed)) <= len(changed) / 8


@pytest.mark.parametrize("digits, share", [(7, 0.0), (8, 0.0), (10, 0.12), (12, 0.08), (15, 0.15)])
def test_few_bare_numbers_are_found_by_chance(digits: int, share: float) -> None:
    """A check digit that every tenth number has is not enough for a run of digits."""
    draw = Random(1)
    numbers = ["".join(draw.choice("0123456789") for _ in range(digits)) for _ in range(400)]
    assert sum(bool(RULES.tag([f"measured {number} there"])[0]) for number in numbers) <= share * 400


@pytest.mark.parametrize("name", ["cn.ric", "es.cif", "fr.nir", "it.codicefiscale", "own.dea", "own.nric"])
def test_digits_that_are_no_number_of_a_country_raise_nothing(name: str) -> None:
    draw = Random(2)
    for _ in range(300):
        number = "".join(draw.choice("0123456789") for _ in range(18 if name == "cn.ric" else 9))
        assert checksums.holds(name)(number if not name.startswith("own") else f"AB{number[:7]}") in (True, False)


def test_cards_and_accounts() -> None:
    assert checksums.card("4111 1111 1111 1111") and checksums.card("378282246310005")
    assert not checksums.card("4111 1111 1111 1112") and not checksums.card("0000000000000000")
    for account in ("GB82 WEST 1234 5698 7654 32", "ES91 2100 0418 4502 0005 1332", "DE89370400440532013000"):
        assert checksums.iban_end(f"{account} and more") == len(account)
    assert checksums.iban_end("GB82 WEST 1234 5698 7654 33") == checksums.iban_end("ZZ82 1234 1234 1234") == 0
    assert checksums.vehicle("1M8GDM9AXKP042788") and not checksums.vehicle("1M8GDM9A0KP042788")


@pytest.mark.parametrize("number", ["000-12-3456", "666-12-3456", "123-00-4567", "123-45-0000"])
def test_american_numbers_that_are_never_issued_do_not_hold(number: str) -> None:
    assert all(label != "NATIONAL_ID" for label, _ in _found(f"it says {number} there"))
    assert _found("it says 123-45-6789 there") == [("NATIONAL_ID", "123-45-6789")]


def test_libraries_are_loaded_by_the_first_number_that_needs_them() -> None:
    code = (
        "import sys; from unname.taggers.rules.tagger import Rules; "
        "Rules().tag(['Seen on 3 May 2019 with 12 others, 37.5 C.']); "
        "loaded = {name.partition('.')[0] for name in sys.modules}; assert not {'stdnum', 'phonenumbers'} & loaded, loaded"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
