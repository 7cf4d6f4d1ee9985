"""Numbers: what the table of recognisers finds at them, whatever stands around, and in whatever script."""

import re
from random import Random

import pytest

from unname.months import is_month, month_names
from unname.taggers.rules import checksums, numbers
from unname.taggers.rules.tagger import Rules
from unname.types import Span

PIECES = (
    "NHC: 1234", "tel 91 123 45 67", "mayo de 2019", "3 de mayo", "c/ Peña 12", "Hauptstraße 5", "aged 46", "plate 12 AB",
    "ES91 2100 0418 4502 0005 1332", "in 1985", "CA 94105", "+34 612 345 678", "12345678Z", "1/1/19", "1", "12", "12", "7",
    "A1", "no. 36244/06", "de", "Ada", "the street", "Lindenweg", "31", "1.5", "2A", "id", "AB12", "x", "matrícula",
)  # fmt: skip


def _found(text: str) -> list[Span]:
    return list(numbers.in_numbers(text, lambda: None))


def test_to_look_for_the_whole_table_first_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Random(0)
    text = "".join(draw.choice(PIECES) + draw.choice((" ", " ", "\n", ", ", "-", ".", "")) for _ in range(5000))
    found = _found(text)
    assert len(found) > 1000
    monkeypatch.setattr(numbers, "_ANY", re.compile(""))
    assert _found(text) == found


@pytest.mark.parametrize("text", ["12 High Street", "28001 Ávila", "12b High Road"])
def test_a_place_may_begin_with_any_capital(text: str) -> None:
    assert _found(text)


def test_a_sign_is_no_capital() -> None:
    assert not _found("28001\x85×aa")


@pytest.mark.parametrize(
    "behind", ["", " 12/27", " exp 12/27", " 123", " 1999", "-12", "décembre", " 4111 1111 1111 1111"]
)
@pytest.mark.parametrize("card", ["4111 1111 1111 1111", "4111-1111-1111-1111", "3782 822463 10005"])
def test_text_behind_a_card_does_not_hide_it(card: str, behind: str) -> None:
    found = _found(f"paid with {card}{behind}")
    assert [(span.label, span.start) for span in found][:1] == [("CARD", 10)]
    assert found[0].end >= 10 + len(card)


def test_a_month_is_a_whole_word_in_any_case() -> None:
    for month in (name for number in range(1, 13) for name in month_names(number) if is_month(name)):
        for said in (month, month.upper(), month.title()):
            assert [span.label for span in _found(f"the 7 {said}, then")] == ["DATE"]
        assert _found(f"the 7 {month}zq, then") == []


def test_an_account_is_made_up_as_its_country_makes_it_up() -> None:
    assert [span.label for span in _found("ES9121000418450200051332")] == ["IBAN"]
    # Its check digits hold, but Spain's accounts have no letters.
    assert checksums.iban_end("ES91 personalausweis Postcode") == 0
    assert all(span.label != "IBAN" for span in _found("ES91 personalausweis Postcode"))


@pytest.mark.parametrize(
    "number, label", [("4111 1111 1111 1111", "CARD"), ("3/5/1985", "DATE"), ("46 years old", "AGE")]
)
def test_digits_of_other_scripts_are_digits(number: str, label: str) -> None:
    arabic = number.translate({ord(str(digit)): chr(0x660 + digit) for digit in range(10)})
    assert [span.label for span in _found(arabic)] == [label]


@pytest.mark.parametrize(
    "number",
    ["Tel: 0555 570 3312", "call 914 90 66 60", "+34 914 906 660", "(212) 555-0147", "3 May", "plate 1234 BCD"],
)
@pytest.mark.parametrize(
    "below", ["12 High Street", "12 Lindenweg", "5 rue de la Paix", "46 years old", "Seen at home"]
)
def test_a_number_ends_where_another_line_begins(number: str, below: str) -> None:
    text = f"{number}\n{below}"
    (first, *rest) = _found(text)
    assert first.end == len(number)
    assert all(span.start == len(number) + 1 for span in rest)


@pytest.mark.parametrize("text", ["tel 0555 570\n3312 at noon", "914 90\n66 60", "3 May\n1985."])
def test_a_number_may_go_on_over_the_end_of_a_line(text: str) -> None:
    (span,) = _found(text)
    assert "\n" in text[span.start : span.end] and not any(c.isdigit() for c in text[span.end :])


@pytest.mark.parametrize(
    "date", ["3 May", "14 Dec", "3. Mai", "3 de mayo", "May 3", "Sept. 1985", "Oct. 5", "12.5.2019"]
)
@pytest.mark.parametrize("behind", [".", ". Then he left", ".\nThen", ".)"])
def test_a_date_leaves_the_full_stop_to_its_sentence(date: str, behind: str) -> None:
    text = f"seen {date}{behind}"
    assert [text[span.start : span.end] for span in _found(text)] == [date]


def test_the_point_of_an_abbreviation_belongs_to_the_date_where_the_sentence_goes_on() -> None:
    for text in ("14 Dec. he left", "14 Dec., then"):
        assert [text[span.start : span.end] for span in _found(text)] == ["14 Dec."]


@pytest.mark.parametrize("dash", "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d\xad")
def test_every_dash_is_a_hyphen(dash: str) -> None:
    text = f"it says 078{dash}05{dash}1120 there"
    assert [text[span.start : span.end] for span in Rules().tag([text])[0]] == [f"078{dash}05{dash}1120"]


@pytest.mark.parametrize("number", ["078-05-\n1120", "078-\r\n05-1120", "078-05\n-1120", "4111-1111-\n1111-1111"])
def test_a_number_that_a_line_end_breaks_at_a_hyphen_is_one(number: str) -> None:
    text = f"it says {number} there, and 3/5/1985"
    assert [text[span.start : span.end] for span in _found(text)] == [number, "3/5/1985"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("手机13812345678，身份证号420101199212037026。", ["13812345678", "420101199212037026"]),
        ("マイナンバーは123456789018です", ["123456789018"]), ("주민등록번호는 850101-1234567이다", ["850101-1234567"]),
        ("身份证１１０１０５１９４９１２３１００２Ｘ号", ["１１０１０５１９４９１２３１００２Ｘ"]),
        ("病历号A12345，", ["A12345"]),
        ("फोन ९८७६५४३२१०", ["९८७६५४३२१०"]),
    ],
)  # fmt: skip
def test_letters_of_scripts_without_blanks_touch_no_number(text: str, found: list[str]) -> None:
    assert [text[span.start : span.end] for span in Rules().tag([text])[0]] == found


@pytest.mark.parametrize(
    ("cue", "label"),
    [
        ("паспорт", "NATIONAL_ID"), ("č. pojištěnce", "NATIONAL_ID"), ("TAJ szám:", "NATIONAL_ID"), ("ΑΜΚΑ:", "NATIONAL_ID"),
        ("T.C. kimlik no", "NATIONAL_ID"), ("isikukood", "NATIONAL_ID"), ("תעודת זהות", "NATIONAL_ID"),
        ("护照号", "NATIONAL_ID"),
        ("история болезни №", "RECORD"), ("Fall-Nr.", "RECORD"), ("رقم الملف:", "RECORD"), ("カルテ番号:", "RECORD"),
        ("număr cont", "ACCOUNT"), ("tilinumero:", "ACCOUNT"), ("계좌번호", "ACCOUNT"), ("S/N:", "DEVICE"),
        ("Seriennummer", "DEVICE"),
    ],
)  # fmt: skip
def test_cue_words_of_many_languages(cue: str, label: str) -> None:
    assert [span.label for span in _found(f"{cue} 7734126")] == [label]
