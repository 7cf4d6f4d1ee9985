"""Who is who in a release with numbers: people with exactly one number, and numbers with exactly one person.

    python -m benchmarks.one_number [--patients 1000]

Both corpora go through the installed command with `--transform numbered`. Of the fictional town each patient has a letter
that names them, a relative with the same family name and two doctors as letters vary them: in full, turned round, in
capitals, with an initial, a short form or a title, or a part alone. In the harder letters a doctor may have the patient's
family name, the relative comes first and with an initial, the table says no sex and has a column with a doctor's name. Of TAB
the names are those that annotators marked, who also say which of them are one person; no table says whom a judgment is
about. The last columns are those of a rule that takes each distinct string for one person.
"""

import argparse
import csv
import json
import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.corpora import data_folder
from benchmarks.results import load_rows, save, say, shown
from benchmarks.vault_round_trip import rows_of, unname
from unname.knowledge.fictional import fictional_town
from unname.knowledge.nicknames import NICKNAMES
from unname.statistics import rate
from unname.text import PLACEHOLDER

SEED = 11
# Of a person's token the number counts, whatever their part; any other token counts whole.
TOKEN = re.compile(r"\[(?:PERSON|PATIENT|DOCTOR) (\d+)\]")


@dataclass(frozen=True)
class Named:
    """A name in a text, `[start, end)`, and whom it means."""

    start: int
    end: int
    who: str


@dataclass(frozen=True)
class Letter:
    """A text in which it is known who is meant."""

    id: str
    person: str
    text: str
    named: tuple[Named, ...]


def variants(given: str, family: str, female: bool, lot: random.Random) -> list[str]:
    """The ways in which a letter may go on to call a patient."""
    title = lot.choice(["Mrs", "Ms"]) if female else "Mr"
    short = NICKNAMES.get(given.casefold(), ())
    ways = [f"{title} {family}", f"{title} {given} {family}", f"{given[0]}. {family}", given, family.upper(),
            f"{family}, {given}", f"{given} {family}", f"{family.upper()} {given}"]  # fmt: skip
    return [*ways, *(f"{name.title()} {family}" for name in short[:1])]


def letter_of(
    row: dict[str, str], doctors: Sequence[tuple[str, str]], lot: random.Random, *, hard: bool = False
) -> Letter:
    """A patient's letter."""
    parts, named, length = list[str](), list[Named](), 0

    def say_(text: str, who: str = "") -> None:
        nonlocal length
        bare = text
        for title in ("Mr ", "Mrs ", "Ms ", "Dr "):
            bare = bare.removeprefix(title)
        if who:
            named.append(Named(length + len(text) - len(bare), length + len(text), who))
        parts.append(text)
        length += len(text)

    given, family, female = row["given name"], row["family name"], row["sex"] == "female"
    ways = variants(given, family, female, lot)
    lot.shuffle(ways)
    (first_given, first), (second_given, second) = lot.sample([doctor for doctor in doctors if doctor[1] != family], 2)
    if hard and lot.random() < 0.2:
        first = family
    kin = lot.choice([name for name in ("Agnes", "Lukas", "Martha", "Oscar") if name != given])
    kin_title = "Mrs" if kin in ("Agnes", "Martha") else "Mr"
    say_("Re: ")
    say_(f"{given} {family}", "patient")
    say_(".\nSeen by ")
    say_(f"Dr {first_given} {first}", "first")
    say_(" on the ward. ")
    if hard:
        say_(f"{kin_title} {kin[0]}. {family}", "kin")
        say_(" drove. ")
    for way in ways[:5]:
        say_(way, "patient")
        say_(
            lot.choice(
                [" slept well. ", " was told of the result. ", " asks for a later date. ", " walks with a stick. "]
            )
        )
    say_(f"{kin_title} {kin} {family}", "kin")
    say_(" came along. ")
    if (kin_title == "Mrs") != female:
        say_(f"{kin_title} {family}", "kin")
        say_(" will drive. ")
    say_(kin, "kin")
    say_(" has the tablets. ")
    say_(f"Dr {first}", "first")
    say_(" agrees with ")
    say_(f"Dr {second}", "second")
    say_(".\nSigned: ")
    say_(f"Dr {second_given[0]}. {second}", "second")
    say_("\n")
    return Letter(f"letter-{row['id']}", row["id"], "".join(parts), tuple(named))


def town(patients: int, home: Path, *, hard: bool = False) -> tuple[list[Letter], list[object]]:
    """The letters of a town, and the words of the command that masks them."""
    lot = random.Random(SEED)  # noqa: S311  made-up letters, no secret
    people = [{"id": p.id, **p.fields} for p in fictional_town(people=patients, seed=SEED, noted=0).profiles]
    families = sorted({row["family name"] for row in people})
    doctors = list(zip(["Ruth", "Paul", "Ines", "Tom", "Vera", "Emil"] * 5, families, strict=False))
    letters = [letter_of(row, doctors, lot, hard=hard) for row in people]
    for row in people if hard else ():
        del row["sex"]
        row["GP"] = " ".join(lot.choice(doctors))
    fields = list(dict.fromkeys(name for row in people for name in row))
    with (home / "people.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, fields)
        table.writeheader()
        table.writerows(people)
    return letters, ["--people", home / "people.csv"]


def judgments(part: str, home: Path) -> tuple[list[Letter], list[object]]:
    """The judgments of a part of TAB with the names that were marked, and the words of the command."""
    letters = []
    with (home / "spans.jsonl").open("w", encoding="utf-8") as file:
        for row in rows_of(data_folder() / "tab/documents.jsonl.gz"):
            people = [span for span in row["spans"] if span["label"] == "PERSON"]
            if row["split"] != part or not people:
                continue
            named = tuple(Named(span["start"], span["end"], span["entity"]) for span in people)
            letters.append(Letter(row["id"], row["person"], row["text"], named))
            spans = [{"start": n.start, "end": n.end, "label": "PERSON"} for n in named]
            file.write(json.dumps({"id": row["id"], "spans": spans}) + "\n")
    return letters, ["--people", "none", "--spans", home / "spans.jsonl"]


def row_of(letters: Sequence[Letter], words: Sequence[object], home: Path) -> dict[str, Any]:
    """One corpus: through the command, and which number each name got."""
    corpus, release = home / "documents.jsonl", home / "release"
    lines = (json.dumps({"id": each.id, "person": each.person, "text": each.text}) for each in letters)
    corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
    unname("deidentify", corpus, *words, "--method", "tagged", "--facts", "report", "--transform", "numbered",
           "--audit", "none", "--accept-risk", "a benchmark", "--out", release)  # fmt: skip
    texts = {row["id"]: row["text"] for row in rows_of(release / "documents.jsonl")}
    pieces = {
        row["id"]: (texts[row["release_id"]], row["pieces"]) for row in rows_of(home / "release.private/offsets.jsonl")
    }
    numbers_of, people_of = defaultdict[tuple[str, str], set[str]](set), defaultdict[tuple[str, str], set[str]](set)
    strings_of, people_called = defaultdict[tuple[str, str], set[str]](set), defaultdict[tuple[str, str], set[str]](set)
    counts = {"names": 0, "without a number": 0}
    for letter in letters:
        if letter.id not in pieces:
            continue
        text, row = pieces[letter.id]
        for named in letter.named:
            written = letter.text[named.start : named.end]
            strings_of[letter.id, named.who].add(written)
            people_called[letter.id, written].add(named.who)
            shown = {text[a:b] for a, b, start, end in row if start < named.end and named.start < end}
            counts["names"] += 1
            tokens = {TOKEN.sub(r"\1", token) for token in shown if PLACEHOLDER.fullmatch(token) and " " in token}
            if not tokens:
                counts["without a number"] += 1
                continue
            numbers_of[letter.id, named.who] |= tokens
            for token in tokens:
                people_of[letter.id, token].add(named.who)
    return {
        "documents": len(letters), "released": len(pieces), **counts,
        "one number": _one(numbers_of), "one person": _one(people_of),
        "one string": _one(strings_of), "one person by string": _one(people_called),
    }  # fmt: skip


def _one(sets: dict[tuple[str, str], set[str]]) -> dict[str, Any]:
    """The share of sets with one member, with its interval; those of one document are not independent."""
    return rate([float(len(each) == 1) for each in sets.values()], [document for document, _ in sets]).as_dict()


def blocks() -> dict[str, list[str]]:
    """The figures as a block of the page."""
    rows = load_rows("one_number")
    lines = [
        "| corpus | names | people with one number | numbers of one person | people with one string "
        "| strings of one person |",
        "|---|---|---|---|---|---|",
    ]
    figures = ("one number", "one person", "one string", "one person by string")
    for name, row in rows.items():
        cells = (f"{row['names']:,}", *(shown(row[of]) for of in figures))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return {
        "one-number": [
            "Made through the installed command (`python -m benchmarks.one_number`); brackets are 95 % intervals. The "
            "letters are invented, and so are the ways in which they vary names, by the authors of the rules: take them as "
            "what the rules are meant for. In the harder ones a fifth of the doctors have the patient's family name, the "
            "relative comes first and with an initial, the table does not say the sex and has a column with a doctor's "
            "name. The names of TAB, judgments of a human rights court, are those that its annotators marked; no table "
            "says whom they are about, and most people are named once. The last two columns are those of a rule that takes "
            "each distinct string for one person.",
            "",
            *lines,
        ]
    }


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--patients", type=int, default=1000)
    patients = asked.parse_args().patients
    rows: dict[str, Any] = {}
    for name in (f"letters, {patients} patients", f"harder letters, {patients} patients", "tab train", "tab dev"):
        with tempfile.TemporaryDirectory() as folder:
            home, hard, part = Path(folder), name.startswith("harder"), name.partition("tab ")[2]
            letters, words = judgments(part, home) if part else town(patients, home, hard=hard)
            rows[name] = row_of(letters, words, home)
        say(name, *(f"{key} {value}" for key, value in rows[name].items()))
        save("one_number", rows, seed=SEED)


if __name__ == "__main__":
    main()
