"""Kinds of facts in words that somebody who took part in a study understands, and what to ask oneself about each."""

from collections.abc import Mapping
from dataclasses import dataclass

# What to do with what can be looked up.
THEN = "If so, add its words to your list (--always FILE) and run again."


@dataclass(frozen=True, slots=True)
class Wording:
    """One of a kind, several of it, what to ask oneself about it, and what to do then."""

    one: str
    many: str
    question: str
    then: str = THEN

    @property
    def advice(self) -> str:
        """Both in one."""
        return f"{self.question} {self.then}"


# Of what is hardly looked up by itself.
COMMON = "Many texts say as much: leave it, unless what stands beside it is rarer."
WORDING: Mapping[str, Wording] = {
    "office": Wording(
        "office or role", "offices and roles",
        "Ask yourself whether a reader could find out who held this office.",
    ),
    "event": Wording(
        "event", "events",
        "Ask yourself whether a newspaper or an archive tells who was there.",
    ),
    "work": Wording(
        "title of a work", "titles of works",
        "A title leads to its author or to those it is about: can it be looked up?",
    ),
    "prize": Wording(
        "prize or honour", "prizes and honours",
        "Lists of who won it are often public. Ask yourself whether there is one.",
    ),
    "quotation": Wording(
        "quotation", "quotations",
        "Were these words said in public, or would somebody who was there know who said them?",
        "If so, add the rarest of them to your list (--always FILE) and run again.",
    ),
    "date": Wording(
        "exact date", "exact dates",
        "Month and year are often enough: is the day more than whoever reads this needs?",
        "If so, --facts mask-rare hides it, or your list does (--always FILE).",
    ),
    "organisation": Wording(
        "employer, school or other organisation", "employers, schools and other organisations",
        "Ask yourself whether few people of this age and job were there.",
    ),
    "disease": Wording(
        "illness", "illnesses",
        "Ask yourself whether few people have it, or a neighbour would know whose it is.",
    ),
    "amount": Wording(
        "exact amount", "exact amounts",
        "An exact sum may stand in a register or a newspaper. Ask yourself whether this one does.",
    ),
    "occupation": Wording(
        "occupation", "occupations",
        "Ask yourself whether few people do this work there.",
    ),
    "place": Wording(
        "place", "places",
        "Ask yourself whether so small a place leads to the person.",
    ),
    "group": Wording(
        "nationality, faith or other group", "nationalities, faiths and other groups",
        "Ask yourself whether few people there belong to it.",
    ),
    "age": Wording(
        "age", "ages",
        "Few people are very old: ask yourself whether the age tells this one apart.",
    ),
    "other": Wording(
        "other rare words", "other rare words",
        "Hardly any other text has these words. Ask yourself whether a search would find them.",
    ),
}  # fmt: skip


def wording(kind: str) -> Wording:
    """The words for a kind; one that is not known is any other."""
    return WORDING.get(kind, WORDING["other"])


def counted(kind: str, number: int) -> str:
    """So many of a kind."""
    return f"{number:,} {wording(kind).one if number == 1 else wording(kind).many}"
