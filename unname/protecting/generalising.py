"""General values of a person's texts: which, and how general each has to be.

Every value that a rule or a search would hide a part of starts at its least general level. Where too few people are left
whom all of these fit, values rise, and in the end go. Then the search hides words anew among those whom they fit, and
afterwards each value comes down again as far as every crowd holds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unname.knowledge.ages import says_age_alone
from unname.knowledge.general.values import Value
from unname.protecting.look import Look, Subject
from unname.protecting.mandatory import BY_FACT, BY_IDENTIFIER
from unname.protecting.wordlists import touched
from unname.reidentifiers.base import IntArray, LocalIndex
from unname.reidentifiers.narrowed import narrowed
from unname.taggers.labels import is_direct
from unname.taggers.safe_harbor import is_named
from unname.transforms.base import Generalises
from unname.transforms.standins.kinds import AGE, kind_of
from unname.types import Mask, MaskSpan, merge_spans

BY_VALUE = "generalise"
# Other people whom general values leave, as a multiple of the crowd: of fewer, a search would hide nearly all words.
_ROOM = 3
# A general value costs so much of a word for each word that was there.
_SHARE = 0.25
# Safe Harbor leaves years, and regions of a country, and nothing that says more.
_YEARS = ("year:", "decade:")


@dataclass(frozen=True, slots=True, repr=False)
class Said:
    """A value of the document at a place, and its level: 0 as it is, beyond the last it is hidden; `least` of all allowed."""

    place: int
    value: Value
    level: int
    least: int
    label: str = ""

    @property
    def key(self) -> str:
        """The key of what is said; "" where the value is as it was, or hidden."""
        return self.value.levels[self.level - 1].key if 0 < self.level <= len(self.value.levels) else ""

    @property
    def is_hidden(self) -> bool:
        """True if nothing is said."""
        return self.level > len(self.value.levels)

    def span(self) -> MaskSpan:
        """The stretch in a mask."""
        level = 0 if self.is_hidden else self.level
        return MaskSpan(self.value.start, self.value.end, BY_VALUE, label=self.label, level=level)


def said_in(subject: Subject, masks: Mapping[int, Mask]) -> list[Said]:
    """The values of a person's texts that masks, by place, hide a part of, each at the least general level that rules allow.

    None of them is what a rule hides for naming somebody.
    """
    assert isinstance(subject.transform, Generalises)  # noqa: S101 (whoever asks has looked)
    said = []
    for place, mask in masks.items():
        for value in subject.transform.values(subject.person.documents[place].text):
            ruled = [span for span in subject.ruled[place] if _meet(span, value)]
            if not all(_may_be_general(span, value) for span in ruled):
                continue
            if ruled:
                least = max(_least(subject, value, ruled), *(span.level for span in ruled))
                said.append(Said(place, value, least, least, next((span.label for span in ruled if span.label), "")))
            elif any(_meet(span, value) for span in mask.spans):
                said.append(Said(place, value, 1, 0))
    return said


def _meet(span: MaskSpan, value: Value) -> bool:
    return span.start < value.end and value.start < span.end


def _may_be_general(span: MaskSpan, value: Value) -> bool:
    """True of what a tagger found that names nobody alone, of a day that a table knows, and of what was general already."""
    if span.level or span.method == BY_IDENTIFIER:
        return bool(span.level) or value.own.startswith("day:")
    return bool(span.label) and not is_direct(span.label) and value.kind in (kind_of(span.label), "group")


def _least(subject: Subject, value: Value, beside: Sequence[MaskSpan]) -> int:
    """The least general level of a value that must not stay."""
    telling = any(span.method in (BY_IDENTIFIER, BY_FACT) for span in beside)
    if subject.person.profile is not None and not telling and not is_named(subject.settings.hide):
        return 1
    # Where no crowd decides, or a value can be looked up: years, and whatever is most general of the rest.
    years = [level for level, said in enumerate(value.levels, start=1) if said.key.startswith(_YEARS)]
    return years[0] if years else len(value.levels)


def with_room(subject: Subject, said: Sequence[Said], wanted: int) -> list[Said]:
    """The same values, as general as it takes to leave some times as many others as are wanted, the least general first."""
    room = min(_ROOM * wanted, len(next(iter(subject.members.values())).people) // 2) if subject.members else 0
    chosen = list(said)
    while (others := _others(subject, chosen)) is not None and others < room:
        narrow = [at for at, one in enumerate(chosen) if _fitting(subject, [one]) is not None]
        chosen = max((_raised(chosen, at) for at in narrow), key=lambda said: _left(subject, said))
    return chosen


def _fitting(subject: Subject, said: Sequence[Said]) -> IntArray | None:
    return subject.fits.among(keys_of(said), subject.column) if subject.fits is not None else None


def _others(subject: Subject, said: Sequence[Said]) -> int | None:
    """The number of other people whom all values fit; None: everybody."""
    columns = _fitting(subject, said)
    return None if columns is None else len(columns) - 1


def _left(subject: Subject, said: Sequence[Said]) -> float:
    others = _others(subject, said)
    return np.inf if others is None else others


def _raised(said: Sequence[Said], at: int) -> list[Said]:
    """With the value at a place, and all equal ones, a level higher."""
    raised = said[at]
    return [replace(one, level=one.level + 1) if _same(one, raised) else one for one in said]


def _same(one: Said, other: Said) -> bool:
    return (one.value.own, one.value.levels, one.level) == (other.value.own, other.value.levels, other.level)


def coarser(said: Sequence[Said]) -> list[Said]:
    """All values that say anything a level higher."""
    return [replace(one, level=one.level + 1) if one.key else one for one in said]


def without_leaks(said: Sequence[Said], seen: Look, left: Sequence[int]) -> list[Said]:
    """The same, with values hidden whose general text says what identifies the person."""
    leaks = {place: sight.leaks for place, sight in zip(left, seen.documents, strict=True)}
    return [
        replace(one, level=len(one.value.levels) + 1)
        if any(_meet(leak, one.value) for leak in leaks[one.place])
        else one
        for one in said
    ]


def words_spent(subject: Subject, seen: Look) -> float:
    """The words that masks hide; one in whose place a general value stands is a part of one."""
    spent = 0.0
    place = {document.id: at for at, document in enumerate(subject.person.documents)}
    for sight in seen.documents:
        for span in sight.mask.spans:
            spent += len(touched(subject.rows[place[sight.mask.document]], [(span.start, span.end)])) * (
                _SHARE if span.level else 1.0
            )
    return spent


def saying(subject: Subject, said: Sequence[Said]) -> Subject:
    """The subject with its values as they are said, which no search gives back."""
    mandatory = list(subject.mandatory)
    for one in said:
        if one.level:
            mandatory[one.place] = _with(mandatory[one.place], one, subject.person.documents[one.place].text)
    return replace(subject, mandatory=tuple(mandatory))


def _with(spans: Sequence[MaskSpan], one: Said, text: str) -> tuple[MaskSpan, ...]:
    """Spans with a value at its place; what reached beyond it is hidden as before, but for words that say it is an age."""
    start, end = one.value.start, one.value.end
    rest = [span for span in spans if not _meet(span, one.value)]
    for span in (span for span in spans if _meet(span, one.value)):
        if not (
            one.key and one.value.kind == AGE == kind_of(span.label) and says_age_alone(text[span.start : span.end])
        ):
            rest += [replace(span, end=start)] if span.start < start else []
            rest += [replace(span, start=end)] if end < span.end else []
    return merge_spans([*rest, one.span()])


def among(
    subject: Subject, said: Sequence[Said], soft: Mapping[str, LocalIndex]
) -> tuple[Subject, Mapping[str, LocalIndex]]:
    """The subject, and who is faced besides, among the people whom all values fit that are said."""
    columns = _fitting(subject, said)
    if columns is None:
        return subject, soft
    return subject.among(keys_of(said)), {name: narrowed(index, columns) for name, index in soft.items()}


def finest(
    said: Sequence[Said], masks: Mapping[int, Mask], seen: Look, again: Callable[[Mapping[int, Mask]], Look | None]
) -> Look:
    """The last look at masks, by place, with each value as little general as every crowd allows, the most general first.

    `again` looks at masks, and is None where a crowd does not hold.
    """
    for one in sorted(said, key=lambda one: -one.level):
        for level in range(one.least, one.level):
            tried = {**masks, one.place: _at_level(masks[one.place], one, level)}
            if (better := again(tried)) is not None:
                masks, seen = tried, better
                break
    return seen


def _at_level(mask: Mask, one: Said, level: int) -> Mask:
    spans = [span for span in mask.spans if (span.start, span.end) != (one.value.start, one.value.end)]
    lower = [replace(one, level=level).span()] if level else []
    return replace(mask, spans=merge_spans([*spans, *lower]))


def keys_of(said: Sequence[Said]) -> list[str]:
    """The keys of all values that are said, each once."""
    return list(dict.fromkeys(one.key for one in said if one.key))
