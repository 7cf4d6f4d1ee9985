"""False marks of the rules, their recall of direct identifiers, and their speed: before and after.

    python -m benchmarks.precision --before CHECKOUT [--rounds N]

On `tab`, MEDDOCAN's dev part, `wikigold` and made-up records (benchmarks.clinical). A span that touches no annotated one is
false; false words are `\\w+` in such spans, by label and per 1,000 words of the corpus. Labels that a corpus does not
annotate (dates in `wikigold`) are counted by label alone. Recall: annotated direct identifiers that spans cover whole. Both
checkouts read the same texts in processes of their own, by turns; speed is characters per CPU second, and the ratio is the
median of the rounds.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.clinical import made_up, meddocan
from benchmarks.results import save, say
from benchmarks.tagging import tab, wikigold
from unname.scoring.scores import share
from unname.statistics import rate
from unname.taggers.labels import is_direct
from unname.text import WORD
from unname.types import Document, Span

ROOT = Path(__file__).parents[1]
RECORDS = 250
# Run with the package of a checkout: spans of each text, and CPU seconds for each corpus once libraries and words are
# loaded; a first pass over everything, which loads them, is timed apart.
_CHILD = """
import json, sys, time
from unname.taggers.rules.tagger import Rules
corpora, found, seconds = json.load(open(sys.argv[1])), {}, {}
tagger = Rules()
started = time.process_time()
tagger.tag([text for texts in corpora.values() for text in texts])
seconds["first pass"] = time.process_time() - started
for name, texts in corpora.items():
    started = time.process_time()
    spans = tagger.tag(texts)
    seconds[name] = time.process_time() - started
    found[name] = [[(s.start, s.end, s.label) for s in each] for each in spans]
json.dump({"found": found, "seconds": seconds}, open(sys.argv[2], "w"))
"""


@dataclass(frozen=True)
class Corpus:
    """Annotated documents; which annotations are direct, and what is not annotated though it may be there."""

    read: Callable[[], Sequence[Document]]
    direct: Callable[[Span], bool]
    unannotated: frozenset[str] = frozenset()


CORPORA = {
    "tab": Corpus(tab, lambda span: span.kind == "direct"),
    "meddocan": Corpus(lambda: meddocan("dev"), lambda span: is_direct(span.label)),
    "wikigold": Corpus(
        wikigold, lambda span: span.label == "PER", frozenset(("DATE", "AGE", "URL", "ADDRESS", "POSTCODE"))
    ),
    "made up": Corpus(lambda: made_up(RECORDS), lambda span: is_direct(span.label)),
}


def figures(corpus: Corpus, asked: Sequence[Document], found: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """False words by label and per 1,000 words, and the share of direct identifiers that is covered whole."""
    false, spans, words, correct = Counter[str](), Counter[str](), 0, 0
    covered: list[float] = []
    for document, some in zip(asked, found, strict=True):
        words += len(WORD.findall(document.text))
        for span in some:
            if any(gold.start < span.end and span.start < gold.end for gold in document.spans):
                correct += 1
            else:
                spans[span.label] += 1
                false[span.label] += len(WORD.findall(document.text[span.start : span.end]))
        hidden = {at for span in some for at in range(span.start, span.end)}
        covered += [float(_whole(document.text, gold, hidden)) for gold in document.spans if corpus.direct(gold)]
    counted = sum(many for label, many in false.items() if label not in corpus.unannotated)
    place = [document.id for document in asked for gold in document.spans if corpus.direct(gold)]
    return {
        "documents": len(asked), "words": words, "right spans": correct,
        "false spans": dict(sorted(spans.items())), "false words": dict(sorted(false.items())),
        "false words counted": counted, "false per 1,000": round(1000 * counted / words, 3),
        "direct": len(covered), "recall of direct": share(rate(covered, place)),
    }  # fmt: skip


def _whole(text: str, span: Span, hidden: set[int]) -> bool:
    return all(at in hidden for at in range(span.start, span.end) if text[at].isalnum())


def read(package: Path, texts: Path, folder: Path) -> tuple[dict[str, list[list[Span]]], dict[str, float]]:
    """The spans that a checkout's rules find in each corpus, and the CPU seconds they take."""
    out = folder / "found.json"
    environment = {**os.environ, "PYTHONPATH": str(package)}
    subprocess.run([sys.executable, "-c", _CHILD, str(texts), str(out)], cwd=folder, check=True, env=environment)
    answer = json.loads(out.read_text())
    found = {name: [[Span(*span) for span in each] for each in rows] for name, rows in answer["found"].items()}
    return found, answer["seconds"]


def measured(packages: dict[str, Path], rounds: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Figures of each checkout, and speed by turns."""
    asked = {name: [replace(document) for document in corpus.read()] for name, corpus in CORPORA.items()}
    characters = {name: sum(len(document.text) for document in some) for name, some in asked.items()}
    rows: dict[str, Any] = {}
    times: dict[str, list[dict[str, float]]] = {which: [] for which in packages}
    with tempfile.TemporaryDirectory() as name:
        texts = Path(name) / "texts.json"
        texts.write_text(json.dumps({corpus: [d.text for d in some] for corpus, some in asked.items()}))
        for turn in range(rounds):
            for which in packages if turn % 2 else reversed(packages):
                found, seconds = read(packages[which], texts, Path(name))
                times[which].append(seconds)
                if which not in rows:
                    rows[which] = {key: figures(corpus, asked[key], found[key]) for key, corpus in CORPORA.items()}
    return rows, speeds(characters, times)


def speeds(characters: dict[str, int], times: dict[str, list[dict[str, float]]]) -> dict[str, Any]:
    """Characters per CPU second (the median of rounds), and how many times the CPU time of before the rules take after."""
    found: dict[str, Any] = {}
    first = ["first pass"] if all("first pass" in row for rounds in times.values() for row in rounds) else []
    for name in (*characters, "all", *first):
        read = characters[name] if name in characters else sum(characters.values())
        spent = {
            which: [sum(each[corpus] for corpus in characters) if name == "all" else each[name] for each in rounds]
            for which, rounds in times.items()
        }
        row: dict[str, Any] = {which: round(read / median(each)) for which, each in spent.items()}
        if len(spent) == 2:
            ratios = [after / before for before, after in zip(spent["before"], spent["after"], strict=True)]
            row["time after / before"] = round(median(ratios), 3)
            row["of rounds"] = [round(ratio, 3) for ratio in ratios]
        found[name] = row
    return found


def main() -> None:
    """Measure both checkouts in one run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, required=True, help="a checkout of the package as it was")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    rows, speed = measured({"before": options.before.resolve(), "after": ROOT}, options.rounds)
    for which, corpora in rows.items():
        for name, row in corpora.items():
            shown = {key: value for key, value in row.items() if key not in ("false spans", "right spans")}
            say(f"{which:7}{name:10}", shown)
    say(json.dumps(speed))
    save(
        "precision", rows | {"speed": speed}, rounds=options.rounds, records=RECORDS, load=round(os.getloadavg()[0], 1)
    )


if __name__ == "__main__":
    main()
