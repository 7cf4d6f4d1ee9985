"""Privacy against cost over k, from one trace of the search for each person of a sample."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from unname.attacking.attack import FUSED, Attack, AttackResults
from unname.attacking.attackers import Attacker
from unname.attacking.learning import Learned, Material, counted
from unname.auditing.privacy import any_of, attacker_names
from unname.auditing.report import Curve, CurvePoint, Found, rate_of
from unname.auditing.utility import hidden_words
from unname.draws import draw
from unname.knowledge.coreference import KnownAs
from unname.knowledge.population import Population
from unname.masking.anonymity import Anonymity
from unname.masking.base import Case, Method
from unname.masking.search import Traced
from unname.protecting.mandatory import MandatoryMask
from unname.reidentifiers.base import Index
from unname.reidentifiers.ensemble import Ensemble
from unname.runtime import Runtime
from unname.text import words
from unname.transforms.base import Context, Transform, seen_through
from unname.transforms.redact import Redact
from unname.types import Document, MaskSpan

GRID = (1, 3, 10, 30, 100)
SAMPLE_PEOPLE = 100
# Texts of the curve leave nobody's hands, and its figures must not hang on the key of the release.
_KEY = bytes(32)


@dataclass(frozen=True, slots=True, repr=False)
class Tried:
    """Attackers tried at each k, and with the `material` of all profiles an adversary who combines them as well.

    What these have `learned` from a release is used at every k.
    """

    attackers: Sequence[Attacker]
    people: Population | None = None
    material: Material | None = None
    learned: Sequence[Sequence[Learned]] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Hiding:
    """The way people are hidden at each k: from whom, how, after which mandatory mask, and by which transform."""

    ensemble: Ensemble
    method: Method
    mandatory: MandatoryMask = field(default_factory=MandatoryMask)
    transform: Transform = field(default_factory=Redact)


def curve_over_k(
    documents: Sequence[Document],
    population: Population,
    how: Hiding,
    who: Tried,
    *,
    seed: int = 0,
    runtime: Runtime | None = None,
) -> Curve | None:
    """For each k: masked share and who is found by whom, on the first documents of a sample.

    The sample is drawn by hash, one document a person: that whose id comes first, so that the order of documents changes
    nothing. What is mandatory is hidden at every k. None where the method is no search; rounds are left out. Targets are k
    itself, not keyed ones. Who learns from a release learned from the one at hand, at the k that was asked for.
    """
    method, mandatory, runtime = how.method, how.mandatory, runtime or Runtime()
    if not isinstance(method, Traced):
        return None
    first: dict[str, Document] = {}
    for document in sorted(documents, key=lambda document: document.id):
        first.setdefault(str(document.person), document)
    drawn = sorted(first, key=lambda person: draw("curve", seed, person))
    sample = [first[person] for person in drawn[:SAMPLE_PEOPLE]]
    grid = [k for k in GRID if k < len(population)]
    tried = who.attackers
    advance = runtime.progress("curve over k", len(sample))
    traces: list[_Trace] = []
    empty, members = how.ensemble.apart()
    about = _About(population, tuple(grid), method, mandatory.floor, how.transform, empty)
    cases = [_sampled(document, population, mandatory) for document in sample]
    sent: _Sent = (about, *members)
    for traced in runtime.working().map(_traced, sent, cases):
        traces.append(traced)
        advance(1)
    total = max(sum(trace.words for trace in traces), 1)
    points, people, last = [], [str(d.person) for d in sample], list[str]()
    attacked = AttackResults()
    for place, k in enumerate(grid):
        texts = [trace.texts[place] for trace in traces]
        if tried and texts != last:
            attack = Attack(who.people or population, sample, k, seed, pool=runtime.working())
            attacked, last = attack.run(texts, tried, material=who.material, learned=who.learned), texts
        by_whom = [_found(attacked, attacker_names(attacked, used=used), people) for used in (True, False)]
        combined = [
            _found(attacked, [name], people) if tried else None for name in (FUSED, counted(attacked.documents))
        ]
        hidden = sum(trace.hidden[place] for trace in traces) / total
        points.append(CurvePoint(k, hidden, *by_whom, *combined))
    return Curve(tuple(points), len(sample), tuple(a.name for a in tried))


def _found(attacked: AttackResults, names: Sequence[str], people: Sequence[str]) -> Found:
    known = [name for name in names if name in attacked.documents]
    return rate_of(any_of(attacked.documents, known).top1 if known else [], people)


@dataclass(frozen=True, slots=True, repr=False)
class _About:
    """The common part of all documents of the sample; `ensemble` is without its indexes, which travel apart."""

    population: Population
    grid: tuple[int, ...]
    method: Traced
    floor: Anonymity | None
    transform: Transform
    ensemble: Ensemble


@dataclass(frozen=True, slots=True, repr=False)
class _Sampled:
    """A document of the sample, what its person is called, what is hidden before any search, and the words that must stay."""

    document: Document
    called: KnownAs
    mandatory: tuple[MaskSpan, ...]
    never: frozenset[str]


def _sampled(document: Document, population: Population, mandatory: MandatoryMask) -> _Sampled:
    row = words(document.text)
    profile = population.full[population.rows[str(document.person)]]
    hidden = mandatory.reading_once().of(document, row, mandatory.identifiers(profile))
    return _Sampled(document, mandatory.called(profile, profile), hidden, mandatory.staying(document, row))


@dataclass(frozen=True, slots=True, repr=False)
class _Trace:
    """Of one document its words, and for each k those hidden and the text that is left."""

    words: int
    hidden: list[int]
    texts: list[str]


_Sent = tuple[_About, *tuple[Index, ...]]


def _traced(shared: _Sent, sampled: _Sampled) -> _Trace:
    document, (about, *indexes) = sampled.document, shared
    population, method, ensemble = about.population, about.method, about.ensemble.together(indexes)
    column = population.rows[str(document.person)]
    case = Case(
        (document,), population.profiles[column], column, ensemble.additive(document.person), about.grid[-1:], about.grid[-1],
        mandatory=(sampled.mandatory,), never=sampled.never, local=ensemble.local(document.person),
    )  # fmt: skip
    trace = method.trace(case if about.floor is None else about.floor.applied(case))
    hidden, texts = [], []
    for k in about.grid:
        targets = [constraint.sought(k) for constraint in trace.state.constraints]
        steps = trace.length_for(targets)
        mask = method.cut(trace, targets, len(trace.order) if steps is None else steps)[0]
        hidden.append(hidden_words(document, mask)[0])
        context = Context(_KEY, document.person, sampled.called, case.words[0])
        texts.append(seen_through(about.transform.release(document, mask, context)))
    return _Trace(len(case.words[0]), hidden, texts)
