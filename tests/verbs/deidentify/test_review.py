"""Masks edited by a person: what they would release is looked at again, without a search and with nothing changed."""

import doctest
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from made_settings import by_rules

from unname.errors import InputError
from unname.knowledge.fictional import Town
from unname.knowledge.population import Population
from unname.protecting.look import Look
from unname.protecting.result import Deidentified
from unname.text import uncovered, words
from unname.types import Document, Mask
from unname.verbs.deidentify import review as module
from unname.verbs.deidentify.in_memory import deidentify
from unname.verbs.deidentify.review import Review, look_again, review_of

pytestmark = pytest.mark.usefixtures("no_rounds")

KEY, K = b"r" * 32, 5


@pytest.fixture(scope="module")
def notes(small_town: Town) -> list[Document]:
    first = {p.id for p in small_town.profiles[:12]}
    return [replace(d, metadata={"ward": "north"}) for d in small_town.documents if d.person in first][::-1]


@pytest.fixture(scope="module")
def made(notes: list[Document], townspeople: Population) -> Deidentified:
    return deidentify(notes, townspeople, settings=by_rules(k=K, keep=("ward",)), key=KEY)


@pytest.fixture(scope="module")
def review(made: Deidentified) -> Review:
    return review_of(made, key=KEY)


def said(look: Look) -> list[Any]:
    """All that a look says, as plain values."""
    each = [
        (s.mask.document, s.mask.spans, s.release.text, s.release.pieces, dict(s.crowds), s.third, s.leaks, s.reason)
        for s in look.documents
    ]
    return [*each, dict(look.together), look.may_leave]


def require_same_as_the_outcomes(look: Look, made: Deidentified) -> None:
    outcomes = {o.mask.document: o for o in made.outcomes()}
    assert look.may_leave
    for sight in look.documents:
        outcome = outcomes[sight.mask.document]
        assert sight.release == outcome.release and not sight.leaks and not sight.reason
        assert (sight.crowds, look.together, sight.third) == (outcome.crowds, outcome.together, outcome.third)


def test_the_masks_of_a_result_say_what_its_outcomes_say(made: Deidentified, review: Review) -> None:
    assert not made.withheld
    for mask in made.masks:
        require_same_as_the_outcomes(look_again(review, [mask]), made)


@pytest.mark.parametrize(
    "settings", [{"protect": "everyone-known"}, {"transform": "collapse"}, {"unknown_person": "floor-only"}]
)
def test_so_they_do_under_other_settings(
    notes: list[Document], townspeople: Population, settings: dict[str, Any]
) -> None:
    other = townspeople.profiles[40].fields
    named = [replace(d, text=f"{d.text}\nWith {other['given name']} {other['family name']}.") for d in notes[:5]]
    stranger = [Document("stranger", f"Seen by Mr {other['given name']} {other['family name']} in May.")]
    documents = named + (stranger if "unknown_person" in settings else [])
    result = deidentify(documents, townspeople, settings=by_rules(k=K, **settings), key=KEY)
    again = review_of(result, key=KEY)
    for mask in result.masks:
        if mask.document not in result.withheld:
            require_same_as_the_outcomes(look_again(again, [mask]), result)
    assert any(o.third for o in result.outcomes()) == ("protect" in settings)


def given_back(mask: Mask, gone: Sequence[int]) -> Mask:
    """A mask without the spans at some places."""
    return replace(mask, spans=tuple(span for place, span in enumerate(mask.spans) if place not in gone))


def test_a_word_given_back_that_the_crowd_needed_lowers_the_crowd_and_gives_a_reason(
    made: Deidentified, review: Review
) -> None:
    fell = 0
    for outcome in made.outcomes():
        for place, span in enumerate(outcome.mask.spans):
            if not span.crowd_before:
                continue
            same = [i for i, other in enumerate(outcome.mask.spans) if other.step == span.step]
            look = look_again(review, [given_back(outcome.mask, same or [place])])
            sight = look.of(outcome.mask.document)
            if sight.reason or any(other.reason for other in look.documents):
                assert min(min(sight.crowds.values()), min(look.together.values())) < K
                assert not look.may_leave and {s.reason for s in look.documents} & {
                    "crowd-below-k", "person-crowd-below-k"
                }  # fmt: skip
                fell += sight.crowds != outcome.crowds
    assert fell > 10


def test_an_unmasked_direct_identifier_leaks_where_it_stands(made: Deidentified, review: Review) -> None:
    leaked = 0
    for document, outcome in zip(made.documents, made.outcomes(), strict=True):
        named = [place for place, span in enumerate(outcome.mask.spans) if span.method == "direct-identifier"]
        look = look_again(review, [given_back(outcome.mask, named)])
        leaks = look.of(document.id).leaks
        assert {leak.method for leak in leaks} == ({"direct-identifier"} if named else set())
        spans = [outcome.mask.spans[place] for place in named]
        assert uncovered(words(document.text), leaks) == uncovered(words(document.text), spans)
        assert look.may_leave == (not named)
        leaked += len(leaks)
    assert leaked > 20


def test_a_look_says_the_same_twice_and_changes_nothing(made: Deidentified, review: Review) -> None:
    before = [(o.mask, o.release, dict(o.crowds), o.reason) for o in made.outcomes()]
    mask = given_back(made.masks[0], [0])
    assert said(look_again(review, [mask])) == said(look_again(review, [mask]))
    assert [(o.mask, o.release, dict(o.crowds), o.reason) for o in made.outcomes()] == before
    require_same_as_the_outcomes(look_again(review, [made.masks[0]]), made)


def test_a_withheld_document_counts_in_no_crowd(made: Deidentified, review: Review) -> None:
    several = next(places for places in review.places.values() if len(places) == 2)
    one, other = (made.documents[place].id for place in several)
    look = look_again(review, [], withhold=[one])
    assert [sight.mask.document for sight in look.documents] == [other]
    assert look.together == look.of(other).crowds


def test_masks_of_several_people_or_of_unknown_documents_are_refused(made: Deidentified, review: Review) -> None:
    two = [made.documents[0].id, next(d.id for d in made.documents if d.person != made.documents[0].person)]
    with pytest.raises(InputError, match="not in this result"):
        look_again(review, [Mask("nowhere")])
    with pytest.raises(InputError, match="one person at a time"):
        look_again(review, [Mask(name) for name in two])
    with pytest.raises(InputError, match="one person at a time"):
        look_again(review, [])
    with pytest.raises(InputError, match="no document of this person is left"):
        own = [made.documents[place].id for place in review.places[two[0]]]
        look_again(review, [], withhold=own)


def test_neither_review_nor_look_shows_text(made: Deidentified, review: Review) -> None:
    look = look_again(review, [made.masks[0]])
    assert repr(review) == f"Review({len(made.documents)} documents)"
    assert made.documents[0].text[:20] not in f"{look!r}{look.documents[0]!r}{review!r}"
    with pytest.raises(KeyError):
        look.of("nowhere")


def test_a_look_is_far_quicker_than_a_search(
    notes: list[Document], townspeople: Population, made: Deidentified, review: Review
) -> None:
    started = time.process_time()
    deidentify(notes[:4], townspeople, settings=made.settings, key=KEY)
    searched, started = time.process_time() - started, time.process_time()
    for mask in made.masks[:4]:
        look_again(review, [mask])
    assert time.process_time() - started < searched


def test_withholding_a_document_gives_a_new_result_and_leaves_the_old_one(made: Deidentified) -> None:
    before, name = made.outcome(3), made.documents[3].id
    without = made.withhold({3: "a test"})
    assert without.withheld == {name: "a test"} and without.texts()[3] is None and not without.crowds[3]
    assert (without.outcome(3).words, without.outcome(3).target) == (before.words, before.target)
    assert without.outcome(2) is made.outcome(2) and made.outcome(3) is before and not made.withheld


def test_the_examples_hold() -> None:
    tried = doctest.testmod(module)
    assert tried.attempted >= 5 and not tried.failed
