"""Privacy against cost over k, from one trace of the search for each person of a sample."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unname.auditing.attackers import Attacker, put_together, taken_apart
from unname.auditing.statistics import credit, rate
from unname.auditing.utility import hidden_words
from unname.hiding.mandatory import Floors
from unname.knowledge.population import Population
from unname.log import Progress, silent
from unname.masking.base import Case
from unname.masking.search import Traced
from unname.parallel.work import ONE_PROCESS, Pool, Shared
from unname.reidentifiers.ensemble import Ensemble
from unname.text import words
from unname.transforms.redact import Redact
from unname.types import Document, MaskSpan

GRID = (1, 2, 5, 10, 20, 50, 100)
SAMPLE_PEOPLE = 100


def curve_over_k(
    documents: Sequence[Document],
    population: Population,
    ensemble: Ensemble,
    attackers: Sequence[Attacker],
    method: Traced,
    *,
    floors: Floors | None = None,
    seed: int = 0,
    pool: Pool = ONE_PROCESS,
    progress: Progress = silent,
) -> dict[str, Any]:
    """For each k: masked share and the any-attacker rates of used and unused, on the first documents of a sample.

    The sample is drawn by hash, one document a person: that whose id comes first, so that the order of documents changes
    nothing. `floors` are hidden at every k. Targets are k itself, not keyed ones. Attackers that learn from a release are
    left out: there is no release at these k.
    """
    first: dict[str, Document] = {}
    for document in sorted(documents, key=lambda document: document.id):
        first.setdefault(str(document.person), document)
    drawn = sorted(first, key=lambda person: hashlib.sha256(f"curve\0{seed}\0{person}".encode()).digest())
    sample = [first[person] for person in drawn[:SAMPLE_PEOPLE]]
    grid = [k for k in GRID if k < len(population)]
    tried = [a for a in attackers if a.used or not a.trained_on]
    advance = progress("curve over k", len(sample))
    traces: list[_Trace] = []
    bare, indexes = taken_apart(tried)
    empty, members = ensemble.apart()
    about = (population, tuple(grid), method, floors is not None, empty, len(members), bare)
    cases = [_sampled(document, population, floors) for document in sample]
    for found in pool.map(_traced, (about, *members, *indexes), cases):
        traces.append(found)
        advance(1)
    total = max(sum(trace.words for trace in traces), 1)
    people = [str(d.person) for d in sample]
    points = []
    for place, k in enumerate(grid):
        point: dict[str, Any] = {"k": k, "masked": sum(trace.hidden[place] for trace in traces) / total}
        for side, used in enumerate((True, False)):
            credits = [trace.credits[place][side] for trace in traces] if any(a.used == used for a in tried) else []
            point["any_used" if used else "any_unused"] = rate(credits, people).as_dict()
        points.append(point)
    return {"points": points, "documents": len(sample), "attackers": [a.name for a in tried]}


@dataclass(frozen=True, slots=True, repr=False)
class _Sampled:
    """A document of the sample, what is hidden of it before any search, and the words that must stay."""

    document: Document
    floor: tuple[MaskSpan, ...]
    never: frozenset[str]


def _sampled(document: Document, population: Population, floors: Floors | None) -> _Sampled:
    if floors is None:
        return _Sampled(document, (), frozenset())
    row = words(document.text)
    identifiers = floors.identifiers(population.full[population.rows[str(document.person)]])
    return _Sampled(document, floors.of(document, row, identifiers), floors.staying(document, row))


@dataclass(frozen=True, slots=True, repr=False)
class _Trace:
    """Of one document its words, and for each k those hidden and the best credit of used and of unused attackers."""

    words: int
    hidden: list[int]
    credits: list[tuple[float, float]]


def _traced(shared: Shared, sampled: _Sampled) -> _Trace:
    document = sampled.document
    population: Population
    method: Traced
    population, grid, method, floored, empty, members, bare = shared[0]
    ensemble: Ensemble = empty.together(shared[1 : 1 + members])
    attackers = put_together(bare, shared[1 + members :])
    transform = Redact()
    column = population.rows[str(document.person)]
    case = Case(
        (document,), population.profiles[column], column, ensemble.additive(document.person), (grid[-1],), grid[-1],
        floor=(sampled.floor,), never=sampled.never, floored=floored,
    )  # fmt: skip
    trace = method.trace(case)
    hidden, texts = [], []
    for k in grid:
        targets = [k] * len(trace.board.constraints)
        steps = trace.length_for(targets)
        mask = method.cut(trace, targets, len(trace.order) if steps is None else steps)[0]
        hidden.append(hidden_words(document, mask)[0])
        texts.append(transform.release(document, mask).text)
    shown = list(dict.fromkeys(texts))
    best = np.zeros((2, len(shown)))
    for attacker in attackers:
        scores = attacker.scores_of(shown, [str(document.person)] * len(shown))
        credits = [credit(row, column) for row in scores]
        best[0 if attacker.used else 1] = np.maximum(best[0 if attacker.used else 1], credits)
    judged = dict(zip(shown, zip(*best.tolist(), strict=True), strict=True))
    return _Trace(len(case.words[0]), hidden, [judged[text] for text in texts])
