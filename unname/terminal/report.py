"""A report on a terminal: its verdict, the table of attackers, and its first lines."""

from typing import TYPE_CHECKING

from unname.errors import printable
from unname.terminal.printing import MOST_FIELDS, OUT, say, say_filled, say_table

if TYPE_CHECKING:
    from unname.auditing.report import Found, Report

_STYLES = {
    "pass": "bold green",
    "raised": "bold yellow",
    "fail": "bold red",
    "weak": "bold yellow",
    "unmeasured": "bold",
}


def print_verdict(report: "Report") -> None:
    """May it go out, by which figure, and what would lower that; of few people first what is left of each."""
    from unname.auditing.verdict import fewer_people, headline, of_readers, of_the_table, title

    result, stated = report.verdict or "", report.headline
    OUT.print(f" {title(report)} ", style=f"{_STYLES[result]} reverse", markup=False)
    _print_remaining(report)
    if (line := headline(report)) and report.people:
        say_filled(f"People of your table. {line}")
    if line := fewer_people(report):
        say_filled(line)
    for line in of_readers(report):
        say_filled(line)
    _print_riskiest(report)
    for line in stated.why if stated else ():
        say_filled(line, "  – ")
    for line in stated.lower if stated else ():
        say_filled(line, "  → ")
    if report.accepted_risk:
        say_filled(f"Released all the same. Reason given: {report.accepted_risk}", "  ")
    for line in of_the_table(report, MOST_FIELDS):
        say_filled(line)
    if report.left_out:
        say_filled(report.left_out.said())
    OUT.print()


def _print_remaining(report: "Report") -> None:
    """Of few people the facts that remain, and what to do about them."""
    from unname.auditing.readers import remaining
    from unname.facts.wording import THEN

    rows, outsider = remaining(report), report.outsider
    if not rows or outsider is None:
        return
    say_filled("What the texts still say that a stranger could look up:")
    for said, question in rows:
        say_filled(f"{said}. {question}", "  • ")
    listed = f" {outsider.listed} in the private folder has each of them, person by person." if outsider.listed else ""
    say_filled(f"{THEN}{listed}")


def _print_riskiest(report: "Report") -> None:
    """The released ids of the documents to read first."""
    from unname.auditing.readers import is_small, riskiest

    rows = [] if is_small(report) else riskiest(report)
    if rows:
        say_filled("The riskiest, by their released ids:")
    for name, facts in rows:
        say(f"    {name}  {facts}")


def print_report(report: "Report") -> None:
    """The verdict, a table of attackers that fits 80 columns, and the lines of the report's beginning."""
    from unname.auditing.page import in_short

    print_verdict(report)
    rows = _table(report)
    if rows:
        say_table(rows)
        OUT.print()
    for line in in_short(report):
        say_filled(line, "• ")
    OUT.print()


def _table(report: "Report") -> list[tuple[str, str, str]]:
    """Rows of the table of attackers, headings among them."""
    from unname.auditing.page import ANY_UNUSED, ANY_USED, combined, grouped
    from unname.auditing.readers import is_count
    from unname.auditing.report import shown
    from unname.statistics import percent

    def cells(name: str, before: "Found | None", after: "Found | None") -> tuple[str, str, str]:
        return name, (shown(before) if is_count(before) else percent(before.rate)) if before else "–", shown(after)

    table: list[tuple[str, str, str]] = []
    for heading, attackers in grouped(report.attackers):
        table.append((heading, "", ""))
        table += [cells(f"  {printable(a.title or a.name)}", a.before, a.after) for a in attackers]
    together = [(ANY_UNUSED, report.any_unused), (ANY_USED, report.any_used), *combined(report)]
    rows = [cells(f"  {name}", sides.before, sides.after) for name, sides in together if sides]
    if rows:
        table = [("found at the first guess", "original", "release"), *table, ("Together", "", ""), *rows]
    return table
