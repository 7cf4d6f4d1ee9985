"""Direct fields by their names: 36 languages, however words are joined; and what sounds like one and is none."""

import tomllib
from pathlib import Path

import pytest

from unname.knowledge.fieldnames import Kind, field_kind, is_doubtful, of_kin, of_others, says_relation
from unname.languages import read

KINDS = {
    "name": """name; Nachname; Vorname; apellidos; nombre; PatientName; forename; given name; cognome; prénom; nom; nome;
        achternaam; patient_surname; Name des Patienten; Apellido 1; full-name; next of kin; mother's maiden name""",
    "contact": "tel; Telefon; E-Mail; emailAddress; móvil; portable; telemóvel; telefoonnummer; Handynr.; home phone; fax",
    "number": """MRN; NHS number; DNI; patient id; Patienten-ID; record number; nº historia; Sozialversicherungsnr.; codice
        fiscale; BSN; n.º utente; n° sécu; IBAN; passport_no; id; licence number; Aktenzeichen; matrícula""",
    "date": """dob; birth date; Geburtsdatum; fecha_nac; F. Nac.; date de naissance; data di nascita; geboortedatum; geb. am;
        geboren; born; nacida""",
    "address": "address; Straße; dirección; domicilio; indirizzo; morada; adres; rue; huisnummer; street name; addressLine1",
}
NONE = """town; trade; birthplace; birth place; Geburtsort; Geburtsjahr; year of birth; place name; school name; employer
    name; employer phone; hospital; company name; physician name; ship name; team name; user agent; sex; position; congresses;
    first year; party; history; number of children; video; paid; renamed; birth weight; room number; diagnosis code; village;
    lugar de nacimiento; âge; medicamento; file name; admission date"""


def listed(text: str) -> list[str]:
    return [" ".join(name.split()) for name in text.split(";")]


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, text in KINDS.items() for name in listed(text)])
def test_a_fields_name_says_what_it_holds(kind: str, name: str) -> None:
    assert field_kind(name) == kind
    assert field_kind(name.upper()) == kind or not name.isascii() or any(c.isupper() for c in name[1:])


@pytest.mark.parametrize("name", listed(NONE))
def test_fields_of_other_things_are_not_direct(name: str) -> None:
    assert field_kind(name) is None


def test_fields_of_those_close_to_a_person_are_told_apart() -> None:
    assert of_kin("next of kin") and of_kin("Mutter") and of_kin("nombre de la madre") and not of_kin("Nachname")


@pytest.mark.parametrize("kind", list(read("fieldnames")["words"]))
def test_every_word_that_is_listed_says_alone_what_a_field_holds(kind: Kind) -> None:
    words = " ".join(read("fieldnames")["words"][kind].values()).replace("*", "").split()
    assert [word for word in words if field_kind(word) is None] == []
    assert field_kind("KVNR") == field_kind("Kv-Nr.") == "number"


WORLD = tomllib.loads(Path(__file__).with_name("world_fieldnames.toml").read_text("utf-8"))


@pytest.mark.parametrize("language", WORLD)
def test_the_names_of_fields_of_many_languages_are_told(language: str) -> None:
    rows = [(kind, name) for kind, text in WORLD[language].items() for name in listed(text)]
    assert {name: field_kind(name) or "none" for _, name in rows} == {name: kind for kind, name in rows}


@pytest.mark.parametrize("name", listed("familiya; onoma; Onoma_Asthenous; ADRES_PROZHIVANIYA; eponymo"))
def test_words_of_other_scripts_are_known_in_latin_letters(name: str) -> None:
    assert field_kind(name) in ("name", "address")


@pytest.mark.parametrize(
    "name", listed("file name; filename; hospitalname; ProduktName; visits no; e-mail count; 病名; 商品名")
)
def test_compounds_of_things_are_no_names(name: str) -> None:
    assert field_kind(name) in (None, "contact") and field_kind(name) != "name"


def test_short_words_that_mean_another_thing_elsewhere_need_values_that_agree() -> None:
    assert is_doubtful("AD") and is_doubtful("ten") and not is_doubtful("Nachname") and not is_doubtful("hasta adi")


def test_words_for_who_somebody_is_to_a_person() -> None:
    relations = ("wife", "Vater", "hija", "sister in law", "mère", "жена", "母親", "אמא")
    assert all(says_relation(row.casefold().split()) for row in relations)
    assert not says_relation(()) and not says_relation(("anna",)) and not says_relation(("anna", "mutter"))


@pytest.mark.parametrize(
    "name", listed("eye_color; Augenfarbe; monarch; vice president; company; source; town; couleur")
)
def test_fields_of_others_and_of_things_are_told_apart(name: str) -> None:
    assert of_others(name) and field_kind(name) is None


@pytest.mark.parametrize("name", listed("user; author; spouse; doctor; x1; player"))
def test_a_name_that_may_be_the_persons_is_not_taken_for_somebody_elses(name: str) -> None:
    assert not of_others(name)
