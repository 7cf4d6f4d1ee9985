"""The arithmetic of the benchmark of languages: what is hidden, what counts as found, and numbers with check digits."""

from datetime import date
from importlib import import_module

import pytest

from benchmarks import world_tables
from benchmarks.checkdigits import SCHEMES, luhn, verhoeff
from benchmarks.world import Count, document_id, hidden_in, is_gone, tempted, word_counts
from benchmarks.worldforms import KINDS, bracketed, filled, languages, parsed, table

# Where another library knows the scheme; it has no module for the numbers of Russia, Iran and Saudi Arabia.
CHECKED = {
    "nhs": "gb.nhs", "ssn": "us.ssn", "steuer_id": "de.idnr", "ahv": "ch.ssn", "nir": "fr.nir", "dni": "es.dni",
    "codice_fiscale": "it.codicefiscale", "nif": "pt.nif", "cpf": "br.cpf", "bsn": "nl.bsn", "pesel": "pl.pesel",
    "rodne_cislo": "cz.rc", "cnp": "ro.cnp", "egn": "bg.egn", "rnokpp": "ua.rntrc", "oib": "hr.oib", "jmbg": "si.emso",
    "amka": "gr.amka", "kimlik": "tr.tckimlik", "personnummer": "se.personnummer", "cpr": "dk.cpr",
    "fodselsnummer": "no.fodselsnummer", "isikukood": "ee.ik", "personas_kods": "lv.pvn", "teudat_zehut": "il.idnr",
    "aadhaar": "in_.aadhaar", "my_number": "jp.in_", "rrn": "kr.rrn", "thai": "th.pin",
}  # fmt: skip


def test_a_sentence_says_in_brackets_what_must_go_and_what_may() -> None:
    form = parsed("name", "p", "Mr ‹R.› [Fenwickson] saw [Bob].")
    assert form.text == "Mr R. Fenwickson saw Bob."
    assert [form.text[start:end] for start, end in form.places] == ["Fenwickson", "Bob"]
    assert [form.text[start:end] for start, end in form.optional] == ["R."]
    assert form.marked() == "Mr R. [Fenwickson] saw [Bob]."


def test_what_a_release_hides_is_found_between_what_it_shows() -> None:
    original = "Frau Müller, geb. 2.8.1984, kam."
    hidden = hidden_in(original, "Frau [MASK], geb. [MASK], kam.")
    assert hidden is not None
    assert "".join(original[at] for at in sorted(hidden)) == "Müller2.8.1984"
    assert hidden_in(original, original) == set()
    assert hidden_in(original, "Frau [MASK], gest. [MASK], kam.") is None


@pytest.mark.parametrize(
    ("kind", "marked", "released", "gone"),
    [
        ("name", "Ms [Ann] [Lee] left.", "Ms [MASK] left.", True),
        ("name", "Ms [Ann] [Lee] left.", "Ms [MASK] Lee left.", False),
        ("name", "Ms [O'Rafferty] left.", "Ms O'[MASK] left.", True),
        ("name", "Ms [Lo Presti] left.", "Ms Lo [MASK] left.", False),
        ("date", "Nacido el [2 de mayo de 1984].", "Nacido el [MASK] de [MASK] de [MASK].", True),
        ("date", "Nacido el [2 de mayo de 1984].", "Nacido el [MASK] de 1984.", False),
        ("date", "[1984年8月2日]出生", "[MASK]年[MASK]月[MASK]日出生", True),
        ("phone", "Tel. +49 [30 987 65 43].", "Tel. +49 [MASK].", True),
        ("phone", "Tel. +49 [30 987 65 43].", "Tel. +49 30 [MASK].", False),
    ],
)
def test_a_form_is_gone_once_no_distinguishing_word_can_be_read(
    kind: str, marked: str, released: str, gone: bool
) -> None:
    form = parsed(kind, "p", marked)
    hidden = hidden_in(form.text, released)
    assert hidden is not None and is_gone(form, hidden) == gone


def test_masked_words_outside_a_form_are_false_but_for_a_country_code() -> None:
    form = parsed("name", "p", "Mr ‹R.› [Fenwickson] slept well.")
    hidden = hidden_in(form.text, "Mr [MASK] well.")
    assert hidden is not None and word_counts(form, hidden) == (3, 1, 5)
    phone = parsed("phone", "p", "Tel. +49 [30 987].")
    assert word_counts(phone, set(range(len(phone.text)))) == (4, 1, 4)


def test_in_scripts_without_blanks_two_characters_are_a_word() -> None:
    form = parsed("name", "p", "[王]先生来了")
    assert word_counts(form, {0, 1, 2}) == (2, 1, 3)


def test_a_withheld_document_is_not_found_and_its_words_do_not_count() -> None:
    count = Count()
    count.add(parsed("name", "p", "[Ann] left."), None)
    count.add(parsed("name", "p", "[Ann] left."), {0, 1, 2})
    found = count.as_dict()
    assert (found["found"], found["of"], found["withheld"], found["words"]) == (1, 2, 1, 2)
    assert (found["recall"], found["precision"]) == (0.5, 1.0)


def test_whatever_is_masked_in_a_tempting_sentence_is_false() -> None:
    forms = [parsed("tempting", "p", "The kestrel sang."), parsed("tempting", "q", "In May.")]
    found = tempted(forms, {forms[0]: {4, 5}, forms[1]: None})
    assert (found["words"], found["false words"], found["withheld"]) == (5, 1, 1)


def test_a_pattern_takes_each_digit_once() -> None:
    assert filled("0## ###", "12345") == "012 345"
    with pytest.raises(ValueError):
        filled("0## ##", "12345")
    assert bracketed("012") == "[012]" and bracketed("+4 [12]") == "+4 [12]"


def test_ids_of_documents_hold_no_digit() -> None:
    made = [document_id(number) for number in range(2000)]
    assert len(set(made)) == 2000 and not any(sign.isdigit() for each in made for sign in each)


def test_known_numbers_have_these_check_digits() -> None:
    assert luhn("7992739871") == "3"
    assert verhoeff("236") == "3"


@pytest.mark.parametrize("scheme", sorted(CHECKED))
def test_another_library_accepts_the_numbers(scheme: str) -> None:
    checker = import_module(f"stdnum.{CHECKED[scheme]}")
    for serial in range(40):
        born = date(1941 + serial, 1 + serial % 12, 1 + serial * 5 % 28)
        assert checker.is_valid(SCHEMES[scheme](born, serial, "Maria Rossi")), serial


def test_finnish_numbers_end_in_the_sign_of_their_remainder() -> None:
    checker = import_module("stdnum.fi.hetu")
    made = [SCHEMES["hetu"](date(1941 + n, 1 + n % 12, 1 + n), n, "") for n in range(28)]
    assert all(checker.is_valid(f"{number[:6]}-{number[6:]}") for number in made)


def test_every_language_has_every_kind_and_sentences_with_nothing_to_hide() -> None:
    every = languages()
    assert len(every) >= 30
    for language in every:
        assert {form.kind for form in language.forms} == set(KINDS), language.code
        assert all(form.places for form in (*language.forms, *language.others)), language.code
        assert len(language.tempting) >= 6 and not any(form.places for form in language.tempting), language.code
        assert len(set(language.forms)) == len(language.forms)


def test_the_table_holds_every_person_once() -> None:
    every = languages(["de", "ja"])
    rows = table(every)
    ids = [row["id"] for row in rows]
    assert len(set(ids)) == len(ids) and {person.id for language in every for person in language.people} <= set(ids)


def test_cells_say_before_and_after() -> None:
    assert world_tables.arrow(["54", "92"]) == "54 → 92"
    assert world_tables.arrow(["54"]) == "54" and world_tables.arrow([]) == "–"
