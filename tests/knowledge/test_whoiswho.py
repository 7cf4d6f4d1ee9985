"""Names among hidden stretches: by label, by table, beside another name; two people's names are never one."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.knowledge.coreference import KnownAs
from unname.knowledge.whoiswho import NameMention, mentions_in
from unname.types import Span


def spans(text: str, *marked: tuple[str, str]) -> list[Span]:
    """Spans of stretches in order of the text, each with a label."""
    row, at = [], 0
    for written, label in marked:
        start = text.index(written, at)
        row.append(Span(start, start + len(written), label))
        at = start + len(written)
    return row


def test_mentions_are_names_by_label_by_table_and_beside_a_name() -> None:
    text = "Anna Holm saw Maria Kern in Leeds on Monday; Holm wrote to m.kern@x.org. Maria left."
    found = mentions_in(
        text,
        spans(text, ("Anna", ""), ("Holm", ""), ("Maria", ""), ("Kern", "NAME"), ("Leeds", "PLACE"), ("Monday", ""),
              ("Holm", ""), ("m.kern@x.org", "EMAIL"), ("Maria", "")),
        KnownAs(("Anna Holm",)),
    )  # fmt: skip
    assert [(text[m.start : m.end], m.who) for m in found] == [
        ("Anna Holm", NameMention.SUBJECT), ("Maria Kern", 1), ("Holm", NameMention.SUBJECT), ("m.kern@x.org", 1),
    ]  # fmt: skip


def test_nobody_is_the_subject_where_no_name_is_known() -> None:
    text = "Anna Holm saw Kern."
    found = mentions_in(text, spans(text, ("Anna Holm", "NAME"), ("Kern", "PERSON")))
    assert [m.who for m in found] == [1, 2]


@given(st.text(max_size=60), st.lists(st.integers(0, 60), max_size=10), st.text(max_size=12))
def test_any_stretches_of_any_text_have_mentions_in_order(text: str, cuts: list[int], name: str) -> None:
    row = sorted({min(cut, len(text)) for cut in cuts})
    labels = ["NAME", "", "EMAIL", "PLACE"]
    stretches = [Span(a, b, labels[a % 4]) for a, b in zip(row[::2], row[1::2], strict=False)]
    found = mentions_in(text, stretches, KnownAs((name,)))
    starts, ends = {s.start for s in stretches}, {s.end for s in stretches}
    assert all(m.start in starts and m.end in ends and m.who >= 0 for m in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Anna Holm\nKarl Berg\nRuth Miller", ["Anna Holm", "Karl Berg", "Ruth Miller"]),
        ("Anna Holm - Karl Berg", ["Anna Holm", "Karl Berg"]),
        ("Holm\nBerg\nMiller", ["Holm", "Berg", "Miller"]),
        ("Anna Holm Karl Berg", ["Anna Holm", "Karl Berg"]),
        ("Holm, Berg", ["Holm", "Berg"]),
        ("Wu. Anna", ["Wu", "Anna"]),
        ("Karl B. Ruth", ["Karl B", "Ruth"]),
    ],
)
def test_names_beside_each_other_are_of_several_people(text: str, names: list[str]) -> None:
    found = mentions_in(text, spans(text, *((name, "NAME") for name in names)))
    assert [text[m.start : m.end] for m in found] == names and len({m.who for m in found}) == len(names)


def test_a_name_is_not_turned_round_over_a_title_or_a_line() -> None:
    text = "Dear Mr Holm, Anna Holm is here; Holm, Anna. Holm\nAnna. Mr Holm, Anna."
    row = spans(
        text, *((word, "NAME") for word in ["Holm", "Anna Holm", "Holm", "Anna", "Holm", "Anna", "Holm", "Anna"])
    )
    found = [text[m.start : m.end] for m in mentions_in(text, row)]
    assert found == ["Holm", "Anna Holm", "Holm, Anna", "Holm", "Anna", "Holm", "Anna"]


def test_labels_that_name_no_people() -> None:
    text = "anna81 of Kern Ltd, Anna Kern"
    row = spans(text, ("anna81", "USERNAME"), ("Kern Ltd", "COMPANYNAME"), ("Anna", "FIRSTNAME"), ("Kern", "LASTNAME"))
    assert [text[m.start : m.end] for m in mentions_in(text, row)] == ["Anna Kern"]


@pytest.mark.parametrize(
    ("text", "language", "written", "is_name"),
    [
        ("Holm rose.", "en", "Holm", True), ("Er ist Koch von Beruf.", "de", "Koch", False),
        ("Frau Koch kam.", "de", "Koch", True), ("in May 2020", "en", "May", False),
        ("Green tea, and a green card", "en", "Green", False), ("It was green.", "en", "green", False),
    ],
)  # fmt: skip
def test_a_word_alone_that_may_be_another_word_is_no_name(
    text: str, language: str, written: str, is_name: bool
) -> None:
    called = KnownAs(("Anna Holm Koch May Green",))
    assert bool(mentions_in(text, spans(text, (written, "")), called, language=language)) == is_name


def test_many_names_take_time_for_their_number() -> None:
    def seconds(number: int) -> float:
        text = "; ".join(f"Given{i} Family{i}" for i in range(number))
        row = spans(text, *((f"Given{i} Family{i}", "NAME") for i in range(number)))
        taken = []
        for _ in range(3):
            start = time.process_time()
            assert len({mention.who for mention in mentions_in(text, row)}) == number
            taken.append(time.process_time() - start)
        return min(taken)

    assert seconds(4000) < 12 * seconds(1000), "four times the names may take four times the time, not sixteen times"
