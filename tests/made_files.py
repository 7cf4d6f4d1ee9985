"""Files of a small made-up town, as commands read them."""

import json
from pathlib import Path
from typing import Any

from unname.knowledge.fictional import Town


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A JSONL file."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_town(town: Town, folder: Path) -> tuple[Path, Path]:
    """Its documents and its people."""
    documents = [{"id": d.id, "person": d.person, "text": d.text} for d in town.documents]
    people = [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles]
    return write_rows(folder / "documents.jsonl", documents), write_rows(folder / "people.jsonl", people)
