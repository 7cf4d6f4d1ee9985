"""One look at masks of a person's documents: the texts they would release, the crowds under each member, what leaks.

`look` is a pure function. The search looks after every mask it makes, and so can whoever edits masks by hand.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from unname.facts.stated import Fact
from unname.job import Deidentification
from unname.knowledge.coreference import UNKNOWN, KnownAs
from unname.knowledge.general.fits import WhoFits
from unname.knowledge.leaks import DirectIdentifiers
from unname.knowledge.mentions import NamedPerson, NameIndex, passage, seen_words
from unname.protecting.earlier import Shown, side_by_side
from unname.protecting.mandatory import BY_IDENTIFIER
from unname.protecting.person import Person, readable
from unname.protecting.wordlists import touched
from unname.reidentifiers.base import AdditiveIndex, LocalIndex, crowd
from unname.reidentifiers.narrowed import narrowed
from unname.text import MASK_TOKEN, Word, folded_words, placeholders, uncovered, visible, words
from unname.transforms.base import Context, Transform, says_nothing, seen_through
from unname.types import Mask, MaskSpan, Plain, Release, merge_spans

# Why a document is withheld that earlier releases show too much of.
SHOWN_BEFORE = "shown-before"
# Why a stretch is hidden, or a document withheld: it looks like a placeholder, and no transform wrote it.
FORGED = "forged-placeholder"


@dataclass(frozen=True, slots=True, repr=False)
class Subject:
    """A person as seen by a look: their documents, what identifies them, who measures crowds, what is public already.

    By document: `rows` are its words, `kept` the metadata released beside it, `earlier` what earlier releases show of it,
    `mandatory` the spans that rules hide. `settled` are places of documents that were published with the same text.
    `named` are the other people whom a document names, as places in its words `seen` without disguises; empty unless they
    are protected. `names` knows everybody's name, `called` has the person's own. `crowd_required` is False where a small
    crowd withholds nothing. Where the transform writes general values, `fits` says whom they fit, and `ruled` has what
    rules hide span by span, where `mandatory` shows the longest of those that overlap. `own` is what they hide of the text
    by itself, whatever was hidden before.
    """

    person: Person
    settings: Deidentification
    key: bytes
    transform: Transform
    rows: tuple[tuple[Word, ...], ...]
    kept: tuple[str, ...]
    earlier: tuple[Shown | None, ...]
    mandatory: tuple[tuple[MaskSpan, ...], ...]
    members: Mapping[str, AdditiveIndex] = field(default_factory=dict)
    local: Mapping[str, LocalIndex] = field(default_factory=dict)
    identifiers: DirectIdentifiers | None = None
    names: NameIndex | None = None
    called: KnownAs = UNKNOWN
    seen: tuple[Sequence[Word], ...] = ()
    named: tuple[tuple[NamedPerson, ...], ...] = ()
    settled: frozenset[int] = frozenset()
    facts: tuple[tuple[Fact, ...], ...] = ()
    crowd_required: bool = True
    fits: WhoFits | None = None
    ruled: tuple[tuple[MaskSpan, ...], ...] = ()
    own: tuple[tuple[MaskSpan, ...], ...] = ()

    def __repr__(self) -> str:
        return f"Subject({len(self.rows)} documents)"

    @property
    def column(self) -> int:
        """The person's place in every member; −1 for somebody unknown."""
        return self.person.column

    def context(self, place: int) -> Context:
        """A transform's context for a document, with an empty place for what it keeps secret."""
        document = self.person.documents[place]
        return Context(
            self.key, document.person, self.called, self.rows[place], identifiers=self.identifiers, names=self.names
        )

    def public(self, place: int) -> str:
        """The text that can be read beside a document's: metadata, and every version that was published."""
        shown = self.earlier[place]
        return "\n\n".join(part for part in (self.kept[place], *(shown.texts if shown else ())) if part)

    def shown(self, place: int, text: str) -> str:
        """All that can be read of a document that is released with this text."""
        before = self.earlier[place]
        return side_by_side(readable(text, self.kept[place]), before.texts if before else ())

    def elsewhere(self, left: Sequence[int]) -> list[str]:
        """Texts published about the person, of each document that is not released now."""
        withheld = [shown for i, shown in enumerate(self.earlier) if shown and i not in left]
        return [side_by_side(shown.texts[0], shown.texts) for shown in (*withheld, *self.person.gone)]

    def others(self, place: int) -> list[tuple[int, int, int]]:
        """Everybody else whom words of a document name that no rule hides: column and passage `[start, end)`."""
        if not self.named:
            return []
        # A word that is hidden already names somebody all the same, to whoever reads what stands beside it.
        row = self.seen[place]
        left = {word.start for word in uncovered(row, self.mandatory[place])}
        return [
            (named.column, *passage(self.person.documents[place].text, row, named))
            for named in self.named[place]
            if named.column != self.column and any(w.start in left for w in row[named.first : named.last + 1])
        ]

    def among(self, keys: Iterable[str]) -> "Subject":
        """The same among the people whom all general values fit that fit the person: nobody else is in a crowd."""
        columns = self.fits.among(keys, self.column) if self.fits is not None else None
        if columns is None:
            return self
        return replace(
            self,
            person=replace(self.person, column=int(np.searchsorted(columns, self.column))),
            members={name: narrowed(index, columns) for name, index in self.members.items()},
            local={name: narrowed(index, columns) for name, index in self.local.items()},
        )

    def hiding(self, more: Mapping[int, Sequence[MaskSpan]]) -> "Subject":
        """The same with more spans that rules hide, by place."""
        return replace(
            self,
            mandatory=tuple(merge_spans([*row, *more.get(i, ())]) for i, row in enumerate(self.mandatory)),
            ruled=tuple((*row, *more.get(i, ())) for i, row in enumerate(self.ruled)),
        )


@dataclass(frozen=True, slots=True, repr=False)
class Sight:
    """One document under a mask.

    `crowds` are the person's by member, `third` the smallest one of each other person it names. `leaks` are stretches of
    the original that the mask must hide besides, each with the reason. `reason` says why the document would be withheld.
    `secrets` are what the transform recorded, which no reader of the release may see.
    """

    mask: Mask
    release: Release
    crowds: Mapping[str, int]
    third: tuple[int, ...]
    leaks: tuple[MaskSpan, ...] = ()
    reason: str = ""
    secrets: tuple[Mapping[str, Plain], ...] = ()

    def __repr__(self) -> str:
        return f"Sight({len(self.leaks)} leaks, {self.reason or 'no reason to withhold'})"


@dataclass(frozen=True, slots=True, repr=False)
class Look:
    """The release that masks of a person's documents would make; `together` has all these documents' crowds by member."""

    documents: tuple[Sight, ...]
    together: Mapping[str, int]

    def __repr__(self) -> str:
        return f"Look({len(self.documents)} documents, {'may leave' if self.may_leave else 'may not leave'})"

    @property
    def may_leave(self) -> bool:
        """True if nothing leaks and nothing is to be withheld."""
        return not any(sight.leaks or sight.reason for sight in self.documents)

    def of(self, document: str) -> Sight:
        """The document with this id; KeyError where it was not looked at."""
        for sight in self.documents:
            if sight.mask.document == document:
                return sight
        raise KeyError("no such document was looked at")


def look(subject: Subject, masks: Sequence[Mask], left: Sequence[int]) -> Look:
    """The documents at the places `left`, each under its mask, and released together; nothing else is released.

    Crowds are counted on the released strings, words that the transform invented left out (`seen_through`), with all that
    is public beside them. Of somebody unknown there are none. Where general values stand, only people whom all of
    them fit are in a crowd, and the smaller one counts of the text as it stands, and with gaps for these values.
    """
    sights, rows = list[Sight](), list[Sequence[Word]]()
    for place, mask in zip(left, masks, strict=True):
        sight, row = _seen(subject, place, mask)
        sights.append(sight)
        rows.append(row)
    if subject.person.profile is None:
        return Look(tuple(sights), {})
    alone, together = _crowds(subject, left, [sight.release for sight in sights], rows)
    sights = [replace(sight, crowds=crowds) for sight, crowds in zip(sights, alone, strict=True)]
    reasons = _too_small(subject, left, sights, together)
    return Look(tuple(replace(sight, reason=reasons.get(at, "")) for at, sight in enumerate(sights)), together)


def _seen(subject: Subject, place: int, mask: Mask) -> tuple[Sight, Sequence[Word]]:
    """One document under its mask, without the crowds of its person, and the words of its released text."""
    context = subject.context(place)
    release = subject.transform.release(subject.person.documents[place], mask, context)
    row, tokens = words(release.text), written_tokens(release)
    known = surviving(subject.identifiers, release.text, tokens, row) if subject.identifiers else []
    forged = _forged(release, tokens)
    leaks = (
        *_leaks(subject, place, release, known, reason=BY_IDENTIFIER),
        *_leaks(subject, place, release, forged, reason=FORGED),
    )
    sight = Sight(mask, release, {}, (), merge_spans(leaks), secrets=context.secrets.entries)
    if subject.person.profile is not None:
        return replace(sight, third=_third(subject, place, release)), _read(release, row)
    return replace(sight, reason=FORGED if forged else "known-name" if _named_beside(subject, place) else ""), row


def _read(release: Release, row: Sequence[Word]) -> Sequence[Word]:
    """The words of a released text as evidence is counted on it; `row` are those of the text as it stands."""
    text = seen_through(release)
    return row if text == release.text else words(text)


def _crowds(
    subject: Subject, left: Sequence[int], releases: Sequence[Release], rows: Sequence[Sequence[Word]]
) -> tuple[list[dict[str, int]], dict[str, int]]:
    """The person's crowds on each document, and on all together with what was published elsewhere."""
    keys, texts = list(map(general_keys, releases)), [seen_through(release) for release in releases]
    counted = _counted(subject, left, texts, rows, keys=keys)
    if not any(keys):
        return counted
    gaps = [seen_through(release, general=True) for release in releases]
    others = _counted(subject, left, gaps, [words(text) for text in gaps], keys=keys)
    return [smaller(*both) for both in zip(counted[0], others[0], strict=True)], smaller(counted[1], others[1])


def _counted(
    subject: Subject, left: Sequence[int], texts: Sequence[str], rows: Sequence[Sequence[Word]],
    *, keys: Sequence[Sequence[str]],
) -> tuple[list[dict[str, int]], dict[str, int]]:  # fmt: skip
    out = subject.elsewhere(left)
    read = [
        dict.fromkeys([*_visible_words(text, row), *folded_words(visible(subject.public(i)))])
        for text, row, i in zip(texts, rows, left, strict=True)
    ]
    texts = [subject.shown(i, text) for text, i in zip(texts, left, strict=True)]
    alone = [_by_member(subject.among(own), [row], [text]) for own, row, text in zip(keys, read, texts, strict=True)]
    if len(read) + len(out) == 1:
        return alone, alone[0]
    read += [dict.fromkeys(folded_words(visible(text))) for text in out]
    return alone, _by_member(subject.among(key for own in keys for key in own), read, [*texts, *out])


def _by_member(subject: Subject, read: Sequence[Iterable[str]], texts: Sequence[str]) -> dict[str, int]:
    column = subject.column
    return crowds_of(subject.members, read, column) | local_crowds_of(subject.local, texts, column)


def smaller(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """The smaller crowd under each member."""
    return {name: min(size, other[name]) for name, size in one.items()}


def general_keys(release: Release) -> list[str]:
    """The keys of the general values that a release states, each once."""
    return list(dict.fromkeys(one.general for one in release.written.values() if one.general))


def crowds_of(members: Mapping[str, AdditiveIndex], read: Sequence[Iterable[str]], column: int) -> dict[str, int]:
    """The crowd of the person in a column on all these strings together, under each member.

    Of each string `read` has the distinct folded words, placeholders left out.
    """
    crowds = {}
    for name, index in members.items():
        total = index.sum_of(read[0])
        for words_ in read[1:]:
            total = total + index.sum_of(words_)
        crowds[name] = crowd(total, column)
    return crowds


def local_crowds_of(members: Mapping[str, LocalIndex], texts: Sequence[str], column: int) -> dict[str, int]:
    """The same under members that are no sums over words, from what can be read."""
    return {
        name: crowd(np.sum([index.scores(text) for text in texts], axis=0), column) for name, index in members.items()
    }


def _third(subject: Subject, place: int, release: Release) -> tuple[int, ...]:
    """The smallest crowd of everybody else whom a document names, on the passage, and in the metadata beside it."""
    passages = [(column, released_stretch(release, start, end)) for column, start, end in subject.others(place)]
    return tuple(_smallest_crowd(subject, text, column) for column, text in (*passages, *_beside(subject, place)))


def _beside(subject: Subject, place: int) -> list[tuple[int, str]]:
    """Column and passage of everybody else whom the metadata names that is kept with a document."""
    if not subject.named or subject.names is None:
        return []
    kept = subject.kept[place]
    row = seen_words(kept)
    passages = ((named.column, passage(kept, row, named)) for named in subject.names.find(row))
    return [(column, kept[start:end]) for column, (start, end) in passages if column != subject.column]


def _smallest_crowd(subject: Subject, text: str, column: int) -> int:
    crowds = crowds_of(subject.members, [dict.fromkeys(folded_words(visible(text)))], column)
    return min((crowds or local_crowds_of(subject.local, [text], column)).values())


def _named_beside(subject: Subject, place: int) -> bool:
    """True if anybody who is known is named beside the document of somebody unknown."""
    beside = subject.kept[place]
    if subject.settings.ids == "keep":
        beside = f"{beside}\n{subject.person.documents[place].id}"
    return bool(subject.names and subject.names.find(seen_words(beside)))


def _too_small(
    subject: Subject, left: Sequence[int], sights: Sequence[Sight], together: Mapping[str, int]
) -> dict[int, str]:
    """Reasons to withhold documents of a known person, by place in `left`: crowds alone, together and of others below k."""
    k = subject.settings.k
    if not subject.crowd_required:
        return {}
    small = [at for at, sight in enumerate(sights) if min(sight.crowds.values()) < k]
    reasons = {at: SHOWN_BEFORE if subject.earlier[left[at]] else "crowd-below-k" for at in small}
    reasons |= {at: "third-party-crowd-below-k" for at, sight in enumerate(sights) if min(sight.third, default=k) < k}
    if not reasons and min(together.values()) < k:
        known = any(subject.earlier) or subject.person.gone
        return dict.fromkeys(range(len(sights)), SHOWN_BEFORE if known else "person-crowd-below-k")
    return reasons


def _leaks(
    subject: Subject, place: int, release: Release, where: Sequence[tuple[int, int]], *, reason: str
) -> Iterator[MaskSpan]:
    """Words of the original that must be hidden too, because of these stretches of the released text."""
    for start, end in where:
        for word in _original_words(subject.rows[place], release, start, end):
            yield MaskSpan(word.start, word.end, reason)


def _forged(release: Release, tokens: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches of a released text that look like a placeholder and were not written by the transform."""
    return [stretch for stretch in placeholders(release.text) if stretch not in tokens]


def written_tokens(release: Release) -> set[tuple[int, int]]:
    """Stretches of the released text in which the transform wrote something that says nothing, and nothing else."""
    return {release.pieces[place][:2] for place, one in release.written.items() if one.text and says_nothing(one)}


def _visible_words(text: str, row: Sequence[Word]) -> list[str]:
    """Of a text's words those that `visible` leaves: all but the label and number that each placeholder consists of."""
    gone = {place for start, end in placeholders(text) for place in range(start + 1, end)}
    return [folded for start, _, folded in row if start not in gone]


def surviving(
    identifiers: DirectIdentifiers, text: str, tokens: set[tuple[int, int]], row: Sequence[Word] | None = None
) -> list[tuple[int, int]]:
    """Places of identifiers in a released text. A token that hides a word is none, even for a person named Mask."""
    return [(a, b) for a, b in identifiers.find(text, row) if not any(start <= a and b <= end for start, end in tokens)]


def released_stretch(release: Release, start: int, end: int) -> str:
    """The released text of a stretch of the original; a hidden span that overlaps it comes whole, or as a gap if invented."""
    shown = []
    for place, (out_start, out_end, in_start, in_end) in enumerate(release.pieces):
        if in_start < end and start < in_end:
            written = release.written.get(place)
            a = out_start if written else out_start + max(0, start - in_start)
            b = out_end if written else out_end - max(0, in_end - end)
            shown.append(MASK_TOKEN if written and written.invented else release.text[a:b])
    return "".join(shown)


def _original_words(row: Sequence[Word], release: Release, start: int, end: int) -> list[Word]:
    """Words of the original that a stretch of the released text comes from."""
    originals = []
    for place, (out_start, out_end, in_start, in_end) in enumerate(release.pieces):
        if out_start < end and start < out_end:
            whole = place in release.written
            a = in_start if whole else in_start + max(0, start - out_start)
            b = in_end if whole else in_end - max(0, out_end - end)
            originals += touched(row, [(a, b)])
    return originals
