"""The place of a release: a folder, or a table with its folders beside it; texts where nobody asks for a table."""

from pathlib import Path

import pytest

from unname.errors import SettingsError
from unname.writing.layout import layout_of


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet"])
def test_a_folder_of_texts_goes_into_the_table_that_is_named(name: str) -> None:
    made = layout_of(Path(name), as_texts=True)
    assert made == layout_of(Path(name)) and made.released == Path(name)


def test_a_folder_of_texts_stays_one_unless_another_kind_is_asked_for() -> None:
    assert layout_of(Path("x"), as_texts=True).table == "documents"
    assert layout_of(Path("x"), format="csv", as_texts=True).table == "documents.csv"
    assert layout_of(Path("x")).table == "documents.jsonl"


def test_two_kinds_that_differ_are_an_error_that_says_what_to_do() -> None:
    with pytest.raises(SettingsError, match=r"table \(.csv\).*another kind \(txt\).*leave out-format away"):
        layout_of(Path("x.csv"), format="txt")
