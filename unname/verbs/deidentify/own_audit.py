"""The audit of a job's own result: attackers on a sample of people where there are many, counts over everybody."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from unname import registry
from unname.auditing.privacy import histogram_of
from unname.auditing.report import Linkability, Masked, PerPerson, Report, Sides, ThirdParties, Withheld
from unname.auditing.standins import ReadTwice
from unname.auditing.utility import information_loss
from unname.draws import draw
from unname.inputs.files import Inputs
from unname.inputs.training_documents import drawn_places, spare_documents, teaches_masking
from unname.job import FAST, NONE, AuditPlan
from unname.knowledge.population import Population
from unname.masking.presets import preset_of
from unname.masking.search import Traced
from unname.protecting.direct_fields import recognised_fields, texts_left, unreadable
from unname.protecting.look import general_keys
from unname.protecting.mandatory import BY_IDENTIFIER
from unname.protecting.outcomes import Outcome
from unname.protecting.parts import Fitted, make_parts, versioned_method
from unname.protecting.person import kept_text
from unname.protecting.result import Deidentified
from unname.reidentifiers.base import IntArray, PairedIndex
from unname.reidentifiers.names import is_trained
from unname.runtime import Runtime
from unname.spec import PartSpec, parse
from unname.taggers.given import GivenSpans
from unname.taggers.safe_harbor import is_named, looked_for
from unname.transforms.base import Generalises, seen_through
from unname.types import Document
from unname.verbs.audit.in_memory import Kept, Knowledge, audit, kind_of_audit, prepare, require_attackers
from unname.verbs.deidentify.adaptive import served
from unname.verbs.deidentify.curve import Hiding, Tried, curve_over_k
from unname.verbs.deidentify.in_memory import mask_all
from unname.verbs.deidentify.own_standins import moved_dates, readable
from unname.verifying.written import REREAD


def audit_own_release(
    inputs: Inputs, made: Deidentified, plan: AuditPlan, others: Knowledge, runtime: Runtime
) -> Report:
    """Attack a result, and trace the curve over k where the method is a search.

    `others` is what attackers know beyond the job's own input: other people, and models that were trained elsewhere. They
    read at most `plan.sample` documents, all of a person or none, people drawn by hash. Documents of unknown
    people cannot be attacked by name; where there are no others, the report says that nothing was measured.
    """
    places = drawn_places(made, plan.sample) if plan.attackers != NONE else []
    if not places:
        return _unmeasured(made)
    settings, documents = made.settings, [made.documents[place] for place in places]
    outcomes = [made.outcome(place) for place in places]
    learning = any(is_trained(registry.ATTACKERS, name) for name in require_attackers(plan))
    apart: Sequence[Document] = inputs.others
    if made.rounds:  # whom rounds faced learned from the masking's share
        apart = [document for document in apart if not teaches_masking(document.person, settings.seed)]
    training = [*apart, *(spare_documents(made, places) if learning else ())]
    # What an adversary masks in rounds of his own is another release: it would teach him wrong things of this one.
    shadow = inputs.others and plan.attackers != FAST and not made.rounds_kept
    again = partial(_masked_again, made=made, runtime=runtime) if shadow else None
    known = replace(
        others, used=settings.reidentifiers, k=settings.k, training=training, ensemble=made.ensemble, masking=again,
        served=served(made), direct=made.direct,
    )  # fmt: skip
    kept = Kept([kept_text(d, settings.keep) for d in documents], settings.keep)
    plan = replace(plan, simulate=plan.simulate and plan.attackers != FAST)
    prepared = prepare(
        documents, inputs.population, plan=plan, knowledge=known, kept=kept, seed=settings.seed, runtime=runtime
    )
    texts = ReadTwice(
        [o.release.text if o.release is not None else None for o in outcomes],
        [seen_through(o.release, general=True) if o.release is not None else None for o in outcomes],
        _fitting(documents, outcomes, made, prepared.against),
    )
    earlier = [made.earlier.of(document.id) for document in documents]
    versions = max((len(one.texts) for one in earlier if one), default=0)
    previous = [[one.texts[n] if one and n < len(one.texts) else None for one in earlier] for n in range(versions)]
    audited = audit(prepared, texts, masks=[o.mask for o in outcomes], previous=previous)
    report = replace(audited.report, audited=len(documents))
    # What a larger crowd would cost is known of texts that nobody has seen.
    if plan.attackers == FAST or versions:
        return report
    whole = [d for d, o in zip(documents, outcomes, strict=True) if o.reason != "failed"]
    tried = Tried(audited.attackers, prepared.against, prepared.material, audited.attack.learned)
    hiding = Hiding(made.ensemble, made.method, made.mandatory, made.transform)
    curve = curve_over_k(whole, inputs.population, hiding, tried, seed=settings.seed, runtime=runtime)
    return replace(report, curve=curve)


def _fitting(
    documents: Sequence[Document], outcomes: Sequence[Outcome], made: Deidentified, people: Population
) -> Sequence[IntArray | None]:
    """By document the people whom the general values fit that it has instead of others; none where nobody writes any."""
    if not isinstance(made.transform, Generalises):
        return ()
    fits = made.transform.fitting(people.profiles)
    return [
        None if o.release is None else fits.among(general_keys(o.release), people.rows.get(str(d.person), -1))
        for d, o in zip(documents, outcomes, strict=True)
    ]


def _masked_again(documents: Sequence[Document], *, made: Deidentified, runtime: Runtime) -> list[str | None]:
    """Documents of other people, masked as these were but with another key: what an adversary can do himself."""
    spec = parse(made.settings.method)
    single = PartSpec(spec.name, {name: value for name, value in spec.parameters.items() if name != "rounds"})
    settings = replace(
        made.settings,
        method=str(single),
        rounds=0,
        taggers=(),
        gazetteers=(),
        allow=None,
        label_map=None,
        spans=None,
        models=(),
        unknown_person="withhold",
        keep=(),
        protect="subject",
    )
    # Of other people's documents nobody handed in spans.
    taggers = [tagger for tagger in made.taggers if not isinstance(tagger, GivenSpans)]
    parts = make_parts(settings, Fitted(ensemble=made.ensemble, taggers=taggers, facts=made.mandatory.facts))
    parts = replace(parts, rounds=0)
    # Not the release's own key, which he has not; drawn from the seed, so that a run repeated reports the same figures.
    key = draw("masked again", made.settings.seed)
    masked = mask_all(documents, made.population, parts, key, runtime=runtime)
    return [seen_through(release) if release is not None else None for release in masked.releases]


def with_counts(report: Report, inputs: Inputs, made: Deidentified, plan: AuditPlan) -> Report:
    """A report with what was done to the documents, and with what can be counted over all of them."""
    settings = made.settings
    method = versioned_method(settings)
    return replace(
        report,
        audit=kind_of_audit(plan.attackers),
        method=f"{method} against {', '.join(made.ensemble.members) or 'nobody'}, {settings.transform}",
        taggers=tuple(tagger.name for tagger in made.taggers),
        safe_harbor=looked_for(made.taggers) if is_named(settings.hide) else None,
        direct_fields=dict(made.direct),
        direct_left_out=tuple(_left_out(made)),
        not_direct=texts_left(made.population, made.direct),
        unread_values=unreadable(made.population, made.direct) or None,
        graph_persons_without_profile=inputs.graph_strangers,
        recounted=made.recounted,
        rounds=made.rounds or None,
        takes_rounds=_takes_rounds(made),
        readings=_readings(made),
        audited=report.audited or 0,
        bad_records=len(inputs.bad_records),
        **_counted(made, report),
    )


def _takes_rounds(made: Deidentified) -> bool | None:
    """True if the method masks in rounds, False if as a search could; None of any other."""
    return preset_of(made.settings.method).takes_rounds if isinstance(made.method, Traced) else None


def _readings(made: Deidentified) -> float | None:
    """Texts that went through neural reidentifiers in masking, for each document; None where there are none of these."""
    if all(isinstance(index, PairedIndex) for index in made.ensemble.local().values()):
        return None
    return round(sum(o.readings for o in made.outcomes()) / max(len(made.documents), 1), 1)


def _left_out(made: Deidentified) -> list[str]:
    """Fields that look direct and that the user has left out by name."""
    if not made.settings.direct_only or not len(made.population):
        return []
    return [name for name in recognised_fields(made.population) if name not in made.direct]


def _unmeasured(made: Deidentified) -> Report:
    """The figures of an audit that had nobody to look for: every rate is absent, none is 0."""
    nothing = Sides(None, None)
    return Report(
        documents=len(made.documents),
        persons=0,
        people=len(made.population),
        k=made.settings.k,
        withheld=Withheld(0, 0.0),
        attackers=(),
        any_unused=None,
        any_used=None,
        fused=None,
        per_person=PerPerson(nothing, nothing, nothing),
        crowds=None,
        linkability=Linkability(None, None),
        inference=(),
        masked=Masked(0.0, 0.0, 0, "exact"),
        information_loss=information_loss((d.text for d in made.documents), (_text(o) for o in made.outcomes())),
    )


def _counted(made: Deidentified, report: Report) -> dict[str, Any]:
    """Figures that are counted over all documents, whether or not an attacker was tried on them."""
    hidden = words = measured = written = small = 0
    shares = 0.0
    reasons: Counter[str] = Counter()
    smallest: list[int] = []
    third: list[tuple[int, ...]] = []
    for document, outcome in zip(made.documents, made.outcomes(), strict=True):
        hidden, words = hidden + outcome.hidden_words, words + outcome.words
        small += _small_names(document, outcome)
        shares += outcome.hidden_words / outcome.words if outcome.words else 0
        written += bool(outcome.words)
        measured += bool(outcome.crowds)
        third += [outcome.third] if outcome.third else []
        if outcome.release is None:
            reasons[outcome.reason] += 1
        elif outcome.crowds:
            smallest.append(min(outcome.crowds.values()))
    total, withheld, k = len(made.documents), sum(reasons.values()), made.settings.k
    figures: dict[str, Any] = {
        "documents": total,
        "not_measured": total - withheld - measured,
        "withheld": Withheld(withheld, withheld / total, dict(sorted(reasons.items())), reasons[REREAD]),
        "masked": Masked(
            hidden / words if words else 0.0, shares / written if written else 0.0, words, "exact", small or None
        ),
        "crowds": histogram_of(smallest, k, len(made.population)),
        "readable": readable(made),
        "moved_dates": moved_dates(made),
    }
    if made.settings.protect == "everyone-known":
        figures["third_parties"] = _third_parties(third, k)
    if 0 < (report.audited or 0) < total:
        texts = (_text(o) for o in made.outcomes())
        figures["information_loss"] = information_loss((d.text for d in made.documents), texts)
    return figures


def _small_names(document: Document, outcome: Outcome) -> int:
    """Words that are hidden as a name of the person, though they stand without a capital in a text that has some."""
    if document.text.islower():
        return 0
    ruled = (document.text[s.start : s.end] for s in outcome.mask.spans if s.method == BY_IDENTIFIER)
    return sum(word.isalpha() and word.islower() for word in ruled)


def _third_parties(third: Sequence[tuple[int, ...]], k: int) -> ThirdParties:
    crowds = [crowd for row in third for crowd in row]
    return ThirdParties(
        len(third), len(crowds), sum(n < k for n in crowds), min(crowds, default=None),
        float(np.median(crowds)) if crowds else None, "exact",
    )  # fmt: skip


def _text(outcome: Outcome) -> str:
    return seen_through(outcome.release) if outcome.release is not None else ""
