"""The measures of what is readable in the benchmarks without a table of people."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import no_table_run
from benchmarks.made_up.interviews import Interview, Mention
from benchmarks.no_table import people_readable, reference_of, search_by
from benchmarks.no_table_command import Made, Tool, rows_of
from benchmarks.no_table_scores import (
    LISTED,
    MASKED,
    NEITHER,
    PARTLY,
    content_words,
    day_in,
    day_stands,
    entities_readable,
    is_initials,
    is_readable,
    outcome_of,
    places,
    says_something,
    words_hidden,
)
from unname.text import WORD
from unname.types import Document, Profile, Span

TEXT = "He was Mayor of Ludlow in 1981, born on 3 May 1950, and met Mr K. Lee."


def at(words: str) -> tuple[int, int]:
    start = TEXT.index(words)
    return start, start + len(words)


def test_an_entity_is_readable_if_a_letter_of_any_mention_stands_and_titles_do_not_count() -> None:
    mentions = [Span(*at("Mr K. Lee"), "PERSON", entity="e1", kind="direct"), Span(*at("1981"), "DATETIME", kind="quasi"),
                Span(*at("Ludlow"), "LOC", kind="quasi"), Span(*at("born"), "MISC", kind="no_mask")]  # fmt: skip
    document = Document("d", TEXT, spans=tuple(mentions))
    found = entities_readable([document], [places([at("K. Lee"), at("Ludlow")])])
    assert {row: (cell["count"], cell["of"]) for row, cell in found.items()} == {
        "direct": (0, 1), "direct PERSON": (0, 1), "direct but dates": (0, 1), "quasi": (1, 2), "quasi DATETIME": (1, 1),
        "quasi LOC": (0, 1), "quasi but dates": (0, 1),
    }  # fmt: skip
    assert entities_readable([document], [places([at(" Lee")])])["direct"]["count"] == 1


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("3 May 1950", "3"), ("12th May 1950", "12"), ("03/05/1950", "03"), ("1950-05-03", "03"), ("May 3, 1950", "3"),
        ("the 3rd of May 1950", "3"), ("03-May-1950", "03"), ("3.5.50", "3"), ("May 1950", None), ("1950", None),
        ("Easter", None),
    ],
)  # fmt: skip
def test_the_day_of_a_date(said: str, day: str | None) -> None:
    found = day_in(said)
    assert (found and said[slice(*found)]) == day


def test_the_day_of_a_date_stands_or_is_hidden() -> None:
    assert day_stands(TEXT, at("3 May 1950"), set()) and not day_stands(TEXT, at("3 May 1950"), places([at("3")]))
    assert not day_stands(TEXT, at("1981"), set())


def test_a_fact_is_masked_listed_partly_masked_or_neither() -> None:
    fact = at("Mayor of Ludlow in 1981")
    assert [TEXT[slice(*word)] for word in content_words(TEXT, fact)] == ["Mayor", "Ludlow"]
    assert [TEXT[slice(*word)] for word in content_words(TEXT, at("in 1981"))] == ["1981"]
    both = places([at("Mayor"), at("Ludlow")])
    assert outcome_of(TEXT, fact, both, []) == MASKED and not says_something(TEXT, fact, both)
    half = places([at("Ludlow")])
    assert outcome_of(TEXT, fact, half, []) == PARTLY and outcome_of(TEXT, fact, set(), []) == NEITHER
    row = {"words": "Mayor", "sentence": "He was Mayor of [hidden] in 1981, …"}
    assert outcome_of(TEXT, fact, half, [row]) == LISTED
    # The same word elsewhere in the letter lists another fact.
    other = {"words": "Mayor's Prize", "sentence": "She won the Mayor's Prize."}
    assert outcome_of(TEXT, fact, set(), [other]) == NEITHER
    assert outcome_of(TEXT, fact, set(), [{"words": "3 May 1950", "sentence": TEXT}]) == NEITHER


def test_people_of_an_interview_are_readable_by_any_name_but_initials() -> None:
    text = "AB: I am Ana. My Ben and BEN."
    names = (Mention(0, 2, "speaker", "me"), Mention(9, 12, "speaker", "me"), Mention(17, 20, "spouse", "sp"),
             Mention(25, 28, "spouse", "sp"))  # fmt: skip
    one = Interview(Document("i", text), names, 0, ())
    assert people_readable(one, places([(9, 12), (17, 20)])) == [("speaker", False), ("spouse", True)]
    assert [is_initials(said) for said in ("AB", "A.B.", "Al", "Ana", "ANA")] == [True, True, False, False, False]


@given(st.sets(st.integers(0, len(TEXT) - 1)))
def test_words_are_hidden_where_a_letter_is(hidden: set[int]) -> None:
    found = words_hidden([TEXT], [hidden])
    plain = [any(place in hidden for place in range(m.start(), m.end())) for m in WORD.finditer(TEXT)]
    assert (found["words"], found["hidden"]) == (len(plain), sum(plain))
    start, end = at("Ludlow")
    assert is_readable(TEXT, (start, end), hidden) == any(place not in hidden for place in range(start, end))


def test_who_shares_the_best_score_shares_the_credit() -> None:
    reference = reference_of(
        [Profile(name, {"a": said}) for name, said in (("p", "lamp"), ("q", "lamp"), ("r", "oak"))]
    )
    documents = [Document(str(i), "", person=person) for i, person in enumerate(("p", "r", "nobody", "q"))]
    found = search_by("bm25", reference, documents, {"released": ["a lamp", "an oak", "a lamp", None], "human": None})
    assert found["released"]["n"] == 2 and found["released"]["rate"] == pytest.approx(np.mean([0.5, 1.0]))
    assert list(found) == ["released"]


def test_a_run_counts_what_is_withheld_apart() -> None:
    documents = [Document("a", "one two"), Document("b", "three", person="p")]
    made = Made(({0, 1, 2}, None), ("[MASK] two", None), {}, None, 1.0, 1.0)
    row = made.about(documents)
    assert (row["withheld"], row["words"], row["hidden"], row["listed"]) == (1, 2, 1, None)
    assert [rows_of(d, persons=True) for d in documents][1] == {"id": "b", "text": "three", "person": "p"}
    assert "person" not in rows_of(documents[1], persons=False)


def test_a_text_is_read_with_the_weights_of_its_half(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    documents = [Document("a", "Ann"), Document("b", "Ben")]
    tool = Tool(tmp_path, (tmp_path / "0", tmp_path / "1")).by_half(documents, [1, 0])
    command, environment = tool.arguments(tmp_path)
    assert command[-1] == "benchmarks.no_table_run"
    given = json.loads(Path(environment[no_table_run.VARIABLE]).read_text())
    assert given["halves"] == {no_table_run.digest("Ann"): 1, no_table_run.digest("Ben"): 0}
    monkeypatch.setenv(no_table_run.VARIABLE, environment[no_table_run.VARIABLE])
    read: list[tuple[str, str]] = []

    def tag(self: object, texts: list[str]) -> list[list[Span]]:
        read.append((self.weights.name, texts[0]))  # type: ignore[attr-defined]
        return [[]]

    monkeypatch.setattr(no_table_run._Shipped, "tag", tag)
    no_table_run._chosen.cache_clear()
    no_table_run.Chosen().tag(["Ben", "Ann", "Cid"])
    no_table_run._chosen.cache_clear()
    assert read == [("0", "Ben"), ("1", "Ann"), ("0", "Cid")]
