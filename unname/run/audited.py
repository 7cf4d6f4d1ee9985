"""`unname audit` as files: any tool's masked corpus against its originals, and the report of it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unname.auditing.report import render
from unname.errors import InputError
from unname.log import Progress, silent
from unname.run.audit import audit, prepare
from unname.run.inputs import read_inputs
from unname.storage.files import require_absent, require_apart, staged_folders, write_atomically
from unname.storage.tables import Columns, read_documents, records, write_json
from unname.types import Mask, MaskSpan


def audit_files(
    released: Path,
    original: Path,
    people: Path,
    out: Path,
    *,
    private: Path | None = None,
    attackers: Sequence[str] = ("all",),
    used: Sequence[str] | None = None,
    mask_pattern: str | None = None,
    k: int | None = None,
    split: str | None = None,
    columns: Columns | None = None,
    fields: Sequence[str] = (),
    without_fields: Sequence[str] = (),
    graph: Path | None = None,
    seed: int = 0,
    replace: bool = False,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Attack a release (a table, or a release folder) and write `report.html` and `report.json`.

    Documents are matched by id; with `private` (a release's private folder) through its keyed ids, and its masks are
    counted instead of an alignment. Originals that the release does not hold count as withheld.
    """
    inside = [p for p in (released, original, people, private, graph) if p is not None]
    require_apart(out, inputs=inside)
    require_absent(out, replace=replace)
    settings = _settings_beside(released)
    table = released / "documents.jsonl" if released.is_dir() else released
    inputs = read_inputs(
        original, people, split=split, columns=columns, fields=fields, without_fields=without_fields, graph=graph
    )
    texts = {d.id: d.text for d in read_documents(table)}
    names, masks = _private_masks(private) if private else ({}, {})
    public = {d.id: names.get(d.id, d.id) for d in inputs.documents}
    strangers = len(set(texts) - set(public.values()))
    if strangers:
        raise InputError(
            f"{table.name}: {strangers} released documents have no original of that id; "
            "for a release with keyed ids name its private folder (--private)"
        )
    served = tuple(used) if used is not None else tuple(settings.get("reidentifiers", ()))
    prepared = prepare(
        inputs.documents, inputs.population, attackers=attackers, used=served, training=inputs.others,
        k=k or int(settings.get("k", 10)), seed=seed, progress=progress,
    )  # fmt: skip
    found = audit(
        prepared,
        [texts.get(public[d.id]) for d in inputs.documents],
        masks=[masks.get(d.id, Mask(d.id)) for d in inputs.documents] if private else None,
        mask_pattern=mask_pattern,
        progress=progress,
    )
    with staged_folders((out, False), replace=replace) as (folder,):
        write_json(folder / "report.json", found.report)
        write_atomically(folder / "report.html", render(found.report, title="Audit report").encode())
    return found.report


def _settings_beside(released: Path) -> dict[str, Any]:
    path = (released if released.is_dir() else released.parent) / "manifest.json"
    if not path.is_file():
        return {}
    try:
        settings = dict(json.loads(path.read_text(encoding="utf-8"))["settings"])
        return {"reidentifiers": tuple(settings.get("reidentifiers", ())), "k": int(settings.get("k", 10))}
    except (ValueError, KeyError, TypeError):
        raise InputError("manifest.json beside the release is damaged") from None


def _private_masks(folder: Path) -> tuple[dict[str, str], dict[str, Mask]]:
    names: dict[str, str] = {}
    masks: dict[str, Mask] = {}
    for number, row in records(folder / "masks.jsonl"):
        try:
            spans = tuple(MaskSpan(s["start"], s["end"], s["method"]) for s in row["spans"])
            names[row["id"]] = row["release_id"]
        except (KeyError, TypeError):
            raise InputError(f"masks.jsonl: record {number}: not a mask of a release") from None
        masks[row["id"]] = Mask(row["id"], spans)
    return names, masks
