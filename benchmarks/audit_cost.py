"""The cost of the default audit beside that of another checkout: the same releases of a fictional town, attacked in turn.

    python -m benchmarks.audit_cost BEFORE AFTER [--people N] [--runs N]

Each checkout needs its own environment (`make .venv/.use` there). Both mask the town once with the same key (BM25 and
n-grams, k = 10) and then attack it with every attacker that needs no encoder, in two processes. Times are of `prepare`
and `audit` together, without masking; the ratio is taken pair by pair.
"""

import argparse
import json
import statistics
import subprocess
from pathlib import Path

from benchmarks.results import save, say

_TIMED = """
import json, sys, time
from unname import fictional_town, make_population
from unname.job import AuditPlan, Deidentification
from unname.runtime import Runtime
from unname.parallel.workers import WorkerPool
from unname.verbs.audit.in_memory import Knowledge, audit, prepare
from unname.verbs.deidentify.in_memory import deidentify

def main():
    town = fictional_town(people=int(sys.argv[1]), seed=0)
    people = make_population(town.profiles)
    settings = Deidentification(k=10, reidentifiers=("bm25", "ngrams"))
    with WorkerPool(2) as pool:
        runtime = Runtime(pool=pool)
        made = deidentify(town.documents, people, settings=settings, key=bytes(range(32)), runtime=runtime)
        known = Knowledge(used=made.settings.reidentifiers, k=10, ensemble=made.ensemble)
        started = time.perf_counter()
        prepared = prepare(town.documents, people, plan=AuditPlan(), knowledge=known, runtime=runtime)
        report = audit(prepared, made.texts(), masks=made.masks).report
        print(json.dumps([time.perf_counter() - started, report.documents, len(report.attackers)]))

if __name__ == "__main__":
    main()
"""


def seconds(checkout: Path, people: int) -> tuple[float, int, int]:
    """Seconds that a checkout takes, the documents attacked, and how many attackers there were."""
    script = checkout / ".venv" / "audit_cost.py"
    script.write_text(_TIMED, encoding="utf-8")
    command = [str(checkout / ".venv" / "bin" / "python"), str(script), str(people)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=checkout)
    took, documents, attackers = json.loads(done.stdout.splitlines()[-1])
    return float(took), int(documents), int(attackers)


def main() -> None:
    """Time both in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    pairs, documents, attackers = [], 0, (0, 0)
    for number in range(options.runs):
        before, after = (seconds(each.resolve(), options.people) for each in (options.before, options.after))
        documents, attackers = after[1], (before[2], after[2])
        pairs.append((before[0], after[0]))
        say(f"run {number + 1}: {before[0]:.1f} s, {after[0]:.1f} s, ratio {after[0] / before[0]:.2f}")
    ratios = sorted(after / before for before, after in pairs)
    row = {
        "documents": documents, "people": options.people, "attackers": attackers, "seconds": pairs,
        "ratio": {"median": statistics.median(ratios), "least": ratios[0], "most": ratios[-1]},
    }  # fmt: skip
    save("audit_cost", {"fictional town": row}, seed=0)


if __name__ == "__main__":
    main()
