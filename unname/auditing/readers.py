"""The verdict's second line in words: readers who look things up, what they can go by, and whom they find."""

from collections.abc import Mapping

from unname.auditing.outsider import KindOfFact, Outsider, Searched
from unname.auditing.report import FEWEST_PEOPLE, Found, Inferred, Linked, Report, shown
from unname.facts.wording import counted, wording
from unname.statistics import percent

READERS = "Readers who look things up"
_SEARCHING = {
    "text": "who searches with all of the text", "parts": "who searches with parts of the words",
    "pairs": "who searches with pairs of words", "facts": "who searches with the facts that are left",
}  # fmt: skip
_SHIPPED = frozenset(("rules.v1", "entities.v1"))
# Of a list of kinds so many are told on the terminal.
_MOST_KINDS = 6


def readers(report: Report, limit: float | None = None) -> list[str]:
    """The second line, and what is to be read first; never silent, whatever was measured."""
    outsider = report.outsider
    if outsider is None:
        return [
            f"{READERS}: not measured, and nobody looked for what they could look up (no tagger was asked). Facts that no "
            "table holds (offices, events, titles, exact dates) may still lead to people: read the texts."
        ]
    more = [f"{unread(outsider)}. Read these, or let others find names there (--tagger, --spans)."]
    more = more if outsider.unread and has_shipped_alone(report) else []
    if measured := outsider.measured:
        return [_measured(measured, limit), f"{_stating(outsider)}{_where(outsider) if outsider.listed else ''}", *more]
    return [f"{READERS}: not measured. {_stating(outsider)}{_where(outsider)}", *more]


def unread(outsider: Outsider) -> str:
    """A line that counts the documents no tagger of ours can be trusted with."""
    return (
        f"{outsider.unread:,} of {outsider.documents:,} documents are written in a script that the taggers which come with "
        "Unname have not learned: names may stay readable there, and what they find is guessed"
    )


def has_shipped_alone(report: Report) -> bool:
    """True if nothing but the taggers that come with Unname looked for names."""
    return set(report.taggers or ()) <= _SHIPPED


def _stating(outsider: Outsider) -> str:
    """A line on the documents that still state facts that can be looked up, and the kinds of these facts."""
    if not outsider.stating:
        return (
            f"In {_documents(outsider.documents)} no tagger sees a fact any more that a stranger could look up; taggers "
            "overlook some."
        )
    of = f"{outsider.stating:,} of {outsider.documents:,} documents"
    if outsider.documents > outsider.people and outsider.people < FEWEST_PEOPLE:
        of += f" ({outsider.stating_people} of {outsider.people} people)"
    return f"{of} still state what a stranger could look up: {', '.join(kinds_left(outsider))}."


def _documents(count: int) -> str:
    return f"{count:,} document{'' if count == 1 else 's'}"


def kinds_left(outsider: Outsider) -> list[str]:
    """Kinds of facts left that can be looked up, most frequent first; beyond so many kinds all others together."""
    rows = sorted(_left(outsider).items(), key=lambda row: -row[1].left)
    said = [counted(kind, row.left) for kind, row in rows[:_MOST_KINDS]]
    more = sum(row.left for _, row in rows[_MOST_KINDS:])
    return [*said, f"{more:,} more"] if more else said


def _left(outsider: Outsider) -> Mapping[str, KindOfFact]:
    return {kind: row for kind, row in outsider.kinds.items() if row.left}


def _where(outsider: Outsider) -> str:
    """The first step to take, and the place of the list."""
    if not outsider.stating:
        return " Read some of the documents before they go out."
    listed = f": {outsider.listed} in the private folder lists every one" if outsider.listed else ""
    return f" Read these first{listed}."


def _measured(search: Searched, limit: float | None) -> str:
    """The figures of the best searcher, before and after."""
    worst = search.worst
    among = f"{search.people:,} people of the {'graph' if search.where == 'graph' else 'reference texts'}"
    line = (
        f"{READERS}: {_SEARCHING.get(worst.name, worst.name)} among {among} finds the right person for "
        f"{of_documents(worst.after)} (by the originals {shown(worst.before)})"
    )
    if limit is not None:
        line += f"; the limit is {percent(limit)}"
    if search.unsought:
        line += f". The people of {_documents(search.unsought)} are not among these"
    return f"{line}."


def of_documents(figures: Found | Linked | Inferred | None, what: str = "documents") -> str:
    """So many of the documents (or people): a share with its interval, of fewer than 50 people a count."""
    if figures is None:
        return shown(figures)
    return f"{shown(figures)} {what}" if is_count(figures) else f"{shown(figures)} of the {what}"


def is_count(figures: Found | Linked | Inferred | None) -> bool:
    """True if figures are of so few people that a share of them would say more than is known."""
    return figures is not None and figures.rate is not None and 0 < figures.people < FEWEST_PEOPLE


def found_of(figures: Found | None) -> str:
    """So many, where the sentence has said of how many."""
    return shown(figures).rpartition(" of ")[0] if is_count(figures) else shown(figures)


def riskiest(report: Report) -> list[tuple[str, str]]:
    """Released ids of the documents to read first, and how many facts each states."""
    rows = report.outsider.riskiest if report.outsider else ()
    return [(row.id, f"{row.facts} fact{'' if row.facts == 1 else 's'}") for row in rows]


def is_small(report: Report) -> bool:
    """True if a release is of so few people that the facts which remain say more than any rate."""
    people = report.outsider.people if report.outsider else 0
    return 0 < people < FEWEST_PEOPLE


def remaining(report: Report) -> list[tuple[str, str]]:
    """Of few people, what is left in words that they would understand, and what to ask oneself about it."""
    outsider = report.outsider
    if outsider is None or not is_small(report):
        return []
    rows = sorted(_left(outsider).items(), key=lambda row: -row[1].left)
    return [
        (
            f"{counted(kind, row.left)}, in the texts of {row.people} of {outsider.people} people",
            wording(kind).question,
        )
        for kind, row in rows
    ]  # fmt: skip


def rows_of_kinds(report: Report) -> list[tuple[str, KindOfFact, str]]:
    """Every kind of fact in plain words, its counts, and what to ask oneself."""
    kinds = report.outsider.kinds if report.outsider else {}
    return [
        (wording(kind).many, row, wording(kind).advice)
        for kind, row in sorted(kinds.items(), key=lambda row: (-row[1].left, row[0]))
    ]  # fmt: skip
