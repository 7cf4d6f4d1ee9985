"""Tests of the tagger that ships on people, places, dates and the like: in seven languages, in corpora, beside others.

    python -m benchmarks.entity_tagging [PART ...] [--half dev|test] [--weights FILE] [--weights-without CORPUS=FILE,...]
        [--venv DIR]

`annotated`: texts in seven languages that were written by hand, apart from the passages that the tagger learns from, forty a
language; `--half dev` is the first twenty of each, `test` the others. `corpora`: wikigold, the test part of WNUT17, part h
of BTC, TAB, and MEDDOCAN's dev part, each with weights that learned nothing of it (`python -m benchmarks.entities --without
CORPUS`), and made-up records (`--weights`). `others`: the same texts read by spaCy and Presidio, each in an environment that
is made under `--venv` or for the time being, with words a second, megabytes and memory. What is counted says
benchmarks.entity_scores. A row is written as soon as it is measured; other rows of an earlier run stay.
"""

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.clinical import made_up, meddocan
from benchmarks.corpora import data_folder
from benchmarks.entities.corpora import corpora, court_cases
from benchmarks.entities.passages import LANGUAGES, marked
from benchmarks.entity_scores import ALL, Asked, Tally, figures, ours, tallied, without_title
from benchmarks.other_taggers import LANGUAGE, OTHERS, environments, python_of, read_by
from benchmarks.results import load_rows, save, say
from benchmarks.tagging import wikigold
from unname.storage.documents import read_corpus
from unname.taggers.base import without_overlaps
from unname.taggers.entities.tagger import LABELS, WEIGHTS, Entities
from unname.taggers.rules.tagger import Rules
from unname.text import WORD
from unname.types import Document, Span

NAME = "entity_tagging"
PARTS = ("annotated", "corpora", "others")
ANNOTATED = Path(__file__).parent / "entities" / "annotated"
HALVES = {"dev": slice(0, 20), "test": slice(20, 40)}
CORPORA = ("wikigold", "wnut17", "btc", "tab", "meddocan")
RECORDS = 250
# What every tagger is asked for where they are compared.
KINDS = ("NAME", "PLACE", "ORGANISATION", "DATE")
# In which row a mark of a corpus is missed; others may be found and need not be.
ROWS: Mapping[str, str] = {
    theirs: ours for ours, several in {
        "NAME": "PER PERSON NOMBRE_SUJETO_ASISTENCIA NOMBRE_PERSONAL_SANITARIO NAME",
        "PLACE": "LOC LOCATION TERRITORIO PAIS",
        "ORGANISATION": "ORG CORPORATION GROUP HOSPITAL INSTITUCION CENTRO_SALUD",
        "DATE": "DATETIME FECHAS DATE",
        "AGE": "EDAD_SUJETO_ASISTENCIA AGE",
        "ADDRESS": "CALLE ADDRESS POSTCODE",
        "CONTACT": "CORREO_ELECTRONICO NUMERO_TELEFONO NUMERO_FAX PHONE FAX EMAIL URL IP",
        "ID": "CODE ID_SUJETO_ASISTENCIA ID_ASEGURAMIENTO ID_CONTACTO_ASISTENCIAL ID_TITULACION_PERSONAL_SANITARIO "
        "RECORD IBAN CARD DNI SSN NINO CASE PLATE",
    }.items() for theirs in several.split()
}  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class Texts:
    """Texts with what is asked of them, and which finds are judged: elsewhere annotators may have left some unmarked."""

    documents: tuple[tuple[str, str], ...]
    asked: tuple[tuple[Asked, ...], ...]
    judged: frozenset[str]

    def only(self, kinds: Sequence[str]) -> "Texts":
        """The same asked for some kinds only; other annotated stretches may be found."""
        rows = tuple(
            tuple(one if one.row in kinds else Asked(one.start, one.end, "", one.labels) for one in row)
            for row in self.asked
        )
        return Texts(self.documents, rows, self.judged & set(kinds))


def annotated(language: str, half: str) -> Texts:
    """The texts of a language, by hand; every label of ours is marked in them."""
    parts = re.split(r"^=====[ \t]*$", (ANNOTATED / f"{language}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    written = [part.strip("\n") for part in parts if part.strip()]
    chosen = [marked(part, f"{language}-{number}") for number, part in enumerate(written, 1)][HALVES[half]]
    asked = [tuple(Asked(s.start, s.end, s.label, frozenset((s.label,))) for s in d.spans) for d in chosen]
    return Texts(tuple((d.id, d.text) for d in chosen), tuple(asked), frozenset(LABELS))


def corpus(name: str) -> Texts:
    """The part of a corpus that is asked about."""
    if name == "records":
        return _texts(made_up(RECORDS), {row: frozenset((row,)) for row in LABELS}, frozenset(LABELS))
    (taught,) = corpora((name,))
    documents = _documents(name)
    return _texts(documents, taught.means, frozenset(LABELS) - taught.open)


def _documents(name: str) -> Sequence[Document]:
    if name == "wikigold":
        return wikigold()
    if name == "tab":
        return court_cases()
    if name == "meddocan":
        return meddocan("dev")
    part = {"wnut17": "emerging.test-", "btc": "h-"}[name]
    read = read_corpus(data_folder() / "names" / f"{name}.tar.gz", "conll")
    return [document for document in read if document.id.startswith(part)]


def _texts(documents: Sequence[Document], means: Mapping[str, frozenset[str]], judged: frozenset[str]) -> Texts:
    asked = []
    for document in documents:
        row = []
        for span in document.spans:
            label = span.label.upper()
            where = ROWS.get(label, "")
            start, end = (
                without_title(document.text, span.start, span.end) if where == "NAME" else (span.start, span.end)
            )
            row.append(Asked(start, end, where, (means.get(label, frozenset()) | {where}) - {"O", ""}))
        asked.append(tuple(row))
    return Texts(tuple((d.id, d.text) for d in documents), tuple(asked), judged)


def tallies(texts: Texts, weights: Path) -> dict[str, list[Tally]]:
    """The counts of each text, read by the rules alone, by the shipped tagger alone, and by both as they come by default."""
    written = [text for _, text in texts.documents]
    alone: dict[str, list[list[Span]]] = {
        "rules": Rules().tag(written),
        "entities": Entities(weights=weights).tag(written),
    }
    both = [[*one, *other] for one, other in zip(*alone.values(), strict=True)]
    return {
        which: [
            tallied(document, asked, without_overlaps(ours(spans)), texts.judged)
            for document, asked, spans in zip(texts.documents, texts.asked, found, strict=True)
        ]
        for which, found in {**alone, "both": both}.items()
    }


def keep(rows: dict[str, Any], name: str, row: dict[str, Any]) -> None:
    """Write a row, and say what matters of it."""
    rows[name] = row
    names = row["labels"].get("NAME", row["labels"].get(ALL, {}))
    said = [names.get(key) and round(names[key]["value"], 3) for key in ("recall", "recall same label", "precision")]
    say(f"{name:40}", "names", *said, "false per 1,000", row["false"]["per 1,000"])
    save(NAME, rows, load=round(os.getloadavg()[0], 1))


def measure_annotated(rows: dict[str, Any], half: str, weights: Path) -> None:
    """Each language, and all of them together."""
    every: dict[str, list[Tally]] = {}
    for language in LANGUAGES:
        if (ANNOTATED / f"{language}.txt").exists():
            for which, counted in tallies(annotated(language, half), weights).items():
                every.setdefault(which, []).extend(counted)
                keep(rows, f"{half} {language} {which}", figures(counted))
    for which, counted in every.items():
        keep(rows, f"{half} all {which}", figures(counted))


def measure_corpora(rows: dict[str, Any], without: Mapping[str, Path], weights: Path) -> None:
    """Corpora that the weights learned nothing of, and made-up records."""
    for name in (*(name for name in CORPORA if name in without), "records"):
        for which, counted in tallies(corpus(name), without.get(name, weights)).items():
            keep(rows, f"{name} {which}", figures(counted))


def measure_others(
    rows: dict[str, Any], half: str, weights: tuple[Path, Mapping[str, Path]], venv: Path | None
) -> None:
    """The same texts read by everybody, in processes of their own: annotated ones, wikigold and TAB."""
    shipped, without = weights
    asked = {f"{half} en": (annotated("en", half), shipped), f"{half} fr": (annotated("fr", half), shipped)}
    asked |= {name: (corpus(name), without[name]) for name in ("wikigold", "tab") if name in without}
    with environments(venv) as folder:
        for name, (texts, known) in asked.items():
            language = "fr" if name.endswith(" fr") else "en"
            engines = {
                "rules": ("rules", Path(sys.executable)),
                "entities": (f"entities:{known.resolve()}", Path(sys.executable)),
            }
            engines |= {
                other: (engine, python_of(other, folder))
                for other, (engine, _) in OTHERS.items()
                if LANGUAGE.get(other, "en") == language
            }
            for which, (engine, python) in engines.items():
                keep(rows, f"beside {name}: {which}", beside(texts.only(KINDS), engine, python))


def beside(texts: Texts, engine: str, python: Path) -> dict[str, Any]:
    """Figures of one other tagger on the four kinds, and its cost."""
    about, found = read_by(engine, python, [text for _, text in texts.documents])
    counted = [
        tallied(document, asked, spans, texts.judged)
        for document, asked, spans in zip(texts.documents, texts.asked, found, strict=True)
    ]
    words = sum(len(WORD.findall(text)) for _, text in texts.documents)
    return {**figures(counted), "cost": {**about, "words per cpu s": round(words / max(about["cpu s"], 1e-9))}}


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--half", choices=HALVES, default="dev")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--weights-without", default="", help="CORPUS=FILE, parted by commas")
    parser.add_argument("--venv", type=Path, help="folder of the environments of others")
    parser.add_argument("--fresh", action="store_true")
    given = parser.parse_args()
    without = {
        name: Path(file) for name, _, file in (one.partition("=") for one in given.weights_without.split(",") if one)
    }
    rows = load_rows(NAME, fresh=given.fresh)
    for part in given.parts or PARTS:
        if part == "annotated":
            measure_annotated(rows, given.half, given.weights)
        elif part == "corpora":
            measure_corpora(rows, without, given.weights)
        else:
            measure_others(rows, given.half, (given.weights, without), given.venv)


if __name__ == "__main__":
    main()
