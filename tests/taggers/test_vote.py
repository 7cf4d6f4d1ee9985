"""Several taggers as one."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from unname.errors import SettingsError
from unname.taggers.base import Tagger
from unname.taggers.vote import Vote
from unname.testing import check_tagger
from unname.types import Span


@dataclass(frozen=True)
class Says:
    """A tagger that says the same of every text that is long enough."""

    spans: tuple[Span, ...]
    name: str = "says.v1"

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        return [[span for span in self.spans if span.end <= len(text)] for text in texts]


A, LONG, OTHER, LAST = Span(0, 3, "A"), Span(0, 5, "A"), Span(0, 3, "B"), Span(6, 7, "A", score=0.4)
VOTERS: tuple[Tagger, ...] = (Says((A, LAST)), Says((LONG,)), Says((A,)))


def test_it_passes_the_suite() -> None:
    check_tagger(lambda: Vote(VOTERS, 1))


def test_a_span_is_found_where_enough_taggers_find_it() -> None:
    text = ["0123456789"]
    assert Vote(VOTERS, 1).tag(text) == [[A, LAST]]
    assert Vote(VOTERS, 2).tag(text) == [[A]]
    assert Vote(VOTERS, 3).tag(text) == [[]]


def test_labels_must_agree_and_of_as_many_votes_the_surer_wins() -> None:
    sure, unsure = Says((OTHER,)), Says((Span(0, 3, "A", score=0.6),))
    assert Vote((unsure, sure), 2).tag(["0123"]) == [[]]
    assert Vote((unsure, sure), 1).tag(["0123"]) == [[OTHER]]


def test_a_score_is_the_mean_over_all_taggers() -> None:
    assert [span.score for span in Vote(VOTERS, 1).tag(["0123456789"])[0]] == [round(2 / 3, 6), round(0.4 / 3, 6)]


@pytest.mark.parametrize("quorum", [0, 4])
def test_a_quorum_that_makes_no_sense_is_refused(quorum: int) -> None:
    with pytest.raises(SettingsError, match="quorum"):
        Vote(VOTERS, quorum)
