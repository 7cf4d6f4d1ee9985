"""Of a text's facts what a release hides and what it leaves, and what a reader would ask a search engine with them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from unname.facts.stated import KINDS, SURE, Fact, FactSettings, days_of, facts_in, is_full_date, passage_of, rarest
from unname.stopwords import bare_function_words
from unname.text import Word, folded_words, visible, words
from unname.types import Span

# Kinds that are looked up however usual their words are.
LOOKED_UP = frozenset(("event", "work", "prize", "office", "quotation"))
# Words on either side of a fact that somebody asks for beside it.
_BESIDE = 2
HIDDEN = "[hidden]"
# Why a fact was left.
NOT_RARE, UNSURE, ONLY_LISTED, KEPT = "not rare", "tagger unsure", "facts are only listed (--facts report)", "kept"


@dataclass(frozen=True, slots=True, repr=False)
class FactsOfText:
    """A text's facts: those that are `hidden`, and those that are `left`."""

    hidden: tuple[Fact, ...]
    left: tuple[Fact, ...]

    def __repr__(self) -> str:
        return f"FactsOfText({len(self.hidden)} hidden, {len(self.left)} left)"


class Hidden:
    """Hidden stretches of a text, sorted and disjoint, asked by place."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self.spans = sorted(spans)
        self._starts, self._ends = [a for a, _ in self.spans], [b for _, b in self.spans]

    def touching(self, start: int, end: int) -> list[tuple[int, int]]:
        """Those that overlap `[start, end)`."""
        return self.spans[bisect_right(self._ends, start) : bisect_left(self._starts, end)]


def looked_up(fact: Fact) -> bool:
    """True if a stranger could look a fact up: it is rare, or surely of a kind that archives are ordered by."""
    return fact.rare or (fact.kind in LOOKED_UP and (fact.sure >= SURE or fact.kind == "quotation"))


def distinct(facts: Iterable[Fact]) -> list[Fact]:
    """Facts of which no two say the same: several taggers find one stretch. What is rare within another one stays."""
    kept: list[Fact] = []
    ends: dict[str, int] = {}
    for fact in sorted(facts, key=lambda one: (one.start, -one.end, -one.sure, one.kind)):
        within = fact.start < ends.get(fact.kind, 0)
        if within or (fact.start < max(ends.values(), default=0) and not looked_up(fact)):
            continue
        kept.append(fact)
        ends[fact.kind] = fact.end
    return kept


def facts_left(text: str, spans: Iterable[Span], hidden: Hidden, settings: FactSettings) -> FactsOfText:
    """The facts of a text, from what taggers found in it, by whether the hidden stretches leave anything of them."""
    return told_apart(telling(text, facts_in(text, spans, settings)), text, hidden, settings)


def told_apart(facts: Iterable[Fact], text: str, hidden: Hidden, settings: FactSettings) -> FactsOfText:
    """Those facts of which the hidden stretches leave nothing, and what they leave of the others."""
    gone: list[Fact] = []
    left: list[Fact] = []
    for fact in facts:
        rest = _rest(fact, text, hidden, settings)
        if rest is None:
            gone.append(fact)
        else:
            left.append(rest)
    return FactsOfText(tuple(gone), tuple(left))


def telling(text: str, facts: Iterable[Fact]) -> list[Fact]:
    """Those facts of a text that say anything: not those of function words alone, which a tagger took for something."""
    empty = bare_function_words()
    return [
        fact for fact in distinct(facts)
        if any(word not in empty for word in folded_words(text[fact.start : fact.end]))
    ]  # fmt: skip


def _rest(fact: Fact, text: str, hidden: Hidden, settings: FactSettings) -> Fact | None:
    """The rest of a fact; None where nothing is left, or nothing rare, or of a date the day is gone."""
    touching = hidden.touching(fact.start, fact.end)
    if not touching:
        return fact
    if fact.kind == "date":
        days = days_of(text[fact.start : fact.end])
        return fact if any(not hidden.touching(fact.start + a, fact.start + b) for a, b in days) else None
    row = [
        w for w in words(text[fact.start : fact.end]) if not hidden.touching(fact.start + w.start, fact.start + w.end)
    ]
    bits, rare = rarest(" ".join(text[fact.start + w.start : fact.start + w.end] for w in row), fact.kind, settings)
    return replace(fact, score=min(fact.score, KINDS[fact.kind] + bits), rare=True) if rare else None


def facts_shown(text: str, spans: Iterable[Span], released: str, settings: FactSettings) -> FactsOfText:
    """The same of a release of which only the text is known: a fact is left where its words stand there in their order.

    Heuristic: pairs of neighbours are looked for, so that it takes no longer for long texts than reading them does.
    """
    row = folded_words(visible(released))
    single, pairs = set(row), set(zip(row, row[1:], strict=False))
    gone: list[Fact] = []
    left: list[Fact] = []
    for fact in telling(text, facts_in(text, spans, settings)):
        own = folded_words(text[fact.start : fact.end])
        stays = all(w in single for w in own) and all(pair in pairs for pair in zip(own, own[1:], strict=False))
        (left if stays else gone).append(fact)
    return FactsOfText(tuple(gone), tuple(left))


def asked(text: str, facts: Iterable[Fact], hidden: Hidden) -> str:
    """The query of a reader who knows these facts of a text: their words and the two on either side, where readable."""
    row = words(text)
    starts, ends = [word.start for word in row], [word.end for word in row]
    taken: set[int] = set()
    for fact in facts:
        first, last = bisect_right(ends, fact.start), bisect_left(starts, fact.end)
        taken.update(range(max(0, first - _BESIDE), min(len(row), last + _BESIDE)))
    return " ".join(_said(text, row[place]) for place in sorted(taken) if not _is_gone(row[place], hidden))


def _said(text: str, word: Word) -> str:
    return text[word.start : word.end]


def _is_gone(word: Word, hidden: Hidden) -> bool:
    return bool(hidden.touching(word.start, word.end))


def why_left(fact: Fact, text: str, settings: FactSettings) -> str:
    """The reason why a fact was not hidden."""
    if settings.policy == "report":
        return ONLY_LISTED
    reasons = [] if fact.rare else [NOT_RARE]
    if settings.policy == "mask-rare" and fact.sure < SURE and not is_full_date(text[fact.start : fact.end]):
        reasons.append(UNSURE)
    return ", ".join(reasons) or KEPT


def as_shown(text: str, start: int, end: int, hidden: Hidden) -> str:
    """A stretch of a text on one line, as a reader of the release sees it."""
    parts, at = [], start
    for first, last in hidden.touching(start, end):
        parts += [text[at : max(at, first)], HIDDEN]
        at = max(at, min(last, end))
    return " ".join("".join([*parts, text[at:end]]).split())


def sentence_of(text: str, fact: Fact, hidden: Hidden) -> str:
    """The sentence that states a fact, as a reader of the release sees it."""
    return as_shown(text, *passage_of(text, fact), hidden)


def how_sure(fact: Fact) -> str:
    """The tagger's confidence, in a word and as a number."""
    said = "sure" if fact.sure >= 0.9 else "fairly sure" if fact.sure >= SURE else "unsure"
    return f"{said} ({fact.sure:.2f})"


def risk_of(facts: Sequence[Fact]) -> float:
    """The evidence in facts that could be looked up by a stranger: bits, summed."""
    return sum(fact.score for fact in facts if looked_up(fact))
