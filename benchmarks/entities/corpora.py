"""Corpora whose licence allows learning a model that ships, in the tagger's labels, and what each leaves open.

wikigold, WNUT17, BTC, MEDDOCAN: CC BY 4.0; TAB and synthetic_pii: MIT. A corpus marks some kinds only: where it marks nothing
there may be something of the others, and where it marks a kind of its own there may be one of several of ours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from benchmarks.clinical import meddocan
from benchmarks.corpora import data_folder
from benchmarks.tagging import synthetic
from unname.storage.documents import read_corpus, read_documents
from unname.taggers.base import without_overlaps
from unname.types import Document

NOTHING = "O"
_FACTS = frozenset(
    ("AGE", "AMOUNT", "CONTACT", "DATE", "DISEASE", "EVENT", "GROUP", "ID", "PRIZE", "PROFESSION", "ROLE", "WORK", "ADDRESS")
)  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class Taught:
    """Documents to learn from; `open` are labels that unmarked words may have, `means` what each mark may stand for."""

    name: str
    documents: tuple[Document, ...]
    open: frozenset[str] = frozenset()
    means: Mapping[str, frozenset[str]] = field(default_factory=dict)


def _means(rows: str) -> dict[str, frozenset[str]]:
    """Rows of `THEIRS ours ours`; O stands for nothing."""
    return {theirs: frozenset(ours) for theirs, *ours in map(str.split, rows.strip().splitlines())}


_NAMED = _means("""
PER NAME
PERSON NAME
LOC PLACE
LOCATION PLACE
ORG ORGANISATION
CORPORATION ORGANISATION
GROUP ORGANISATION
CREATIVE-WORK WORK EVENT
PRODUCT O WORK ORGANISATION
MISC O GROUP EVENT WORK PRIZE ORGANISATION ROLE
""")
_CASES = _means("""
PERSON NAME O
LOC PLACE ADDRESS
ORG ORGANISATION
DEM GROUP PROFESSION ROLE DISEASE AGE O
DATETIME DATE AGE O
QUANTITY AMOUNT O
CODE ID
MISC O EVENT WORK ROLE PRIZE DISEASE PROFESSION
""")
_CLINICAL = _means("""
TERRITORIO PLACE ADDRESS
FECHAS DATE
EDAD_SUJETO_ASISTENCIA AGE
NOMBRE_SUJETO_ASISTENCIA NAME
NOMBRE_PERSONAL_SANITARIO NAME
SEXO_SUJETO_ASISTENCIA O
CALLE ADDRESS
PAIS PLACE
ID_SUJETO_ASISTENCIA ID
ID_TITULACION_PERSONAL_SANITARIO ID
CORREO_ELECTRONICO CONTACT
ID_ASEGURAMIENTO ID
HOSPITAL ORGANISATION
FAMILIARES_SUJETO_ASISTENCIA O AGE PROFESSION NAME
INSTITUCION ORGANISATION
ID_CONTACTO_ASISTENCIAL ID
NUMERO_TELEFONO CONTACT
PROFESION PROFESSION ROLE
NUMERO_FAX CONTACT
OTROS_SUJETO_ASISTENCIA O GROUP PROFESSION
CENTRO_SALUD ORGANISATION
""")
_SYNTHETIC = _means("""
PERSON NAME
STREET_ADDRESS ADDRESS PLACE
ADDRESS ADDRESS PLACE
GPE PLACE GROUP
LOCATION PLACE GROUP ADDRESS
ORGANIZATION ORGANISATION
CREDIT_CARD ID
DATE_TIME DATE
TITLE O
PREFIX O
PHONE_NUMBER CONTACT
AGE AGE
NRP GROUP PLACE
EMAIL_ADDRESS CONTACT
ZIP_CODE ADDRESS
DOMAIN_NAME CONTACT
URL CONTACT
IBAN_CODE ID
US_SSN ID
IP_ADDRESS CONTACT ID
US_DRIVER_LICENSE ID
""")


def corpora(names: Sequence[str] = ("wikigold", "wnut17", "btc", "meddocan", "tab", "synthetic")) -> list[Taught]:
    """The corpora to learn from, by name."""
    return [_taught(name) for name in names]


def _taught(name: str) -> Taught:
    if name == "meddocan":
        # What ails the patient is written throughout and marked nowhere.
        return Taught(name, tuple(meddocan("train")), _FACTS - {"AGE", "CONTACT", "DATE", "ID", "ADDRESS"}, _CLINICAL)
    if name == "tab":
        return Taught(name, tuple(court_cases()), frozenset(("PROFESSION", "ROLE", "DISEASE", "EVENT")), _CASES)
    if name == "synthetic":
        documents = [*synthetic("generated_large"), *synthetic("synth_dataset_v2")]
        return Taught(
            name, tuple(documents), frozenset(("PROFESSION", "ROLE", "AMOUNT", "EVENT", "DATE", "AGE")), _SYNTHETIC
        )
    read = read_corpus(data_folder() / "names" / f"{name}.tar.gz", "conll")
    return Taught(name, tuple(_joined(read) if name != "wikigold" else read), _FACTS, _NAMED)


def court_cases() -> list[Document]:
    """TAB with all that its annotators found, whether or not they would mask it."""
    read = read_documents(data_folder() / "tab" / "documents.jsonl.gz")
    return [replace(d, spans=tuple(without_overlaps(d.spans))) for d in read]


def _joined(documents: Sequence[Document], together: int = 4) -> list[Document]:
    """Short messages, several to a document."""
    found = []
    for at in range(0, len(documents), together):
        text, spans = "", []
        for document in documents[at : at + together]:
            spans += [replace(s, start=s.start + len(text), end=s.end + len(text)) for s in document.spans]
            text += document.text + "\n"
        found.append(Document(documents[at].id, text, spans=tuple(spans)))
    return found
