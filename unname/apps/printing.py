"""What the command says on a terminal: verdicts, reports, estimates and scores, and never any text of a document."""

import logging
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import TextWrapper
from typing import TYPE_CHECKING

from rich.console import Console

from unname.errors import printable
from unname.storage.notices import reading

if TYPE_CHECKING:
    from unname.auditing.report import Found, Report
    from unname.other_jobs import Pseudonyms
    from unname.sharing.card import Card
    from unname.sharing.measured import Measured
    from unname.verbs.deidentify.estimate import Estimate
    from unname.verbs.deidentify.files import Released
    from unname.verbs.demo.run import Demo
    from unname.verbs.evaluate.run import Evaluation
    from unname.verbs.sanitize.game import Game
    from unname.verbs.share.pseudonymise import Shared

OUT = Console(highlight=False, soft_wrap=True)
ERR = Console(stderr=True, highlight=False)
_STYLES = {
    "pass": "bold green",
    "raised": "bold yellow",
    "fail": "bold red",
    "weak": "bold yellow",
    "unmeasured": "bold",
}


def say(lines: str) -> None:
    """Print lines that may hold a name somebody else chose: no markup, no terminal escapes."""
    OUT.print(printable(lines, lines=True), markup=False)


def _say_filled(line: str, mark: str = "") -> None:
    """One line for terminals of 80 columns: wrapped at words, whatever hangs below its mark indented."""
    lines = TextWrapper(
        79, initial_indent=mark, subsequent_indent=" " * len(mark), break_long_words=False, break_on_hyphens=False
    )
    say(lines.fill(printable(line)))


class _Notices(logging.Handler):
    """Prints each line once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage()
        if line not in self._said:
            self._said.add(line)
            ERR.print(f"note: {line}", markup=False, soft_wrap=True)


@contextmanager
def notices_shown() -> Iterator[None]:
    """What is noticed of a file as it is read, on standard error, each thing once."""
    handler = _Notices()
    reading.addHandler(handler)
    try:
        yield
    finally:
        reading.removeHandler(handler)


def print_verdict(report: "Report") -> None:
    """May it go out, by which figure, and what would lower that; of few people first what is left of each."""
    from unname.auditing.verdict import fewer_people, headline, of_readers, of_the_table, title

    result, stated = report.verdict or "", report.headline
    OUT.print(f" {title(report)} ", style=f"{_STYLES[result]} reverse", markup=False)
    _print_remaining(report)
    if (line := headline(report)) and report.people:
        _say_filled(f"People of your table. {line}")
    if line := fewer_people(report):
        _say_filled(line)
    for line in of_readers(report):
        _say_filled(line)
    _print_riskiest(report)
    for line in stated.why if stated else ():
        _say_filled(line, "  – ")
    for line in stated.lower if stated else ():
        _say_filled(line, "  → ")
    if report.accepted_risk:
        _say_filled(f"Released all the same. Reason given: {report.accepted_risk}", "  ")
    for line in of_the_table(report, _MOST_FIELDS):
        _say_filled(line)
    OUT.print()


def _print_remaining(report: "Report") -> None:
    """Of few people the facts that remain, and what to do about them."""
    from unname.auditing.readers import remaining
    from unname.facts.wording import THEN

    rows, outsider = remaining(report), report.outsider
    if not rows or outsider is None:
        return
    _say_filled("What the texts still say that a stranger could look up:")
    for said, question in rows:
        _say_filled(f"{said}. {question}", "  • ")
    listed = f" {outsider.listed} in the private folder has each of them, person by person." if outsider.listed else ""
    _say_filled(f"{THEN}{listed}")


def _print_riskiest(report: "Report") -> None:
    """The released ids of the documents to read first."""
    from unname.auditing.readers import is_small, riskiest

    rows = [] if is_small(report) else riskiest(report)
    if rows:
        _say_filled("The riskiest, by their released ids:")
    for name, facts in rows:
        say(f"    {name}  {facts}")


def _some(fields: Sequence[str]) -> str:
    """Names of fields, as many as one reads."""
    more = len(fields) - _MOST_FIELDS
    return ", ".join(fields[:_MOST_FIELDS]) + (f" and {more} more" if more > 0 else "")


_MOST_FIELDS = 15


def print_report(report: "Report") -> None:
    """The verdict, a table of attackers that fits 80 columns, and the lines of the report's beginning."""
    from unname.auditing.page import in_short

    print_verdict(report)
    rows = _table(report)
    if rows:
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        for name, *cells in rows:
            said = [name.ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(cells, widths[1:], strict=True))]
            OUT.print("  ".join(said).rstrip(), markup=False)
        OUT.print()
    for line in in_short(report):
        _say_filled(line, "• ")
    OUT.print()


def _table(report: "Report") -> list[tuple[str, str, str]]:
    """Rows of the table of attackers, headings among them."""
    from unname.auditing.page import ANY_UNUSED, ANY_USED, combined, grouped
    from unname.auditing.readers import is_count
    from unname.auditing.report import shown
    from unname.statistics import percent

    def cells(name: str, before: "Found | None", after: "Found | None") -> tuple[str, str, str]:
        return name, (shown(before) if is_count(before) else percent(before.rate)) if before else "–", shown(after)

    found: list[tuple[str, str, str]] = []
    for heading, attackers in grouped(report.attackers):
        found.append((heading, "", ""))
        found += [cells(f"  {printable(a.title or a.name)}", a.before, a.after) for a in attackers]
    together = [(ANY_UNUSED, report.any_unused), (ANY_USED, report.any_used), *combined(report)]
    rows = [cells(f"  {name}", sides.before, sides.after) for name, sides in together if sides]
    if rows:
        found = [("found at the first guess", "original", "release"), *found, ("Together", "", ""), *rows]
    return found


def print_places(released: "Released") -> None:
    report = released.folder / "report.html"
    outsider = released.report.outsider
    listed = f"\nread     {released.private / outsider.listed}" if outsider and outsider.listed else ""
    if not released.held:
        say(f"release  {released.documents}\nreport   {report}\nprivate  {released.private}{listed}")
        return
    gone = ", and the earlier release there is gone" if released.took_place else ""
    say(
        f"Nothing was released{gone}. Everything lies in the private folder:\nprivate  {released.private}\n"
        f"report   {report}{listed}\n"
        f'To let it go all the same:  unname release {shlex.quote(str(released.private))} --accept-risk "who, and why"'
    )


def print_choices(demo: "Demo") -> None:
    """What else could have been hidden, what it costs in words, and who is found then."""
    from unname.auditing.report import shown
    from unname.statistics import percent

    OUT.print(f"Of the first {demo.compared} documents the strongest adversary without attackers that learn finds:")
    for choice in demo.choices:
        OUT.print(f"  {choice.name:<14} {shown(choice.found):>18}   {percent(choice.masked)} of the words hidden")
    OUT.print()


def print_estimate(found: "Estimate") -> None:
    from unname.statistics import percent

    low, high = (percent(bound) for bound in found.masked_ci)
    OUT.print(f"{found.documents} documents about {found.persons} people; {found.people} people in the population")
    for count, what in ((found.bad_records, "bad records passed over"), (found.unknown, "documents of unknown people")):
        if count:
            OUT.print(f"{count} {what}")
    if not found.sampled:
        why = "no document's person is in the population" if found.people else "there is no table of people (--people)"
        OUT.print(f"words to hide    not estimated: {why}; nothing was written")
        return
    OUT.print(f"words to hide    {percent(found.masked)} ({low} to {high}), from {found.sampled} documents")
    OUT.print(f"withheld         {percent(found.withheld.value)} of these documents")
    say(f"direct           {', '.join(found.direct) or 'no field of the people table'}")
    if found.not_direct:
        say(f"not direct       {_some(found.not_direct)}")
    OUT.print(f"index, training  {found.index_bytes / 2**20:.1f} MiB, about {found.index_s:.1f} s")
    OUT.print(f"masking          about {found.mask_s:.0f} s, workers: {found.workers}")
    if found.rounds_s:
        OUT.print(f"rounds           about {found.rounds_s:.0f} s, where all are needed")
    together = found.index_s + found.mask_s + found.rounds_s + found.audit_s
    OUT.print(f"audit            about {found.audit_s:.0f} s")
    OUT.print(f"together         about {together:.0f} s, give or take half of it")
    OUT.print("nothing was written")


def _say_table(lines: Sequence[tuple[str, ...]]) -> None:
    """Columns side by side, the first one on the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for name, *cells in lines:
        say("  ".join([name.ljust(widths[0]), *(c.rjust(w) for c, w in zip(cells, widths[1:], strict=True))]).rstrip())


def print_game(game: "Game", budget: int) -> None:
    """Every round, and what to publish."""
    headings = ("round", "learner", "right", "wrong", "left before", "readable", "loss", "hidden")
    _say_table([headings, *game.table()])
    say("")
    for line in game.advice(budget):
        _say_filled(line, "• ")


def print_shared(made: "Shared", how: "Pseudonyms") -> None:
    """What was replaced, what stays in clear, and who can be pieced together."""
    from unname.statistics import percent

    kind = "documents" if how.coherent else "sentences"
    _say_filled(f"{made.texts} {kind} with {made.replaced} tokens of identifiers.", "• ")
    if made.unknown:
        became = "stay in clear" if how.as_published else "became words that their label's others are like"
        _say_filled(f"{made.unknown} of them have no vector: they {became}.", "• ")
    if (attack := made.linkage) and attack.sentences:
        _say_filled(
            f"Whoever knows the method and the vectors leads {percent(attack.found)} of {attack.sentences} sentences to "
            f"another one of their document ({percent(attack.before)} by the tokens as they were, {percent(attack.chance)} "
            "by chance).",
            "• ",
        )
    _say_filled("What no annotator marked stays as it is: read a sample before you share it.", "• ")


def print_card(card: "Card") -> None:
    """What each attack finds, beside what it would find without vectors, and the two that have a limit."""
    from unname.statistics import percent

    limits = {
        one.name: f"{100 * most:+.1f}"
        for one in card.attacks if (most := card.limit_of(one)) is not None
    }  # fmt: skip
    rows = [
        (one.name, percent(one.found), percent(one.blind), f"{100 * one.most:+.1f}", limits.get(one.name, ""),
         f"{one.cases}")
        for one in card.attacks
    ]  # fmt: skip
    _say_table([("attack", "finds", "guessing", "at most", "limit", "cases"), *rows])
    _say_filled("Guessing is by casing and label; at most, and limit, are points over it.", "• ")
    _say_filled(
        f"Words asked about are those the representer knows: {percent(card.coverage)} of identifiers' words.", "• "
    )
    _say_filled(
        f"In pairs and in membership a word was exchanged for one of the N = {card.neighbours} most like it (an unknown one "
        f"for any); a fresh pair adversary learned for {card.epochs} epochs. The fewer, the less this proves.", "• "
    )  # fmt: skip
    _say_filled(
        f"Whoever reads it, the vector of an identifier's word tells at most {card.told:.1f} nats of its text on average. "
        "A sentence's vectors together may tell as many times as much, also of one word.", "• "
    )  # fmt: skip


def print_represented(sentences: int, known: float, own: "Measured") -> None:
    """How many sentences were represented, how much of their identifiers a tagger can tell apart, and what was measured."""
    from unname.statistics import percent

    _say_filled(
        f"The representer knows {percent(known)} of the words of your identifiers; others look alike to a tagger.", "• "
    )
    _say_filled(
        f"Measured on your own sentences: a vector of an identifier's word tells at most {own.told:.1f} nats on average; a "
        f"pair adversary that learned on them for {own.epochs} epochs is right in: {own.pairs}.", "• "
    )  # fmt: skip
    _say_filled(f"{sentences} sentences, each once, without a word of them; casings and labels are in clear.", "• ")


def print_evaluation(found: "Evaluation") -> None:
    headings = ("precision", "recall", "F1", "found", "false", "missed")
    lines = [(f"{found.metric}, {found.documents} documents", *headings), *found.table(), ("",) * 7,
             ("type", *headings), *found.types()]  # fmt: skip
    _say_table([(printable(name), *cells) for name, *cells in lines])
    if found.leak is not None:
        say(f"\nleak score, missed entities for each sentence (ours): {found.leak:.4f}")
    for kind, value in found.leaks().items():
        say(f"leak of {kind} identifiers: {'not measured' if value is None else f'{100 * value:.1f} %'}")
