"""The common part of masking all people of a run, and the part of it that a look at one of them needs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from unname.facts.stated import Fact
from unname.job import Deidentification
from unname.knowledge.coreference import UNKNOWN
from unname.knowledge.general.fits import WhoFits
from unname.knowledge.mentions import NameIndex, seen_words
from unname.masking.base import Method
from unname.protecting.keys import target_crowd
from unname.protecting.look import Subject
from unname.protecting.mandatory import MandatoryMask
from unname.protecting.person import Person, kept_text
from unname.reidentifiers.base import Index, LocalIndex
from unname.reidentifiers.ensemble import Ensemble
from unname.text import Word, words
from unname.transforms.base import Transform
from unname.types import MaskSpan, merge_spans


class Opponent(Protocol):
    """An adversary who combines all that is known of a release, learned from other people; taken apart for a pool."""

    def facing(self, person: str) -> LocalIndex:
        """The index that faces documents about this person."""
        ...

    def apart(self) -> tuple["Opponent", tuple[Index, ...]]:
        """Without indexes, and all indexes."""
        ...

    def together(self, indexes: Sequence[Index]) -> "Opponent":
        """The one that was taken apart."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class PersonMasker:
    """Everything it takes to hide people under fixed settings, and nothing of any of them: a worker can have it.

    `names` is needed to protect everybody known, and for unknown people. With an `adversary` people are hidden from who
    combines everything too, as far as words are left that help. `fits` says whom general values fit.
    """

    settings: Deidentification
    key: bytes
    method: Method
    transform: Transform
    ensemble: Ensemble
    mandatory: MandatoryMask
    names: NameIndex | None = None
    adversary: Opponent | None = None
    fits: WhoFits | None = None

    def __repr__(self) -> str:
        return f"PersonMasker({self.method.name}, {self.ensemble!r})"

    def target(self, unit: str) -> int:
        """The crowd that one document, person or mention gets: more than half of all others only if k is."""
        settings, others = self.settings, len(self.ensemble.people) - 1
        span = settings.target_span if settings.keyed_target and self.method.keyed_targets else 1.0
        span = max(1.0, min(span, others / 2 / settings.k))
        return target_crowd(self.key, unit, k=settings.k, span=span, most=others)


def subject_of(
    masker: PersonMasker, person: Person, mandatory: Sequence[tuple[MaskSpan, ...]] | None = None
) -> Subject:
    """Everything about a person that stays the same while masks are tried.

    With `mandatory`, by document, nobody reads the texts for what rules and taggers hide, nor for the facts they state.
    """
    settings, unknown = masker.settings, person.profile is None
    known = person.named or person.profile
    rows = tuple(tuple(words(document.text)) for document in person.documents)
    subject = Subject(
        person=person,
        settings=settings,
        key=masker.key,
        transform=masker.transform,
        rows=rows,
        kept=tuple(kept_text(document, settings.keep) for document in person.documents),
        earlier=person.earlier or (None,) * len(rows),
        mandatory=tuple(mandatory) if mandatory is not None else ((),) * len(rows),
        identifiers=masker.mandatory.identifiers(known) if known is not None else None,
        names=masker.names,
        called=masker.mandatory.called(person.profile, known) if person.profile and known else UNKNOWN,
        crowd_required=masker.method.seeks_crowd,
        fits=masker.fits,
    )
    if unknown:
        return _read(masker, subject) if mandatory is None else subject
    name = person.documents[0].person
    earlier = zip(person.documents, subject.earlier, strict=True)
    if settings.protect != "subject" and masker.names is not None:
        seen = tuple(seen_words(d.text, row) for d, row in zip(person.documents, rows, strict=True))
        subject = replace(subject, seen=seen, named=tuple(tuple(masker.names.find(row)) for row in seen))
    subject = replace(
        subject,
        members=masker.ensemble.additive(name),
        local=masker.ensemble.local(name),
        # More masks in a text that was published would only point at what they hide.
        settled=frozenset(i for i, (d, shown) in enumerate(earlier) if shown and shown.is_of(d, masker.key)),
    )
    return _read(masker, subject) if mandatory is None else subject


def _read(masker: PersonMasker, subject: Subject) -> Subject:
    """A subject with what rules and taggers hide of their documents, and the facts that these state.

    Of somebody unknown it is the widest mandatory mask, and every known person's name: nobody can count their crowd.
    """
    person = subject.person
    unknown = person.profile is None
    rules = (masker.mandatory.for_unknown() if unknown else masker.mandatory).reading_once()
    before = () if unknown else person.before
    before = before or ((),) * len(subject.rows)
    hidden, ruled = list[tuple[MaskSpan, ...]](), list[tuple[MaskSpan, ...]]()
    read = list[tuple[tuple[MaskSpan, ...], tuple[Fact, ...]]]()
    known = person.read or (None,) * len(subject.rows)
    documents = zip(person.documents, subject.rows, subject.earlier, before, known, strict=True)
    for document, row, shown, already, there in documents:
        if there is None:
            there = tuple(rules.spans_of(document, row, subject.identifiers)), rules.stated(document.text)
        own, spans = there[0], [*already]
        spans += shown.still_hidden(document, row, masker.key) if shown else ()
        if unknown and masker.names:
            spans += _names_in(masker.names, seen_words(document.text, row))
        hidden.append(merge_spans([*merge_spans(own), *spans]))
        # Nothing that was hidden before, not even in general, comes back: such spans say no more for what they stand.
        ruled.append((*own, *(span if span.level else replace(span, label="") for span in spans)))
        read.append(there)
    alone, facts = tuple(spans for spans, _ in read), tuple(stated for _, stated in read)
    return replace(subject, mandatory=tuple(hidden), facts=facts, ruled=tuple(ruled), own=alone)


def _names_in(names: NameIndex, row: Sequence[Word]) -> list[MaskSpan]:
    """The words of everybody's name who is known and named."""
    return [MaskSpan(w.start, w.end, "known-name") for n in names.find(row) for w in row[n.first : n.last + 1]]
