"""Options of `unname sanitize`: the game between a publisher and a reader, and its learners."""

from dataclasses import dataclass

from unname.errors import SettingsError
from unname.option import option, require_kinds
from unname.shared_options import labels_option, split_option
from unname.taggers.leaning import MOST_LEAN

HELD_OUT = "held-out"
SELECTION = "selection"


@dataclass(frozen=True, slots=True, repr=False)
class Sanitizing:
    """A game between who publishes and who reads: what a leak and a needless mask cost, and who learns (Li 2014)."""

    kind: tuple[str, ...] = option(
        ("crf", "svm"),
        "Learners, with parameters in parentheses where they have any, as for `train tagger`; of several the best of each "
        "round. `selection` stands for crf, svm and ensemble.",
    )
    loss: float = option(10.0, "L: what a sensitive word costs that stays readable.")
    cost: float = option(1.0, "C: what another word costs that is hidden.")
    labels: tuple[str, ...] = labels_option()
    split: str | None = split_option()
    folds: int = option(3, "Inner folds: claims are of learners that were taught without the document.", least=2)
    stopping: str = option(
        HELD_OUT, "Whose claims count: of learners that have not seen a document, or of those that have (the paper's).",
        choices=(HELD_OUT, "in-sample"),
    )  # fmt: skip
    choose: str = option(
        "utility", "Of several learners take whose claim is worth most, or the most accurate one (the paper's).",
        choices=("utility", "accuracy"),
    )  # fmt: skip
    judge_only: bool = option(False, "The ensemble's SVM only judges what its CRF found, as in the paper.")
    lean: float | None = option(
        None, "Try crf and svm also with identifiers taken to be so many times as likely; 1 is the paper's.",
        shown="L/C",
    )  # fmt: skip
    rounds: int | None = option(None, "Most rounds.", least=1, shown="as many as pay")
    attackers: tuple[str, ...] = option(
        ("crf", "svm"), "Learners that attack what would be published, leaning further and further."
    )
    budget: int = option(100, "Words that an attacker reads, for the advice.", least=1)
    seed: int = option(0, "Public seed.")

    def __post_init__(self) -> None:
        require_kinds(self)
        if not self.kinds():
            raise SettingsError("name at least one kind of learner")
        if not all(0 < value < float("inf") for value in (self.loss, self.cost)):
            raise SettingsError("loss and cost must be above 0")
        if self.lean is not None and not 0 < self.lean <= MOST_LEAN:
            raise SettingsError(f"lean must be above 0 and at most {MOST_LEAN:.0f}")

    def leans(self) -> tuple[float, ...]:
        """Leanings of learners that can lean: not at all, so far, and half as far in between."""
        most = self.loss / self.cost if self.lean is None else self.lean
        most = min(max(most, 1 / MOST_LEAN), MOST_LEAN)
        return tuple(dict.fromkeys((1.0, most**0.5, most)))

    def kinds(self) -> tuple[str, ...]:
        """The kinds of learners."""
        return _kinds(self.kind)

    def attacking(self) -> tuple[str, ...]:
        """The kinds of learners that attack."""
        return _kinds(self.attackers)

    def __repr__(self) -> str:
        return f"Sanitizing({', '.join(self.kinds())}, L={self.loss:g}, C={self.cost:g})"


def _kinds(named: tuple[str, ...]) -> tuple[str, ...]:
    every = (one for kind in named for one in (("crf", "svm", "ensemble") if kind == SELECTION else (kind,)))
    return tuple(dict.fromkeys(every))
