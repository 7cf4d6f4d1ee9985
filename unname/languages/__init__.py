"""What is known of languages: words of field names, cues and placeholders, in files of data beside this one.

A file is read where it is first asked for, and once.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read(name: str) -> dict[str, Any]:
    """The tables of one file, by its name without an ending."""
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text("utf-8"))
