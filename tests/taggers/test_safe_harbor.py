"""HIPAA's Safe Harbor: its 18 kinds, and what of a date, an age and a ZIP code is hidden."""

import pytest

from unname.protecting.tagged import rules, tagged_mandatory
from unname.taggers.rules.tagger import Rules
from unname.taggers.safe_harbor import KINDS, NOT_LOOKED_FOR, is_of_a_kind, looked_for, to_hide
from unname.text import words
from unname.types import Document, Span


def _hidden(text: str, hide: tuple[str, ...] = ("safe-harbor",)) -> list[str]:
    spans = tagged_mandatory((Rules(),), hide, Document("d", text), words(text))
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("seen on 3 May 2019", ["3 May"]), ("seen on 2019-06-07", ["06-07"]), ("seen on 08/09/2019", ["08/09"]),
        ("seen on 8/9/19", ["8/9/19"]), ("since 2018, 2015–2018", []), ("Sept. 1985", ["Sept"]),
        ("aged 46, 89 years old", []), ("aged 93, 104 years old", ["93", "104 years old"]),
        ("Boston, MA 02139", ["Boston", "02139"]), ("12 High Street", ["12 High Street"]),
        ("Dr. Kestrel", ["Kestrel"]), ("S/N: A1234B", ["A1234B"]), ("VIN 1M8GDM9AXKP042788", ["1M8GDM9AXKP042788"]),
    ],
)  # fmt: skip
def test_years_and_ages_up_to_89_stay(text: str, hidden: list[str]) -> None:
    assert _hidden(text) == hidden
    assert _hidden(text, ("Safe-Harbor",)) == hidden


def test_a_label_named_beside_it_is_hidden_whole() -> None:
    assert _hidden("seen on 3 May 2019", ("safe-harbor", "date")) == ["3 May 2019"]
    assert _hidden("seen on 3 May 2019, tel 555 0147", ("direct",)) == ["555 0147"]


def test_labels_of_other_taggers_go_where_they_may_be_of_a_kind() -> None:
    assert all(map(is_of_a_kind, ("PATIENT", "CITY", "HOSPITAL", "FECHAS", "PER", "GPE", "BADGE")))
    assert not any(map(is_of_a_kind, ("PROFESSION", "ORG", "MONEY", "LANGUAGE")))
    assert list(to_hide(Span(0, 10, "FECHAS"), "2019-06-07", ("safe-harbor",))) == [Span(5, 10, "FECHAS")]


def test_it_is_said_who_looked_for_each_of_the_18_kinds() -> None:
    said = looked_for(rules())
    assert len(KINDS) == len(said) == 18
    left = {kind for kind, how in said.items() if how == NOT_LOOKED_FOR}
    assert left == {"biometric identifiers", "photographs"}
    assert said["telephone numbers"] == "rules.v1: PHONE"
    assert set(looked_for(()).values()) == {NOT_LOOKED_FOR}
