"""An audit in memory: the same for any number of processes."""

from unname.job import Runtime
from unname.knowledge.fictional import fictional_town
from unname.knowledge.population import Population
from unname.parallel.workers import WorkerPool
from unname.run.audit import Knowledge, audit, prepare


def test_an_audit_by_several_is_the_audit_by_one() -> None:
    town = fictional_town(people=40, seed=6)
    people = Population(tuple(town.profiles))
    texts = [d.text[:200] for d in town.documents]
    reports = []
    for workers in (1, 3):
        with WorkerPool(workers) as pool:
            prepared = prepare(
                town.documents, people, knowledge=Knowledge(used=("bm25", "ngrams"), k=3), runtime=Runtime(pool=pool)
            )
            found = audit(prepared, texts)
            reports.append((found.report.as_dict(), found.report.risks, found.attack))
    assert reports[0] == reports[1]
    assert {a["name"] for a in reports[0][0]["attackers"]} >= {"latent.v1", "translation.v1@release"}
