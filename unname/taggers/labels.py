"""Labels that name a person directly, and labels that do so only together with others."""

from collections.abc import Sequence
from dataclasses import replace

from unname.errors import SettingsError
from unname.storage.formats import group_of
from unname.taggers.base import LearnedLabels, NamesLabels
from unname.types import Document

# Labels that identify somebody only together with more: our rules' labels, those of corpora of named entities, everyday
# words for such, and clinical ones, of which the rest are those of some groups.
_OURS = "DATE AGE POSTCODE ADDRESS QUASI"
_ENTITIES = """
ORG LOC MISC GPE FAC NORP NRP DEM DATETIME QUANTITY DATE_TIME TIME TITLE PREFIX ORGANIZATION LOCATION STREET_ADDRESS ZIP_CODE
CREATIVE-WORK PRODUCT GROUP CORPORATION EVENT WORK_OF_ART LAW LANGUAGE MONEY PERCENT ORDINAL CARDINAL
"""
# Those of the tagger that ships, and of taggers from elsewhere in our words.
_SHIPPED = "ORGANISATION PROFESSION ROLE PRIZE WORK DISEASE AMOUNT"
_EVERYDAY = "PLACE REGION COUNTY TOWN STREET NATIONALITY ETHNICITY RACE RELIGION GENDER SEX OCCUPATION JOB YEAR"
_CLINICAL = "OTHER SEXO_SUJETO_ASISTENCIA OTROS_SUJETO_ASISTENCIA"
_INDIRECT = frozenset(" ".join((_OURS, _SHIPPED, _ENTITIES, _EVERYDAY, _CLINICAL)).split())
_INDIRECT_GROUPS = frozenset(("PROFESSION", "LOCATION", "AGE", "DATE"))
# The kind of spans that nobody means to hide, in corpora that annotate them all the same (TAB).
NO_MASK = "no_mask"
ALL = "all"
DIRECT = "direct"
# The kinds of HIPAA's Safe Harbor (`unname.taggers.safe_harbor`).
SAFE_HARBOR = "safe-harbor"


def is_direct(label: str) -> bool:
    """Check whether a label names a person directly: true of all not known to need others, so also of a user's own."""
    name = label.upper()
    return name not in _INDIRECT and group_of(name) not in _INDIRECT_GROUPS


def labels_of(tagger: object) -> frozenset[str] | None:
    """The labels of a tagger, if it declares them."""
    if isinstance(tagger, NamesLabels):
        return frozenset(tagger.labels)
    if isinstance(tagger, LearnedLabels) and tagger.labels_:
        return frozenset(label[2:] for label in tagger.labels_ if label[1:2] == "-")
    return None


def wanted(label: str, hide: Sequence[str]) -> bool:
    """Check whether spans of a label are to be hidden: `all`, `direct` ones, labels, or groups of i2b2 and MEDDOCAN."""
    upper, named = label.upper(), {name.upper() for name in hide}
    direct = DIRECT.upper() in named and is_direct(label)
    return ALL.upper() in named or direct or upper in named or group_of(upper) in named


def relabelled(document: Document, labels: Sequence[str] = (), *, by: str = "label") -> Document:
    """A document with the spans to learn: those of some labels, less those that are not meant to be hidden.

    `by` is `label`, or `kind`: then a span's kind (direct, quasi) is learned, whatever its label; or `any`: all
    are one.
    """
    if by not in ("label", "kind", "any"):
        raise SettingsError("label-by must be label, kind or any")
    kept = [s for s in document.spans if s.kind != NO_MASK and (not labels or wanted(s.label, labels))]
    if by == "kind":
        kept = [replace(s, label=s.kind.upper()) for s in kept if s.kind]
    elif by == "any":
        kept = [replace(s, label="PHI") for s in kept]
    return replace(document, spans=tuple(kept))
