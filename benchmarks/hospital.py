"""A fictional town as a hospital keeps it: letters named after hospital number and day, and an Excel sheet of patients."""

import re
from datetime import date, timedelta
from itertools import islice
from pathlib import Path

from openpyxl import Workbook

from unname.knowledge.fictional import Town

ID_COLUMN = "Hospital No"
COLUMNS = {"given name": "First Name", "family name": "Surname", "birth date": "DOB", "phone": "Phone", "street": "Address",
           "village": "Town", "occupation": "Occupation", "next of kin": "Next of kin"}  # fmt: skip


def hospital_numbers(town: Town) -> dict[str, str]:
    """The hospital number of each person: the digits of their record number."""
    return {profile.id: re.sub(r"\D", "", str(profile.fields["record number"])) for profile in town.profiles}


def write_letters(folder: Path, town: Town, number: int) -> None:
    """Write the first letters of a town as files named after a hospital number and a day."""
    folder.mkdir()
    numbers = hospital_numbers(town)
    for i, document in enumerate(islice(town.documents, number)):
        day = date(2023, 1, 2) + timedelta(days=i)
        name = f"DL_{numbers[str(document.person)]}_{day.isoformat()}.txt"
        (folder / name).write_text(document.text, encoding="utf-8")


def write_patients(path: Path, town: Town) -> None:
    """Write everybody in a town as an Excel sheet, as a hospital's registry exports it."""
    numbers, book = hospital_numbers(town), Workbook()
    rows = [[ID_COLUMN, *COLUMNS.values()]]
    rows += [
        [numbers[profile.id], *(str(profile.fields.get(name, "")) for name in COLUMNS)] for profile in town.profiles
    ]
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]  # a new book has a sheet
    book.save(path)
