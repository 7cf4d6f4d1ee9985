"""`unname audit` as files: any tool's masked corpus against its originals, and the report of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import Any

from unname import registry
from unname.auditing.diversity import require_fields
from unname.auditing.report import render
from unname.auditing.verdict import largest_risk, with_verdict
from unname.auditing.versions import with_metadata
from unname.errors import InputError, ModelError, SettingsError
from unname.knowledge.population import Population
from unname.log import Progress, silent
from unname.parallel.pool import WorkerPool, suitable_workers
from unname.reidentifiers.ensemble import Ensemble, is_trained
from unname.reidentifiers.models import load_model
from unname.run.audit import audit, kind_of_audit, prepare, tried_names
from unname.run.inputs import FROM_DOCUMENTS, NOBODY, REFUSE, attacker_population, read_inputs, with_training
from unname.run.models import require_unseen, served_models
from unname.storage.dialects import Dialect
from unname.storage.faults import shown_name
from unname.storage.files import REPORT, require_absent, require_apart, staged_folders, write_atomically
from unname.storage.modelfolder import parse_json, read_bytes
from unname.storage.tables import Columns, plain_cell, read_documents, records, write_json
from unname.types import Document, Mask, MaskSpan
from unname.verifying.same_run import require_fitting, require_unchanged
from unname.writing.layout import manifest_beside, released_documents

_TABLE_COLUMNS = frozenset(["id", "text", "person", "split", "spans"])


def audit_files(
    released: Path,
    original: Path,
    people: Path | str,
    out: Path,
    *,
    people_id_column: str = "id",
    duplicates: str = REFUSE,
    max_risk: float | None = None,
    private: Path | None = None,
    attackers: Sequence[str] = ("all",),
    used: Sequence[str] | None = None,
    attacker_people: Path | None = None,
    training: Path | None = None,
    attacker_model: Sequence[Path] = (),
    previous: Sequence[Path] = (),
    previous_private: Sequence[Path] = (),
    sensitive: Sequence[str] = (),
    mask_pattern: str | None = None,
    k: int | None = None,
    split: str | None = None,
    columns: Columns | None = None,
    fields: Sequence[str] = (),
    without_fields: Sequence[str] = (),
    graph: Path | None = None,
    seed: int = 0,
    workers: int = 1,
    replace: bool = False,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Attack a release (a table, or a release folder) and write `report.html` and `report.json`.

    Documents are matched by id; with `private` (a release's private folder) through its keyed ids, and its masks are
    counted instead of an alignment. Originals that the release does not hold count as withheld. Every further column of
    the released table is metadata that attackers read too. `attacker_people` are the profiles that the attackers know
    instead, with all their fields; `training` are documents of other people to learn from, `attacker_model` folders of
    attackers that were trained elsewhere. `previous` releases are matched in the same way, through `previous_private`
    (one for each, in their order), else through `private`, else by id, and read beside this one. `sensitive` fields may
    be among those that `fields` and `without_fields` keep from the attackers. `workers` processes share the work (0: as
    many as pay) and change no figure. Models that served lie in `private` and attack as what served.
    StateError: with `private`, a release that is not as its manifest says, or that its masks do not make of the originals.
    """
    if previous_private and len(previous_private) != len(previous):
        raise SettingsError("name one private folder for each previous release, in the same order, or none at all")
    given = (private, graph, attacker_people, training, *attacker_model, *previous, *previous_private)
    if people == NOBODY:
        raise SettingsError("people none: an audit looks for people; it needs to know who there are")
    table_of_people = [] if people == FROM_DOCUMENTS else [Path(people)]
    require_apart(out, inputs=[released, original, *table_of_people, *(p for p in given if p is not None)])
    require_absent(out, replace=replace, kind=REPORT)
    settings = _settings_beside(released)
    inputs = read_inputs(
        original, people, split=split, columns=columns, fields=fields, without_fields=without_fields, graph=graph,
        people_id_column=people_id_column, duplicates=duplicates,
    )  # fmt: skip
    everything = inputs.population.everything or None
    require_fields(sensitive, everything or inputs.population.profiles)
    table = _read_release(released)
    names, masks = _private_masks(private) if private else ({}, {})
    public = {d.id: names.get(d.id, d.id) for d in inputs.documents}
    _require_originals(table, public.values())
    if private:
        require_unchanged(table.path, settings.get("files", {}))
        require_fitting(inputs.documents, table.texts, names, masks, private)
    earlier, unmatched = _earlier_releases(previous, previous_private, names, inputs.documents)
    served = tuple(used) if used is not None else tuple(settings.get("reidentifiers", ()))
    kept = [table.beside.get(public[d.id], "") for d in inputs.documents]
    known = attacker_population(inputs, attacker_people, people_id_column) if attacker_people else None
    inputs = with_training(inputs, training, columns)
    models = [load_model(folder) for folder in attacker_model]
    require_unseen(models, inputs.documents)
    ready, missing = _what_served(served, private, inputs.population)
    if missing and used is not None:
        raise SettingsError(f"{missing[0]} learned before it served: name the release's private folder, where it lies")
    with WorkerPool(suitable_workers(workers, len(inputs.documents), inputs.population.letters)) as pool:
        prepared = prepare(
            inputs.documents, inputs.population, attackers=attackers, used=served, training=inputs.others,
            k=k or int(settings.get("k", 10)), seed=seed, ready=ready, attacker_population=known, kept=kept,
            models=models, pool=pool, progress=progress,
        )  # fmt: skip
        found = audit(
            prepared,
            [table.texts.get(public[d.id]) for d in inputs.documents],
            masks=[masks.get(d.id, Mask(d.id)) for d in inputs.documents] if private else None,
            mask_pattern=mask_pattern,
            kept_columns=table.columns,
            previous=earlier,
            sensitive=sensitive,
            hidden_fields=everything,
            progress=progress,
        )
    if missing:
        found.report["not_tried"] = missing
    if previous:
        found.report["previous"]["unmatched"] = unmatched
    found.report["audit"] = kind_of_audit(attackers)
    with_verdict(found.report, largest_risk(prepared.k, max_risk), tried=tried_names(attackers))
    with staged_folders((out, False), replace=replace, kinds=(REPORT,)) as (folder,):
        write_json(folder / "report.json", found.report)
        write_atomically(folder / "report.html", render(found.report, title="Audit report").encode())
    return found.report


def _what_served(
    served: Sequence[str], private: Path | None, population: Population
) -> tuple[Ensemble | None, list[str]]:
    """The models that served, from a private folder, and the names of those that learned and are not there."""
    ready = served_models(private, population) if private else None
    learned = [name for name in served if is_trained(registry.REIDENTIFIERS, name)]
    held = ready.members if ready is not None else {}
    return ready, [name for name in learned if registry.resolve(registry.REIDENTIFIERS, name) not in held]


@dataclass(frozen=True, slots=True, repr=False)
class _Table:
    """A released table by public id: texts, the metadata beside each (joined by newlines), and the metadata's columns."""

    path: Path
    texts: dict[str, str]
    beside: dict[str, str]
    columns: tuple[str, ...]

    def __repr__(self) -> str:
        return f"_Table({len(self.texts)} documents, {len(self.columns)} columns)"

    @property
    def name(self) -> str:
        """The table's own name, as messages may show it."""
        return shown_name(self.path)


def _require_originals(table: _Table, public: Iterable[str]) -> None:
    known = set(public)
    strangers = [number for number, name in enumerate(table.texts, start=1) if name not in known]
    if strangers:
        raise InputError(
            f"{table.name}: {len(strangers)} released documents have no original of that id, record {strangers[0]} the "
            "first of them; "
            "for a release with keyed ids name its private folder (--private)"
        )


def _read_release(released: Path) -> _Table:
    """A table of any tool, the documents of a release folder, or a folder of texts."""
    path = released_documents(released)
    ours = manifest_beside(released) is not None and path.suffix == ".csv"
    restored = plain_cell if ours else str
    texts = {
        d.id: restored(d.text) for d in read_documents(path, Columns(dialect=Dialect("utf-8", ",")) if ours else None)
    }
    beside: dict[str, str] = {}
    columns: dict[str, None] = {}
    for _, row in records(path) if path.is_file() else ():
        values = {name: _said(value) for name, value in row.items() if name not in _TABLE_COLUMNS}
        columns |= {name: None for name, value in values.items() if value}
        beside[str(row["id"])] = "\n".join(value for value in values.values() if value)
    return _Table(path, texts, beside, tuple(columns))


def _said(value: Any) -> str:
    """All that a value of any shape says, names of its parts left out."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return "\n".join(part for part in map(_said, value) if part)
    return str(value)


def _earlier_releases(
    previous: Sequence[Path], private: Sequence[Path], names: dict[str, str], documents: Sequence[Document]
) -> tuple[list[list[str | None]], int]:
    """Each earlier release's texts with their metadata in the order of the documents; how many matched no document."""
    found, unmatched = [], 0
    for number, path in enumerate(previous):
        table = _read_release(path)
        maps = [_private_masks(private[number])[0]] if private else [names, {}]
        public = max(
            ([known.get(d.id, d.id) for d in documents] for known in maps),
            key=lambda ids: len(table.texts.keys() & set(ids)),
        )
        matched = len(table.texts.keys() & set(public))
        if not matched:
            raise InputError(
                f"{table.name}: none of the documents released earlier has an original of that id; "
                "for a release with keyed ids of another key name its private folder (--previous-private)"
            )
        unmatched += len(table.texts) - matched
        texts = [table.texts.get(name) for name in public]
        found.append(with_metadata(texts, [table.beside.get(name, "") for name in public]))
    return found, unmatched


def _settings_beside(released: Path) -> dict[str, Any]:
    """What the manifest beside a release says of how it was made; nothing of it is believed before it is looked at."""
    path = manifest_beside(released)
    if path is None:
        return {}
    damaged = InputError("manifest.json beside the release is damaged")
    try:
        made = parse_json(read_bytes(path, _LONGEST_MANIFEST))
        settings, files = made["settings"], made.get("files") or {}
        names, k = settings.get("reidentifiers", []), settings.get("k", 10)
        plain = isinstance(names, list) and all(isinstance(name, str) for name in names)
        hashes = isinstance(files, dict) and all(isinstance(value, str) for value in files.values())
        if not (plain and hashes and type(k) is int and 0 < k < 1 << 31):
            raise damaged
        known = [registry.resolve(registry.REIDENTIFIERS, name) for name in names]
    except (ModelError, SettingsError, KeyError, TypeError, AttributeError):
        raise damaged from None
    return {"reidentifiers": tuple(known), "k": k, "files": files}


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
