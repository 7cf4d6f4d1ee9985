"""FHIR: patients are people, and what other resources say in words are documents about them. All of it is made up."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from unname.errors import InputError
from unname.storage.documents import Columns, read_corpus, read_documents
from unname.storage.people import read_profiles
from unname.types import Document

CANARY = "Canarybird"
PATIENT = {
    "resourceType": "Patient", "id": "pat1", "birthDate": "1984-08-02", "gender": "female",
    "name": [{"use": "official", "family": "Abelsen", "given": ["Alma", "Q."]}, {"use": "maiden", "family": "Brandvik"}],
    "telecom": [{"system": "phone", "value": "0400-550017"}, {"system": "email", "value": "alma@mail.example"}],
    "address": [{"line": ["Elm Street 1", "Flat 2"], "city": "Gorsey", "postalCode": "01029"}],
    "identifier": [{"type": {"coding": [{"code": "MR"}]}, "value": "7000001"}, {"value": "X-77"}],
    "contact": [{"name": {"family": "Abelsen", "given": ["Ruth"]}, "telecom": [{"value": "0900-111"}]}],
    "active": True, "photo": [{"data": "AAAA"}],
}  # fmt: skip
FIELDS = {
    "birth_date": "1984-08-02", "gender": "female", "given_name": "Alma Q.", "family_name": "Abelsen | Brandvik",
    "phone": "0400-550017", "email": "alma@mail.example", "street": "Elm Street 1 | Flat 2", "town": "Gorsey",
    "postal_code": "01029", "mrn": "7000001", "patient_number": "X-77", "contact_name": "Ruth Abelsen",
    "contact_phone": "0900-111",
}  # fmt: skip


def attached(text: str | bytes, kind: str = "text/plain") -> dict[str, Any]:
    content = text.encode() if isinstance(text, str) else text
    return {"attachment": {"contentType": kind, "data": base64.b64encode(content).decode()}}


def resource(kind: str, name: str, about: str = "Patient/pat1", **more: Any) -> dict[str, Any]:
    return {"resourceType": kind, "id": name, "subject": {"reference": about}, **more}


RESOURCES = [
    PATIENT,
    resource("DocumentReference", "d1", content=[attached("Alma Abelsen\ncame."), attached(b"%PDF", "application/pdf")]),
    resource("DiagnosticReport", "r1", presentedForm=[attached("Größe")["attachment"]], conclusion="All well."),
    resource("Observation", "o1", "https://a.example/fhir/Patient/pat1/_history/2", valueString="pale",
             note=[{"text": "tired"}]),
    resource("Observation", "o2", valueQuantity={"value": 3}),
    resource("Composition", "c1", section=[{"title": "Plan", "text": {"div": "<div><p>Rest &amp; soup</p></div>"}}]),
    resource("Observation", "o3", "urn:uuid:u-1", note=[{"text": "by address"}]),
]  # fmt: skip
READ = [
    ("DocumentReference/d1", "Alma Abelsen\ncame.", "pat1"), ("DiagnosticReport/r1", "Größe\n\nAll well.", "pat1"),
    ("Observation/o1", "pale\n\ntired", "pat1"), ("Composition/c1", "Plan\n\nRest & soup", "pat1"),
    ("Observation/o3", "by address", "pat1"),
]  # fmt: skip


def bundle() -> dict[str, Any]:
    entries: list[dict[str, Any]] = [{"resource": each} for each in RESOURCES]
    entries[0]["fullUrl"] = "urn:uuid:u-1"
    return {"resourceType": "Bundle", "type": "collection", "link": [], "entry": entries}


def as_read(documents: list[Document]) -> list[tuple[str, str, str | None]]:
    return [(d.id, d.text, d.person) for d in documents]


@pytest.mark.parametrize("name", ["a.json", "a.ndjson", "a.jsonl", "folder"])
def test_a_bundle_or_lines_hold_people_and_documents(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
        (path / "b.json").write_text(json.dumps(bundle()))
    elif name == "a.json":
        path.write_text(json.dumps(bundle(), indent=1))
    else:
        path.write_text("".join(json.dumps(each) + "\n" for each in RESOURCES[:-1]))
    wanted = READ if name in ("a.json", "folder") else READ[:-1]
    assert as_read(read_documents(path, Columns(format="fhir"))) == wanted
    assert "1 attachment without text" in caplog.text
    if name != "folder":
        assert as_read(read_corpus(path)) == wanted
        (profile,) = read_profiles(path)
        assert (profile.id, dict(profile.fields)) == ("pat1", FIELDS)


def test_one_resource_and_a_list_of_them_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(RESOURCES[1]))
    assert as_read(read_documents(path, Columns(format="fhir"))) == READ[:1]
    path.write_text(json.dumps(RESOURCES[:3]))
    assert as_read(read_documents(path, Columns(format="fhir"))) == READ[:2]


def test_resources_are_not_taken_for_a_table_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(bundle()))
    with pytest.raises(InputError, match="read them with --format fhir"):
        read_documents(path)


@pytest.mark.parametrize(
    "content, said",
    [
        ('{"resourceType": "Bundle", "entry": [{"resource": {"id": "Canarybird"}}]}', "record 1: no FHIR resource"),
        ('{"resourceType": "Bundle", "entry": [' + "[" * 100_000, "not valid JSON"),
        ('{"resourceType": "Bundle", "entry": ["Canarybird"]}', "nor an object with one such list"),
        ('{"resourceType": "Bundle", "entry": []}', "holds no documents"),
    ],
    ids=str.__len__,
)
def test_what_is_no_bundle_is_refused_and_never_quoted(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError, match=said) as caught:
        read_documents(path, Columns(format="fhir"))
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    "encoding, said",
    [
        ("latin-1", "iso-8859-1"),
        ("cp1252", "windows-1252"),
        ("utf-8", "ISO-8859-1"),
        ("utf-16", '"UTF-16"'),
        ("utf-8", ""),
    ],
)
def test_an_attachment_is_in_the_encoding_that_it_names(encoding: str, said: str, tmp_path: Path) -> None:
    kind = f"text/plain; charset={said}" if said else "text/plain"
    held = [attached("Füße, groß".encode(encoding), kind)]
    path = tmp_path / "a.json"
    path.write_text(json.dumps([resource("DocumentReference", "d", content=held)]))
    assert as_read(read_documents(path, Columns(format="fhir"))) == [("DocumentReference/d", "Füße, groß", "pat1")]


def test_attachments_that_are_damaged_or_elsewhere_are_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bad = [attached(b"\xff\xfe\xfa"), {"attachment": {"contentType": "text/plain", "data": "%%%"}},
           {"attachment": {"url": "Binary/1"}}, attached("<b>fine</b> &lt;x", "text/html")]  # fmt: skip
    path = tmp_path / "a.json"
    path.write_text(json.dumps([resource("DocumentReference", "d", content=bad)]))
    assert as_read(read_documents(path, Columns(format="fhir"))) == [("DocumentReference/d", "fine  <x", "pat1")]
    assert "3 attachments without text" in caplog.text
