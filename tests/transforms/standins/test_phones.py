"""Other telephone numbers: the format stays, and nobody can be called by them."""

import phonenumbers
import pytest
from hypothesis import given

from tests.transforms.standins.shapes import ODD_SIGNS, shape
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.phones import other_phone

DRAWS = Draws(b"k" * 32)


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
    *("US", "GB", "FR", "DE", "ES", "IT", "NL", "AU", "IN", "BR"),
    *("MX", "PL", "SE", "FI", "PT", "CH", "RU", "JP", "CN", "ZA"),
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


@given(ODD_SIGNS)
def test_any_text_gives_another_telephone_number_or_none_and_always_the_same(text: str) -> None:
    made = other_phone(text, DRAWS, regions=("DE",))
    assert made is None or made != text
    assert made == other_phone(text, DRAWS, regions=("DE",))
