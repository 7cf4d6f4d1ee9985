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
        gone, options = list[str](), list[str]()
        if self.rounds is not None:
            gone.append("rounds of masking" if not self.rounds else f"rounds of masking beyond {self.rounds}")
            options.append(f"--rounds {self.rounds}")
        if self.audit_sample is not None:
            gone.append(f"documents beyond {self.audit_sample} to try attackers on")
            options.append(f"--audit-sample {self.audit_sample}")
        if self.quick:
            gone.append("all but the quick attackers")
            options.append("--audit quick")
        asked, estimated = said_time(self.asked_s), said_time(self.estimated_s)
        if not options:
            return f"Nothing was left out for a time budget of {asked}; the estimate was {estimated}."
        return (
            f"Left out for a time budget of {asked}: {', '.join(gone)}. The estimate was {estimated} then. The same comes "
            f"out without a budget by {' '.join(options)}."
        )
