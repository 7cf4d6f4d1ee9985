"""Direct identifiers as codes: which are seen, and which values only look like one."""

import hashlib

import pytest

from unname.knowledge.disguises import disguises_of
from unname.types import Profile

FIELDS = {"given name": "Ada", "family name": "Quillon", "birth date": "1969-08-29", "record number": "MG 4391207",
          "phone": "0170 5551234"}  # fmt: skip
DIRECT = {"given name": "name", "family name": "name", "birth date": "date", "record number": "number",
          "phone": "contact"}  # fmt: skip
ADA = disguises_of(Profile("p7", FIELDS), DIRECT)  # type: ignore[arg-type]


def digest(kind: str, value: str) -> str:
    return hashlib.new(kind, value.encode(), usedforsecurity=False).hexdigest()


@pytest.mark.parametrize(
    "value",
    ["x19690829", "29081969", "code 082969z", "690829", "92809691", "id4391207", "7021934", "k-4321555_0710",
     "nolliuq", digest("md5", "4391207"), digest("sha1", "MG 4391207"), digest("sha256", "Ada Quillon").upper(),
     digest("md5", "1969-08-29")[:12], digest("sha256", "ada")],
)  # fmt: skip
def test_an_identifier_in_another_form_is_seen(value: str) -> None:
    assert ADA.within(value)


@pytest.mark.parametrize(
    "value", ["north", "1969", "2908", "20230829", "x19690828", "a1b2c3d4", "5f" * 16, digest("md5", "4391208"), "77"]
)
def test_values_that_many_might_have_are_no_disguise(value: str) -> None:
    assert not ADA.within(value)


@pytest.mark.parametrize(("value", "own"), [("AQ", True), ("q.a.", True), ("A. Q.", True), ("aq69", True),
                                            ("A", False), ("AB", False), ("Ada", False), ("north", False)])  # fmt: skip
def test_initials_abbreviate_a_name(value: str, own: bool) -> None:
    assert ADA.abbreviates(value) is own


def test_a_person_without_direct_fields_has_no_disguise_but_the_id() -> None:
    bare = disguises_of(Profile("4391207", {"trade": "cooper"}), {})
    assert bare.within("x7021934") and not bare.within("cooper") and not bare.abbreviates("AQ")
