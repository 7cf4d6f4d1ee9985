"""A command line that was run, what it said, and a small town's files to run it on."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from made_settings import RULES_ALONE

QUICK = ("--k", "2", "--reidentifiers", "bm25", "--attackers", "bm25,facts", "--workers", "1", *RULES_ALONE)


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


Run = Callable[..., Said]


@dataclass(frozen=True)
class Town:
    documents: Path
    people: Path

    def plainly(self, out: Path, *more: object) -> list[object]:
        """A command with what it cannot do without."""
        return ["deidentify", "--accept-risk", "a test", self.documents, "--people", self.people, "--out", out, *more]

    def deidentify(self, out: Path, *more: object) -> list[object]:
        """A command that takes no time."""
        return self.plainly(out, *QUICK, *more)
