"""The reading speed of taggers: characters and words a second, by one process and by two, beside other people's rules.

    python -m benchmarks.tagging_speed [--kinds rules,crf,lstm-crf] [--corpora meddocan,tab,congress] [--others]

Rules read as they are; a tagger that learns is taught here on MEDDOCAN's train part (an eighth of it held out; `--cases`
says on how many) and reads MEDDOCAN's dev part. `--others`: spaCy's blank pipeline with an entity ruler and Presidio's
pattern recognisers, where they can be imported. The best of three runs; texts are in memory. Written to
results/tagging_speed.json, a row a tagger and corpus; rows that were not asked for stay.
"""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from benchmarks.clinical import meddocan
from benchmarks.corpora import data_folder
from benchmarks.results import save, say
from unname import registry
from unname.storage.documents import read_documents
from unname.taggers.base import TrainableTagger
from unname.text import WORD

TIMES = 3
MOST_CHARACTERS = 8_000_000
Read = Callable[[Sequence[str]], Any]


def texts_of(corpus: str) -> list[str]:
    """The texts of a corpus, up to eight million characters."""
    if corpus == "meddocan":
        return [document.text for document in meddocan("dev")]
    texts, left = [], MOST_CHARACTERS
    for document in read_documents(data_folder() / corpus / "documents.jsonl.gz"):
        texts.append(document.text)
        left -= len(document.text)
        if left <= 0:
            break
    return texts


def measured(read: Read, texts: Sequence[str]) -> dict[str, Any]:
    """The best of several runs by one process, by the clock and by the processor's time (for a busy machine)."""
    row = _row(texts, min(_seconds(lambda: read(texts)) for _ in range(TIMES)))
    started = time.process_time()
    read(texts)
    return row | {"mb_per_processor_second": round(row["mb"] / (time.process_time() - started), 2)}


def measured_by_two(read: Read, texts: Sequence[str]) -> dict[str, Any]:
    """The same by two processes that each read a half; their start is not counted."""
    halves = [list(texts[::2]), list(texts[1::2])]
    with get_context("fork").Pool(2) as pool:
        pool.map(read, [half[:1] for half in halves], chunksize=1)
        return _row(texts, min(_seconds(lambda: pool.map(read, halves, chunksize=1)) for _ in range(TIMES)))


def _row(texts: Sequence[str], seconds: float) -> dict[str, Any]:
    size = sum(len(text.encode()) for text in texts)
    words = sum(len(WORD.findall(text)) for text in texts)
    return {"documents": len(texts), "mb": round(size / 1e6, 2), "seconds": round(seconds, 3),
            "mb_per_second": round(size / 1e6 / seconds, 2), "words_per_second": round(words / seconds)}  # fmt: skip


def _seconds(do: Callable[[], Any]) -> float:
    started = time.perf_counter()
    do()
    return time.perf_counter() - started


def taught(kind: str, cases: int) -> Any | None:
    """A registered tagger, taught if it is one that learns; None where it cannot be made here."""
    try:
        tagger = registry.create(registry.TAGGERS, kind)
    except ImportError as error:
        say(f"{kind} is left out: {type(error).__name__}")
        return None
    if isinstance(tagger, TrainableTagger):
        documents = meddocan("train")[:cases]
        say(f"teaching {kind} on {len(documents)} cases")
        seconds = _seconds(lambda: tagger.fit(documents[len(documents) // 8 :], documents[: len(documents) // 8]))
        say(f"taught in {seconds:.0f} s")
    return tagger


def others() -> dict[str, Read]:
    """spaCy and Presidio with rules only, where they are."""
    found: dict[str, Read] = {}
    for name, make in (("spacy blank + entity ruler", _spacy), ("presidio pattern recognisers", _presidio)):
        try:
            found[name] = make()
        except ImportError:
            say(f"{name}: not importable")
    return found


def _spacy() -> Read:
    pipeline = import_module("spacy").blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    shapes = [[{"LIKE_EMAIL": True}], [{"LIKE_URL": True}], [{"TEXT": {"REGEX": r"^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$"}}],
              [{"LIKE_NUM": True}, {"LOWER": {"IN": ["years", "años"]}}],
              [{"TEXT": {"IN": ["Dr", "Mr", "Ms"]}}, {"IS_TITLE": True}]]  # fmt: skip
    ruler.add_patterns([{"label": str(i), "pattern": shape} for i, shape in enumerate(shapes)])
    pipeline.max_length = MOST_CHARACTERS
    return lambda texts: [[(e.start_char, e.end_char) for e in document.ents] for document in pipeline.pipe(texts)]


def _presidio() -> Read:
    module = import_module("presidio_analyzer.predefined_recognizers")
    base = import_module("presidio_analyzer").PatternRecognizer
    kinds = [k for k in vars(module).values() if isinstance(k, type) and issubclass(k, base) and k is not base]
    recognisers = []
    for kind in kinds:
        try:
            recognisers.append(kind())
        except Exception as error:  # theirs, of any kind: some want a service, a model or a setting; each is named
            say(f"{kind.__name__} is left out: {type(error).__name__}")
    say(f"presidio: {len(recognisers)} recognisers")
    return lambda texts: [[r.analyze(text, r.supported_entities, None) for r in recognisers] for text in texts]


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", default="rules,crf,lstm-crf")
    parser.add_argument("--corpora", default="meddocan,tab,congress")
    parser.add_argument("--cases", type=int, default=120)
    parser.add_argument("--others", action="store_true")
    options = parser.parse_args()
    corpora = {name: texts_of(name) for name in options.corpora.split(",")}
    rows: dict[str, Any] = {}
    for kind in registry.split_names(options.kinds):
        tagger = taught(kind, options.cases)
        if tagger is None:
            continue
        for name, texts in corpora.items():
            if isinstance(tagger, TrainableTagger) and name != "meddocan":
                continue
            rows[f"{tagger.name}, {name}"] = row = measured(tagger.tag, texts)
            if kind.startswith("rules"):
                row["two_processes"] = measured_by_two(tagger.tag, texts)
            say(f"{tagger.name:12}{name:10}", row)
    for other, read in others().items() if options.others else ():
        for name, texts in corpora.items():
            fewer = texts[: max(1, len(texts) // 10)]
            rows[f"{other}, {name}"] = row = measured(read, fewer)
            say(f"{other:32}{name:10}", row)
    save("tagging_speed", rows, times=TIMES, cases=options.cases, load=round(os.getloadavg()[0], 1))


if __name__ == "__main__":
    main()
