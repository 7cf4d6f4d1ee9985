"""The main job: read, mask, read again, verify crowds, audit, write, verify what was written."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

from unname.auditing.diversity import require_fields
from unname.auditing.left_out import LeftOut
from unname.auditing.report import Report
from unname.auditing.verdict import judged
from unname.errors import InputError, SettingsError, StateError, UnsafeReleaseError
from unname.inputs.files import Inputs, attacker_population, read_inputs, with_training
from unname.inputs.handed_in import with_spans
from unname.job import AuditPlan, Deidentification, Job, Output
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.population import Population, require_crowd_possible
from unname.protecting.direct_fields import direct_fields
from unname.protecting.earlier import Earlier
from unname.protecting.keys import new_key, read_key
from unname.protecting.parts import MaskingParts, make_parts, versioned
from unname.protecting.result import Deidentified
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.models import load_model, require_unseen
from unname.runtime import Runtime, seconds_of
from unname.storage.documents import shown_columns
from unname.storage.files import (
    PRIVATE,
    RELEASE,
    Seen,
    parents_made,
    require_absent,
    require_apart,
    seen,
    staged_folders,
    write_atomically,
    written_atomically,
)
from unname.storage.manifest import manifest
from unname.storage.tables import write_json
from unname.storage.vault import Keys, recipients_of, require_vault
from unname.taggers.foreign.base import Foreign
from unname.taggers.foreign.named import named_folders, split_foreign
from unname.taggers.models import split_taggers
from unname.verbs.audit.in_memory import Knowledge, require_attackers, tried_names
from unname.verbs.audit.outsider import Reference, read_reference, without_reference
from unname.verbs.deidentify.budget import planned
from unname.verbs.deidentify.estimate import Estimate, estimate
from unname.verbs.deidentify.in_memory import mask_all
from unname.verbs.deidentify.own_audit import audit_own_release, with_counts
from unname.verbs.deidentify.own_coverage import own_coverage
from unname.verbs.deidentify.own_outsider import own_outsider, read_facts
from unname.verifying.anonymity import verify_anonymity
from unname.verifying.crowds import verify_crowds
from unname.verifying.same_run import require_continuable
from unname.verifying.written import reread, verify_written
from unname.writing.held import HELD, make_held, require_replaceable, seal_held
from unname.writing.layout import Layout, layout_of
from unname.writing.read_first import write_read_first
from unname.writing.release import page_of, write_documents, write_private, write_vault
from unname.writing.versions import key_of, read_earlier


@dataclass(frozen=True, slots=True, repr=False)
class Released:
    """The places of all that was written, the report, and the number of bad input records that were passed over.

    The report's verdict says whether it may go out. Where it may not and nobody accepted that, it is `held`: all of it
    lies in `folder`, within the private one, and `release_held` lets it go; with `replace` it `took_place` of an earlier
    release, which is gone. `documents` is where the released texts are, `vault` where the originals are, if asked for.
    """

    folder: Path
    private: Path
    documents: Path
    report: Report
    result: Deidentified
    bad_records: int = 0
    held: bool = False
    took_place: bool = False
    vault: Path | None = None

    def __repr__(self) -> str:
        held = ", held" if self.held else ""
        return f"Released({len(self.result.documents)} documents, {len(self.result.withheld)} withheld{held})"


@dataclass(frozen=True, slots=True, repr=False)
class PreparedJob:
    """A job that was checked, with everything made that it names: parts, key, models that attack, places to write to."""

    job: Job
    parts: MaskingParts
    key: bytes
    attacking: Sequence[Reidentifier]
    layout: Layout
    before: dict[Path, Seen]
    recipients: Keys = field(default_factory=Keys)


def deidentify_files(job: Job) -> Released:
    """`unname deidentify`: everything docs/files.md says of it. Nothing is written before all of it could be.

    Where attackers find more than the plan's `max_risk` of the people, or too little is known of that, the release
    stays in the private folder (`Released.held`) unless the output's `accept_risk` gives a reason to let it go.
    """
    prepared = prepare_job(job)
    # What is spooled stays on the disk of the output.
    beside = next(folder for folder in job.output.out.resolve().parents if folder.exists())
    inputs, others, reference = _read(job, prepared.parts, prepared.attacking, beside)
    prepared = replace(prepared, parts=_with_spans(prepared.parts, job, inputs))
    # The processes load while the index is built.
    with job.runtime.started(len(inputs.documents), inputs.population.letters) as started:
        runtime = replace(started, temporary=beside)
        prepared, left_out = _within_time(prepared, inputs, runtime)
        job, parts = prepared.job, prepared.parts
        if job.output.after:
            parts = replace(parts, earlier=continued(job.output.after, inputs, prepared.key, beside))
        made = mask_all(
            inputs.documents, inputs.population, parts, prepared.key, training=inputs.others, runtime=runtime
        )
        made = reread(made, prepared.key)
        made = replace(made, recounted=verify_crowds(made, runtime))
        report = audit_own_release(inputs, made, job.audit, others, runtime)
        facts = read_facts(made, runtime)
        report = replace(
            report, anonymity=verify_anonymity(made), outsider=own_outsider(made, facts, reference, prepared.key)
        )
        report = with_verdict(replace(report, left_out=left_out), inputs, made, job, others.people)
        with staged_vault(prepared) as vault, staged_outputs(prepared, report) as (private, release):
            documents = release / prepared.layout.table
            write_documents(documents, made, prepared.key)
            verify_written(documents, made, prepared.key)
            write_read_first(private, made, facts, prepared.key)
            if vault is not None:
                write_vault(vault, made, prepared.key, prepared.recipients)
            finish(private, release, prepared, made, report, inputs, runtime)
    return job_result(prepared, made, report, len(inputs.bad_records))


def _within_time(prepared: PreparedJob, inputs: Inputs, runtime: Runtime) -> tuple[PreparedJob, LeftOut | None]:
    """The job with what fits its time budget, and what is left out; as it was where it has none."""
    if not prepared.job.output.time_budget:
        return prepared, None
    _, audit, left_out = _planned(prepared.job, prepared.parts, inputs, runtime)
    parts = prepared.parts
    if left_out is not None and left_out.rounds is not None:
        parts = replace(parts, rounds=left_out.rounds)
    return replace(prepared, job=replace(prepared.job, audit=audit), parts=parts), left_out


def _planned(
    job: Job, parts: MaskingParts, inputs: Inputs, runtime: Runtime
) -> tuple[Estimate, AuditPlan, LeftOut | None]:
    """The estimate of a job; with a time budget, of which that took some, also the audit that fits and what is left out."""
    began = time.monotonic()
    about = estimate(inputs, parts, runtime)
    if not job.output.time_budget:
        return about, job.audit, None
    most_s, spent_s = seconds_of(job.output.time_budget), time.monotonic() - began
    return about, *planned(about, job.audit, most_s=most_s, spent_s=spent_s)


def estimate_files(job: Job) -> tuple[Estimate, LeftOut | None]:
    """`unname deidentify --dry-run`: everything is validated and a sample is masked, but nothing is written.

    With a time budget also what is left out for it.
    """
    parts = _parts(job)
    attacking = [load_model(folder) for folder in job.audit.attacker_models]
    inputs, _, _ = _read(job, parts, attacking)
    about, _, left_out = _planned(job, _with_spans(parts, job, inputs), inputs, job.runtime)
    return about, left_out


def prepare_job(job: Job) -> PreparedJob:
    """Check that all outputs can be written, and make and load all that the job names, before any input is read."""
    source, output = job.source, job.output
    require_apart(output.out)
    texts = source.is_texts and not job.masking.keep
    layout = layout_of(output.out, output.private, output.out_format, as_texts=texts)
    models = (
        *job.masking.models, *job.audit.attacker_models, *_tagger_folders(job.masking), *named_folders(job.masking.taggers)
    )  # fmt: skip
    key_file = [output.key] if output.key else []
    other = [output.after] if output.after and output.after.resolve() != layout.private.resolve() else []
    require_apart(layout.folder, layout.private, inputs=[*_tables(job).values(), *models, *key_file, *other])
    recipients = _recipients(output, layout)
    before = _require_free(layout, output.vault, replace=output.replace)
    key = _key(output, layout, before)
    parts = _parts(job)
    attacking = [load_model(folder) for folder in job.audit.attacker_models]
    return PreparedJob(job, parts, key, attacking, layout, before, recipients)


def _recipients(output: Output, layout: Layout) -> Keys:
    """Those who may open the vault, if one is asked for; SettingsError where it would lie in a folder that is replaced."""
    if output.vault is None:
        return Keys()
    place = output.vault.resolve()
    if any(place.is_relative_to(folder.resolve()) for folder in (layout.folder, layout.private)):
        raise SettingsError("vault: it must not lie in the release or in the private folder; choose another place")
    return recipients_of(output.recipients)


def _key(output: Output, layout: Layout, before: Iterable[Path]) -> bytes:
    """The key that is named, or that of the release which is continued or replaced, or else a new one.

    SettingsError: one is named, and the release that is continued has another. StateError: a release would be replaced
    whose key cannot be read: under a new one nobody could tell any more which documents are the same.
    """
    named = read_key(output.key) if output.key else None
    if output.after is not None:
        key = key_of(output.after)
        if named not in (None, key):
            raise SettingsError("the release that is continued has another key than --key names; leave --key out")
        return key
    if named is not None:
        return named
    if not any(path.is_file() or (path.is_dir() and any(path.iterdir())) for path in before):
        return new_key()
    try:
        return read_key(layout.private / "key")
    except InputError as error:
        raise StateError(
            f"a release would be replaced, and its key is lost: {error}; name the key (--key), or choose another output"
        ) from None


def continued(private: Path, inputs: Inputs, key: bytes, spool: Path | None = None) -> Earlier:
    """The versions that the earlier release with that private folder published of these documents, checked first."""
    earlier = read_earlier(private, inputs.population, dir=spool)
    require_continuable(inputs.documents, earlier, key)
    return earlier


def with_verdict(report: Report, inputs: Inputs, made: Deidentified, job: Job, attackers: Population | None) -> Report:
    """The report with its counts, its verdict, and the reason why somebody lets it go whatever that says."""
    report = with_counts(report, inputs, made, job.audit)
    report = replace(report, coverage=own_coverage(made, job.source.people, attackers))
    most = job.audit.largest_risk(job.masking.k)
    report = judged(report, most, tried=tried_names(job.audit.attackers), strongest=job.audit.strongest)
    return replace(report, accepted_risk=job.output.accept_risk if report.verdict != "pass" else "")


@contextmanager
def staged_vault(prepared: PreparedJob) -> Iterator[BinaryIO | None]:
    """The vault, aside until release and private folder are in place; None where nobody asked for one."""
    output = prepared.job.output
    if output.vault is None:
        yield None
        return
    with (
        parents_made(output.vault),
        written_atomically(output.vault, private=True, fresh=not output.replace) as stream,
    ):
        yield stream


@contextmanager
def staged_outputs(prepared: PreparedJob, report: Report) -> Iterator[tuple[Path, Path]]:
    """The private folder and that of the release, aside until all is written, then in their places at once.

    A held release lies in the private folder.
    """
    layout, held = prepared.layout, is_held(report)
    folders = [(layout.private, True)] + ([] if held else [(layout.folder, False)])
    with staged_folders(
        *folders, replace=prepared.job.output.replace, kinds=(PRIVATE, RELEASE)[: len(folders)], before=prepared.before,
        files={layout.file: layout.table} if layout.file and not held else None,
        gone=[path for path in (layout.file, layout.folder) if path is not None] if held else (),
    ) as asides:  # fmt: skip
        if held:
            make_held(asides[0], layout)
        yield asides[0], asides[0] / HELD if held else asides[-1]
        if held:
            seal_held(asides[0], prepared.key)


def is_held(report: Report) -> bool:
    """True if a release may not go out, and nobody answers for it."""
    return report.verdict != "pass" and not report.accepted_risk


def finish(
    private: Path,
    release: Path,
    prepared: PreparedJob,
    made: Deidentified,
    report: Report,
    inputs: Inputs,
    runtime: Runtime,
) -> None:
    """Write everything but the documents: report and manifest beside them, the private folder's files."""
    advance = runtime.progress("write", 2)
    page = runtime.working().map(page_of, (), [report.public()])
    write_private(private, made, report, prepared.key, inputs.bad_records)
    advance(1)
    write_json(release / "report.json", report.public().as_dict())
    write_atomically(release / "report.html", next(iter(list(page))))
    write_json(release / "manifest.json", _manifest(prepared, made, report, release))
    advance(1)


def job_result(prepared: PreparedJob, made: Deidentified, report: Report, bad_records: int) -> Released:
    """The places of all that was written, as they are now."""
    layout, held = prepared.layout, is_held(report)
    folder = layout.private / HELD if held else layout.folder
    took_place = held and any(prepared.before[path] is not None for path in (layout.folder, layout.file) if path)
    documents = folder / layout.table if held else layout.released
    return Released(
        folder, layout.private, documents, report, made, bad_records, held, took_place, prepared.job.output.vault
    )


def _manifest(prepared: PreparedJob, made: Deidentified, report: Report, shown: Path) -> dict[str, Any]:
    job = prepared.job
    sources = _tables(job) | {
        name: folder / "model.json"
        for kind, folders in (
            ("model", job.masking.models), ("tagger", _tagger_folders(job.masking)),
            ("attacker model", job.audit.attacker_models),
        )
        for name, folder in ((f"{kind} {number}", folder) for number, folder in enumerate(folders, start=1))
    }  # fmt: skip
    foreign = [tagger for tagger in made.taggers if isinstance(tagger, Foreign)]
    sources |= {
        f"tagger from elsewhere {number}": folder
        for number, folder in enumerate((folder for tagger in foreign for folder in tagger.folders), start=1)
    }
    return manifest(
        inputs=sources,
        settings=versioned(made.settings, made.taggers),
        attackers=[attacker.name for attacker in report.attackers],
        files={name: shown / name for name in (prepared.layout.table, "report.html", "report.json")},
        key=prepared.key,
        options=job.as_options(),
    ) | {"verdict": report.verdict, "accepted_risk": report.accepted_risk, "rounds": made.rounds_kept} | (
        {"taggers": [dict(tagger.about()) for tagger in foreign]} if foreign else {}
    ) | ({"left_out": asdict(report.left_out)} if report.left_out else {})  # fmt: skip


def _parts(job: Job) -> MaskingParts:
    require_attackers(job.audit)
    return make_parts(job.masking)


def _read(
    job: Job, parts: MaskingParts, attacking: Sequence[Reidentifier], spool: Path | None = None
) -> tuple[Inputs, Knowledge, Reference | None]:
    """Documents and people, what attackers know beyond them, and what readers look up: all validated before any work."""
    masking, plan, source = job.masking, job.audit, job.source
    inputs = read_inputs(
        without_reference(source), unknown_person=masking.unknown_person, spool=spool,
        direct=lambda population: direct_fields(population, masking.direct, masking.direct_only),
    )  # fmt: skip
    _require_releasable(inputs, masking)
    require_fields((*plan.sensitive, *plan.tasks), inputs.population.full)
    people = (
        attacker_population(inputs, plan.attacker_people, source.people_id_column) if plan.attacker_people else None
    )
    inputs = with_training(inputs, source)
    require_unseen((*parts.models.values(), *attacking), inputs.documents)
    if people is not None:
        people = replace(people, beside=inputs.population.beside)
    reference = read_reference(source, plan, inputs.documents, inputs.renamed)
    return inputs, Knowledge(people=people, models=attacking), reference


def _with_spans(parts: MaskingParts, job: Job, inputs: Inputs) -> MaskingParts:
    """With what was handed in for the documents; a file may say more where not all of them are worked on."""
    source = job.source
    every = source.split is None and source.limit is None and not inputs.bad_records
    return with_spans(parts, job.masking, inputs.documents, every=every)


def _tables(job: Job) -> dict[str, Path]:
    """Every file that the job reads, by what it is."""
    return (
        job.source.tables()
        | job.masking.tables()
        | ({"attacker_people": job.audit.attacker_people} if job.audit.attacker_people else {})
        | ({"outsiders": job.audit.outsiders} if job.audit.outsiders else {})
    )


def _tagger_folders(masking: Deidentification) -> list[Path]:
    return list(split_taggers(split_foreign(masking.taggers)[1])[1])


def _require_free(where: Layout, vault: Path | None, *, replace: bool) -> dict[Path, Seen]:
    """That each output can be written, or is one of ours that may be replaced; what stands there now, the vault aside."""
    if vault is not None and (vault.exists() or vault.is_symlink()):
        require_vault(vault)
        if not replace:
            raise StateError("the vault already exists; choose another file, or say --replace")
    for folder, kind in ((where.folder, RELEASE), (where.private, PRIVATE)):
        require_absent(folder, replace=replace, kind=kind)
    require_replaceable(where, replace=replace)
    return {path: seen(path) for path in (where.folder, where.private, where.file) if path is not None}


def _require_releasable(inputs: Inputs, settings: Deidentification) -> None:
    """Kept columns must exist, and kept ids must not name anybody."""
    if len(inputs.population):
        require_crowd_possible(inputs.population, settings.k)
    if settings.keep:
        known = {name for document in inputs.documents for name in document.metadata}
        unknown = [name for name in settings.keep if name not in known]
        if unknown:
            raise SettingsError(
                f"no document has a column {unknown[0]!r} to keep; known: {shown_columns(sorted(known))}"
            )
    if settings.ids != "keep":
        return
    population = inputs.population
    direct = direct_fields(population, settings.direct, settings.direct_only)
    for number, document in enumerate(inputs.documents, start=1):
        column = population.rows.get(str(document.person))
        if column is not None and direct_identifiers(population.full[column], direct).find(document.id):
            raise UnsafeReleaseError(f"documents: record {number}: field 'id' names the person; do not keep ids")
