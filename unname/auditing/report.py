"""The figures of an audit as one page that a manager can read in a minute: self-contained, no script, aggregates only."""

from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined

from unname.auditing.statistics import percent, shown
from unname.auditing.verdict import TITLES, headline

_NAMES = {
    "bm25": "shared rare words (BM25)",
    "ngrams": "parts of words (n-grams)",
    "facts": "dates and numbers",
    "phrases": "phrases",
    "pairs": "pairs of words",
    "passages": "best passage, by sound",
    "names": "capitalised names",
    "skeletons": "sound of words",
    "runs": "runs of characters",
    "latent": "latent topics",
    "additive": "words that fit, trained",
    "additive@originals": "words that fit, others' originals",
    "additive@release": "words that fit, others' releases",
    "additive@model": "words that fit, trained elsewhere",
    "biencoder@model": "neural, trained elsewhere",
    "infilling@originals": "masks filled in, others' originals",
    "infilling@release": "masks filled in, others' releases",
    "translation@originals": "translated words, others' originals",
    "translation@release": "translated words, others' releases",
}

_SIGNS = {"pass": "✓", "fail": "✗", "weak": "!", "unmeasured": "?"}
_OPTIONAL = (
    "verdict",
    "accepted_risk",
    "attacker_people",
    "not_in_attacker_population",
    "kept",
    "previous",
    "sensitive",
    "population_change",
)


def plain_name(name: str) -> str:
    """An attacker's name in words a manager understands; unknown ones stay as they are."""
    bare = name.replace(".v1", "")
    return _NAMES.get(bare, bare)


def number(value: float | None) -> str:
    """A count or a median of counts, without a decimal where it needs none."""
    return "–" if value is None else f"{value:g}"


def in_short(report: dict[str, Any]) -> list[str]:
    """The lines under the verdict: who can still be found, against whom it holds, what it cost."""
    lines = _unmeasured(report)
    unused, used, aware, fused = report["any_unused"], report["any_used"], report["aware"], report["fused"]
    if unused:
        lines.append(
            f"Attackers that the masking never saw, taken together, find {shown(unused['after'])} of the documents' "
            f"people at their first guess; from the originals they find {shown(unused['before'])}."
        )
    together, persons = report["per_person"]["any_unused"]["after"], report["persons"]
    if together and persons < report["documents"]:
        lines.append(
            f"With all documents of a person side by side, they find {shown(together)} of the {persons} persons."
        )
    if fused:
        lines.append(f"All attackers fused into a single guess find {shown(fused['after'])} of the documents' people.")
    if used:
        lines.append(
            f"The attackers it was made against find {shown(used['after'])}; that says how well the masking did its "
            "job, not how safe the release is."
        )
    if report.get("not_tried"):
        lines.append(
            f"Not tried although it served the masking: {', '.join(map(plain_name, report['not_tried']))}. It learned, and "
            "what it learned lies in the release's private folder."
        )
    if aware:
        lines.append(
            f"An attacker who knows the method and k, but not the key, finds {shown(aware)}; guessing within a crowd "
            f"of k would find {percent(aware['bound'])}."
        )
    lines.append(_counts(report))
    lines += _beyond(report)
    lines.append(
        f"The price: {percent(report['masked']['rate'])} of the words hidden, "
        f"{percent(report['information_loss'])} of the information lost (compressed size)."
    )
    return lines


def _unmeasured(report: dict[str, Any]) -> list[str]:
    """What no attacker was tried on, so that nobody takes silence for safety."""
    lines = []
    unknown = report.get("not_measured", 0)
    if unknown:
        taggers = ", ".join(report.get("taggers", ()))
        hidden = f"your lists, known names and what was tagged ({taggers})" if taggers else "your lists and known names"
        what = "this release" if not report["fused"] else f"{unknown} of {report['documents']} documents"
        lines.append(
            f"Not measured: how safe {what} is. The person is not known there, so no crowd could be counted and nobody "
            f"looked for; only {hidden} are hidden."
        )
    elif not report["fused"]:
        lines.append("Not measured: no document whose person is known was left to look for.")
    if 0 < report.get("audited", 0) < report["documents"] - unknown:
        lines.append(
            f"Attackers were tried on {report['audited']} documents, all of a person or none; crowds, words hidden and "
            "documents withheld are counted over all."
        )
    if third := report.get("third_parties"):
        lines.append(
            f"{third['documents']} documents name {third['mentions']} times somebody else who is known; "
            f"{third['below_k']} of these passages have a crowd below k = {report['k']}."
        )
    return lines


def _counts(report: dict[str, Any]) -> str:
    """How many documents are released and withheld, and how many of them have too small a crowd where that is known."""
    total, withheld = report["documents"], report["withheld"]
    line = f"{total - withheld['documents']} documents released, {withheld['documents']} withheld"
    if "reasons" not in withheld and withheld["documents"]:  # an audit: it sees what is there, and not why
        line = (
            f"{total - withheld['documents']} of {total} documents are in the release; the other {withheld['documents']} "
            "count as withheld: all their words as hidden, their people as not found"
        )
    if report["crowds"]:
        line += f"; {report['crowds']['below_k']} with a crowd below k = {report['k']}"
    if report.get("bad_records"):
        line += f"; {_count(report['bad_records'], 'bad record')} passed over"
    return f"{line}."


def _beyond(report: dict[str, Any]) -> list[str]:
    """What earlier releases and metadata add, and which crowds agree on a sensitive value."""
    lines = []
    if previous := report.get("previous"):
        side = previous["any_unused"] or previous["fused"]
        who = "unseen attackers" if previous["any_unused"] else "all attackers fused"
        worse = _worse(previous)
        lines.append(
            f"{'Worse with' if worse else 'With'} {_count(previous['releases'], 'earlier release')} beside this one: "
            f"{who} find {shown(side['union'])} of the documents' people, from this release alone "
            f"{shown(side['after'])}; {previous['words_only_in_previous']} words hidden now can be read there."
        )
    if kept := report.get("kept"):
        if kept["any_unused"]:
            lines.append(
                f"With the metadata released beside the text, unseen attackers find {shown(kept['any_unused']['with'])}; "
                f"without it they would find {shown(kept['any_unused']['without'])}."
            )
        if kept["below_k"]:
            lines.append(
                f"The metadata takes {kept['below_k']['with']} documents below k; "
                f"{kept['below_k']['without']} are there without it."
            )
    lines += [
        f"Everybody in the crowd has the same “{row['field']}” for {row['one_value']['count']} of {row['documents']} "
        "documents; hiding in such a crowd does not hide it."
        for row in report.get("sensitive") or []
        if row["one_value"]["count"]
    ]
    return lines


def _worse(previous: dict[str, Any]) -> bool:
    """Whether any figure grows once earlier releases are read too."""
    sides = [side for name in ("any_unused", "any_used", "fused") if (side := previous[name])]
    below = previous["below_k"]
    return any(side["union"]["rate"] > side["after"]["rate"] for side in sides) or bool(
        below and below["union"] > below["alone"]
    )


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def questions(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Singling out, linkability and inference, each answered from this report's own figures."""
    unused, linked, inferred = report["any_unused"], report["linkability"]["after"], report["inference"]
    if not report["attackers"]:
        nobody = "Not measured: no document's person is known."
        return [("Can a person be singled out?", nobody), ("Can records be linked?", nobody),
                ("Can something be inferred?", nobody)]  # fmt: skip
    single = "Not measured: no attacker was left out of the masking."
    if unused:
        single = (
            f"In part: some unseen attacker picks the right person for {shown(unused['after'])} of the documents, and "
            f"has them among its first ten guesses for {percent(unused['after']['top10'])}."
        )
    link = "No person has two documents in this release, so there is nothing to link within it."
    if linked:
        link = (
            f"For {shown(linked)} of the documents whose person has another one here, the most similar document is by "
            f"the same person (by chance: {percent(linked['chance'])}; in the originals: "
            f"{shown(report['linkability']['before'])})."
        )
    infer = "No profile field has few enough values to be guessed."
    if inferred:
        first = inferred[0]
        infer = (
            f"The unseen attackers' joint first guess has the right “{first['field']}” for {shown(first)} of the "
            f"documents; always guessing the commonest value gives {percent(first['commonest'])}. "
            "The table lists the fields that gain most."
        )
    return [("Can a person be singled out?", single), ("Can records be linked?", link),
            ("Can something be inferred?", infer)]  # fmt: skip


def limits(report: dict[str, Any]) -> list[str]:
    """What these figures do not say."""
    return [
        "A release is only as safe as the attackers that were tried. A stronger one, or one with other knowledge, may "
        "find more; trained neural attackers are not among those used here.",
        f"Crowds are exact over the {report['people']} people that the masking was given, under the reidentifiers "
        "named, and say nothing about people who are not in the table or knowledge that is not in their profiles.",
        "Rates are measured on this release; intervals allow for several documents of one person.",
        "Writing style, and what a reader knows of these people from elsewhere, were not tested.",
        "This is evidence for a decision, not a legal finding of anonymity.",
    ]


def render(report: dict[str, Any], *, title: str = "Release report") -> str:
    """The report page: one HTML file that needs nothing else."""
    from unname.auditing import figures  # a third of a second, for whoever draws

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"percent": percent, "shown": shown, "plain": plain_name, "number": number}
    template = environment.from_string(
        files("unname.auditing").joinpath("templates/report.html").read_text(encoding="utf-8")
    )
    rows = [(plain_name(a["name"]), a.get("before"), a["after"]) for a in report["attackers"] if not a["used"]]
    rows += [(f"{plain_name(a['name'])} *", a.get("before"), a["after"]) for a in report["attackers"] if a["used"]]
    if report["aware"]:
        rows.append(("knows the method", None, report["aware"]))
    if report["fused"]:
        rows.append(("all fused into one guess", report["fused"].get("before"), report["fused"]["after"]))
    return template.render(
        title=title,
        report=dict.fromkeys(_OPTIONAL) | report,
        heading=TITLES.get(report.get("verdict", ""), ""),
        sign=_SIGNS.get(report.get("verdict", ""), ""),
        headline=headline(report) if report.get("verdict") else "",
        lines=in_short(report),
        questions=questions(report),
        limits=limits(report),
        rates=figures.rates_figure(rows, report["aware"]["bound"] if report["aware"] else None) if rows else None,
        crowds=figures.crowds_figure(report["crowds"], report["k"]) if report["crowds"] else None,
        attacked=report.get("attacker_people") or report["people"],
        counted=(report["crowds"] or {}).get("people") or report["people"],
        curve=figures.curve_figure(report["curve"]) if report.get("curve") else None,
    )
