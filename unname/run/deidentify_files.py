"""The main job as files: read, mask, audit, write a release folder and a private one, and look once more for leaks."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

from unname import registry
from unname.auditing.diversity import require_fields
from unname.auditing.verdict import Verdict, largest_risk, with_verdict
from unname.errors import SettingsError, UnsafeReleaseError, printable
from unname.hiding.direct_fields import direct_fields
from unname.hiding.keys import new_key, read_key
from unname.hiding.outcomes import outcome_spool
from unname.hiding.wordlists import Patterns
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.population import Population, require_crowd_possible
from unname.log import Progress, silent
from unname.parallel.pool import WorkerPool, suitable_workers
from unname.reidentifiers.models import load_model
from unname.run.audit import resolve_attackers, tried_names
from unname.run.audit_result import AUDIT_SAMPLE, assess
from unname.run.deidentify import Deidentified, hide_all, make_method
from unname.run.estimate import Estimate, estimate
from unname.run.inputs import (
    FROM_DOCUMENTS,
    NOBODY,
    REFUSE,
    Inputs,
    attacker_population,
    read_inputs,
    with_training,
)
from unname.run.models import load_models, require_other, require_unseen
from unname.run.tagging import make_taggers
from unname.settings import AUTO, Deidentification
from unname.storage.documents import shown_columns
from unname.storage.files import (
    PRIVATE,
    RELEASE,
    Seen,
    require_absent,
    require_apart,
    seen,
    staged_folders,
    write_atomically,
)
from unname.storage.manifest import manifest
from unname.storage.tables import Columns, read_lines, write_json
from unname.taggers.base import Tagger
from unname.taggers.labels import wanted
from unname.writing.held import HELD, make_held, require_replaceable
from unname.writing.layout import Layout, layout_of
from unname.writing.release import last_look, page_of, public_report, write_private, write_release


@dataclass(frozen=True, slots=True, repr=False)
class Released:
    """What was written where, the figures of its audit, and how many input records were passed over as bad.

    `verdict` says whether it may go out. Where it may not and nobody accepted that, it is `held`: all of it lies in
    `folder`, within the private one, and `release_held` lets it go; with `replace` it `took_place` of an earlier release,
    which is gone. `documents` is where the released texts are.
    """

    folder: Path
    private: Path
    documents: Path
    report: dict[str, Any]
    result: Deidentified
    verdict: Verdict
    bad_records: int = 0
    held: bool = False
    took_place: bool = False

    def __repr__(self) -> str:
        held = ", held" if self.held else ""
        return f"Released({len(self.result.documents)} documents, {len(self.result.withheld)} withheld{held})"


def deidentify_files(
    documents: Path,
    people: Path | str,
    out: Path,
    *,
    settings: Deidentification | None = None,
    attackers: Sequence[str] = ("all",),
    audit_sample: int = AUDIT_SAMPLE,
    attacker_people: Path | None = None,
    sensitive: Sequence[str] = (),
    training: Path | None = None,
    model: Sequence[Path] = (),
    attacker_model: Sequence[Path] = (),
    tagger: Sequence[Path] = (),
    gazetteers: Sequence[tuple[str, Path]] = (),
    allow: Path | None = None,
    private: Path | None = None,
    out_format: str | None = None,
    key_file: Path | None = None,
    split: str | None = None,
    limit: int | None = None,
    columns: Columns | None = None,
    people_id_column: str = "id",
    duplicates: str = REFUSE,
    fields: Sequence[str] = (),
    without_fields: Sequence[str] = (),
    graph: Path | None = None,
    always: Path | None = None,
    never: Path | None = None,
    keep: Sequence[str] = (),
    withhold_bad: bool = False,
    max_risk: float | None = None,
    accept_risk: str = "",
    workers: int = 1,
    replace: bool = False,
    progress: Progress = silent,
) -> Released:
    """`unname deidentify`: everything docs/files.md says of it. Nothing is written before all of it could be.

    Where attackers find more than `max_risk` of the people, or too little is known of that, the release stays in the
    private folder (`Released.held`) unless `accept_risk` gives a reason to let it go all the same.

    `training` holds documents of other people for whatever learns, instead of the rows outside `split`; `model` are
    folders of trained reidentifiers that serve, `attacker_model` of such as only attack; `tagger` of trained taggers.
    `gazetteers` and `allow` are lists of phrases for the rules.
    Documents and outcomes are kept in temporary files without a name beside `out`, so memory does not grow with them.
    """
    settings = settings or Deidentification()
    settings = changed(settings, keep=tuple(dict.fromkeys([*settings.keep, *keep])))
    if people == NOBODY:
        settings = changed(settings, unknown_person="floor-only")
    most = largest_risk(settings.k, max_risk)
    require_apart(out)
    where = layout_of(
        out, private, out_format or ("txt" if _is_texts(documents, columns) and not settings.keep else None)
    )
    tables = {
        "people": None if people in (FROM_DOCUMENTS, NOBODY) else Path(people), "attacker_people": attacker_people,
        "graph": graph, "always": always, "never": never, "training": training, "allow": allow,
        "persons": columns.persons if columns is not None else None,
        **{f"gazetteer {number}": path for number, (_, path) in enumerate(gazetteers, start=1)},
    }  # fmt: skip
    read = [documents, *model, *attacker_model, *tagger, *tables.values(), key_file]
    require_apart(where.folder, where.private, inputs=[path for path in read if path is not None])
    before = _require_free(where, replace=replace)
    settings, taggers = _with_taggers(settings, tagger, gazetteers, allow)
    _require_known(settings, attackers, taggers)
    key = read_key(key_file) if key_file else new_key()
    require_other(model, attacker_model)
    models, attacking = load_models(model), [load_model(folder) for folder in attacker_model]
    beside = next(folder for folder in out.resolve().parents if folder.exists())
    inputs, always_lines, never_lines = _read(
        documents, people, settings, split=split, limit=limit, columns=columns, fields=fields,
        without_fields=without_fields, graph=graph, always=always, never=never, withhold_bad=withhold_bad,
        people_id_column=people_id_column, duplicates=duplicates, spool=beside,
    )  # fmt: skip
    against = _against(inputs, attacker_people, sensitive, people_id_column)
    inputs = with_training(inputs, training, columns)
    require_unseen((*models.values(), *attacking), inputs.documents)
    with ExitStack() as stack:
        pool = stack.enter_context(
            WorkerPool(suitable_workers(workers, len(inputs.documents), inputs.population.letters))
        )
        pool.start()  # they load while the index is built
        result = hide_all(
            inputs.documents, inputs.population, settings=settings, key=key, always=always_lines, never=never_lines,
            training=inputs.others, models=models, taggers=taggers, pool=pool, into=lambda: outcome_spool(beside),
            progress=progress,
        )  # fmt: skip
        figures = assess(
            inputs, result, attackers=attackers, sample=audit_sample, against=against, sensitive=sensitive,
            models=attacking, pool=pool, progress=progress,
        )  # fmt: skip
        result = changed(result, recounted=figures.report.get("recounted", 0))
        verdict = with_verdict(figures.report, most, tried=tried_names(attackers))
        accept_risk = printable(accept_risk.strip())
        held = verdict.result != "pass" and not accept_risk
        figures.report["accepted_risk"] = accept_risk if verdict.result != "pass" else ""
        report = public_report(figures.report)
        page = pool.map(page_of, (), [report])
        advance = progress("write", 2)
        folders = [(where.private, True)] + ([] if held else [(where.folder, False)])
        asides = stack.enter_context(staged_folders(
            *folders, replace=replace, kinds=(PRIVATE, RELEASE)[: len(folders)], before=before,
            files={where.file: where.table} if where.file and not held else None,
            gone=[path for path in (where.file, where.folder) if path is not None] if held else (),
        ))  # fmt: skip
        hidden, shown = asides[0], asides[0] / HELD if held else asides[-1]
        if held:
            make_held(hidden, where)
        write_private(hidden, result, figures, key, inputs.bad_records)
        advance(1)
        write_release(shown, where.table, result, report, key)
        write_atomically(shown / "report.html", next(iter(list(page))))
        last_look(shown / where.table, result, key)
        sources = {"documents": documents, **tables, **_numbered("model", model), **_numbered("tagger", tagger),
                   **_numbered("attacker model", attacker_model)}  # fmt: skip
        chosen = {"split": split, "limit": limit, "fields": list(fields), "without_fields": list(without_fields),
                  "sensitive": list(sensitive), "audit_sample": audit_sample, "withhold_bad": withhold_bad,
                  "people": people if people in (FROM_DOCUMENTS, NOBODY) else "table", "columns": _told(columns),
                  "people_id_column": people_id_column, "duplicates": duplicates, "max_risk": round(most, 6),
                  "gazetteers": [label for label, _ in gazetteers]}  # fmt: skip
        made = manifest(
            inputs={name: path for name, path in sources.items() if path is not None},
            settings=versioned(result.settings, result.taggers),
            attackers=[a["name"] for a in figures.report["attackers"]],
            files={name: shown / name for name in (where.table, "report.html", "report.json")}, key=key, options=chosen,
        )  # fmt: skip
        made |= {"verdict": verdict.result, "accepted_risk": report["accepted_risk"]}
        write_json(shown / "manifest.json", made)
        advance(1)
    folder = where.private / HELD if held else where.folder
    documents_at = folder / where.table if held else where.released
    return Released(
        folder,
        where.private,
        documents_at,
        figures.report,
        result,
        verdict,
        len(inputs.bad_records),
        held,
        any(before[path] is not None for path in (where.folder, where.file) if path is not None) if held else False,
    )


def _is_texts(documents: Path, columns: Columns | None) -> bool:
    """Whether documents come as a folder of texts, and so should leave as one."""
    return documents.is_dir() and (columns is None or columns.format is None)


def _told(columns: Columns | None) -> dict[str, Any]:
    """What a manifest says of how tables were read: no names of files."""
    told = asdict(columns or Columns())
    return told | {name: told[name] is not None for name in ("persons", "person_pattern")}


def _require_free(where: Layout, *, replace: bool) -> dict[Path, Seen]:
    """That each output can be written, or is one of ours that may be replaced; what stands there now."""
    for folder, kind in ((where.folder, RELEASE), (where.private, PRIVATE)):
        require_absent(folder, replace=replace, kind=kind)
    require_replaceable(where, replace=replace)
    return {path: seen(path) for path in (where.folder, where.private, where.file) if path is not None}


def _numbered(kind: str, folders: Sequence[Path]) -> dict[str, Path]:
    """What a manifest says of models: the hash of the file that holds all their hashes."""
    return {f"{kind} {number}": folder / "model.json" for number, folder in enumerate(folders, start=1)}


def estimate_files(
    documents: Path,
    people: Path | str,
    *,
    settings: Deidentification | None = None,
    attackers: Sequence[str] = ("all",),
    attacker_people: Path | None = None,
    sensitive: Sequence[str] = (),
    training: Path | None = None,
    model: Sequence[Path] = (),
    attacker_model: Sequence[Path] = (),
    tagger: Sequence[Path] = (),
    gazetteers: Sequence[tuple[str, Path]] = (),
    allow: Path | None = None,
    split: str | None = None,
    limit: int | None = None,
    columns: Columns | None = None,
    people_id_column: str = "id",
    duplicates: str = REFUSE,
    fields: Sequence[str] = (),
    without_fields: Sequence[str] = (),
    graph: Path | None = None,
    always: Path | None = None,
    never: Path | None = None,
    withhold_bad: bool = False,
    workers: int = 1,
    progress: Progress = silent,
) -> Estimate:
    """`unname deidentify --dry-run`: everything is validated and a sample is masked, but nothing is written."""
    settings = settings or Deidentification()
    if people == NOBODY:
        settings = changed(settings, unknown_person="floor-only")
    settings, taggers = _with_taggers(settings, tagger, gazetteers, allow)
    _require_known(settings, attackers, taggers)
    inputs, always_lines, never_lines = _read(
        documents, people, settings, split=split, limit=limit, columns=columns, fields=fields,
        without_fields=without_fields, graph=graph, always=always, never=never, withhold_bad=withhold_bad,
        people_id_column=people_id_column, duplicates=duplicates,
    )  # fmt: skip
    _against(inputs, attacker_people, sensitive, people_id_column)
    inputs = with_training(inputs, training, columns)
    models = load_models([*model])
    require_other(model, attacker_model)
    require_unseen((*models.values(), *map(load_model, attacker_model)), inputs.documents)
    return estimate(
        inputs, settings, always=always_lines, never=never_lines, models=models, taggers=taggers, workers=workers,
        attackers=attackers, progress=progress,
    )  # fmt: skip


def _read(
    documents: Path,
    people: Path | str,
    settings: Deidentification,
    *,
    always: Path | None,
    never: Path | None,
    spool: Path | None = None,
    **options: Any,
) -> tuple[Inputs, tuple[str, ...], tuple[str, ...]]:
    """Inputs and both word lists, validated."""
    lists = [tuple(read_lines(path)) if path else () for path in (always, never)]
    for lines in lists:
        Patterns.compile(lines)
    inputs = read_inputs(
        documents, people, unknown_person=settings.unknown_person, spool=spool,
        direct=lambda population: direct_fields(population, settings.direct, settings.direct_only), **options,
    )  # fmt: skip
    _require_releasable(inputs, settings)
    return inputs, lists[0], lists[1]


def _against(
    inputs: Inputs, attacker_people: Path | None, sensitive: Sequence[str], id_column: str
) -> Population | None:
    """What the attackers know, and that all sensitive fields are there: both read before any work."""
    require_fields(sensitive, inputs.population.full)
    return attacker_population(inputs, attacker_people, id_column) if attacker_people is not None else None


def _with_taggers(
    settings: Deidentification, folders: Sequence[Path], gazetteers: Sequence[tuple[str, Path]], allow: Path | None
) -> tuple[Deidentification, list[Tagger]]:
    """Taggers that hold something of the user's, a model or a list, and settings that name the others."""
    if not gazetteers and allow is None:
        return settings, make_taggers((), folders)
    mine = tuple(dict.fromkeys(label for label, _ in gazetteers))
    hidden = settings.hide or getattr(registry.create(registry.METHODS, settings.method), "hide", ())
    left = tuple(label for label in mine if not wanted(label, hidden))
    if left and settings.hide:
        number = next(number for number, (label, _) in enumerate(gazetteers, start=1) if label in left)
        raise SettingsError(f"gazetteer {number}: its label is not among what hide names")
    if left:
        settings = changed(settings, hide=(*hidden, *left))
    return changed(settings, taggers=()), make_taggers(settings.taggers, folders, gazetteers=gazetteers, allow=allow)


def _require_known(settings: Deidentification, attackers: Sequence[str], taggers: Sequence[Tagger]) -> None:
    """Every name must stand for something that is installed; better said now than after the work."""
    if "auto" in settings.reidentifiers and settings.reidentifiers != AUTO:
        raise SettingsError("reidentifiers: auto stands alone")
    for name in settings.reidentifiers if settings.reidentifiers != AUTO else ():
        registry.resolve(registry.REIDENTIFIERS, name)
    make_method(settings, taggers)
    registry.resolve(registry.TRANSFORMS, settings.transform)
    resolve_attackers(attackers)


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


def versioned(settings: Deidentification, taggers: Sequence[Tagger] = ()) -> dict[str, Any]:
    """Settings with every name in its versioned form, so that they mean the same for ever; `taggers` are those at work."""
    values = settings.as_dict()
    values["method"] = registry.resolve(registry.METHODS, settings.method)
    values["transform"] = registry.resolve(registry.TRANSFORMS, settings.transform)
    values["taggers"] = [tagger.name for tagger in taggers]
    if settings.reidentifiers != AUTO:
        values["reidentifiers"] = [registry.resolve(registry.REIDENTIFIERS, name) for name in settings.reidentifiers]
    return values
