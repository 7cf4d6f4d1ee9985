"""Documents and people in memory → masks and released texts, their crowds verified."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unname import registry
from unname.errors import SettingsError
from unname.inputs.arguments import documents_of, population_of, require_key, require_settings
from unname.inputs.handed_in import with_spans
from unname.inputs.training_documents import (
    learns,
    masking_split,
    rounds_wanted,
    settled_reidentifiers,
    training_groups,
)
from unname.inputs.unknown_people import add_unknown, raise_unknown
from unname.job import AUTO, FLOOR_ONLY, NONE, Deidentification
from unname.knowledge.general.fits import WhoFits
from unname.knowledge.mentions import NameIndex
from unname.knowledge.population import Population, require_crowd_possible
from unname.option import require
from unname.protecting.direct_fields import DirectFields, direct_fields, names_of
from unname.protecting.earlier import Earlier
from unname.protecting.keys import learning_seed
from unname.protecting.masker import Opponent, PersonMasker
from unname.protecting.outcomes import Outcome, outcome_spool
from unname.protecting.parts import Fitted, MaskingParts, informed, make_parts
from unname.protecting.person import Person
from unname.protecting.result import Deidentified, by_person, columns_of
from unname.protecting.until_safe import mask_people
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.encoders.understanding import understanding
from unname.reidentifiers.ensemble import Ensemble, TrainingGroups, build_ensemble
from unname.reidentifiers.models import require_unseen
from unname.reidentifiers.names import arguments_of, is_trained, resolve_name
from unname.runtime import Runtime
from unname.storage.faults import Faults
from unname.storage.frames import Table
from unname.storage.spool import Spool
from unname.transforms.base import AvoidsNames, Generalises, Transform
from unname.types import Document, Profile
from unname.verbs.deidentify.adaptive import adapted
from unname.verifying.crowds import verify_crowds

# Of two static reidentifiers each is taught by half of the people; one alone is taught by its half as well.
HALVES = 2


def deidentify(
    documents: Sequence[Document] | Table,
    population: Population | Sequence[Profile] | Table,
    *,
    settings: Deidentification | None = None,
    key: bytes,
    training: Sequence[Document] = (),
    fitted: Fitted | None = None,
    runtime: Runtime | None = None,
) -> Deidentified:
    """Mask each person until the crowd k hides them under every reidentifier, and make the released texts.

    Documents and people may be tables of pandas, polars, Arrow or Hugging Face datasets, or dicts (`id`, `text`, `person`;
    `id` and any fields): `Deidentified.frame` and `rows` give such back.

    Every document's person must be in the population, unless `settings.unknown_person` says what to do with others.
    Members that learn do so from `training` (documents of other people) where there is enough, else from the documents
    themselves, people in two folds so that no document is judged by what it taught; what is `fitted` already is used as
    it is. A crowd is recounted on the released string; a document that cannot reach k, or in which a direct identifier
    of its person would survive, is withheld with a reason. An earlier release that this one continues is among what is
    `fitted` (`read_earlier` in `unname.writing.versions`); it must have the same key.
    """
    require_key(key)
    parts, runtime = make_parts(require_settings(settings), fitted), runtime or Runtime()
    documents = documents_of(documents)
    parts = with_spans(parts, require_settings(settings), documents)
    made = mask_all(
        documents, population_of(population), parts, key,
        training=training, runtime=runtime,
    )  # fmt: skip
    return replace(made, recounted=verify_crowds(made, runtime))


def mask_all(
    documents: Sequence[Document],
    population: Population,
    parts: MaskingParts,
    key: bytes,
    *,
    training: Sequence[Document] = (),
    runtime: Runtime,
) -> Deidentified:
    """`deidentify` before crowds are verified, which whoever calls this owes before anything leaves the house."""
    columns = columns_of(documents, population)
    _require_known_people(parts.settings.unknown_person, documents, columns)
    require_unseen(parts.models.values(), documents)
    # Whom earlier values fit is kept nowhere.
    continued = isinstance(parts.transform, Generalises) and bool(parts.earlier.rows)
    require(not continued, f"transform {parts.settings.transform} continues no earlier release")
    with runtime.started(len(documents)) as runtime:
        settled_parts, groups = settled(parts, documents, population, training)
        masker = make_masker(population, settled_parts, groups, key=key, runtime=runtime)
        made = _gathered(masker, documents, population, columns, runtime, parts.earlier)
        rounds = rounds_wanted(settled_parts, documents, population, training)
        if not rounds:
            return made

        def again(before: Deidentified, adversary: Opponent) -> Deidentified:
            facing = replace(masker, adversary=adversary)
            return _gathered(facing, documents, population, columns, runtime, parts.earlier, before)

        return adapted(made, again, rounds=rounds, training=training, runtime=runtime)


def settled(
    parts: MaskingParts,
    documents: Sequence[Document],
    population: Population,
    training: Sequence[Document],
) -> tuple[MaskingParts, TrainingGroups]:
    """Parts that know every reidentifier by name and how rare words are, and documents for members that learn, by fold."""
    settings = parts.settings
    served = served_again(parts)
    learning = parts.ensemble is None and (settings.reidentifiers == AUTO or learns(settings.reidentifiers))
    wanted = learning and len(population) and not served
    groups = training_groups(documents, population, training, settings.seed) if wanted else ()
    models = {**parts.models, **{name: held[0] for name, held in served.items()}}
    names = settled_reidentifiers(settings, population, groups, models, parts.ensemble)
    return informed(replace(parts, settings=names), documents, population), groups


def served_again(parts: MaskingParts) -> dict[str, tuple[Reidentifier, ...]]:
    """Models of the release that is continued that serve again; none where others that learn are wanted beside them.

    What they learned anew would put other crowds in place of those that the earlier release reached.
    """
    if parts.earlier.models is None or parts.ensemble is not None:
        return {}
    fitted = {name: held for name, held in parts.earlier.models.fitted.items() if name not in parts.models}
    if parts.settings.reidentifiers == AUTO:
        return fitted
    asked = [resolve_name(name) for name in parts.settings.reidentifiers if name not in NONE]
    learning = [name for name in asked if is_trained(registry.REIDENTIFIERS, name) and name not in parts.models]
    return {name: fitted[name] for name in learning} if fitted.keys() >= set(learning) else {}


def _joined(fresh: Ensemble, models: Ensemble, names: Sequence[str]) -> Ensemble:
    """The members of these names, those that are not fresh from an earlier release."""
    of = {name: fresh if name in fresh.members else models for name in names}
    members, fitted = ({n: getattr(one, part)[n] for n, one in of.items()} for part in ("members", "fitted"))
    return replace(fresh, members=members, fitted=fitted, split=models.split, secret=fresh.secret | models.secret)


def make_masker(
    population: Population,
    parts: MaskingParts,
    groups: TrainingGroups,
    *,
    key: bytes,
    runtime: Runtime,
) -> PersonMasker:
    """Everything that is the same for all people: index, method, transform, mandatory mask.

    `groups` are documents for members that learn, in one group or one for each fold.
    """
    settings, ensemble = parts.settings, parts.ensemble
    direct: DirectFields = {}
    if len(population):
        require_crowd_possible(population, settings.k)
        direct = direct_fields(population, settings.direct, settings.direct_only)
    elif settings.unknown_person != FLOOR_ONLY:
        raise SettingsError("nobody is known: no crowd can be counted; say unknown-person floor-only as well")
    else:
        ensemble = Ensemble((), {})
    if ensemble is None:
        served = served_again(parts)
        ensemble = build_ensemble(
            [name for name in settings.reidentifiers if name not in served], population, taught=groups,
            split=masking_split(settings.seed), models=parts.models, given=_given(settings, key),
            pool=runtime.working("index"),
        )  # fmt: skip
        if served and parts.earlier.models is not None:
            ensemble = _joined(ensemble, parts.earlier.models, settings.reidentifiers)
    ensemble.local()
    return PersonMasker(
        settings=settings,
        key=key,
        method=parts.method,
        transform=parts.transform,
        ensemble=ensemble,
        mandatory=parts.mandatory(direct),
        names=names_wanted(settings, population, direct, parts.transform),
        fits=_fits(population, parts.transform),
    )


def _fits(population: Population, transform: Transform) -> WhoFits | None:
    """The people whom general values fit, read before workers each read them; None where nobody writes any."""
    if not isinstance(transform, Generalises):
        return None
    fits = transform.fitting(population.profiles)
    fits.of("")
    return fits


def names_wanted(
    settings: Deidentification, population: Population, direct: DirectFields, transform: Transform
) -> NameIndex | None:
    """Everybody's names: where people besides the subject are protected, or documents are about nobody known.

    And for a transform that must write nobody's.
    """
    avoided = isinstance(transform, AvoidsNames) and transform.avoids_names
    asked = avoided or settings.protect != "subject" or settings.unknown_person == FLOOR_ONLY
    return names_of(population, direct) if asked else None


def _given(settings: Deidentification, key: bytes) -> dict[str, Any]:
    """Arguments of members: a secret seed for those that learn, the encoder of those that understand.

    One of these that is named without an encoder is a SettingsError.
    """
    seed = {"seed": learning_seed(key), "halves": HALVES, "word_vectors": settings.vectors}
    if settings.masking_encoder is not None:
        return seed | understanding(settings.masking_encoder)
    names = settings.reidentifiers
    if any("encoder" in arguments_of(registry.REIDENTIFIERS, name) for name in names):
        raise SettingsError(
            "a reidentifier that understands needs a sentence encoder: name its folder (--masking-encoder)"
        )
    return seed


def _gathered(
    masker: PersonMasker,
    documents: Sequence[Document],
    population: Population,
    columns: npt.NDArray[np.int64],
    runtime: Runtime,
    earlier: Earlier,
    before: Deidentified | None = None,
) -> Deidentified:
    """The outcome of each document, person by person; words hidden `before`, or `earlier`, stay hidden."""
    groups = by_person(columns, documents)
    gathered: list[Outcome] | Spool[Outcome] = [] if runtime.temporary is None else outcome_spool(runtime.temporary)
    places = np.empty(len(documents), np.int64)
    withheld: list[tuple[int, str, str]] = []
    advance = runtime.progress("mask", len(documents))
    people = _people(documents, population, groups, masker.mandatory.direct, earlier, before)
    for group, outcomes in zip(groups, mask_people(masker, people, runtime.working()), strict=True):
        if before is not None:
            outcomes = _after(outcomes, [before.outcome(int(place)) for place in group])
        for place, outcome in zip(group, outcomes, strict=True):
            places[place] = len(gathered)
            if outcome.release is None:
                withheld.append((int(place), outcome.mask.document, outcome.reason))
            gathered.append(outcome)
        advance(len(group))
    reasons = {name: reason for _, name, reason in sorted(withheld)}
    return Deidentified(
        documents,
        gathered,
        places,
        population,
        masker.ensemble,
        masker.method,
        masker.transform,
        masker.mandatory,
        reasons,
        masker.settings,
        earlier=earlier,
    )


def _after(outcomes: list[Outcome], before: list[Outcome]) -> list[Outcome]:
    """The outcomes of a person's documents in a round; if one could leave before it and would not now, those before it.

    Readings add up.
    """
    both = list(zip(outcomes, before, strict=True))
    lost = any(now.release is None and then.release is not None for now, then in both)
    return [replace(then if lost else now, readings=now.readings + then.readings) for now, then in both]


def _require_known_people(unknown_person: str, documents: Sequence[Document], columns: npt.NDArray[np.int64]) -> None:
    """A person who is missing or unknown is an InputError where it is `error`."""
    if unknown_person == "error":
        strangers = Faults(Path("documents"), listed=False, place="record {}")
        for place in map(int, np.flatnonzero(columns < 0)):
            add_unknown(strangers, place + 1, "person", documents[place].person)
        raise_unknown(strangers)


def _people(
    documents: Sequence[Document],
    population: Population,
    groups: Iterable[npt.NDArray[np.int64]],
    direct: DirectFields,
    earlier: Earlier,
    before: Deidentified | None,
) -> Iterator[Person]:
    here = {document.id for document in documents} if earlier.places else set[str]()
    for group in groups:
        own = tuple(documents[int(place)] for place in group)
        done = [] if before is None else [before.outcome(int(place)) for place in group]
        read = tuple(None if one.ruled is None else (one.ruled, one.facts) for one in done)
        about = person_about(population, own, direct, earlier, here)
        yield replace(about, before=tuple(one.mask.spans for one in done), read=read)


def person_about(
    population: Population,
    documents: tuple[Document, ...],
    direct: DirectFields,
    earlier: Earlier,
    here: Container[str] = (),
) -> Person:
    """The person of these documents, and what earlier releases show of them and of others that are not `here` any more."""
    column = population.rows.get(str(documents[0].person), -1) if documents[0].person is not None else -1
    known = _person_of(population, column, direct) if column >= 0 else Person(())
    shown = tuple(earlier.of(document.id) for document in documents) if earlier.places else ()
    gone = tuple(one for one in earlier.about(documents[0].person) if one.id not in here)
    return replace(known, documents=documents, earlier=shown, gone=gone)


def _person_of(population: Population, column: int, direct: DirectFields) -> Person:
    """The person in a column, without documents; of the full profile the direct fields."""
    full = population.full[column]
    named = Profile(full.id, {name: full.fields[name] for name in direct if name in full.fields})
    return Person((), population.profiles[column], column, named)
