"""Corpus → masks → released texts, in memory: the floor, the search, the transform, and what is checked before it leaves."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass

from unname import registry
from unname.auditing.leaks import DirectIdentifiers, direct_identifiers
from unname.auditing.recount import RECOUNTED, Recount
from unname.errors import InputError, UnsafeReleaseError
from unname.knowledge.population import Population, direct_fields, require_crowd_possible
from unname.log import Progress, silent
from unname.masking.base import Case, Method
from unname.reidentifiers.base import AdditiveIndex, Index, IntArray, crowd
from unname.reidentifiers.ensemble import Ensemble, build_ensemble
from unname.run.keys import target_crowd
from unname.settings import Deidentification
from unname.text import PLACEHOLDER, Word, placeholders, words
from unname.transforms.redact import Transform
from unname.types import Document, Mask, MaskSpan, Release, merge_spans

RECOUNTED_PEOPLE = 5
RECOUNTED_POPULATION = 50_000


@dataclass(frozen=True, slots=True, repr=False)
class Patterns:
    """Words and patterns from a user's list: a line in slashes is a regular expression, any other a literal."""

    expressions: tuple[re.Pattern[str], ...] = ()

    @classmethod
    def compile(cls, lines: Sequence[str]) -> "Patterns":
        """A line that is no valid expression is an InputError that names its number."""
        found = []
        for number, line in enumerate(lines, start=1):
            slashed = len(line) > 2 and line.startswith("/") and line.endswith("/")
            try:
                found.append(re.compile(line[1:-1] if slashed else rf"(?<!\w){re.escape(line)}(?!\w)", re.IGNORECASE))
            except re.error:
                raise InputError(f"word list: line {number}: not a valid regular expression") from None
        return cls(tuple(found))

    def touched(self, text: str, row: Sequence[Word]) -> list[Word]:
        """The words of a text that any pattern touches; a pattern never hides half a word."""
        return _touched(row, [m.span() for e in self.expressions for m in e.finditer(text) if m.start() < m.end()])


@dataclass(frozen=True, slots=True, repr=False)
class Deidentified:
    """What came of each document, in input order: a mask and a release, or the reason why it was withheld."""

    documents: tuple[Document, ...]
    masks: tuple[Mask, ...]
    releases: tuple[Release | None, ...]
    withheld: Mapping[str, str]
    crowds: tuple[Mapping[str, int], ...]
    person_crowds: Mapping[str, Mapping[str, int]]
    targets: tuple[int, ...]
    population: Population
    ensemble: Ensemble
    direct: tuple[str, ...]
    recounted: int = 0
    settings: Deidentification = field(default_factory=Deidentification)

    def __repr__(self) -> str:
        return f"Deidentified({len(self.documents)} documents, {len(self.withheld)} withheld)"

    def texts(self) -> list[str | None]:
        """Released texts in input order, None where withheld."""
        return [r.text if r is not None else None for r in self.releases]


def make_method(settings: Deidentification) -> Method:
    """The method that settings name, with the parameters it knows."""
    plain = registry.create(registry.METHODS, settings.method)
    known = {f.name for f in fields(plain)} if is_dataclass(plain) else set()
    wanted = {"give_back": settings.give_back, "unit": settings.unit, "stop_words": settings.stop_words,
              "seed": settings.seed}  # fmt: skip
    method: Method = registry.create(
        registry.METHODS, settings.method, **{name: value for name, value in wanted.items() if name in known}
    )
    return method


def deidentify(
    documents: Sequence[Document],
    population: Population,
    *,
    settings: Deidentification | None = None,
    key: bytes,
    always: Sequence[str] = (),
    never: Sequence[str] = (),
    ensemble: Ensemble | None = None,
    progress: Progress = silent,
) -> Deidentified:
    """Mask each person until the crowd k hides them under every reidentifier, and make the released texts.

    Every document's person must be in the population. A crowd is recounted on the released string; a document that
    cannot reach k, or in which a direct identifier of its person would survive, is withheld with a reason.
    """
    settings = settings or Deidentification()
    require_crowd_possible(population, settings.k)
    for number, document in enumerate(documents, start=1):
        if document.person not in population.rows:
            problem = "missing" if document.person is None else "no profile has this id"
            raise InputError(f"documents: record {number}: field 'person': {problem}")
    if ensemble is None:
        progress("index", 1)
        ensemble = build_ensemble(settings.reidentifiers, population.profiles)
    worker = _Worker(
        population=population,
        settings=settings,
        key=key,
        method=make_method(settings),
        transform=registry.create(registry.TRANSFORMS, settings.transform),
        members=ensemble.members,
        additive=ensemble.additive(),
        direct=direct_fields(population, settings.direct),
        always=Patterns.compile(always),
        never=Patterns.compile(never),
    )
    advance = progress("mask", len(documents))
    groups: dict[str, list[int]] = {}
    for i, document in enumerate(documents):
        groups.setdefault(str(document.person), []).append(i)
    outcomes: dict[int, _Outcome] = {}
    person_crowds: dict[str, Mapping[str, int]] = {}
    for person, places in groups.items():
        found, together = worker.hide_person([documents[i] for i in places])
        outcomes |= dict(zip(places, found, strict=True))
        person_crowds[person] = together
        advance(len(places))
    ordered = [outcomes[i] for i in range(len(documents))]
    return Deidentified(
        documents=tuple(documents),
        masks=tuple(o.mask for o in ordered),
        releases=tuple(o.release for o in ordered),
        withheld={d.id: o.reason for d, o in zip(documents, ordered, strict=True) if o.release is None},
        crowds=tuple(o.crowds for o in ordered),
        person_crowds=person_crowds,
        targets=tuple(o.target for o in ordered),
        population=population,
        ensemble=ensemble,
        direct=worker.direct,
        recounted=_recount(documents, ordered, population, person_crowds, progress),
        settings=settings,
    )


@dataclass(frozen=True, slots=True, repr=False)
class _Outcome:
    mask: Mask
    release: Release | None
    reason: str
    crowds: Mapping[str, int]
    target: int


@dataclass(frozen=True, slots=True, repr=False)
class _Worker:
    population: Population
    settings: Deidentification
    key: bytes
    method: Method
    transform: Transform
    members: dict[str, Index]
    additive: dict[str, AdditiveIndex]
    direct: tuple[str, ...]
    always: Patterns
    never: Patterns

    def hide_person(self, documents: Sequence[Document]) -> tuple[list[_Outcome], dict[str, int]]:
        """Mask and render all documents of one person; also the crowds of everything released of them."""
        profile = self.population.profiles[self.population.rows[str(documents[0].person)]]
        identifiers = direct_identifiers(profile, self.direct)
        floors = [self._floor(d, identifiers) for d in documents]
        places = range(len(documents))
        kept = list(places)
        reasons: dict[int, str] = {}
        while kept:
            chosen = [documents[i] for i in kept]
            case = self._case(chosen, [floors[i] for i in kept])
            masks = self.method.mask(case)
            releases = [self.transform.release(d, m) for d, m in zip(chosen, masks, strict=True)]
            alone = [self._crowds([r.text], case.column) for r in releases]
            together = self._crowds([r.text for r in releases], case.column) if len(releases) > 1 else alone[0]
            widened, failed = self._inspect(case, masks, releases, identifiers, alone, together)
            if not widened and not failed:
                done = dict(
                    zip(kept, map(_Outcome, masks, releases, [""] * len(kept), alone, case.targets), strict=True)
                )
                return [done.get(i) or self._withheld(documents[i], floors[i], reasons[i]) for i in places], together
            for place, spans in widened.items():
                wider = merge_spans([*floors[kept[place]], *spans])
                if wider == floors[kept[place]]:
                    failed[place] = "direct-identifier"
                floors[kept[place]] = wider
            reasons |= {kept[place]: reason for place, reason in failed.items()}
            kept = [i for i in kept if i not in reasons]
        return [self._withheld(documents[i], floors[i], reasons[i]) for i in places], {}

    @staticmethod
    def _withheld(document: Document, floor: tuple[MaskSpan, ...], reason: str) -> "_Outcome":
        return _Outcome(Mask(document.id, floor), None, reason, {}, 0)

    def _floor(self, document: Document, identifiers: DirectIdentifiers) -> tuple[MaskSpan, ...]:
        row = words(document.text)
        spans = [MaskSpan(a, b, "forged-placeholder") for a, b in placeholders(document.text)]
        spans += [MaskSpan(w.start, w.end, "always") for w in self.always.touched(document.text, row)]
        spans += [
            MaskSpan(min(a, *(w.start for w in touched)), max(b, *(w.end for w in touched)), "direct-identifier")
            for a, b in identifiers.find(document.text)
            if (touched := _touched(row, [(a, b)]))
        ]
        return merge_spans(spans)

    def _case(self, documents: Sequence[Document], floors: Sequence[tuple[MaskSpan, ...]]) -> Case:
        settings, column = self.settings, self.population.rows[str(documents[0].person)]
        most = len(self.population) - 1

        def target(unit: str) -> int:
            span = settings.target_span if settings.keyed_target else 1.0
            return target_crowd(self.key, unit, k=settings.k, span=span, most=most)

        rows = tuple(tuple(words(d.text)) for d in documents)
        never = frozenset(
            w.folded for d, row in zip(documents, rows, strict=True) for w in self.never.touched(d.text, row)
        )
        return Case(
            documents=tuple(documents),
            profile=self.population.profiles[column],
            column=column,
            ensemble=self.additive,
            targets=tuple(target(f"document\0{d.id}") for d in documents),
            person_target=target(f"person\0{documents[0].person}"),
            floor=tuple(floors),
            never=never,
            budget=settings.budget,
            words=rows,
        )

    def _inspect(
        self,
        case: Case,
        masks: Sequence[Mask],
        releases: Sequence[Release],
        identifiers: DirectIdentifiers,
        alone: Sequence[Mapping[str, int]],
        together: Mapping[str, int],
    ) -> tuple[dict[int, list[MaskSpan]], dict[int, str]]:
        """Spans to add to floors because an identifier survived, and documents that fail, by place in the case."""
        widened: dict[int, list[MaskSpan]] = {}
        for place, (mask, release) in enumerate(zip(masks, releases, strict=True)):
            tokens = written_tokens(mask, release)
            forged = [p for p in placeholders(release.text) if p not in tokens]
            leaks = [
                MaskSpan(w.start, w.end, reason)
                for reason, found in (
                    ("direct-identifier", surviving(identifiers, release.text, tokens)),
                    ("forged-placeholder", forged),
                )
                for start, end in found
                for w in _original_words(case.words[place], release, start, end)
            ]
            if leaks:
                widened[place] = leaks
        failed: dict[int, str] = {}
        if getattr(self.method, "seeks_crowd", True):
            failed = {i: "crowd-below-k" for i, crowds in enumerate(alone) if min(crowds.values()) < self.settings.k}
            if not failed and min(together.values()) < self.settings.k:
                failed = dict.fromkeys(range(len(releases)), "person-crowd-below-k")
        return widened, failed

    def _crowds(self, texts: Sequence[str], column: int) -> dict[str, int]:
        found = {}
        for name, index in self.members.items():
            total: IntArray = sum((index.scores(t) for t in texts[1:]), start=index.scores(texts[0]))
            found[name] = crowd(total, column)
        return found


def written_tokens(mask: Mask, release: Release) -> set[tuple[int, int]]:
    """Where the transform itself wrote a placeholder for a span, and nothing else: stretches of the released text."""
    starts = {span.start for span in mask.spans}
    return {
        (a, b) for a, b, start, _ in release.pieces if start in starts and PLACEHOLDER.fullmatch(release.text, a, b)
    }


def surviving(identifiers: DirectIdentifiers, text: str, tokens: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where identifiers stand in a released text. A token that hides a word is none, even for a person named Mask."""
    return [(a, b) for a, b in identifiers.find(text) if not any(start <= a and b <= end for start, end in tokens)]


def _touched(row: Sequence[Word], stretches: Iterable[tuple[int, int]]) -> list[Word]:
    """The words of a text that any of these stretches touches, in order."""
    found: dict[int, Word] = {}
    for start, end in stretches:
        at = bisect_right(row, start, key=lambda word: word.end)
        while at < len(row) and row[at].start < end:
            found[at] = row[at]
            at += 1
    return [found[at] for at in sorted(found)]


def _original_words(row: Sequence[Word], release: Release, start: int, end: int) -> list[Word]:
    """Words of the original that a stretch of the released text comes from."""
    found = []
    for out_start, out_end, in_start, in_end in release.pieces:
        if out_start < end and start < out_end:
            same = out_end - out_start == in_end - in_start
            a = in_start + max(0, start - out_start) if same else in_start
            b = in_end - max(0, out_end - end) if same else in_end
            found += _touched(row, [(a, b)])
    return found


def _recount(
    documents: Sequence[Document],
    outcomes: Sequence[_Outcome],
    population: Population,
    person_crowds: Mapping[str, Mapping[str, int]],
    progress: Progress,
) -> int:
    """Count a sample of crowds anew by brute force; a difference means a bug, and nothing may leave the house."""
    members = [name for name in next((o.crowds for o in outcomes if o.crowds), {}) if name in RECOUNTED]
    if not members or len(population) > RECOUNTED_POPULATION:
        return 0
    texts: dict[str, list[str]] = {}
    single: list[tuple[str, str, Mapping[str, int]]] = []
    for document, outcome in zip(documents, outcomes, strict=True):
        if outcome.release is not None:
            texts.setdefault(str(document.person), []).append(outcome.release.text)
            single.append((str(document.person), outcome.release.text, outcome.crowds))
    step = max(1, len(single) // RECOUNTED_PEOPLE)
    sample = single[::step][:RECOUNTED_PEOPLE]
    advance = progress("recount", len(sample) * len(members))
    for name in members:
        recount = Recount(name, population.profiles)
        for person, text, crowds in sample:
            column = population.rows[person]
            alone = recount.crowd([text], column)
            together = recount.crowd(texts[person], column) if len(texts[person]) > 1 else alone
            if alone != crowds[name] or together != person_crowds[person][name]:
                raise UnsafeReleaseError(f"a crowd stated under {name} differs from its brute-force recount")
            advance(1)
    return len(sample)
