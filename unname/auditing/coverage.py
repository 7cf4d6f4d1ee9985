"""Gaps of the table of people that no attacker who knows that table alone can notice.

A low figure says little where the table knows nothing but names, lacks somebody's name, or goes with the texts of others.
"""

from dataclasses import dataclass

from unname.statistics import percent

# The largest share of documents, or of people, for which the table and the texts may not go together.
MOST_ASTRAY = 0.05


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
    """Counts, over all documents, of how well the table knows the people whom the documents are about.

    Of the `people` who have released documents and a profile, `nameless` ones have no name there. `telling` is the largest
    share of them that anybody could find by what profiles say and texts state beside direct identifiers; None where
    attackers know none of them: `strangers` are not in their table, and `blank` ones have none of the fields there that texts
    state. Of all `documents`, `misjoined` ones name another known person in full, and not their own; of those that are
    released, `readable` ones still name their own in full, and `unmatched` ones seem to name somebody, where not a word of
    their own person's name stands in the original.
    """

    people: int
    nameless: int
    telling: float | None
    documents: int
    misjoined: int
    readable: int = 0
    unmatched: int = 0
    strangers: int = 0
    blank: int = 0
    kept: tuple[KeptColumn, ...] = ()


def uncovered(coverage: Coverage, max_risk: float) -> list[str]:
    """Reasons why any evidence is weak, whatever attackers find."""
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
    if coverage.strangers > MOST_ASTRAY * people:
        lines.append(
            f"The attackers' table lacks {coverage.strangers} of the {people} people; they count as not found."
        )
    if coverage.blank > MOST_ASTRAY * people:
        lines.append(
            f"Of {coverage.blank} of the {people} people the table says nothing that texts state beside direct identifiers. "
            "No attacker who knows that table alone can find them, whatever stays readable."
        )
    if coverage.readable > MOST_ASTRAY * coverage.documents:
        lines.append(f"{coverage.readable} of {coverage.documents} documents still name their own person in full.")
    if coverage.unmatched > MOST_ASTRAY * coverage.documents:
        lines.append(
            f"In {coverage.unmatched} of {coverage.documents} documents a name seems to be readable, and not a word of the "
            "person's name in the table stands in the original: there it may be missing, misspelt or in another script."
        )
    if coverage.misjoined > MOST_ASTRAY * coverage.documents:
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
    """Measures that would make the evidence firmer."""
    lines = []
    if coverage.people and coverage.telling is not None and coverage.telling <= max_risk:
        lines.append("Tell the attackers what others may know of these people: more fields, or --attacker-people.")
    if coverage.nameless:
        lines.append(
            "Fill in these names, or leave these people's documents out; where texts name nobody, say --direct none, or name "
            "all direct fields (--direct-only)."
        )
    if coverage.strangers > MOST_ASTRAY * coverage.people:
        lines.append("Give the attackers a table in which these people are (--attacker-people, or none).")
    if coverage.readable > MOST_ASTRAY * coverage.documents:
        lines.append("Hide names: leave out --direct none and --direct-only, or name all direct fields.")
    if any(kept.unique or kept.disguised for kept in coverage.kept):
        lines.append("Leave such a column out of --keep, or write coarser values; --ids keyed.")
    return lines
