"""The command `unname`, with other weights in the tagger that ships: for texts that the shipped weights learned from.

    python -m benchmarks.no_table_run ARGUMENTS

`UNNAME_BENCHMARK_WEIGHTS` names a JSON file: `{"weights": [FILE, …], "halves": {DIGEST: PLACE}}`. A text whose digest is
among the halves is read with the weights at that place, any other with the first. Nothing else differs from `unname`.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from unname.taggers.entities import tagger
from unname.types import Span

VARIABLE = "UNNAME_BENCHMARK_WEIGHTS"
_Shipped = tagger.Entities


def digest(text: str) -> str:
    """A hash that identifies a text."""
    return sha256(text.encode()).hexdigest()


@cache
def _chosen() -> tuple[tuple[Path, ...], dict[str, int]]:
    given = json.loads(Path(os.environ[VARIABLE]).read_text())
    return tuple(map(Path, given["weights"])), given["halves"]


@dataclass(frozen=True, slots=True, repr=False)
class Chosen(_Shipped):
    """The shipped tagger with the weights that are to read a text."""

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text."""
        weights, halves = _chosen()
        return [_Shipped(self.lean, weights[halves.get(digest(text), 0)]).tag([text])[0] for text in texts]


def main() -> None:
    """Put the other tagger in the place of the shipped one, and do what the command does."""
    # By its full name, so that worker processes find it.
    from benchmarks.no_table_run import Chosen as Other
    from unname.apps.cli import main as command

    tagger.Entities = Other  # type: ignore[misc]  # one class in the place of another
    command()


if __name__ == "__main__":
    main()
