"""HL7 version 2 messages: what OBX and NTE say in words is a document, what PID and NK1 say of the patient a profile.

A message begins at its MSH, which tells the signs that part fields and components. A document's id is the message's control
id (MSH-10), its person the first identifier of PID-3. Messages with the same patient make one profile. Segments end in CR,
LF or both. Values that are no text, and files within a message, are counted and said. Source: HL7 v2.5.1, chapters 2, 3, 7.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from unname.storage.dialects import LOOKED_AT, encoding_for
from unname.storage.faults import Faults
from unname.storage.formats.archives import is_archive
from unname.storage.formats.sources import Rows, opened
from unname.storage.lines import beginning, numbered_lines
from unname.storage.notices import counted, notice

ENDINGS = (".hl7", ".hl7.gz")
_MARKS = "\x0b\x1c\ufeff "
_TEXTS = frozenset(("TX", "FT", "ST"))
_FILES = frozenset(("ED", "RP"))
_DAY = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_HEX = re.compile(r"X(?:[0-9A-Fa-f]{2}){1,100}")
_MOST_SEGMENTS = 100_000
# Fields of PID, and the components that are what is meant.
_OF_PID = (
    (2, "patient_number", 1), (3, "mrn", 1), (4, "alternate_patient_number", 1), (18, "account_number", 1),
    (19, "ssn", 1), (20, "drivers_license", 1), (13, "phone", 1), (13, "email", 4), (14, "work_phone", 1),
    (14, "email", 4), (23, "birth_place", 1), (15, "language", 1), (16, "marital_status", 2), (17, "religion", 2),
)  # fmt: skip
_OF_ADDRESS = ((1, "street"), (2, "street"), (3, "town"), (4, "state"), (5, "postal_code"), (6, "country"))


class Message(NamedTuple):
    """The segments of a message, each its fields from 0 (the segment's name), and the signs that part what is in them."""

    segments: list[list[str]]
    component: str = "^"
    repetition: str = "~"
    escape: str = "\\"
    part: str = "&"

    def __repr__(self) -> str:
        return f"Message({len(self.segments)} segments)"

    def repeated(self, segment: Sequence[str], field: int) -> list[list[str]]:
        """The repetitions of a field, each its components, from 0."""
        raw = segment[field] if field < len(segment) else ""
        return [
            [self.plain(part) for part in each.split(self.component)] for each in raw.split(self.repetition) if each
        ]

    def plain(self, value: str) -> str:
        """A value with its escapes as what they stand for; an empty one that says so (two quotes) is empty."""
        if value == '""':
            return ""
        if not self.escape or self.escape not in value:
            return value
        signs = {"F": "|", "S": self.component, "T": self.part, "R": self.repetition, "E": self.escape}
        pieces = value.split(self.escape)
        parts, at = [pieces[0]], 1
        while at < len(pieces):
            meant = self._meant(pieces[at], signs) if at + 1 < len(pieces) else None
            if meant is None:  # no escape
                parts += [self.escape, pieces[at]]
                at += 1
            else:
                parts += [meant, pieces[at + 1]]
                at += 2
        return "".join(parts)

    @staticmethod
    def _meant(said: str, signs: Mapping[str, str]) -> str | None:
        """The character that an escape stands for; None where it is no escape."""
        if said in signs:
            return signs[said]
        if said.startswith((".br", ".sp", ".ce")):
            return "\n"
        if _HEX.fullmatch(said):
            return bytes.fromhex(said[1:]).decode("utf-8", "replace")
        return "" if said in ("H", "N") or said.startswith(".") else None  # highlighting and indents


def hl7_records(path: Path, faults: Faults) -> Rows:
    """(number of the message from 1, row) of every message that says something in words."""
    left = 0
    for number, message in _messages(path, faults):
        texts: list[str] = []
        for segment in message.segments:
            kind = segment[2] if segment[0] == "OBX" and len(segment) > 2 else ""
            field = 5 if kind in _TEXTS else 3 if segment[0] == "NTE" else None
            left += kind in _FILES
            if field is not None:
                lines = [message.component.join(parts) for parts in message.repeated(segment, field)]
                texts += lines or ([""] if texts else [])
        if not any(map(str.strip, texts)):
            continue
        head = message.segments[0]
        known = message.plain(head[9]) if len(head) > 9 and head[9] else str(number)
        yield number, {"id": known, "text": "\n".join(texts).strip("\n"), "person": _patient(message) or None}
    if left:
        notice(path, f"{counted(left, 'file')} within messages (OBX of type ED or RP) left out")


def hl7_people(path: Path, faults: Faults) -> Rows:
    """(number of the first message from 1, {"id", "fields"}) of every patient, with all that messages say of them."""
    first: dict[str, int] = {}
    by_person: dict[str, dict[str, list[str]]] = {}
    for number, message in _messages(path, faults):
        if (person := _patient(message)) == "":
            continue
        first.setdefault(person, number)
        fields = by_person.setdefault(person, {})
        for name, value in _said(message):
            value = value.strip()
            if value and value not in fields.setdefault(name, []):
                fields[name].append(value)
    for person, number in first.items():
        fields = {name: values for name, values in by_person[person].items() if values}
        yield number, {"id": person, "fields": {k: v[0] if len(v) == 1 else v for k, v in fields.items()}}


def _messages(path: Path, faults: Faults) -> Iterator[tuple[int, Message]]:
    number, parted = 0, "|"
    message: Message | None = None
    for line in _lines(path):
        line = "" if line is None else line.strip(_MARKS)
        if line.startswith("MSH") and len(line) > 8:
            if message is not None:
                yield number, message
            number += 1
            separator, signs = line[3], line[4:].partition(line[3])[0].ljust(4, "\0")
            # MSH-1 is the separator itself: the field in place 9 is MSH-10.
            message, parted = Message([line.split(separator)], *signs[:4]), separator
        elif message is None:
            if line and not line.startswith(("FHS", "BHS", "FTS", "BTS")):
                number += 1
                faults.add(number, "", "does not begin with a segment MSH")
                return
        elif line and len(message.segments) < _MOST_SEGMENTS:
            message.segments.append(line.split(parted))
    if message is not None:
        yield number, message


def _lines(path: Path) -> Iterator[str | None]:
    """Segments of a file one by one, or of the files of a folder or archive; None for one that cannot be read."""
    if path.is_file() and not is_archive(path):
        start = beginning(path, LOOKED_AT)
        encoding = encoding_for(path, start, None, whole=len(start) < LOOKED_AT)
        for _, line in numbered_lines(path, encoding, returns=b"\r" in start and b"\n" not in start):
            yield from (None,) if line is None else line.decode("utf-8", "replace").splitlines()
        return
    with opened(path, ENDINGS) as source:
        for name in source.names:
            content = source.read(name)
            if isinstance(content, bytes):
                encoding = encoding_for(path, content[:LOOKED_AT], None, whole=len(content) <= LOOKED_AT)
                yield from re.split(r"\r\n|\r|\n", content.decode(encoding, "replace"))


def _patient(message: Message) -> str:
    """The patient's first identifier: of PID-3, else of PID-2, 4 or 18; nothing where no PID tells one."""
    for segment in message.segments:
        if segment[0] == "PID":
            for field in (3, 2, 4, 18):
                for parts in message.repeated(segment, field):
                    if parts[0].strip():
                        return parts[0].strip()
    return ""


def _said(message: Message) -> Iterator[tuple[str, str]]:
    """(field, value) of all that a message says of its patient and of relatives."""
    for segment in message.segments:
        if segment[0] == "PID":
            yield from _of_patient(message, segment)
        elif segment[0] == "NK1":
            for parts in message.repeated(segment, 2):
                yield "contact_name", " ".join(part for part in [*parts[1:3], parts[0]] if part)
            for parts in message.repeated(segment, 5):
                yield "contact_phone", parts[0]


def _of_patient(message: Message, segment: Sequence[str]) -> Iterator[tuple[str, str]]:
    for field, prefix in ((5, ""), (9, "alias_")):
        for parts in message.repeated(segment, field):
            yield f"{prefix}family_name", parts[0].replace(message.part, " ")
            yield f"{prefix}given_name", " ".join(part for part in parts[1:3] if part)
    for parts in message.repeated(segment, 6):
        yield "mothers_maiden_name", " ".join(part for part in [*parts[1:2], parts[0]] if part)
    for field, name in ((7, "birth_date"), (29, "death_date")):
        for parts in message.repeated(segment, field):
            day = _DAY.match(parts[0])
            yield name, "-".join(day.groups()) if day else parts[0]
    for parts in message.repeated(segment, 8):
        yield "sex", parts[0]
    for parts in message.repeated(segment, 11):
        for place, name in _OF_ADDRESS:
            yield name, parts[place - 1] if place <= len(parts) else ""
    for field, name, place in _OF_PID:
        for parts in message.repeated(segment, field):
            yield name, parts[place - 1] if place <= len(parts) else ""
