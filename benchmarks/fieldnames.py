"""Recognition of direct fields by their names, in seven languages and in 36, and by values alone on five real tables.

`python -m benchmarks.fieldnames` prints and writes results/fieldnames.json. The names were written down before the
recogniser saw them run, half of them direct (those of 36 languages lie with its tests); the tables are read from the data
folder.
"""

import tomllib
from collections import defaultdict
from pathlib import Path

from benchmarks.corpora import data_folder
from benchmarks.results import save
from unname.knowledge.fieldnames import field_kind
from unname.knowledge.population import Population
from unname.protecting.direct_fields import kind_of_values
from unname.statistics import rate
from unname.storage.people import read_profiles, read_triples
from unname.types import Profile

DIRECT = """
name; full_name; FirstName; last name; surname; Forename; patientName; maiden_name; nick name; Name of
patient; dob; Date of Birth; birth_date; BirthDate; phone; Tel.; mobile_no; Home Phone; e-mail; EmailAddress;
fax; MRN; NHS number; SSN; patient_id; medical record number; passport no; driver_license; account_number;
insurance id; address; street; addressLine1; house number; next_of_kin; Nachname; Vorname; Name; Familienname;
Geburtsname; Vor- und Nachname; Geburtsdatum; geb. am; Geb.-Datum; Telefon; Handynummer; Tel.-Nr.;
E-Mail-Adresse; Versichertennummer; Krankenversicherungsnr.; Patienten-ID; Fallnummer; Personalausweisnr.;
Steuer-ID; Kontonummer; Kennzeichen; Anschrift; Straße; Strasse und Hausnummer; Aktenzeichen;
Sozialversicherungsnummer; nombre; apellidos; Primer apellido; NombreCompleto; nombre y apellidos; fecha de
nacimiento; F. Nac.; fec_nac; teléfono; móvil; correo electrónico; DNI; NIF; NIE; NHC; nº historia; número de
la seguridad social; pasaporte; dirección; domicilio; calle; tarjeta sanitaria; nom; prénom; nom de famille;
date de naissance; ddn; téléphone; portable; courriel; adresse; numéro de sécurité sociale; n° dossier; NIR;
rue; nom de jeune fille; nome; cognome; data di nascita; codice fiscale; telefono; cellulare; indirizzo;
tessera sanitaria; n. cartella clinica; sobrenome; apelido; data de nascimento; telemóvel; telefone; morada;
endereço; CPF; número de utente; cartão de cidadão; achternaam; voornaam; geboortedatum; telefoonnummer;
adres; straat; huisnummer; BSN; rekeningnummer; burgerservicenummer
"""
OTHERS = """
age; sex; gender; village; town; city; country; region; occupation; employer; employer name; school name;
hospital; hospital name; ward; bed number; room; diagnosis; diagnosis code; icd10; blood group; height;
weight; birth weight; birth place; birth year; year of birth; country of birth; marital status; number of
children; religion; ethnicity; nationality; education; income; hobby; party; state; position; first year; last
year; admission date; discharge date; drug name; product name; file name; model number; version; score;
comment; notes; title; language; Alter; Geschlecht; Geburtsort; Geburtsjahr; Beruf; Wohnort; Bundesland;
Station; Diagnose; Größe; Gewicht; Aufnahmedatum; Familienstand; Staatsangehörigkeit; Medikament;
Krankenkasse; edad; sexo; lugar de nacimiento; año de nacimiento; profesión; municipio; provincia;
diagnóstico; peso; talla; fecha de ingreso; estado civil; medicamento; hospital de referencia; âge; sexe; lieu
de naissance; profession; ville; pays; poids; taille; service; età; sesso; luogo di nascita; professione;
comune; reparto; peso in kg; idade; profissão; cidade; local de nascimento; estado civil; leeftijd; geslacht;
geboorteplaats; beroep; woonplaats; afdeling
"""


WORLD = Path(__file__).parents[1] / "tests" / "knowledge" / "world_fieldnames.toml"


def _names(text: str) -> list[str]:
    return [name for part in text.replace("\n", " ").split(";") if (name := part.strip())]


def _graph(path: Path) -> list[Profile]:
    fields: dict[str, dict[str, str]] = defaultdict(dict)
    for person, relation, value in read_triples(path):
        fields[person][relation] = value
    return [Profile(person, row) for person, row in fields.items()]


# What each real table holds that identifies somebody directly.
TABLES = {
    "congress": {"family name", "given name", "nickname", "birth date", "death date", "relatives"},
    "congress graph": {"name", "date of birth", "date of death"},
    "persons graph": {"name"},
    "google_re graph": {"name"},
    "authors": set(),
}


def by_language() -> dict[str, dict[str, int]]:
    """Of the names of each language: how many direct ones are told as what they are, how many others are taken for direct."""
    rows = {}
    for language, kinds in tomllib.loads(WORLD.read_text("utf-8")).items():
        told = [(kind, field_kind(" ".join(name.split()))) for kind, text in kinds.items() for name in text.split(";")]
        rows[language] = {
            "direct": sum(kind != "none" for kind, _ in told), "right": sum(kind == found for kind, found in told),
            "others": sum(kind == "none" for kind, _ in told),
            "wrong": sum(kind == "none" and found is not None for kind, found in told),
        }  # fmt: skip
    return rows


def main() -> None:
    """Print and save recall and precision."""
    direct, others = list(dict.fromkeys(_names(DIRECT))), list(dict.fromkeys(_names(OTHERS)))
    missed = [name for name in direct if field_kind(name) is None]
    wrong = [name for name in others if field_kind(name) is not None]
    hits = len(direct) - len(missed)
    recall = rate([float(name not in missed) for name in direct], direct)
    precision = rate([1.0] * hits + [0.0] * len(wrong), [str(i) for i in range(hits + len(wrong))])
    print(f"names: {len(direct)} direct, {len(others)} others; recall {recall}, precision {precision}")
    print("missed:", missed, "wrong:", wrong)
    world = by_language()
    print("by language, right of direct and wrong of others:", world)
    tables = {
        "congress": read_profiles(data_folder() / "congress" / "profiles.jsonl.gz"),
        "congress graph": _graph(data_folder() / "congress" / "graph.tsv.gz"),
        "persons graph": _graph(data_folder() / "persons" / "graph.tsv.gz"),
        "google_re graph": _graph(data_folder() / "google_re" / "graph.tsv.gz"),
        "authors": read_profiles(data_folder() / "authors" / "population.jsonl.gz"),
    }
    found = {}
    for name, profiles in tables.items():
        population = Population(tuple(profiles))
        told = {}
        for field in population.field_names():
            values = [p.fields[field] for p in profiles if field in p.fields]
            if kind := kind_of_values(values[:: max(1, len(values) // 400)][:400]):
                told[field] = kind
        truth = TABLES[name]
        found[name] = {
            "fields": len(population.field_names()), "found": told, "missed": sorted(truth - told.keys()),
            "wrong": sorted(told.keys() - truth),
        }  # fmt: skip
        print(f"{name}: {found[name]}")
    save("fieldnames", {
        "names": {"direct": len(direct), "others": len(others), "recall": recall.as_dict(),
                  "precision": precision.as_dict(), "missed": missed, "wrong": wrong},
        "by_language": world,
        "by_values_alone": found,
    })  # fmt: skip


if __name__ == "__main__":
    main()
