"""Rounds of masking with those who masked among the attackers once, or twice as so far: what is found, and what it costs.

    python -m benchmarks.rounds_fits [CORPUS …] [--k 10,100] [--documents 300] [--fresh]

CORPUS is `congress-dev` or `tab`. Members of the ensemble also serve in the rounds. Under bare names they stand there beside
those that masked (`twice`, as it was), under versioned ones they are the same (`once`, as it is).
Each row has what the strongest adversary finds afterwards, words masked, rounds kept and seconds; `hits` are the documents
found, one figure each, so that both can be compared document by document (McNemar, exact).
"""

import argparse
import time
from typing import Any

from msgspec import to_builtins

from benchmarks.adversary import KEY
from benchmarks.biencoder import bundled_encoder
from benchmarks.corpora import SEARCH_ALONE, without_spans
from benchmarks.leave_one_out import row_of
from benchmarks.results import load_rows, paired, save, say
from benchmarks.teachers import WORDS, world
from unname.draws import draw
from unname.inputs.training_documents import teaches_masking
from unname.job import AuditPlan, Deidentification
from unname.reidentifiers.names import resolve_name
from unname.verbs.audit.in_memory import Knowledge, audit, prepare
from unname.verbs.deidentify import adaptive
from unname.verbs.deidentify.in_memory import deidentify

CORPORA = ("congress-dev", "tab")
ROUNDS = 3
WAYS = {"twice": lambda name, group: name, "once": resolve_name}


def measured(name: str, k: int, most: int) -> dict[str, Any]:
    """One corpus masked in rounds under the present setting, and attacked."""
    corpus, teachers = world(name)
    documents = sorted(corpus.documents, key=lambda d: draw("rounds", 0, d.id))[:most]
    settings = Deidentification(k=k, method="adaptive", rounds=ROUNDS, reidentifiers=WORDS, **SEARCH_ALONE)
    started = time.monotonic()
    made = deidentify(documents, corpus.population, training=teachers, settings=settings, key=KEY)
    seconds = time.monotonic() - started
    read = [d for d in teachers if not teaches_masking(d.person, 0)]
    plan = AuditPlan(simulate=False, read_curve=False, encoder=bundled_encoder())
    prepared = prepare(
        list(map(without_spans, documents)), corpus.population, plan=plan, knowledge=Knowledge(k=k, training=read)
    )
    found = audit(prepared, made.texts(), masks=made.masks)
    return row_of(prepared, found.attack) | {
        "masked": to_builtins(found.report.masked), "rounds": made.rounds_kept, "seconds": round(seconds, 1),
    }  # fmt: skip


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*", default=list(CORPORA))
    parser.add_argument("--k", default="10,100")
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    rows = load_rows("rounds_fits", fresh=options.fresh)
    for name in options.corpora:
        for k in map(int, options.k.split(",")):
            for way, resolving in WAYS.items():
                setattr(adaptive, "resolve_name", resolving)  # noqa: B010 (it is no name that others should import)
                row = f"{name} k={k} {way}"
                if row not in rows:
                    rows[row] = measured(name, k, options.documents)
                    save("rounds_fits", rows, seed=0, documents=options.documents)
                say(row, rows[row]["strongest"]["rate"], rows[row]["masked"], rows[row]["seconds"])
            both = (rows[f"{name} k={k} {way}"] for way in WAYS)
            say(f"{name} k={k}: found twice alone, once alone, by chance:", paired(*both))


if __name__ == "__main__":
    main()
