"""Which labels name a person directly, in the schemes of the corpora that taggers learn from and in our own rules."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from unname.errors import SettingsError
from unname.storage.formats import group_of
from unname.types import Document

_RULES = "NAME EMAIL URL PHONE FAX IP MAC IBAN CARD NATIONAL_ID RECORD PLATE"
_KINDS = "DIRECT PHI"
_CONLL = "PER PERSON FIRST_NAME LAST_NAME FULL_NAME FULLNAME ID USER_NAME"
_I2B2 = """
PATIENT DOCTOR USERNAME PHONE FAX EMAIL URL IPADDR SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE BIOID
IDNUM
"""
_MEDDOCAN = """
NOMBRE_SUJETO_ASISTENCIA NOMBRE_PERSONAL_SANITARIO FAMILIARES_SUJETO_ASISTENCIA NUMERO_TELEFONO NUMERO_FAX
CORREO_ELECTRONICO ID_SUJETO_ASISTENCIA ID_CONTACTO_ASISTENCIAL ID_ASEGURAMIENTO ID_TITULACION_PERSONAL_SANITARIO
ID_EMPLEO_PERSONAL_SANITARIO IDENTIF_VEHICULOS_NRSERIE_PLACAS IDENTIF_DISPOSITIVOS_NRSERIE DIREC_PROT_INTERNET URL_WEB
IDENTIF_BIOMETRICOS NUMERO_BENEF_PLAN_SALUD
"""
_TAB = "CODE"
_SYNTHETIC = "EMAIL_ADDRESS PHONE_NUMBER IP_ADDRESS DOMAIN_NAME US_SSN US_DRIVER_LICENSE CREDIT_CARD IBAN_CODE"
DIRECT_LABELS = frozenset(" ".join((_RULES, _KINDS, _CONLL, _I2B2, _MEDDOCAN, _TAB, _SYNTHETIC)).split())
_INDIRECT = "DATE AGE POSTCODE ADDRESS ACCOUNT QUASI"
# The kind of spans that nobody means to hide, in corpora that annotate them all the same (TAB).
NO_MASK = "no_mask"
ALL = "all"
DIRECT = "direct"


def wanted(label: str, hide: Sequence[str]) -> bool:
    """Whether spans of a label are among those to hide: `all`, `direct` ones, labels, or groups of i2b2 and MEDDOCAN."""
    said, named = label.upper(), {name.upper() for name in hide}
    direct = DIRECT.upper() in named and said in DIRECT_LABELS
    return ALL.upper() in named or direct or said in named or group_of(said) in named


def is_known(name: str, others: Collection[str] = ()) -> bool:
    """Whether a name to hide means anything: `all`, `direct`, a label or group of ours or theirs, or one of others."""
    said = name.upper()
    ours = DIRECT_LABELS | set(_INDIRECT.split()) | {ALL.upper(), DIRECT.upper()}
    return said in ours or said in {other.upper() for other in others} or group_of(said) != "OTHER"


def relabelled(document: Document, labels: Sequence[str] = (), *, by: str = "label") -> Document:
    """A document with the spans to learn: those of some labels, less those that nobody means to hide.

    `by` is `label`, or `kind`: then a span's kind (direct, quasi) is what is learned, whatever its label; or `any`: all
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
