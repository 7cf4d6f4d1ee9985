"""Parts that mask a document, made once from its settings: method, transform, taggers, trained models, word lists."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from inspect import signature
from typing import Any

from unname import registry
from unname.errors import SettingsError
from unname.facts.stated import FactSettings, settings_for
from unname.job import AUTO, FACTS, NONE, OLD_SPELLINGS, Deidentification
from unname.knowledge.population import Population
from unname.masking.anonymity import Anonymity
from unname.masking.base import Informed, Method
from unname.masking.presets import Preset, preset_of
from unname.option import require
from unname.protecting.direct_fields import DirectFields
from unname.protecting.earlier import Earlier
from unname.protecting.mandatory import MandatoryMask
from unname.protecting.tagged import rules
from unname.protecting.wordlists import Patterns
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.models import load_models
from unname.reidentifiers.names import require_given, resolve_name
from unname.shared_options import USUAL_TAGGERS
from unname.spec import PartSpec, checked, parameters_of, parse, spelt
from unname.taggers.base import LearnedLabels, Tagger
from unname.taggers.foreign.named import split_foreign
from unname.taggers.labels import ALL, DIRECT, SAFE_HARBOR, labels_of
from unname.taggers.labels import wanted as is_wanted
from unname.taggers.models import named_taggers, split_taggers
from unname.taggers.safe_harbor import is_named, is_of_a_kind
from unname.transforms.base import Generalises, MovesDates, Transform
from unname.types import Document


@dataclass(frozen=True, slots=True, repr=False)
class Fitted:
    """Parts that are fitted already and used as they are: an ensemble over the population, models by versioned name, taggers.

    With them what an `earlier` release published, where it is to be continued, and what `facts` count as rare.
    """

    ensemble: Ensemble | None = None
    models: Mapping[str, Reidentifier] = field(default_factory=dict)
    taggers: Sequence[Tagger] = ()
    earlier: Earlier = field(default_factory=Earlier)
    facts: FactSettings | None = None


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MaskingParts:
    """Everything that settings name, ready to work; `settings` say what became of them. `earlier` is what is continued.

    Of what `taggers` find the labels to `hide` are part of the mandatory mask; where the method asks no tagger there are
    none. A `floor` needs none. `rounds` is how often at most attackers may learn from what is left; None: as pays.
    """

    settings: Deidentification
    method: Method
    transform: Transform
    taggers: tuple[Tagger, ...] = ()
    hide: tuple[str, ...] = ()
    floor: Anonymity | None = None
    rounds: int | None = 0
    always: Patterns = field(default_factory=Patterns)
    never: Patterns = field(default_factory=Patterns)
    models: Mapping[str, Reidentifier] = field(default_factory=dict)
    ensemble: Ensemble | None = None
    earlier: Earlier = field(default_factory=Earlier)
    facts: FactSettings | None = None

    def __repr__(self) -> str:
        return f"MaskingParts({self.method.name})"

    def mandatory(self, direct: DirectFields) -> MandatoryMask:
        """The mandatory mask of every document, before any search."""
        together = isinstance(self.transform, MovesDates) and self.transform.moves_dates
        return MandatoryMask(
            self.taggers,
            self.hide,
            direct,
            self.always,
            self.never,
            self.facts,
            self.floor,
            rules() if together else (),
        )


def make_parts(settings: Deidentification, fitted: Fitted | None = None) -> MaskingParts:
    """Make, load and check all that settings name; what is not installed, or does not fit together, is a SettingsError."""
    fitted = fitted or Fitted()
    named = settings.reidentifiers if settings.reidentifiers not in (AUTO, NONE) else ()
    for name in named:
        resolve_name(name)
    preset = preset_of(settings.method)
    settings = _hiding_gazetteers(settings, preset)
    if is_named(settings.hide) and settings.facts == FACTS:
        # Whoever names Safe Harbor has said what is to be hidden, and nothing of facts.
        settings = replace(settings, facts="report")
    settings, taggers = _asked(settings, preset, fitted.taggers)
    models = {**load_models(settings.models), **fitted.models}
    require_given(named if fitted.ensemble is None else (), models)
    if settings.reidentifiers == NONE and not (models or settings.masking_encoder or fitted.ensemble):
        raise SettingsError("reidentifiers none: nobody is left to hide from; name a trained model's folder (--model)")
    parameters = dict(method_spec(settings, preset).parameters)
    rounds: Any = parameters.pop("rounds", None) if preset.takes_rounds else 0
    return MaskingParts(
        settings=settings,
        method=make_method(settings, preset, parameters),
        transform=make_transform(settings),
        taggers=taggers,
        hide=(settings.hide or preset.hide) if preset.hide else (),
        floor=_floor(settings, preset),
        rounds=rounds,
        always=Patterns.of(settings.always),
        never=Patterns.of(settings.never),
        models=models,
        ensemble=fitted.ensemble,
        earlier=fitted.earlier,
        facts=fitted.facts,
    )


def _hiding_gazetteers(settings: Deidentification, preset: Preset) -> Deidentification:
    """Settings that hide the labels of all gazetteers; with labels named by the user, one that is not is a SettingsError."""
    mine = tuple(dict.fromkeys(label for label, _ in settings.gazetteers))
    hidden = settings.hide or preset.hide
    left = tuple(label for label in mine if not _is_hidden(label, hidden))
    if left and settings.hide:
        number = next(number for number, (label, _) in enumerate(settings.gazetteers, start=1) if label in left)
        raise SettingsError(f"gazetteer {number}: its label is not among what hide names")
    return replace(settings, hide=(*hidden, *left)) if left else settings


def _asked(
    settings: Deidentification, preset: Preset, more: Sequence[Tagger]
) -> tuple[Deidentification, tuple[Tagger, ...]]:
    """The taggers that settings name, and `more`; settings that name those with names alone, where there are no lists."""
    theirs, ours = split_foreign(settings.taggers)
    names, folders = split_taggers(ours)
    usual = (folders or theirs) and not names and {"", "none"}.isdisjoint(settings.taggers)
    added = USUAL_TAGGERS if usual else ()
    names, listed = names or added, bool(settings.gazetteers) or settings.allow is not None
    plain = () if listed else names
    made = named_taggers(
        [name for name in (*added, *settings.taggers) if name not in plain],
        gazetteers=settings.gazetteers, allow=settings.allow, label_map=settings.label_map,
        spans=settings.spans is not None,
    )  # fmt: skip
    ready = (*made, *more)
    if not listed:
        settings = replace(settings, taggers=names)
    if not preset.hide:
        if ready or settings.hide or settings.spans:
            raise _no_taggers(settings)
        return settings, ()
    taggers = (*(registry.create(registry.TAGGERS, name) for name in plain), *ready)
    # Which labels spans have that are handed in, is known when they are read.
    if settings.spans is None:
        _require_labels(settings.hide or preset.hide, taggers)
    return settings, taggers


def _no_taggers(settings: Deidentification) -> SettingsError:
    return SettingsError(f"method {settings.method} has no use for taggers; {_which(lambda preset: preset.hide)}")


def _which(has_use: Callable[[Preset], object]) -> str:
    """The methods, among those that can be used here, that have a use for something, for an error about one that has none."""
    usable = [name for name in registry.plain_names(registry.METHODS) if not registry.missing(registry.METHODS, name)]
    return f"these have: {', '.join(name for name in usable if has_use(preset_of(name)))}"


def method_spec(settings: Deidentification, preset: Preset) -> PartSpec:
    """The method with all parameters that settings give it, in parentheses or as options; SettingsError: one does not fit."""
    spec, known = parse(settings.method), parameters_of(preset)
    if settings.idf_threshold is not None and "idf_threshold" not in known:
        others = _which(lambda preset: "idf_threshold" in parameters_of(preset))
        raise SettingsError(f"method {settings.method} has no use for an IDF threshold; {others}")
    parameters = {**_given(settings, known), **checked(spec, preset)}
    require(
        parameters.get("unit", "word") == "word" or settings.protect == "subject",
        "protect everyone-known hides whole words: unit must be word",
    )
    # In the order in which the part has them, however they were given.
    ordered = {name: parameters[name] for name in known if name in parameters}
    return PartSpec(registry.resolve(registry.METHODS, spec.name), ordered)


def _given(settings: Deidentification, known: Container[str]) -> dict[str, Any]:
    """The parameters of these names that settings spell as options."""
    given = {name: getattr(settings, name) for name in OLD_SPELLINGS if name in known}
    return {name: value for name, value in given.items() if value is not None}


def make_method(settings: Deidentification, preset: Preset, parameters: Mapping[str, Any]) -> Method:
    """The method that settings name, with these parameters of its own; one that lacks what a run asks is a SettingsError."""
    known = {f.name for f in fields(preset.order)} if is_dataclass(preset.order) else set[str]()
    job = {name: value for name, value in (("k", settings.k), ("seed", settings.seed)) if name in known}
    method = preset(**job | dict(parameters))
    _require_members(f"method {settings.method}", method, ("name", "seeks_crowd", "keyed_targets", "mask"))
    return method


def make_transform(settings: Deidentification) -> Transform:
    """The transform that settings name; one whose `release` takes no context is a SettingsError."""
    called = f"transform {settings.transform}"
    transform: Transform = registry.create(registry.TRANSFORMS, settings.transform)
    _require_members(called, transform, ("name", "release"))
    if isinstance(transform, Generalises):
        # Crowds of others would have to be counted among those whom their values fit.
        require(settings.protect == "subject", f"{called} protects the subject of a document alone")
    try:
        signature(transform.release).bind("document", "mask", "context")
    except TypeError:
        raise SettingsError(f"{called}: release must take a document, a mask and a context") from None
    return transform


def _require_members(called: str, part: object, members: Sequence[str]) -> None:
    lacking = [member for member in members if not hasattr(part, member)]
    require(not lacking, f"{called} lacks {', '.join(lacking)}, without which no run can use it")


def _floor(settings: Deidentification, preset: Preset) -> Anonymity | None:
    """The k-anonymity over a graph that is a floor for masking, where it is asked for."""
    if not settings.graph_floor:
        return None
    require(preset.order is not Anonymity, f"method {settings.method} is what a graph floor does: leave the floor out")
    return Anonymity(k=settings.k, seed=settings.seed, **_given(settings, parameters_of(Anonymity)))


def with_tagger(parts: MaskingParts, tagger: Tagger) -> MaskingParts:
    """Parts with one more tagger; labels to hide that none gives are a SettingsError."""
    if not parts.hide:
        raise _no_taggers(parts.settings)
    taggers = (*parts.taggers, tagger)
    _require_labels(parts.hide, taggers)
    return replace(parts, taggers=taggers)


def informed(parts: MaskingParts, documents: Sequence[Document], population: Population) -> MaskingParts:
    """Parts that know what they must of all documents and people: rare words, what is said of everybody, rare facts."""
    if isinstance(parts.method, Informed):
        parts = replace(parts, method=parts.method.informed(documents, population))
    if parts.floor is not None:
        parts = replace(parts, floor=parts.floor.informed(documents, population))
    if parts.facts is None and parts.taggers:
        parts = replace(parts, facts=settings_for(documents, parts.settings.facts, parts.settings.k))
    return parts


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


def versioned_method(settings: Deidentification) -> str:
    """A method and its parameters as a manifest has them, under its versioned name."""
    return str(method_spec(settings, preset_of(settings.method)))


def versioned(settings: Deidentification, taggers: Sequence[Tagger] = ()) -> dict[str, Any]:
    """Settings with every name in its versioned form, so that they mean the same for ever; `taggers` are those at work."""
    values = settings.as_dict()
    values["method"] = versioned_method(settings)
    if floor := _floor(settings, preset_of(settings.method)):
        given = {name: getattr(floor, name) for name in parameters_of(Anonymity)}
        values["graph_floor"] = str(PartSpec(floor.name, given))
    values["transform"] = registry.resolve(registry.TRANSFORMS, settings.transform)
    values["taggers"] = [spelt(tagger.name, tagger) for tagger in taggers]
    if settings.reidentifiers not in (AUTO, NONE):
        values["reidentifiers"] = [resolve_name(name) for name in settings.reidentifiers]
    return values
