"""Other tools' labels of names, places and numbers, in our words; an unknown label stays, and counts as direct."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from unname.errors import InputError
from unname.storage.faults import shown_name
from unname.storage.lines import text_lines
from unname.text import token_label

# In place of one of our labels: what a tool calls so is no identifier.
NOTHING = "O"
UNNAMED = "UNNAMED"
_APART = re.compile(r"[\W_]+")


def plain(label: str) -> str:
    """A label as it is looked up: in capitals, its words joined by one sign."""
    return _APART.sub("_", label.upper()).strip("_")


@dataclass(frozen=True, slots=True, repr=False)
class LabelMap:
    """Labels of other tools in our words: the user's `own` (theirs, ours) first, then those that are known."""

    own: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        return f"LabelMap({len(self.own)})"

    def of(self, label: str) -> str:
        """Our label for another tool's; its own if it is unknown; empty if the user maps it to nothing."""
        theirs = plain(label)
        ours = dict(self.own).get(theirs) or known().get(theirs) or theirs
        return "" if ours == NOTHING else ours if token_label(ours) else UNNAMED

    def asked(self) -> tuple[str, ...]:
        """The labels to ask for from a model that finds anything by name: all known ones, and the user's."""
        wanted = dict.fromkeys((*_section("gliner"), *(theirs for theirs, _ in self.own)))
        return tuple(theirs.lower().replace("_", " ") for theirs in wanted if self.of(theirs))


@cache
def known() -> dict[str, str]:
    """Our label for each of theirs that is known."""
    return {theirs: ours for section in _table() for theirs, ours in _section(section).items()}


def _section(name: str) -> dict[str, str]:
    return {theirs: ours for ours, row in _table()[name].items() for theirs in row.split()}


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / "labels.toml").read_text("utf-8"))


def read_label_map(path: Path | None) -> LabelMap:
    """The labels that a file of lines `THEIRS=OURS` adds, with the known ones; a line that is none is an InputError."""
    own: dict[str, str] = {}
    if path is None:
        return LabelMap()
    for number, line in text_lines(path):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        theirs, _, written = (part.strip(" \t\r\n\"'") for part in line.partition("="))
        ours = NOTHING if written == NOTHING else token_label(written)
        if not (plain(theirs) and ours):
            raise InputError(
                f"{shown_name(path)}: line {number}: must be THEIRS=OURS, where OURS is a label of letters, or {NOTHING} "
                "for what is no identifier"
            )
        if own.setdefault(plain(theirs), ours) != ours:
            raise InputError(f"{shown_name(path)}: line {number}: an earlier line says otherwise of the same label")
    return LabelMap(tuple(own.items()))
