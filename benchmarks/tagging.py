"""The recall and precision of taggers: learned from one part of a corpus and scored on another, or on another corpus.

    python -m benchmarks.tagging [meddocan|tab|synthetic_pii|names|cross ...] [--kind KIND ...] [--seeds N] [--keep DIR]

Kinds: crf, svm, ensemble, lstm-crf (12 epochs), transformer (6 epochs of the small English encoder that the development
requirements bring along), rules, and on MEDDOCAN `vote A B …`: what any of these taggers finds (the first of overlapping
spans by votes, sureness, length). Token F1 counts the tokens `[A-Za-z0-9À-ÿ]+` inside spans, whatever their label; span F1
wants start, end and label (docs/scores.md). Both pool the documents of all folds; intervals are by document. Words a second
are `\\w+` in one process. `--keep` keeps the models of MEDDOCAN in a folder and takes what it finds there, so that votes
need not train them again.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.biencoder import bundled_encoder
from benchmarks.clinical import meddocan
from benchmarks.corpora import data_folder
from benchmarks.results import load_rows, save, say
from unname import registry
from unname.scoring.i2b2 import span_scores, token_scores
from unname.scoring.meddocan import TOKEN
from unname.scoring.scores import Score, share
from unname.storage.documents import read_corpus, read_documents
from unname.taggers.base import Tagger, without_overlaps
from unname.taggers.labels import relabelled
from unname.taggers.models import load_tagger
from unname.taggers.vote import Vote
from unname.text import WORD
from unname.types import Document, Span

CORPORA = ("meddocan", "tab", "synthetic_pii", "names", "cross")
LEARNS = ("crf", "svm", "ensemble", "lstm-crf")
OPTIONS: dict[str, dict[str, Any]] = {
    "lstm-crf": {"epochs": 12},
    "transformer": {"epochs": 6, "rate": 1e-4, "batch": 16, "bf16": True},
}
FOLDS = 5
Part = tuple[Sequence[Document], Sequence[Document]]


def tab(*, kinds: bool = False) -> list[Document]:
    """Court cases: what must be masked, with entity types as labels or direct and quasi."""
    read = read_documents(data_folder() / "tab" / "documents.jsonl.gz")
    chosen = [relabelled(d, by="kind" if kinds else "label") for d in read]
    return [replace(d, spans=tuple(without_overlaps(d.spans))) for d in chosen]


def synthetic(name: str) -> list[Document]:
    """Sentences made of templates; `person` is the template, so that folds keep its sentences together."""
    found = []
    for document in read_documents(data_folder() / "synthetic_pii" / f"{name}.jsonl.gz"):
        template = document.text
        for span in sorted(document.spans, reverse=True):
            template = f"{template[: span.start]}{{{span.label}}}{template[span.end :]}"
        found.append(replace(document, person=template))
    return found


def wikigold() -> list[Document]:
    """Articles with the names in them."""
    return read_corpus(data_folder() / "names" / "wikigold.tar.gz", "conll")


def scores(asked: Sequence[Document], found: Sequence[Sequence[Span]], *, binary: bool) -> dict[str, Any]:
    """Binary token figures, and span figures over all and by type (left out where labels do not compare)."""
    tokens = token_scores(asked, found, labels=None, pattern=TOKEN)
    row: dict[str, Any] = {"documents": len(asked), "tokens": shown(tokens.total)}
    if not binary:
        spans = span_scores(asked, found)
        row |= {"spans": shown(spans.total), "by type": {t.label: shown(t) for t in spans.types}}
        row["tokens by type"] = {t.label: shown(t) for t in tokens.types}
    return row


def shown(score: Score) -> dict[str, Any]:
    """The figures of a score that a row keeps."""
    return {
        "f1": share(score.f1),
        "precision": share(score.precision),
        "recall": share(score.recall),
        "gold": score.gold,
    }


def make(kind: str, seed: int) -> Any:
    """A tagger by name; rules and the CRF have no chance in them."""
    options = OPTIONS.get(kind, {}) | ({} if kind in ("crf", "rules") else {"seed": seed})
    if kind == "transformer":
        options |= {"encoder": str(bundled_encoder())}
    return registry.create(registry.TAGGERS, kind, **options)


def taught(kind: str, seed: int, lessons: Sequence[Document], kept: Path | None) -> tuple[Tagger, float | None]:
    """A tagger that learned, and the processor time that took; None where it was kept from an earlier run."""
    if kind.startswith("vote "):
        return Vote(tuple(taught(one, seed, lessons, kept)[0] for one in kind.split()[1:]), 1), None
    folder = kept and kept / f"{kind}-{seed}"
    if folder and folder.is_dir():
        return load_tagger(folder), None
    started, tagger = time.process_time(), make(kind, seed)
    if kind != "rules":
        tagger.fit(lessons)
    seconds = time.process_time() - started
    if folder and kind != "rules":
        folder.parent.mkdir(parents=True, exist_ok=True)
        tagger.save(folder)
    return tagger, seconds


def measured(kind: str, seed: int, parts: Sequence[Part], *, binary: bool, kept: Path | None) -> dict[str, Any]:
    """Figures of one tagger over parts (documents to learn from, documents to tag)."""
    asked: list[Document] = []
    found: list[list[Span]] = []
    training: list[float | None] = []
    tagging = 0.0
    for lessons, rest in parts:
        tagger, seconds = taught(kind, seed, lessons, kept)
        training.append(seconds)
        started = time.process_time()
        found += tagger.tag([d.text for d in rest])
        tagging += time.process_time() - started
        asked += rest
    words = sum(len(WORD.findall(d.text)) for d in asked)
    known = [seconds for seconds in training if seconds is not None]
    speed = {"training_cpu_s": round(sum(known)) if known else None, "words_per_cpu_s": round(words / tagging)}
    return {**scores(asked, found, binary=binary), **speed}


def folds(documents: Sequence[Document], seed: int) -> list[Part]:
    """Five parts, each with the rest to learn from; a person's documents (a template's sentences) stay together."""
    groups = sorted({document.person or document.id for document in documents})
    fold = dict(zip(groups, np.random.default_rng(seed).permutation(len(groups)) % FOLDS, strict=True))
    place = [fold[document.person or document.id] for document in documents]
    paired = list(zip(documents, place, strict=True))
    return [([d for d, p in paired if p != part], [d for d, p in paired if p == part]) for part in range(FOLDS)]


def _folded(name: str) -> list[Part]:
    return folds(synthetic(name), 0)


def _crossed(taught: Callable[[], Sequence[Document]], judged: Callable[[], Sequence[Document]]) -> list[Part]:
    return [(taught(), judged())]


def runs(corpus: str) -> dict[str, Callable[[], list[Part]]]:
    """The runs on a corpus: name of the row, and its parts."""
    if corpus == "meddocan":
        return {"meddocan": lambda: [(meddocan("train"), meddocan("dev"))]}
    if corpus == "tab":
        return {"tab types": lambda: folds(tab(), 0), "tab kinds": lambda: folds(tab(kinds=True), 0)}
    if corpus == "synthetic_pii":
        names = ("generated_large", "synth_dataset_v2")
        return {f"synthetic_pii {name}": partial(_folded, name) for name in names}
    if corpus == "names":
        return {"wikigold": lambda: folds(wikigold(), 0)}
    made = {
        "meddocan": (lambda: meddocan("train"), lambda: meddocan("dev")),
        "tab": (lambda: tab(kinds=True), lambda: tab(kinds=True)),
        "synthetic_pii": (lambda: synthetic("generated_large"), lambda: synthetic("synth_dataset_v2")),
    }
    return {
        f"cross {one} to {other}": partial(_crossed, made[one][0], made[other][1])
        for one in made for other in made if one != other or one == "synthetic_pii"
    }  # fmt: skip


def main() -> None:
    """Measure what is asked for; rows that an earlier run left are kept beside the new ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=", ".join(CORPORA))
    parser.add_argument("--kind", action="append", help="repeatable (default: crf, svm, ensemble)")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder of the models of meddocan")
    options = parser.parse_args()
    rows: dict[str, Any] = load_rows("tagging")
    for corpus in options.corpora or CORPORA:
        for kind in options.kind or LEARNS[:3]:
            for seed in range(options.seeds if kind == "lstm-crf" else 1):
                for name, parts in runs(corpus).items():
                    key = f"{name} {kind}" + (f" seed {seed}" if kind == "lstm-crf" else "")
                    kept = options.keep if corpus == "meddocan" else None
                    before = rows.get(key, {}).get("training_cpu_s")
                    rows[key] = measured(kind, seed, parts(), binary=corpus == "cross" or kind == "rules", kept=kept)
                    rows[key]["training_cpu_s"] = rows[key]["training_cpu_s"] or before
                    f1 = [rows[key][what]["f1"] for what in ("tokens", "spans") if what in rows[key]]
                    say(key, *((round(f["value"], 4), f["ci"]) for f in f1))
                    save("tagging", rows)


if __name__ == "__main__":
    main()
