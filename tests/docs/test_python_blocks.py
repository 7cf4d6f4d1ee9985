"""Every block of Python in README and docs runs as it stands, from the top of its page to the bottom."""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from blocks import name_of, python_blocks
from inputs import documents, put

pytestmark = pytest.mark.slow
PAGES = list(python_blocks())
# What a page takes for granted, beside files: annotated documents.
# What needs a library that no extra of the tests brings, by a word of the block; such blocks run where it is installed.
ELSEWHERE = {"import spacy": "spacy", "presidio_recogniser": "presidio_analyzer"}
# A block that begins with the name of a file stands for that file.
_FILE = re.compile(r"# (\w+\.py)\n")
INPUTS = ("notes.csv", "registry.xlsx", "corpus.jsonl", "encoder")


def test_every_page_with_python_is_known() -> None:
    assert {name_of(page) for page, _ in PAGES} >= {"docs/notebook.md", "docs/taggers.md", "docs/extending.md"}


@pytest.mark.parametrize("page, blocks", PAGES, ids=[name_of(page) for page, _ in PAGES])
def test_python_runs_as_it_stands(
    page: Path, blocks: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_thread: None
) -> None:
    pytest.importorskip("pandas")
    (tmp_path / "made").mkdir()
    for name in INPUTS:
        put(name, tmp_path, tmp_path / "made")
    (tmp_path / "path" / "to").mkdir(parents=True)
    put("encoder", tmp_path / "path" / "to", tmp_path / "made")
    monkeypatch.chdir(tmp_path)
    learn, held_out = documents()
    names: dict[str, Any] = {"documents": learn, "held_out": held_out}
    for block in blocks:
        if file := _FILE.match(block):
            (tmp_path / file[1]).write_text(block, encoding="utf-8")
            monkeypatch.syspath_prepend(tmp_path)
            continue
        if any(sign in block and find_spec(library) is None for sign, library in ELSEWHERE.items()):
            continue
        exec(compile(block, str(page), "exec"), names)  # noqa: S102 (our own pages)
