"""Word vectors from text files."""

from pathlib import Path

import numpy as np
import pytest

from unname.errors import InputError
from unname.storage.wordvectors import read_word_vectors


def written(folder: Path, content: str) -> Path:
    path = folder / "vectors.txt"
    path.write_bytes(content.encode())
    return path


GLOVE = "the 0.1 0.2 -0.3\nAda 1 2 3\nbyron 4 5 6e-1\n"


@pytest.mark.parametrize("header", ["", "3 3\n"])
def test_a_header_may_be_there_or_not(tmp_path: Path, header: str) -> None:
    found = read_word_vectors(written(tmp_path, header + GLOVE), {"Ada", "byron", "absent"})
    assert found.words == ("Ada", "byron")
    assert found.vectors.dtype == np.float32
    assert found.vectors.tolist() == [[1, 2, 3], pytest.approx([4, 5, 0.6])]


def test_the_first_words_of_a_file_are_kept_beside_the_wanted(tmp_path: Path) -> None:
    assert read_word_vectors(written(tmp_path, GLOVE), {"byron"}, first=1).words == ("the", "byron")


def test_of_words_that_become_one_the_first_counts(tmp_path: Path) -> None:
    found = read_word_vectors(written(tmp_path, "Ada 1 1\nADA 2 2\n"), {"ada"}, key=str.lower)
    assert found.words == ("ada",) and found.vectors.tolist() == [[1, 1]]


def test_words_may_be_numbers_or_hold_spaces_and_lines_end_as_they_like(tmp_path: Path) -> None:
    found = read_word_vectors(written(tmp_path, "a 1 2 \r\n2019 3 4\nnew york 5 6"), {"2019", "new york"})
    assert found.words == ("2019", "new york") and found.vectors.tolist() == [[3, 4], [5, 6]]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("a 1 2\nb 1\n", "line 2"),
        ("2 2\na 1 2\nb 1 x\n", "line 3"),
        ("a 1 2\nb 1 2 3\n", "line 2"),
        ("a 1 2\nb 1 nan\n", "line 2"),
        ("a 1 2\nb\n", "line 2"),
        ("", "none of the words"),
        ("a 1 2\n" + "b" * (1 << 21), "line 2"),
        ("word " + "1 " * 5000, "wider"),
    ],
)
def test_a_fault_is_named_with_its_line_and_never_quoted(tmp_path: Path, content: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault) as caught:
        read_word_vectors(written(tmp_path, content), {"b"})
    assert "bb" not in str(caught.value)


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_word_vectors(tmp_path / "absent", {"a"})
