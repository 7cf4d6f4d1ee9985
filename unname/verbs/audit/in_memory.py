"""Original and released texts → who can still be found, and what it cost. Knows no method: any tool's output will do."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from unname import registry
from unname.attacking.attack import Attack, AttackResults
from unname.attacking.attackers import (
    MOST_TRAINING,
    ROTATING,
    Attacker,
    AttackerRequest,
    TrainingTexts,
    fit_attackers,
    model_attackers,
    released_documents,
    teachable,
)
from unname.attacking.bystanders import naming_passages, still_named
from unname.attacking.choice import installed, needs_encoder, quick, unusable
from unname.attacking.guesses import Guess, with_guesses
from unname.attacking.learning import STRONGEST, Material, counted, material_of
from unname.auditing.change import population_change
from unname.auditing.confidence import among, at_scale, confidence, knowing_fields, over_read
from unname.auditing.diversity import diversity, require_fields
from unname.auditing.privacy import (
    any_of,
    attack_figures,
    document_risks,
    histogram_of,
    inference,
    linkability,
    most_found,
    person_figures,
    smallest_crowds,
)
from unname.auditing.report import Bystanders, Found, Inferred, Linkability, Previous, Report, Withheld, rate_of
from unname.auditing.standins import ReadTwice, StandIns, without_stand_ins
from unname.auditing.usefulness import facts_kept, task_learned
from unname.auditing.utility import cost
from unname.auditing.versions import difference_attacker, metadata_figures, union_texts, version_figures, with_metadata
from unname.draws import draw
from unname.errors import InputError, SettingsError
from unname.inputs.arguments import documents_of, population_of, texts_of
from unname.job import ALL, FAST, NONE, AuditPlan
from unname.knowledge.fieldnames import Kind
from unname.knowledge.population import Population
from unname.protecting.direct_fields import names_of
from unname.reidentifiers.base import AdditiveIndex, IntArray, RecordsTraining, Reidentifier
from unname.reidentifiers.encoders.understanding import understanding
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.learned.training_examples import FEWEST_EXAMPLES, text_digest
from unname.reidentifiers.names import is_trained, resolve_name
from unname.reidentifiers.terms.bm25 import Bm25
from unname.runtime import Runtime
from unname.spec import PartSpec
from unname.storage.frames import Table
from unname.types import Document, Mask, Profile
from unname.verbs.audit.placeholders import with_our_placeholders
from unname.verbs.audit.stated import people_fitting

if TYPE_CHECKING:
    from pandas import DataFrame

# Documents that an adversary masks himself, to learn what masking leaves.
MOST_SHADOW, FEWEST_SHADOW = 300, 30
# Documents of other people as an adversary would release them.
Masking = Callable[[Sequence[Document]], Sequence[str | None]]


@dataclass(frozen=True, slots=True, repr=False)
class Knowledge:
    """The attackers' knowledge beside the release.

    `used` are the reidentifiers that were used in masking, which asked for a crowd of `k`; `ensemble` holds those that
    are fitted already. Attackers learn from `training` (documents of other people) as well, and `models` were trained
    elsewhere. With `people` they search among these instead of the masking's population; a person who is not among them
    cannot be found. `masking` is what an adversary does to documents of other people who are known: texts as they would be
    released, None where withheld. Some of `training` then teach who combines attackers instead of attackers.
    `served` are names of attackers whose like served a masking in rounds: they count as used. `direct` are fields that
    hold names beside those that are recognised.
    """

    used: Sequence[str] = ()
    k: int = 10
    training: Sequence[Document] = ()
    people: Population | None = None
    ensemble: Ensemble | None = None
    models: Sequence[Reidentifier] = ()
    masking: Masking | None = None
    served: Sequence[str] = ()
    direct: Mapping[str, Kind] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Knowledge({', '.join(self.used)})"


@dataclass(frozen=True, slots=True, repr=False)
class Kept:
    """Metadata that is released beside each text, joined by newlines ("" for none), and the names of its columns."""

    values: Sequence[str]
    columns: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"Kept({len(self.columns)} columns)"


@dataclass(frozen=True, slots=True, repr=False)
class Audit:
    """The report, the results of each attacker on each document behind it, and the attackers."""

    report: Report
    attack: AttackResults
    attackers: Sequence[Attacker] = ()

    def __repr__(self) -> str:
        return f"Audit({len(self.report.risks)} documents)"

    def frame(self) -> "DataFrame":
        """The report's table of pandas."""
        return self.report.frame()


@dataclass(slots=True, repr=False)
class PreparedAudit:
    """The common part of all audits of one corpus: attackers that need no release, and their figures on the originals.

    `members` are reidentifiers that were used in masking over the masking's population, where that is not the attackers'
    own. `attackers` are fitted, `names` and `used` versioned. `among` is as `ReadTwice` has it, of a release.
    """

    population: Population
    originals: tuple[Document, ...]
    attackers: list[Attacker]
    names: tuple[str, ...]
    used: tuple[str, ...]
    plan: AuditPlan
    knowledge: Knowledge
    kept: Kept
    seed: int = 0
    runtime: Runtime = field(default_factory=Runtime)
    before: AttackResults = field(default_factory=AttackResults)
    material: Material | None = None
    given: dict[str, Any] = field(default_factory=dict)
    members: list[Attacker] = field(default_factory=list)
    shadow: tuple[Document, ...] = ()
    among: Sequence[IntArray | None] = ()

    def __repr__(self) -> str:
        return f"PreparedAudit({len(self.originals)} documents, {len(self.attackers)} attackers)"

    @property
    def k(self) -> int:
        """The crowd that was asked for."""
        return self.knowledge.k

    @property
    def against(self) -> Population:
        """The people among whom the attackers search."""
        return self.population if self.knowledge.people is None else self.knowledge.people

    def attack(
        self, texts: Sequence[str | None], attackers: Sequence[Attacker], stage: str, *, strongest: bool = False,
        joined: bool = False,
    ) -> AttackResults:  # fmt: skip
        """Attack texts over the attackers' population; crowds are those over the masking's.

        Of several versions `joined` nobody can learn from documents that were masked once.
        """
        if strongest and self.material is None:
            self.material = material_of(self.against)
        advance, pool = self.runtime.progress(stage, len(self.originals)), self.runtime.working()
        shadow = self._shadow_release() if strongest and not joined else ()
        results = Attack(self.against, self.originals, self.k, self.seed, advance, pool, shadow, self.among).run(
            texts, attackers, material=self.material if strongest else None
        )
        results.used = {name: used or self._served(name) for name, used in results.used.items()}
        if self.knowledge.people is not None and self.members:
            own = Attack(self.population, self.originals, self.k, self.seed, pool=pool)
            counted = own.run(texts, self.members)
            results.crowds, results.person_crowds = counted.crowds, counted.person_crowds
        return results

    def _served(self, name: str) -> bool:
        """True if the like of an attacker served the masking; one that was trained elsewhere did not."""
        kind, _, state = name.partition("@")
        return not state.startswith("model") and registry.plain(kind) in self.knowledge.served

    def _shadow_release(self) -> tuple[Document, ...]:
        """Documents that teach who combines attackers, as the adversary masked them."""
        if self.knowledge.masking is None or not self.shadow:
            return ()
        self.runtime.progress("shadow release", len(self.shadow))
        return tuple(released_documents(self.shadow, self.knowledge.masking(self.shadow)))

    def crowd_members(self, attackers: Sequence[Attacker]) -> list[Attacker]:
        """Members that were used in masking, over the masking's population."""
        return self.members if self.knowledge.people is not None else [a for a in attackers if a.used]


def resolve_attackers(names: Sequence[str], *, encoder: bool = False) -> tuple[str, ...]:
    """Versioned names; `all` stands for every installed attacker, `quick` for those of the quick set, `none` for none.

    Which set an attacker belongs to is in its `about`. Without an `encoder` those that need one are in neither.
    """
    if tuple(names) == ALL:
        return tuple(name for name in installed() if encoder or not needs_encoder(name))
    if tuple(names) == NONE:
        return ()
    chosen = quick(encoder=encoder) if tuple(names) == FAST else names
    return tuple(resolve_name(name, registry.ATTACKERS) for name in chosen)


def kind_of_audit(names: Sequence[str]) -> str:
    """The kind of an audit by the attackers tried: `full`, `quick`, `none`, or `chosen` where attackers were named."""
    known: dict[tuple[str, ...], str] = {ALL: "full", FAST: "quick", NONE: "none"}
    return known.get(tuple(names), "chosen")


def tried_names(names: Sequence[str]) -> list[str]:
    """The names of attackers without their versions; one with parameters of its own is another than that of the name."""
    specs = map(registry.spec_of, resolve_attackers(names))
    return [str(PartSpec(registry.plain(spec.name), spec.parameters)) for spec in specs]


def prepare(
    originals: Sequence[Document] | Table,
    population: Population | Sequence[Profile] | Table,
    *,
    plan: AuditPlan | None = None,
    knowledge: Knowledge | None = None,
    kept: Kept | Sequence[str] | None = None,
    seed: int = 0,
    runtime: Runtime | None = None,
) -> PreparedAudit:
    """Fit the attackers that need no release and attack the originals.

    Of the plan the attackers and sensitive fields count here: documents are all attacked, and files are not read.
    `quick` teaches an attacker that learns from the release alone, not from originals as well.
    """
    originals, population = documents_of(originals), population_of(population)
    plan, knowledge, runtime = plan or AuditPlan(), knowledge or Knowledge(), runtime or Runtime()
    names = require_attackers(plan)
    used = resolve_attackers(knowledge.used) if knowledge.used else ()
    prepared = PreparedAudit(
        population, tuple(originals), [], names, used, plan, knowledge, _kept(kept, originals), seed, runtime
    )
    if knowledge.masking is not None:
        prepared.shadow = _shadow(prepared)
        gone = {document.id for document in prepared.shadow}
        rest = [document for document in knowledge.training if document.id not in gone]
        prepared.knowledge = knowledge = replace(knowledge, training=rest)
    if any(map(needs_encoder, names)):
        prepared.given = understanding(plan.encoder)
    prepared.given = {**prepared.given, "word_vectors": plan.word_vectors}
    prepared.attackers = _fit(prepared, names, prepared.against)
    prepared.attackers += model_attackers(knowledge.models, prepared.against, pool=runtime.working())
    prepared.members = _fit(prepared, (), population) if knowledge.people is not None else []
    prepared.before = prepared.attack(_shown(prepared, None), prepared.attackers, "attack originals")
    return prepared


def _shadow(prepared: PreparedAudit) -> tuple[Document, ...]:
    """Training documents of known people whom nobody attacks, drawn by hash: at most half of them, and none of too few."""
    attacked = {document.person for document in prepared.originals}
    read = documents_read(prepared.knowledge, attacked, prepared.against)
    known = [document for document in read if document.person in prepared.against.rows]
    known.sort(key=lambda document: draw("shadow", prepared.seed, document.id))
    most = min(MOST_SHADOW, len(known) // 2)
    return tuple(known[:most]) if most >= FEWEST_SHADOW else ()


def taught_masking(knowledge: Knowledge) -> frozenset[str]:
    """Digests of the documents and people that models used in masking learned from."""
    fitted = knowledge.ensemble.fitted.values() if knowledge.ensemble is not None else ()
    return frozenset[str]().union(
        *(m.trained_on_ for models in fitted for m in models if isinstance(m, RecordsTraining))
    )


def documents_read(
    knowledge: Knowledge, attacked_people: Collection[str | None], population: Population
) -> list[Document]:
    """Documents about other people that attackers can learn from and the masking did not learn from.

    Each is about somebody of the attackers' `population` who is not attacked. A document is left out if any model used in
    masking learned from it, or from another document about the same person.
    """
    taught, known = taught_masking(knowledge), population.taught_about
    return [
        document for document in knowledge.training
        if document.person in known and document.person not in attacked_people
        and (not taught or taught.isdisjoint(map(text_digest, (document.person, document.text))))
    ]  # fmt: skip


def _number_read(prepared: PreparedAudit, after: AttackResults) -> int | None:
    """The number of documents that attackers could read, shadow releases included; None where nobody attacked."""
    if not after.used:
        return None
    known = replace(prepared.knowledge, training=[*prepared.knowledge.training, *prepared.shadow])
    read = documents_read(known, {document.person for document in prepared.originals}, prepared.against)
    # Copies of a document teach nothing that one of them does not, and no attacker learns from more than so many.
    return min(len({document.text for document in read}), MOST_TRAINING)


def require_attackers(plan: AuditPlan) -> tuple[str, ...]:
    """Versioned names of the attackers that a plan names; one that needs an encoder must be given a sound one.

    SettingsError where there is none, ModelError where its folder is no good.
    """
    names = resolve_attackers(plan.attackers, encoder=plan.encoder is not None)
    understanding = [name for name in names if needs_encoder(name)]
    if understanding and plan.encoder is None:
        raise SettingsError(f"{understanding[0]} needs a sentence encoder: name its folder (--encoder)")
    if understanding and plan.encoder is not None:
        from unname.reidentifiers.encoders.sentence_encoder import sentence_encoder  # loads torch

        sentence_encoder(plan.encoder)
    return names


def _fit(prepared: PreparedAudit, names: Sequence[str], people: Population) -> list[Attacker]:
    """Attackers that need no release, over these people."""
    known = prepared.knowledge
    kinds = ("profiles",) if prepared.plan.attackers == FAST else ("profiles", "originals")
    return fit_attackers(
        AttackerRequest(names, prepared.used, prepared.seed, prepared.given), people,
        teaching(prepared, ()),
        kinds=kinds, ready=known.ensemble if people is prepared.population else _learned_over(known.ensemble, people),
        pool=prepared.runtime.working("attackers"),
    )  # fmt: skip


def teaching(prepared: PreparedAudit, released: Sequence[Document]) -> TrainingTexts:
    """The texts that attackers learn from: documents of other people that the masking did not learn from, if any."""
    attacked, known = {document.person for document in prepared.originals}, prepared.knowledge
    read = documents_read(known, attacked, prepared.against)
    taught = taught_masking(known)
    own = [d for d in prepared.originals if text_digest(str(d.person)) not in taught]
    own = own if len(own) >= ROTATING * FEWEST_EXAMPLES else list(prepared.originals)
    return TrainingTexts(prepared.originals, released, read, own)


def _learned_over(ready: Ensemble | None, people: Population) -> Ensemble | None:
    """Of an ensemble what learned, over other people: it cannot be fitted anew, and needs not."""
    if ready is None:
        return None
    kept = {name: held for name, held in ready.fitted.items() if is_trained(registry.REIDENTIFIERS, name)}
    members = {name: tuple(model.index(people.profiles) for model in held) for name, held in kept.items()}
    return Ensemble(tuple(p.id for p in people.profiles), members, kept, ready.split, secret=ready.secret)


def audit(
    prepared: PreparedAudit,
    texts: Sequence[str | None] | Table | ReadTwice,
    *,
    masks: Sequence[Mask] | None = None,
    mask_pattern: str | None = None,
    kept: Kept | Sequence[str] | None = None,
    previous: Sequence[Sequence[str | None]] = (),
    guesses: Sequence[Guess | None] | None = None,
) -> Audit:
    """Attack a release: `texts` in the order of the originals, None where withheld; or a table with `id` and `text`.

    With `masks`, hidden words are counted from them; without, by aligning both texts' words. `kept` is the metadata
    released beside each text, which attackers read as well on both sides; None stands for what was given to `prepare`.
    `previous` are earlier releases of the same documents, each in their order (None where it lacks one): what all
    versions together betray. `guesses` are somebody's from outside, one for each document: who it may be about, with scores.
    """
    texts, exact, fitting = texts.parts if isinstance(texts, ReadTwice) else (texts, None, ())
    texts = texts_of(texts, prepared.originals)
    if any(len(version) != len(prepared.originals) for version in (texts, *previous)):
        raise InputError("the release and the originals do not have the same number of documents")
    require_fields((*prepared.plan.sensitive, *prepared.plan.tasks), prepared.population.full)
    prepared.among = ()  # originals state no general values
    prepared = _with_kept(prepared, kept)
    ours = masks is not None
    as_words = with_our_placeholders(texts, prepared.originals, mask_pattern, ours=ours)
    gaps = exact
    if gaps is None:
        gaps = [text and without_stand_ins(text, d.text) for text, d in zip(as_words, prepared.originals, strict=True)]
        fitting = people_fitting(prepared.originals, as_words, gaps, prepared.against)
    prepared.among = fitting
    bare, attackers, after, stand_ins = _attacked(prepared, as_words, gaps)
    shown = _shown(prepared, bare)
    clusters, k, beyond = [str(d.person) for d in prepared.originals], prepared.k, dict[str, Any]()
    beyond["stand_ins"] = None if fitting and exact is not None else stand_ins
    if any(prepared.kept.values):
        without = prepared.attack(bare, attackers, "attack without metadata")
        beyond["kept"] = metadata_figures(after, without, clusters, prepared.kept.columns, k=k)
    if previous:
        earlier = [with_our_placeholders(each, prepared.originals, mask_pattern, ours=ours) for each in previous]
        beyond["previous"] = _with_earlier(prepared, shown, earlier, attackers, after)
    if guesses is not None:
        after = with_guesses(after, guesses, prepared.originals, prepared.against)
    beyond |= _usefulness(prepared, as_words)
    beyond["bystanders"] = _bystanders(prepared, bare, attackers)
    if prepared.plan.read_curve and STRONGEST in after.documents and prepared.plan.attackers != FAST:
        own = rate_of(after.documents[counted(after.documents)].top1, clusters)
        read = _number_read(prepared, after) or 0
        beyond["read_curve"] = (
            over_read(read, own, lambda fewer: _having_read(prepared, shown, attackers, fewer)) or None
        )
    report = replace(_report(prepared, shown, after, cost(prepared.originals, gaps, masks)), **beyond)
    return Audit(_with_crowd_figures(prepared, report, attackers, shown), after, attackers)


def _attacked(
    prepared: PreparedAudit, texts: Sequence[str | None], gaps: Sequence[str | None]
) -> tuple[Sequence[str | None], list[Attacker], AttackResults, StandIns | None]:
    """Texts as whoever finds more reads them, with or without words that originals lack, and who attacked them how."""
    attackers, after = _attack(prepared, gaps, "attack the release")
    changed = sum(one != other for one, other in zip(texts, gaps, strict=True))
    if not changed:
        return gaps, attackers, after, None
    others, misled = _attack(prepared, texts, "attack the release, stand-ins as words")
    figures = StandIns(changed, *(most_found(each, prepared.originals) for each in (misled, after)))
    if (figures.as_words.rate or 0.0) <= (figures.as_gaps.rate or 0.0):
        return gaps, attackers, after, figures
    # A crowd is of people who fit what a text says; stand-ins say nothing.
    misled.crowds, misled.person_crowds, misled.plausible = after.crowds, after.person_crowds, after.plausible
    return texts, others, misled, figures


def _attack(prepared: PreparedAudit, texts: Sequence[str | None], stage: str) -> tuple[list[Attacker], AttackResults]:
    """Everybody who attacks texts of a release, those who learn from it among them, and what they find."""
    shown = _shown(prepared, texts)
    attackers = prepared.attackers + _fit_on_release(prepared, shown)
    return attackers, prepared.attack(shown, attackers, stage, strongest=prepared.plan.strongest)


def _having_read(
    prepared: PreparedAudit, shown: Sequence[str | None], attackers: Sequence[Attacker], fewer: int
) -> Found:
    """The strongest adversary's rate if attackers have read no more than so many documents, drawn by hash.

    They learn anew, from these and from originals or the release of other folds of people; nobody masks documents himself.
    """
    still = [one for one in attackers if not one.trained_on.startswith(("originals", "release"))]
    texts = teaching(prepared, released_documents(prepared.originals, shown))
    read = teachable(texts.training, prepared.originals, prepared.seed)[:fewer]
    taught = fit_attackers(
        AttackerRequest(prepared.names, prepared.used, prepared.seed, prepared.given), prepared.against,
        replace(texts, training=read), kinds=("originals", "release"), again=still, pool=prepared.runtime.working(),
    )  # fmt: skip
    stage = f"attack having read {fewer}"
    judged = prepared.attack(shown, [*still, *taught], stage, strongest=True, joined=True)
    return rate_of(judged.documents[counted(judged.documents)].top1, [str(d.person) for d in prepared.originals])


def _with_earlier(
    prepared: PreparedAudit,
    shown: Sequence[str | None],
    earlier: Sequence[Sequence[str | None]],
    attackers: Sequence[Attacker],
    after: AttackResults,
) -> Previous:
    """The figures of all versions together; where they say the same, this release's own."""
    (union, more), clusters = union_texts(shown, earlier), [str(d.person) for d in prepared.originals]
    of_union = after
    if union != list(shown):
        people = prepared.against.profiles
        held = next((a.indexes[0] for a in attackers if a.name == "bm25.v1"), None)
        index = held if isinstance(held, AdditiveIndex) else Bm25().fit(people).index(people)
        difference = difference_attacker(index, union, shown, earlier)
        of_union = prepared.attack(
            union, [*attackers, difference], "attack all versions", strongest=prepared.plan.strongest, joined=True
        )
    return version_figures(after, of_union, clusters, earlier, k=prepared.k, only_before=more)


def _with_kept(prepared: PreparedAudit, kept: Kept | Sequence[str] | None) -> PreparedAudit:
    """Prepared for other metadata than was said before, if so."""
    if kept is None or (given := _kept(kept, prepared.originals)) == prepared.kept:
        return prepared
    again = replace(prepared, kept=given)
    again.before = again.attack(_shown(again, None), prepared.attackers, "attack originals")
    return again


def _fit_on_release(prepared: PreparedAudit, shown: Sequence[str | None]) -> list[Attacker]:
    released = released_documents(prepared.originals, shown)
    return fit_attackers(
        AttackerRequest(prepared.names, prepared.used, prepared.seed, prepared.given), prepared.against,
        teaching(prepared, released),
        kinds=("release",), again=prepared.attackers,
        pool=prepared.runtime.working("attackers that learn from the release"),
    )  # fmt: skip


def _shown(prepared: PreparedAudit, texts: Sequence[str | None] | None) -> list[str | None]:
    """The readable text of each document: its text, by default the original, and the metadata beside it."""
    return with_metadata([d.text for d in prepared.originals] if texts is None else texts, prepared.kept.values)


def _kept(kept: Kept | Sequence[str] | None, originals: Sequence[Document]) -> Kept:
    if kept is None:
        return Kept(("",) * len(originals))
    metadata = kept if isinstance(kept, Kept) else Kept(kept)
    if len(metadata.values) != len(originals):
        raise InputError("the kept metadata and the originals do not have the same number of documents")
    return Kept(tuple(metadata.values), tuple(metadata.columns))


def _report(prepared: PreparedAudit, shown: Sequence[str | None], after: AttackResults, cost: dict[str, Any]) -> Report:
    """The figures that every audit has."""
    originals, clusters = prepared.originals, [str(d.person) for d in prepared.originals]
    withheld = sum(t is None for t in shown)
    others, single = prepared.knowledge.people, sum(not used for used in after.used.values())
    return Report(
        risks=document_risks(originals, after),
        documents=len(originals),
        people=len(prepared.population),
        persons=len(set(clusters)),
        k=prepared.k,
        withheld=Withheld(withheld, withheld / max(len(shown), 1)),
        per_person=person_figures(prepared.before, after),
        crowds=histogram_of(smallest_crowds(after), prepared.k, len(prepared.population)),
        linkability=Linkability(linkability(originals, _shown(prepared, None)), linkability(originals, shown)),
        inference=_inferred(prepared, after),
        union_chance=1 - (1 - 1 / len(prepared.against)) ** single,
        confidence=confidence(after, clusters) if after.sure else None,
        scale=at_scale(after.above, len(prepared.against)) or None,
        among=among(after, clusters, len(prepared.against), len(prepared.against.rows.keys() & set(clusters))),
        not_trained=_not_trained(prepared, after) or None,
        not_usable=unusable() or None,
        shadow=len(prepared.shadow) or None,
        read=_number_read(prepared, after),
        others_private=prepared.plan.others_private or None,
        knowing=knowing_fields(after, prepared.material.values, clusters) if prepared.material and after.sure else None,
        attacker_people=None if others is None else len(others),
        not_in_attacker_population=None if others is None else sum(person not in others.rows for person in clusters),
        **attack_figures(prepared.before, after, clusters, prepared.k),
        **cost,
    )


def _not_trained(prepared: PreparedAudit, after: AttackResults) -> tuple[str, ...]:
    """Attackers that learn, and had too little to learn from."""
    kinds = ("release",) if prepared.plan.attackers == FAST else ("originals", "release")
    learning = [name for name in prepared.names if is_trained(registry.ATTACKERS, name)]
    wanted = [f"{name}@{kind}" for name in learning for kind in kinds]
    return tuple(name for name in wanted if name not in after.used)


def _inferred(prepared: PreparedAudit, after: AttackResults) -> tuple[Inferred, ...]:
    if prepared.material is None or not after.inferred:
        return ()
    values = prepared.material.values
    return inference(values, prepared.against, prepared.originals, after.inferred, truth=prepared.population)


def _usefulness(prepared: PreparedAudit, texts: Sequence[str | None]) -> dict[str, Any]:
    """Facts that are still there, and tasks learned on the release."""
    originals, people = prepared.originals, prepared.population
    return {
        "facts_kept": facts_kept(originals, texts, people, prepared.k),
        "tasks": tuple(task_learned(originals, texts, people, field) for field in prepared.plan.tasks),
    }


def _bystanders(
    prepared: PreparedAudit, texts: Sequence[str | None], attackers: Sequence[Attacker]
) -> Bystanders | None:
    """The figures of people whom texts name beside their own person; None where they name nobody."""
    everybody = names_of(prepared.population, prepared.knowledge.direct)
    named = still_named(prepared.originals, texts, everybody, prepared.population)
    readable = replace(rate_of([float(stays) for _, stays in named], [person for person, _ in named]), known="exact")
    names = everybody if prepared.knowledge.people is None else names_of(prepared.against, prepared.knowledge.direct)
    passages, left = naming_passages(prepared.originals, texts, names, prepared.against, seed=prepared.seed)
    if not passages:
        return Bystanders(0, rate_of([], []), None, readable) if named else None
    advance, pool = prepared.runtime.progress("attack bystanders", len(passages)), prepared.runtime.working()
    attack = Attack(prepared.against, passages, prepared.k, prepared.seed, advance, pool)
    judged = attack.run(left, attackers, material=prepared.material)
    people = [str(d.person) for d in passages]
    rates = [
        rate_of(any_of(judged.documents, names).top1, people) if set(names) <= judged.documents.keys() else None
        for names in (list(judged.used), [counted(judged.documents)])
    ]
    return Bystanders(len(passages), rates[0] or rate_of([], []), rates[1], readable)


def _with_crowd_figures(
    prepared: PreparedAudit, report: Report, attackers: Sequence[Attacker], shown: Sequence[str | None]
) -> Report:
    """The report with values on which crowds agree, and crowds in a changing population."""
    members = prepared.crowd_members(attackers)
    about = (members, prepared.population, prepared.originals, shown)
    if prepared.plan.sensitive:
        report = replace(report, sensitive=tuple(diversity(*about, prepared.plan.sensitive)))
    if prepared.plan.simulate and members:
        prepared.runtime.progress("changing population", 1)
        change = population_change(*about, k=prepared.k, seed=prepared.seed, pool=prepared.runtime.working())
        report = replace(report, population_change=change)
    return report
