"""HL7 FHIR in JSON: bundles, lists and lines of resources. Patients are people; what others say in words are documents.

A document is a DocumentReference or DiagnosticReport with its attachments of text (base64 in the resource), conclusion and
notes, a Composition with its sections, or any other resource with notes (Observation: also its text value). Its id is kind
and id of the resource, its person the Patient it refers to. Attachments of other kinds, and those that stand elsewhere, are
counted and said. Source: FHIR R4 and R5, the definitions of these resources.
"""

import base64
import binascii
import html
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from unname.errors import SettingsError
from unname.storage.dialects import Dialect
from unname.storage.faults import TOO_LONG, Faults
from unname.storage.formats.archives import is_archive
from unname.storage.formats.sources import Row, Rows, ending_of, opened
from unname.storage.jsonrows import json_objects, json_value
from unname.storage.lines import beginning, numbered_lines
from unname.storage.notices import counted, notice

ENDINGS = (".ndjson", ".json", ".jsonl", ".ndjson.gz", ".json.gz", ".jsonl.gz")
_LINES = (".ndjson", ".jsonl", ".ndjson.gz", ".jsonl.gz")
_IS_FHIR = re.compile(rb'"resourceType"\s{0,20}:\s{0,20}"[A-Z][A-Za-z]{2,60}"')
_LOOKED_AT = 1 << 16
_CHARSET = re.compile(r"charset\s?=\s?[\"']?([\w.:-]{1,40})")
_TAG = re.compile(r"<[^<>]{0,2000}>")
# What is in a Patient's place, where a resource calls it otherwise.
_ABOUT = ("subject", "patient", "for", "individual")


def is_fhir(path: Path) -> bool:
    """True if a file of JSON begins as resources do."""
    if not path.is_file() or not ending_of(path.name, ENDINGS):
        return False
    return _IS_FHIR.search(beginning(path, _LOOKED_AT)) is not None


def fhir_records(path: Path, faults: Faults) -> Rows:
    """(number of the resource from 1, row) of every document in a file, folder or archive."""
    renamed: dict[str, str] | None = None
    left = 0
    for number, _, resource in _resources(path, faults):
        kind, name = resource.get("resourceType"), resource.get("id")
        if kind in ("Patient", "Binary"):
            continue
        texts, others = _texts(resource)
        left += others
        if not texts:
            continue
        about = _referred(resource)
        if about is not None and renamed is None and ":" in about:
            renamed = _renamed(path)
        person = None if about is None else (renamed or {}).get(_tail(about), _tail(about))
        known = name if isinstance(name, str) and name else str(number)
        yield number, {"id": f"{kind}/{known}", "text": "\n\n".join(texts), "person": person, "resource": str(kind)}
    if left:
        notice(path, f"{counted(left, 'attachment')} without text (of another kind, or elsewhere) left out")


def fhir_people(path: Path, faults: Faults) -> Rows:
    """(number of the resource from 1, {"id", "fields"}) of every Patient."""
    for number, address, resource in _resources(path, faults):
        if resource.get("resourceType") == "Patient":
            yield number, {"id": resource.get("id") or _tail(address), "fields": _fields(resource)}


def _resources(path: Path, faults: Faults) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    """(number, address if one is told, resource) of all that a source holds; what is none is a fault."""
    for number, (problem, value) in enumerate(_values(path), start=1):
        address = ""
        if isinstance(value, Mapping) and "resourceType" not in value:
            address, value = str(value.get("fullUrl") or ""), value.get("resource")
        if isinstance(value, Mapping) and isinstance(value.get("resourceType"), str):
            yield number, address, value
        elif problem or value is not None:
            faults.add(number, "", problem or "no FHIR resource")


def _values(path: Path) -> Iterator[tuple[str, Any]]:
    """(what is wrong, else empty; a resource, or the entry of a bundle that holds one)."""
    if path.is_file() and not is_archive(path):
        if ending_of(path.name, _LINES):
            for _, line in numbered_lines(path):
                if line is None or line.strip():
                    yield (TOO_LONG, None) if line is None else json_value(line)
        elif _starts_alone(path):
            with opened(path, ENDINGS) as source:
                yield _read(source.read(source.names[0]))
        else:
            yield from (("", value) for _, value in json_objects(path, "entry"))
        return
    with opened(path, ENDINGS) as source:
        for name in source.names:
            content = source.read(name)
            if isinstance(content, bytes) and ending_of(name, _LINES):
                yield from (json_value(line) for line in content.splitlines() if line.strip())
                continue
            problem, value = _read(content)
            entries = value.get("entry") if isinstance(value, Mapping) else value
            if isinstance(entries, list):
                yield from (("", entry) for entry in entries)
            else:
                yield problem, value


def _read(content: bytes | str) -> tuple[str, Any]:
    return (content, None) if isinstance(content, str) else json_value(content)


def _starts_alone(path: Path) -> bool:
    """True if a file is one resource, and neither a bundle nor a list."""
    start = beginning(path, _LOOKED_AT)
    kind = _IS_FHIR.search(start)
    return start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and kind is not None and b'"Bundle"' not in kind[0]


def _texts(resource: Mapping[str, Any]) -> tuple[list[str], int]:
    """The texts of a resource, and the number of its attachments that are no text."""
    kind, texts, left = resource["resourceType"], [], 0
    attachments = [item.get("attachment") for item in _objects(resource.get("content"))]
    attachments += _objects(resource.get("presentedForm"))
    if kind == "Communication":
        attachments += [item.get("contentAttachment") for item in _objects(resource.get("payload"))]
        texts += [item["contentString"] for item in _objects(resource.get("payload")) if "contentString" in item]
    for attachment in attachments:
        text = _attached(attachment) if isinstance(attachment, Mapping) else None
        if text is None:
            left += 1
        else:
            texts.append(text)
    texts += [resource.get("conclusion"), resource.get("description") if kind == "ClinicalImpression" else None]
    texts.append(resource.get("valueString") if kind == "Observation" else resource.get("summary"))
    texts += [note.get("text") for note in _objects(resource.get("note"))]
    if kind == "Composition":
        texts += _sections(resource.get("section"), 0)
    return [text for text in texts if isinstance(text, str) and text.strip()], left


def _sections(sections: Any, depth: int) -> list[str]:
    texts: list[str] = []
    for section in _objects(sections) if depth < 10 else ():
        text = section.get("text")
        said = text.get("div") if isinstance(text, Mapping) else None
        title = section.get("title")
        texts += [
            part for part in (title, _without_tags(said) if isinstance(said, str) else None) if isinstance(part, str)
        ]
        texts += _sections(section.get("section"), depth + 1)
    return texts


def _attached(attachment: Mapping[str, Any]) -> str | None:
    """The text of an attachment; None where it is of another kind, stands elsewhere, or is damaged."""
    kind, data = str(attachment.get("contentType") or "text/plain").lower(), attachment.get("data")
    if not isinstance(data, str) or not kind.startswith(("text/", "application/xhtml")):
        return None
    try:
        content = base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    text = _decoded(content, kind)
    if text is None:
        return None
    return _without_tags(text) if "html" in kind else text


def _decoded(content: bytes, kind: str) -> str | None:
    """The text of an attachment in UTF-8, or else in the encoding that its kind names; None where it is in neither."""
    said = _CHARSET.search(kind)
    named = said[1] if said else "utf-8"
    for encoding in (named, "utf-8-sig") if named.startswith("utf-") else ("utf-8-sig", named):
        try:
            return content.decode(Dialect(encoding=encoding).encoding or encoding).removeprefix("\ufeff")
        except (SettingsError, ValueError):
            continue
    return None


def _without_tags(text: str) -> str:
    return html.unescape(_TAG.sub(" ", text)).strip()


def _objects(value: Any) -> list[Mapping[str, Any]]:
    several = value if isinstance(value, list) else [value]
    return [item for item in several if isinstance(item, Mapping)]


def _reference(value: Any) -> Any:
    first = next(iter(_objects(value)), {})
    return first.get("reference")


def _referred(resource: Mapping[str, Any]) -> str | None:
    """The address of the Patient that a resource is about."""
    said = next((_reference(resource[key]) for key in _ABOUT if _reference(resource.get(key))), None)
    return said if isinstance(said, str) else None


def _tail(address: str) -> str:
    """The id at the end of an address: `Patient/7`, `https://…/Patient/7/_history/2`, `urn:uuid:…`."""
    return address.partition("/_history/")[0].rpartition("/")[2].rpartition(":")[2].removeprefix("#")


def _renamed(path: Path) -> dict[str, str]:
    """The id of each Patient whose address ends in something else."""
    renamed = {}
    for _, address, resource in _resources(path, Faults(path, listed=False)):
        name = resource.get("id")
        if resource["resourceType"] == "Patient" and isinstance(name, str) and address and _tail(address) != name:
            renamed[_tail(address)] = name
    return renamed


def _fields(patient: Mapping[str, Any]) -> Row:
    """The fields of a Patient, by names that say what each is."""
    fields: dict[str, list[str]] = {}

    def say(name: str, *values: Any) -> None:
        for value in values:
            for item in value if isinstance(value, list) else [value]:
                text = str(item).strip() if isinstance(item, str | int | float) and not isinstance(item, bool) else ""
                if text and text not in fields.setdefault(name, []):
                    fields[name].append(text)

    for name in _objects(patient.get("name")):
        given = name.get("given")
        say("given_name", " ".join(map(str, given)) if isinstance(given, list) else given)
        say("family_name", name.get("family"))
        say("name", name.get("text"))
    say("birth_date", patient.get("birthDate"))
    say("gender", patient.get("gender"))
    say("death_date", patient.get("deceasedDateTime"))
    for contact in _objects(patient.get("telecom")):
        say("email" if contact.get("system") == "email" else "phone", contact.get("value"))
    for address in _objects(patient.get("address")):
        for ours, theirs in _ADDRESS.items():
            say(ours, address.get(theirs))
    for number in _objects(patient.get("identifier")):
        say(_kind_of(number), number.get("value"))
    for relative in _objects(patient.get("contact")):
        for name in _objects(relative.get("name")):
            given = " ".join(map(str, name.get("given") or ())) if isinstance(name.get("given"), list) else ""
            say("contact_name", name.get("text") or f"{given} {name.get('family') or ''}")
        say("contact_phone", *(item.get("value") for item in _objects(relative.get("telecom"))))
    for key in ("maritalStatus",):
        held = patient.get(key)
        say("marital_status", held.get("text") if isinstance(held, Mapping) else None)
    return {name: values[0] if len(values) == 1 else values for name, values in fields.items() if values}


_ADDRESS = {
    "street": "line", "town": "city", "district": "district", "state": "state", "postal_code": "postalCode",
    "country": "country", "address": "text",
}  # fmt: skip
_CODES = {"MR": "mrn", "SS": "ssn", "DL": "drivers_license", "PPN": "passport_number", "SB": "social_security_number"}


def _kind_of(number: Mapping[str, Any]) -> str:
    """The kind of an identifier, by the code of its type; the record number where it does not say."""
    held = number.get("type")
    codings = _objects(held.get("coding")) if isinstance(held, Mapping) else []
    return next(
        (_CODES[str(each.get("code"))] for each in codings if str(each.get("code")) in _CODES), "patient_number"
    )
