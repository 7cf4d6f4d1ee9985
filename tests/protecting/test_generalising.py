"""General values of a person's texts: no more general than the crowds need, and counted for what they are."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from made_settings import by_rules

from unname.errors import SettingsError, UnsafeReleaseError
from unname.protecting.look import general_keys
from unname.protecting.outcomes import Outcome
from unname.protecting.parts import Fitted
from unname.protecting.result import Deidentified
from unname.transforms.base import seen_through
from unname.types import Document, Profile, Span
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
    keys = [key for key in general_keys(outcome.release) if _fits(key, PEOPLE[column])]
    among = [place for place, profile in enumerate(PEOPLE) if all(_fits(key, profile) for key in keys)]
    return recount.crowds([([text], column, among)])[0]


def test_crowds_are_of_people_whom_values_fit_by_brute_force(made: Deidentified) -> None:
    recounts, general, smaller = {name: Recount(name, PEOPLE) for name in MEMBERS}, 0, 0
    for document, outcome in zip(made.documents, made.outcomes(), strict=True):
        assert outcome.release is not None
        texts = outcome.release.text, seen_through(outcome.release, general=True)
        general += texts[0] != texts[1]
        for name, recount in recounts.items():
            crowds = [_crowd(text, document, outcome, recount) for text in texts]
            assert outcome.crowds[name] == min(crowds) >= 4
            smaller += outcome.crowds[name] < recount.crowd([texts[0]], int(str(document.person)[1:]))
    assert general >= 4, "too few general values to say anything"
    assert smaller, "whoever knows whom a value fits should count fewer"
    assert verify_crowds(made) == 5


def test_a_value_that_most_people_share_leaves_nobody_in_a_crowd_whom_it_does_not_fit() -> None:
    years = [2021] * 60 + [2011] * 40
    trades = ["welder", *["clerk"] * 59, *["welder"] * 19, *["clerk"] * 21]
    people = [
        Profile(f"p{i}", {"code": f"x{i}", "admitted": str(year), "trade": trade})
        for i, (year, trade) in enumerate(zip(years, trades, strict=True))
    ]
    made = deidentify(
        [Document("d", "The welder was admitted on 3 May 2021 and went home.", "p0")], people, key=KEY,
        settings=by_rules(k=5, method="composed", reidentifiers=("bm25",), transform="generalise", hide=("all",),
                          direct_only=("code",)),
    )  # fmt: skip
    (text,), (outcome,) = made.texts(), made.outcomes()
    assert text is not None and outcome.release is not None
    if "2020s" in text or "2021" in text:
        fit = [person for person in people[:60] if "welder" not in text or person.fields["trade"] == "welder"]
        assert outcome.crowds["bm25.v1"] == len(fit) - 1
    assert outcome.crowds["bm25.v1"] >= 5


def test_a_crowd_that_forgets_whom_a_value_fits_differs_from_its_recount(made: Deidentified) -> None:
    kinder = [
        replace(outcome, crowds={name: size + 1 for name, size in outcome.crowds.items()})
        for outcome in made.outcomes()
    ]
    with pytest.raises(UnsafeReleaseError):
        verify_crowds(replace(made, instead=dict(enumerate(kinder))))


def test_a_release_says_decades_where_it_hid_days_and_hides_no_more() -> None:
    documents = [_document(place) for place in range(24)]
    plain = deidentify(
        documents, PEOPLE, key=KEY,
        settings=by_rules(k=4, method="greedy", reidentifiers=("bm25", "ngrams"), direct_only=("code",)),
    )  # fmt: skip
    general = _made(documents)
    for then, now in zip(plain.outcomes(), general.outcomes(), strict=True):
        assert then.release is not None and now.release is not None
        assert _spent(now) <= _spent(then)
    texts = [str(text) for text in general.texts()]
    assert any(f"{decade}s" in text for decade in range(1940, 1990, 10) for text in texts)


def _spent(outcome: Outcome) -> float:
    """Words hidden, those that a general value stands for as a quarter of a word."""
    assert outcome.release is not None
    places = ((outcome.release.pieces[at], one.general) for at, one in outcome.release.written.items())
    text = _document(int(outcome.mask.document[1:])).text
    return sum(len(text[start:end].split()) * (0.25 if general else 1) for (_, _, start, end), general in places)


def test_all_documents_of_a_person_count_what_is_known_once() -> None:
    made = _made([_document(place, more) for place in range(8) for more in ("", " too")])
    assert any(one.general for o in made.outcomes() if o.release for one in o.release.written.values())
    assert verify_crowds(made) == 5


def _of_nobody(text: str, **more: Any) -> str | None:
    settings = by_rules(
        k=1, transform="generalise", unknown_person="floor-only", method="tagged", **{"hide": ("all",), **more}
    )
    return deidentify([Document("d", text, None)], [], settings=settings, key=KEY).texts()[0]


def test_of_somebody_unknown_years_are_left() -> None:
    assert _of_nobody("Seen on 3 May 1961, aged 47.") == "Seen on 1961, aged 40-49."


def test_a_listed_word_is_hidden_wherever_it_stands() -> None:
    text = "Seen on 3 May 1961 and 4 March 1972, aged 47."
    assert _of_nobody(text, always=("1961", "47")) == "Seen on [DATE] and 1972, aged [MASK]."


def test_an_age_over_89_is_one_group_and_months_are_no_years() -> None:
    for text in ("A 92 y/o man.", "A 92-year-old man.", "Aged 92, a man."):
        said = str(_of_nobody(text, hide=("safe-harbor",)))
        assert "92" not in said and "90-9" not in said and "90\u201399" not in said, said
    assert "0-9" not in str(_of_nobody("A child, aged 6 months, slept."))


@dataclass(frozen=True)
class _OneSpan:
    """A tagger that finds one span in any text."""

    span: Span
    name: str = "one.v1"

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        return [[self.span] for _ in texts]


@pytest.mark.parametrize(
    ("text", "label", "said"),
    [
        ("Of {flat 12 Mill Road, Leeds} here", "LOCATION", "Of [LOCATION]United Kingdom here"),
        ("Of {45 Commando} here", "ORG", "Of [ORG] here"),
        ("A {Male nurse} came", "PROFESSION", "A [PROFESSION] came"),
        ("Now {forty-seven, i.e. 47 years old} here", "AGE", "Now [AGE]40-49[AGE] here"),
        ("Now {47 years old} here", "AGE", "Now 40-49 years old here"),
        ("Now {47 years old Kern} here", "AGE", "Now 40-49[AGE] here"),
    ],
)  # fmt: skip
def test_a_value_is_of_the_kind_that_a_tagger_says(text: str, label: str, said: str) -> None:
    start, end = text.index("{"), text.index("}") - 1
    settings = by_rules(
        k=1, transform="generalise", unknown_person="floor-only", method="tagged", hide=("all",), taggers=("none",)
    )
    made = deidentify(
        [Document("d", text.replace("{", "").replace("}", ""), None)], [], settings=settings, key=KEY,
        fitted=Fitted(taggers=(_OneSpan(Span(start, end, label)),)),
    )  # fmt: skip
    assert made.texts() == [said]


def test_only_the_subject_of_a_document_can_be_protected() -> None:
    with pytest.raises(SettingsError, match="the subject"):
        _made([_document(0)], protect="everyone-known")
