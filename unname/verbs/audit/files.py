"""`unname audit` as files: any tool's masked corpus against its originals, and the report of it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import index
from pathlib import Path
from typing import Any

from unname import registry
from unname.attacking.choice import serving
from unname.attacking.guesses import Guess
from unname.auditing.diversity import require_fields
from unname.auditing.page import render
from unname.auditing.report import Report
from unname.auditing.verdict import judged
from unname.auditing.versions import with_metadata
from unname.errors import InputError, ModelError, SettingsError
from unname.inputs.files import Inputs, attacker_population, read_inputs, with_training
from unname.inputs.released import ReleasedTable, read_release
from unname.job import NOBODY, AuditPlan
from unname.knowledge.population import Population
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.models import load_model, require_unseen
from unname.reidentifiers.names import is_trained, resolve_name
from unname.storage.faults import shown_name
from unname.storage.files import REPORT, require_absent, require_apart, staged_folders, write_atomically
from unname.storage.modelfolder import parse_json, read_bytes
from unname.storage.rows import records
from unname.storage.tables import write_json
from unname.types import Document, Mask, MaskSpan
from unname.verbs.audit.coverage import coverage_of_any
from unname.verbs.audit.in_memory import Kept, Knowledge, audit, kind_of_audit, prepare, require_attackers, tried_names
from unname.verbs.audit.options import AuditedRelease, AuditJob
from unname.verbs.audit.outsider import outsider_of, read_reference, shown_of_any, without_reference
from unname.verifying.same_run import require_fitting, require_unchanged
from unname.writing.layout import manifest_beside
from unname.writing.private_models import served_models


def audit_files(job: AuditJob) -> Report:
    """`unname audit`: attack a release (a table, or a release folder) and write `report.html` and `report.json`.

    Documents are matched by id; with a private folder through its keyed ids, and its masks are counted instead of an
    alignment. Originals that the release does not hold count as withheld. Every further column of the released table is
    metadata that attackers read too. Earlier releases are matched in the same way, through their private folders, else
    through this one's, else by id, and read beside this one. Sensitive fields may be among those that are kept from the
    attackers. Models that were used in masking lie in the private folder.
    StateError: with a private folder, a release that is not as its manifest says, or that its masks do not make of the
    originals.
    """
    release, plan = job.release, job.plan
    _require_sound(job)
    about = _settings_beside(release.released)
    inputs = read_inputs(without_reference(job.source))
    reference = read_reference(job.source, plan, inputs.documents, inputs.renamed)
    require_fields((*plan.sensitive, *plan.tasks), inputs.population.full)
    table = read_release(release.released)
    names, masks = _private_masks(release.private) if release.private else ({}, {})
    public = {d.id: names.get(d.id, d.id) for d in inputs.documents}
    _require_originals(table, public.values())
    if release.private:
        require_unchanged(table.path, about.get("files", {}))
        require_fitting(inputs.documents, table.texts, names, masks, release.private)
    earlier, unmatched = _earlier_releases(release, names, inputs.documents)
    inputs = with_training(inputs, job.source)
    known, missing = _knowledge(job, inputs, about)
    with job.runtime.started(len(inputs.documents), inputs.population.letters) as runtime:
        kept = Kept([table.beside.get(public[d.id], "") for d in inputs.documents], table.columns)
        prepared = prepare(
            inputs.documents, inputs.population, plan=plan, knowledge=known, kept=kept, seed=release.seed,
            runtime=runtime,
        )  # fmt: skip
        texts = [table.texts.get(public[d.id]) for d in inputs.documents]
        hidden = [masks.get(d.id, Mask(d.id)) for d in inputs.documents] if release.private else None
        audited = audit(
            prepared,
            texts,
            masks=hidden,
            mask_pattern=release.mask_pattern,
            previous=earlier,
            guesses=_guesses(release.guesses, inputs.documents, public) if release.guesses else None,
        )
        shown = shown_of_any(inputs.documents, texts, hidden, known.k, runtime)
        outsider = outsider_of(shown, lambda place: public[inputs.documents[place].id], reference)
    covered = replace(
        audited.report, outsider=outsider,
        coverage=coverage_of_any(inputs.documents, texts, inputs.population, attackers=known.people),
    )  # fmt: skip
    report = _finished(covered, plan, known.k, missing, unmatched)
    with staged_folders((job.output.out, False), replace=job.output.replace, kinds=(REPORT,)) as (folder,):
        write_json(folder / "report.json", report.as_dict())
        write_atomically(folder / "report.html", render(report, title="Audit report").encode())
    return report


def _require_sound(job: AuditJob) -> None:
    """Options that fit together, and a report that can be written."""
    release, source = job.release, job.source
    require_attackers(job.plan)
    if release.previous_private and len(release.previous_private) != len(release.previous):
        raise SettingsError("name one private folder for each previous release, in the same order, or none at all")
    if source.people == NOBODY:
        raise SettingsError("people none: an audit looks for people; it needs to know who there are")
    given = (release.private, job.plan.attacker_people, job.plan.outsiders, job.plan.word_vectors, release.guesses)
    read = [release.released, *source.tables().values(), *job.plan.attacker_models, *release.previous,
            *release.previous_private, *(path for path in given if path is not None)]  # fmt: skip
    require_apart(job.output.out, inputs=read)
    require_absent(job.output.out, replace=job.output.replace, kind=REPORT)


def _knowledge(job: AuditJob, inputs: Inputs, about: dict[str, Any]) -> tuple[Knowledge, list[str]]:
    """The attackers' knowledge, and the names of reidentifiers that learned, were used, and are not there."""
    release, plan = job.release, job.plan
    used = release.used if release.used is not None else tuple(about.get("reidentifiers", ()))
    models = [load_model(folder) for folder in plan.attacker_models]
    require_unseen(models, inputs.documents)
    people = None
    if plan.attacker_people:
        people = attacker_population(inputs, plan.attacker_people, job.source.people_id_column)
        people = replace(people, beside=inputs.population.beside)
    ready, missing = _what_served(used, release.private, inputs.population)
    if missing and release.used is not None:
        raise SettingsError(
            f"{missing[0]} learned before it was used: name the release's private folder, where it lies"
        )
    k = release.k or int(about.get("k", 10))
    return Knowledge(used, k, inputs.others, people, ready, models, served=about.get("served", ())), missing


def _finished(report: Report, plan: AuditPlan, k: int, missing: Sequence[str], unmatched: int) -> Report:
    previous = replace(report.previous, unmatched=unmatched) if report.previous else None
    report = replace(report, previous=previous, not_tried=tuple(missing) or None, audit=kind_of_audit(plan.attackers))
    return judged(report, plan.largest_risk(k), tried=tried_names(plan.attackers), strongest=plan.strongest)


def _what_served(
    served: Sequence[str], private: Path | None, population: Population
) -> tuple[Ensemble | None, list[str]]:
    """The models used in masking, from a private folder, and the names of those that learned and are not there."""
    ready = served_models(private, population) if private else None
    learned = [name for name in served if is_trained(registry.REIDENTIFIERS, name)]
    held = ready.members if ready is not None else {}
    return ready, [name for name in learned if resolve_name(name) not in held]


def _require_originals(table: ReleasedTable, public: Iterable[str]) -> None:
    known = set(public)
    strangers = [number for number, name in enumerate(table.texts, start=1) if name not in known]
    if strangers:
        raise InputError(
            f"{shown_name(table.path)}: {len(strangers)} released documents have no original of that id, record "
            f"{strangers[0]} the first of them; for a release with keyed ids name its private folder (--private)"
        )


def _guesses(path: Path, documents: Sequence[Document], public: Mapping[str, str]) -> list[Guess | None]:
    """Guesses in the order of documents, by released id or by the original's; a fault is an InputError with its record."""
    own = {name: document for document, name in public.items()} | {document: document for document in public}
    guesses: dict[str, Guess] = {}
    for number, row in records(path):
        where = f"{shown_name(path)}: record {number}: field"
        if str(row.get("id")) not in own:
            raise InputError(f"{where} 'id': no document has this id")
        if own[str(row["id"])] in guesses:
            raise InputError(f"{where} 'id': the same document is guessed twice")
        said = row.get("person")
        ranked = said if isinstance(said, list) else [[said, 1.0]] if said not in (None, "") else []
        try:
            guess = {str(person): float(score) for person, score in ranked}
        except (TypeError, ValueError):
            guess = {"": math.nan}
        if not all(map(math.isfinite, guess.values())) or len(guess) < len(ranked):
            raise InputError(f"{where} 'person': must be a person's id or [[id, score], …], each person once")
        guesses[own[str(row["id"])]] = guess
    return [guesses.get(document.id) for document in documents]


def _earlier_releases(
    release: AuditedRelease, names: dict[str, str], documents: Sequence[Document]
) -> tuple[list[list[str | None]], int]:
    """Each earlier release's texts with their metadata in the order of the documents; how many matched no document."""
    previous, private = release.previous, release.previous_private
    releases, unmatched = [], 0
    for number, path in enumerate(previous):
        table = read_release(path)
        maps = [_private_masks(private[number])[0]] if private else [names, {}]
        public = max(
            ([known.get(d.id, d.id) for d in documents] for known in maps),
            key=lambda ids: len(table.texts.keys() & set(ids)),
        )
        matched = len(table.texts.keys() & set(public))
        if not matched:
            raise InputError(
                f"{shown_name(table.path)}: none of the documents released earlier has an original of that id; "
                "for a release with keyed ids of another key name its private folder (--previous-private)"
            )
        unmatched += len(table.texts) - matched
        texts = [table.texts.get(name) for name in public]
        releases.append(with_metadata(texts, [table.beside.get(name, "") for name in public]))
    return releases, unmatched


def _settings_beside(released: Path) -> dict[str, Any]:
    """Settings of a release from the manifest beside it; nothing of it is believed before it is looked at."""
    path = manifest_beside(released)
    if path is None:
        return {}
    damaged = InputError("manifest.json beside the release is damaged")
    try:
        made = parse_json(read_bytes(path, _LONGEST_MANIFEST))
        settings, files = made["settings"], made.get("files") or {}
        names, k, rounds = settings.get("reidentifiers", []), settings.get("k", 10), made.get("rounds", 0)
        plain = isinstance(names, list) and all(isinstance(name, str) for name in names)
        hashes = isinstance(files, dict) and all(isinstance(value, str) for value in files.values())
        if not (plain and hashes and type(k) is int and 0 < k < 1 << 31 and type(rounds) is int):
            raise damaged
        known = [resolve_name(name) for name in names]
    except (ModelError, SettingsError, KeyError, TypeError, AttributeError):
        raise damaged from None
    return {"reidentifiers": tuple(known), "k": k, "files": files, "served": serving(known) if rounds else ()}


_LONGEST_MANIFEST = 16 << 20


def _private_masks(folder: Path) -> tuple[dict[str, str], dict[str, Mask]]:
    names: dict[str, str] = {}
    masks: dict[str, Mask] = {}
    for number, row in records(folder / "masks.jsonl"):
        try:
            spans = tuple(MaskSpan(index(s["start"]), index(s["end"]), s["method"]) for s in row["spans"])
            names[row["id"]] = row["release_id"]
        except (KeyError, TypeError):
            raise InputError(f"masks.jsonl: record {number}: not a mask of a release") from None
        masks[row["id"]] = Mask(row["id"], spans)
    return names, masks
