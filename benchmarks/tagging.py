"""How well taggers find identifiers: learned from one part of a corpus and scored on another, or on another corpus.

python -m benchmarks.tagging [meddocan|tab|synthetic_pii|names|cross ...] [--kind crf|svm|ensemble|lstm-crf] [--seeds N]

Token F1 counts the tokens `[A-Za-z0-9À-ÿ]+` inside spans, whatever their label; span F1 wants start, end and label. Both
pool the documents of all folds. Words a second are `\\w+` in one process.
"""

import argparse
import re
import tarfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.corpora import data_folder
from benchmarks.results import load_rows, save, say
from unname import registry
from unname.storage.tables import read_documents
from unname.taggers.base import TrainableTagger, without_overlaps
from unname.text import WORD
from unname.types import Document, Span

TOKEN = re.compile(r"[A-Za-z0-9À-ÿ]+")
CORPORA = ("meddocan", "tab", "synthetic_pii", "names", "cross")
FOLDS = 5
Found = list[tuple[Document, list[Span]]]


def meddocan(part: str) -> list[Document]:
    """The `train` or `dev` part, from its brat files."""
    with tarfile.open(data_folder() / "meddocan" / f"{part}.tar.gz") as archive:
        files = {m.name: archive.extractfile(m).read().decode() for m in archive if m.name.endswith((".txt", ".ann"))}
    documents = []
    for name in sorted(name for name in files if name.endswith(".txt")):
        fields = [line.split("\t")[1].split() for line in files[name[:-4] + ".ann"].splitlines() if line[:1] == "T"]
        spans = tuple(sorted(Span(int(row[1]), int(row[-1]), row[0]) for row in fields))
        documents.append(Document(name, files[name], spans=spans))
    return documents


def tab(*, kinds: bool = False) -> list[Document]:
    """Court cases with entity types as labels, or only what must be masked with its kind as label."""
    found = []
    for document in read_documents(data_folder() / "tab" / "documents.jsonl.gz"):
        spans = [replace(s, label=s.kind) if kinds else s for s in document.spans if not kinds or s.kind != "no_mask"]
        found.append(replace(document, spans=tuple(without_overlaps(spans))))
    return found


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
    """Articles with the names in them, tokens joined by a space."""
    with tarfile.open(data_folder() / "names" / "wikigold.tar.gz") as archive:
        member = next(m for m in archive if m.name.endswith("wikigold.conll.txt"))
        content = archive.extractfile(member).read().decode()
    found = []
    for number, article in enumerate(content.split("-DOCSTART- O")):
        text, spans, before = "", [], "O"
        for token, label in (line.split(" ") for line in article.splitlines() if line.strip()):
            start = len(text) + bool(text)
            text = f"{text} {token}" if text else token
            if label != "O" and label == before:
                spans[-1] = replace(spans[-1], end=len(text))
            elif label != "O":
                spans.append(Span(start, len(text), label[2:]))
            before = label
        found += [Document(str(number), text, spans=tuple(spans))] if text else []
    return found


def covered(document: Document, spans: Iterable[Span]) -> set[int]:
    """Where the tokens begin that spans touch."""
    inside = np.zeros(len(document.text), bool)
    for span in spans:
        inside[span.start : span.end] = True
    return {m.start() for m in TOKEN.finditer(document.text) if inside[m.start() : m.end()].any()}


def figures(right: int, wrong: int, missed: int) -> dict[str, Any]:
    """Precision, recall and F1 with what they are counted from."""
    return {
        "f1": round(2 * right / max(1, 2 * right + wrong + missed), 4),
        "precision": round(right / max(1, right + wrong), 4),
        "recall": round(right / max(1, right + missed), 4),
        "right": right, "wrong": wrong, "missed": missed,
    }  # fmt: skip


def score(found: Found, *, binary: bool = False) -> dict[str, Any]:
    """Binary token figures, and span figures over all and by type (left out where labels do not compare)."""
    tokens, types = [0, 0, 0], defaultdict(lambda: [0, 0, 0])
    for document, spans in found:
        gold, ours = covered(document, document.spans), covered(document, spans)
        for place, some in enumerate((gold & ours, ours - gold, gold - ours)):
            tokens[place] += len(some)
        wanted, told = ({(s.start, s.end, s.label) for s in row} for row in (document.spans, spans))
        for place, rows in enumerate((wanted & told, told - wanted, wanted - told)):
            for *_, label in rows:
                types[label][place] += 1
    row: dict[str, Any] = {"documents": len(found), "tokens": figures(*tokens)}
    if not binary:
        row["spans"] = figures(*(sum(counts[place] for counts in types.values()) for place in range(3)))
        row["by type"] = {label: figures(*counts) for label, counts in sorted(types.items())}
    return row


def make(kind: str, seed: int) -> TrainableTagger:
    """A tagger by name; the CRF has no chance in it."""
    tagger: TrainableTagger = registry.create(registry.TAGGERS, kind, **({} if kind == "crf" else {"seed": seed}))
    return tagger


def learned(
    kind: str, seed: int, parts: Sequence[tuple[Sequence[Document], Sequence[Document]]], *, binary: bool = False
) -> dict[str, Any]:
    """Figures of one tagger over parts (documents to learn from, documents to tag)."""
    found: Found = []
    training = tagging = 0.0
    for taught, asked in parts:
        start = time.process_time()
        tagger = make(kind, seed).fit(taught)
        middle = time.process_time()
        found += zip(asked, tagger.tag([d.text for d in asked]), strict=True)
        training, tagging = training + middle - start, tagging + time.process_time() - middle
    words = sum(len(WORD.findall(document.text)) for document, _ in found)
    speed = {"training_cpu_s": round(training), "words_per_cpu_s": round(words / tagging)}
    return {**score(found, binary=binary), **speed}


def folds(documents: Sequence[Document], seed: int) -> list[tuple[list[Document], list[Document]]]:
    """Five parts, each with the rest to learn from; a person's documents (a template's sentences) stay together."""
    groups = sorted({document.person or document.id for document in documents})
    fold = dict(zip(groups, np.random.default_rng(seed).permutation(len(groups)) % FOLDS, strict=True))
    place = [fold[document.person or document.id] for document in documents]
    return [
        tuple([d for d, p in zip(documents, place, strict=True) if (p == part) == asked] for asked in (False, True))
        for part in range(FOLDS)
    ]  # type: ignore[misc]


def runs(corpus: str) -> dict[str, Callable[[], list[tuple[Sequence[Document], Sequence[Document]]]]]:
    """What is measured on a corpus: name of the row, and its parts."""
    if corpus == "meddocan":
        return {"meddocan": lambda: [(meddocan("train"), meddocan("dev"))]}
    if corpus == "tab":
        return {"tab types": lambda: folds(tab(), 0), "tab kinds": lambda: folds(tab(kinds=True), 0)}
    if corpus == "synthetic_pii":
        names = ("generated_large", "synth_dataset_v2")
        return {f"synthetic_pii {name}": lambda name=name: folds(synthetic(name), 0) for name in names}
    if corpus == "names":
        return {"wikigold": lambda: folds(wikigold(), 0)}
    made = {
        "meddocan": (lambda: meddocan("train"), lambda: meddocan("dev")),
        "tab": (lambda: tab(kinds=True), lambda: tab(kinds=True)),
        "synthetic_pii": (lambda: synthetic("generated_large"), lambda: synthetic("synth_dataset_v2")),
    }
    return {
        f"cross {one} to {other}": lambda one=one, other=other: [(made[one][0](), made[other][1]())]
        for one in made for other in made if one != other or one == "synthetic_pii"
    }  # fmt: skip


def main() -> None:
    """Measure what is asked for; rows that an earlier run left are kept beside the new ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help=", ".join(CORPORA))
    parser.add_argument(
        "--kind", action="append", help="crf, svm, ensemble or lstm-crf; repeatable (default: the first three)"
    )
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    rows: dict[str, Any] = load_rows("tagging", fresh=False)
    for corpus in options.corpora or CORPORA:
        for kind in options.kind or ("crf", "svm", "ensemble"):
            for seed in range(1 if kind == "crf" else options.seeds):
                for name, parts in runs(corpus).items():
                    key = f"{name} {kind}" + (f" seed {seed}" if seed else "")
                    rows[key] = learned(kind, seed, parts(), binary=corpus == "cross")
                    say(key, rows[key]["tokens"]["f1"], rows[key].get("spans", {}).get("f1"))
                    save("tagging", rows)


if __name__ == "__main__":
    main()
