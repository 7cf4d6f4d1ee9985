"""The main job as files: read, mask, audit, write a release folder and a private one, and look once more for leaks."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unname import registry
from unname.auditing.leaks import direct_identifiers
from unname.auditing.report import render
from unname.auditing.utility import hidden_words
from unname.errors import SettingsError, UnsafeReleaseError
from unname.knowledge.population import direct_fields
from unname.log import Progress, silent
from unname.run.audit import Audit, audit, prepare, resolve_attackers
from unname.run.curve import curve_over_k
from unname.run.deidentify import Deidentified, deidentify, make_method, surviving, written_tokens
from unname.run.inputs import Inputs, read_inputs
from unname.run.keys import new_key, read_key, release_id
from unname.settings import Deidentification
from unname.storage.files import require_absent, require_apart, staged_folders, write_atomically
from unname.storage.manifest import manifest
from unname.storage.tables import Columns, read_lines, write_json, write_jsonl
from unname.types import Document, MaskSpan


@dataclass(frozen=True, slots=True, repr=False)
class Released:
    """What was written where, and the figures of its audit."""

    folder: Path
    private: Path
    report: dict[str, Any]
    result: Deidentified

    def __repr__(self) -> str:
        return f"Released({len(self.result.documents)} documents, {len(self.result.withheld)} withheld)"


def private_folder(out: Path) -> Path:
    """`DIR.private`, beside the release."""
    return out.with_name(out.name + ".private")


def deidentify_files(
    documents: Path,
    people: Path,
    out: Path,
    *,
    settings: Deidentification | None = None,
    attackers: Sequence[str] = ("all",),
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
    replace: bool = False,
    progress: Progress = silent,
) -> Released:
    """`unname deidentify`: everything CONTRACTS promises of it. Nothing is written before all of it could be."""
    settings = settings or Deidentification()
    require_apart(out)
    private = private or private_folder(out)
    given = (documents, people, graph, always, never, key_file)
    require_apart(out, private, inputs=[p for p in given if p is not None])
    for folder in (out, private):
        require_absent(folder, replace=replace)
    if {"id", "text"} & set(keep):
        raise SettingsError("keep must not name a column id or text: the release has its own")
    for name in settings.reidentifiers:
        registry.resolve(registry.REIDENTIFIERS, name)
    make_method(settings)
    registry.resolve(registry.TRANSFORMS, settings.transform)
    resolve_attackers(attackers)
    key = read_key(key_file) if key_file else new_key()
    always_lines, never_lines = (read_lines(path) if path else [] for path in (always, never))
    inputs = read_inputs(
        documents, people, split=split, limit=limit, columns=columns,
        fields=fields, without_fields=without_fields, graph=graph,
    )  # fmt: skip
    _require_releasable(inputs, settings, keep)
    result = deidentify(
        inputs.documents, inputs.population, settings=settings, key=key,
        always=always_lines, never=never_lines, progress=progress,
    )  # fmt: skip
    figures = audit_of(inputs, result, attackers=attackers, progress=progress)
    with staged_folders((private, True), (out, False), replace=replace) as (hidden, shown):
        _write_private(hidden, result, figures, key)
        _write_release(shown, result, figures, key, keep)
        _last_look(shown / "documents.jsonl", result, key)
        sources = {"documents": documents, "people": people} | ({"graph": graph} if graph else {})
        written = {name: shown / name for name in ("documents.jsonl", "report.html", "report.json")}
        names = [a["name"] for a in figures.report["attackers"]]
        made = manifest(inputs=sources, settings=versioned(settings), attackers=names, files=written)
        write_json(shown / "manifest.json", made)
    return Released(out, private, figures.report, result)


def _require_releasable(inputs: Inputs, settings: Deidentification, keep: Sequence[str]) -> None:
    """Kept columns must exist, and kept ids must not name anybody: better said now than after the work."""
    known = {name for document in inputs.documents for name in document.metadata}
    unknown = [name for name in keep if name not in known]
    if unknown:
        raise SettingsError(f"no document has a column {unknown[0]!r} to keep; known: {', '.join(sorted(known))}")
    if settings.ids != "keep":
        return
    population, direct = inputs.population, direct_fields(inputs.population, settings.direct)
    for number, document in enumerate(inputs.documents, start=1):
        if direct_identifiers(population.profiles[population.rows[str(document.person)]], direct).find(document.id):
            raise UnsafeReleaseError(f"documents: record {number}: field 'id' names the person; do not keep ids")


def versioned(settings: Deidentification) -> dict[str, Any]:
    """Settings with every name in its versioned form, so that they mean the same for ever."""
    values = settings.as_dict()
    values["method"] = registry.resolve(registry.METHODS, settings.method)
    values["transform"] = registry.resolve(registry.TRANSFORMS, settings.transform)
    values["reidentifiers"] = [registry.resolve(registry.REIDENTIFIERS, name) for name in settings.reidentifiers]
    return values


def audit_of(
    inputs: Inputs, result: Deidentified, *, attackers: Sequence[str] = ("all",), progress: Progress = silent
) -> Audit:
    """Audit a result in memory, with the curve over k where the method is the search."""
    settings = result.settings
    prepared = prepare(
        inputs.documents, inputs.population, attackers=attackers, used=settings.reidentifiers,
        training=inputs.others, k=settings.k, seed=settings.seed, progress=progress,
    )  # fmt: skip
    figures = audit(prepared, result.texts(), masks=result.masks, progress=progress)
    method = registry.resolve(registry.METHODS, settings.method)
    figures.report["method"] = f"{method} against {', '.join(result.ensemble.members)}, {settings.transform}"
    figures.report["direct_fields"] = list(result.direct)
    figures.report["recounted"] = result.recounted
    figures.report["withheld"]["reasons"] = _counts(result.withheld.values())
    figures.report["graph_persons_without_profile"] = inputs.graph_strangers
    if method == "greedy.v1":
        figures.report["curve"] = curve_over_k(
            inputs.documents, inputs.population, result.ensemble, prepared.attackers,
            seed=settings.seed, progress=progress,
        )  # fmt: skip
    return figures


def _counts(values: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return dict(sorted(found.items()))


def _public_id(document: Document, result: Deidentified, key: bytes) -> str:
    return document.id if result.settings.ids == "keep" else release_id(key, document.id)


def _write_release(folder: Path, result: Deidentified, figures: Audit, key: bytes, keep: Sequence[str]) -> None:
    rows = []
    for document, release in zip(result.documents, result.releases, strict=True):
        if release is not None:
            kept = {name: document.metadata[name] for name in keep if name in document.metadata}
            rows.append({"id": _public_id(document, result, key), "text": release.text, **kept})
    if result.settings.ids != "keep":
        rows.sort(key=lambda row: row["id"])
    write_jsonl(folder / "documents.jsonl", rows)
    write_json(folder / "report.json", figures.report)
    write_atomically(folder / "report.html", render(figures.report).encode())


def _span(span: MaskSpan) -> dict[str, Any]:
    return {
        "start": span.start, "end": span.end, "method": span.method, "step": span.step, "label": span.label,
        "score": span.score, "crowd_before": dict(span.crowd_before), "crowd_after": dict(span.crowd_after),
    }  # fmt: skip


def _write_private(folder: Path, result: Deidentified, figures: Audit, key: bytes) -> None:
    masks, risks, offsets = [], [], []
    risk_of = {row["id"]: row for row in figures.documents}
    for i, document in enumerate(result.documents):
        public = _public_id(document, result, key)
        mask, release = result.masks[i], result.releases[i]
        masks.append({"id": document.id, "release_id": public, "spans": [_span(s) for s in mask.spans]})
        hidden, total = hidden_words(document, mask)
        together = dict(result.person_crowds.get(str(document.person), {}))
        risks.append(
            {
                "id": document.id, "release_id": public, "withheld": document.id in result.withheld,
                "target": result.targets[i], "crowds": dict(result.crowds[i]), "person_crowds": together,
                "found_by": risk_of[document.id]["found_by"], "hidden_words": hidden, "words": total,
            }
        )  # fmt: skip
        if release is not None:
            offsets.append({"id": document.id, "release_id": public, "pieces": [list(p) for p in release.pieces]})
    write_jsonl(folder / "masks.jsonl", masks, private=True)
    write_jsonl(folder / "documents.jsonl", risks, private=True)
    write_jsonl(folder / "offsets.jsonl", offsets, private=True)
    failures = [{"id": name, "reason": reason} for name, reason in result.withheld.items()]
    write_jsonl(folder / "failures.jsonl", failures, private=True)
    write_atomically(folder / "key", (key.hex() + "\n").encode(), private=True)


def _last_look(path: Path, result: Deidentified, key: bytes) -> None:
    """Read the written file back: every document that should be there is, and none names its person."""
    population = result.population
    cleared = {_public_id(d, result, key): i for i, d in enumerate(result.documents) if d.id not in result.withheld}
    seen = set()
    for line in path.read_bytes().split(b"\n")[:-1]:
        row = json.loads(line)
        place = cleared.get(row["id"])
        release = None if place is None else result.releases[place]
        if place is None or release is None or row["text"] != release.text:
            raise UnsafeReleaseError("the written file holds something that was not cleared; nothing was released")
        profile = population.profiles[population.rows[str(result.documents[place].person)]]
        identifiers = direct_identifiers(profile, result.direct)
        tokens = written_tokens(result.masks[place], release)
        # A keyed id needs no look: it is an HMAC, whose digits may look like anybody's number.
        unseen = ("text",) if result.settings.ids == "keep" else ("id", "text")
        kept = [str(value) for name, value in row.items() if name not in unseen]
        if surviving(identifiers, release.text, tokens) or any(identifiers.find(value) for value in kept):
            raise UnsafeReleaseError(
                "a direct identifier of a person is left in a written file (text or kept column); nothing was released"
            )
        seen.add(row["id"])
    if seen != set(cleared):
        raise UnsafeReleaseError("the written file does not hold exactly the documents that were cleared")
