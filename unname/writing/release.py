"""A job's two folders: the release and the private one."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from unname.auditing.page import render
from unname.auditing.report import Report
from unname.errors import UnsafeReleaseError
from unname.knowledge.identifiers import direct_identifiers
from unname.protecting.keys import release_id
from unname.protecting.outcomes import Outcome
from unname.protecting.result import Deidentified
from unname.storage.files import write_atomically, written_atomically
from unname.storage.tables import json_line, write_json, write_jsonl, write_table
from unname.storage.vault import Keys, write_rows
from unname.types import Document, MaskSpan
from unname.writing.private_models import write_models
from unname.writing.versions import SECRETS, rows_of_the_gone, secrets_of_the_gone, secrets_row, version_row


def public_id(name: str, made: Deidentified, key: bytes) -> str:
    """The id under which a document is released."""
    return name if made.settings.ids == "keep" else release_id(key, name)


def _release_order(made: Deidentified, key: bytes) -> npt.NDArray[np.int64]:
    """Places of the input in the order of the release: as given where ids are kept, else by their keyed ids."""
    if made.settings.ids == "keep":
        return np.arange(len(made.documents))
    names = np.fromiter((release_id(key, d.id).encode() for d in made.documents), "S32", len(made.documents))
    return np.argsort(names, kind="stable")


def released(made: Deidentified, key: bytes) -> Iterator[tuple[int, Document, Outcome]]:
    """Place, document and outcome of each released document, in the order of the release."""
    for place in _release_order(made, key):
        outcome = made.outcome(int(place))
        if outcome.release is not None:
            yield int(place), made.documents[int(place)], outcome


def released_row(document: Document, outcome: Outcome, made: Deidentified, key: bytes) -> dict[str, Any]:
    """A released document as a row of the table: id, text and the columns that are kept."""
    kept = {name: document.metadata[name] for name in made.settings.keep if name in document.metadata}
    text = outcome.release.text if outcome.release is not None else ""
    return {"id": public_id(document.id, made, key), "text": text, **kept}


def write_documents(path: Path, made: Deidentified, key: bytes) -> None:
    """The released documents, as the name of their table says.

    UnsafeReleaseError: a kept column names the person whom its document is about.
    """
    rows = (released_row(d, o, made, key) for _, d, o in released(made, key) if _names_nobody(d, made))
    write_table(path, rows, columns=("id", "text", *made.settings.keep))


def _names_nobody(document: Document, made: Deidentified) -> bool:
    column = made.population.rows.get(str(document.person))
    kept = [document.metadata[name] for name in made.settings.keep if name in document.metadata]
    if column is not None and kept:
        identifiers = direct_identifiers(made.population.full[column], made.direct)
        if any(identifiers.find(value) for value in kept):
            raise UnsafeReleaseError(
                "a kept column holds a direct identifier of its document's person; nothing was released"
            )
    return True


def write_vault(stream: BinaryIO, made: Deidentified, key: bytes, recipients: Keys) -> None:
    """The original of each released document under its released id, in the order of the release, for these recipients."""
    rows = (
        {"release_id": public_id(d.id, made, key), "id": d.id, "person": d.person or "", "text": d.text}
        for _, d, _ in released(made, key)
    )
    write_rows(stream, rows, recipients)


def page_of(shared: tuple[()], report: Report) -> bytes:
    """The page `report.html`: work that another process can do."""
    return render(report).encode()


def _span(span: MaskSpan) -> dict[str, Any]:
    row = {
        "start": span.start, "end": span.end, "method": span.method, "step": span.step, "label": span.label,
        "score": span.score, "crowd_before": dict(span.crowd_before), "crowd_after": dict(span.crowd_after),
    }  # fmt: skip
    more = {"combination": span.combination, "level": span.level}
    return row | {name: value for name, value in more.items() if value}


def write_private(
    folder: Path, made: Deidentified, report: Report, key: bytes, bad: Sequence[tuple[int, str, str]]
) -> None:
    """Masks, risks, offset maps, versions, failures, the key, and what the transform keeps secret, if it records anything.

    Documents come in input order, bad records after them.
    """
    found_by = {row.id: row.found_by for row in report.risks}

    with ExitStack() as files:
        masks, risks, offsets, versions = (
            files.enter_context(written_atomically(folder / f"{name}.jsonl", private=True))
            for name in ("masks", "documents", "offsets", "versions")
        )
        secrets: BinaryIO | None = None

        def write_secrets(row: dict[str, Any]) -> None:
            nonlocal secrets
            secrets = secrets or files.enter_context(written_atomically(folder / SECRETS, private=True))
            secrets.write(json_line(row))

        for d, o in zip(made.documents, made.outcomes(), strict=True):
            ids = {"id": o.mask.document, "release_id": public_id(o.mask.document, made, key)}
            masks.write(json_line({**ids, "spans": [_span(s) for s in o.mask.spans]}))
            risks.write(json_line({
                **ids, "withheld": o.release is None, "target": o.target, "crowds": dict(o.crowds),
                "person_crowds": dict(o.together), "third_party_crowds": o.third, "found_by": found_by.get(ids["id"]),
                "hidden_words": o.hidden_words, "words": o.words,
            }))  # fmt: skip
            if o.release is not None:
                offsets.write(json_line({**ids, "pieces": o.release.pieces}))
            if kept := secrets_row(o, made):
                write_secrets(ids | kept)
            if row := version_row(d, o, made, key):
                versions.write(json_line(row))
        versions.writelines(map(json_line, rows_of_the_gone(made)))
        for name, kept in secrets_of_the_gone(made):
            write_secrets({"id": name, "release_id": public_id(name, made, key)} | kept)
    write_json(folder / "report.json", report.as_dict(), private=True)
    write_models(folder, made.ensemble)
    write_jsonl(folder / "failures.jsonl", _failures(made, bad), private=True)
    write_atomically(folder / "key", (key.hex() + "\n").encode(), private=True)


def _failures(made: Deidentified, bad: Sequence[tuple[int, str, str]]) -> Iterator[dict[str, Any]]:
    for name, reason in made.withheld.items():
        yield {"id": name, "reason": reason}
    for record, field, problem in bad:
        yield {"id": None, "reason": "bad-record", "record": record, "field": field, "problem": problem}
