"""Options of `unname evaluate`: how spans are scored, and the page of errors."""

from dataclasses import dataclass
from pathlib import Path

from unname.option import option
from unname.shared_options import split_option


@dataclass(frozen=True, slots=True, repr=False)
class Scoring:
    """Settings of scores of spans, and the documents of the gold corpus to score against."""

    split: str | None = split_option()
    format: str | None = option(
        None, "Format of the annotated corpus.", kind="format", shown="told by the names of its files"
    )
    metric: str = option("spans", "Which scorer to count as.", choices=("spans", "i2b2", "meddocan", "tab"))
    labels: tuple[str, ...] = option((), "Labels, or groups of them, that count.", shown="all; i2b2: HIPAA's")
    weighting: str | None = option(
        None, "tab: weigh masked tokens in precision as well, by the folder of a masked language model, or `unigram`.",
        metavar="FOLDER",
    )  # fmt: skip
    as_published: bool = option(False, "i2b2, meddocan: repeat the quirks of the published scorer.")

    def __repr__(self) -> str:
        return f"Scoring({self.metric})"


@dataclass(frozen=True, slots=True, repr=False)
class ErrorPage:
    """A page of what went wrong. It shows text of the documents."""

    errors: Path | None = option(
        None, "HTML page to write, of all that went wrong. It shows text of the documents.", kind="output"
    )
    training: Path | None = option(
        None, "What the tagger learned from: --errors then says which words are new.", kind="path"
    )
    most_errors: int = option(50, "Most rows of each kind of error and type in --errors.", least=1)
