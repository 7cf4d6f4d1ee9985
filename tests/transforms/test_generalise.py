"""General values: the level that a mask says, and a token where there is none."""

import re
from pathlib import Path

import pytest

from unname.errors import InputError
from unname.testing import check_transform
from unname.transforms.base import Context, seen_through
from unname.transforms.generalise import Generalise
from unname.types import Document, Mask, MaskSpan

TEXT = "Anna Holm, a welder, was born on 3 May 1961."
DAY = (TEXT.index("3 May"), TEXT.index("."))
CONTEXT = Context(b"k" * 32)


def released(level: int, how: Generalise | None = None) -> str:
    mask = Mask("d", (MaskSpan(0, 9, "m", label="NAME"), MaskSpan(*DAY, "m", label="DATE", level=level)))
    return (how or Generalise()).release(Document("d", TEXT), mask, CONTEXT).text.removeprefix("[NAME], a welder, ")


def test_conformance_of_general_values() -> None:
    check_transform(Generalise)


def test_a_mask_says_how_general_a_value_is() -> None:
    said = [
        "was born on [DATE].",
        "was born on May 1961.",
        "was born on 1961.",
        "was born on 1960s.",
        "was born on [DATE].",
    ]
    assert [released(level) for level in range(5)] == said


def test_whoever_knows_for_whom_a_value_stands_reads_a_gap() -> None:
    mask = Mask("d", (MaskSpan(*DAY, "m", level=2),))
    release = Generalise().release(Document("d", TEXT), mask, CONTEXT)
    assert [one.general for one in release.written.values()] == ["year:1961"]
    assert seen_through(release) == release.text
    assert seen_through(release, general=True) == TEXT[: DAY[0]] + "[MASK]."


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("trades.csv", "welder;metal worker;craftsman;*\nnurse;health worker;carer;*\n"),
        ("trades.tsv", "welder\tsubclass of\tmetal worker\nmetal worker\tP279\tcraftsman\n"),
    ],
)
def test_a_hierarchy_of_the_users_says_more_of_trades(tmp_path: Path, name: str, text: str) -> None:
    table = tmp_path / name
    table.write_text(text)
    how, start = Generalise(hierarchy=str(table)), TEXT.index("welder")
    texts = [
        how.release(Document("d", TEXT), Mask("d", (MaskSpan(start, start + 6, "m", level=level),)), CONTEXT).text
        for level in (1, 2, 3)
    ]
    assert [text.partition(", a ")[2].partition(",")[0] for text in texts] == ["metal worker", "craftsman", "[MASK]"]


def test_a_hierarchy_that_cannot_be_read_is_refused_without_its_words(tmp_path: Path) -> None:
    table = tmp_path / "trades.csv"
    table.write_text("welder;metal worker\nQuincunx\n")
    with pytest.raises(InputError) as refused:
        Generalise(hierarchy=str(table))
    assert "Quincunx" not in str(refused.value)


def test_the_example_of_the_page_is_what_is_written_of_somebody_unknown() -> None:
    page = (Path(__file__).parents[2] / "docs/readable.md").read_text(encoding="utf-8")
    before, after = re.findall(r"^(?:before|after) +(.+)$", page, re.MULTILINE)[4:]
    how, spans = Generalise(), []
    for value in how.values(before):
        level = next((n for n, one in enumerate(value.levels, 1) if one.key.startswith("year:")), len(value.levels))
        spans.append(MaskSpan(value.start, value.end, "m", level=level))
    assert how.release(Document("d", before), Mask("d", tuple(spans)), CONTEXT).text == after
