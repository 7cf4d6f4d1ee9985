"""Options of `unname label`: what is known of people, and what of it must go from a text."""

from dataclasses import dataclass
from pathlib import Path

from unname.option import group, option
from unname.shared_options import generic_option, require_generic, strategy_option, whose_option
from unname.verbs.index.options import GraphSources


@dataclass(frozen=True, slots=True, repr=False)
class Labelling:
    """Knowledge of people, and the part of it that must go from a text: see `Deidentification`."""

    sources: GraphSources = group(GraphSources)
    k: int = option(
        4, "How many other people must share what is left; the groups of 5 of Papadopoulou 2022 are 4.", least=1
    )
    strategy: str = strategy_option("greedy")
    whose: str = whose_option("any")
    generic: float = generic_option(1.0)
    white_list: Path | None = option(None, "Terms that always stay readable, one a line.", kind="file")
    seed: int = option(0, "Public seed.")

    def __post_init__(self) -> None:
        require_generic(self.generic)

    def __repr__(self) -> str:
        return f"Labelling(k={self.k}, {self.strategy}, {self.whose})"
