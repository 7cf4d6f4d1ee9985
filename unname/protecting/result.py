"""Outcomes of all documents of a job, before any attacker reads them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from unname.auditing.report import Round
from unname.job import Deidentification
from unname.knowledge.population import Population
from unname.masking.base import Method
from unname.protecting.direct_fields import DirectFields
from unname.protecting.earlier import Earlier, side_by_side
from unname.protecting.mandatory import MandatoryMask
from unname.protecting.outcomes import Outcome
from unname.protecting.person import kept_text, readable
from unname.reidentifiers.ensemble import Ensemble
from unname.storage.frames import frame_of
from unname.taggers.base import Tagger
from unname.transforms.base import Transform, seen_through
from unname.types import Document, Mask, Release

if TYPE_CHECKING:
    from pandas import DataFrame


class Outcomes(Protocol):
    """Outcomes as they were gathered: in memory, or on the disk. Nobody adds to them."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> Outcome: ...


@dataclass(frozen=True, repr=False)
class Deidentified:
    """All outcomes of a run; `gathered` holds them person by person, `places` (documents,) says which is whose.

    `withheld` says why each withheld document was, by id, in input order; `mandatory` what was hidden before the search.
    Documents and outcomes may lie on the disk; the properties that give all of one kind hold them in memory. `rounds` are
    those of a method that masks again what attackers still find. `earlier` is what the release continues.
    `instead` are outcomes of documents that were withheld afterwards.
    """

    documents: Sequence[Document]
    gathered: Outcomes
    places: npt.NDArray[np.int64]
    population: Population
    ensemble: Ensemble
    method: Method
    transform: Transform
    mandatory: MandatoryMask
    withheld: Mapping[str, str]
    settings: Deidentification = field(default_factory=Deidentification)
    recounted: int = 0
    rounds: tuple[Round, ...] = ()
    earlier: Earlier = field(default_factory=Earlier)
    instead: Mapping[int, Outcome] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Deidentified({len(self.documents)} documents, {len(self.withheld)} withheld)"

    @property
    def direct(self) -> DirectFields:
        """The fields taken as direct identifiers."""
        return self.mandatory.direct

    @property
    def taggers(self) -> tuple[Tagger, ...]:
        """Those whose findings were hidden, where any were asked."""
        return self.mandatory.taggers

    @property
    def rounds_kept(self) -> int:
        """The number of rounds in which what attackers still found was masked."""
        return sum(one.kept for one in self.rounds[1:])

    def outcome(self, place: int) -> Outcome:
        """The outcome of the document at a place of the input."""
        return self.instead.get(place) or self.gathered[int(self.places[place])]

    def withhold(self, reasons: Mapping[int, str]) -> "Deidentified":
        """The same result without the documents at some places of the input, each with a reason, and without their crowds."""
        instead = {**self.instead}
        for place, reason in reasons.items():
            before = self.outcome(place)
            instead[place] = Outcome(
                Mask(self.documents[place].id), None, reason, target=before.target, hidden_words=before.words,
                words=before.words, readings=before.readings,
            )  # fmt: skip
        now = {self.documents[place].id: reason for place, reason in reasons.items()}
        known = {**self.withheld, **now}
        withheld = {document.id: known[document.id] for document in self.documents if document.id in known}
        return replace(self, instead=instead, withheld=withheld)

    def read(self, place: int, *, general: bool = False) -> str | None:
        """All that can be read of the document at a place: its release, what stands beside it, and earlier versions.

        Words that a transform invented are gaps: whoever knows them for such is not misled. With `general` so are values
        that say less than what was there.
        """
        document, release = self.documents[place], self.outcome(place).release
        before = self.earlier.of(document.id)
        if release is None:
            return side_by_side(before.texts[0], before.texts) if before else None
        text = readable(seen_through(release, general=general), kept_text(document, self.settings.keep))
        return side_by_side(text, before.texts if before else ())

    def gone(self, person: str | None) -> list[str]:
        """All that can be read of documents about a person that are not there any more."""
        here = {document.id for document in self.documents} if self.earlier.places else set()
        return [side_by_side(o.texts[0], o.texts) for o in self.earlier.about(person) if o.id not in here]

    def outcomes(self) -> Iterator[Outcome]:
        """All of them, in input order, one at a time."""
        return (self.outcome(place) for place in range(len(self.documents)))

    @property
    def masks(self) -> tuple[Mask, ...]:
        """Every mask, in input order."""
        return tuple(o.mask for o in self.outcomes())

    @property
    def releases(self) -> tuple[Release | None, ...]:
        """Every release, in input order; None where withheld."""
        return tuple(o.release for o in self.outcomes())

    @property
    def crowds(self) -> tuple[dict[str, int], ...]:
        """Every document's crowds by reidentifier; empty where none can be stated."""
        return tuple(dict(o.crowds) for o in self.outcomes())

    @property
    def targets(self) -> tuple[int, ...]:
        """The crowd each document was to reach."""
        return tuple(o.target for o in self.outcomes())

    @property
    def person_crowds(self) -> dict[str, dict[str, int]]:
        """Crowds of all released documents of a person together, by person."""
        crowds: dict[str, dict[str, int]] = {}
        for document, outcome in zip(self.documents, self.outcomes(), strict=True):
            if document.person in self.population.rows and not crowds.get(str(document.person)):
                crowds[str(document.person)] = dict(outcome.together)
        return crowds

    def rows(self) -> list[dict[str, str | None]]:
        """`id` and `text` of each released document, and the kept metadata, in input order: for any table."""
        keep = self.settings.keep
        return [
            {"id": d.id, "text": o.release.text, **{name: d.metadata.get(name) for name in keep}}
            for d, o in zip(self.documents, self.outcomes(), strict=True) if o.release is not None
        ]  # fmt: skip

    def frame(self) -> "DataFrame":
        """The `rows` as a table of pandas."""
        return frame_of(self.rows(), ("id", "text", *self.settings.keep))

    def texts(self) -> list[str | None]:
        """Released texts in input order, None where withheld."""
        return [r.text if r is not None else None for r in self.releases]


def columns_of(documents: Sequence[Document], population: Population) -> npt.NDArray[np.int64]:
    """The place of each document's person in the population, −1 where unknown: (documents,)."""
    rows = population.rows
    columns = (-1 if d.person is None else rows.get(d.person, -1) for d in documents)
    return np.fromiter(columns, np.int64, len(documents))


def by_person(columns: npt.NDArray[np.int64], documents: Sequence[Document]) -> list[npt.NDArray[np.int64]]:
    """Places of each person's documents by their ids, people in order of their first one; an unknown one stands alone."""
    if not len(columns):
        return []
    keys = np.where(columns < 0, -1 - np.arange(len(columns)), columns)
    order = np.argsort(keys, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(keys[order])) + 1)
    return [_by_id(group, documents) for group in sorted(groups, key=lambda group: int(group[0]))]


def _by_id(group: npt.NDArray[np.int64], documents: Sequence[Document]) -> npt.NDArray[np.int64]:
    """Places in the order of their documents' ids."""
    return group if len(group) == 1 else np.array(sorted(group, key=lambda place: documents[int(place)].id), np.int64)
