"""The rules: what they find, what they leave alone, how sure they are; the caller's phrases; disguises and time."""

import pickle
import re
from collections import Counter
from dataclasses import replace
from ipaddress import IPv6Address
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.times import in_proportion
from unname.errors import TaggingTimeoutError, UnnameError
from unname.taggers.base import Tagger
from unname.taggers.phrases import find_phrases, phrase_tree
from unname.taggers.rules import patterns
from unname.taggers.rules.tagger import Rules
from unname.testing import HARD_TEXTS
from unname.text import fold, words

RULES = Rules()


def seen(text: str, rules: Rules = RULES) -> list[tuple[str, str]]:
    return [(s.label, text[s.start : s.end]) for s in rules.tag([text])[0]]


FOUND = {
    "EMAIL": ["ada.king+x@post.example", "o'neil@a-b.co.uk", "josé@correo.es", "a_b@x1.io"],
    "URL": ["https://a.example/b?c=d", "www.hospital.example", "post.example.com/ada", "ftp://x.example"],
    "IP": ["192.168.1.10", "10.0.0.1:8080", "fe80::1ff:fe23:4567:890a", "2001:db8:0:0:0:0:0:1"],
    "MAC": ["00:1A:2B:3C:4D:5E", "0a-1b-2c-3d-4e-5f"],
    "IBAN": ["GB82 WEST 1234 5698 7654 32", "ES9121000418450200051332", "de89 3704 0044 0532 0130 00"],
    "CARD": ["4111 1111 1111 1111", "4111111111111111", "3782-822463-10005"],
    "PHONE": [
        "+34 914 90 66 60", "+1 (212) 555-0147", "0034 91 490 66 60", "914 90 66 60", "91 490 66 60", "914906660",
        "848 422179",
        "(212) 555-0147", "212-555-0147 ext. 12", "020 7946 0958", "01 23 45 67 89", "030/1234567", "0555 570 3312",
    ],
    "NATIONAL_ID": [
        "12345678Z", "12.345.678-Z", "X1234567L", "A58818501", "30 25698325 06", "2 55 08 14 168 025 38", "RSSMRA85T10A562S",
        "AB 12 34 56 C", "123-45-6789", "943 476 5919", "44051401359", "811228-9874", "131052-308T", "111.444.777-35",
        "10000000146", "86095742719",
    ],
    "DATE": [
        "1985-05-03", "03/05/1985", "3.5.85", "3-5-1985", "03 / 05 / 1985", "1985-05-03T10:20:30Z", "05/1985",
        "3 May 1985", "3rd of May 1985",
        "3rd day of May, 1985", "3-5 May 1985", "May 3, 1985", "May 3rd", "Sept. 1985", "3 de mayo de 1985", "mayo de 1985",
        "1º de enero del 2001", "3. Mai 1990", "1er août 1944", "14 juillet 1789", "2 giugno 1946",
        "25 de abril de 1974",
        "5 mei 1945", "1843–1852", "3-MAY-1985",
    ],
    "AGE": ["46 years old", "46-year-old", "46 años", "46 años de edad", "46 y/o", "5 months old", "46 ans", "46 Jahre alt"],
    "POSTCODE": ["SW1A 1AA", "M1 1AE", "K1A 0B6"],
    "ADDRESS": [
        "12 High Street", "221b Baker Street", "5 rue de la Paix", "Calle Peña 12",
        "C/ Peña, 12, 3º B", "Avda. de la Paz 5", "Hauptstraße 12",
    ],
}  # fmt: skip


@pytest.mark.parametrize("label, text", [(label, text) for label, texts in FOUND.items() for text in texts])
@pytest.mark.parametrize("around", ["{}", "it is {}, so", "({})", "x:\n{}\ny"])
def test_identifiers_are_found_whole(label: str, text: str, around: str) -> None:
    assert (label, text) in seen(around.format(text))


@pytest.mark.parametrize("label, text", [(label, text) for label, texts in FOUND.items() for text in texts])
@pytest.mark.parametrize("line", ["x\t{}\t5.2", "7,{},x", "7;{};5", '7,"{}","x"', "x|{}|y", "{0}, {0}"])
def test_identifiers_are_found_in_lines_of_fields(label: str, text: str, line: str) -> None:
    covered = [line.format(text)[s.start : s.end] for s in RULES.tag([line.format(text)])[0] if s.label == label]
    assert any(text in each for each in covered)


@pytest.mark.parametrize(
    "text, found",
    [
        ("from 3/4/1985-5/6/1986", ["3/4/1985", "5/6/1986"]),
        ("30 September/1 October 2002", ["30 September", "1 October 2002"]),
        ("12 May 2019-3 June 2019", ["12 May 2019", "3 June 2019"]),
        ("5/2018-7/2019", ["5/2018-7/2019"]),
        ("1 May 1980-1985", ["1 May", "1980-1985"]),
        ("call 914906660/914906661", ["914906660", "914906661"]),
        ("12345678Z/87654321X", ["12345678Z", "87654321X"]),
        ("10.0.0.1-10.0.0.9", ["10.0.0.1", "10.0.0.9"]),
        ("10.0.0.0/24", ["10.0.0.0"]),
        ("030 1234567 5 mg", ["030 1234567"]),
        ("0171/1234567 02/2020", ["0171/1234567", "02/2020"]),
        ("nº12345678Z", ["12345678Z"]),
        ("nºX1234567L", ["X1234567L"]),
        ("scan_3-5-1985.pdf", ["3-5-1985"]),
        ("DNI12345678Z", ["DNI12345678Z"]),
        ("Born3 May 1985", ["3 May 1985"]),
        ("Born3/5/1985 12 34", ["3/5/1985"]),
        ("x914906660", []),
        ("Card4111 1111 1111 1111", ["4111 1111 1111 1111"]),
    ],
)
def test_identifiers_that_signs_join_or_letters_touch_are_found(text: str, found: list[str]) -> None:
    assert [value for _, value in seen(text)] == found


@pytest.mark.parametrize(
    "text, label, value",
    [
        ("MRN: 00123", "RECORD", "00123"),
        ("NHC 368503.", "RECORD", "368503"),
        ("x|NHC|368503|y", "RECORD", "368503"),
        ("patient_id: 00123", "RECORD", "00123"),
        ("PATIENT ID 00123", "RECORD", "00123"),
        ('{"patient_id": "00123"}', "RECORD", "00123"),
        ("age|46|x", "AGE", "46"),
        ("a 46-yr-old", "AGE", "46-yr-old"),
        ("Nº Historia: 12-345/B", "RECORD", "12-345/B"),
        ("patient id AB-1234 came", "RECORD", "AB-1234"),
        ("case no. 4471/2", "RECORD", "4471/2"),
        ("application no. 12345/06", "RECORD", "12345/06"),
        ("applications nos. 4451/70 and 4452/70", "RECORD", "4451/70 and 4452/70"),
        ("passport number 9911822", "NATIONAL_ID", "9911822"),
        ("BSN: 111222333", "NATIONAL_ID", "111222333"),
        ("NASS: 26 63514095", "NATIONAL_ID", "26 63514095"),
        ("Tel: 5550147", "PHONE", "5550147"),
        ("Fax. 948 296 500", "FAX", "948 296 500"),
        ("CP: 28016", "POSTCODE", "28016"),
        ("Boston, MA 02115", "POSTCODE", "02115"),
        ("28016 Madrid", "POSTCODE", "28016"),
        ("Matrícula: 1234 BCD", "PLATE", "1234 BCD"),
        ("aged 46", "AGE", "46"),
        ("Edad:\n46", "AGE", "46"),
        ("at the age of 46", "AGE", "46"),
        ("in 1985", "DATE", "1985"),
        ("born\n1985", "DATE", "1985"),
        ("Dr Ada Byron came", "NAME", "Ada Byron"),
        ("Mrs. A. de la Cruz said", "NAME", "A. de la Cruz"),
        ("Dña. Ana Paz vive", "NAME", "Ana Paz"),
        ("D. Juan Ruiz", "NAME", "Juan Ruiz"),
        ("Herr Karl von der Au ging", "NAME", "Karl von der Au"),
        ("Nombre:  Zoe.", "NAME", "Zoe"),
        ("Apellidos: Paz Ruiz.", "NAME", "Paz Ruiz"),
    ],
)  # fmt: skip
def test_a_word_before_says_what_something_is(text: str, label: str, value: str) -> None:
    assert (label, value) in seen(text)


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [
        ("NHC: A1B2C3D4", "RECORD", "A1B2C3D4"),
        ("10:30 12/03/2019", "DATE", "12/03/2019"),
        ("10:914906660", "PHONE", "914906660"),
        ("NHC: 1A12345678Z2", "RECORD", "1A12345678Z2"),
    ],
)
def test_other_digits_before_hide_nothing(text: str, label: str, value: str) -> None:
    assert (label, value) in seen(text)


@pytest.mark.parametrize(
    "text",
    [
        "a lesion of 8 x 5 x 2 cm, 3,5 mg/dl, 120/80 mmHg, 37.5 °C, 99 %", "at 12:30 and 12:30:45 h", "version 1.2.3",
        "5 años de evolución", "hace 5 años", "in 12 cases of 40", "in 12345 cases, or 54321", "T3N0M0", "1,234,567 dollars",
        "TRL 2,847.312.000, 1,234,567.89",
        "a@ b", "@name", "U.S.A.", "Dr and Mr went", "he is 5", "chapter 12", "the case of 12 men", "1 2 3", "IL-6 and CD4",
        "12345678A", "4111 1111 1111 1112", "GB82 WEST 1234 5698 7654 33", "300.300.300.300",
    ],
)  # fmt: skip
def test_ordinary_numbers_and_words_are_left_alone(text: str) -> None:
    assert seen(text) == []


def test_scores_say_how_it_is_known() -> None:
    (sure,), (cue,), (shape,) = RULES.tag(["12345678Z", "NHC: 123456", "914906660"])
    assert (sure.score, cue.score, shape.score) == (1.0, 0.9, 0.6)


@pytest.mark.parametrize(
    "text",
    ["NHC: 1\u200b2\xad3456", "N\u200bHC: 123456", "NHC: １２３４５６", "NHC: 1 2 3 4 5 6", "&#78;HC: &#49;23456",
     "NНС: 123456",
     "N\u0336H\u0336C\u0336: 1\u03362\u03363456\u0336", "ＮＨＣ: 𝟙𝟚𝟛𝟜𝟝𝟞"],
)  # fmt: skip
def test_disguises_do_not_help_and_the_whole_disguise_is_covered(text: str) -> None:
    (span,) = RULES.tag([text])[0]
    assert (span.label, span.end) == ("RECORD", len(text)) and text[: span.start].endswith(" ")


def test_names_can_be_left_out_and_ages_up_to_89_too() -> None:
    text = "Dr Ada Byron, 46 years old, and 90 years old"
    assert seen(text, Rules(names=False, old_only=True)) == [("AGE", "90 years old")]


def test_parts_of_a_loser_beside_the_winner_stay_covered() -> None:
    assert seen("Nombre: Ana Paz Calle Mayor 12") == [("NAME", "Ana Paz Calle Mayor"), ("ADDRESS", "12")]


# --- phrases


def test_phrases_are_found_as_whole_words_across_line_ends_the_longest_first() -> None:
    rules = Rules(phrases=(("New York", "CITY"), ("new york hospital", "HOSPITAL"), ("Ada", "NAME")))
    assert seen("ADA of New\n York, Adam of New\tYork \n Hospital.", rules) == [
        ("NAME", "ADA"), ("CITY", "New\n York"), ("HOSPITAL", "New\tYork \n Hospital"),
    ]  # fmt: skip
    assert seen("N\u200bew Yоrk", rules) == [("CITY", "N\u200bew Yоrk")]


def test_allowed_phrases_are_never_tagged_but_what_reaches_beyond_them_is() -> None:
    rules = Rules(phrases=(("Paz", "NAME"),), allow=("calle de la paz", "3 May 1985"))
    assert seen("Calle de la Paz; Paz; 3 May 1985, 4 May 1985", rules) == [("NAME", "Paz"), ("DATE", "4 May 1985")]


@given(st.lists(st.sampled_from("ab"), max_size=12), st.lists(st.text("ab ", min_size=1, max_size=6), max_size=5))
def test_phrases_are_found_where_the_slow_way_finds_them(row: list[str], phrases: list[str]) -> None:
    text = " ".join(row)
    known = {tuple(fold(w) for w in phrase.split()) for phrase in phrases} - {()}
    expected, at = [], 0
    while at < len(row):
        lengths = [n for n in range(1, len(row) - at + 1) if tuple(row[at : at + n]) in known]
        if lengths:
            expected.append((2 * at, 2 * (at + max(lengths)) - 1))
        at += max(lengths, default=1)
    found = find_phrases(phrase_tree((phrase, "X") for phrase in phrases), words(text))
    assert [(a, b) for a, b, _ in found] == expected


# --- every text at all

_BITS = st.one_of(
    st.sampled_from(
        ["1", "12", "1985", "4111 1111 1111 1111", "@", "a@b.co", ".", "/", "-", ":", " ", "\n", "Dr ", "Ana ", "Calle ",
         "mayo ", "NHC: ", "+34", "(", ")", "12345678Z", "&#49;", "\u200b", "１", "٣", "²", "ﬁ", "ﷺ", "Ⅳ", "x", "Х", "://",
         "años", "no. "]
    ),
    st.characters(),
)  # fmt: skip


@given(st.lists(_BITS, max_size=30).map("".join))
def test_spans_are_sorted_disjoint_in_range_and_the_same_again(text: str) -> None:
    rules = Rules(phrases=(("Ana", "NAME"),), allow=("Dr",))
    (spans,) = rules.tag([text])
    assert spans == sorted(spans) == rules.tag(["x", text])[1]
    assert all(0 <= s.start < s.end <= len(text) and s.label and 0 < s.score <= 1 for s in spans)
    assert all(one.end <= two.start for one, two in zip(spans, spans[1:], strict=False))


def test_hard_texts_break_nothing_and_rules_travel() -> None:
    sent = pickle.loads(pickle.dumps(RULES))  # noqa: S301 (our own bytes)
    assert sent == RULES and isinstance(RULES, Tagger)
    assert sent.tag(HARD_TEXTS) == RULES.tag(HARD_TEXTS)


# --- time


def test_a_text_that_takes_too_long_raises_and_is_not_quoted() -> None:
    with pytest.raises(TaggingTimeoutError) as raised:
        replace(RULES, timeout_s=0.0).tag(["secret 1234567 " * 10_000])
    assert isinstance(raised.value, UnnameError) and "secret" not in str(raised.value)


def test_a_text_with_many_spans_takes_linear_time() -> None:
    def tagged(many: int) -> None:
        (spans,) = RULES.tag(["on 03/05/1985 " * many])
        assert len(spans) == many

    assert in_proportion(lambda: tagged(5_000), lambda: tagged(20_000))


def test_nothing_of_phrases_shows_in_a_repr() -> None:
    assert not re.search("Ada", repr(Rules(phrases=(("Ada", "NAME"),), allow=("Ada",))))


def _is_address(written: str) -> bool:
    try:
        IPv6Address(written)
    except ValueError:
        return False
    return True


def test_addresses_of_machines_are_those_that_the_standard_library_knows() -> None:
    draw, known = Random(0), Counter[bool]()
    parts = (
        "0",
        "1",
        "f",
        "ffff",
        "00",
        "::",
        ":",
        ":",
        ":",
        ":",
        "1.2.3.4",
        "01.2.3.4",
        "256.1.1.1",
        ".",
        "A",
        "12345",
    )
    for _ in range(50_000):
        written = "".join(draw.choice(parts) for _ in range(draw.randint(2, 16)))
        known[_is_address(written)] += 1
        assert patterns._is_ipv6(written) == (len(written) > 3 and _is_address(written))
    assert known[True] > 500


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Herr Oberarzt Dr. med. Klaus N. kam", ["Klaus N."]), ("Frau Kollegin Dr. B. schrieb", ["B."]),
        ("D.ª Eulalia B. vive", ["Eulalia B."]), ("Schwester Petra brachte es", ["Petra"]),
        ("la vio don Pedro Gil ayer", ["Pedro Gil"]), ("Prof. Dr. Dr. h.c. Hans Maier", ["Hans Maier"]),
        ("Dr.med.Klaus Weber", ["Klaus Weber"]), ("Mme la Juge Anne Roy", ["Anne Roy"]),
        ("Sr. D. José Ruiz", ["D. José Ruiz"]),
        ("señora doña María del Carmen Gil", ["María del Carmen Gil"]), ("Name: Quayle, Piotr", ["Quayle, Piotr"]),
        ("Herrn Rechtsanwalt Wolf", ["Wolf"]), ("Nurse Kelly came", ["Kelly"]),
        ("Herr Oberarzt kam herein", []), ("Mr. President said so", []), ("please don PPE first", []),
    ],
)  # fmt: skip
def test_the_name_goes_and_not_the_title(text: str, names: list[str]) -> None:
    assert [found for label, found in seen(text) if label == "NAME"] == names
