"""Facts in a text that a stranger could look up: offices, events, titles, employers, prizes, exact dates and sums, speech.

A fact is a stretch that a tagger found and that names nobody by itself. It is *rare* where its rarest word stands in the
texts of k people or fewer and is no everyday word. What is done about it is the caller's policy.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from unname.reidentifiers.terms.wordcounts import Rarity, rarity_of
from unname.stopwords import bare_function_words
from unname.taggers.entities.tagger import usual
from unname.taggers.labels import is_direct
from unname.taggers.tokens import is_short
from unname.text import words
from unname.types import Document, Span

# Kinds of facts in the order in which a stranger profits from them, with what each is worth to him, in bits beside rarity.
KINDS: Mapping[str, float] = {
    "event": 6.0, "work": 6.0, "prize": 5.0, "office": 5.0, "date": 4.0, "quotation": 4.0, "organisation": 3.0,
    "disease": 2.0, "amount": 2.0, "occupation": 2.0, "place": 2.0, "group": 1.0, "age": 1.0, "other": 1.0,
}  # fmt: skip
# Of our own labels and of those of other taggers, what kind of fact each is. Any other label that names nobody is "other".
_KIND_OF = {
    "EVENT": "event", "WORK": "work", "WORK_OF_ART": "work", "CREATIVE-WORK": "work", "TITLE": "other", "PRIZE": "prize",
    "ROLE": "office", "PROFESSION": "occupation", "OCCUPATION": "occupation", "JOB": "occupation",
    "DATE": "date", "DATETIME": "date", "DATE_TIME": "date", "ORGANISATION": "organisation", "ORG": "organisation",
    "ORGANIZATION": "organisation", "CORPORATION": "organisation", "DISEASE": "disease", "AMOUNT": "amount",
    "MONEY": "amount", "QUANTITY": "amount", "PLACE": "place", "LOC": "place", "LOCATION": "place", "GPE": "place",
    "FAC": "place", "REGION": "place", "TOWN": "place", "COUNTY": "place", "GROUP": "group", "NORP": "group", "NRP": "group",
    "NATIONALITY": "group", "RELIGION": "group", "ETHNICITY": "group", "DEM": "other", "MISC": "other", "AGE": "age",
}  # fmt: skip
# Where somebody lives is hidden as a whole, whoever lives there.
ALWAYS = frozenset(("ADDRESS", "POSTCODE", "STREET", "STREET_ADDRESS", "ZIP_CODE"))
# Kinds of which an everyday word tells nobody apart, however few texts of a small corpus have it.
_EVERYDAY = frozenset(("occupation", "office", "disease", "group", "other", "amount"))
# The band of frequency (`words.BANDS`) from which a word is everyday: about two in a million words.
_USUAL, _USUAL_PLACE = 3, 5
_QUOTED = re.compile(r"[“„«»\"]([^“”„«»\"\r\n]{12,400})[”“»«\"]")
_FEWEST_QUOTED = 4
# A tagger's find counts as sure from here on.
SURE = 0.6


@dataclass(frozen=True, slots=True, repr=False)
class Fact:
    """A stretch `[start, end)` that states something; `score` in bits says how much a stranger would have by it.

    `rare` facts tell few apart; `sure` says how sure the tagger is.
    """

    start: int
    end: int
    kind: str
    score: float
    rare: bool
    sure: float

    def __repr__(self) -> str:
        return f"Fact({self.start}, {self.end}, {self.kind})"


@dataclass(frozen=True, slots=True, repr=False)
class FactSettings:
    """Settings of facts: what is done about them (`job.POLICIES`), and rarity: words in the texts of at most `few` people."""

    policy: str = "mask-rare"
    few: int = 10
    rarity: Rarity = field(default_factory=Rarity)


def settings_for(documents: Sequence[Document], policy: str, few: int) -> FactSettings:
    """Settings by which a word is as rare as the people whose texts have it are few; who is not named stands alone."""
    by_person: dict[str, list[int]] = {}
    for place, document in enumerate(documents):
        by_person.setdefault(document.person or f"\0{place}", []).append(place)
    texts = ("\n".join(documents[place].text for place in places) for places in by_person.values())
    return FactSettings(policy, few, rarity_of(texts))


def facts_in(text: str, spans: Iterable[Span], settings: FactSettings) -> list[Fact]:
    """The facts of a text, from what taggers found in it, in order of place; quoted speech beside these."""
    facts = [_fact(text, span, kind, settings) for span in spans if (kind := kind_of(span.label))]
    facts.sort(key=lambda fact: fact.start)
    starts, furthest = [fact.start for fact in facts], list(accumulate((fact.end for fact in facts), max))
    for match in _QUOTED.finditer(text):
        start, end = match.span(1)
        before = bisect_left(starts, end)
        if (not before or furthest[before - 1] <= start) and len(words(match[1])) >= _FEWEST_QUOTED:
            facts.append(_fact(text, Span(start, end, "QUOTATION", score=SURE / 2), "quotation", settings))
    return sorted(facts, key=lambda fact: (fact.start, fact.end))


def kind_of(label: str) -> str:
    """The kind of fact that a label is; "" for what names somebody by itself or is hidden in any case."""
    said = label.upper()
    if said in ALWAYS:
        return ""
    return _KIND_OF.get(said) or ("" if is_direct(said) else "other")


def label_of(kind: str) -> str:
    """The label that stands in a text for a hidden fact of a kind: that of the tagger that ships, where it has one."""
    return {"office": "ROLE", "occupation": "PROFESSION"}.get(kind, kind.upper())


def _fact(text: str, span: Span, kind: str, settings: FactSettings) -> Fact:
    bits, rare = rarest(text[span.start : span.end], kind, settings)
    return Fact(span.start, span.end, kind, round(KINDS[kind] + bits, 3), rare, span.score)


def rarest(said: str, kind: str, settings: FactSettings) -> tuple[float, bool]:
    """The rarity of the rarest word of a fact, in bits, and True if it tells few people apart."""
    few, empty = settings.few, bare_function_words()
    if kind == "date":
        return (8.0 if is_full_date(said) else 0.0), is_full_date(said)
    if kind == "age":
        return 0.0, any(int(number) > 89 for number in re.findall(r"\d{2,3}", said))
    most, rare = 0.0, False
    for word in words(said):
        if word.folded in empty or len(word.folded) < 2:
            continue
        most = max(most, settings.rarity.idf(word.folded) / 0.6931)
        band = usual(said[word.start : word.end])
        everyday = band >= (_USUAL if kind in _EVERYDAY else _USUAL_PLACE)
        rare = rare or (not everyday and settings.rarity.having.get(word.folded, 0) <= few)
    return min(most, 12.0), rare


_NUMBER = re.compile(r"\d+")
# A month by its name, or by a Roman number.
_LETTERED = re.compile(r"[^\W\d_]{3}|\b[IVX]{1,4}\b")
# The time of a day, which is no day of a month.
_TIME = re.compile(r"(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])")
_SENTENCE_END = re.compile(r"[.!?](?=\s+[^\sa-z])|[\r\n]+")
_LONGEST_SHORT_FORM = 6


def is_full_date(said: str) -> bool:
    """True if a date says its day, not month and year or year alone."""
    return bool(days_of(said))


def days_of(said: str) -> list[tuple[int, int]]:
    """Places of days of months in a date or a row of dates; of figures that may be day or month, those written first."""
    bare = _TIME.sub(lambda time: " " * len(time[0]), said)
    numbers = [match.span() for match in _NUMBER.finditer(bare)]
    days = [_may_be_day(bare[a:b]) for a, b in numbers]
    if _LETTERED.search(bare):
        places = [span for span, is_day in zip(numbers, days, strict=True) if is_day]
        return places[:1] if _ends_in_year(bare, numbers, days) else places
    written = [(a, b) for a, b in numbers if b - a in (6, 8)]
    return written or [day for each in _dates(numbers, days) for day in _of_figures(bare, *each)]


def _may_be_day(figures: str) -> bool:
    return len(figures) <= 2 and 1 <= int(figures) <= 31


def _ends_in_year(said: str, numbers: Sequence[tuple[int, int]], days: Sequence[bool]) -> bool:
    """True if the last of two numbers is a year in two figures, as in 3 May 05."""
    if len(numbers) != 2 or not all(days) or said[: numbers[0][0]].strip(" ("):
        return False
    start, end = numbers[1]
    return end - start == 2 and bool(_LETTERED.search(said[numbers[0][1] : start])) and not said[end:].strip(" .,)")


def _dates(
    numbers: Sequence[tuple[int, int]], days: Sequence[bool]
) -> Iterator[tuple[list[tuple[int, int]], bool, bool]]:
    """For each date of a row in figures: what may be day or month, whether its year stands first, and whether it has one."""
    if all(days):
        for at in range(0, len(numbers), 3):
            yield list(numbers[at : at + 3][:2]), False, False
        return
    first, held = not days[0], list[tuple[int, int]]()
    for span, is_day in zip(numbers, days, strict=True):
        if is_day:
            held.append(span)
        else:
            yield held, first, True
            held = []
    yield held, first, first


def _of_figures(said: str, held: list[tuple[int, int]], first: bool, dated: bool) -> list[tuple[int, int]]:
    """The days among the days and months of a date: behind the month where its year stands first, else before it."""
    if first or len(held) != 2:
        return held[1:] if first else held[:-1]
    # Of 3/4/1985 either may be the day; of 4/13/1985 the second is.
    large = [(a, b) for a, b in held if int(said[a:b]) > 12]
    return large if len(large) == 1 else held[:1]


def to_mask(facts: Sequence[Fact], text: str, settings: FactSettings) -> Iterator[tuple[int, int, Fact]]:
    """Stretches to hide of a text's facts: none, all, or of full dates the day and of the others those that are rare."""
    if settings.policy == "report":
        return
    for fact in facts:
        if settings.policy == "mask":
            if fact.kind != "quotation" or fact.rare:
                yield fact.start, fact.end, fact
        elif fact.kind == "date":
            for start, end in days_of(text[fact.start : fact.end]):
                yield fact.start + start, fact.start + end, fact
        elif fact.rare and fact.sure >= SURE:
            yield fact.start, fact.end, fact


def passage_of(text: str, fact: Fact, most: int = 240) -> tuple[int, int]:
    """The sentence that states a fact, or so many characters around it: `[start, end)`."""
    low, high = max(0, fact.start - most), min(len(text), fact.end + most)
    start, end = low, high
    for match in _SENTENCE_END.finditer(text[low:high]):
        if match[0] == "." and is_short(text, low + match.start(), _LONGEST_SHORT_FORM):
            continue
        at = low + match.end()
        if at <= fact.start:
            start = at
        elif at >= fact.end:
            end = at
            break
    while start < fact.start and text[start].isspace():
        start += 1
    return start, max(end, fact.end)
