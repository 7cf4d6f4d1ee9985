"""General values of a person's texts: no more general than the crowds need, and counted for what they are."""

import datetime
import random
from dataclasses import replace
from typing import Any

import pytest
from made_settings import by_rules

from unname.errors import SettingsError, UnsafeReleaseError
from unname.protecting.look import general_values
from unname.protecting.outcomes import Outcome
from unname.protecting.result import Deidentified
from unname.transforms.base import seen_through
from unname.types import Document, Profile
from unname.verbs.deidentify.in_memory import deidentify
from unname.verifying.crowds import verify_crowds
from unname.verifying.recount import Recount

KEY = b"g" * 32
MEMBERS = ("bm25.v1", "ngrams.v1")
TRADES = ("nurse", "baker", "welder", "farmer", "clerk")


def _people() -> list[Profile]:
    lot = random.Random(5)
    days = [datetime.date(lot.randint(1940, 1989), lot.randint(1, 12), lot.randint(1, 28)) for _ in range(120)]
    return [
        Profile(f"p{i}", {"code": f"x{i}", "born": f"{day:%Y-%m-%d}", "trade": lot.choice(TRADES)})
        for i, day in enumerate(days)
    ]


PEOPLE = _people()


def _document(place: int, more: str = "") -> Document:
    fields = PEOPLE[place].fields
    born = datetime.date.fromisoformat(fields["born"])
    text = f"This {fields['trade']}, born on {born.day} {born:%B %Y}, came in the winter of 2019{more}."
    return Document(f"d{place}{more}", text, f"p{place}")


def _made(documents: list[Document], **more: Any) -> Deidentified:
    settings = by_rules(k=4, method="greedy", reidentifiers=("bm25", "ngrams"), transform="generalise", **more)
    return deidentify(documents, PEOPLE, settings=replace(settings, direct_only=("code",)), key=KEY)


@pytest.fixture(scope="module")
def made() -> Deidentified:
    return _made([_document(place) for place in range(24)])


def _fits(key: str, profile: Profile) -> bool:
    """A second reading of keys of dates."""
    kind, _, said = key.partition(":")
    start = profile.fields["born"][: {"decade": 3, "year": 4, "month": 7}[kind]]
    return start == said


def _crowd(text: str, document: Document, outcome: Outcome, recount: Recount) -> int:
    column = int(str(document.person)[1:])
    assert outcome.release is not None
    known = [
        (one.value, [place for place, profile in enumerate(PEOPLE) if _fits(one.key, profile)])
        for one in general_values(outcome.release, document.text) if _fits(one.key, PEOPLE[column])
    ] if text != outcome.release.text else []  # fmt: skip
    return recount.crowds([([text], column, known)])[0]


def test_crowds_are_the_smaller_of_two_readings_by_brute_force(made: Deidentified) -> None:
    recounts, general, smaller = {name: Recount(name, PEOPLE) for name in MEMBERS}, 0, 0
    for document, outcome in zip(made.documents, made.outcomes(), strict=True):
        assert outcome.release is not None
        texts = outcome.release.text, seen_through(outcome.release, general=True)
        general += texts[0] != texts[1]
        for name, recount in recounts.items():
            literal, known = (_crowd(text, document, outcome, recount) for text in texts)
            assert outcome.crowds[name] == min(literal, known) >= 4
            smaller += known < literal
    assert general >= 6, "too few general values to say anything"
    assert smaller, "whoever knows whom a value fits should count fewer"
    assert verify_crowds(made) == 5


def test_a_crowd_that_forgets_whom_a_value_fits_differs_from_its_recount(made: Deidentified) -> None:
    kinder = [
        replace(outcome, crowds={name: size + 1 for name, size in outcome.crowds.items()})
        for outcome in made.outcomes()
    ]
    with pytest.raises(UnsafeReleaseError):
        verify_crowds(replace(made, instead=dict(enumerate(kinder))))


def test_a_release_says_decades_where_it_hid_days() -> None:
    documents = [_document(place) for place in range(24)]
    plain = deidentify(
        documents, PEOPLE, key=KEY,
        settings=by_rules(k=4, method="greedy", reidentifiers=("bm25", "ngrams"), direct_only=("code",)),
    )  # fmt: skip
    general = _made(documents)
    spent = [0.0, 0.0]
    for place, made in enumerate((plain, general)):
        for outcome in made.outcomes():
            assert outcome.release is not None
            spent[place] += sum(not one.general for one in outcome.release.written.values())
    assert spent[1] < spent[0], "general values should stand for hidden words"
    texts = [str(text) for text in general.texts()]
    assert any(f"{decade}s" in text for decade in range(1940, 1990, 10) for text in texts)


def test_all_documents_of_a_person_count_what_is_known_once() -> None:
    made = _made([_document(place, more) for place in range(8) for more in ("", " too")])
    assert any(one.general for o in made.outcomes() if o.release for one in o.release.written.values())
    assert verify_crowds(made) == 5


def test_of_somebody_unknown_years_are_left() -> None:
    made = deidentify(
        [Document("d", "Seen on 3 May 1961, aged 47.", None)], [],
        settings=by_rules(k=1, transform="generalise", unknown_person="floor-only", hide=("all",), method="tagged"),
        key=KEY,
    )  # fmt: skip
    assert made.texts() == ["Seen on 1961, aged 40-49."]


def test_only_the_subject_of_a_document_can_be_protected() -> None:
    with pytest.raises(SettingsError, match="the subject"):
        _made([_document(0)], protect="everyone-known")
