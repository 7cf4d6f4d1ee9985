"""What masks a document, made once from its settings: method, transform, taggers, trained models, word lists."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import chain
from typing import Any

from unname import registry
from unname.errors import SettingsError
from unname.facts.stated import FactSettings, settings_for
from unname.job import AUTO, FACTS, NONE, Deidentification
from unname.knowledge.graph import graph_of
from unname.knowledge.population import Population
from unname.masking.anonymity import Anonymity
from unname.masking.base import CountsWords, KnowsGraph, Method, UsesTaggers
from unname.protecting.earlier import Earlier
from unname.protecting.wordlists import Patterns
from unname.reidentifiers.base import Reidentifier, profile_text
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.models import load_models
from unname.reidentifiers.names import require_given, resolve_name
from unname.reidentifiers.terms.wordcounts import rarity_of
from unname.taggers.base import LearnedLabels, Tagger
from unname.taggers.foreign.labels import read_label_map
from unname.taggers.foreign.named import make_foreign, split_foreign
from unname.taggers.labels import ALL, DIRECT, SAFE_HARBOR, labels_of
from unname.taggers.labels import wanted as is_wanted
from unname.taggers.models import make_taggers, split_taggers
from unname.taggers.safe_harbor import is_named, is_of_a_kind
from unname.transforms.base import Transform
from unname.types import Document


@dataclass(frozen=True, slots=True, repr=False)
class Fitted:
    """What is fitted already and used as it is: an ensemble over the population, models by versioned name, taggers.

    With them what an `earlier` release published, where it is to be continued, and what `facts` count as rare.
    """

    ensemble: Ensemble | None = None
    models: Mapping[str, Reidentifier] = field(default_factory=dict)
    taggers: Sequence[Tagger] = ()
    earlier: Earlier = field(default_factory=Earlier)
    facts: FactSettings | None = None


@dataclass(frozen=True, slots=True, repr=False)
class MaskingParts:
    """Everything that settings name, ready to work; `settings` say what became of them. `earlier` is what is continued."""

    settings: Deidentification
    method: Method
    transform: Transform
    always: Patterns = field(default_factory=Patterns)
    never: Patterns = field(default_factory=Patterns)
    models: Mapping[str, Reidentifier] = field(default_factory=dict)
    ensemble: Ensemble | None = None
    earlier: Earlier = field(default_factory=Earlier)
    facts: FactSettings | None = None

    def __repr__(self) -> str:
        return f"MaskingParts({self.method.name})"

    @property
    def taggers(self) -> tuple[Tagger, ...]:
        """Those that the method asks."""
        return self.method.taggers if isinstance(self.method, UsesTaggers) else ()


def make_parts(settings: Deidentification, fitted: Fitted | None = None) -> MaskingParts:
    """Make, load and check all that settings name; what is not installed, or does not fit together, is a SettingsError."""
    fitted = fitted or Fitted()
    named = settings.reidentifiers if settings.reidentifiers not in (AUTO, NONE) else ()
    for name in named:
        resolve_name(name)
    settings = _hiding_gazetteers(settings)
    if is_named(settings.hide) and settings.facts == FACTS:
        # Whoever names Safe Harbor has said what is to be hidden, and nothing of facts.
        settings = replace(settings, facts="report")
    theirs, given = split_foreign(settings.taggers)
    names, folders = split_taggers(given)
    if (folders or theirs) and not names and {"", "none"}.isdisjoint(settings.taggers):
        names = ("rules", "entities")
    if not settings.gazetteers and settings.allow is None:
        own, plain = make_taggers((), folders), names
        settings = replace(settings, taggers=names)
    else:
        own, plain = make_taggers(names, folders, gazetteers=settings.gazetteers, allow=settings.allow), ()
    if settings.label_map is not None and not theirs and settings.spans is None:
        raise SettingsError("label-map is for taggers from elsewhere and spans; neither is named")
    foreign = make_foreign(theirs, read_label_map(settings.label_map))
    models = {**load_models(settings.models), **fitted.models}
    require_given(named if fitted.ensemble is None else (), models)
    if settings.reidentifiers == NONE and not (models or settings.masking_encoder or fitted.ensemble):
        raise SettingsError("reidentifiers none: nobody is left to hide from; name a trained model's folder (--model)")
    return MaskingParts(
        settings,
        make_method(replace(settings, taggers=plain), (*own, *foreign, *fitted.taggers)),
        registry.create(registry.TRANSFORMS, settings.transform),
        Patterns.of(settings.always),
        Patterns.of(settings.never),
        models,
        fitted.ensemble,
        fitted.earlier,
        fitted.facts,
    )


def _hiding_gazetteers(settings: Deidentification) -> Deidentification:
    """Settings that hide the labels of all gazetteers; with labels named by the user, one that is not is a SettingsError."""
    mine = tuple(dict.fromkeys(label for label, _ in settings.gazetteers))
    method = registry.part(registry.METHODS, settings.method)()
    hidden = settings.hide or (method.hide if isinstance(method, UsesTaggers) else ())
    left = tuple(label for label in mine if not _is_hidden(label, hidden))
    if left and settings.hide:
        number = next(number for number, (label, _) in enumerate(settings.gazetteers, start=1) if label in left)
        raise SettingsError(f"gazetteer {number}: its label is not among what hide names")
    return replace(settings, hide=(*hidden, *left)) if left else settings


def make_method(settings: Deidentification, taggers: Sequence[Tagger] = ()) -> Method:
    """The method that settings name, with the parameters it knows; `taggers` are ready ones beside those named."""
    plain = registry.create(registry.METHODS, settings.method)
    known = {f.name for f in fields(plain)} if is_dataclass(plain) else set()
    wanted: dict[str, Any] = {
        "give_back": settings.give_back, "unit": settings.unit, "stop_words": settings.stop_words, "seed": settings.seed,
        "idf_threshold": settings.idf_threshold, "k": settings.k, "strategy": settings.strategy,
        "whose": settings.whose, "generic": settings.generic,
    }  # fmt: skip
    wanted |= {} if settings.rounds is None else {"rounds": settings.rounds}
    if settings.graph_floor:
        wanted["floor"] = Anonymity(
            k=settings.k, strategy=settings.strategy, whose=settings.whose, generic=settings.generic, seed=settings.seed
        )
        if "floor" not in known:
            raise SettingsError(f"method {settings.method} has no use for a graph floor; composed and adaptive have")
    if "taggers" in known:
        wanted["taggers"] = (*(registry.create(registry.TAGGERS, name) for name in settings.taggers), *taggers)
        wanted |= {"hide": settings.hide} if settings.hide else {}
    if settings.idf_threshold is not None and "idf_threshold" not in known:
        raise SettingsError(f"method {settings.method} has no use for an IDF threshold; idf and idf-table-aware have")
    if "taggers" not in known and (taggers or settings.hide or settings.spans):
        raise SettingsError(f"method {settings.method} has no use for taggers; composed and tagged have")
    method: Method = registry.create(
        registry.METHODS, settings.method, **{name: value for name, value in wanted.items() if name in known}
    )
    # Which labels spans have that are handed in, is known when they are read.
    if isinstance(method, UsesTaggers) and settings.spans is None:
        _require_labels(method.hide, method.taggers)
    return method


def with_tagger(parts: MaskingParts, tagger: Tagger) -> MaskingParts:
    """Parts whose method asks one more tagger; labels to hide that none gives are a SettingsError."""
    if not isinstance(parts.method, UsesTaggers):
        raise SettingsError(f"method {parts.settings.method} has no use for taggers; composed and tagged have")
    method: Any = replace(parts.method, taggers=(*parts.method.taggers, tagger))  # type: ignore[type-var]
    _require_labels(method.hide, method.taggers)
    return replace(parts, method=method)


def with_word_counts(parts: MaskingParts, documents: Iterable[Document], population: Population) -> MaskingParts:
    """Parts whose method knows how rare words are in these documents and profiles, where it must."""
    if not isinstance(parts.method, CountsWords):
        return parts
    texts = chain((d.text for d in documents), map(profile_text, population.profiles))
    method: Any = replace(parts.method, counted=rarity_of(texts))  # type: ignore[type-var]
    return replace(parts, method=method)


def with_facts(parts: MaskingParts, documents: Sequence[Document]) -> MaskingParts:
    """Parts that know which words few people's documents have, where their method asks taggers."""
    if parts.facts is not None or not parts.taggers:
        return parts
    return replace(parts, facts=settings_for(documents, parts.settings.facts, parts.settings.k))


def with_graph(parts: MaskingParts, population: Population) -> MaskingParts:
    """Parts whose method knows what fields and graph say of everybody, where it must; nobody known is a SettingsError."""
    if not isinstance(parts.method, KnowsGraph) or not parts.method.wants_graph:
        return parts
    if not len(population):
        raise SettingsError(f"method {parts.settings.method} needs people: a table of them, with or without a graph")
    return replace(parts, method=parts.method.knowing(graph_of(population, texts=parts.settings.graph_texts)))


def _is_hidden(label: str, hide: Sequence[str]) -> bool:
    return is_wanted(label, hide) or (is_named(hide) and is_of_a_kind(label))


def _require_labels(hide: Sequence[str], taggers: Sequence[Tagger]) -> None:
    """Some tagger gives each label to hide, and each trained one gives some that is hidden; as far as they say."""
    known = [(tagger, labels) for tagger in taggers if (labels := labels_of(tagger)) is not None]
    every = frozenset[str]().union(*(labels for _, labels in known))
    for number, name in enumerate(hide if len(known) == len(taggers) else (), start=1):
        if name.lower() not in (ALL, DIRECT, SAFE_HARBOR) and not any(is_wanted(label, (name,)) for label in every):
            raise SettingsError(
                f"hide: name {number} is neither direct, all, safe-harbor, nor a label that is known here; known: "
                f"{', '.join(sorted(every))}"
            )
    for tagger, labels in known:
        if isinstance(tagger, LearnedLabels) and not any(_is_hidden(label, hide) for label in labels):
            raise SettingsError(
                f"the {tagger.name} model finds nothing of what is to be hidden: name its labels with hide"
            )


def versioned(settings: Deidentification, taggers: Sequence[Tagger] = ()) -> dict[str, Any]:
    """Settings with every name in its versioned form, so that they mean the same for ever; `taggers` are those at work."""
    values = settings.as_dict()
    values["method"] = registry.resolve(registry.METHODS, settings.method)
    values["transform"] = registry.resolve(registry.TRANSFORMS, settings.transform)
    values["taggers"] = [tagger.name for tagger in taggers]
    if settings.reidentifiers not in (AUTO, NONE):
        values["reidentifiers"] = [resolve_name(name) for name in settings.reidentifiers]
    return values
