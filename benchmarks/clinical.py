"""Annotated clinical cases for the tagger benchmarks: MEDDOCAN from its archives, and made-up records."""

from random import Random

from benchmarks.corpora import data_folder
from unname.storage.documents import read_corpus
from unname.types import Document, Span


def meddocan(part: str) -> list[Document]:
    """The cases of `train` or `dev`, labels as annotated."""
    return read_corpus(data_folder() / "meddocan" / f"{part}.tar.gz", "brat")


_RECORD = """Name: {NAME}
Date of birth: {DATE}, {AGE}
Lives at {ADDRESS}, {POSTCODE} London. Tel: {PHONE}, fax: {FAX}
E-mail {EMAIL}; see {URL}, from {IP}
MRN: {RECORD}; account {IBAN}, card {CARD}; DNI {DNI}, social security number {SSN}, NI {NINO}
Seen by Dr {NAME2} on {DATE2}; application no. {CASE}. Licence plate: {PLATE}.
"""
_FIRST = ("Edwin", "Marta", "Ilse", "Bruno", "Clara", "Otto", "Nadia", "Hugo", "Rosa", "Viktor")
_LAST = ("Harrow", "Pinto", "Kramer", "Ferrand", "Lindqvist", "Marlowe", "Castell", "Novak", "Ortega", "Whitby")
_MONTHS = ("January", "March", "mayo", "August", "septiembre", "Dezember")


def made_up(count: int, seed: int = 0) -> list[Document]:
    """Records of people who do not exist, with one identifier of each kind and the spans to find."""
    return [_made_up(i, Random(f"{seed} {i}")) for i in range(count)]  # noqa: S311 (invented people)


def _made_up(number: int, draw: Random) -> Document:
    def digits(many: int) -> str:
        return "".join(draw.choice("0123456789") for _ in range(many))

    def name() -> str:
        return f"{draw.choice(_FIRST)} {draw.choice(_LAST)}"

    day, dni = draw.randint(1, 28), draw.randint(10**7, 10**8 - 1)
    iban = "ES00" + digits(20)
    check = 98 - int("".join(str(int(c, 36)) for c in iban[4:] + iban[:4])) % 97
    card = "4" + digits(14)
    total = sum(sum(divmod(int(c) * (2 - i % 2), 10)) for i, c in enumerate(card))
    values = {
        "NAME": name(), "NAME2": name(), "DATE": f"{day:02d}/{draw.randint(1, 12):02d}/{draw.randint(1930, 2005)}",
        "DATE2": f"{day} {draw.choice(_MONTHS)} {draw.randint(2001, 2019)}", "AGE": f"{draw.randint(1, 99)} years old",
        "ADDRESS": f"{draw.randint(1, 99)} {draw.choice(_LAST)} Street",
        "POSTCODE": f"SW{draw.randint(1, 9)}A {draw.randint(1, 9)}AA",
        "PHONE": f"+34 91{digits(1)} {digits(2)} {digits(2)} {digits(2)}", "FAX": f"020 7946 0{digits(3)}",
        "EMAIL": f"{draw.choice(_LAST).lower()}.{digits(2)}@post.example",
        "URL": f"https://www.{draw.choice(_LAST).lower()}.example/p/{digits(4)}",
        "IP": f"192.168.{draw.randint(1, 254)}.{draw.randint(1, 254)}", "RECORD": digits(7),
        "IBAN": f"ES{check:02d}" + iban[4:], "CARD": card + str(-total % 10),
        "DNI": f"{dni}{'TRWAGMYFPDXBNJZSQVHLCKE'[dni % 23]}",
        "SSN": f"{draw.randint(100, 600)}-{draw.randint(10, 99)}-{draw.randint(1000, 9999)}",
        "NINO": f"AB {digits(2)} {digits(2)} {digits(2)} C",
        "CASE": f"{draw.randint(1000, 99999)}/{digits(2)}", "PLATE": f"{draw.randint(1000, 9999)} BCD",
    }  # fmt: skip
    text, spans, rest = "", [], _RECORD
    while "{" in rest:
        before, _, rest = rest.partition("{")
        key, _, rest = rest.partition("}")
        text += before
        spans.append(Span(len(text), len(text) + len(values[key]), key.rstrip("2")))
        text += values[key]
    return Document(f"made-up {number}", text + rest, spans=tuple(spans))
