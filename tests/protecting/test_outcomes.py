"""Outcomes on the disk are the outcomes that were put there, to the last character and digit."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_settings import by_rules

from unname.facts.stated import Fact
from unname.knowledge.fictional import Town
from unname.knowledge.population import Population
from unname.protecting.outcomes import Outcome, outcome_spool
from unname.runtime import Runtime
from unname.types import Document, Mask, MaskSpan, Release
from unname.verbs.deidentify.in_memory import deidentify

# Every character there is, astral ones and half pairs included: what a reader lets through must come back as it was.
_texts = st.text(st.characters(), max_size=30) | st.text(st.characters(min_codepoint=0xD7F0, max_codepoint=0x1F600))
_counts = st.integers(0, 2**62)
_crowds = st.dictionaries(_texts, _counts, max_size=3)
_spans = st.builds(
    MaskSpan, _counts, _counts, _texts, step=_counts, label=_texts, crowd_before=_crowds, crowd_after=_crowds,
    score=st.floats(allow_nan=False),
)  # fmt: skip
_releases = st.builds(
    Release, st.just(""), _texts, st.lists(st.tuples(_counts, _counts, _counts, _counts), max_size=3).map(tuple)
)
_numbers = st.floats(allow_nan=False)
_facts = st.builds(Fact, _counts, _counts, _texts, _numbers, st.booleans(), _numbers)


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome:
    """One of any kind, its release and mask of the same document."""
    name = draw(_texts)
    release = draw(st.none() | _releases)
    return Outcome(
        Mask(name, tuple(draw(st.lists(_spans, max_size=3)))),
        None if release is None else replace(release, document=name),
        draw(_texts), draw(_crowds), draw(_crowds), draw(_counts), tuple(draw(st.lists(_counts, max_size=3))),
        draw(_counts), draw(_counts), draw(_counts), tuple(draw(st.lists(_facts, max_size=3))),
        ruled=draw(st.none() | st.lists(_spans, max_size=3).map(tuple)),
    )  # fmt: skip


@given(st.lists(outcomes(), max_size=4), st.randoms(use_true_random=False))
def test_outcomes_come_back_from_the_disk_exactly_and_in_any_order(kept: list[Outcome], draw: Random) -> None:
    spool = outcome_spool()
    for outcome in kept:
        spool.append(outcome)
    assert list(spool) == kept and len(spool) == len(kept)
    for place in draw.sample(range(len(kept)), len(kept)):
        found = spool[place]
        assert found == kept[place]
        assert type(found.third) is tuple and type(found.mask.spans) is tuple and type(found.facts) is tuple
        assert found.release is None or all(type(piece) is tuple for piece in found.release.pieces)


@pytest.mark.parametrize("text", ["\U0001f600 \U00010330", "\ud800", "a\udfffb", "\x00\x1b[31m\u2028\r\n", '"\\', ""])
def test_texts_that_encodings_stumble_over_come_back_exactly(text: str) -> None:
    whole = Outcome(Mask(text), Release(text, text, ((0, len(text), 0, len(text)),)), text, {text: 1})
    spool = outcome_spool()
    spool.append(whole)
    assert spool[0] == whole


def test_a_run_gathers_the_same_in_memory_and_on_the_disk_and_leaves_no_file(
    small_town: Town, townspeople: Population, tmp_path: Path
) -> None:
    settings, key = by_rules(k=3), b"o" * 32
    mixed = [*small_town.documents[:9:2], *small_town.documents[1:9:2]]
    one = deidentify(mixed, townspeople, settings=settings, key=key)
    two = deidentify(mixed, townspeople, settings=settings, key=key, runtime=Runtime(temporary=tmp_path))
    assert list(one.outcomes()) == list(two.outcomes())
    assert one.withheld == two.withheld and one.texts() == two.texts() and one.person_crowds == two.person_crowds
    assert [o.mask.document for o in two.outcomes()] == [d.id for d in mixed]
    assert not list(tmp_path.iterdir()), "a spool has no name"


def test_a_repr_says_what_came_of_it_and_shows_no_text() -> None:
    released = Outcome(Mask("secret"), Release("secret", "secret", ()))
    assert repr(released) == "Outcome(released)"
    assert repr(Outcome(Mask("secret"), None, "crowd-below-k")) == "Outcome(withheld: crowd-below-k)"
    assert repr(Document("secret", "secret")).find("secret") < 0
