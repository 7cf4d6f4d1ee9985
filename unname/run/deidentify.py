"""Corpus → masks → released texts: whom to hide, by how many processes, and a last recount by brute force."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from unname import registry
from unname.errors import InputError, SettingsError, UnsafeReleaseError
from unname.hiding.direct_fields import DirectFields, direct_fields, recognised_fields
from unname.hiding.mandatory import Floors
from unname.hiding.outcomes import Outcome
from unname.hiding.person import Hider, Person, hide_people, kept_text, readable
from unname.hiding.wordlists import Patterns
from unname.knowledge.fieldnames import of_kin
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.mentions import NameIndex, name_index
from unname.knowledge.population import Population, require_crowd_possible
from unname.log import Progress, silent
from unname.masking.base import Method
from unname.parallel.pool import WorkerPool, suitable_workers
from unname.parallel.work import ONE_PROCESS, Pool
from unname.reidentifiers.additive import Additive
from unname.reidentifiers.base import Index, Reidentifier
from unname.reidentifiers.ensemble import Ensemble, Taught, build_ensemble, is_trained
from unname.reidentifiers.vectorindex import VectorIndex
from unname.run.arguments import documents_of, frame_of, population_of, require_key
from unname.run.models import require_unseen
from unname.run.training_documents import learns, masking_seed, masking_split, settled_names, teach
from unname.settings import AUTO, Deidentification
from unname.taggers.base import Tagger, TrainableTagger
from unname.taggers.labels import ALL, DIRECT, labels_of
from unname.taggers.labels import wanted as is_wanted
from unname.types import Document, Mask, Profile, Release
from unname.verifying.recount import RECOUNTED, Recount, Weights

if TYPE_CHECKING:
    from pandas import DataFrame

RECOUNTED_PEOPLE = 5
RECOUNTED_POPULATION = 200_000


class Outcomes(Protocol):
    """Where outcomes are gathered: a list, or a spool on the disk."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> Outcome: ...
    def append(self, item: Outcome, /) -> None:
        """Add one at the end."""
        ...


@dataclass(frozen=True, repr=False)
class Deidentified:
    """What came of each document; `gathered` holds outcomes person by person, `places` (documents,) says which is whose.

    `withheld` says why each withheld document was, by id, in input order; `floors` what was hidden before the search.
    Documents and outcomes may lie on the disk; the properties that give all of one kind hold them in memory.
    """

    documents: Sequence[Document]
    gathered: Outcomes
    places: npt.NDArray[np.int64]
    population: Population
    ensemble: Ensemble
    direct: DirectFields
    withheld: Mapping[str, str]
    recounted: int = 0
    settings: Deidentification = field(default_factory=Deidentification)
    floors: Floors | None = None

    def __repr__(self) -> str:
        return f"Deidentified({len(self.documents)} documents, {len(self.withheld)} withheld)"

    @property
    def taggers(self) -> tuple[Tagger, ...]:
        """Those of the method that did the work, where it has any."""
        return tuple(getattr(self.floors and self.floors.method, "taggers", ()))

    def outcome(self, place: int) -> Outcome:
        """What came of the document at a place of the input."""
        return self.gathered[int(self.places[place])]

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
        found: dict[str, dict[str, int]] = {}
        for document, outcome in zip(self.documents, self.outcomes(), strict=True):
            if document.person in self.population.rows and not found.get(str(document.person)):
                found[str(document.person)] = dict(outcome.together)
        return found

    def frame(self) -> "DataFrame":
        """A table of pandas: `id` and `text` of each released document, and the metadata that is kept, in input order."""
        keep = self.settings.keep
        rows = [
            {"id": d.id, "text": o.release.text, **{name: d.metadata.get(name) for name in keep}}
            for d, o in zip(self.documents, self.outcomes(), strict=True) if o.release is not None
        ]  # fmt: skip
        return frame_of(rows, ("id", "text", *keep))

    def texts(self) -> list[str | None]:
        """Released texts in input order, None where withheld."""
        return [r.text if r is not None else None for r in self.releases]


def make_method(settings: Deidentification, taggers: Sequence[Tagger] = ()) -> Method:
    """The method that settings name, with the parameters it knows; `taggers` are trained ones beside those named."""
    plain = registry.create(registry.METHODS, settings.method)
    known = {f.name for f in fields(plain)} if is_dataclass(plain) else set()
    wanted = {"give_back": settings.give_back, "unit": settings.unit, "stop_words": settings.stop_words,
              "seed": settings.seed}  # fmt: skip
    if "taggers" in known:
        wanted["taggers"] = (*(registry.create(registry.TAGGERS, name) for name in settings.taggers), *taggers)
        wanted |= {"hide": settings.hide} if settings.hide else {}
    elif taggers or settings.hide:
        raise SettingsError(f"method {settings.method} has no use for taggers; composed and tagged have")
    method: Method = registry.create(
        registry.METHODS, settings.method, **{name: value for name, value in wanted.items() if name in known}
    )
    _require_labels(getattr(method, "hide", ()), getattr(method, "taggers", ()))
    return method


def _require_labels(hide: Sequence[str], taggers: Sequence[Tagger]) -> None:
    """Some tagger gives each label to hide, and each trained one gives some that is hidden; as far as they say."""
    told = [(tagger, labels) for tagger in taggers if (labels := labels_of(tagger)) is not None]
    every = frozenset[str]().union(*(labels for _, labels in told))
    for number, name in enumerate(hide if len(told) == len(taggers) else (), start=1):
        if name.lower() not in (ALL, DIRECT) and not any(is_wanted(label, (name,)) for label in every):
            raise SettingsError(
                f"hide: name {number} is neither direct, all, nor a label that is known here; known: "
                f"{', '.join(sorted(every))}"
            )
    for tagger, labels in told:
        if isinstance(tagger, TrainableTagger) and not any(is_wanted(label, hide) for label in labels):
            raise SettingsError(
                f"the {tagger.name} model finds nothing of what is to be hidden: name its labels with hide"
            )


def make_hider(
    population: Population,
    settings: Deidentification,
    key: bytes,
    *,
    always: Sequence[str] = (),
    never: Sequence[str] = (),
    ensemble: Ensemble | None = None,
    taught: Taught = (),
    models: Mapping[str, Reidentifier] | None = None,
    taggers: Sequence[Tagger] = (),
    pool: Pool = ONE_PROCESS,
    progress: Progress = silent,
) -> Hider:
    """Everything that is the same for all people: index, method, transform, floor.

    `taught` are documents for members that learn, in one group or one for each fold; `models` members fitted already.
    """
    direct: DirectFields = {}
    if len(population):
        require_crowd_possible(population, settings.k)
        direct = direct_fields(population, settings.direct, settings.direct_only)
    elif settings.unknown_person != "floor-only":
        raise SettingsError("nobody is known: no crowd can be counted; say unknown-person floor-only as well")
    else:
        ensemble = Ensemble((), {})
    if ensemble is None:
        progress("index", 1)
        ensemble = build_ensemble(
            settings.reidentifiers, population.profiles, taught=taught, split=masking_split(settings.seed),
            seed=masking_seed(settings.seed), models=models, pool=pool,
        )  # fmt: skip
    ensemble.additive()
    asked = settings.protect != "subject" or settings.unknown_person == "floor-only"
    method = make_method(settings, taggers)
    return Hider(
        settings=settings,
        key=key,
        method=method,
        transform=registry.create(registry.TRANSFORMS, settings.transform),
        ensemble=ensemble,
        floors=Floors(method, direct, Patterns.compile(always), Patterns.compile(never)),
        names=_names(population, direct) if asked else None,
    )


def _names(population: Population, direct: DirectFields) -> NameIndex:
    """Everybody's name words, from the direct fields and those that are called names; not of those close to them."""
    every = {**recognised_fields(population), **direct}
    named = {name: kind for name, kind in every.items() if kind in ("name", "") and not of_kin(name)}
    return name_index(direct_identifiers(profile, named).single for profile in population.full)


def deidentify(
    documents: "Sequence[Document] | DataFrame",
    population: "Population | Sequence[Profile] | DataFrame",
    *,
    settings: Deidentification | None = None,
    key: bytes,
    always: Sequence[str] = (),
    never: Sequence[str] = (),
    ensemble: Ensemble | None = None,
    training: Sequence[Document] = (),
    models: Mapping[str, Reidentifier] | None = None,
    taggers: Sequence[Tagger] = (),
    workers: int = 1,
    pool: Pool | None = None,
    into: Callable[[], Outcomes] | None = None,
    progress: Progress = silent,
) -> Deidentified:
    """Mask each person until the crowd k hides them under every reidentifier, and make the released texts.

    Documents and people may be tables of pandas (`id`, `text`, `person`; `id` and any fields): `Deidentified.frame`
    gives one back.

    Every document's person must be in the population, unless `settings.unknown_person` says what to do with others.
    Members that learn do so from `training` (documents of other people) where there is enough, else from the documents
    themselves, people in two folds so that no document is judged by what it taught; `models` are fitted already;
    `taggers` are trained ones, beside those that the settings name, for a method that uses any.
    A crowd is recounted on the released string; a document that cannot reach k, or in which a direct identifier of its
    person would survive, is withheld with a reason. `workers` processes share the index (0: as many as pay); a script
    that asks for more than one must guard its entry (`if __name__ == "__main__"`). `pool` does the work instead, such
    as one that is there already. `into` makes the place where outcomes are gathered.
    """
    require_key(key)
    if settings is not None and not isinstance(settings, Deidentification):
        raise SettingsError(f"settings must be a Deidentification, not {type(settings).__name__}")
    for name, lines in (("always", always), ("never", never)):
        if isinstance(lines, str):
            raise SettingsError(f"{name} must be several words or patterns, such as [{name!r}]")
    done = hide_all(
        documents_of(documents), population_of(population), settings=settings, key=key, always=always, never=never,
        ensemble=ensemble, training=training, models=models, taggers=taggers, workers=workers, pool=pool, into=into,
        progress=progress,
    )  # fmt: skip
    return replace(done, recounted=recount(done, progress))


def hide_all(
    documents: Sequence[Document],
    population: Population,
    *,
    settings: Deidentification | None = None,
    key: bytes,
    always: Sequence[str] = (),
    never: Sequence[str] = (),
    ensemble: Ensemble | None = None,
    training: Sequence[Document] = (),
    models: Mapping[str, Reidentifier] | None = None,
    taggers: Sequence[Tagger] = (),
    workers: int = 1,
    pool: Pool | None = None,
    into: Callable[[], Outcomes] | None = None,
    progress: Progress = silent,
) -> Deidentified:
    """`deidentify` without the recount, which whoever calls this owes before anything leaves the house."""
    settings = settings or Deidentification()
    columns = np.fromiter((_column(d, population) for d in documents), np.int64, len(documents))
    _require_known_people(settings.unknown_person, documents, columns)
    require_unseen((models or {}).values(), documents)
    groups = _by_person(columns)
    gathered: Outcomes = [] if into is None else into()
    places = np.empty(len(documents), np.int64)
    withheld: list[tuple[int, str, str]] = []
    with WorkerPool(suitable_workers(workers, len(documents)) if pool is None else 1) as own:
        workers_ = own if pool is None else pool
        learning = ensemble is None and (settings.reidentifiers == AUTO or learns(settings.reidentifiers))
        learning = learning and len(population) > 0
        taught = teach(documents, population, training, settings.seed) if learning else ()
        settings = settled_names(settings, population, taught, models or {}, ensemble)
        hider = make_hider(
            population, settings, key, always=always, never=never, ensemble=ensemble, taught=taught, models=models,
            taggers=taggers, pool=workers_, progress=progress,
        )  # fmt: skip
        advance = progress("mask", len(documents))
        people = _people(documents, population, columns, groups, hider.floors.direct)
        hidden = hide_people(hider, people, workers_)
        for group, found in zip(groups, hidden, strict=True):
            for place, outcome in zip(group, found, strict=True):
                places[place] = len(gathered)
                if outcome.release is None:
                    withheld.append((int(place), outcome.mask.document, outcome.reason))
                gathered.append(outcome)
            advance(len(group))
    return Deidentified(
        documents, gathered, places, population, hider.ensemble, hider.floors.direct,
        {name: reason for _, name, reason in sorted(withheld)}, 0, settings,
        hider.floors,
    )  # fmt: skip


def _column(document: Document, population: Population) -> int:
    return -1 if document.person is None else population.rows.get(document.person, -1)


def _require_known_people(unknown_person: str, documents: Sequence[Document], columns: npt.NDArray[np.int64]) -> None:
    """A person who is missing or unknown is an InputError where it is `error`."""
    if unknown_person == "error" and len(columns) and columns.min() < 0:
        place = int(np.flatnonzero(columns < 0)[0])
        problem = "missing" if documents[place].person is None else "no profile has this id"
        raise InputError(
            f"documents: record {place + 1}: field 'person': {problem}; unknown-person says what becomes of such documents"
        )


def _by_person(columns: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    """Places of each person's documents, people in order of their first one; every unknown document stands alone."""
    if not len(columns):
        return []
    keys = np.where(columns < 0, -1 - np.arange(len(columns)), columns)
    order = np.argsort(keys, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(keys[order])) + 1)
    return sorted(groups, key=lambda group: int(group[0]))


def _people(
    documents: Sequence[Document],
    population: Population,
    columns: npt.NDArray[np.int64],
    groups: Iterable[npt.NDArray[np.int64]],
    direct: DirectFields,
) -> Iterator[Person]:
    for group in groups:
        column = int(columns[group[0]])
        known = person_of(population, column, direct) if column >= 0 else Person(())
        yield replace(known, documents=tuple(documents[int(place)] for place in group))


def person_of(population: Population, column: int, direct: DirectFields) -> Person:
    """What is known of the person in a column, without documents; of the full profile the direct fields."""
    full = population.full[column]
    named = Profile(full.id, {name: full.fields[name] for name in direct if name in full.fields})
    return Person((), population.profiles[column], column, named)


def recount(done: Deidentified, progress: Progress = silent) -> int:
    """Count the crowds of a sample of people anew by brute force, and say of how many.

    A difference means a bug, and nothing may leave the house: UnsafeReleaseError.
    """
    # What learned is recounted from what it learned; an ensemble without that cannot be.
    known = {name for name in RECOUNTED if name in done.ensemble.fitted or not is_trained(registry.REIDENTIFIERS, name)}
    members = [name for name in done.ensemble.members if name in known]
    if not members or len(done.population) > RECOUNTED_POPULATION:
        return 0
    columns = np.fromiter((_column(d, done.population) for d in done.documents), np.int64, len(done.documents))
    groups = _by_person(columns)
    sample: list[tuple[int, list[str], list[Outcome]]] = []
    # Spread over the run; where most of those were withheld, whoever was not.
    evenly = groups[:: max(1, len(groups) // RECOUNTED_PEOPLE)]
    for group in (*evenly, *groups):
        if len(sample) == RECOUNTED_PEOPLE:
            break
        if any(column == columns[group[0]] for column, _, _ in sample):
            continue
        rows = [(done.documents[int(p)], done.outcome(int(p))) for p in group]
        shown = [(d, o) for d, o in rows if o.release is not None and o.crowds]
        if shown:
            keep = done.settings.keep
            texts = [readable(o.release.text, kept_text(d, keep)) for d, o in shown if o.release is not None]
            sample.append((int(columns[group[0]]), texts, [o for _, o in shown]))
    advance = progress("recount", len(sample) * len(members))
    for name in members:
        for fold, index in enumerate(done.ensemble.members[name]):
            mine = [row for row in sample if done.ensemble.fold(done.population.profiles[row[0]].id, name) == fold]
            if mine:
                _recount_under(done, name, fold, index, mine)
                advance(len(mine))
    return len(sample)


def _recount_under(
    done: Deidentified, name: str, fold: int, index: Index, sample: Sequence[tuple[int, list[str], list[Outcome]]]
) -> None:
    """Count the crowds of some people under one member, or one of its versions; a difference is an UnsafeReleaseError."""
    fitted, learned = done.ensemble.fitted.get(name, (None,) * (fold + 1))[fold], None
    if isinstance(fitted, Additive) and isinstance(index, VectorIndex):
        learned = Weights(*index.vectors, fitted.matches_, fitted.frequency_, fitted.profiles_)
    asked = [(texts[:1], column) for column, texts, _ in sample] + [(texts, column) for column, texts, _ in sample]
    counted = Recount(name, done.population.profiles, learned).crowds(asked)
    alone, together = counted[: len(sample)], counted[len(sample) :]
    for place, (_, _, outcomes) in enumerate(sample):
        if alone[place] != outcomes[0].crowds[name] or together[place] != outcomes[0].together[name]:
            raise UnsafeReleaseError(f"a crowd stated under {name} differs from its brute-force recount")
