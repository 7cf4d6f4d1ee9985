"""The main job as files: read, mask, audit, write a release folder and a private one, and look once more for leaks."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

from unname import registry
from unname.auditing.diversity import require_fields
from unname.auditing.leaks import direct_identifiers
from unname.errors import SettingsError, UnsafeReleaseError
from unname.knowledge.population import Population, direct_fields, require_crowd_possible
from unname.log import Progress, silent
from unname.reidentifiers.models import load_model
from unname.run.assessment import AUDIT_SAMPLE, assess
from unname.run.audit import resolve_attackers
from unname.run.deidentify import Deidentified, hide_all, make_method
from unname.run.estimate import Estimate, estimate
from unname.run.inputs import FROM_DOCUMENTS, Inputs, read_inputs, with_training
from unname.run.keys import new_key, read_key
from unname.run.models import load_models, require_other, require_unseen
from unname.run.outcomes import outcome_spool
from unname.run.patterns import Patterns
from unname.run.tagging import make_taggers
from unname.run.workers import Crew, suitable_workers
from unname.run.writing import last_look, page_of, write_private, write_release
from unname.settings import AUTO, Deidentification
from unname.storage.files import PRIVATE, RELEASE, require_absent, require_apart, staged_folders, write_atomically
from unname.storage.manifest import manifest
from unname.storage.tables import Columns, read_lines, read_profiles, write_json
from unname.taggers.base import Tagger
from unname.taggers.labels import wanted


@dataclass(frozen=True, slots=True, repr=False)
class Released:
    """What was written where, the figures of its audit, and how many input records were passed over as bad."""

    folder: Path
    private: Path
    report: dict[str, Any]
    result: Deidentified
    bad_records: int = 0

    def __repr__(self) -> str:
        return f"Released({len(self.result.documents)} documents, {len(self.result.withheld)} withheld)"


def private_folder(out: Path) -> Path:
    """`DIR.private`, beside the release."""
    return out.with_name(out.name + ".private")


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
    key_file: Path | None = None,
    split: str | None = None,
    limit: int | None = None,
    columns: Columns | None = None,
    fields: Sequence[str] = (),
    without_fields: Sequence[str] = (),
    graph: Path | None = None,
    always: Path | None = None,
    never: Path | None = None,
    keep: Sequence[str] = (),
    withhold_bad: bool = False,
    workers: int = 1,
    replace: bool = False,
    progress: Progress = silent,
) -> Released:
    """`unname deidentify`: everything docs/files.md says of it. Nothing is written before all of it could be.

    `training` holds documents of other people for whatever learns, instead of the rows outside `split`; `model` are
    folders of trained reidentifiers that serve, `attacker_model` of such as only attack; `tagger` of trained taggers.
    `gazetteers` and `allow` are lists of phrases for the rules.
    Documents and outcomes are kept in temporary files without a name beside `out`, so memory does not grow with them.
    """
    settings = settings or Deidentification()
    settings = changed(settings, keep=tuple(dict.fromkeys([*settings.keep, *keep])))
    require_apart(out)
    private = private or private_folder(out)
    tables = {
        "people": None if people == FROM_DOCUMENTS else Path(people), "attacker_people": attacker_people, "graph": graph,
        "always": always, "never": never, "training": training, "allow": allow,
        **{f"gazetteer {number}": path for number, (_, path) in enumerate(gazetteers, start=1)},
    }  # fmt: skip
    read = [documents, *model, *attacker_model, *tagger, *tables.values(), key_file]
    require_apart(out, private, inputs=[path for path in read if path is not None])
    for folder, kind in ((out, RELEASE), (private, PRIVATE)):
        require_absent(folder, replace=replace, kind=kind)
    settings, taggers = _with_taggers(settings, tagger, gazetteers, allow)
    _require_known(settings, attackers, taggers)
    key = read_key(key_file) if key_file else new_key()
    require_other(model, attacker_model)
    models, attacking = load_models(model), [load_model(folder) for folder in attacker_model]
    beside = next(folder for folder in out.resolve().parents if folder.exists())
    inputs, always_lines, never_lines = _read(
        documents, people, settings, split=split, limit=limit, columns=columns, fields=fields,
        without_fields=without_fields, graph=graph, always=always, never=never, withhold_bad=withhold_bad,
        spool=beside,
    )  # fmt: skip
    against = _against(inputs, attacker_people, sensitive)
    inputs = with_training(inputs, training, columns)
    require_unseen((*models.values(), *attacking), inputs.documents)
    with ExitStack() as stack:
        crew = stack.enter_context(Crew(suitable_workers(workers, len(inputs.documents))))
        crew.start()  # they load while the index is built
        result = hide_all(
            inputs.documents, inputs.population, settings=settings, key=key, always=always_lines, never=never_lines,
            training=inputs.others, models=models, taggers=taggers, spread=crew, into=lambda: outcome_spool(beside),
            progress=progress,
        )  # fmt: skip
        figures = assess(
            inputs, result, attackers=attackers, sample=audit_sample, against=against, sensitive=sensitive,
            models=attacking, spread=crew, progress=progress,
        )  # fmt: skip
        result = changed(result, recounted=figures.report.get("recounted", 0))
        page = crew(page_of, (), [figures.report])
        advance = progress("write", 2)
        hidden, shown = stack.enter_context(
            staged_folders((private, True), (out, False), replace=replace, kinds=(PRIVATE, RELEASE))
        )
        write_private(hidden, result, figures, key, inputs.bad_records)
        advance(1)
        write_release(shown, result, figures, key)
        write_atomically(shown / "report.html", next(iter(list(page))))
        last_look(shown / "documents.jsonl", result, key)
        sources = {"documents": documents, **tables, **_numbered("model", model), **_numbered("tagger", tagger),
                   **_numbered("attacker model", attacker_model)}  # fmt: skip
        chosen = {"split": split, "limit": limit, "fields": list(fields), "without_fields": list(without_fields),
                  "sensitive": list(sensitive), "audit_sample": audit_sample, "withhold_bad": withhold_bad,
                  "from_documents": people == FROM_DOCUMENTS, "columns": asdict(columns or Columns()),
                  "gazetteers": [label for label, _ in gazetteers]}  # fmt: skip
        made = manifest(
            inputs={name: path for name, path in sources.items() if path is not None},
            settings=versioned(result.settings, result.taggers),
            attackers=[a["name"] for a in figures.report["attackers"]],
            files={name: shown / name for name in ("documents.jsonl", "report.html", "report.json")}, options=chosen,
        )  # fmt: skip
        write_json(shown / "manifest.json", made)
        advance(1)
    return Released(out, private, figures.report, result, len(inputs.bad_records))


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
    settings, taggers = _with_taggers(settings, tagger, gazetteers, allow)
    _require_known(settings, attackers, taggers)
    inputs, always_lines, never_lines = _read(
        documents, people, settings, split=split, limit=limit, columns=columns, fields=fields,
        without_fields=without_fields, graph=graph, always=always, never=never, withhold_bad=withhold_bad,
    )  # fmt: skip
    _against(inputs, attacker_people, sensitive)
    inputs = with_training(inputs, training, columns)
    models = load_models([*model])
    require_other(model, attacker_model)
    require_unseen((*models.values(), *map(load_model, attacker_model)), inputs.documents)
    return estimate(
        inputs, settings, always=always_lines, never=never_lines, models=models, taggers=taggers, workers=workers,
        progress=progress,
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
    required = settings.unknown_person in ("auto", "error")
    inputs = read_inputs(documents, people, require_person=required, spool=spool, **options)
    _require_releasable(inputs, settings)
    return inputs, lists[0], lists[1]


def _against(inputs: Inputs, attacker_people: Path | None, sensitive: Sequence[str]) -> Population | None:
    """What the attackers know, and that all sensitive fields are there: both read before any work."""
    require_fields(sensitive, inputs.full or inputs.population.profiles)
    return Population(tuple(read_profiles(attacker_people))) if attacker_people is not None else None


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
    require_crowd_possible(inputs.population, settings.k)
    if settings.keep:
        known = {name for document in inputs.documents for name in document.metadata}
        unknown = [name for name in settings.keep if name not in known]
        if unknown:
            raise SettingsError(f"no document has a column {unknown[0]!r} to keep; known: {', '.join(sorted(known))}")
    if settings.ids != "keep":
        return
    population, direct = inputs.population, direct_fields(inputs.population, settings.direct)
    for number, document in enumerate(inputs.documents, start=1):
        column = population.rows.get(str(document.person))
        if column is not None and direct_identifiers(population.profiles[column], direct).find(document.id):
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
