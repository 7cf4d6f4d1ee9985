"""A first-time user's release: names left and function words lost in made-up notes, and the time a small release takes.

`python -m benchmarks.first_release notes` makes 30 German and 30 Spanish notes about people of two tables of 120, as an
office exports them (Windows-1252, semicolons, headings in its language), and releases them by the command with defaults.
`python -m benchmarks.first_release time` releases 100 Wikipedia leads against 445 article bodies, and says how long each kind
of audit and a dry run take. Both write results/first_release.json.
"""

import csv
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.corpora import load
from benchmarks.results import save
from unname.stopwords import function_words
from unname.storage.tables import write_jsonl
from unname.text import folded_words

PEOPLE, NOTES = 120, 30
_MONTHS = {
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    "es": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
}
_GIVEN = {
    "de": [
        "Anna",
        "Petra",
        "Klaus",
        "Jürgen",
        "Heike",
        "Sabine",
        "Uwe",
        "Dieter",
        "Monika",
        "Ralf",
        "Ingrid",
        "Horst",
        "Karin",
        "Stefan",
        "Gisela",
    ],
    "es": [
        "María",
        "Carmen",
        "Josefa",
        "Eulalia",
        "Antonio",
        "Manuel",
        "Pedro",
        "Luis",
        "Rosario",
        "Juan",
        "Pilar",
        "Andrés",
    ],
}
_FAMILY = {
    "de": [
        "Quastenhoff",
        "Brömmel",
        "Tannigel",
        "Vossbrink",
        "Hettwisch",
        "Lüdtkamp",
        "Pfandl",
        "Rixdorfer",
        "Sommerlatt",
        "Ullmeier",
        "Zwickl",
    ],
    "es": [
        "Garrapucho",
        "Bermejales",
        "Cantalejo",
        "Espliego",
        "Montenegrín",
        "Villarroya",
        "Peñascal",
        "Rebollo",
        "Zarzuelo",
        "Lobatón",
    ],
}
_TRADES = {
    "de": ["Tischlerin", "Lokführer", "Bäckerin", "Förster", "Lehrerin", "Maurer", "Imkerin", "Schlosser"],
    "es": ["panadera", "pescador", "maestra", "cantero", "enfermera", "pastor", "modista", "herrero"],
}
_TOWNS = {
    "de": ["Niederfinow", "Obersulm", "Kappeln", "Lauscha", "Wörlitz", "Zingst"],
    "es": ["Villafáfila", "Cudillero", "Alcaudete", "Berlanga", "Zumaia"],
}
_TEXTS = {
    "de": "Herr {family}, geboren am {day}. {month} {year}, wurde am Montag von Herrn Oberarzt Dr. med. Klaus N. in der "
    "Ambulanz gesehen. Die Beschwerden bestehen seit drei Wochen und haben sich nach der Einnahme der Tabletten nicht "
    "gebessert. {given} {family} arbeitet als {trade} in {town} und ist auch sonst sehr aktiv. {family}s Befund wurde mit "
    "Frau Kollegin Dr. B. besprochen. Schwester Petra hat den Verband gewechselt. Tel. {phone_parted}. Wir haben weder "
    "Fieber noch Husten gefunden, aber der Blutdruck war etwas zu hoch.",
    "es": "D.ª {given} {family}, con DNI {number}, nació el {day} de {month} y vive en {town} con su familia. Fue vista por "
    "don Pedro Gil y por la Dra. Marta Sanz en la consulta de la tarde. La paciente es {trade} desde hace muchos años y no "
    "ha tenido fiebre, pero se queja de dolor en la espalda cuando trabaja. El señor juez la condena a la pena de dos meses "
    "y a las costas. Se le llama al {phone_parted} para la próxima cita.",
}
_HEADINGS = {
    "de": ("PatNr", "Vorname", "Nachname", "Geb.-Datum", "Versichertennummer", "Telefon", "Beruf", "Wohnort"),
    "es": ("id", "nombre", "apellidos", "fecha de nacimiento", "DNI", "móvil", "profesión", "municipio"),
}
# Others whom every note names.
_OTHERS = {"de": ("Klaus", "Petra"), "es": ("Pedro", "Gil", "Marta", "Sanz")}


def made_up(language: str) -> tuple[list[tuple[str, ...]], list[tuple[str, str, str]]]:
    """Rows of people, and (number, person, text) of notes about the first of them."""
    draw = random.Random(7)  # noqa: S311 (invented people)
    people: list[tuple[str, ...]] = []
    notes: list[tuple[str, str, str]] = []
    for i in range(PEOPLE):
        given, trade, town = (draw.choice(row[language]) for row in (_GIVEN, _TRADES, _TOWNS))
        family = draw.choice(_FAMILY[language]) + draw.choice(["", "er", "mann"] if language == "de" else [""])
        family += f" {draw.choice(_FAMILY['es'])}" if language == "es" else ""
        year, month, day = draw.randint(1930, 1990), draw.randint(1, 12), draw.randint(1, 28)
        phone, digits = f"6{draw.randint(10_000_000, 99_999_999)}", draw.randint(10_000_000, 99_999_999)
        number = f"{digits}{'TRWAGMYFPDXBNJZSQVHLCKE'[digits % 23]}"
        person = f"P{i:03}"
        people.append((person, given, family, f"{day:02}.{month:02}.{year}", number, phone, trade, town))
        if i < NOTES:
            text = _TEXTS[language].format(
                given=given, family=family, day=day, month=_MONTHS[language][month - 1], year=year, trade=trade, town=town,
                number=number, phone_parted=f"{phone[:3]} {phone[3:6]} {phone[6:]}",
            )  # fmt: skip
            notes.append((f"n{i}", person, text))
    return people, notes


def _write(path: Path, headings: tuple[str, ...], rows: list[Any]) -> None:
    with path.open("w", newline="", encoding="cp1252") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow(headings)
        writer.writerows(rows)


def _unname(*words: object) -> float:
    """Run the command, whatever its verdict; the seconds it took."""
    started = time.perf_counter()
    done = subprocess.run(
        [str(Path(sys.executable).with_name("unname")), *map(str, words)], capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 3, 4):
        raise SystemExit(done.stderr[-2000:])
    return time.perf_counter() - started


def notes() -> dict[str, Any]:
    """Names, numbers and phones left in released notes, and function words lost, by language."""
    found: dict[str, Any] = {}
    for language in ("de", "es"):
        people, written = made_up(language)
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            _write(home / "people.csv", _HEADINGS[language], people)
            _write(home / "notes.csv", ("Nr", "Pat", "Text"), written)
            _unname(
                "deidentify", home / "notes.csv", "--people", home / "people.csv", "--people-id-column",
                _HEADINGS[language][0], "--id-column", "Nr", "--person-column", "Pat", "--text-column", "Text",
                "--ids", "keep", "--audit", "quick", "--accept-risk", "a benchmark", "--out", home / "out.csv",
            )  # fmt: skip
            with (home / "out.csv").open(encoding="utf-8", newline="") as stream:
                released = {row["id"]: row["text"] for row in csv.DictReader(stream)}
        found[language] = counted(language, people, written, released)
        print(language, found[language])
    return found


def counted(
    language: str, people: list[tuple[str, ...]], written: list[tuple[str, str, str]], released: dict[str, str]
) -> dict[str, int]:
    """Notes released, identifiers of their persons and of others left in them, function words there were and lost."""
    known = {row[0]: row for row in people}
    left = others = before = lost = 0
    for name, person, text in written:
        if name not in released:
            continue
        shown = set(folded_words(released[name]))
        digits = "".join(filter(str.isdecimal, released[name]))
        row = known[person]
        left += sum(word in shown for field in row[1:3] for word in folded_words(field))
        left += sum("".join(filter(str.isdecimal, field)) in digits for field in row[4:6])
        others += sum(other.casefold() in shown for other in _OTHERS[language])
        counts = [sum(w in function_words()[language] for w in folded_words(t)) for t in (text, released[name])]
        before, lost = before + counts[0], lost + counts[0] - counts[1]
    return {"notes": len(released), "identifiers_left": left, "others_named": others, "function_words": before,
            "function_words_lost": lost}  # fmt: skip


def times() -> dict[str, Any]:
    """Seconds of whole commands: 100 documents against 445 article bodies."""
    corpus = load("wikipedia553")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        write_jsonl(
            home / "d.jsonl", ({"id": d.id, "text": d.text, "person": d.person} for d in corpus.documents[:100])
        )
        write_jsonl(home / "p.jsonl", ({"id": p.id, "fields": dict(p.fields)} for p in corpus.population.profiles))
        base = ("deidentify", home / "d.jsonl", "--people", home / "p.jsonl", "--out")
        found = {
            f"audit {audit}": round(_unname(*base, home / audit, "--audit", audit), 1) for audit in ("quick", "full")
        }
        found["dry run"] = round(_unname(*base, home / "dry", "--dry-run"), 1)
    print(json.dumps(found))
    return {"documents": 100, "people": len(corpus.population), "seconds": found}


def main() -> None:
    """Measure what was asked for, or both."""
    for name in sys.argv[1:] or ("notes", "time"):
        save("first_release", {name: notes() if name == "notes" else times()})


if __name__ == "__main__":
    main()
