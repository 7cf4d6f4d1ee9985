"""The second reading: it finds people in its own way, and takes nothing of the masking's code."""

import subprocess
import sys
from collections.abc import Mapping

import pytest

from tests.times import in_proportion
from unname.types import Profile
from unname.verifying.written import identifies

ADA = Profile("p000001", {
    "given name": "Ada", "family name": "Lovelace-Brömmel", "birth date": "1815-12-10", "phone": "+49 171 234 5678",
    "record": "AB-123456", "mail": "ada@quill.example", "street": "21 Quarry Bank", "trade": "countess",
})  # fmt: skip
DIRECT: Mapping[str, str] = {
    "given name": "name", "family name": "name", "birth date": "date", "phone": "contact", "record": "number",
    "mail": "contact", "street": "address",
}  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "seen by LOVELACE today", "Frau Brommel kam", "Frau Brömmel kam", "born 1815-12-10", "born 10.12.1815",
        "call +49 (171) 234-5678", "file AB 123456 was lost", "write to ada@quill.example", "lives at 21 Quarry Bank.",
        "Ada came", "ADA came", "born 10/12/15", "born 12-10-1815", "born 1815.12.10", "on 10 December 1815",
        "December 10th, 1815", "el 10 de diciembre de 1815", "am 10. Dezember 1815", "file AB123456", "file AB-12 34 56",
        "case P 000001", "08:30 10.12.1815", "Bett 3 10/12/1815", "on 5 May, 10 December 1815", "10 DE DICIEMBRE DE 1815",
        "10 de\u0301cembre 1815", "10 Dec '15", "10 dicembre 1815", "seen by [Lovelace] today",
    ],
)  # fmt: skip
def test_a_person_is_found_in_plain_spellings(text: str) -> None:
    assert identifies(ADA, DIRECT, text)


@pytest.mark.parametrize(
    "text",
    [
        "", "a countess of the mill", "[LOVELACE] [MASK] came", "born 1815", "call 171", "Love lace", "12.11.1815",
        "AB 1234567", "the quarry bank", "Lovelaces", "ada, a language", "10 December 1816", "10 Sundays 1815",
        "xAB123456", "case p0000012", "10.12.1915", "10 12 15", "12.08, 10 mg", "[ADA] [NAME_1] came",
    ],
)  # fmt: skip
def test_what_names_nobody_is_left_alone(text: str) -> None:
    assert not identifies(ADA, DIRECT, text)


@pytest.mark.parametrize(
    ("family", "text", "found"),
    [
        ("Lee", "Kim Lee came", True), ("Lee", "on the lee side", False), ("Wu", "Wu came", True), ("Wu", "wu came", False),
        ("李明", "昨天李明来了", True),
        ("김", "김 came", False), ("علي", "عليها", False), ("علي", "جاء علي", True), ("सुनीता", "सुनीता आई", True),
        ("Will", "Mr Will came", True), ("Will", "he will come", False), ("Sørensen", "Sorensen came", True),
        ("Éva", "E\u0301va came", True),
        ("de la Vega", "calle de la Paz", False), ("King Jr.", "Smith, Jr.", False),
        ("de la Vega", "la señora Vega", True),
    ],
)  # fmt: skip
def test_short_names_and_names_in_other_scripts(family: str, text: str, found: bool) -> None:
    assert identifies(Profile("p", {"family name": family}), {"family name": "name"}, text) is found


def test_a_long_run_of_letters_takes_no_longer_than_its_length() -> None:
    few, many = ("x " + "ACGT" * size for size in (25_000, 100_000))
    assert not identifies(ADA, DIRECT, many)
    assert in_proportion(lambda: identifies(ADA, DIRECT, few), lambda: identifies(ADA, DIRECT, many))


def test_nothing_is_direct_where_nobody_says_so() -> None:
    assert not identifies(ADA, {}, "Ada Lovelace-Brömmel, +49 171 234 5678")


def test_a_field_of_an_unknown_kind_is_a_name_without_figures_and_a_number_with_them() -> None:
    assert identifies(ADA, {"trade": ""}, "a Countess came") and identifies(ADA, {"record": ""}, "AB-123456")


def test_it_does_not_share_the_detector_of_the_masking() -> None:
    """With the leak scan and the normalised text broken, it reads on."""
    script = (
        "import unname.knowledge.leaks as l, unname.normalised as n\n"
        "l.DirectIdentifiers.find = n.normalised = None\n"
        "from unname.types import Profile\nfrom unname.verifying.written import identifies\n"
        "assert identifies(Profile('p', {'n': 'Lovelace'}), {'n': 'name'}, 'seen by Lovelace')\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
