"""The effect of every option of the main job on congress, tab and the fictional town.

    python -m benchmarks.options [NAME …]

Attackers here are the two members and six that only read profiles; k = 10, keyed targets, no field declared direct
unless the option is about names.
"""

import csv
import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.corpora import Corpus, data_folder, load
from benchmarks.results import load_rows, save, say
from unname.inputs.files import Inputs, read_inputs
from unname.job import FROM_DOCUMENTS, AuditPlan, Deidentification, Source, make_job
from unname.knowledge.fictional import fictional_town
from unname.knowledge.population import Population
from unname.protecting.parts import make_parts
from unname.protecting.result import Deidentified
from unname.storage.people import read_profiles
from unname.types import Document
from unname.verbs.audit.in_memory import Kept, Knowledge, audit, prepare
from unname.verbs.deidentify.estimate import estimate
from unname.verbs.deidentify.files import deidentify_files
from unname.verbs.deidentify.in_memory import deidentify

KEY, OTHER_KEY = bytes(range(32)), bytes(range(32, 64))
MEMBERS = ("bm25", "ngrams")
ATTACKERS = (*MEMBERS, "facts", "phrases", "pairs", "names", "skeletons", "runs")
PLAIN = Deidentification(method="greedy", reidentifiers=("bm25", "ngrams"), direct=("none",))


def corpora() -> list[Corpus]:
    """Congress (thin), tab, and a town of 600 people."""
    town = fictional_town(people=600)
    return [load("congress"), load("tab"), Corpus("town", town.documents, (), Population(town.profiles))]


def run(corpus: Corpus, settings: Deidentification = PLAIN, *, key: bytes = KEY) -> tuple[Deidentified, dict[str, Any]]:
    """A masked corpus and the figures that every option reports."""
    started = time.perf_counter()
    made = deidentify(corpus.documents, corpus.population, settings=settings, key=key)
    seconds = time.perf_counter() - started
    hidden, words = (sum(getattr(o, name) for o in made.outcomes()) for name in ("hidden_words", "words"))
    reasons = list(made.withheld.values())
    return made, {
        "documents": len(corpus.documents), "people": len(corpus.population), "masked": hidden / words,
        "withheld": {reason: reasons.count(reason) for reason in sorted(set(reasons))}, "seconds": round(seconds, 1),
    }  # fmt: skip


def rates(
    corpus: Corpus, made: Deidentified, *, kept: Kept | None = None, previous: Sequence[Sequence[str | None]] = (),
    people: Population | None = None, sensitive: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """An audit by the attackers of this benchmark."""
    plan = AuditPlan(attackers=ATTACKERS, sensitive=tuple(sensitive), strongest=False)
    known = Knowledge(used=MEMBERS, people=people)
    ready = prepare(corpus.documents, corpus.population, plan=plan, knowledge=known, kept=kept)
    return audit(ready, made.texts(), masks=made.masks, previous=previous).report.as_dict()


def kept(corpus: Corpus) -> dict[str, Any]:
    """`--keep task` on the court cases: what the parties quarrelled about is released beside the text."""
    if corpus.name != "tab":
        return {}
    without = run(corpus)[1]
    made, row = run(corpus, replace(PLAIN, keep=("task",)))
    beside = [d.metadata.get("task", "") for d in corpus.documents]
    report = rates(corpus, run(corpus)[0], kept=Kept(beside, ("task",)))
    return {"without": without, "with": row, "if the search had not counted it": report["kept"],
            "released": sum(o.release is not None for o in made.outcomes())}  # fmt: skip


def protected(corpus: Corpus) -> dict[str, Any]:
    """`--protect everyone-known`: people of the population whom a document names beside its own person."""
    found = {}
    for protect in ("subject", "everyone-known"):
        made, row = run(corpus, replace(PLAIN, protect=protect, direct=("auto",)))
        third = [n for o in made.outcomes() for n in o.third]
        found[protect] = {**row, "mentions": len(third), "documents_with_mentions": sum(bool(o.third) for o in
                          made.outcomes()), "smallest_crowd": min(third, default=None)}  # fmt: skip
    return found


def from_documents(corpus: Corpus) -> dict[str, Any]:
    """`--people from-documents`: no people table; everybody's originals are the population."""
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "d.jsonl", corpus.documents)
        inputs = read_inputs(Source(path, FROM_DOCUMENTS))
    own = Corpus(corpus.name, tuple(inputs.documents), (), inputs.population)
    return {f"k={k}": run(own, replace(PLAIN, k=k))[1] for k in (1, 10)}


def attacker_people(corpus: Corpus) -> dict[str, Any]:
    """`--attacker-people`: attackers who know two fields more than the masking did."""
    if corpus.name != "congress":
        return {}
    made, row = run(corpus)
    full = Population(tuple(read_profiles(data_folder() / "congress" / "profiles.jsonl.gz")))
    same, more = rates(corpus, made), rates(corpus, made, people=full)
    return {**row, **{name: {side: report[side]["after"] for side in ("any_unused", "any_used")}
                      for name, report in (("same people table", same), ("with works and archives", more))}}  # fmt: skip


def previous(corpus: Corpus) -> dict[str, Any]:
    """`audit --previous`: a second release of the same originals, under the same key and under another."""
    first = run(corpus)[0]
    found = {}
    for name, key in (("same key", KEY), ("another key", OTHER_KEY)):
        second = run(corpus, replace(PLAIN, k=20), key=key)[0]
        report = rates(corpus, second, previous=[first.texts()])
        found[f"k=10, then k=20, {name}"] = report["previous"]
    return found


def sensitive_and_change(corpus: Corpus) -> dict[str, Any]:
    """`--sensitive`, and what a changing population does to crowds."""
    fields = {"congress": ("party", "states"), "town": ("occupation", "sex")}.get(corpus.name, ())
    known = set(corpus.population.field_names())
    report = rates(corpus, run(corpus)[0], sensitive=[f for f in fields if f in known])
    return {"sensitive": report.get("sensitive"), "population_change": report["population_change"]}


def unknown(corpus: Corpus) -> dict[str, Any]:
    """`--unknown-person`: every tenth document's person has no profile."""
    documents = tuple(replace(d, person="nobody") if i % 10 == 0 else d for i, d in enumerate(corpus.documents))
    found = {}
    for choice in ("withhold", "floor-only"):
        made, row = run(replace(corpus, documents=documents), replace(PLAIN, unknown_person=choice, direct=("auto",)))
        row["not_measured"] = sum(o.release is not None and not o.crowds for o in made.outcomes())
        found[choice] = row
    return found


def dry_run(corpus: Corpus) -> dict[str, Any]:
    """`--dry-run`: the estimate beside what the run did."""
    guess = estimate(Inputs(corpus.documents, (), corpus.population), make_parts(PLAIN))
    return {"estimate": guess.as_dict(), "run": run(corpus)[1]}


def inputs(corpus: Corpus) -> dict[str, Any]:
    """JSONL, CSV, Parquet, two text columns and a folder of text: the same texts must give the same release."""
    if corpus.name != "town":
        return {}
    small = corpus.documents[:300]
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        people = folder / "people.jsonl"
        people.write_text("".join(json.dumps({"id": p.id, "fields": dict(p.fields)}) + "\n" for p in
                                  corpus.population.profiles), encoding="utf-8")  # fmt: skip
        key = folder / "key"
        key.write_text(KEY.hex(), encoding="ascii")
        key.chmod(0o600)
        for name, path in written(folder, small).items():
            out = folder / f"out-{name.replace(' ', '-')}"
            done = deidentify_files(
                make_job(
                    path,
                    people,
                    out,
                    accept_risk="a test",
                    masking=PLAIN,
                    attackers=MEMBERS,
                    key=key,
                    withhold_bad=name == "one line in fifty broken",
                )
            )
            content = (out / "documents.jsonl").read_bytes()
            found[name] = {
                "documents": len(done.result.documents), "withheld": len(done.result.withheld),
                "bad_records": done.bad_records, "not_measured": done.report.not_measured,
                "release": hashlib.sha256(content).hexdigest()[:16],
            }  # fmt: skip
    return found


def write(path: Path, documents: Sequence[Document]) -> Path:
    """Documents as JSON lines."""
    rows = ({"id": d.id, "person": d.person, "text": d.text} for d in documents)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def written(folder: Path, documents: Sequence[Document]) -> dict[str, Path]:
    """The same documents in every form that is read."""
    import pyarrow as pa
    from pyarrow import parquet

    rows = [{"id": d.id, "person": str(d.person), "text": d.text} for d in documents]
    found = {"jsonl": write(folder / "d.jsonl", documents), "csv": folder / "d.csv", "parquet": folder / "d.parquet"}
    with found["csv"].open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, ["id", "person", "text"])
        table.writeheader()
        table.writerows(rows)
    parquet.write_table(pa.Table.from_pylist(rows), found["parquet"])
    broken = folder / "broken.jsonl"
    lines = found["jsonl"].read_text(encoding="utf-8").splitlines(keepends=True)
    broken.write_text("".join(line[:-9] + "\n" if i % 50 == 0 else line for i, line in enumerate(lines)))
    texts = folder / "texts"
    texts.mkdir()
    for number, row in enumerate(rows):
        (texts / f"{number:04d}.txt").write_text(row["text"], encoding="utf-8")
    return {**found, "one line in fifty broken": broken, "folder of text, nobody named": texts}


OPTIONS: dict[str, Callable[[Corpus], dict[str, Any]]] = {
    "inputs": inputs,
    "keep": kept,
    "protect": protected,
    "from-documents": from_documents,
    "attacker-people": attacker_people,
    "previous": previous,
    "sensitive and change": sensitive_and_change,
    "unknown-person": unknown,
    "dry-run": dry_run,
}


def main(asked: Sequence[str]) -> None:
    """Every option on every corpus that has what it needs."""
    rows = load_rows("options", fresh=False)
    for corpus in corpora():
        for name in asked or OPTIONS:
            found = OPTIONS[name](corpus)
            if found:
                rows[f"{name}: {corpus.name}"] = found
                save("options", rows, seed=0)
                say(name, corpus.name, json.dumps(found)[:600])


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main(sys.argv[1:])
