"""Kinds of stand-ins by the labels of taggers, of i2b2 and of MEDDOCAN."""

import re
from functools import cache

DATE, AGE, CONTACT = "date", "age", "contact"
# Kinds of stretches by what their labels hold, in the order in which they are asked.
_KINDS = tuple((kind, re.compile(pattern)) for kind, pattern in (
    (DATE, r"DATE|DOB|BIRTH|FECHA|^YEAR$"),
    (AGE, r"^AGES?$|^EDAD"),
    ("email", r"MAIL|CORREO"),
    ("phone", r"PHONE|FAX|TELEFON|MOBILE|PAGER"),
    (CONTACT, r"^CONTACT$"),
    ("postcode", r"ZIP|POST_?CODE|POSTAL"),
    ("link", r"URL|^IP|IPADDR|LINK|WEB|USER_?NAME|DOMAIN|^MAC|INTERNET"),
    ("address", r"STREET|ADDRESS|CALLE"),
    ("profession", r"PROFES|OCCUPATION|^JOB|^TRADE"),
    ("organisation", r"^ORG|HOSPITAL|COMPANY|SCHOOL|UNIVERSIT|INSTITUC|CENTRO|EMPLOYER|CLINIC|CORPORATION"),
    ("place", r"^LOC|GPE|CITY|PLACE|TOWN|REGION|COUNTY|COUNTRY|STATE|TERRITORIO|PAIS|^FAC$"),
    ("identifier", r"(?:^|_)ID(?:$|_)|IDNUM|IDENTIF|NUM|SSN|RECORD|PLAN|ACCOUNT|IBAN|CARD|LICEN|PLATE|VEHIC|DEVICE|BIOID"
                   r"|PASSPORT|CERT|CODE"),
))  # fmt: skip


@cache
def kind_of(label: str) -> str:
    """The kind of stand-in for a label, such as `place` for `CITY`; empty where there is none."""
    return next((kind for kind, pattern in _KINDS if pattern.search(label.upper())), "")
