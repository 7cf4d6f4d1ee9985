"""One tagger in a process of its own: texts as JSON lines on standard input, spans on standard output.

    python tagging_worker.py ENGINE < texts.jsonl > spans.jsonl

ENGINE: `rules`, `entities` or `entities:WEIGHTS` (Unname's), `spacy:MODULE`, `presidio:MODULE` (its default recognisers over
this spaCy model). The first line of the answer says what that cost: seconds to load and to read (of the processor and by
the clock), the largest memory, megabytes of the
model, of all packages of which something was loaded, and of everything installed for it. Then a line a text:
`[[start, end, label], …]`. It stands alone, because it runs in environments that have nothing of Unname's.
"""

import importlib
import importlib.metadata
import json
import re
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Found = list[list[tuple[int, int, str]]]
Engine = Callable[[Sequence[str]], Found]
# What loading alone would leave unloaded.
_FIRST = "Ada Byron met John Smith in London on 2 May 1984."


def engine(name: str) -> tuple[Engine, tuple[str, ...], Path | None]:
    """A tagger by its name, the distributions that it needs, and its model's file or folder."""
    kind, _, given = name.partition(":")
    if kind == "spacy":
        return _spacy(given), ("spacy", given), Path(str(importlib.import_module(given).__file__)).parent
    if kind == "presidio":
        model = Path(str(importlib.import_module(given).__file__)).parent
        return _presidio(given), ("presidio-analyzer", given), model
    return _ours(kind, given)


def _ours(kind: str, given: str) -> tuple[Engine, tuple[str, ...], Path | None]:
    if kind == "rules":
        tagger: Any = importlib.import_module("unname.taggers.rules.tagger").Rules()
        model = None
    else:
        module = importlib.import_module("unname.taggers.entities.tagger")
        model = Path(given) if given else module.WEIGHTS
        tagger = module.Entities(weights=model)
    return (
        lambda texts: [[(s.start, s.end, s.label) for s in spans] for spans in tagger.tag(texts)],
        ("unname",),
        model,
    )


def _spacy(model: str) -> Engine:
    pipeline = importlib.import_module("spacy").load(model)
    for part in ("tagger", "parser", "attribute_ruler", "lemmatizer", "morphologizer"):
        if part in pipeline.pipe_names:
            pipeline.disable_pipe(part)
    pipeline.max_length = 10_000_000
    return lambda texts: [[(e.start_char, e.end_char, e.label_) for e in done.ents] for done in pipeline.pipe(texts)]


def _presidio(model: str) -> Engine:
    engines = importlib.import_module("presidio_analyzer.nlp_engine")
    models = [{"lang_code": "en", "model_name": model}]
    made = engines.NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models}).create_engine()
    analyzer = importlib.import_module("presidio_analyzer").AnalyzerEngine(nlp_engine=made, supported_languages=["en"])
    return lambda texts: [
        [(r.start, r.end, r.entity_type) for r in analyzer.analyze(text=text, language="en")] for text in texts
    ]


def needed(names: Sequence[str]) -> set[str]:
    """The distributions that these need, themselves included, extras left out."""
    found: set[str] = set()
    asked = list(names)
    while asked:
        name = re.sub(r"[-_.]+", "-", asked.pop()).lower()
        if name in found:
            continue
        try:
            required = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        found.add(name)
        asked += [re.split(r"[^\w.-]", row, maxsplit=1)[0] for row in required if "extra ==" not in row]
    return found


def megabytes(names: Sequence[str]) -> float:
    """The megabytes that the files of these distributions take on the disk."""
    return sum(
        path.stat().st_size
        for name in names
        for file in importlib.metadata.files(name) or ()
        if (path := Path(str(file.locate()))).is_file()
    ) / 1e6  # fmt: skip


def loaded_names() -> list[str]:
    """The distributions of which something is loaded in this process."""
    owners = importlib.metadata.packages_distributions()
    roots = {name.partition(".")[0] for name in sys.modules}
    return sorted({owner for root in roots for owner in owners.get(root, ())})


def size_of(path: Path | None) -> float:
    """Megabytes of a file or folder."""
    if path is None:
        return 0.0
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files) / 1e6


def _package_of(names: Sequence[str]) -> float:
    """Unname's own files, where its distribution is only a pointer to them."""
    return size_of(Path(str(importlib.import_module("unname").__file__)).parent) if "unname" in names else 0.0


def peak() -> float:
    """The largest memory of this process in megabytes; what the kernel counts for a child may be its parent's."""
    status = Path("/proc/self/status")
    if status.exists() and (found := re.search(r"VmHWM:\s*(\d+) kB", status.read_text())):
        return int(found[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def main() -> None:
    """Read, tag, answer."""
    texts = [json.loads(line) for line in sys.stdin]
    started, loading = time.process_time(), time.perf_counter()
    tag, names, model = engine(sys.argv[1])
    tag([_FIRST])
    loaded, clock, read = time.process_time(), time.perf_counter(), []
    for text in texts:
        read.append(tag([text])[0])
    about = {
        "load cpu s": round(loaded - started, 3), "load s": round(clock - loading, 3),
        "cpu s": round(time.process_time() - loaded, 3), "s": round(time.perf_counter() - clock, 3),
        "peak MB": round(peak()),
        "model MB": round(size_of(model), 1), "loaded MB": round(megabytes(loaded_names()) + _package_of(names), 1),
        "installed MB": round(megabytes(sorted(needed(names))) + _package_of(names), 1),
    }  # fmt: skip
    sys.stdout.write("".join(f"{json.dumps(row)}\n" for row in [about, *read]))


if __name__ == "__main__":
    main()
