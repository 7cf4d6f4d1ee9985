"""brat standoff: every T line is a span or several, offsets exact; a file without its other half is a fault."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import InputError
from unname.storage.documents import Columns, iter_documents, read_corpus
from unname.storage.faults import Faults
from unname.storage.formats import write_corpus
from unname.types import Document, Span

CANARY = "Canarybird"


def pair(folder: Path, name: str, text: str, annotations: str) -> None:
    (folder / f"{name}.txt").write_bytes(text.encode())
    (folder / f"{name}.ann").write_bytes(annotations.encode())


def test_lines_are_spans_and_what_else_stands_there_is_passed_over(tmp_path: Path) -> None:
    other = (
        "R1\tKnows Arg1:T1 Arg2:T2\nE1\tVisit:T2 Who:T1\n*\tEquiv T1 T2\nA1\tNegated T1\nM1\tNegated T1\n"
        "N1\tReference T1 Wiki:1\tAda\n#1\tAnnotatorNotes T1\tcheck\n\n"
    )
    pair(tmp_path, "n.1", "Ada saw \U0001f600 York", f"T2\tCITY 10 14\tYork\n{other}T1\tNAME 0 3\tAda\r\n")
    wanted = [Document("n.1", "Ada saw \U0001f600 York", spans=(Span(0, 3, "NAME"), Span(10, 14, "CITY")))]
    assert read_corpus(tmp_path) == wanted
    assert read_corpus(tmp_path / "n.1.ann") == read_corpus(tmp_path / "n.1.txt", "brat") == wanted


def test_stretches_of_one_line_share_an_entity(tmp_path: Path) -> None:
    pair(tmp_path, "a", "Ada and Bob Byron", "T7\tNAME 0 3;12 17\tAda Byron\nT8\tNAME 8 17\tBob Byron\n")
    (document,) = read_corpus(tmp_path)
    spans = (Span(0, 3, "NAME", entity="T7"), Span(8, 17, "NAME"), Span(12, 17, "NAME", entity="T7"))
    assert document.spans == spans
    write_corpus(tmp_path / "again", [document], format="brat")
    assert "T7\tNAME 0 3;12 17\tAda Byron\n" in (tmp_path / "again" / "a.ann").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "start", "wanted"),
    [
        ("a\r\nAda", 3, "a\r\nAda"),
        ("a\r\nAda", 2, "a\nAda"),
        ("\ufeffAda", 1, "\ufeffAda"),
        ("\ufeffAda", 0, "Ada"),
        ("\ufeff\r\nAda", 1, "\nAda"),
    ],
)
def test_line_ends_and_marks_are_counted_as_the_quotes_have_it(
    text: str, start: int, wanted: str, tmp_path: Path
) -> None:
    pair(tmp_path, "a", text, f"T1\tNAME {start} {start + 3}\tAda\n")
    assert read_corpus(tmp_path) == [Document("a", wanted, spans=(Span(start, start + 3, "NAME"),))]


BAD = {
    "T1 NAME 0 3 Ada": "is no annotation",
    "T1\tNAME 0 3": "is no annotation",
    "T1\tNAME -1 3\tAda": "is no annotation",
    "T1\tNAME 0 3;\tAda": "is no annotation",
    f"T1\tNAME 0 {'9' * 500}\tAda": "is no annotation",
    "T1\tNAME ٠ 3\tAda": "is no annotation",
    f"X1\t{CANARY}": "is no annotation",
    "T1\tNAME 0 3\tBob": "the text does not have",
    "T1\tNAME 0 99\tAda": "the text does not have",
    "T1\tNAME 3 0\t": "the text does not have",
    "T0\tNAME 0 3\tAda": "has the id of an earlier line",
}


@pytest.mark.parametrize("line", BAD)
def test_a_bad_line_is_told_by_its_number(line: str, tmp_path: Path) -> None:
    pair(tmp_path, "a", "fine", "")
    pair(tmp_path, "b", f"Ada {CANARY}", f"T0\tNAME 0 3\tAda\n{line}\n")
    with pytest.raises(InputError) as caught:
        read_corpus(tmp_path)
    assert f"file 2 (of this format, in name order): field '.ann, line 2': {BAD[line]}" in str(caught.value)
    assert CANARY not in str(caught.value)


def test_a_half_of_a_pair_and_what_is_not_utf_8_are_faults(tmp_path: Path) -> None:
    pair(tmp_path, "d", "fine", "")
    (tmp_path / "a.ann").write_bytes(b"")
    (tmp_path / "b.txt").write_bytes(b"x")
    pair(tmp_path, "c", "x", "")
    (tmp_path / "c.txt").write_bytes(b"\xff")
    pair(tmp_path, "e", "x", "")
    (tmp_path / "e.ann").write_bytes(b"\xff")
    faults = Faults(tmp_path)
    assert [n for n, _ in iter_documents(tmp_path, Columns(format="brat"), faults=faults)] == [4]
    assert [(number, field, problem.split(";")[0]) for number, field, problem in faults.bad_records] == [
        (1, ".ann", "has no .txt of the same name"), (2, ".txt", "has no .ann of the same name"),
        (3, ".txt", "not UTF-8"), (5, ".ann", "not UTF-8"),
    ]  # fmt: skip


CHARACTER = st.sampled_from("\r\n\t \ufeff\x85\u2028\x1c") | st.characters(exclude_categories=["Cs"])
TEXT = st.text(CHARACTER.filter(lambda c: c != "\0"), max_size=30)
LABEL = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=5)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(TEXT)
    stretch = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted).filter(lambda b: b[0] < b[1])
    if not text:
        return Document(draw(TEXT.filter(bool)), "")
    spans = [Span(*draw(stretch), draw(LABEL)) for _ in range(draw(st.integers(0, 3)))]
    for number in draw(st.sets(st.integers(1, 9), max_size=2)):
        label = draw(LABEL)
        spans += [Span(*place, label, entity=f"T{number}") for place in draw(st.lists(stretch, min_size=2, max_size=3))]
    return Document(draw(TEXT.filter(bool)), text, spans=tuple(sorted(spans)))


@given(st.lists(documents(), min_size=1, max_size=4, unique_by=lambda d: d.id))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, made: list[Document]) -> None:
    folder = tmp_path_factory.mktemp("brat") / "corpus"
    write_corpus(folder, made, format="brat")
    assert sorted(read_corpus(folder), key=lambda d: d.id) == sorted(made, key=lambda d: d.id)


@pytest.mark.parametrize(
    "spans",
    [
        (Span(0, 1),),
        (Span(1, 1, "A"),),
        (Span(0, 1, "A", "whoever"),),
        (Span(0, 1, "A B"),),
        (Span(0, 1, "A\t"),),
        (Span(0, 1, "A", "", "T1"), Span(2, 3, "B", "", "T1")),
    ],
)
def test_what_brat_cannot_hold_is_told(spans: tuple[Span, ...], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"document 1: field 'spans'") as caught:
        write_corpus(tmp_path / "out", [Document("a", CANARY, spans=spans)], format="brat")
    assert CANARY not in str(caught.value) and not list(tmp_path.iterdir())
