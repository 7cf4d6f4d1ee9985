"""The parts of a run that a time budget had no room for."""

from dataclasses import dataclass

from unname.runtime import said_time


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Seconds asked for and estimated, and what was left out for them, None or False where nothing was.

    At most so many `rounds` of masking, attackers tried on an `audit_sample` of so many documents, and `quick` ones alone.
    """

    asked_s: int
    estimated_s: int
    rounds: int | None = None
    audit_sample: int | None = None
    quick: bool = False

    def said(self) -> str:
        """A line for readers, with the options that do the same without a budget."""
        options = [f"--rounds {self.rounds}"] if self.rounds is not None else []
        options += [f"--audit-sample {self.audit_sample}"] if self.audit_sample else []
        options += ["--audit quick"] if self.quick else []
        asked, estimated = said_time(self.asked_s), said_time(self.estimated_s)
        if not options:
            return f"Nothing was left out for a time budget of {asked}; the estimate was {estimated}."
        return (
            f"For a time budget of {asked} parts were left out, with which the estimate was longer than that; without them "
            f"it was {estimated}. The same without a budget: {' '.join(options)}."
        )
