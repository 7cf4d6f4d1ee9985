"""Word vectors from text files, and taught by a corpus."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unname.errors import InputError
from unname.taggers.wordvectors import read_word_vectors, teach_word_vectors

HOW: dict[str, Any] = {"width": 12, "epochs": 8, "batch": 64, "most_frequent": 1.0}


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


def test_words_of_like_company_come_to_lie_near_each_other() -> None:
    random = np.random.default_rng(0)
    # Words 0–3 stand among 8–11, words 4–7 among 12–15.
    rows = []
    for _ in range(400):
        side = int(random.integers(2))
        rows.append(
            [int(w) for _ in range(6) for w in (random.integers(4) + 4 * side, random.integers(4) + 8 + 4 * side)]
        )
    found = teach_word_vectors(rows, 16, seed=1, **HOW)
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    near = unit @ unit.T
    assert near[0, 1:4].min() > near[0, 4:8].max()
    assert near[5, [4, 6, 7]].min() > near[5, :4].max()
    assert np.array_equal(found, teach_word_vectors(rows, 16, seed=1, **HOW))


def test_texts_without_words_teach_nothing_and_break_nothing() -> None:
    assert teach_word_vectors([[], [0]], 2, width=4, epochs=5, seed=0).shape == (2, 4)
