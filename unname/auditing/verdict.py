"""May a release go out? The largest share of people whom any of the attackers finds, held against the most that may be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from unname.auditing.statistics import percent, shown
from unname.errors import SettingsError

Result = Literal["pass", "fail", "weak", "unmeasured"]
TITLES: Mapping[Result, str] = {
    "pass": "May go out", "fail": "Not yet", "weak": "Weak evidence", "unmeasured": "Not measured",
}  # fmt: skip
# Fewer people are too few to learn from how many of them are found, and a table of who finds them would be an oracle.
FEWEST_PEOPLE = 50
# The attackers whose absence makes the evidence weak, and what `quick` stands for.
QUICK = ("additive", "bm25", "facts", "names", "ngrams", "pairs", "passages", "phrases")
# A share of the people so small that attackers hardly find anybody, even in the originals.
_HARDLY = 0.1
_SIDES = {
    "any_unused": "some attacker that the masking never saw", "fused": "all attackers fused into one guess",
    "aware": "an attacker who knows the method",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a release may go out; `risk` is None where nothing was measured. Shares from 0 to 1.

    `who` finds so many, `per` document or person; `chance` is what one guess among all people finds. `why` says what
    speaks against it, `lower` what would help.
    """

    result: Result
    max_risk: float
    risk: float | None = None
    high: float | None = None
    who: str = ""
    per: str = ""
    chance: float | None = None
    why: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """What `report.json` holds of it, under `headline`, beside `verdict`."""
        return {
            "attacker": self.who, "per": self.per, "risk": self.risk, "max_risk": round(self.max_risk, 6),
            "chance": self.chance, "why": list(self.why), "lower": list(self.lower), **self.figures,
        }  # fmt: skip


def largest_risk(k: int, asked: float | None) -> float:
    """The largest share of people that may be found: what was asked, else 2 / (k + 1), but from 10 to 20 %."""
    if asked is not None and not 0 <= asked <= 1:
        raise SettingsError("max-risk must be a share from 0 to 1, or a percentage")
    return min(0.2, max(0.1, 2 / (k + 1))) if asked is None else asked


def judge(report: Mapping[str, Any], max_risk: float, *, tried: Sequence[str]) -> Verdict:
    """The verdict on a report's figures; `tried` are the bare names of the attackers that were asked for."""
    people = report.get("attacker_people") or report["people"]
    chance = 1 / people if people else None
    found = _rates(report)
    missing = [name for name in QUICK if name not in tried]
    if not found:
        return Verdict(
            "unmeasured", max_risk, chance=chance,
            why=("No attacker was tried: " + _why_none(report), *_unprotected(report)), lower=_measure(report),
        )  # fmt: skip
    who, per, figures = max(found, key=lambda row: (row[2]["rate"], row[2]["ci"][1]))
    high = max(figures["ci"][1] for _, _, figures in found)
    risk = float(figures["rate"])
    before = _before(report, who, per)
    about = {"after": figures, "before": before} if before else {"after": figures}
    sides = [(report[side] or {}).get("before") for side in ("any_unused", "fused")]
    seen = max((side["rate"] for side in sides if side and side.get("n")), default=None)
    result: Result
    why: list[str] = []
    if risk > max_risk:
        result = "fail"
    else:
        if high > max_risk:
            why.append(f"With so few people the true share may be {percent(high)}; the limit is {percent(max_risk)}.")
        if report["persons"] < FEWEST_PEOPLE:
            why.append(f"Attackers were tried on {report['persons']} people; fewer than {FEWEST_PEOPLE} show little.")
        if seen is not None and seen <= max(_HARDLY, 3 * (chance or 0)):
            why.append(
                f"Even in the originals attackers find only {percent(seen)}: if the texts tell who they are about, the "
                "documents' persons are wrong; look at --person-column and --people-id-column."
            )
        if missing:
            why.append(f"Attackers of the quick audit were left out: {', '.join(missing)}.")
        if report.get("direct_fields") == {} and report.get("taggers") == []:
            why.append("Nothing looks for names, numbers and contacts: no direct field, no rules, no taggers.")
        result = "weak" if why else "pass"
    if unknown := report.get("not_measured", 0):
        why.append(f"Of {unknown} documents the person is not known: nobody was looked for in them.")
        result = "weak" if result == "pass" else result
    why += _unprotected(report)
    lower = _lower(result, report, max_risk, high)
    if missing:
        lower += ("Try all attackers: --audit full.",)
    return Verdict(result, max_risk, risk, high, who, per, chance, tuple(why), lower, about)


def _unprotected(report: Mapping[str, Any]) -> list[str]:
    """What the table of people does not protect, which no attacker who knows that table alone can see."""
    lines = []
    if report.get("direct_fields") == {} and report["people"]:
        lines.append(
            "No field of the people table was taken as a name, number, contact, birth date or address: what rules and taggers"
            " do not find of these stays in the texts, and the attackers, who know none, do not miss it."
        )
    if left := report.get("direct_left_out"):
        lines.append(f"Looks direct and was left out (--direct-only): {', '.join(left)}.")
    return lines


def with_verdict(report: dict[str, Any], max_risk: float, *, tried: Sequence[str]) -> Verdict:
    """The verdict on a report, which it is written into as `verdict` and `headline`."""
    found = judge(report, max_risk, tried=tried)
    report |= {"verdict": found.result, "headline": found.as_dict()}
    return found


def headline(report: Mapping[str, Any]) -> str:
    """The verdict's figure as a sentence: how many are found by whom, of how many by chance, and how many may be."""
    told = report["headline"]
    if told["risk"] is None:
        return (
            f"Nobody was looked for. A release may go out when at most {percent(told['max_risk'])} of people are found."
        )
    whom, found = _SIDES[told["attacker"]], shown(told["after"])
    if told["per"] == "document":
        line = f"{found} of the documents lead {whom} to their person."
    else:
        line = f"{found} of the persons are found by {whom}, with all their documents side by side."
    chance = f"One guess by chance finds {percent(told['chance'])} (1 of {round(1 / told['chance'])})"
    return f"{line} {chance}; the limit is {percent(told['max_risk'])}."


def _rates(report: Mapping[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """(attacker, per what, figures) of all that counts and was measured."""
    asked = [("any_unused", report["any_unused"]), ("fused", report["fused"]), ("aware", {"after": report["aware"]})]
    rows = [(who, "document", (side or {}).get("after")) for who, side in asked]
    if report["persons"] < report["documents"]:
        rows += [(who, "person", (report["per_person"].get(who) or {}).get("after")) for who in ("any_unused", "fused")]
    return [(who, per, figures) for who, per, figures in rows if figures and figures.get("n")]


def _before(report: Mapping[str, Any], who: str, per: str) -> Any:
    side = report[who] if per == "document" else report["per_person"][who]
    return (side or {}).get("before")


def _why_none(report: Mapping[str, Any]) -> str:
    if report.get("audit") == "none":
        return "the audit was left out (--audit none)."
    if not report["people"]:
        return "there is no table of people (--people none)."
    return "no released document's person is known."


def _measure(report: Mapping[str, Any]) -> tuple[str, ...]:
    if report.get("audit") == "none":
        return ("Run the audit: --audit quick or full.",)
    return ("Give a table of the people, and say whom each document is about: --people, --person-column.",)


def _lower(result: Result, report: Mapping[str, Any], max_risk: float, high: float) -> tuple[str, ...]:
    """What would lower the risk, or make the evidence firmer."""
    if result == "pass":
        return ()
    lines = []
    if result == "fail" or high > max_risk:
        lines.append(_larger_k(report, max_risk))
        if report.get("method"):
            lines.append(
                "Hide more: a trained tagger (--tagger), all that it finds (--hide all), your own lists (--always)."
            )
    if result == "weak" and report["persons"] < FEWEST_PEOPLE:
        lines.append(f"Release the documents of {FEWEST_PEOPLE} people or more together, which can be measured.")
    if result == "weak" and report.get("audited", report["documents"]) < report["documents"]:
        lines.append("Try the attackers on more documents: --audit-sample.")
    return tuple(lines)


def _larger_k(report: Mapping[str, Any], max_risk: float) -> str:
    """A larger crowd, and which one where the curve over k shows it."""
    points = (report.get("curve") or {}).get("points", ())
    for point in points:
        rate = (point.get("any_unused") or {}).get("rate")
        if point["k"] > report["k"] and rate is not None and rate <= max_risk:
            cost = f"on a sample, {percent(rate)} found at {percent(point['masked'])} of the words"
            return f"Ask for a larger crowd: --k {point['k']} ({cost})."
    larger = 10 * report["k"] if report["k"] <= 10 else 3 * report["k"]
    larger = min(larger, report["people"] // 3)
    return (
        f"Ask for a larger crowd: --k {larger}."
        if larger > report["k"]
        else "Add people to the table: a crowd needs more."
    )
