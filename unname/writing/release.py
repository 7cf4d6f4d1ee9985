"""A run's two folders: the release, the private one, and a last look at what was written."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from unname.auditing.report import render
from unname.auditing.verdict import FEWEST_PEOPLE
from unname.errors import UnsafeReleaseError
from unname.hiding.keys import release_id
from unname.hiding.outcomes import Outcome
from unname.hiding.person import surviving, written_tokens
from unname.knowledge.identifiers import direct_identifiers
from unname.parallel.work import Shared
from unname.run.audit import Audit
from unname.run.deidentify import Deidentified
from unname.run.models import write_models
from unname.storage.dialects import Dialect
from unname.storage.files import write_atomically, written_atomically
from unname.storage.tables import json_line, plain_cell, records, write_json, write_jsonl, write_table
from unname.types import Document, MaskSpan


def _public_id(name: str, result: Deidentified, key: bytes) -> str:
    return name if result.settings.ids == "keep" else release_id(key, name)


def _release_order(result: Deidentified, key: bytes) -> npt.NDArray[np.int64]:
    """Places of the input in the order of the release: as given where ids are kept, else by their keyed ids."""
    if result.settings.ids == "keep":
        return np.arange(len(result.documents))
    names = np.fromiter((release_id(key, d.id).encode() for d in result.documents), "S32", len(result.documents))
    return np.argsort(names, kind="stable")


def _released(result: Deidentified, key: bytes) -> Iterator[tuple[Document, Outcome]]:
    """Released documents in the order of the release."""
    for place in _release_order(result, key):
        outcome = result.outcome(int(place))
        if outcome.release is not None:
            yield result.documents[int(place)], outcome


def _row(document: Document, outcome: Outcome, result: Deidentified, key: bytes) -> dict[str, Any]:
    kept = {name: document.metadata[name] for name in result.settings.keep if name in document.metadata}
    text = outcome.release.text if outcome.release is not None else ""
    return {"id": _public_id(document.id, result, key), "text": text, **kept}


def write_release(folder: Path, table: str, result: Deidentified, report: dict[str, Any], key: bytes) -> None:
    """The documents, as the name of their table says, and `report.json`."""
    rows = (_row(d, o, result, key) for d, o in _released(result, key))
    write_table(folder / table, rows, columns=("id", "text", *result.settings.keep))
    write_json(folder / "report.json", report)


def public_report(report: dict[str, Any]) -> dict[str, Any]:
    """A report as it may be published: of few people it has no attacker by attacker, which would say who is found."""
    if report.get("persons", 0) >= FEWEST_PEOPLE:
        return report
    told = report | {"attackers": [], "attackers_left_out": True}
    if aware := report.get("aware"):
        told["aware"] = {name: value for name, value in aware.items() if name != "readings"} | {"readings": {}}
    if previous := report.get("previous"):
        told["previous"] = previous | {"attackers": []}
    return told


def page_of(shared: Shared, report: dict[str, Any]) -> bytes:
    """The page `report.html`: work that another process can do."""
    return render(report).encode()


def _span(span: MaskSpan) -> dict[str, Any]:
    return {
        "start": span.start, "end": span.end, "method": span.method, "step": span.step, "label": span.label,
        "score": span.score, "crowd_before": dict(span.crowd_before), "crowd_after": dict(span.crowd_after),
    }  # fmt: skip


def write_private(
    folder: Path, result: Deidentified, figures: Audit, key: bytes, bad: Sequence[tuple[int, str, str]]
) -> None:
    """Masks, risks, offset maps, failures and the key; documents in input order, bad records after them."""
    found_by = {row["id"]: row["found_by"] for row in figures.documents}

    with ExitStack() as files:
        masks, risks, offsets = (
            files.enter_context(written_atomically(folder / f"{name}.jsonl", private=True))
            for name in ("masks", "documents", "offsets")
        )
        for o in result.outcomes():
            ids = {"id": o.mask.document, "release_id": _public_id(o.mask.document, result, key)}
            masks.write(json_line({**ids, "spans": [_span(s) for s in o.mask.spans]}))
            risks.write(json_line({
                **ids, "withheld": o.release is None, "target": o.target, "crowds": dict(o.crowds),
                "person_crowds": dict(o.together), "third_party_crowds": o.third, "found_by": found_by.get(ids["id"]),
                "hidden_words": o.hidden_words, "words": o.words,
            }))  # fmt: skip
            if o.release is not None:
                offsets.write(json_line({**ids, "pieces": o.release.pieces}))
    write_json(folder / "report.json", figures.report, private=True)
    write_models(folder, result.ensemble)
    write_jsonl(folder / "failures.jsonl", _failures(result, bad), private=True)
    write_atomically(folder / "key", (key.hex() + "\n").encode(), private=True)


def _failures(result: Deidentified, bad: Sequence[tuple[int, str, str]]) -> Iterator[dict[str, Any]]:
    for name, reason in result.withheld.items():
        yield {"id": name, "reason": reason}
    for record, field, problem in bad:
        yield {"id": None, "reason": "bad-record", "record": record, "field": field, "problem": problem}


def last_look(path: Path, result: Deidentified, key: bytes) -> None:
    """Read the written documents back: all that should be there are, and none names its person."""
    population, expected = result.population, _released(result, key)
    if path.is_dir():  # files lie in the order of their names
        expected = iter(sorted(expected, key=lambda pair: f"{_public_id(pair[0].id, result, key)}.txt"))
    for row in _written(path):
        document, outcome = next(expected, (None, None))
        if document is None or outcome is None or row != _plain(_row(document, outcome, result, key)):
            raise UnsafeReleaseError("the written file holds something that was not cleared; nothing was released")
        column = population.rows.get(str(document.person))
        if column is None or outcome.release is None:
            continue
        identifiers = direct_identifiers(population.full[column], result.direct)
        tokens = written_tokens(outcome.mask, outcome.release)
        # A keyed id needs no look: it is an HMAC, whose digits may look like anybody's number.
        unseen = ("text",) if result.settings.ids == "keep" else ("id", "text")
        kept = [value for name, value in row.items() if name not in unseen]
        if surviving(identifiers, row.get("text", ""), tokens) or any(identifiers.find(value) for value in kept):
            raise UnsafeReleaseError(
                "a direct identifier of a person is left in a written file (text or kept column); nothing was released"
            )
    if next(expected, None) is not None:
        raise UnsafeReleaseError("the written file does not hold exactly the documents that were cleared")


def _written(path: Path) -> Iterator[dict[str, str]]:
    """The rows of released documents, as anybody would read them."""
    if path.is_dir():
        for name in sorted(os.listdir(path)):  # noqa: PTH208
            yield _plain({"id": name.removesuffix(".txt"), "text": (path / name).read_bytes().decode()})
        return
    restored = plain_cell if path.suffix == ".csv" else str
    for _, row in records(path, dialect=Dialect("utf-8", ",")):
        yield _plain({name: None if value is None else restored(str(value)) for name, value in row.items()})


def _plain(row: Mapping[str, Any]) -> dict[str, str]:
    """A row without what is empty: not every kind of table can say that."""
    return {name: value for name, value in row.items() if value not in (None, "")}
