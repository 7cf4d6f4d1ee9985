"""Telephone numbers: as people write them in their countries, without and with a cue word; and what is none."""

import pytest

from unname.taggers.rules.tagger import Rules

RULES = Rules()


def _phones(text: str) -> list[str]:
    return [text[span.start : span.end] for span in RULES.tag([text])[0] if span.label == "PHONE"]


@pytest.mark.parametrize(
    ("text", "phone"),
    [
        ("请打给他13812345678，谢谢", "13812345678"), ("請撥 (02) 2345-6789 找他", "(02) 2345-6789"),
        ("彼に03-1234-5678でどうぞ", "03-1234-5678"), ("그에게 010-1234-5678로 하세요", "010-1234-5678"),
        ("ติดต่อ 081-234-5678 ได้", "081-234-5678"), ("Звоните 8 (495) 123-45-67 днём", "8 (495) 123-45-67"),
        ("Дзвоніть їй 067 123 45 67 вдень", "067 123 45 67"), ("Πάρτε τον στο 210 123 4567 το πρωί", "210 123 4567"),
        ("Proszę dzwonić: 22 123 45 67 (żona)", "22 123 45 67"), ("Volejte 601 234 567 večer, přítel", "601 234 567"),
        ("Hívja: 06 1 234 5678 este, jó időben", "06 1 234 5678"), ("Sunați la 0721 234 567 și", "0721 234 567"),
        ("Onu 0532 123 45 67 üzerinden arayın, ışık", "0532 123 45 67"), ("Ring 08-123 456 78 på kvällen", "08-123 456 78"),
        ("Gọi 0912 345 678 nhé, được không", "0912 345 678"), ("Ligue (11) 91234-5678, não antes", "(11) 91234-5678"),
        ("התקשרו 050-1234567 בערב", "050-1234567"), ("با او تماس: 0912 123 4567 گیرید", "0912 123 4567"),
        ("call him on 98765 43210 today", "98765 43210"), ("call him on 0412 345 678 today", "0412 345 678"),
        ("call (510)3041234 today", "(510)3041234"),
    ],
)  # fmt: skip
def test_a_number_of_a_country_that_the_text_points_to_is_found(text: str, phone: str) -> None:
    assert phone in _phones(text)


@pytest.mark.parametrize(
    "cue",
    [
        "Tel.", "Telefon:", "teléfono", "téléphone :", "cellulare", "telemóvel", "telefoonnummer", "komórka", "mobil",
        "telefonszám:", "телефон:", "моб.", "τηλ.", "κινητό", "cep telefonu:", "tfn", "tlf.", "puh.", "tālrunis", "telefonas",
        "هاتف", "الجوال:", "טלפון:", "נייד", "تلفن", "मोबाइल", "电话", "手機", "電話番号は", "전화번호는",
        "เบอร์โทร", "điện thoại", "HP:",
    ],
)  # fmt: skip
def test_behind_a_cue_word_any_number_is_one(cue: str) -> None:
    assert _phones(f"{cue} 555 0147 today") == ["555 0147"]


@pytest.mark.parametrize(
    "text",
    [
        "Hb 12.5 13.6 14.8 and 120 130 140", "in 2010 2011 2012", "10 000 000 kr", "room 12-14, beds 101-140", "p = 0.000123",
        "from 1234 5678 to 90", "GB82 WEST 1234 5698 7654 33", "Größe 178 cm, 82,5 kg; RR 120/80", "ISO 15189:2012-11",
        "The correlation is 110bcd25-a55d-453a-8046-1297901ea002 there",
    ],
)  # fmt: skip
def test_measures_years_and_ids_are_no_telephone_numbers(text: str) -> None:
    assert _phones(text) == []
