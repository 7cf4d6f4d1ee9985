"""Language data: one TOML file for each subject, read once."""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any


@cache
def read(subject: str) -> dict[str, Any]:
    """The data of a subject, for example `endings`, as its file has it; not to be changed."""
    return tomllib.loads((Path(__file__).parent / f"{subject}.toml").read_text("utf-8"))


def phrases(subject: str, table: str) -> Iterator[str]:
    """The phrases of one table of a subject, of all languages, as they are written; commas part them."""
    for row in read(subject)[table].values():
        yield from (" ".join(each.split()) for each in row.split(",") if each.strip())
