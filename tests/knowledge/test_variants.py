"""Written forms of values: every form that a text is likely to hold, and nothing that says nothing."""

import pytest

from unname.knowledge.variants import terms_of


def forms(relation: str, value: str) -> set[str]:
    return {" ".join(term) for term in terms_of(relation, value)}


@pytest.mark.parametrize(
    ("relation", "value", "expected"),
    [
        ("date of birth", "1992-08-05", {"1992 08 05", "august 1992", "aug 1992", "1992"}),
        ("year of birth", "c. 1809", {"1809"}),
        ("name", "Leandro Micael Gomes Albano", {"leandro albano", "l albano", "albano", "leandro m g albano"}),
        ("name", "Doe, John", {"john doe", "j doe", "jack doe", "doe"}),
        ("nationality", "Austrian", {"austria", "austrian"}),
        ("country", "UNITED STATES", {"united states", "american", "usa", "u s"}),
        ("state of birth", "KY", {"kentucky"}),
        ("constituency", "Ohio's 1st congressional district", {"ohio", "1st congressional district"}),
        ("name", "Bernhard R%C3%BChling", {"bernhard ruhling"}),
        ("occupation", "judge | lawyer", {"judge", "lawyer"}),
    ],
)  # fmt: skip
def test_forms(relation: str, value: str, expected: set[str]) -> None:
    assert expected <= forms(relation, value)


@pytest.mark.parametrize("value", ["Unknown", "D", "7", "the", "", " ".join(["word"] * 30), "of the"])
def test_values_that_say_nothing_are_no_terms(value: str) -> None:
    assert forms("party", value) == set()


def test_forms_of_the_user() -> None:
    found = terms_of("place", "Lisbon", {("lisbon",): [("lisboa",)]})
    assert found == [("lisbon",), ("lisboa",)]
