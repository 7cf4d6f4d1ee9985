"""Whom and what the table of people does not cover, so that no attacker who knows that table alone can notice it.

A low figure says little where the table knows nothing but names, lacks somebody's name, or goes with the texts of others.
"""

from dataclasses import dataclass

from unname.auditing.statistics import percent

# The largest share of documents that may name somebody else of the table in full, and not their own person.
MOST_MISJOINED = 0.05


@dataclass(frozen=True, slots=True)
class KeptColumn:
    """A column (or the ids) released beside the texts of so many `documents`.

    `unique`: most of its values are one person's alone. `disguised` of the documents hold a direct identifier of their
    person there in another form: figures without separators or reversed, a plain hash, initials.
    """

    column: str
    documents: int
    unique: bool
    disguised: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the table knows of those whom the documents are about, counted over all documents.

    Of the `people` who have released documents and a profile, `nameless` ones have no name there. `telling` is the largest
    share of them that anybody could find by what profiles say and texts state beside direct identifiers; None where
    attackers know another table. Of all `documents`, `misjoined` ones name another known person in full, and not their own.
    """

    people: int
    nameless: int
    telling: float | None
    documents: int
    misjoined: int
    kept: tuple[KeptColumn, ...] = ()


def uncovered(coverage: Coverage, max_risk: float) -> list[str]:
    """What makes any evidence weak, whatever attackers find."""
    lines = []
    people = coverage.people
    if people and coverage.telling is not None and coverage.telling <= max_risk:
        lines.append(
            "Nothing but names is known of these people: what the table says and texts state beside names, numbers and other "
            f"direct identifiers would lead to {percent(coverage.telling)} of them at most, even if nothing were hidden. No "
            "attacker who knows that table alone can notice what stays readable."
        )
    if coverage.nameless:
        lines.append(
            f"The table holds no name of {coverage.nameless} of the {people} people whom released documents are about (none, "
            "or one such as “unknown”). Where texts name them, rules and taggers alone can hide that, and the attackers, who "
            "do not know these names either, cannot notice what is left."
        )
    if coverage.misjoined > MOST_MISJOINED * coverage.documents:
        lines.append(
            f"{coverage.misjoined} of {coverage.documents} documents name another person of the table in full, and not their "
            "own. If they were joined to the wrong persons, the wrong names were hidden: check --person-column and "
            "--people-id-column."
        )
    return lines + [line for kept in coverage.kept for line in _kept(kept)]


def _kept(kept: KeptColumn) -> list[str]:
    what = "The kept ids" if kept.column == "id" else f"The values of the kept column “{kept.column}”"
    lines = []
    if kept.disguised:
        lines.append(
            f"{what} hold direct identifiers of the person in another form (figures without separators or reversed, a plain "
            f"hash, initials), in {kept.disguised} of {kept.documents} documents."
        )
    if kept.unique:
        lines.append(f"{what} are nearly unique: whoever meets them elsewhere knows the person.")
    return lines


def would_help(coverage: Coverage, max_risk: float) -> list[str]:
    """What would make the evidence firmer."""
    lines = []
    if coverage.people and coverage.telling is not None and coverage.telling <= max_risk:
        lines.append("Tell the attackers what others may know of these people: more fields, or --attacker-people.")
    if coverage.nameless:
        lines.append(
            "Fill in these names, or leave these people's documents out; where texts name nobody, say --direct none, or name "
            "all direct fields (--direct-only)."
        )
    if any(kept.unique or kept.disguised for kept in coverage.kept):
        lines.append("Leave such a column out of --keep, or write coarser values; --ids keyed.")
    return lines
