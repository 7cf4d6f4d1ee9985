"""One person at a time: mask, look at what that would release, hide more or withhold, until the rest may leave the house."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from unname.log import logger
from unname.masking.local import CountedIndex
from unname.parallel.pool import ONE_PROCESS, Pool
from unname.protecting.cases import case_of, least_wanted
from unname.protecting.generalising import (
    Said,
    among,
    coarser,
    finest,
    said_in,
    saying,
    with_room,
    without_leaks,
    words_spent,
)
from unname.protecting.look import Look, Subject, look
from unname.protecting.mandatory import BY_IDENTIFIER
from unname.protecting.masker import PersonMasker, subject_of
from unname.protecting.outcomes import Outcome
from unname.protecting.person import Person
from unname.reidentifiers.base import Index, LocalIndex, PairedIndex
from unname.text import Word, uncovered, words
from unname.transforms.base import Generalises
from unname.types import Mask

# People that are hidden together, wherever that is.
BATCH = 16
# Under this name who combines everything stands beside the reidentifiers.
ADVERSARY = "adversary"


def hide(masker: PersonMasker, person: Person) -> list[Outcome]:
    """Mask and release all documents of one person; what raises an error is withheld, never skipped."""
    subject = None
    try:
        if person.profile is None and masker.settings.unknown_person == "withhold":
            outcomes = [Outcome(Mask(d.id), None, "unknown-person") for d in person.documents]
        else:
            subject = subject_of(masker, person)
            outcomes = _until_safe(masker, subject) if person.profile is not None else _unsearched(subject)
    except Exception as error:  # whatever a method or transform raises: nothing it touched may leave the house
        logger.warning("a document was withheld: unexpected %s", type(error).__name__)
        outcomes = [Outcome(Mask(d.id), None, "failed") for d in person.documents]
    if subject is None:
        rows = [words(d.text) for d in person.documents]
        return [_counted(*both) for both in zip(outcomes, rows, strict=True)]
    counted = [_counted(*both) for both in zip(outcomes, subject.rows, strict=True)]
    read = zip(counted, subject.own, subject.facts, strict=True)
    return [replace(outcome, ruled=own, facts=facts) for outcome, own, facts in read]


def _unsearched(subject: Subject) -> list[Outcome]:
    """Outcomes of documents of somebody unknown, whom no search can hide: released under the mandatory mask or not."""
    if isinstance(subject.transform, Generalises):
        hidden = {place: Mask(d.id, subject.mandatory[place]) for place, d in enumerate(subject.person.documents)}
        subject = saying(subject, said_in(subject, hidden))
    masks = [Mask(d.id, spans) for d, spans in zip(subject.person.documents, subject.mandatory, strict=True)]
    seen = look(subject, masks, range(len(masks)))
    return [
        Outcome(sight.mask, None, sight.reason)
        if sight.reason
        else Outcome(sight.mask, sight.release, secrets=sight.secrets)
        for sight in seen.documents
    ]


def _until_safe(masker: PersonMasker, subject: Subject) -> list[Outcome]:
    """Mask, look, hide more or withhold, and again, until what is left may leave: one outcome a document."""
    # Who adds up words and pairs is followed without reading the text again.
    counted = {name: CountedIndex(index) for name, index in subject.local.items() if not isinstance(index, PairedIndex)}
    subject = replace(subject, local={**subject.local, **counted})
    person = str(subject.person.documents[0].person)
    soft = {ADVERSARY: masker.adversary.facing(person)} if masker.adversary is not None else {}
    left, reasons, released = list(range(len(subject.rows))), dict[int, str](), dict[int, Outcome]()
    while left and not released:
        seen = _seen(masker, subject, left, soft)
        sights = dict(zip(left, seen.documents, strict=True))
        if seen.may_leave:
            released = {
                place: Outcome(
                    sight.mask, sight.release, "", sight.crowds, seen.together, least_wanted(masker, subject, place),
                    sight.third, secrets=sight.secrets,
                )
                for place, sight in sights.items()
            }  # fmt: skip
        else:
            wider = subject.hiding({place: sight.leaks for place, sight in sights.items()})
            reasons |= {place: sight.reason for place, sight in sights.items() if sight.reason}
            stuck = [i for i, sight in sights.items() if sight.leaks and wider.mandatory[i] == subject.mandatory[i]]
            reasons |= dict.fromkeys(stuck, BY_IDENTIFIER)
            subject, left = wider, [place for place in left if place not in reasons]
    outcomes = [
        released.get(place) or Outcome(Mask(document.id, subject.mandatory[place]), None, reasons[place])
        for place, document in enumerate(subject.person.documents)
    ]
    outcomes[0] = replace(outcomes[0], readings=sum(index.readings for index in counted.values()))
    return outcomes


def _seen(masker: PersonMasker, subject: Subject, left: Sequence[int], soft: Mapping[str, LocalIndex]) -> Look:
    """The method's masks as they are seen; with general values, these as little general as every crowd allows."""
    if not isinstance(subject.transform, Generalises):
        return look(subject, _masks(masker, subject, left, soft), left)
    wanted = max(least_wanted(masker, subject, place) for place in left)
    masks = _masks(masker, subject, left, soft)
    hidden = {place: mask for place, mask in zip(left, masks, strict=True) if place not in subject.settled}
    said = with_room(subject, said_in(subject, hidden), wanted)
    plain = best = look(subject, masks, left)
    chosen: Sequence[Said] = ()
    while any(one.key for one in said):
        seen = look(subject, _masks(masker, saying(subject, said), left, soft, said=said), left)
        if seen.may_leave and (not best.may_leave or words_spent(subject, seen) < words_spent(subject, best)):
            best, chosen = seen, said
        elif best is not plain:
            break
        said = coarser(without_leaks(said, seen, left))
    return best if soft or not chosen else _finest(masker, subject, chosen, best)


def _finest(masker: PersonMasker, subject: Subject, said: Sequence[Said], seen: Look) -> Look:
    left = {document.id: place for place, document in enumerate(subject.person.documents)}
    places = [left[sight.mask.document] for sight in seen.documents]
    least = [
        min(*sight.crowds.values(), least_wanted(masker, subject, place))
        for place, sight in zip(places, seen.documents, strict=True)
    ]

    def again(masks: Mapping[int, Mask]) -> Look | None:
        tried = look(subject, [masks[place] for place in places], places)
        smallest = (min(sight.crowds.values()) for sight in tried.documents)
        holds = tried.may_leave and all(size >= most for size, most in zip(smallest, least, strict=True))
        return tried if holds else None

    return finest(said, {place: sight.mask for place, sight in zip(places, seen.documents, strict=True)}, seen, again)


def _masks(
    masker: PersonMasker, subject: Subject, left: Sequence[int], soft: Mapping[str, LocalIndex],
    *, said: Sequence[Said] = (),
) -> list[Mask]:  # fmt: skip
    """The method's masks; of a text that was published, the masks that it has already.

    With values `said`, among the people whom they fit.
    """
    case = case_of(masker, *among(subject, said, soft), left)
    masks = [Mask(subject.person.documents[i].id, subject.mandatory[i]) for i in left]
    if not subject.settled.issuperset(left):
        searched = masker.mandatory.masks(masker.method, case)
        masks = [masks[at] if i in subject.settled else searched[at] for at, i in enumerate(left)]
    return masks


def _counted(outcome: Outcome, row: Sequence[Word]) -> Outcome:
    total = len(row)
    hidden = total - len(uncovered(row, outcome.mask.spans))
    return replace(outcome, hidden_words=hidden if outcome.release is not None else total, words=total)


@dataclass(frozen=True, slots=True, repr=False)
class _Travelling:
    """A masker without its indexes: these travel apart, once, and later work names them. `members` are the ensemble's."""

    masker: PersonMasker
    members: int

    def whole(self, indexes: Sequence[Index]) -> PersonMasker:
        """The masker with its indexes."""
        adversary = self.masker.adversary
        return replace(
            self.masker,
            ensemble=self.masker.ensemble.together(indexes[: self.members]),
            adversary=adversary.together(indexes[self.members :]) if adversary is not None else None,
        )


_Sent = tuple[_Travelling, *tuple[Index, ...]]


def mask_people(masker: PersonMasker, people: Iterable[Person], pool: Pool = ONE_PROCESS) -> Iterator[list[Outcome]]:
    """The outcomes of each person, in the order given."""
    rest = iter(people)
    batches = iter(lambda: list(islice(rest, BATCH)), [])
    empty, indexes = masker.ensemble.apart()
    bare, more = masker.adversary.apart() if masker.adversary is not None else (None, ())
    travelling = _Travelling(replace(masker, ensemble=empty, adversary=bare), len(indexes))
    every = (*indexes, *more)
    sent: _Sent = (travelling, *every)
    for outcomes in pool.map(_mask_batch, sent, batches):
        yield from outcomes


def _mask_batch(shared: _Sent, batch: Sequence[Person]) -> list[list[Outcome]]:
    travelling, *indexes = shared
    masker = travelling.whole(indexes)
    return [hide(masker, person) for person in batch]
