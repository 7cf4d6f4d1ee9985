"""Segments of HL7 v2 messages: the fields of names, numbers, dates of birth, addresses and telephones.

A segment is a line of fields between "|", a field has components between "^", and may be repeated after "~". The fields
are those of the standard's chapters 3 (patients), 4 (orders) and 6 (insurance).
"""

import re
from collections.abc import Callable, Iterator
from functools import cache

from unname.taggers.rules.recogniser import DISTINCT
from unname.types import Span

# Of a segment: kind of value and the numbers of its fields.
_FIELDS = {
    "PID": "id:2,3,4,18 name:5,6,9 date:7,29 address:11,23 phone:13,14 national:19,20,21",
    "NK1": "name:2,30 address:4,32 phone:5,6,7,31 date:16 id:12,33 national:37",
    "PV1": "person:7,8,9,17,52 id:5,19,50",
    "PD1": "person:4",
    "IN1": "policy:36,49 name:16 date:18 address:5,19,44 phone:7,63 id:2,8",
    "IN2": "national:2,6,8,61 name:9,40,52",
    "GT1": "id:2 name:3,4,42 address:5,17 phone:6,7,18 date:8 national:12",
    "ORC": "person:10,11,12,19 phone:14,23 address:24",
    "OBR": "person:10,16,28,32,33 phone:17",
    "ROL": "person:4",
    "MRG": "id:1,2,3,4 name:7",
}
# The label of a kind's components in order; "-" is left: a type, a state, a country.
_COMPONENTS = {
    "id": "RECORD", "national": "NATIONAL_ID", "policy": "NATIONAL_ID", "date": "DATE", "name": "NAME NAME NAME",
    "person": "RECORD NAME NAME NAME", "address": "ADDRESS ADDRESS ADDRESS - POSTCODE",
    "phone": "PHONE - - EMAIL PHONE PHONE PHONE PHONE - - - PHONE",
}  # fmt: skip
_SEGMENT = re.compile(rf"(?<!\S)(?P<name>{'|'.join(_FIELDS)})\|(?P<fields>[^\r\n]*)")
_VALUE = re.compile(r"[^\W_](?:[^~^]*[^\W_)])?|\([^~^]*[^\W_]")


def in_segments(text: str, clock: Callable[[], None]) -> Iterator[Span]:
    """The identifiers in the fields of segments, component by component."""
    kinds = _kinds()
    for segment in _SEGMENT.finditer(text) if "|" in text else ():
        clock()
        at = segment.start("fields")
        for number, field in enumerate(text[at : segment.end()].split("|"), start=1):
            kind = kinds[segment["name"]].get(number)
            if kind and field:
                yield from _components(field, at, _COMPONENTS[kind].split())
            at += len(field) + 1


@cache
def _kinds() -> dict[str, dict[int, str]]:
    return {
        name: {
            int(n): kind
            for kind, _, numbers in (row.partition(":") for row in rows.split())
            for n in numbers.split(",")
        }
        for name, rows in _FIELDS.items()
    }


def _components(field: str, at: int, labels: list[str]) -> Iterator[Span]:
    place = 0
    for part in re.finditer(r"[^~^]+|[~^]", field):
        if part[0] == "^":
            place += 1
        elif part[0] == "~":
            place = 0
        elif place < len(labels) and labels[place] != "-" and (value := _VALUE.search(part[0])):
            start = at + part.start()
            yield Span(start + value.start(), start + value.end(), labels[place], score=DISTINCT)
