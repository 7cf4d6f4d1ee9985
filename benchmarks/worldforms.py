"""The hand-written forms of benchmarks/languages: invented people, and how their language writes what identifies them.

A file holds, for one language: `people` (given name | family name | born | digits of the phone), sentences about them by
kind (a person's number, then the sentence, with square brackets around what must go and ‹› around what may), frames for
dates, phones and ids, and tempting sentences that have nothing to hide. In a pattern of a number each `#` stands for the
next digit. The first pattern of a phone is how the table writes it, the first scheme of ids is the one that the table
holds.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.checkdigits import SCHEMES

FOLDER = Path(__file__).parent / "languages"
NAMES = ("name", "inflected", "transliterated")
KINDS = (*NAMES, "date", "phone", "id")
_GIVEN = (
    "Alma Bruno Carla Dario Edda Fabian Greta Hugo Ilse Jonas Klara Lennart Marit Nils Olga Pavel Quirin Rosa Sven Thea"
)
_FAMILY = (
    "Abelsen Brandvik Corvin Dalgaard Ellwanger Fossheim Gruber Hallberg Iversen Jansson Kestrel Lindqvist Norrland"
)
_OTHERS = 54


@dataclass(frozen=True, slots=True)
class Form:
    """A text about one person, where in it stands what must go, and what else may (initials)."""

    kind: str
    person: str
    text: str
    places: tuple[tuple[int, int], ...]
    optional: tuple[tuple[int, int], ...] = ()

    def marked(self) -> str:
        """The text with brackets around what must go."""
        text = self.text
        for start, end in reversed(self.places):
            text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
        return text


@dataclass(frozen=True, slots=True)
class Person:
    """An invented person as the table has them."""

    id: str
    given: str
    family: str
    born: date
    phone: str


@dataclass(frozen=True, slots=True)
class Language:
    """One language: its people, forms about them, numbers that the table does not hold, and tempting sentences."""

    code: str
    name: str
    people: tuple[Person, ...]
    phones: tuple[str, ...]
    ids: tuple[str, ...]
    forms: tuple[Form, ...]
    others: tuple[Form, ...]
    tempting: tuple[Form, ...]


def parsed(kind: str, person: str, marked: str) -> Form:
    """A form from a sentence with brackets."""
    text, found = "", dict[str, list[tuple[int, int]]]({"[": [], "‹": []})
    for part in re.split(r"(\[[^\]]*\]|‹[^›]*›)", marked):
        if part[:1] in found:
            found[part[0]].append((len(text), len(text) + len(part) - 2))
            part = part[1:-1]
        text += part
    return Form(kind, person, text, *map(tuple, found.values()))


def filled(pattern: str, digits: str) -> str:
    """A pattern with these signs for its `#`, in order."""
    if pattern.count("#") != len(digits):
        raise ValueError(f"{pattern} does not hold {len(digits)} signs")
    rest = iter(digits)
    return "".join(next(rest) if sign == "#" else sign for sign in pattern)


def bracketed(number: str) -> str:
    """A number in brackets unless its pattern says which part of it must go."""
    return number if "[" in number else f"[{number}]"


def languages(codes: Sequence[str] | None = None) -> list[Language]:
    """All languages by code, or those asked for."""
    return [read(path) for path in sorted(FOLDER.glob("*.toml")) if codes is None or path.stem in codes]


def read(path: Path) -> Language:
    """One language from its file."""
    given = tomllib.loads(path.read_text(encoding="utf-8"))
    people = tuple(_people(path.stem, given["people"]))
    phones = tuple(
        filled(given["phones"][0], person.phone).translate({ord("["): "", ord("]"): ""}) for person in people
    )
    ids = tuple(_identity(given["ids"][0], n, person)[0] for n, person in enumerate(people))
    forms = [form for kind in NAMES for form in _sentences(kind, given.get(kind, ""), people)]
    forms += [*_dates(given, people), *_phones(given, people), *_ids(_schemes(given, known=True), people)]
    others, tempting = _ids(_schemes(given, known=False), people), _sentences("tempting", given["tempting"], people)
    return Language(
        path.stem, given["language"], people, phones, ids, tuple(dict.fromkeys(forms)), tuple(others), tuple(tempting)
    )  # fmt: skip


def _people(code: str, lines: str) -> Iterator[Person]:
    for number, line in enumerate(lines.strip().splitlines(), 1):
        given, family, born, phone = line.split("|")
        yield Person(f"{code}{number}", given, family, date.fromisoformat(born), phone)


def _sentences(kind: str, lines: str, people: Sequence[Person]) -> Iterator[Form]:
    for line in lines.strip().splitlines():
        number, _, sentence = line.partition(" ")
        yield parsed(kind, people[int(number) - 1].id, sentence.replace("\\n", "\n"))


def _dates(given: Mapping[str, Any], people: Sequence[Person]) -> Iterator[Form]:
    """Each person's birth date in every spelling."""
    for line in given.get("spelled", "").strip().splitlines():
        number, _, sentence = line.partition(" ")
        yield parsed("date", people[int(number) - 1].id, sentence)
    months, short = given["months"].split(), given["short"].split() if "short" in given else []
    for person in people:
        born = person.born
        values = {
            "d": f"{born.day}", "dd": f"{born.day:02d}", "m": f"{born.month}", "mm": f"{born.month:02d}",
            "y": f"{born.year}", "yy": f"{born.year % 100:02d}", "month": months[born.month - 1].replace("_", " "),
            "mon": short[born.month - 1].replace("_", " ") if short else "",
            "native": _native(f"{born.year}|{born.month}|{born.day}", given.get("digits", "")),
            "era": str(born.year + given.get("era", 0)),
        }  # fmt: skip
        values["ny"], values["nm"], values["nd"] = values.pop("native").split("|")
        for frame in given["dates"]:
            yield parsed("date", person.id, frame.format_map(values))


def _native(number: str, digits: str) -> str:
    """Digits of the language's script, where it has its own."""
    return number.translate(str.maketrans("0123456789", digits)) if digits else number


def _phones(given: Mapping[str, Any], people: Sequence[Person]) -> Iterator[Form]:
    frames = given["phone_frames"]
    for place, person in enumerate(people):
        for number, pattern in enumerate(given["phones"]):
            shown = filled(pattern.removeprefix("native "), person.phone)
            if pattern.startswith("native "):
                shown = _native(shown, given["digits"])
            yield parsed("phone", person.id, frames[(place + number) % len(frames)].format(bracketed(shown)))


def _identity(line: str, number: int, person: Person) -> tuple[str, str]:
    """A person's number in a scheme as its pattern groups it, and the sentence it stands in."""
    scheme, pattern, frame = line.split("|")
    shown = filled(pattern, SCHEMES[scheme](person.born, number, f"{person.given} {person.family}"))
    return shown, frame.format(f"[{shown}]")


def _schemes(given: Mapping[str, Any], *, known: bool) -> list[str]:
    """The lines of ids that the table holds, or of those that it does not."""
    first = given["ids"][0].partition("|")[0]
    return [line for line in given["ids"] if (line.partition("|")[0] == first) == known]


def _ids(lines: Sequence[str], people: Sequence[Person]) -> Iterator[Form]:
    """Each person's number in every grouping."""
    for number, person in enumerate(people):
        for line in lines:
            yield parsed("id", person.id, _identity(line, number, person)[1])


def table(every: Sequence[Language]) -> list[dict[str, str]]:
    """The people of all languages as a table has them, among others who are in no text."""
    rows = [
        {"id": person.id, "given_name": person.given, "family_name": person.family, "birth_date": person.born.isoformat(),
         "phone": phone, "national_id": identity, "town": "Halden", "occupation": "teacher"}
        for language in every
        for person, phone, identity in zip(language.people, language.phones, language.ids, strict=True)
    ]  # fmt: skip
    given, family = _GIVEN.split(), _FAMILY.split()
    for n in range(_OTHERS):
        rows.append(
            {"id": f"other{n}", "given_name": given[n % 20], "family_name": family[n * 5 % 13] + "en" * (n // 13),
             "birth_date": f"19{30 + n % 25}-{1 + n % 12:02d}-{1 + n * 5 % 28:02d}", "phone": f"0{400 + n}-55{n:02d}{n:02d}",
             "national_id": str(7000000 + n * 7919), "town": ("Gorsey", "Halden", "Tolland")[n % 3],
             "occupation": ("farmer", "teacher", "baker", "nurse")[n % 4]}
        )  # fmt: skip
    return rows
