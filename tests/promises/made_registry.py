"""Sixty invented people, their registry and one note about each, in which nobody else is named unless asked for."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

Row = dict[str, str]
GIVEN = """
Ada Bruno Carla Dorian Edda Falk Greta Hanno Ilse Jorin Katrin Lovis Merle Nando Orla Piet Quinta Ruben
Selma Tarek Undine Veit Wanda Xaver Yelda Zeno Amrei Birte Corvin Delia
""".split()  # noqa: SIM905 (as a list it takes a page)
FAMILY = """
Aldermoor Brackwell Cottering Dunsmore Ellerby Fenwright Garsdale Hollenby Inglefort Jessamund Kettlewick
Lambourne Marrowby Netherlee Oldacre Pendrake Quillon Rosthwaite Skelbrook Thornaby Underhay Vexford
Wintersby Yarrowdale Zellwood Ashmerrow Birchgate Crowhurst Daleford Eastlake
""".split()  # noqa: SIM905 (as a list it takes a page)
JOBS = ["cooper", "glazier", "farrier", "weaver", "saddler", "miller", "chandler", "thatcher", "cobbler", "potter"]
FIRMS = ("Holm Mill", "Tarn Forge", "Reed Works", "Gull Yard", "Birch Press", "Stone Wharf")
VILLAGES = ["Orrin", "Tarnby", "Selwick", "Morvale", "Quarle", "Hexdon", "Brill", "Lunt"]
ILLS = ["asthma", "gout", "migraine", "anaemia", "eczema", "tinnitus", "sciatica"]


def registry(people: int = 60) -> list[Row]:
    """People who differ in name, birth date and record number, and say job, employer and village."""
    lot = Random(1)
    return [
        {
            "id": f"p{i}", "given_name": GIVEN[i % 30], "family_name": FAMILY[(i * 7 + i // 30) % 30],
            "birth_date": f"{1940 + lot.randrange(50)}-{lot.randrange(1, 13):02d}-{lot.randrange(1, 29):02d}",
            "record_number": str(40_000_000 + lot.randrange(9_999_999)), "job": lot.choice(JOBS),
            "employer": lot.choice(FIRMS), "village": lot.choice(VILLAGES),
        }
        for i in range(people)
    ]  # fmt: skip


def note(person: Mapping[str, str], number: int = 0) -> str:
    """A note that names a person and says what the registry does."""
    return (
        f"{person['given_name']} {person['family_name']} came in on a quiet morning. The {person['job']} at "
        f"{person['employer']} lives in {person['village']} and complains of {ILLS[number % 7]}. The unknown rests."
    )


def notes(people: list[Row], text: Callable[[Row, int], str] = note) -> list[dict[str, Any]]:
    """One note about each."""
    return [{"id": f"d{i}", "person": row["id"], "text": text(row, i)} for i, row in enumerate(people)]


def write(folder: Path, people: list[Row], documents: list[dict[str, Any]]) -> tuple[Path, Path]:
    """Both as files; returns the documents' and the people's."""
    for name, rows in (("d.jsonl", documents), ("p.jsonl", people)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder / "d.jsonl", folder / "p.jsonl"
