"""Everything that somebody outside needs to attack a release: its texts, the people, and the way to hand in guesses."""

from pathlib import Path

from unname.inputs.released import read_release
from unname.storage.files import ATTACK, require_absent, require_apart, staged_folders, write_atomically
from unname.storage.people import read_profiles
from unname.storage.tables import write_jsonl

_HOW = """\
Who is each document about?

documents.jsonl  the released texts: {"id", "text"}
people.jsonl     everybody whom a document may be about: {"id", "fields"}

Write guesses.jsonl, a line for each document that you dare to guess:

    {"id": "<document>", "person": "<person>"}
    {"id": "<document>", "person": [["<person>", 0.7], ["<another>", 0.2]]}

A higher score is a likelier person. Whoever holds the originals scores the guesses:

    unname audit RELEASE --original DOCUMENTS --people PEOPLE --guesses guesses.jsonl --out REPORT
"""


def export_for_attack(
    released: Path, people: Path, out: Path, *, people_id_column: str = "id", replace: bool = False
) -> int:
    """Write a folder with released texts, people and instructions; returns the number of documents.

    Metadata released beside a text stands below it, as the audit's attackers read it. The folder holds all that is known
    of the people: it is private.
    """
    require_apart(out, inputs=[released, people])
    require_absent(out, replace=replace, kind=ATTACK)
    table, profiles = read_release(released), read_profiles(people, id_column=people_id_column)
    with staged_folders((out, True), replace=replace, kinds=(ATTACK,)) as (folder,):
        texts = (
            {"id": name, "text": f"{text}\n\n{table.beside[name]}" if table.beside.get(name) else text}
            for name, text in table.texts.items()
        )
        write_jsonl(folder / "documents.jsonl", texts, private=True)
        write_jsonl(folder / "people.jsonl", ({"id": p.id, "fields": dict(p.fields)} for p in profiles), private=True)
        write_atomically(folder / "README.txt", _HOW.encode(), private=True)
    return len(table.texts)
