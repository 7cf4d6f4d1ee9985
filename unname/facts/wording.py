"""Kinds of facts in words that somebody who took part in a study understands, and what to ask oneself about each."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """One of a kind, several of it, and what to do about it."""

    one: str
    many: str
    advice: str


# Of what is hardly looked up by itself.
COMMON = "Many texts say as much: leave it, unless what stands beside it is rarer."
_ALWAYS = "If so, add its words to your list (--always FILE) and run again."
WORDING: Mapping[str, Wording] = {
    "office": Wording(
        "office or role", "offices and roles",
        f"Ask yourself whether a reader could find out who held this office. {_ALWAYS}",
    ),
    "event": Wording(
        "event", "events",
        f"Ask yourself whether a newspaper or an archive tells who was there. {_ALWAYS}",
    ),
    "work": Wording(
        "title of a work", "titles of works",
        f"A title leads to its author or to those it is about: can it be looked up? {_ALWAYS}",
    ),
    "prize": Wording(
        "prize or honour", "prizes and honours",
        f"Lists of who won it are often public. Ask yourself whether there is one. {_ALWAYS}",
    ),
    "quotation": Wording(
        "quotation", "quotations",
        "Were these words said in public, or would somebody who was there know who said them? If so, hide the rarest of them "
        "(--always FILE) and run again.",
    ),
    "date": Wording(
        "exact date", "exact dates",
        "Month and year are often enough: --facts mask-rare hides the day. Or add the date to your list (--always FILE).",
    ),
    "organisation": Wording(
        "employer, school or other organisation", "employers, schools and other organisations",
        f"Ask yourself how many people of this age and job there were. {_ALWAYS}",
    ),
    "disease": Wording(
        "illness", "illnesses",
        f"Ask yourself whether few people have it, or a neighbour would know whose it is. {_ALWAYS}",
    ),
    "amount": Wording(
        "exact amount", "exact amounts",
        f"An exact sum may stand in a register or a newspaper. Ask yourself whether this one does. {_ALWAYS}",
    ),
    "occupation": Wording(
        "occupation", "occupations",
        f"Ask yourself how many people do this work there. {_ALWAYS}",
    ),
    "place": Wording(
        "place", "places",
        f"Ask yourself whether so small a place leads to the person. {_ALWAYS}",
    ),
    "group": Wording(
        "nationality, faith or other group", "nationalities, faiths and other groups",
        f"Ask yourself whether few people there belong to it. {_ALWAYS}",
    ),
    "age": Wording(
        "age", "ages",
        f"Few people are very old: ask yourself whether the age tells this one apart. {_ALWAYS}",
    ),
    "other": Wording(
        "other rare words", "other rare words",
        f"Hardly any other text has these words. Ask yourself whether a search would find them. {_ALWAYS}",
    ),
}  # fmt: skip


def wording(kind: str) -> Wording:
    """The words for a kind; one that is not known is any other."""
    return WORDING.get(kind, WORDING["other"])


def counted(kind: str, number: int) -> str:
    """So many of a kind."""
    return f"{number:,} {wording(kind).one if number == 1 else wording(kind).many}"
