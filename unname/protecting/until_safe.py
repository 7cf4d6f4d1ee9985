"""One person at a time: the mandatory mask, the search, the transform, and what is checked before a text may leave.

A `PersonMasker` holds everything that is the same for all people and nothing of any of them, so it can be sent to another
process; which process hides whom changes no result.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol

import numpy as np

from unname.facts.stated import Fact
from unname.job import Deidentification
from unname.knowledge.leaks import DirectIdentifiers
from unname.knowledge.mentions import NameIndex, passage, seen_words
from unname.log import logger
from unname.masking.base import Case, Mention, Method
from unname.masking.local import CountedIndex
from unname.parallel.pool import ONE_PROCESS, Pool, Shared
from unname.protecting.earlier import Shown, side_by_side
from unname.protecting.keys import target_crowd
from unname.protecting.mandatory import MandatoryMask
from unname.protecting.outcomes import Outcome
from unname.protecting.wordlists import touched
from unname.reidentifiers.base import AdditiveIndex, Index, LocalIndex, PairedIndex, crowd
from unname.reidentifiers.ensemble import Ensemble
from unname.text import PLACEHOLDER, Word, folded_words, placeholders, uncovered, visible, words
from unname.transforms.redact import Transform
from unname.types import Document, Mask, MaskSpan, Profile, Release, merge_spans

# People that are hidden together, wherever that is.
BATCH = 16
# Why a document is withheld that earlier releases show too much of.
SHOWN_BEFORE = "shown-before"
# Under this name who combines everything stands beside the reidentifiers.
ADVERSARY = "adversary"
# So much of a document's target is wanted there: who is pushed further down is found by the next adversary for that.
_SHARE = 0.5


@dataclass(frozen=True, slots=True, repr=False)
class Person:
    """All documents of one person and what the population knows of them; `profile` is None for somebody unknown.

    `named` has the direct fields of the full profile, where the adversary is taken to know fewer than that. `before` are
    spans, by document, that an earlier round has hidden and that stay hidden. `earlier` says, by document, what earlier
    releases show of it, or None; `gone` the same of documents about the person that are not there any more.
    """

    documents: tuple[Document, ...]
    profile: Profile | None = None
    column: int = -1
    named: Profile | None = None
    before: tuple[tuple[MaskSpan, ...], ...] = ()
    earlier: tuple[Shown | None, ...] = ()
    gone: tuple[Shown, ...] = ()

    def __repr__(self) -> str:
        return f"Person({len(self.documents)} documents)"


def kept_text(document: Document, keep: Sequence[str]) -> str:
    """The metadata values that are released beside a document's text, one a line."""
    return "\n".join(document.metadata[name] for name in keep if name in document.metadata)


def readable(text: str, kept: str) -> str:
    """All that an attacker can read of one released document: its text and what is released beside it."""
    return f"{text}\n\n{kept}" if kept else text


class Opponent(Protocol):
    """Whoever combines all that is known of a release, learned from other people; taken apart for a pool."""

    def facing(self, person: str) -> LocalIndex:
        """What faces documents about this person."""
        ...

    def apart(self) -> tuple["Opponent", tuple[Index, ...]]:
        """Without indexes, and all indexes."""
        ...

    def together(self, indexes: Sequence[Index]) -> "Opponent":
        """The one that was taken apart."""
        ...


@dataclass(slots=True, repr=False)
class PersonMasker:
    """Hides people under fixed settings. `names` is needed to protect everybody known, and for unknown people.

    With an `adversary` people are hidden from who combines everything too, as far as words are left that help.
    """

    settings: Deidentification
    key: bytes
    method: Method
    transform: Transform
    ensemble: Ensemble
    mandatory: MandatoryMask
    names: NameIndex | None = None
    adversary: Opponent | None = None

    def __repr__(self) -> str:
        return f"PersonMasker({self.method.name}, {self.ensemble!r})"

    def hide(self, person: Person) -> list[Outcome]:
        """Mask and render all documents of one person; what raises an error is withheld, never skipped.

        They are searched in the order of their ids, so that their order in the input decides no tie.
        """
        if len(person.documents) == 1:
            return self._hide(person)
        order = sorted(range(len(person.documents)), key=lambda place: person.documents[place].id)
        documents = tuple(person.documents[place] for place in order)
        before = tuple(person.before[place] for place in order) if person.before else ()
        earlier = tuple(person.earlier[place] for place in order) if person.earlier else ()
        found = self._hide(replace(person, documents=documents, before=before, earlier=earlier))
        back = dict(zip(order, found, strict=True))
        return [back[place] for place in range(len(order))]

    def _hide(self, person: Person) -> list[Outcome]:
        search = None
        try:
            if person.profile is None:
                shown = person.earlier or (None,) * len(person.documents)
                found = [self._hide_unknown(*each) for each in zip(person.documents, shown, strict=True)]
            else:
                search = _Search(self, person, person.profile)
                found = search.run()
                found[0] = replace(found[0], readings=search.readings)
        except Exception as error:  # whatever a method or transform raises: nothing it touched may leave the house
            logger.warning("a document was withheld: unexpected %s", type(error).__name__)
            found = [Outcome(Mask(d.id), None, "failed") for d in person.documents]
        rows = [words(d.text) for d in person.documents] if search is None else search.rows
        return [_counted(*both) for both in zip(found, rows, strict=True)]

    def _hide_unknown(self, document: Document, shown: Shown | None) -> Outcome:
        """The widest mandatory mask, and every known person's name: nobody can count the crowd of somebody unknown."""
        if self.settings.unknown_person == "withhold":
            return Outcome(Mask(document.id), None, "unknown-person")
        row: Sequence[Word] = words(document.text)
        mask_of = self.mandatory.for_unknown().reading_once()
        mandatory = list(mask_of.of(document, row, None))
        mandatory += shown.still_hidden(document, row, self.key) if shown else ()
        row = seen_words(document.text, row)
        named = self.names.find(row) if self.names else []
        mandatory += [MaskSpan(w.start, w.end, "known-name") for n in named for w in row[n.first : n.last + 1]]
        mask = Mask(document.id, merge_spans(mandatory))
        release = self.transform.release(document, mask)
        tokens = written_tokens(mask, release)
        if any(place not in tokens for place in placeholders(release.text)):
            return Outcome(mask, None, "forged-placeholder")
        beside = kept_text(document, self.settings.keep)
        if self.settings.ids == "keep":
            beside = f"{beside}\n{document.id}"
        if self.names and self.names.find(seen_words(beside)):
            return Outcome(mask, None, "known-name")
        return Outcome(mask, release, facts=mask_of.stated(document.text))

    def target(self, unit: str) -> int:
        """The crowd that one document, person or mention gets: more than half of all others only if k is."""
        settings, others = self.settings, len(self.ensemble.people) - 1
        span = settings.target_span if settings.keyed_target and self.method.keyed_targets else 1.0
        span = max(1.0, min(span, others / 2 / settings.k))
        return target_crowd(self.key, unit, k=settings.k, span=span, most=others)


def _unit(kind: str, name: str, member: str) -> str:
    """What a target is drawn for."""
    return f"{kind}\0{name}\0{member}" if member else f"{kind}\0{name}"


def crowds_of(members: Mapping[str, AdditiveIndex], read: Sequence[Iterable[str]], column: int) -> dict[str, int]:
    """The crowd of the person in a column on all these strings together, under each member.

    Of each string `read` has the distinct folded words, placeholders left out.
    """
    found = {}
    for name, index in members.items():
        total = index.sum_of(read[0])
        for words_ in read[1:]:
            total = total + index.sum_of(words_)
        found[name] = crowd(total, column)
    return found


def local_crowds_of(members: Mapping[str, LocalIndex], texts: Sequence[str], column: int) -> dict[str, int]:
    """The same under members that are no sums over words, from what can be read."""
    return {
        name: crowd(np.sum([index.scores(text) for text in texts], axis=0), column) for name, index in members.items()
    }


def _counted(outcome: Outcome, row: Sequence[Word]) -> Outcome:
    total = len(row)
    hidden = total - len(uncovered(row, outcome.mask.spans))
    return replace(outcome, hidden_words=hidden if outcome.release is not None else total, words=total)


class _Search:
    """The search for one known person: mask, look, widen or withhold, until what is left can leave."""

    def __init__(self, masker: PersonMasker, person: Person, profile: Profile) -> None:
        self._masker, self._person, self._profile = masker, person, profile
        self._identifiers = masker.mandatory.identifiers(person.named or profile)
        self.rows = [tuple(words(d.text)) for d in person.documents]
        self._kept = [kept_text(d, masker.settings.keep) for d in person.documents]
        self._earlier = person.earlier or (None,) * len(person.documents)
        before = person.before or ((),) * len(person.documents)
        mask_of = masker.mandatory.reading_once()
        self._mandatory: list[tuple[MaskSpan, ...]] = []
        self._facts: list[tuple[Fact, ...]] = []
        for i, (d, row, hidden) in enumerate(zip(person.documents, self.rows, before, strict=True)):
            own = mask_of.of(d, row, self._identifiers)
            self._mandatory.append(merge_spans([*own, *hidden, *self._still_hidden(i)]))
            self._facts.append(mask_of.stated(d.text))
        # What can be read beside each text: metadata, and every version that was published.
        self._public = [
            "\n\n".join(part for part in (kept, *(shown.texts if shown else ())) if part)
            for kept, shown in zip(self._kept, self._earlier, strict=True)
        ]
        self._mentioned: list[Mention] = []
        # More masks in a text that was published would only point at what they hide.
        both = enumerate(zip(person.documents, self._earlier, strict=True))
        self._settled = {i for i, (d, shown) in both if shown and shown.is_of(d, masker.key)}
        self._reasons: dict[int, str] = {}
        self._members = masker.ensemble.additive(person.documents[0].person)
        local = masker.ensemble.local(person.documents[0].person)
        # Who adds up words and pairs is followed without reading the text again.
        self._local: dict[str, LocalIndex] = {
            name: index if isinstance(index, PairedIndex) else CountedIndex(index) for name, index in local.items()
        }
        adversary = masker.adversary
        self._soft = {ADVERSARY: adversary.facing(str(person.documents[0].person))} if adversary is not None else {}

    @property
    def readings(self) -> int:
        """Texts that went through members which are no sums over words."""
        return sum(index.readings for index in self._local.values() if isinstance(index, CountedIndex))

    def _still_hidden(self, place: int) -> Sequence[MaskSpan]:
        shown, document = self._earlier[place], self._person.documents[place]
        return shown.still_hidden(document, self.rows[place], self._masker.key) if shown else ()

    def run(self) -> list[Outcome]:
        """One outcome a document, in order."""
        left = list(range(len(self.rows)))
        while left:
            case = self._case(left)
            masks = self._masks(left, case)
            done = self._render(left, case, masks)
            if done is not None:
                return [done.get(i) or self._withheld(i) for i in range(len(self.rows))]
            left = [i for i in left if i not in self._reasons]
        return [self._withheld(i) for i in range(len(self.rows))]

    def _withheld(self, place: int) -> Outcome:
        return Outcome(Mask(self._person.documents[place].id, self._mandatory[place]), None, self._reasons[place])

    def _masks(self, left: Sequence[int], case: Case) -> list[Mask]:
        """What the method hides; of a text that was published what is hidden already."""
        found = [Mask(self._person.documents[i].id, self._mandatory[i]) for i in left]
        if not self._settled.issuperset(left):
            searched = self._masker.mandatory.masks(self._masker.method, case)
            found = [found[at] if i in self._settled else searched[at] for at, i in enumerate(left)]
        return found

    def _out(self, left: Sequence[int]) -> list[str]:
        """What is published, for each document about the person that is not released now."""
        withheld = [shown for i, shown in enumerate(self._earlier) if shown and i not in left]
        return [side_by_side(shown.texts[0], shown.texts) for shown in (*withheld, *self._person.gone)]

    def _case(self, left: Sequence[int]) -> Case:
        """Of published texts a search sees what is public, which it cannot hide: they stand beside documents without text."""
        masker, person, out = self._masker, self._person, self._out(left)
        bare = [replace(person.documents[i], text="") if i in self._settled else person.documents[i] for i in left]
        bare += [Document("", "", person.documents[0].person) for _ in out]
        rows = [() if i in self._settled else self.rows[i] for i in left] + [()] * len(out)
        beside = [*(self._public[i] for i in left), *out]
        kept = tuple(frozenset(folded_words(visible(text))) for text in beside)
        self._mentioned = [m for at, i in enumerate(left) for m in self._mentions(at, i)]
        targets = self._targets(left, kept)
        never = [masker.mandatory.staying(d, row) for d, row in zip(bare, rows, strict=True)]
        return Case(
            documents=tuple(bare),
            profile=self._profile,
            column=person.column,
            ensemble=self._members,
            targets=targets[:-1],
            person_target=targets[-1],
            own_targets={name: self._targets(left, kept, name) for name in (*self._members, *self._local)},
            mandatory=(*(() if i in self._settled else self._mandatory[i] for i in left), *(() for _ in out)),
            never=frozenset[str]().union(*never),
            budget=masker.settings.budget,
            words=tuple(rows),
            kept=kept,
            beside=tuple(beside),
            mentions=tuple(m for m in self._mentioned if left[m.document] not in self._settled),
            local=self._local | self._soft,
            soft=dict.fromkeys(self._soft, _SHARE),
        )

    def _targets(self, left: Sequence[int], kept: Sequence[frozenset[str]], member: str = "") -> tuple[int, ...]:
        """The crowds that a search seeks for each text of a case and for all together, drawn for each member apart.

        Somebody who lies just above the same crowd under all of them would be the only one.
        """
        wanted = self._masker.target(_unit("person", str(self._person.documents[0].person), member))
        if len(kept) > len(left) or any(self._earlier):
            wanted = self._reachable(wanted, kept)
        own = [0 if i in self._settled else self._target(i, member) for i in left]
        return (*own, *(0 for _ in kept[len(left) :]), wanted)

    def _wanted(self, place: int, member: str = "") -> int:
        return self._masker.target(_unit("document", self._person.documents[place].id, member))

    def _least_wanted(self, place: int) -> int:
        """The smallest crowd that is sought for a document."""
        return min((self._wanted(place, name) for name in (*self._members, *self._local)), default=self._wanted(place))

    def _target(self, place: int, member: str) -> int:
        """The crowd that a search seeks for a document under a member."""
        wanted, public = self._wanted(place, member), [folded_words(visible(self._public[place]))]
        return self._reachable(wanted, public) if self._earlier[place] else wanted

    def _reachable(self, wanted: int, public: Sequence[Iterable[str]]) -> int:
        """A target, or k where what is public leaves no such crowd: a search would hide all else in vain."""
        most = min(
            crowds_of(self._members, [sorted(set(row)) for row in public], self._person.column).values(), default=wanted
        )
        return min(wanted, max(self._masker.settings.k, most))

    def _mentions(self, at: int, place: int) -> list[Mention]:
        """Everybody else whom the readable words of a document name; `at` is its place in the case."""
        masker, document = self._masker, self._person.documents[place]
        if masker.settings.protect == "subject" or masker.names is None:
            return []
        # A word that is hidden already names somebody all the same, to whoever reads what stands beside it.
        row = seen_words(document.text, self.rows[place])
        left = {word.start for word in uncovered(row, self._mandatory[place])}
        found = []
        for named in masker.names.find(row):
            shown = any(word.start in left for word in row[named.first : named.last + 1])
            if named.column != self._person.column and shown:
                start, end = passage(document.text, row, named)
                unit = f"mention\0{document.id}\0{masker.ensemble.people[named.column]}"
                found.append(Mention(at, named.column, start, end, masker.target(unit)))
        return found

    def _render(self, left: Sequence[int], case: Case, masks: Sequence[Mask]) -> dict[int, Outcome] | None:
        """Outcomes by place if all may leave; else None, with mandatory widened or reasons noted for the next round."""
        documents, out = [self._person.documents[i] for i in left], self._out(left)
        releases = [self._masker.transform.release(d, m) for d, m in zip(documents, masks, strict=True)]
        rows = [words(r.text) for r in releases]
        read = [
            dict.fromkeys([*_visible_words(r.text, row), *folded_words(visible(self._public[i]))])
            for r, row, i in zip(releases, rows, left, strict=True)
        ]
        shown = [self._earlier[i] for i in left]
        texts = [
            side_by_side(readable(r.text, self._kept[i]), one.texts if one else ())
            for r, i, one in zip(releases, left, shown, strict=True)
        ]
        alone = [
            crowds_of(self._members, [row], case.column) | local_crowds_of(self._local, [text], case.column)
            for row, text in zip(read, texts, strict=True)
        ]
        together = alone[0]
        if len(read) + len(out) > 1:
            read += [dict.fromkeys(folded_words(visible(text))) for text in out]
            together = crowds_of(self._members, read, case.column)
            together |= local_crowds_of(self._local, [*texts, *out], case.column)
        third = self._third(left, releases)
        widened = self._widened(left, masks, releases, rows)
        failed = self._failed(left, alone, together, third)
        if not widened and not failed:
            return {
                place: Outcome(
                    masks[i], releases[i], "", alone[i], together, self._least_wanted(place), third[i],
                    facts=self._facts[place],
                )
                for i, place in enumerate(left)
            }  # fmt: skip
        for i, spans in widened.items():
            place = left[i]
            wider = merge_spans([*self._mandatory[place], *spans])
            if wider == self._mandatory[place]:
                failed[i] = "direct-identifier"
            self._mandatory[place] = wider
        self._reasons |= {left[i]: reason for i, reason in failed.items()}
        return None

    def _third(self, left: Sequence[int], releases: Sequence[Release]) -> list[tuple[int, ...]]:
        """For each document the smallest crowd of everybody else it names, on the passage, and beside the text."""
        found: list[list[int]] = [[] for _ in releases]
        for mention in self._mentioned:
            original = self._person.documents[left[mention.document]].text
            text = released_stretch(releases[mention.document], original, mention.start, mention.end)
            found[mention.document].append(self._smallest_crowd(text, mention.column))
        return [(*row, *self._beside(place)) for place, row in zip(left, found, strict=True)]

    def _beside(self, place: int) -> list[int]:
        """The same for everybody else whom the metadata names that is kept with a document; none of it can be hidden."""
        masker, kept = self._masker, self._kept[place]
        if masker.settings.protect == "subject" or masker.names is None:
            return []
        row, found = seen_words(kept), []
        for named in masker.names.find(row):
            if named.column != self._person.column:
                start, end = passage(kept, row, named)
                found.append(self._smallest_crowd(kept[start:end], named.column))
        return found

    def _smallest_crowd(self, text: str, column: int) -> int:
        crowds = crowds_of(self._members, [dict.fromkeys(folded_words(visible(text)))], column)
        return min((crowds or local_crowds_of(self._local, [text], column)).values())

    def _widened(
        self, left: Sequence[int], masks: Sequence[Mask], releases: Sequence[Release], rows: Sequence[Sequence[Word]]
    ) -> dict[int, list[MaskSpan]]:
        """Spans to add to mandatory because an identifier survived or a placeholder was forged, by place in the case."""
        found: dict[int, list[MaskSpan]] = {}
        for place, (mask, release, row) in enumerate(zip(masks, releases, rows, strict=True)):
            tokens = written_tokens(mask, release)
            forged = [p for p in placeholders(release.text) if p not in tokens]
            leaks = [
                MaskSpan(w.start, w.end, reason)
                for reason, where in (
                    ("direct-identifier", surviving(self._identifiers, release.text, tokens, row)),
                    ("forged-placeholder", forged),
                )
                for start, end in where
                for w in _original_words(self.rows[left[place]], release, start, end)
            ]
            if leaks:
                found[place] = leaks
        return found

    def _failed(
        self, left: Sequence[int], alone: Sequence[Mapping[str, int]], together: Mapping[str, int],
        third: Sequence[tuple[int, ...]],
    ) -> dict[int, str]:  # fmt: skip
        k = self._masker.settings.k
        if not self._masker.method.seeks_crowd:
            return {}
        small = [i for i, crowds in enumerate(alone) if min(crowds.values()) < k]
        failed = {i: SHOWN_BEFORE if self._earlier[left[i]] else "crowd-below-k" for i in small}
        failed |= {i: "third-party-crowd-below-k" for i, row in enumerate(third) if row and min(row) < k}
        if not failed and min(together.values()) < k:
            known = any(self._earlier) or self._person.gone
            return dict.fromkeys(range(len(alone)), SHOWN_BEFORE if known else "person-crowd-below-k")
        return failed


def written_tokens(mask: Mask, release: Release) -> set[tuple[int, int]]:
    """Where the transform itself wrote a placeholder for a span, and nothing else: stretches of the released text."""
    starts = {span.start for span in mask.spans}
    return {
        (a, b) for a, b, start, _ in release.pieces if start in starts and PLACEHOLDER.fullmatch(release.text, a, b)
    }


def _visible_words(text: str, row: Sequence[Word]) -> list[str]:
    """Of a text's words those that `visible` leaves: all but the one that each placeholder consists of."""
    gone = {start + 1 for start, _ in placeholders(text)}
    return [folded for start, _, folded in row if start not in gone]


def surviving(
    identifiers: DirectIdentifiers, text: str, tokens: set[tuple[int, int]], row: Sequence[Word] | None = None
) -> list[tuple[int, int]]:
    """Where identifiers stand in a released text. A token that hides a word is none, even for a person named Mask."""
    return [(a, b) for a, b in identifiers.find(text, row) if not any(start <= a and b <= end for start, end in tokens)]


def released_stretch(release: Release, original: str, start: int, end: int) -> str:
    """What a release shows of a stretch of its original; a hidden span that overlaps it comes whole."""
    shown = []
    for out_start, out_end, in_start, in_end in release.pieces:
        if in_start < end and start < in_end:
            same = release.text[out_start:out_end] == original[in_start:in_end]
            a = out_start + max(0, start - in_start) if same else out_start
            b = out_end - max(0, in_end - end) if same else out_end
            shown.append(release.text[a:b])
    return "".join(shown)


def _original_words(row: Sequence[Word], release: Release, start: int, end: int) -> list[Word]:
    """Words of the original that a stretch of the released text comes from."""
    found = []
    for out_start, out_end, in_start, in_end in release.pieces:
        if out_start < end and start < out_end:
            same = out_end - out_start == in_end - in_start
            a = in_start + max(0, start - out_start) if same else in_start
            b = in_end - max(0, out_end - end) if same else in_end
            found += touched(row, [(a, b)])
    return found


def mask_people(masker: PersonMasker, people: Iterable[Person], pool: Pool = ONE_PROCESS) -> Iterator[list[Outcome]]:
    """The outcomes of each person, in the order given."""
    rest = iter(people)
    batches = iter(lambda: list(islice(rest, BATCH)), [])
    # Indexes are parts of their own, which an audit by the same processes can go on with.
    empty, indexes = masker.ensemble.apart()
    bare, more = masker.adversary.apart() if masker.adversary is not None else (None, ())
    shared = (replace(masker, ensemble=empty, adversary=bare), len(indexes), *indexes, *more)
    for found in pool.map(_mask_batch, shared, batches):
        yield from found


def _mask_batch(shared: Shared, batch: Sequence[Person]) -> list[list[Outcome]]:
    bare: PersonMasker
    bare, members, indexes = shared[0], shared[1], shared[2:]
    masker = replace(bare, ensemble=bare.ensemble.together(indexes[:members]))
    if bare.adversary is not None:
        masker.adversary = bare.adversary.together(indexes[members:])
    return [masker.hide(person) for person in batch]
