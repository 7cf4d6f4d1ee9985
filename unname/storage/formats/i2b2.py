"""XML of the i2b2 2014 challenge and of MEDDOCAN: a text in CDATA and a list of tags with offsets.

A span's label is the tag's TYPE. The element's name is only the group that the TYPE belongs to (`group_of`); it is not
kept, as it follows from the label. A document's id is the file's name, or an attribute `id` of the root where a name
cannot hold it. Source: Stubbs & Uzuner 2015; Marimon et al. 2019 (MEDDOCAN).

MAE 2 writes offsets as `spans="3~9"`. In i2b2 2006 a file holds many records, and tags stand in the text
(`<PHI TYPE="PATIENT">`); both are read by the root and the attributes that a file has.

Line ends: XML makes every CR LF, and every CR, a line feed, and offsets count the text after that. Where a file's quotes
fit only the text as it was written, with its CRs, that text is taken.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from xml.parsers import expat

from unname.errors import InputError
from unname.storage.faults import NOT_UTF8, Faults
from unname.storage.formats.quotes import Quote, first_misfit, placed
from unname.storage.formats.sources import Row, Rows, opened, stem_of
from unname.storage.spans import other_unit
from unname.types import Document

ENDINGS = (".xml",)
ROOTS = {"i2b2": "deIdi2b2", "meddocan": "MEDDOCAN"}
_GROUPS = {
    "NAME": "PATIENT DOCTOR USERNAME NOMBRE_SUJETO_ASISTENCIA NOMBRE_PERSONAL_SANITARIO",
    "PROFESSION": "PROFESSION PROFESION",
    "LOCATION": "ROOM DEPARTMENT HOSPITAL ORGANIZATION STREET CITY STATE COUNTRY ZIP LOCATION-OTHER CALLE TERRITORIO PAIS"
    " CENTRO_SALUD INSTITUCION",
    "AGE": "AGE EDAD_SUJETO_ASISTENCIA",
    "DATE": "DATE FECHAS",
    "CONTACT": "PHONE FAX EMAIL URL IPADDR IPADDRESS CORREO_ELECTRONICO NUMERO_FAX NUMERO_TELEFONO URL_WEB"
    " DIREC_PROT_INTERNET",
    "ID": "SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE BIOID IDNUM ID_ASEGURAMIENTO"
    " ID_CONTACTO_ASISTENCIAL ID_EMPLEO_PERSONAL_SANITARIO ID_SUJETO_ASISTENCIA ID_TITULACION_PERSONAL_SANITARIO"
    " IDENTIF_BIOMETRICOS IDENTIF_DISPOSITIVOS_NRSERIE IDENTIF_VEHICULOS_NRSERIE_PLACAS NUMERO_BENEF_PLAN_SALUD",
}
_GROUP_OF = {label: group for group, labels in _GROUPS.items() for label in labels.split()}
# i2b2 2006: the elements, each within the one before it.
_INLINE = "ROOT"
_NESTED = (_INLINE, "RECORD", "TEXT", "PHI")
_ROOT = re.compile(r"<([A-Za-z_][\w.-]*)")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OFFSET = re.compile(r"[0-9]{1,9}")
_IN_QUOTES = {ord(c): f"&#{ord(c)};" for c in '&<>"\n\r\t'}
_MOST_TAGS = 1_000_000


def group_of(label: str) -> str:
    """The group of a label in i2b2 2014 or MEDDOCAN, such as NAME of PATIENT; OTHER for one that neither has."""
    return _GROUP_OF.get(label, label if label in _GROUPS else "OTHER")


def xml_records(path: Path, faults: Faults) -> Rows:
    """(number of the file from 1 in name order, row) of every `.xml` file of a folder or archive, or of one file."""
    with opened(path, ENDINGS) as source:
        for number, name in enumerate(source.names, start=1):
            content = source.read(name)
            try:
                if isinstance(content, str):
                    raise _CorpusError("", content)
                yield from ((number, {"id": stem_of(name, ENDINGS), **row}) for row in _rows(content))
            except _CorpusError as error:
                faults.add(number, error.field, error.problem)


class _CorpusError(Exception):
    """A fault of a file, and its place; in words of ours."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(problem)
        self.field, self.problem = field, problem


def _rows(content: bytes) -> list[Row]:
    """The document of a file, or of i2b2 2006, whose files hold several and mark them within the text, all of them."""
    try:
        written = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _CorpusError("", NOT_UTF8) from None
    root = _ROOT.search(written)
    if root is not None and root[1] == _INLINE:
        inline = _Inline()
        _parse(written, inline)
        return inline.rows
    return [_row(written)]


def _row(written: str) -> Row:
    content = _parsed(written)
    quotes = [Quote(stretches, said) for stretches, _, said in content.tags]
    readings = ["".join(content.text)]
    if "\r" in written and first_misfit(readings[0], quotes) is not None:
        readings.append(_with_returns(written))
    found_at = placed(readings, quotes)
    if found_at is None:
        wrong = (first_misfit(readings[0], quotes) or 0) + 1
        raise _CorpusError(f"tag {wrong}", "the text does not have at its offsets what the tag quotes")
    text, quotes = found_at
    if not any(said for _, _, said in content.tags) and (problem := other_unit(_stretches(quotes), text)):
        raise _CorpusError("TAGS", problem)
    spans = [
        {"start": start, "end": end, "label": label} | ({"entity": f"tag {place}"} if len(stretches) > 1 else {})
        for place, ((_, label, _), (stretches, _)) in enumerate(zip(content.tags, quotes, strict=True), start=1)
        for start, end in stretches
    ]
    return {"text": text, "spans": spans, **({"id": content.id} if content.id is not None else {})}


def _stretches(quotes: Iterable[Quote]) -> list[tuple[int, int]]:
    return [stretch for quote in quotes for stretch in quote.stretches]


def _with_returns(written: str) -> str:
    """The text of a file with its carriage returns, which a parser would make line feeds."""
    before, start, rest = written.partition("<TEXT")
    inside, end, after = rest.rpartition("</TEXT>")
    stand_in = next(c for c in map(chr, range(0xE000, 0xF900)) if c not in written)
    parsed = _parsed(before + start + inside.replace("\r", stand_in) + end + after)
    return "".join(parsed.text).replace(stand_in, "\r")


def _parsed(written: str) -> "_Content":
    content = _Content()
    _parse(written, content)
    if "TEXT" not in content.seen:
        raise _CorpusError("TEXT", "missing")
    return content


def _parse(written: str, content: "_Content | _Inline") -> None:
    parser = expat.ParserCreate("UTF-8")
    parser.buffer_text = True
    parser.XmlDeclHandler = content.declared
    parser.StartDoctypeDeclHandler = content.doctype
    parser.StartElementHandler = content.start
    parser.EndElementHandler = content.end
    parser.CharacterDataHandler = content.characters
    try:
        parser.Parse(written.encode(), True)
    except expat.ExpatError as error:
        raise _CorpusError(f"line {error.lineno}", "not well-formed XML") from None


class _Careful:
    """Refuses what no format here needs: entities, which could be bombs or files, and other encodings."""

    def declared(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.lower() not in ("utf-8", "utf8", "us-ascii", "ascii"):
            raise _CorpusError("", f"declares another encoding: {NOT_UTF8}")

    def doctype(self, *_: Any) -> None:
        raise _CorpusError("", "has a DOCTYPE, which could define entities; this format needs none")


class _Inline(_Careful):
    """Takes in records of i2b2 2006: `<RECORD ID><TEXT>… <PHI TYPE="PATIENT">name</PHI> …</TEXT></RECORD>`."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._open: list[str] = []
        self._text: list[str] = []
        self._at = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        place = f"record {len(self.rows)}" if self.rows else ""
        if len(self._open) > 3 or name != _NESTED[len(self._open)]:
            raise _CorpusError(place, "an element that i2b2 2006 does not have where it stands")
        if name == "RECORD":
            self.rows.append({"text": "", "spans": []} | ({"id": attributes["ID"]} if attributes.get("ID") else {}))
            self._text, self._at = [], 0
        elif name == "PHI":
            if not attributes.get("TYPE"):
                raise _CorpusError(place, "a PHI has no TYPE, which is its label")
            self.rows[-1]["spans"].append({"start": self._at, "end": self._at, "label": attributes["TYPE"]})
        self._open.append(name)

    def end(self, name: str) -> None:
        self._open.pop()
        if name == "PHI":
            spans = self.rows[-1]["spans"]
            spans[-1]["end"] = self._at
            if spans[-1]["start"] == self._at:
                spans.pop()  # nothing is marked
        elif name == "TEXT":
            self.rows[-1]["text"] = "".join(self._text)

    def characters(self, text: str) -> None:
        if "TEXT" in self._open:
            self._text.append(text)
            self._at += len(text)
        elif text.strip():
            raise _CorpusError("", "text stands outside of TEXT")


class _Content(_Careful):
    """Takes in what a parser meets, and refuses all that the format does not have: it is three levels deep and no more."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.tags: list[tuple[tuple[tuple[int, int], ...], str, str | None]] = []
        self.id: str | None = None
        self.seen: set[str] = set()
        self._open: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        depth = len(self._open)
        if depth == 0 and name not in ROOTS.values():
            raise _CorpusError("", f"the root must be {' or '.join(ROOTS.values())}")
        if depth == 1 and (name not in ("TEXT", "TAGS") or name in self.seen):
            raise _CorpusError("", "below the root must be one TEXT and one TAGS, and nothing else")
        if depth > 2 or self._open[1:] == ["TEXT"]:
            raise _CorpusError("", "an element stands deeper than the format has any")
        if depth == 0:
            self.id = attributes.get("id")
        elif depth == 1:
            self.seen.add(name)
        else:
            self._tag(attributes)
        self._open.append(name)

    def _tag(self, attributes: Mapping[str, str]) -> None:
        stretches = self._stretches(attributes)
        if stretches is None:
            return
        if len(self.tags) == _MOST_TAGS:
            raise _CorpusError("TAGS", f"more than {_MOST_TAGS} tags")
        label = attributes.get("TYPE")
        if not label:
            raise _CorpusError(f"tag {len(self.tags) + 1}", "has no TYPE, which is its label")
        self.tags.append((stretches, label, attributes.get("text")))

    def _stretches(self, attributes: Mapping[str, str]) -> tuple[tuple[int, int], ...] | None:
        """The place of a tag: from `start` to `end`, or in MAE 2 `spans` such as 3~9 or 3~9,12~20; None: nowhere (-1~-1)."""
        said = attributes.get("spans", f"{attributes.get('start', '')}~{attributes.get('end', '')}")
        if said == "-1~-1":
            return None
        pairs = [pair.split("~") for pair in said.split(",")]
        if not all(len(pair) == 2 and all(map(_OFFSET.fullmatch, pair)) for pair in pairs):
            raise _CorpusError(f"tag {len(self.tags) + 1}", "start and end must be offsets")
        return tuple((int(start), int(end)) for start, end in pairs)

    def end(self, _: str) -> None:
        self._open.pop()

    def characters(self, text: str) -> None:
        if self._open[1:] == ["TEXT"]:
            self.text.append(text)
        elif text.strip():
            raise _CorpusError("", "text stands outside of TEXT")


def xml_file(document: Document, *, format: str, name: str, number: int) -> bytes:
    """A document as a file of that name: label and offsets of its spans; kind, entity and score have no place in it.

    InputError: a character that XML cannot hold.
    """
    for field, value in (("id", document.id), ("text", document.text), *(("spans", s.label) for s in document.spans)):
        if _NO_XML.search(value):
            raise InputError(f"document {number}: field {field!r}: holds a character that XML cannot hold")
    text = document.text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    prefix, root = "P" if format == "i2b2" else "T", ROOTS[format]
    kept = "" if name == document.id else f" id={_quoted(document.id)}"
    lines = [f'<?xml version="1.0" encoding="UTF-8"?>\n<{root}{kept}>\n<TEXT><![CDATA[{text}]]></TEXT>\n<TAGS>']
    for place, span in enumerate(document.spans, start=1):
        said, label = _quoted(document.text[span.start : span.end]), _quoted(span.label)
        lines.append(
            f'<{group_of(span.label)} id="{prefix}{place}" start="{span.start}" end="{span.end}" text={said}'
            f' TYPE={label} comment=""/>'
        )
    return "\n".join([*lines, "</TAGS>", f"</{root}>", ""]).encode()


def _quoted(value: str) -> str:
    return f'"{value.translate(_IN_QUOTES)}"'
