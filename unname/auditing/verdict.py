"""May a release go out? What the strongest single adversary finds, held against the most that may be found."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Literal

from unname.attacking.attack import CROWD_LEARNED, CROWD_SMALLEST, FUSED, MATCHED
from unname.attacking.choice import needed
from unname.attacking.guesses import GUESSES
from unname.attacking.learning import STRONGEST, WITHOUT_MODELS
from unname.auditing.confidence import HUNDRED
from unname.auditing.coverage import MOST_ASTRAY, uncovered, would_help
from unname.auditing.outsider import Searched, most_of
from unname.auditing.readers import found_of, has_shipped_alone, is_count, of_documents, readers, unread
from unname.auditing.report import (
    DIFFERENCE,
    FEWEST_PEOPLE,
    SINGLE,
    Anonymous,
    Found,
    Headline,
    Report,
    shown,
)
from unname.job import USUAL_LIMIT
from unname.statistics import luckiest, percent

Result = Literal["pass", "raised", "fail", "weak", "unmeasured"]
TITLES: Mapping[str, str] = {
    "pass": "May go out", "raised": "Raised limit", "fail": "Not yet", "weak": "Weak evidence",
    "unmeasured": "Not measured",
}  # fmt: skip
# The same where nobody measured what readers find who look things up, where those were only sought in part, and where no
# table of people was given, so that they alone were measured.
_OF_THE_TABLE: Mapping[str, str] = {
    "pass": "May go out, as far as your table goes", "raised": "Raised limit, as far as your table goes",
    "fail": "Not yet: your table alone leads to too many", "weak": "Weak evidence, and of your table alone",
    "unmeasured": "Not measured: read these first",
}  # fmt: skip
_IN_PART = {
    "pass": "May go out, as far as your table and texts go", "raised": "Raised limit, as far as your table and texts go",
}  # fmt: skip
_BY_TEXTS = {"pass": "May go out, as far as these texts go", "raised": "Raised limit, as far as these texts go"}
CROWDS = "crowd-sizes"
# With fewer documents about other people attackers learn too little to show what somebody finds who holds more of them.
ENOUGH_READ = 500
# A share of the people so small that attackers hardly find anybody, even in the originals.
_HARDLY = 0.1
# Of everybody known, so much at most may be a crowd that is advised.
_MOST_OF_ALL = 0.1
# From the best verdict to the worst.
_ORDER: tuple[Result, ...] = ("pass", "raised", "weak", "fail")
_WHO = {
    "single": "A single attacker finds",
    GUESSES: "Whoever made the guesses that were handed in finds",
    STRONGEST: "The strongest adversary finds", FUSED: "All attackers' scores combined into one guess find",
    WITHOUT_MODELS: "The strongest adversary without the private models finds", CROWDS: "Who guesses from crowd sizes finds",
    MATCHED: "The strongest adversary, who matches all guesses one to one, finds",
}  # fmt: skip
# Before the name of an adversary: who reads earlier releases beside this one.
JOINED = "versions-"
_WHO_JOINED = {
    DIFFERENCE: "Who weighs the words that one release shows and another hides finds",
    SINGLE: "With earlier releases beside this one a single attacker finds",
    STRONGEST: "With earlier releases beside this one the strongest adversary finds",
    FUSED: "With earlier releases beside this one all attackers' scores combined into one guess find",
    WITHOUT_MODELS: "With earlier releases beside this one the strongest adversary without the private models finds",
    CROWD_SMALLEST: "With earlier releases beside this one who guesses from crowd sizes finds",
    CROWD_LEARNED: "With earlier releases beside this one who guesses from crowd sizes finds",
    MATCHED: "With earlier releases beside this one the strongest adversary, who matches all guesses one to one, finds",
}  # fmt: skip
_WHO |= {f"{JOINED}{name}": who for name, who in _WHO_JOINED.items()}


def judged(report: Report, max_risk: float, *, tried: Sequence[str], strongest: bool = True) -> Report:
    """A report with its verdict and headline; `tried` are the bare names of the attackers that were asked for.

    `strongest` says whether somebody who combines them all was to be tried as well.
    `max_risk` is the largest share of people that may be found.
    """
    people, max_risk = report.attacker_people or report.people, round(max_risk, 6)  # as rates are rounded
    chance = 1 / people if people else None
    rates = _rates(report)
    beyond, worst = _beyond(report, max_risk)
    if not rates:
        why = ("No attacker was tried: " + _why_none(report), *beyond, *_unprotected(report))
        headline = Headline("", "", None, max_risk, chance, why, _measure(report))
        return _looked_up(report, "unmeasured", headline)
    who, per, before, after = max(rates, key=lambda row: (row[3].rate or 0, _high(row[3])))
    high, missing = max(_high(figures) for _, _, _, figures in rates), _missing(report, tried, strongest=strongest)
    blind = luckiest(sum(row[1] == per for row in rates), after.n, people) if people else None
    risk = after.rate or 0.0
    doubts = [] if risk > max_risk else _doubts(report, max_risk, (risk, high), chance, missing)
    result: Result = "fail" if risk > max_risk else "weak" if doubts else "pass"
    doubts += beyond
    result = max(result, worst, key=_ORDER.index)
    if report.not_measured:
        doubts.append(f"For {report.not_measured} documents the person is not known, so no attacker was tried on them.")
        result = max(result, "weak", key=_ORDER.index)
    lower = (*_lower(result, report, max_risk, max(risk, high)), *_would_help(report, max_risk))
    if [name for name in missing if name != STRONGEST]:
        lower += ("Try all attackers: --audit full.",)
    if report.not_usable:
        lower += ("Install what these attackers need (unname methods says what), or remove a package whose attacker you do "
                  "not want.",)  # fmt: skip
    why = (*doubts, *_said_private(report), *_unprotected(report))
    headline = Headline(who, per, risk, max_risk, chance, why, lower, before, after, blind)
    return _looked_up(report, result, headline)


def _missing(report: Report, tried: Sequence[str], *, strongest: bool) -> list[str]:
    """Attackers that evidence needs and that nobody asked for; those that cannot be used are listed separately."""
    names = [name for name in needed() if name not in tried and name not in (report.not_usable or {})]
    return names if strongest else [*names, STRONGEST]


def _looked_up(report: Report, result: Result, stated: Headline) -> Report:
    """The report with its verdict, after what readers find who look things up: too many of them hold any release.

    Without a table of people it is they alone who count.
    """
    search = report.outsider.measured if report.outsider else None
    why, lower = list(stated.why), list(stated.lower)
    if search and not report.people:
        result, why, lower = _beyond(report, stated.max_risk)[1], why[1:], _would_help(report, stated.max_risk)
        if doubts := _doubts_of_search(search, report, stated.max_risk):
            result, why = max(result, "weak", key=_ORDER.index), [*why, *doubts]
    elif search:
        why += _search_shows_little(search, stated.max_risk)
    if search and search.most > stated.max_risk:
        result = "fail"
        why.append(f"Readers who look things up may find {_at_most(search)}; the limit is {percent(stated.max_risk)}.")
        # Whose mask it is not, nobody here can make it anew.
        own = ": --facts mask, --hide all, words of your own (--always)"
        how = own if report.method else " with the tool that made this release"
        lower.append(f"Hide more of what can be looked up{how}.")
    return replace(report, verdict=result, headline=replace(stated, why=tuple(why), lower=tuple(lower)))


def _at_most(search: Searched) -> str:
    """The upper limit of what a search finds; of few people a count."""
    worst = max(search.searchers, key=lambda one: most_of(one.after)).after
    return f"{ceil(search.most * worst.n)} of {worst.n}" if is_count(worst) else percent(search.most)


def _doubts_of_search(search: Searched, report: Report, max_risk: float) -> list[str]:
    """Reasons why a search is weak evidence where it is all there is."""
    lines: list[str] = []
    people, after = search.worst.after.people, search.worst.after.rate or 0.0
    if people < FEWEST_PEOPLE:
        lines.append(f"Texts about {people} people were sought; fewer than {FEWEST_PEOPLE} show little.")
    if search.unsought:
        whom = f"the people of {search.unsought:,} documents"
        lines.append(
            f"The graph says nothing of {whom} (--graph)."
            if search.where == "graph"
            else f"There is no reference text about {whom} (--outsiders)."
        )
    lines += _search_shows_little(search, max_risk)
    if not lines and after <= max_risk < after / search.before:
        lines.append(
            f"A search leads to {percent(search.before)} by the originals and to {percent(after)} by the release: of the "
            f"documents that can be found, about {percent(min(1.0, after / search.before))} still are. Documents that say "
            "next to nothing, or ids that are not the documents', only make the share look smaller."
        )
    if search.documents > people:
        lines.append(
            f"Each document was sought by itself; {search.documents:,} are about {people:,} people, and whoever reads all of "
            "a person's side by side finds more."
        )
    if (
        report.outsider
        and report.outsider.unread > MOST_ASTRAY * report.outsider.documents
        and has_shipped_alone(report)
    ):
        lines.append(f"{unread(report.outsider)}.")
    return lines


def _search_shows_little(search: Searched, max_risk: float) -> list[str]:
    """Reasons why the figures of a search say nothing of what was hidden: it would hardly find anybody in any case."""
    if search.before <= max(_HARDLY, 3 / search.people, max_risk):
        return [
            f"Even by the originals a search leads to {percent(search.before)} only: if these texts are about the same "
            "people, their column person has other ids than the documents'."
        ]
    bare = search.unnamed.rate if search.unnamed else None
    if bare is not None and bare <= max(_HARDLY, max_risk):
        return [
            f"These texts hold little but names: by the originals without names, numbers and contacts a search leads to "
            f"{percent(bare)} only, so it cannot notice what else stays readable."
        ]
    return []


def title(report: Report) -> str:
    """The verdict in a few words, which say how far it goes: as far as the table of people, or the texts searched."""
    result, outsider = report.verdict or "", report.outsider
    search = outsider.measured if outsider else None
    if result == "unmeasured":
        return (_OF_THE_TABLE if outsider and outsider.stating else TITLES)[result]
    if search is None:
        return _OF_THE_TABLE.get(result, "")
    if not report.people:
        return _BY_TEXTS.get(result, TITLES[result])
    if report.headline and _search_shows_little(search, report.headline.max_risk):
        return _OF_THE_TABLE.get(result, "") if result in ("pass", "raised") else TITLES.get(result, "")
    return _IN_PART.get(result, TITLES[result]) if search.unsought else TITLES.get(result, "")


def _beyond(report: Report, max_risk: float) -> tuple[list[str], Result]:
    """Reasons to doubt that hold whoever is found of the documents' own people, and the best verdict they leave."""
    lines: list[str] = []
    worst: list[Result] = ["pass"]
    if report.coverage and (lines := uncovered(report.coverage, min(max_risk, USUAL_LIMIT))):
        worst.append("weak")
    if exposed := _exposed(report, max_risk):
        said = ", ".join(f"{who} {found_of(row)} of {row.n}" for who, row in exposed)
        lines.append(f"Other people of the table whom documents name: {said}; the limit is {percent(max_risk)}.")
        worst.append("fail" if any((row.rate or 0) > max_risk for _, row in exposed) else "weak")
    if report.not_usable:
        lines += [f"An attacker was left out that may find many more: {name}." for name in report.not_usable]
        worst.append("weak")
    if max_risk > USUAL_LIMIT:
        lines.append(
            f"The limit was raised to {percent(max_risk)}; without a reason it is {percent(USUAL_LIMIT)} at most."
        )
        worst.append("raised")
    return lines, max(worst, key=_ORDER.index)


def _exposed(report: Report, max_risk: float) -> list[tuple[str, Found]]:
    """Figures that are too high of the people whom texts name beside their own, and how to say so.

    Who is named by few passages alone is not to blame for it: none found there says nothing bad.
    """
    beside = report.bystanders
    rows = () if beside is None else (
        ("the release still names in full", beside.named), ("the strongest adversary finds", beside.strongest)
    )  # fmt: skip
    return [(who, row) for who, row in rows if row and row.n and row.rate and _high(row) > max_risk]


def _would_help(report: Report, max_risk: float) -> list[str]:
    """Measures that would settle the same."""
    lines = would_help(report.coverage, min(max_risk, USUAL_LIMIT)) if report.coverage else []
    if _exposed(report, max_risk) and report.third_parties is None:
        how = ": --protect everyone-known" if report.method else " as well"
        lines.append(f"Protect whoever of the table is named{how}.")
    return lines


def _high(figures: Found) -> float:
    return figures.ci[1] if figures.ci else 0.0


def _doubts(
    report: Report, max_risk: float, rate: tuple[float, float], chance: float | None, missing: Sequence[str]
) -> list[str]:
    """Reasons why evidence is weak although few people are found: so many, and so many at most."""
    risk, high = rate
    lines: list[str] = []
    seen = max(
        (side.before.rate or 0 for side in (report.any_unused, report.fused) if side and side.before and side.before.n),
        default=None,
    )
    if high > max_risk:
        may = percent(high)
        if report.persons and report.persons < FEWEST_PEOPLE:
            may = f"as much as {ceil(high * report.persons)} of {report.persons}"
        lines.append(f"With so few people the true share may be {may}; the limit is {percent(max_risk)}.")
    tried = min(report.persons, (report.coverage.people if report.coverage else 0) or report.persons)
    if tried < FEWEST_PEOPLE:
        lines.append(f"Attackers were tried on {tried} people; fewer than {FEWEST_PEOPLE} show little.")
    if (released := 1 - report.withheld.share) and risk <= max_risk < risk / released:
        lines.append(
            f"Whoever is withheld counts as not found; of those who are released {percent(min(1, risk / released))} are."
        )
    if seen is not None and seen <= max(_HARDLY, 3 * (chance or 0)):
        lines.append(
            f"Even in the originals attackers find only {percent(seen)}. If the texts say whom they are about, the documents "
            "have the wrong persons: check --person-column and --people-id-column."
        )
    if _read_little(report) and not report.others_private:
        lines.append(
            f"Attackers could read {_documents(report.read)} about other people that the masking had not learned from; "
            "whoever holds more finds more people."
        )
    if missing:
        lines.append(f"Attackers were left out who may find many more: {', '.join(missing)}.")
    if report.anonymity and report.anonymity.below:
        lines.append(anonymity(report.anonymity))
    if report.direct_fields == {} and report.taggers == ():
        lines.append("Nothing looks for names, numbers and contacts: no direct field, no rules, no taggers.")
    return lines


def _read_little(report: Report) -> bool:
    return report.read is not None and report.read < ENOUGH_READ


def _documents(count: int | None) -> str:
    """So many documents, where it matters whether they are enough."""
    only = "only " if (count or 0) < ENOUGH_READ else ""
    return f"{only}{count:,} document{'' if count == 1 else 's'}" if count else "no documents"


def _said_private(report: Report) -> list[str]:
    """The reason that somebody gave why nobody outside can learn from documents of this kind."""
    if not report.others_private:
        return []
    return [f"Nobody outside is said to hold documents about other people: {report.others_private.rstrip('.')}."]


def anonymity(stated: Anonymous) -> str:
    """k-anonymity over the graph in a sentence."""
    over = f"over the fields and the graph, {stated.people} people"
    over += "" if stated.generic == 1 else f", without what more than {percent(stated.generic)} of them share"
    if stated.below:
        return (
            f"k-anonymity ({over}) was asked for and does not hold: the texts of {stated.below} of {stated.groups} people "
            f"state together what {stated.k} people or fewer have, because words had to stay or metadata beside the text "
            "says so."
        )
    exact = "Exact k-anonymity" if stated.known == "exact" else "k-anonymity, heuristic"
    whom = "" if stated.whose == "any" else "where it is true of that person, "
    return (
        f"{exact} ({over}): {whom}whatever the released texts of one person state together is true of at least "
        f"{stated.smallest} people{', or of nobody' if stated.whose == 'any' else ''}. Only stated facts count here; "
        "attackers read more."
    )


def _unprotected(report: Report) -> list[str]:
    """Risks that the table of people does not protect from, and that no attacker who knows that table alone can see."""
    lines = []
    if report.direct_fields == {} and report.people:
        lines.append(
            "No field of the people table counts as a name, number, contact, birth date or address. Whatever of these rules"
            " and taggers do not find stays in the texts, and the attackers, who do not know them either, cannot notice."
        )
    if left := report.direct_left_out:
        lines.append(f"Fields that look direct but were left out (--direct-only): {', '.join(left)}.")
    return lines


def of_the_table(report: Report, most: int | None = None) -> list[str]:
    """The fate of the fields of the people table: hidden always, left as they are, not readable as what they hold.

    Up to `most` names of fields that are not hidden for themselves.
    """
    lines = []
    if report.direct_fields:
        fields = report.direct_fields.items()
        held = ", ".join(name if kind in ("", name) else f"{name} ({kind})" for name, kind in fields)
        lines.append(f"Direct identifiers, hidden always: {held}")
    if report.not_direct:
        more = len(report.not_direct) - (most or len(report.not_direct))
        named = ", ".join(report.not_direct[:most]) + (f" and {more} more" if more > 0 else "")
        lines.append(f"Not hidden for themselves: {named} (--direct FIELD,… adds to the direct ones)")
    if report.unread_values:
        counts = ", ".join(f"{name} {odd} of {said}" for name, (odd, said) in report.unread_values.items())
        lines.append(
            f"Values that cannot be read as what their field holds: {counts}. Such a value is hidden as it is written, and "
            "not in other spellings."
        )
    return lines


def headline(report: Report) -> str:
    """The verdict's figure in words: how many are found by whom, who has read how much, by chance, and how many may be."""
    stated = report.headline
    if stated is None:
        return ""
    if stated.risk is None or stated.chance is None:
        most = percent(stated.max_risk)
        if not report.people:
            return ""
        return f"No attacker was tried. A release may go out when attackers find at most {most} of the people."
    whom = _WHO.get(stated.attacker) or f"The attacker {stated.attacker} alone finds"
    after, few = stated.after, is_count(stated.after)
    if stated.per == "document":
        line = f"{whom} the right person for {of_documents(after)}."
    else:
        line = f"{whom} {of_documents(after, 'people')}, reading all their documents side by side."
    if report.read is not None and stated.attacker != GUESSES:
        beside = " beside these" if _read_little(report) else ""
        line += f" That is an attacker who has read {_documents(report.read)} about other people{beside}."
    one = f"1 of {round(1 / stated.chance)}"
    chance = f"One guess by chance finds {one if few else f'{percent(stated.chance)} ({one})'}"
    if stated.luckiest is not None and stated.luckiest > 2 * stated.chance:
        lucky = f"{stated.luckiest * after.n:.1f} of {after.n}" if few and after else percent(stated.luckiest)
        chance += f", the luckiest of all that were tried {lucky}"
    return f"{line} {chance}; the limit is {percent(stated.max_risk)}."


def fewer_people(report: Report) -> str:
    """A line on the strongest adversary's rate among fewer people than the table has; "" where that says no more."""
    if (one := report.among) is None:
        return ""
    own = f"{shown(one.own)} among the {one.people} people of these documents alone" if one.own else ""
    some = f"{shown(one.hundred)} among {HUNDRED} people of the table" if one.hundred else ""
    among = ", and ".join(part for part in (own, some) if part)
    return f"With fewer people to choose from, the strongest adversary finds {among}." if among else ""


def of_readers(report: Report) -> list[str]:
    """The second line of every verdict: what no table of people can tell."""
    measured = report.outsider.measured if report.outsider else None
    return readers(report, report.headline.max_risk if report.headline and measured else None)


def _rates(report: Report) -> list[tuple[str, str, Found | None, Found]]:
    """(adversary, per what, figures of the originals, and of the release) of every single adversary that counts.

    Who holds the private models does not: they learned under the secret key, and lie beside it.
    """
    person, sizes, fused = report.per_person, report.crowd_sizes, report.fused
    before = fused.before if fused else None
    crowds = sizes.found() if sizes else None
    rows: list[tuple[str, str, Found | None, Found | None]] = [
        *((row.name, "document", row.before, row.after) for row in report.attackers),
        (FUSED, "document", before, fused.after if fused else None), (CROWDS, "document", None, crowds),
        (WITHOUT_MODELS if report.strongest_without_models else STRONGEST, "document", before, report.counted),
        (MATCHED, "person", person.fused.before, report.matched),
    ]  # fmt: skip
    if report.persons < report.documents:
        single = person.best_single
        rows += [(single.name, "person", None, single.after)] if single else []
        rows += [
            (FUSED, "person", person.fused.before, person.fused.after),
            (
                WITHOUT_MODELS if person.strongest_without_models else STRONGEST,
                "person",
                person.fused.before,
                person.counted,
            ),
        ]
    joined = report.previous.joined if report.previous else ()
    if any(row.name == WITHOUT_MODELS for row in joined):
        joined = tuple(row for row in joined if row.name != STRONGEST)
    rows += [(f"{JOINED}{row.name}", row.per, before, row.after) for row in joined]
    return [(who, per, before, after) for who, per, before, after in rows if after and after.n]


def _why_none(report: Report) -> str:
    if report.audit == "none":
        return "the audit was left out (--audit none)."
    if not report.people:
        return "there is no table of people (--people none)."
    return "no released document's person is known."


def _measure(report: Report) -> tuple[str, ...]:
    if not report.people:
        lines = ["Give texts that such readers may find, and what they find is measured: --outsiders TEXTS."]
        if report.outsider and report.outsider.stating:
            lines.insert(0, "Read the list, hide what can be looked up (--always, --facts mask), and run again.")
        return (*lines, "Or give a table of the people whom an attacker may know: --people, --person-column.")
    if report.audit == "none":
        return ("Run the audit: --audit quick or full.",)
    return ("Give a table of the people, and say whom each document is about: --people, --person-column.",)


def _lower(result: Result, report: Report, max_risk: float, high: float) -> tuple[str, ...]:
    """Measures that would lower the risk, or make the evidence firmer."""
    if result == "pass":
        return ()
    lines = []
    alone = [figures for who, _, _, figures in _rates(report) if not who.startswith(JOINED)]
    if report.previous and max(map(_high, alone), default=0.0) <= max_risk < high:
        lines.append(
            "Continue the earlier release: deidentify --after its private folder. What it shows stays public, whatever is "
            "hidden now."
        )
    elif high > max_risk:
        if report.left_out and report.left_out.rounds is not None:
            lines.append("Give the run more time (--time-budget): rounds of masking were left out.")
        if report.takes_rounds is False:
            lines.append("Let attackers learn from what is left, and mask what they still find: --method adaptive.")
        if report.takes_rounds and report.rounds is None and report.read:
            lines.append("Mask what attackers still find who learn from what is left, which takes longer: --rounds 3.")
        # Whose mask it is not, nobody here can make it anew.
        if report.method:
            lines += [line] if (line := _larger_k(report, max_risk)) else []
            lines.append(
                "Hide more: a trained tagger (--tagger), all that it finds (--hide all), your own lists (--always)."
            )
        else:
            lines.append("Hide more with the tool that made this release, and audit it again.")
    if result == "weak" and report.persons < FEWEST_PEOPLE:
        lines.append(f"Release the documents of {FEWEST_PEOPLE} people or more together, which can be measured.")
    if result == "weak" and _read_little(report) and not report.others_private:
        lines.append(
            "Give documents about other people (--training), or say why nobody outside has any (--others-private REASON)."
        )
    if result == "weak" and (report.documents if report.audited is None else report.audited) < report.documents:
        lines.append("Try the attackers on more documents: --audit-sample.")
    return tuple(lines)


def _larger_k(report: Report, max_risk: float) -> str:
    """A larger crowd, and which one where the curve over k shows it: it matches no guesses one to one.

    "" where so few people are known that a crowd would be a large part of them.
    """
    matched = report.matched is not None and report.matched.ci is not None and report.matched.ci[1] > max_risk
    for point in report.curve.points if report.curve and not matched else ():
        rate = point.worst().rate
        if point.k > report.k and rate is not None and rate <= max_risk:
            cost = (
                f"on {report.curve.documents if report.curve else 0} documents one adversary then finds {percent(rate)} at "
                f"{percent(point.masked)} of the words; who learns anew from that release may find more"
            )
            return f"Ask for a larger crowd: --k {point.k} ({cost})."
    larger = 10 * report.k if report.k <= 10 else 3 * report.k
    return f"Ask for a larger crowd: --k {larger}." if larger <= _MOST_OF_ALL * report.people else ""
