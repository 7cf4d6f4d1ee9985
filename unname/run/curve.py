"""Privacy against cost over k, from one trace of the search for each person of a sample."""

import hashlib
from collections.abc import Sequence
from typing import Any

from unname.auditing.attacks import Attacker
from unname.auditing.statistics import credit, rate
from unname.auditing.utility import hidden_words
from unname.knowledge.population import Population
from unname.log import Progress, silent
from unname.masking.base import Case
from unname.masking.search import Greedy
from unname.reidentifiers.ensemble import Ensemble
from unname.transforms.redact import Redact
from unname.types import Document

GRID = (1, 2, 5, 10, 20, 50, 100)
SAMPLE_PEOPLE = 100


def curve_over_k(
    documents: Sequence[Document],
    population: Population,
    ensemble: Ensemble,
    attackers: Sequence[Attacker],
    *,
    seed: int = 0,
    progress: Progress = silent,
) -> dict[str, Any]:
    """For each k: masked share and the any-attacker rates of used and unused, on the first documents of a sample.

    The sample is drawn by hash, one document a person: that whose id comes first, so that the order of documents changes
    nothing. Targets are k itself, not keyed ones. Attackers that learn from a release are left out: there is no release
    at these k.
    """
    first: dict[str, Document] = {}
    for document in sorted(documents, key=lambda document: document.id):
        first.setdefault(str(document.person), document)
    drawn = sorted(first, key=lambda person: hashlib.sha256(f"curve\0{seed}\0{person}".encode()).digest())
    sample = [first[person] for person in drawn[:SAMPLE_PEOPLE]]
    grid = [k for k in GRID if k < len(population)]
    sides = [[a for a in attackers if a.used == used and not a.trained_on] for used in (True, False)]
    method, transform, additive = Greedy(), Redact(), ensemble.additive()
    hidden, total = dict.fromkeys(grid, 0), 0
    credits: dict[tuple[int, bool], list[float]] = {(k, used): [] for k in grid for used in (True, False)}
    advance = progress("curve over k", len(sample))
    for document in sample:
        column = population.rows[str(document.person)]
        case = Case((document,), population.profiles[column], column, additive, (grid[-1],), grid[-1])
        trace = method.trace(case)
        total += len(case.words[0])
        judged: dict[str, tuple[float, ...]] = {}
        for k in grid:
            targets = [k] * len(trace.board.constraints)
            steps = trace.length_for(targets)
            mask = method.cut(trace, targets, len(trace.order) if steps is None else steps)[0]
            hidden[k] += hidden_words(document, mask)[0]
            text = transform.release(document, mask).text
            if text not in judged:
                judged[text] = tuple(
                    max((credit(a.scores_of([text], [0])[0], column) for a in side), default=0.0) for side in sides
                )
            credits[k, True].append(judged[text][0])
            credits[k, False].append(judged[text][1])
        advance(1)
    people = [str(d.person) for d in sample]
    points = [
        {
            "k": k,
            "masked": hidden[k] / max(total, 1),
            "any_used": rate(credits[k, True] if sides[0] else [], people).as_dict(),
            "any_unused": rate(credits[k, False] if sides[1] else [], people).as_dict(),
        }
        for k in grid
    ]
    return {"points": points, "documents": len(sample), "attackers": [a.name for a in attackers if not a.trained_on]}
