"""Counts of a release of ours about stand-ins: what they could be written for, and what dates that moved together tell."""

import datetime
import re
from collections import Counter, defaultdict
from contextlib import suppress
from functools import cache

from unname.auditing.standins import MovedDates, Readable
from unname.dates import Day, days_of
from unname.languages import phrases
from unname.protecting.mandatory import BY_IDENTIFIER
from unname.protecting.outcomes import Outcome
from unname.protecting.result import Deidentified
from unname.transforms.base import seen_through
from unname.transforms.standins.kinds import DATE, kind_of

_TWO_FIGURES, _CENTURY = 99, 2000


def readable(made: Deidentified) -> Readable | None:
    """Hidden stretches for which other transforms would write what a reader can follow; None where nothing is hidden."""
    stretches = numbered = surrogate = general = 0
    for outcome in made.outcomes():
        written = outcome.release.written.values() if outcome.release is not None else ()
        general += sum(bool(one.general) for one in written)
        for span in outcome.mask.spans if outcome.release is not None else ():
            stretches += 1
            # The table's own names and numbers have no label where no tagger saw them.
            known = span.method == BY_IDENTIFIER
            numbered += bool(span.label) or known
            surrogate += known or bool(kind_of(span.label))
    return Readable(stretches, numbered, surrogate, general) if stretches else None


def moved_dates(made: Deidentified) -> MovedDates | None:
    """The people whom the distances of their dates may give away; None where no dates moved."""
    days_by_person, documents, holidays = defaultdict[str, set[int]](set), 0, 0
    for place, outcome in enumerate(made.outcomes()):
        moved = _moved(outcome)
        if moved is None or outcome.release is None:
            continue
        documents += 1
        holidays += bool(_holidays().search(seen_through(outcome.release)))
        person = made.documents[place].person
        days_by_person[f"document {made.documents[place].id}" if person is None else str(person)] |= moved
    if not documents:
        return None
    patterns = [tuple(day - min(days) for day in sorted(days)) for days in days_by_person.values() if len(days) > 1]
    times = Counter(patterns)
    return MovedDates(len(patterns), sum(times[pattern] == 1 for pattern in patterns), documents, holidays)


def _moved(outcome: Outcome) -> set[int] | None:
    """The full dates that a transform wrote, as numbers of days; None where it moved none."""
    written = outcome.release.written.values() if outcome.release is not None else ()
    moved = [one.text for one in written if one.invented and one.kind == DATE]
    days = (min(read) for text in moved if (read := days_of(text)))
    return {number for day in days if (number := _number(day))} if moved else None


def _number(day: Day) -> int:
    """The number of a day; 0 of one that no calendar has, such as a leap day of a year in two figures."""
    year = day.year or 0
    with suppress(ValueError):
        return datetime.date(year if year > _TWO_FIGURES else _CENTURY + year, day.month, day.day).toordinal()
    return 0


@cache
def _holidays() -> re.Pattern[str]:
    said = "|".join(sorted(map(re.escape, phrases("holidays", "holidays")), key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{said})(?!\w)")
