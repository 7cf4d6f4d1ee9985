"""The benefit of keyed targets: guessing from crowd sizes and the words hidden, by how far targets may lie above k.

python -m benchmarks.targets
"""

from typing import Any

from benchmarks.corpora import load
from benchmarks.results import save, say
from unname.job import AuditPlan, Deidentification
from unname.verbs.audit.in_memory import Knowledge, audit, prepare
from unname.verbs.deidentify.in_memory import deidentify

SPANS = (1.0, 1.5, 2.0, 3.0, 4.0)


def main() -> None:
    """Measure the Wikipedia leads and the court cases at k = 10 and 100."""
    rows: dict[str, Any] = {}
    for name in ("wikipedia553", "tab"):
        corpus = load(name)
        used = ("bm25", "ngrams")
        ready = prepare(
            corpus.documents,
            corpus.population,
            plan=AuditPlan(attackers=used, simulate=False),
            knowledge=Knowledge(used=used),
        )
        for k in (10, 100):
            ready.knowledge = Knowledge(used=used, k=k)
            for span in SPANS:
                settings = Deidentification(
                    method="greedy", reidentifiers=used, k=k, target_span=span, direct=("none",)
                )
                made = deidentify(corpus.documents, corpus.population, settings=settings, key=bytes(range(32)))
                report = audit(ready, made.texts(), masks=made.masks).report.as_dict()
                rows[f"{name} k={k} span={span:g}"] = {
                    "masked": report["masked"]["rate"],
                    "crowd_sizes": report["crowd_sizes"],
                }
                save("targets", rows, seed=0)
                say(name, k, span, round(report["masked"]["rate"], 4), report["crowd_sizes"]["rate"])


if __name__ == "__main__":
    main()
