"""Which documents teach the members of the ensemble that learn, so that none judges what taught it."""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from unname import registry
from unname.attacking.attackers import MOST_TRAINING
from unname.auditing.verdict import ENOUGH_READ
from unname.draws import draw
from unname.job import AUTO, NONE, Deidentification
from unname.knowledge.population import Population
from unname.protecting.parts import MaskingParts
from unname.protecting.result import Deidentified
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.ensemble import Ensemble, TrainingGroups
from unname.reidentifiers.learned.additive import MOST_EXAMPLES
from unname.reidentifiers.learned.training_examples import FEW_DOCUMENTS, FOLDS, enough_examples, fold_of
from unname.reidentifiers.names import is_trained, resolve_name
from unname.types import Document

ALWAYS = ("bm25", "ngrams")
LEARNING, UNDERSTANDING = ("static", "static-two"), "meaning"
# A model taught by fewer texts attacks, but hiding from it costs many words for nothing.
ENOUGH_TO_HIDE_FROM = 100
# So many rounds at most, unless asked otherwise.
USUAL_ROUNDS = 3
# Of documents about other people the masking learns from this share, people drawn by hash; an audit learns from the rest.
_SHARE = 0.4


def masking_split(seed: int) -> str:
    """The folds of people for masking; an audit parts them otherwise."""
    return f"masking {seed}"


def teaches_masking(person: str | None, seed: int) -> bool:
    """Whether documents about somebody teach the masking: those of two people in five. An audit learns from the others."""
    return draw("teaches masking", seed, person)[0] < 256 * _SHARE


def rounds_wanted(
    parts: MaskingParts, documents: Sequence[Document], population: Population, training: Sequence[Document]
) -> int:
    """How often attackers may learn from a release before it is masked again.

    As often as was asked for; where nothing was, not at all if enough documents about others taught those who learn. Rounds
    hide more then, too, but take many times as long. Copies of a document teach no more than one of them does.
    """
    if not len(population):
        return 0
    if parts.rounds is not None:
        return parts.rounds
    learning = {resolve_name(name) for name in LEARNING} <= set(parts.settings.reidentifiers)
    if learning:
        taught = _teaching(documents, population, training, parts.settings.seed)
        if len({document.text for document in taught}) >= ENOUGH_READ:
            return 0
    return USUAL_ROUNDS


def _teaching(
    documents: Sequence[Document], population: Population, training: Sequence[Document], seed: int
) -> list[Document]:
    """Documents about others that teach the masking."""
    asked, known = {d.person for d in documents}, population.taught_about
    others = (d for d in training if d.person in known and d.person not in asked)
    return [d for d in others if teaches_masking(d.person, seed)]


def training_groups(
    documents: Sequence[Document],
    population: Population,
    training: Sequence[Document] = (),
    seed: int = 0,
) -> TrainingGroups:
    """Documents to learn from: the masking's share of `training`, about people whom none of `documents` is about.

    They are people of the population, or beside it. Where those are fewer than 1,000, for each fold of people the documents
    of all others as well. Of more than can be learned from some are drawn by hash.
    """
    apart = _drawn(_teaching(documents, population, training, seed), seed)
    if len(apart) >= FEW_DOCUMENTS:
        return (tuple(apart),)
    split = masking_split(seed)
    known_folds = [
        (place, fold_of(str(d.person), split)) for place, d in enumerate(documents) if d.person in population.rows
    ]
    groups = []
    for fold in range(FOLDS):
        beside = (documents[place] for place, of in known_folds if of != fold)
        groups.append((*_drawn(beside, seed), *apart))
    return tuple(groups)


def _drawn(documents: Iterable[Document], seed: int) -> list[Document]:
    """At most so many, drawn by hash, in order of their draw."""
    keyed = ((draw("taught", seed, document.id), place, document) for place, document in enumerate(documents))
    return [document for _, _, document in heapq.nsmallest(MOST_EXAMPLES, keyed)]


def settled_reidentifiers(
    settings: Deidentification,
    population: Population,
    taught: TrainingGroups,
    models: Mapping[str, Reidentifier],
    ensemble: Ensemble | None = None,
) -> Deidentification:
    """Settings with reidentifiers named: `auto` is all that can be had, those that learn where there is enough to learn from.

    Models that are given serve, whoever else does. An ensemble that is there already is what serves.
    """
    if not len(population):
        return replace(settings, reidentifiers=ALWAYS)
    if ensemble is not None:
        return replace(settings, reidentifiers=tuple(ensemble.members))
    names = [] if settings.reidentifiers == NONE else list(settings.reidentifiers)
    if settings.reidentifiers == AUTO:
        names = list(ALWAYS)
        taught_about = [*population.profiles, *population.beside]
        if taught and all(enough_examples(taught_about, group, ENOUGH_TO_HIDE_FROM) for group in taught):
            names += LEARNING
    if settings.masking_encoder is not None and UNDERSTANDING not in names:
        names.append(UNDERSTANDING)
    full = [resolve_name(name) for name in names]
    return replace(settings, reidentifiers=tuple(dict.fromkeys([*full, *models])))


def learns(names: Iterable[str]) -> bool:
    """Whether any of these reidentifiers learns from documents."""
    return any(is_trained(registry.REIDENTIFIERS, name) for name in names if name not in (*AUTO, *NONE))


def drawn_places(made: Deidentified, most: int) -> list[int]:
    """Places of the documents that attackers are tried on, in input order; none where nobody is known."""
    known = [i for i, d in enumerate(made.documents) if d.person in made.population.rows]
    if len(known) <= most:
        return known
    groups: dict[bytes, list[int]] = {}
    for place in known:
        groups.setdefault(draw("audit", made.settings.seed, made.documents[place].person), []).append(place)
    chosen: list[int] = []
    for drawn in sorted(groups):
        if chosen and len(chosen) + len(groups[drawn]) > most:
            break
        chosen += groups[drawn]
    return sorted(chosen)


def spare_documents(made: Deidentified, sampled: Sequence[int]) -> list[Document]:
    """Originals of known people outside the sample, drawn by hash: a smaller audit must not mean weaker attackers."""
    rows, taken = made.population.rows, frozenset(sampled)
    drawn = heapq.nsmallest(
        MOST_TRAINING,
        (
            (draw("training", made.settings.seed, document.id), place)
            for place, document in enumerate(made.documents)
            if place not in taken and document.person in rows
        ),
    )
    return [made.documents[place] for _, place in drawn]
