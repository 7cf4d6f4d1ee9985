"""Masks that a person edits: what they would release, looked at again without any search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unname.errors import InputError
from unname.inputs.arguments import require_key
from unname.protecting.look import Look, look
from unname.protecting.masker import PersonMasker, subject_of
from unname.protecting.result import Deidentified, by_person, columns_of
from unname.types import Mask, MaskSpan
from unname.verbs.deidentify.in_memory import names_wanted, person_about


@dataclass(frozen=True, slots=True, repr=False)
class Review:
    """A result whose masks are edited: what hid its people, and by document the places of all documents of its person."""

    made: Deidentified
    masker: PersonMasker
    places: Mapping[str, tuple[int, ...]]

    def __repr__(self) -> str:
        return f"Review({len(self.places)} documents)"


def review_of(made: Deidentified, *, key: bytes) -> Review:
    """Everything that it takes to look again at a result; `key` is the one that it was made with."""
    require_key(key)
    settings, mandatory = made.settings, made.mandatory
    masker = PersonMasker(
        settings=settings,
        key=key,
        method=made.method,
        transform=made.transform,
        ensemble=made.ensemble,
        mandatory=mandatory,
        names=names_wanted(settings, made.population, mandatory.direct, made.transform),
    )
    ids = [document.id for document in made.documents]
    places: dict[str, tuple[int, ...]] = {}
    for group in by_person(columns_of(made.documents, made.population), made.documents):
        own = tuple(map(int, group))
        places |= {ids[place]: own for place in own}
    return Review(made, masker, places)


def look_again(review: Review, masks: Sequence[Mask], *, withhold: Sequence[str] = ()) -> Look:
    """The release of one person's documents under these masks: their texts, crowds, leaks, and reasons to withhold.

    Every other released document of the person keeps its mask; those to `withhold` (ids) are left out, and so are those
    that were withheld and get no mask here. InputError: a document is not in the result, they are about several people,
    none is left, or a mask has a span that no text can have.

    >>> from unname import Mask, deidentify, fictional_town, make_population
    >>> town, key = fictional_town(people=30), bytes(32)
    >>> made = deidentify(town.documents[:5], make_population(town.profiles), key=key)
    >>> review, mask = review_of(made, key=key), made.masks[0]
    >>> look_again(review, [mask]).may_leave
    True
    >>> sight = look_again(review, [Mask(mask.document)]).of(mask.document)
    >>> sorted({leak.method for leak in sight.leaks}), sight.reason
    (['direct-identifier'], 'crowd-below-k')
    """
    made, wanted = review.made, {mask.document: mask for mask in masks}
    asked = [*wanted, *withhold]
    groups = {review.places.get(name) for name in asked}
    if None in groups:
        raise InputError("masks: one is of a document that is not in this result")
    if len(groups) != 1:
        raise InputError("masks: they are of documents about several people, or of none; look at one person at a time")
    places = groups.pop() or ()
    documents = tuple(made.documents[place] for place in places)
    for document, place in zip(documents, places, strict=True):
        outcome = made.outcome(place)
        if outcome.release is not None:
            wanted.setdefault(document.id, outcome.mask)
    left = [at for at, document in enumerate(documents) if document.id in wanted and document.id not in withhold]
    if not left:
        raise InputError("masks: no document of this person is left to look at")
    person = person_about(made.population, documents, made.mandatory.direct, made.earlier, review.places)
    ruled = [_by_rules(wanted[d.id].spans) if d.id in wanted else () for d in documents]
    return look(subject_of(review.masker, person, ruled), [wanted[documents[at].id] for at in left], left)


def _by_rules(spans: Sequence[MaskSpan]) -> tuple[MaskSpan, ...]:
    """The spans of a mask that no step of a search chose."""
    return tuple(span for span in spans if span.step == 0)
