"""Written forms of a value of a knowledge graph: dates, names, places, nationalities (Papadopoulou 2022, §4.1).

Every form is a row of folded words without marks on their letters, which is what a text is searched for; the signs
between words do not count.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from unname.dates import Day, days_of
from unname.knowledge.countries import COUNTRIES, REGIONS
from unname.knowledge.fieldnames import field_kind
from unname.knowledge.nicknames import NICKNAMES
from unname.knowledge.novalues import UNKNOWN
from unname.months import month_names
from unname.normalised import normalised
from unname.stopwords import bare_function_words
from unname.text import folded_words, without_accents

Term = tuple[str, ...]
# More words are a text, not a term.
LONGEST = 12
_SEVERAL = re.compile(r"\s*[|;\n]\s*")
_CENTURY = 100
_COMMA = re.compile(r"\s*,\s*")
_JOINT = re.compile(r"\b(?:of|to|for|at|in|from|the|and)\b|'s\b|,", re.IGNORECASE)
_YEAR = re.compile(r"(?:c\.?|ca\.?|circa|about|in)?\s*(\d{4})", re.IGNORECASE)
_BESIDE_NAMES = frozenset(["jr", "sr", "ii", "iii", "iv", "md", "phd", "esq", "dr", "mr", "mrs", "ms", "sir", "dame"])
_PROPER = re.compile(r"(?i)birth|death|place|city|town|state|countr|nationalit|residence|constituency")
# Words of values that are true of anybody: the white list of the paper. Users have their own besides.
_GENERIC = frozenset(
    """
    born died age aged man woman men women male female boy girl person people human mr mrs ms miss dr former current late
    first second third new old general national international public private member members president chairman head chief
    leader director officer office house state states district county city town village region country party group company
    work works world war year years month months day days life time professional various other others
    """.split()  # noqa: SIM905 (as a list it takes a page)
)


@lru_cache(maxsize=1 << 16)
def plain(word: str) -> str:
    """A folded word without the marks on its letters."""
    return without_accents(word)


def term_of(phrase: str) -> Term:
    """The words of a phrase, as texts are searched for them."""
    return tuple(plain(word) for word in folded_words(normalised(phrase).text))


def terms_of(relation: str, value: str, user: Mapping[Term, Sequence[Term]] | None = None) -> list[Term]:
    """All terms by which a text may state one value of a person, each once; `user` gives further forms of a term."""
    terms: dict[Term, None] = {}
    named = field_kind(relation) == "name"
    for part in _SEVERAL.split(value):
        for term in _forms(part, named=named):
            for form in (term, *(user or {}).get(term, ())):
                if _tells(form):
                    terms.setdefault(form)
    return list(terms)


def is_proper(relation: str) -> bool:
    """Check whether a relation's values are names, of people or places, which are written with capitals."""
    return field_kind(relation) == "name" or bool(_PROPER.search(relation))


def single(term: Term) -> bool:
    """Check whether one word of a term identifies it: so a common word ("best") counts only where written as a name."""
    return sum(word not in bare_function_words() for word in term) == 1


def _tells(term: Term) -> bool:
    """Check whether words may be a term: no empty one, text, function words, initials, small numbers or generic words."""
    if not 0 < len(term) <= LONGEST or " ".join(term) in UNKNOWN:
        return False
    if len(term) == 1 and term[0] in _GENERIC:
        return False
    telling = (len(word) > (2 if word.isdecimal() else 1) and word not in bare_function_words() for word in term)
    return " ".join(term) in COUNTRIES or any(telling)


def _forms(value: str, *, named: bool) -> Iterator[Term]:
    days = days_of(value)
    if days:
        for day in sorted(days):
            yield from _dated(day)
        return
    if year := _YEAR.fullmatch(value.strip()):
        yield (year[1],)
        return
    if named:
        yield from _named(value)
        return
    whole = term_of(value)
    yield whole
    yield from _places(whole)
    # Of "member of the state senate of New York" a text may state any part.
    parts = [term for part in _JOINT.split(value) if (term := term_of(part))]
    for part in parts if len(parts) > 1 else ():
        yield part
        yield from _places(part)


def _places(term: Term) -> Iterator[Term]:
    written = " ".join(term)
    for form in COUNTRIES.get(written, ()):
        yield tuple(form.split())
    if written in REGIONS:
        yield tuple(REGIONS[written][0].split())


def _dated(day: Day) -> Iterator[Term]:
    """A day in figures, its month, its year; a day that a text writes otherwise is read as figures."""
    for form in isos(day):
        yield form
        for month in month_names(day.month):
            yield month, form[0]
        yield (form[0],)


def isos(day: Day) -> list[Term]:
    """A day as the terms that stand for it however it is written: of each century where the year has two figures."""
    assert day.year is not None  # noqa: S101 (a value is a date with its year or none)
    years = [day.year] if day.year >= _CENTURY else [century + day.year for century in (1800, 1900, 2000)]
    return [(f"{year:04d}", f"{day.month:02d}", f"{day.day:02d}") for year in years]


def dated(day: Day) -> list[list[Term]]:
    """The statement of a day in a text, as rows of terms of one meaning: the day, else its month, else its year."""
    days = isos(day)
    months: list[Term] = [(month, form[0]) for form in days for month in month_names(day.month)]
    return [days, months, [(form[0],) for form in days]]


def _named(value: str) -> Iterator[Term]:
    """A name in full, without its middle, with initials, in either order, its words alone, and short forms."""
    parts = [term_of(part) for part in _COMMA.split(value)]
    parts = [core for part in parts if (core := tuple(w for w in part if w not in _BESIDE_NAMES))]
    if not parts:
        return
    # "Doe, John"
    name = (*parts[1], *parts[0]) if len(parts) == 2 else tuple(word for part in parts for word in part)
    yield term_of(value)
    yield name
    for word in name:
        yield (word,)
    if len(name) == 1:
        return
    given, middle, family = name[0], name[1:-1], name[-1]
    initials = tuple(word[0] for word in middle)
    for first in (given, *NICKNAMES.get(given, ())):
        yield first, family
        yield first, *initials, family
        yield first, *middle, family
    for short in NICKNAMES.get(given, ()):
        yield (short,)
    yield given[0], family
    yield given[0], *initials, family
    yield family, given
    if middle:
        # A family name of several words ("van Gogh", "Gomes Albano").
        yield *middle[-1:], family
