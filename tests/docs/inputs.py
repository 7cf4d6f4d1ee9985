"""Small inputs under the names that README and docs give theirs."""

import csv
import gzip
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from made_files import write_rows
from openpyxl import Workbook

from benchmarks.hospital import write_letters, write_patients
from unname.knowledge.fictional import Town, fictional_town
from unname.storage.formats import write_corpus
from unname.taggers.lstm.reading import key
from unname.taggers.reading import read
from unname.testing import sample_notes
from unname.types import Document

PEOPLE, ASKED = 24, 14


def town() -> Town:
    """A town small enough for any command to take seconds."""
    return fictional_town(people=PEOPLE, seed=5)


def _notes(*, others: bool = False) -> list[Document]:
    """Notes about most of the town, or about the others."""
    asked = {p.id for p in town().profiles[:ASKED]}
    return [d for d in town().documents if (d.person in asked) != others]


def _notes_jsonl(path: Path) -> None:
    others = path.name.startswith("others")
    write_rows(path, [{"id": d.id, "person": d.person, "text": d.text} for d in _notes(others=others)])


def _notes_csv(path: Path) -> None:
    _table(path, [("id", "person", "text"), *((d.id, str(d.person), d.text) for d in _notes())])


def _registry(path: Path) -> None:
    people = town().profiles
    names = list(dict.fromkeys(name for p in people for name in p.fields))
    rows = [("id", *names), *((p.id, *(p.fields.get(name, "") for name in names)) for p in people)]
    if path.suffix != ".xlsx":
        _table(path, rows)
        return
    book = Workbook()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]  # a new book has a sheet
    book.save(path)


def _letters(path: Path) -> None:
    write_letters(path, town(), len(_notes()))


def _patients(path: Path) -> None:
    write_patients(path, town())


def _triples(path: Path) -> None:
    lines = [f"{p.id}\t{name}\t{value}" for p in town().profiles for name, value in p.fields.items()]
    with gzip.open(path, "wt", encoding="utf-8") if path.suffix == ".gz" else path.open("w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


def _table(path: Path, rows: list[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(rows)


def _masked(path: Path) -> None:
    """What another tool may make of the notes: every word with a capital hidden."""
    rows = []
    for document in _notes():
        words = ["[X]" if word[:1].isupper() else word for word in document.text.split(" ")]
        rows.append({"id": document.id, "text": " ".join(words)})
    write_rows(path, rows)


def _annotated(path: Path) -> None:
    rows = [
        {"id": d.id, "text": d.text, "person": f"p{d.id}", "split": "train",
         "spans": [{"start": s.start, "end": s.end, "label": s.label} for s in d.spans]}
        for d in sample_notes()
    ]  # fmt: skip
    write_rows(path, rows)


def _found(path: Path) -> None:
    """What a tagger may have found in the annotated notes: all names but the first."""
    rows = [
        {"id": d.id, "spans": [{"start": s.start, "end": s.end, "label": s.label, "score": 1.0} for s in d.spans[1:]]}
        for d in sample_notes()
    ]  # fmt: skip
    write_rows(path, rows)


def _brat(path: Path) -> None:
    write_corpus(path, sample_notes(), format="brat")


def _texts(path: Path) -> None:
    path.mkdir()
    for document in sample_notes():
        (path / f"{document.id}.txt").write_text(document.text, encoding="utf-8")


def _vectors(path: Path) -> None:
    """Vectors of all words of the annotated notes, of the same label near each other."""
    random, words = np.random.default_rng(0), dict[str, str]()
    for note in sample_notes():
        reading = read(note.text)
        for token, label in zip(reading.tokens, reading.gold(note.spans), strict=True):
            words.setdefault(key(reading.normalised.text[token.start : token.end]), label[2:])
    middles = {kind: random.normal(size=6) for kind in words.values()}
    rows = [f"{word} " + " ".join(f"{x:.4f}" for x in middles[kind] + 0.05 * random.normal(size=6))
            for word, kind in words.items()]  # fmt: skip
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def _language_model(path: Path) -> None:
    from tiny_encoders import make_language_model

    make_language_model(path, [d.text for d in town().documents])


def _encoder(path: Path) -> None:
    from tiny_encoders import make_encoder

    make_encoder(path, "bert", [d.text for d in (*town().documents, *sample_notes())], positions=600)


MAKERS: Mapping[str, Callable[[Path], None]] = {
    "notes.jsonl": _notes_jsonl, "others-notes.jsonl": _notes_jsonl, "biographies.jsonl": _notes_jsonl,
    "notes.csv": _notes_csv, "registry.xlsx": _registry, "registry.csv": _registry, "masked.jsonl": _masked,
    "triples.tsv": _triples, "wikidata.tsv.gz": _triples, "registry.tsv": _triples, "others.jsonl": _annotated,
    "corpus.jsonl": _annotated, "train.jsonl": _annotated, "found.jsonl": _found, "annotated": _brat, "corpus": _brat,
    "public": _brat, "notes": _brat, "new-notes": _texts, "texts": _texts, "vectors.txt": _vectors,
    "letters": _letters, "patients.xlsx": _patients, "model-folder": _language_model,
    "encoder": _encoder, "DIR": _encoder,
}  # fmt: skip


def put(name: str, folder: Path, made: Path) -> None:
    """Put an input of this name into a folder; it is made once."""
    if name not in MAKERS:
        return
    if not (made / name).exists():
        MAKERS[name](made / name)
    if made != folder:
        copy(made / name, folder / name)


def copy(source: Path, target: Path) -> None:
    """A copy of a file or of a folder."""
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copyfile(source, target)


def documents() -> tuple[list[Document], list[Document]]:
    """Annotated documents to learn from, and some to hold out."""
    notes = sample_notes()
    return notes[:24], notes[24:]


def spans_in(path: Path) -> int:
    """How many spans a file of them holds."""
    return sum(len(json.loads(line)["spans"]) for line in path.read_text(encoding="utf-8").splitlines())
