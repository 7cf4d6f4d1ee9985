"""Direct fields by their names: seven languages, however words are joined; and what sounds like one and is none."""

import pytest

from unname.knowledge import fieldnames
from unname.knowledge.fieldnames import field_kind, of_kin, of_others

KINDS = {
    "name": """name; Nachname; Vorname; apellidos; nombre; PatientName; forename; given name; cognome; prénom; nom; nome;
        achternaam; patient_surname; Name des Patienten; Apellido 1; full-name; next of kin; mother's maiden name""",
    "contact": "tel; Telefon; E-Mail; emailAddress; móvil; portable; telemóvel; telefoonnummer; Handynr.; home phone; fax",
    "number": """MRN; NHS number; DNI; patient id; Patienten-ID; record number; nº historia; Sozialversicherungsnr.; codice
        fiscale; BSN; n.º utente; n° sécu; IBAN; passport_no; id; licence number; Aktenzeichen; matrícula""",
    "date": "dob; birth date; Geburtsdatum; fecha_nac; F. Nac.; date de naissance; data di nascita; geboortedatum; geb. am",
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


@pytest.mark.parametrize("kind", list(fieldnames._WORDS))
def test_every_word_that_is_listed_says_alone_what_a_field_holds(kind: fieldnames.Kind) -> None:
    listed = fieldnames._WORDS[kind].split()
    assert [word for word in listed if field_kind(word) is None] == []
    assert field_kind("KVNR") == field_kind("Kv-Nr.") == "number"


@pytest.mark.parametrize(
    "name", listed("eye_color; Augenfarbe; monarch; vice president; company; source; town; couleur")
)
def test_fields_of_others_and_of_things_are_told_apart(name: str) -> None:
    assert of_others(name) and field_kind(name) is None


@pytest.mark.parametrize("name", listed("user; author; spouse; doctor; x1; player"))
def test_a_name_that_may_be_the_persons_is_not_taken_for_somebody_elses(name: str) -> None:
    assert not of_others(name)
