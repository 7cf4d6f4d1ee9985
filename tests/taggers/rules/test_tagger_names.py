"""Names by rule: titles of many languages, first names cut short, fields of forms; and eponyms, which stay."""

import pytest

from unname.taggers.rules.tagger import Rules

RULES = Rules()


def _names(text: str) -> list[str]:
    return [text[span.start : span.end] for span in RULES.tag([text])[0] if span.label == "NAME"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Mw. C.Ph. van den Bergerode kwam", ["C.Ph. van den Bergerode"]), ("Mr. Wm. Hallberg came", ["Wm. Hallberg"]),
        ("Frau Chr. Brandvik kam", ["Chr. Brandvik"]), ("Dr. Sz. Corvin jött", ["Sz. Corvin"]),
        ("Messrs. Hallberg and Brandvik came", ["Hallberg", "Brandvik"]), ("Lt. Col. Ada King came", ["Ada King"]),
        ("Sres. Gil y Paz", ["Gil y Paz"]), ("dott.ssa Bianchi arriva", ["Bianchi"]), ("Univ.-Prof. Dr. Adler", ["Adler"]),
        ("г-н Иванов пришёл, доктор сказал", ["Иванов"]), ("pan Kowalski przyszedł", ["Kowalski"]),
        ("ο κ. Νίκος Παπάς ήρθε", ["Νίκος Παπάς"]), ("Ahmet Bey geldi, şimdi", ["Ahmet Bey"]),
        ("السيد محمد الشمري", ["محمد الشمري"]), ("ד\"ר יוסף כהן", ["יוסף כהן"]), ("श्री राम शर्मा", ["राम शर्मा"]),
        ("今天王女士复诊", ["王"]), ("李小明先生来了", ["李小明"]), ("山田太郎様は来院", ["山田太郎"]),
        ("患者さんは元気", []),
        ("김민수 씨는 오늘", ["김민수"]), ("선생님이 오셨다", []),
        ("Dr. Lee. The patient slept", ["Lee"]), ("1,5 mg/dl. La biopsia", []), ("Pan American flights", []),
    ],
)  # fmt: skip
def test_names_beside_titles(text: str, names: list[str]) -> None:
    assert _names(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Nachname: Kestrelmann\nVorname: Philippa\nGeb.: 02.08.1984", ["Kestrelmann", "Philippa"]),
        ("Name: Kestrel, Philippa DOB: 1 May 1980", ["Kestrel, Philippa"]), ("Name:\nVorname: Philippa", ["Philippa"]),
        ('{"lastName": "Kestrel", "first_name": "Philippa"}', ["Kestrel", "Philippa"]),
        ("Name|Kestrel|Vorname|Philippa", ["Kestrel", "Philippa"]), ("**Name:** Kestrel", ["Kestrel"]),
        ('<family value="Moravec"/><name>Ada</name>', ["Moravec", "Ada"]),
        ("Имя: Анна Фамилия: Морозова", ["Анна", "Морозова"]),
        ("姓名：张伟，氏名：佐藤花子", ["张伟", "佐藤花子"]), ("성명: 이영희", ["이영희"]),
        ("Patient: Female, Paciente: Varón", []), ("Patientin: Kestrelmann, Philippa", ["Kestrelmann, Philippa"]),
    ],
)  # fmt: skip
def test_names_in_fields_end_where_another_field_begins(text: str, names: list[str]) -> None:
    assert _names(text) == names


def test_a_name_that_a_line_end_breaks_is_found_in_parts_and_no_other_entry_with_it() -> None:
    assert _names("Seen by Dr. Ada\nByron today") == ["Ada", "Byron"]
    assert _names("Dr. Ada Byron\nSlept well") == ["Ada Byron"]
    assert _names("She was seen in the clinic by our Dr. Ada King\nLovelace came") == ["Ada King", "Lovelace"]
    assert _names("Dr. Ada\nDiagnosis: flu") == ["Ada"]


@pytest.mark.parametrize(
    "text",
    [
        "Ziekte van Lyme", "M. Crohn und M. Parkinson bekannt", "Mb. Hodgkin", "Hodgkin lymphoma, Foley catheter",
        "Glasgow Coma Scale", "M. Tourette syndrome", "Morbus Basedow",
    ],
)  # fmt: skip
def test_eponyms_are_no_names(text: str) -> None:
    assert _names(text) == []
    assert _names("M. Dupont est venu; Mr Parkinson came") == ["Dupont", "Parkinson"]


def test_rows_of_titles_and_fields_end() -> None:
    for part in ("κ ", "Κ. ", "sr. ", "Dr Dr. ", "M. D. ", "Name: ", "name=Name|", "Mr A", "王", "Messrs. A and "):
        RULES.tag([part * 2000])
