"""The speed of the main job on congress, both members, k = 10: masking, the whole command, and a plain version.

    python -m benchmarks.speed [masking] [command] [plain] [default] [neural]

`masking`: the masking stage alone (processes started, mandatory, search, rendering, every crowd counted again on the
released string), on the test part and on all 12,975 documents, by number of workers: the search, and `composed`, which
reads every text by rules first.
`command`: `unname deidentify` from reading to the written report, with the peak of proportional memory of all its
processes together; once more with the settings of whoever names none (a member that learns, rules first).
`plain`: 50 documents by the search and by a version that scores every candidate's whole text anew at every step, from
the postings of its terms; all in one process of this run, and the masks must be the same. Beside it the same plain
version on our index, whose sums over words are fast by themselves (whole rows of common words kept).
`default`: what `unname deidentify` takes where nothing is asked for, and in rounds, by number of documents of a fictional
town of 5,000 people. `neural`: documents a second of the masking stage on `authors`, without and with `meaning`.
"""

import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.biencoder import bundled_encoder
from benchmarks.corpora import SEARCH_ALONE, Corpus, data_folder, load
from benchmarks.results import load_rows, save, say
from unname.job import Deidentification
from unname.knowledge.fictional import fictional_town
from unname.masking.base import Case
from unname.masking.constraints import LIKELIEST
from unname.masking.search import Greedy
from unname.masking.search_state import SearchState
from unname.protecting.parts import Fitted
from unname.reidentifiers.base import SCALE, IntArray, crowd
from unname.reidentifiers.ensemble import build_ensemble
from unname.reidentifiers.terms.termindex import TermIndex
from unname.runtime import Runtime
from unname.text import folded_words
from unname.types import Mask
from unname.verbs.deidentify.in_memory import deidentify
from unname.verbs.demo.run import write_town

KEY = bytes(range(32))
K = 10
MEMBERS = ("bm25", "ngrams")
SEARCH = ("--method", "greedy", "--reidentifiers", ",".join(MEMBERS))
TEMPERATURE = Greedy().temperature
PLAIN_DOCUMENTS = 50


def masking(corpus: Corpus) -> dict[str, Any]:
    """Documents a second of the masking stage, by documents and workers; all must give the same masks."""
    ensemble = build_ensemble(MEMBERS, corpus.population.profiles)
    everything = (*corpus.documents, *corpus.others)
    rows: dict[str, Any] = {}
    for name, documents, method in (
        ("test part", corpus.documents, "greedy"),
        ("all", everything, "greedy"),
        ("all, composed", everything, "composed"),
    ):
        digests = set()
        for workers in (1, 2):
            watch = Watch()
            made = deidentify(
                documents,
                corpus.population,
                settings=Deidentification(method=method, k=K, reidentifiers=MEMBERS),
                key=KEY,
                fitted=Fitted(ensemble=ensemble),
                runtime=Runtime(workers=workers, progress=watch),
            )
            seconds = watch.seconds("mask")
            digests.add(hashlib.sha256(repr([(m.spans, c) for m, c in zip(made.masks, made.crowds, strict=True)])
                                       .encode()).hexdigest())  # fmt: skip
            rows[f"{name}, {workers} workers"] = {
                "documents": len(documents), "seconds": round(seconds, 2),
                "documents_per_second": round(len(documents) / seconds, 1), "withheld": len(made.withheld),
                "masked": sum(o.hidden_words for o in made.outcomes()) / sum(o.words for o in made.outcomes()),
            }  # fmt: skip
            say(f"masking {name}, {workers} workers", rows[f"{name}, {workers} workers"])
        if len(digests) > 1:
            raise SystemExit("the number of workers changed a mask; that must not happen")
    return rows


def default() -> dict[str, Any]:
    """Seconds of the whole command by number of documents, audit and pages included."""
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as made:
        documents, people = write_town(Path(made) / "town", fictional_town(people=5000, seed=0))
        for method, numbers in (("composed", (100, 1_000)), ("adaptive", (100, 1_000, 10_000))):
            for number in numbers:
                call = [
                    sys.executable, "-m", "unname", "deidentify", str(documents), "--people", str(people), "--limit",
                    str(number), "--method", method, "--out", f"{made}/{method}{number}",
                ]  # fmt: skip
                started = time.perf_counter()
                done = subprocess.run(call, capture_output=True, check=False)
                seconds = time.perf_counter() - started
                if done.returncode not in (0, 4):
                    raise SystemExit(f"the command ended with {done.returncode}")
                rows[f"{method}, {number} documents"] = {"documents": number, "seconds": round(seconds, 1)}
                say(method, number, round(seconds, 1))
    return rows


def neural() -> dict[str, Any]:
    """Documents a second of the masking stage with and without a reidentifier that understands."""
    corpus, rows = load("authors"), dict[str, Any]()
    for name, encoder in (("without meaning", None), ("with meaning", bundled_encoder())):
        watch = Watch()
        settings = Deidentification(method="composed", k=10, direct=("none",), masking_encoder=encoder, **SEARCH_ALONE)
        made = deidentify(
            corpus.documents, corpus.population, settings=settings, key=KEY, runtime=Runtime(workers=2, progress=watch)
        )
        seconds = watch.seconds("mask")
        read = sum(outcome.readings for outcome in made.outcomes()) / len(corpus.documents)
        rows[name] = {
            "documents": len(corpus.documents), "seconds": round(seconds, 1), "readings_per_document": round(read, 1),
            "documents_per_second": round(len(corpus.documents) / seconds, 2),
        }  # fmt: skip
        say(name, rows[name])
    return rows


class Watch:
    """Progress that notes when each stage begins."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, float]] = []

    def __call__(self, stage: str, total: int) -> Any:
        """Begin a stage."""
        self.begun.append((stage, time.perf_counter()))
        return lambda done: None

    def seconds(self, stage: str) -> float:
        """The seconds a stage took, until the next began."""
        at = next(i for i, (name, _) in enumerate(self.begun) if name == stage)
        end = self.begun[at + 1][1] if at + 1 < len(self.begun) else time.perf_counter()
        return end - self.begun[at][1]


def command(*options: str, split: str | None, times: int = 3) -> dict[str, Any]:
    """The whole command on the files: the median time of several runs, and the peak of memory in one more.

    Asking the system what memory processes have slows them down, so that run is not timed.
    """
    seconds = sorted(_run(options, split)[0] for _ in range(times))
    _, peak, documents = _run(options, split, watch=True)
    median = seconds[len(seconds) // 2]
    return {"options": list(options), "split": split, "documents": documents, "seconds": round(median, 1),
            "documents_per_second": round(documents / median, 1), "all_seconds": [round(s, 1) for s in seconds],
            "peak_bytes": peak}  # fmt: skip


def _run(options: Sequence[str], split: str | None, *, watch: bool = False) -> tuple[float, int, int]:
    """Seconds, peak of memory where it is watched, and documents of one run."""
    folder = data_folder() / "congress"
    with tempfile.TemporaryDirectory() as made:
        call = [
            sys.executable, "-m", "unname", "deidentify", str(folder / "documents.jsonl.gz"),
            "--people", str(folder / "profiles.jsonl.gz"), "--without-fields", "works,archives",
            "--k", str(K),
            "--out", f"{made}/out", *(("--split", split) if split else ()), *options,
        ]  # fmt: skip
        started = time.perf_counter()
        process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        peak = 0
        while watch and process.poll() is None:
            peak = max(peak, memory_of(process.pid))
            time.sleep(0.1)
        process.communicate()
        seconds = time.perf_counter() - started
        if process.returncode not in (0, 3):
            raise SystemExit(f"the command ended with {process.returncode}")
        with (Path(made) / "out.private" / "documents.jsonl").open(encoding="utf-8") as lines:
            documents = sum(1 for _ in lines)
    return seconds, peak, documents


def memory_of(root: int) -> int:
    """Proportional memory of a process and all below it: what is shared counts once."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(path.parent.name))
        except OSError:
            continue
    total, waiting = 0, [root]
    while waiting:
        number = waiting.pop()
        waiting += children.get(number, [])
        try:
            rollup = Path(f"/proc/{number}/smaps_rollup").read_text()
            total += 1024 * int(next(row for row in rollup.splitlines() if row.startswith("Pss:")).split()[1])
        except (OSError, StopIteration):
            continue
    return total


Score = Callable[[Sequence[str]], IntArray]


def from_postings(index: TermIndex) -> Score:
    """Scores as a sparse matrix gives them: the rows of all terms of all words, added up."""
    shape = (len(index._vocabulary), len(index.people))
    matrix = sparse.csr_array((index._weights.astype(np.int64), index._columns, index._starts), shape=shape)
    terms_of = index._terms_of or (lambda word: (word,))

    def score(words: Sequence[str]) -> IntArray:
        rows = [index._vocabulary[t] for word in words for t in terms_of(word) if t in index._vocabulary]
        return np.asarray(matrix[rows].sum(axis=0), np.int64).ravel()

    return score


def from_our_sums(index: TermIndex) -> Score:
    """Scores as our index adds them, without remembering the words it was asked for before."""

    def score(words: Sequence[str]) -> IntArray:
        index._last = (frozenset(), None)
        return index.sum_of(words)

    return score


def plain_mask(case: Case, how: Callable[[TermIndex], Score], temperature: float = TEMPERATURE) -> set[int]:
    """Greedy without any bookkeeping, for one document: word numbers hidden, each try scored anew from its words."""
    words = list(dict.fromkeys(w.folded for w in case.free_words(0)))
    times = [sum(w.folded == word for w in case.words[0]) for word in words]
    scorers = [how(index) for index in case.ensemble.values() if isinstance(index, TermIndex)]
    target = case.targets[0]
    near = [nearest(score(words), case.column) for score in scorers]

    def scores(hidden: set[int]) -> list[IntArray]:
        left = [word for i, word in enumerate(words) if i not in hidden]
        return [score(left) for score in scorers]

    def enough(hidden: set[int]) -> bool:
        return all(crowd(row, case.column) >= target for row in scores(hidden))

    def log_p(hidden: set[int]) -> float:
        total = 0.0
        for row, kept in zip(scores(hidden), near, strict=True):
            values = (row[kept] - row[case.column]) / (SCALE * temperature)
            total -= float(np.log(np.exp(values - values.max()).sum()) + values.max())
        return total

    telling = [i for i, word in enumerate(words) if any(score([word])[case.column] > 0 for score in scorers)]
    hidden: set[int] = set()
    order: list[int] = []
    while not enough(hidden):
        free = [i for i in telling if i not in hidden]
        if not free:
            break
        now = log_p(hidden)
        gains = [round((now - log_p(hidden | {i})) / times[i], 9) for i in free]
        order.append(free[int(np.argmax(gains))])
        hidden.add(order[-1])
    for _ in range(2):
        for i in sorted((i for i in order if i in hidden), key=lambda i: -times[i]):
            if enough(hidden - {i}):
                hidden.remove(i)
    return hidden


def nearest(scores: IntArray, column: int) -> IntArray:
    """The people who share the softmax: those who score highest on the whole document, ties by place, and the person."""
    order = np.argsort(-scores, kind="stable")[:LIKELIEST]
    return np.union1d(order, [column])


def plain(corpus: Corpus) -> dict[str, Any]:
    """The search and both plain versions on the same documents."""
    cases = cases_of(corpus)
    for case in cases:
        # Rows of common words are made when a word is first met; neither version on this index is to pay for them.
        for index in case.ensemble.values():
            index.sum_of(folded_words(case.documents[0].text))
    started = time.perf_counter()
    masks = [Greedy().mask(case)[0] for case in cases]
    seconds = {"search": time.perf_counter() - started}
    hidden = {}
    for name, how in (("plain", from_postings), ("plain on our sums", from_our_sums)):
        made: dict[int, Score] = {}
        remembered = partial(_once, how, made)
        started = time.perf_counter()
        hidden[name] = [plain_mask(case, remembered) for case in cases]
        seconds[name] = time.perf_counter() - started
    wanted = [hidden_words(case, mask) for case, mask in zip(cases, masks, strict=True)]
    return {
        "documents": len(cases),
        "same_masks": {name: sum(a == b for a, b in zip(found, wanted, strict=True)) for name, found in hidden.items()},
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "times_faster": {name: round(seconds[name] / seconds["search"], 1) for name in hidden},
    }


def _once(how: Callable[[TermIndex], Score], made: dict[int, Score], index: TermIndex) -> Score:
    """One scorer for each index, however many documents ask for it."""
    if id(index) not in made:
        made[id(index)] = how(index)
    return made[id(index)]


def cases_of(corpus: Corpus) -> list[Case]:
    """The first documents as cases over a fresh index."""
    ensemble = build_ensemble(MEMBERS, corpus.population.profiles).additive()
    found = []
    for document in corpus.documents[:PLAIN_DOCUMENTS]:
        column = corpus.population.rows[str(document.person)]
        found.append(Case((document,), corpus.population.profiles[column], column, ensemble, (K,), K))
    return found


def hidden_words(case: Case, mask: Mask) -> set[int]:
    """The words (by number of first occurrence) that a mask hides."""
    board = SearchState(case)
    return {u.word for u in board.units if mask.covers(u.occurrences[0].start, u.occurrences[0].end)}


def main(asked: Sequence[str]) -> None:
    """Measure what was asked for, or everything."""
    parts = tuple(asked) or ("plain", "masking", "command")
    rows = load_rows("speed", fresh=False)
    corpus = load("congress")
    if "plain" in parts:
        rows["plain"] = plain(corpus)
        say("plain", rows["plain"])
    if "masking" in parts:
        rows["masking"] = masking(corpus)
    for name, measure in (("default", default), ("neural", neural)):
        if name in parts:
            rows[name] = measure()
            save("speed", rows, seed=0, k=K)
    save("speed", rows, seed=0, k=K)
    if "command" in parts:
        runs = rows.setdefault("command", {})
        for name, split, options, times in (
            ("all documents, audit by the two members", None, (*SEARCH, "--attackers", ",".join(MEMBERS)), 3),
            ("test part, audit by the two members", "test", (*SEARCH, "--attackers", ",".join(MEMBERS)), 3),
            ("test part, full audit", "test", SEARCH, 1),
            ("test part, composed, full audit", "test", ("--method", "composed"), 1),
            ("test part, in rounds, full audit", "test", (), 1),
        ):
            runs[name] = command(*options, split=split, times=times)
            say(name, runs[name])
            save("speed", rows, seed=0, k=K)


if __name__ == "__main__":
    main(sys.argv[1:])
