"""The report as one page that a manager can read in a minute: self-contained, no script, aggregates only."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import groupby

from jinja2 import Template

from unname.auditing.readers import found_of, is_count, is_small, of_documents, remaining, riskiest, rows_of_kinds
from unname.auditing.report import AtRead, AttackerFigures, Found, Report, Sides, shown
from unname.auditing.standins import MovedDates, Readable, StandIns
from unname.auditing.verdict import anonymity, fewer_people, headline, of_readers, of_the_table
from unname.auditing.verdict import title as title_of_verdict
from unname.facts.wording import THEN
from unname.pages.template import template
from unname.statistics import percent
from unname.taggers.safe_harbor import NOT_LOOKED_FOR

_SIGNS = {"pass": "✓", "raised": "!", "fail": "✗", "weak": "!", "unmeasured": "?"}
ANY_UNUSED, ANY_USED = "Any held-out attacker", "Any attacker used in masking"
STRONGEST = "Strongest adversary, from everything"
WITH_MODELS = "The same with private models (not counted)"
MATCHED = "The same, matched one to one (per person)"
FUSED, CROWDS = "All scores combined into one guess", "Guesses from crowd sizes alone"
_TRAINED = {
    "originals": "trained on other people's originals",
    "release": "trained on other people's released texts",
    "model": "a model trained elsewhere",
}


def trained_how(name: str) -> str:
    """The kind of training of an attacker, from its name; "" for one that reads profiles alone."""
    return _TRAINED.get(name.partition("@")[2].rstrip("0123456789"), "")


def title_of(attacker: AttackerFigures) -> str:
    """A description of an attacker in words a manager understands; one that does not say so keeps its name."""
    how = trained_how(attacker.name)
    return f"{attacker.title} ({how})" if attacker.title and how else attacker.title or attacker.name


def grouped(attackers: Sequence[AttackerFigures]) -> list[tuple[str, list[AttackerFigures]]]:
    """Attackers under headings: those used in masking, then those held out, by what they were trained on."""

    def heading(attacker: AttackerFigures) -> str:
        how = trained_how(attacker.name)
        return "Used in masking" if attacker.used else f"Held out, {how}" if how else "Held out"

    order = ["Used in masking", "Held out", *(f"Held out, {how}" for how in _TRAINED.values())]
    rows = sorted(attackers, key=lambda attacker: order.index(heading(attacker)))
    return [(title, list(group)) for title, group in groupby(rows, key=heading)]


def combined(report: Report) -> list[tuple[str, Sides]]:
    """The combining adversaries, under the names that readers see."""
    rows: list[tuple[str, Found | None, Found | None]] = []
    if report.fused:
        rows.append((FUSED, report.fused.before, report.fused.after))
    if sizes := report.crowd_sizes:
        rows.append((CROWDS, None, sizes.found()))
    with_models = report.strongest if report.strongest_without_models else None
    rows += [(STRONGEST, None, report.counted), (MATCHED, None, report.matched), (WITH_MODELS, None, with_models)]
    return [(label, Sides(before, after)) for label, before, after in rows if after]


def number(value: float | None) -> str:
    """A count or a median of counts, without a decimal where it needs none."""
    return "–" if value is None else f"{value:g}"


def in_short(report: Report) -> list[str]:
    """The lines under the verdict: who can still be found, against whom it holds, what it cost."""
    lines = _unmeasured(report)
    unused, together = report.any_unused, report.per_person.any_unused.after
    if report.counted:
        lines += _strongest(report, report.counted)
    if unused:
        blind = f" (blind guesses: {percent(report.union_chance)})" if report.union_chance else ""
        lines.append(
            f"Some held-out attacker, whichever it is, names the right person for {of_documents(unused.after)}"
            f"{blind}; from the originals, for {shown(unused.before)}."
        )
    if together and report.persons < report.documents:
        among = of_documents(together, "people" if is_count(together) else f"{report.persons} people")
        lines.append(f"With all documents of a person side by side, at least one finds {among}.")
    if report.any_used:
        lines.append(
            f"The attackers used in masking find {shown(report.any_used.after)}. That says how well the masking did its "
            "job, not how safe the release is."
        )
    if report.not_tried:
        lines.append(
            f"Not tried although used in masking: {', '.join(report.not_tried)}. It was trained, and its model lies in "
            "the release's private folder."
        )
    if crowds := report.plausible_crowds:
        lines.append(
            f"{crowds.below_k} of {crowds.documents} crowds have fewer than k = {report.k} members who could be the person, "
            "because their own crowd would be k or more as well; the median is "
            f"{number(crowds.median)}. Adversaries know that rule."
        )
    if report.stand_ins:
        lines.append(_stand_ins(report.stand_ins))
    if report.moved_dates:
        lines += _moved_dates(report.moved_dates)
    lines.append(_counts(report))
    if report.anonymity:
        lines.append(anonymity(report.anonymity))
    if report.safe_harbor:
        lines.append(_safe_harbor(report.safe_harbor))
    lines += _beyond(report)
    lines.append(
        f"The price: {percent(report.masked.rate)} of the words hidden, "
        f"{percent(report.information_loss)} of the information lost (compressed size)."
    )
    if report.readable and (report.readable.numbered or report.readable.general) and not report.stand_ins:
        lines.append(_readable(report.readable))
    if small := report.masked.small:
        lines.append(
            f"{_count(small, 'word')} without a capital {'is' if small == 1 else 'are'} hidden only because a name of the "
            "person is spelled so (“may”, “will”): an ordinary word there, or a name typed small."
        )
    return lines


def _safe_harbor(kinds: Mapping[str, str]) -> str:
    """A line on the kinds of Safe Harbor (18 in all) that nobody looked for."""
    left = [kind for kind, how in kinds.items() if how == NOT_LOOKED_FOR]
    return (
        f"HIPAA Safe Harbor: {len(kinds) - len(left)} of {len(kinds)} kinds of identifiers were looked for; nobody looked "
        f"for {' and '.join(left)}. A ZIP code is hidden whole, a date but for its year. Rules find names and places only "
        "where a title, a field or the table of people says so; trained taggers find more."
    )


def _strongest(report: Report, strongest: Found) -> list[str]:
    """The strongest adversary's figures, when he knows that he is right, and what more he might know."""
    line = (
        "The strongest adversary, who has learned from other people's documents to combine everything into one guess, "
        f"finds the person for {of_documents(strongest)}"
    )
    if report.matched:
        line += f"; matching all guesses one to one, {of_documents(report.matched, 'people')}"
    lines = [f"{line}."]
    if report.strongest_without_models and report.strongest:
        lines.append(
            "Whoever gets hold of the models that the masking hid from finds the person for "
            f"{shown(report.strongest)}: they learned under the secret key, and lie beside it in the private folder."
        )
    if sure := report.confidence:
        tenth = sure.surest[-1]
        lines.append(f"Of its surest tenth of guesses {shown(tenth.right)} are right.")
    # A direct identifier finds people without any release: it says nothing of this one.
    other_fields = [row for row in report.knowing or () if row.field not in (report.direct_fields or {})]
    if other_fields and (other_fields[0].after.rate or 0) > (strongest.rate or 0):
        lines.append(
            f"Who knows “{other_fields[0].field}” of a person from elsewhere finds {shown(other_fields[0].after)}."
        )
    return lines


def _unmeasured(report: Report) -> list[str]:
    """The data no attacker was tried on, so that nobody takes silence for safety."""
    lines = []
    unknown = report.not_measured or 0
    if unknown:
        taggers = ", ".join(report.taggers or ())
        hidden = f"your lists, known names and what was tagged ({taggers})" if taggers else "your lists and known names"
        what = "this release" if not report.fused else f"{unknown} of {report.documents} documents"
        lines.append(
            f"Not measured: how safe {what} is. It is not known whom these texts are about, so no crowd could be counted "
            f"and no attacker tried; only {hidden} are hidden."
        )
    elif not report.fused:
        left_out = report.audit == "none"
        why = "the audit was left out" if left_out else "no document was left whose person is known"
        lines.append(f"Not measured: {why}.")
    if 0 < (report.audited or 0) < report.documents - unknown:
        lines.append(
            f"Attackers were tried on {report.audited} documents, all of a person or none; crowds, hidden words and "
            "withheld documents are counted over all."
        )
    if report.shadow:
        lines.append(
            f"Who combines attackers learned from {report.shadow} documents of other people as well, masked as these were."
        )
    if report.read_curve:
        lines.append(_over_read(report.read_curve))
    if report.bystanders is not None:
        beside = report.bystanders
        by_one = f", one adversary who combines them {found_of(beside.strongest)}" if beside.strongest else ""
        if beside.named and beside.named.n:
            lines.append(
                f"Of {beside.named.n} mentions of other known people {found_of(beside.named)} still show the name in full."
            )
        if beside.passages:
            lines.append(
                f"Of {beside.passages} passages that name other known people some attacker finds {found_of(beside.any)} by "
                f"what is left of them{by_one}."
            )
    if third := report.third_parties:
        lines.append(
            f"{third.documents} documents name other known people, {third.mentions} times in all; {third.below_k} of these "
            f"passages have a crowd below k = {report.k}."
        )
    return lines


def _stand_ins(figures: StandIns) -> str:
    """A line on how far stand-ins mislead, which counts for nothing."""
    return (
        f"{figures.documents} documents have words that their originals do not have. Whoever takes these for words finds the "
        f"person for {shown(figures.as_words)}, whoever sees that they are none for {shown(figures.as_gaps)}; this report's "
        "figures are those of the worse of the two."
    )


def _moved_dates(figures: MovedDates) -> list[str]:
    """Lines on what the distances between moved dates give away, and what they contradict."""
    lines = []
    if figures.people:
        lines.append(
            f"Dates moved together: of {figures.people} people with two or more of them {figures.alone} have distances "
            "between them that nobody else here has; who knows these days finds them, and one day that is known undoes the "
            "shift."
        )
    if figures.holidays:
        lines.append(
            f"{figures.holidays} of {figures.documents} documents with moved dates name a holiday, beside which a date may "
            "be wrong, and say when it was."
        )
    return lines


def _readable(figures: Readable) -> str:
    """A line on what other transforms would keep, or on what is said in general."""
    if figures.general:
        return (
            f"For readers: of {figures.stretches} hidden stretches {figures.general} say something more general, such as a "
            "year; their words count as hidden."
        )
    return (
        f"For readers: of {figures.stretches} hidden stretches --transform numbered tells {figures.numbered} apart, and "
        f"--transform surrogate writes stand-ins for up to {figures.surrogate}; of the rest nobody says what they are."
    )


def _over_read(rows: Sequence[AtRead]) -> str:
    """A line of rates by number of documents about other people that were read."""
    said = [f"{row.read:,}: {shown(row.found)}" for row in rows if row.found is not None]
    line = f"The strongest adversary, over how many documents about other people the attackers have read: {', '.join(said)}"
    further = [f"{row.read:,} might find {percent(row.extrapolated)}" for row in rows if row.extrapolated is not None]
    return f"{line}; if it goes on like this, {further[0]} (extrapolated, not measured)." if further else f"{line}."


def _counts(report: Report) -> str:
    """A line that counts released and withheld documents, and those with too small a crowd where that is known."""
    total, withheld = report.documents, report.withheld
    line = f"{total - withheld.documents} documents released, {withheld.documents} withheld"
    if withheld.reasons is None and withheld.documents:  # an audit: it sees what is there, and not why
        line = (
            f"{total - withheld.documents} of {total} documents are in the release; the other {withheld.documents} "
            "count as withheld: all their words as hidden, their people as not found"
        )
    if withheld.reread:
        line += f" ({withheld.reread} of them found only by the second reading)"
    if report.crowds:
        line += f"; {report.crowds.below_k} with a crowd below k = {report.k}"
    if report.bad_records:
        line += f"; {_count(report.bad_records, 'bad record')} passed over"
    return f"{line}."


def _beyond(report: Report) -> list[str]:
    """Lines on what earlier releases and metadata add, and on crowds that agree on a sensitive value."""
    lines = []
    if previous := report.previous:
        side = previous.any_unused or previous.fused
        who = "held-out attackers" if previous.any_unused else "all attackers combined"
        lines.append(
            f"{'Worse with' if _worse(report) else 'With'} {_count(previous.releases, 'earlier release')} beside this one: "
            f"{who} find the person for {of_documents(side.union)}, from this release alone for "
            f"{shown(side.after)}; {previous.words_only_in_previous} words hidden now can be read there."
        )
        if strongest := previous.strongest:
            lines.append(
                f"Reading all versions, the strongest adversary finds the person for {of_documents(strongest.union)}"
                f", from this release alone for {shown(strongest.after)}."
            )
        if previous.difference:
            lines.append(
                "Who counts most what one version shows and another hides finds "
                f"{shown(previous.difference)} by that alone."
            )
    if kept := report.kept:
        if kept.any_unused:
            lines.append(
                f"With the metadata released beside the text, held-out attackers find {shown(kept.any_unused['with'])}; "
                f"without it they would find {shown(kept.any_unused['without'])}."
            )
        if kept.below_k:
            lines.append(
                f"The metadata takes {kept.below_k['with']} documents below k; without it there are "
                f"{kept.below_k['without']}."
            )
    lines += [
        f"Everybody in the crowd has the same “{row['field']}” for {row['one_value']['count']} of {row['documents']} "
        "documents; a crowd does not hide what all of it shares."
        for row in report.sensitive or ()
        if row["one_value"]["count"]
    ]
    return lines


def _worse(report: Report) -> bool:
    """True if any figure grows once earlier releases are read too."""
    previous = report.previous
    if previous is None:
        return False
    sides = [side for side in (previous.any_unused, previous.any_used, previous.fused, previous.strongest) if side]
    below = previous.below_k
    return any((side.union.rate or 0) > (side.after.rate or 0) for side in sides) or bool(
        below and below["union"] > below["alone"]
    )


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def questions(report: Report) -> list[tuple[str, str]]:
    """Singling out, linkability and inference, each answered from this report's own figures."""
    unused, linked = report.any_unused, report.linkability.after
    asked = ("Can a person be singled out?", "Can records be linked?", "Can something be inferred?")
    if not report.attackers:
        return [(question, "Not measured: no document's person is known.") for question in asked]
    single = "Not measured: no attacker was held out."
    measured = report.counted or (unused.after if unused else None)
    if measured:
        single = (
            f"{_how_often(measured.rate)}: the strongest adversary picks the right person for {of_documents(measured)}"
            f", and has them among the first ten guesses for {first_ten(measured)}."
        )
    link = "No person has two documents in this release, so there is nothing to link within it."
    if linked:
        link = (
            f"For {of_documents(linked)} whose person has another one here, the most similar document is by "
            f"the same person (by chance: {percent(linked.chance)}; in the originals: "
            f"{shown(report.linkability.before)})."
        )
    infer = "Not measured: no field of the people table has short values that at least half of the people state."
    if report.inference:
        first = report.inference[0]
        infer = (
            f"The value of “{first.field}” that the strongest adversary holds for likeliest is right for {shown(first)} of "
            f"the documents; always guessing the commonest value gives {percent(first.commonest)}."
        )
    return list(zip(asked, (single, link, infer), strict=True))


def _how_often(rate: float | None) -> str:
    """A yes or no that does not say more than the figure."""
    if not rate:
        return "Nobody was, by the attackers tried"
    return "For few" if rate < 0.05 else "In part" if rate < 0.5 else "For most"


def limits(report: Report) -> list[str]:
    """Limits of these figures, which follow from who attacked."""
    families = {attacker.family for attacker in report.attackers}
    lines = [
        "A release is only as safe as the attackers that were tried. A stronger one, or one that knows something else, "
        "may find more."
    ]
    if report.attackers and "learned" not in families:
        lines.append(
            "No attacker was tried that learns from other people's documents; one often finds several times more."
        )
    if report.attackers and "neural" not in families:
        lines.append(
            "No attacker was tried that understands: words that fit a person without naming anything were read as words "
            "only. On texts without names such an attacker finds several times more (--encoder)."
        )
    if report.attackers and not any("@model" in attacker.name for attacker in report.attackers):
        lines.append(
            "No neural attacker was tried that had learned from documents like these of other people. On biographies such "
            "attackers made the strongest adversary find two to three times as many (unname train reidentifier, "
            "--attacker-model)."
        )
    if report.not_usable:
        lines.append(f"Left out because they cannot be used here: {', '.join(report.not_usable)}.")
    if report.not_trained:
        lines.append(f"Left out because there was too little to learn from: {', '.join(report.not_trained)}.")
    if report.left_out:
        lines.append(report.left_out.said())
    if report.takes_rounds and report.rounds is None:
        lines.append(
            "Nothing was masked in rounds: documents about other people taught the masking, there were too few documents to "
            "learn from, or none was asked for."
        )
    if report.attackers:
        lines.append("Larger language models, people, and whoever may search the web were not tried.")
    return [
        *lines,
        f"Crowds are exact over the {report.people} people that the masking was given, under the reidentifiers "
        "named. They say nothing about people who are not in the table, or about knowledge that is not in their profiles.",
        "Rates were measured on this release; the intervals allow for several documents of one person.",
        "Nobody tested writing style, or what a reader knows of these people from elsewhere.",
        "This is evidence for a decision, not a legal finding of anonymity.",
    ]


def brief(figures: Found) -> str:
    """A rate without its interval; of few people a count."""
    return shown(figures) if is_count(figures) else percent(figures.rate)


def first_ten(figures: Found) -> str:
    """The rate of people among the first ten guesses; of few people a count."""
    if not is_count(figures) or figures.top10 is None:
        return percent(figures.top10)
    return f"{round(figures.top10 * figures.n)} of {figures.n}"


FILTERS: Mapping[str, Callable[..., object]] = {
    "percent": percent,
    "shown": shown,
    "brief": brief,
    "first_ten": first_ten,
    "number": number,
    "title_of": title_of,
}


@cache
def _template() -> Template:
    return template("unname.auditing", "report", FILTERS)


def render(report: Report, *, title: str = "Release report") -> str:
    """The report page: one HTML file that needs nothing else."""
    from unname.auditing import charts  # a third of a second, for whoever draws

    rows: list[tuple[str, Found | None, Found]] = [
        (f"{title_of(a)}{' *' if a.used else ''}".replace(" (trained", "\n(trained"), a.before, a.after)
        for a in sorted(report.attackers, key=lambda attacker: attacker.used)
    ]
    rows += [(label.replace(", from", ",\nfrom").replace(", matched", ",\nmatched"), row.before, row.after)
             for label, row in combined(report) if row.after]  # fmt: skip
    totals = [(ANY_UNUSED, report.any_unused), (ANY_USED, report.any_used), *combined(report)]
    previous = report.previous
    return _template().render(
        title=title,
        report=report,
        heading=title_of_verdict(report),
        sign=_SIGNS.get(report.verdict or "", ""),
        headline=headline(report),
        beside=[line for line in (fewer_people(report), *of_readers(report)) if line],
        small=is_small(report),
        remaining=remaining(report),
        then=THEN,
        kinds_of_facts=rows_of_kinds(report),
        riskiest=riskiest(report),
        lines=in_short(report),
        fields=of_the_table(report),
        groups=grouped(report.attackers),
        sentences={a.title: a.sentence for a in report.attackers if a.sentence},
        totals=[(label, row) for label, row in totals if row],
        versions=[
            (label, row)
            for label, row in ((ANY_UNUSED, previous.any_unused), (ANY_USED, previous.any_used), (FUSED, previous.fused),
                               (STRONGEST, previous.strongest))
            if row
        ] if previous else [],
        questions=questions(report),
        limits=limits(report),
        rates=charts.rates_figure(rows, report.crowd_sizes.bound if report.crowd_sizes else None) if rows else None,
        crowds=charts.crowds_figure(report.crowds, report.k) if report.crowds else None,
        attacked=report.attacker_people or report.people,
        counted=report.crowds.people if report.crowds else report.people,
        audited=report.documents if report.audited is None else report.audited,
        curve=charts.curve_figure(report.curve) if report.curve else None,
    )  # fmt: skip
