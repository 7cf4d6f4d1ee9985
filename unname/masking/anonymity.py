"""k-anonymity over a knowledge graph: hide terms until no combination of those left is true of too few people.

Source: Papadopoulou 2022, §3.2, Algorithm 2. Unlike a crowd, this counts stated facts alone and is exact: whoever has all of
what a text still states of somebody is counted. A crowd of k is a group of k + 1, for the group counts the person too; the
paper's groups of 5 are k = 4.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from unname.draws import draw
from unname.errors import SettingsError
from unname.knowledge.gazetteer import find_terms
from unname.knowledge.graph import Graph, graph_of
from unname.knowledge.mentions import seen_words
from unname.knowledge.population import Population
from unname.masking.base import Case
from unname.masking.combinations import Breach, breaches, rarest
from unname.masking.search_state import masks_from
from unname.shared_options import generic_option, graph_texts_option, require_generic, strategy_option, whose_option
from unname.text import GAP, Word
from unname.types import Document, Mask, MaskSpan, merge_spans

GREEDY, PERSON = "greedy", "person"
# What a crowd over the graph is called beside those of reidentifiers, and a mask for which the order was given up.
GRAPH = "graph"
_BOUNDED = "anonymity-bounded.v1"


class _Place(NamedTuple):
    """A place of a term: the number of a document, the words there that may be hidden, and True if they are all of it."""

    document: int
    words: tuple[Word, ...]
    whole: bool


@dataclass(frozen=True, slots=True, repr=False)
class Anonymity:
    """Hide terms of a knowledge graph until every combination that is left is true of more than `k` people, or of nobody.

    `strategy` takes of each combination that is not the term that fewest people have (`greedy`), or a drawn one
    (`random`). `whose` says who may be found out: whoever has the terms (`any`, as in the paper), or only the person whom
    the document is about (`person`); a document of somebody whom the graph does not know is treated as by `any`. Terms
    that more than a share of `generic` of all people have, and those of the `white_list` (words with spaces between), stay
    readable and are no part of any combination. Where it has no `graph` yet, names, numbers and dates in long profile texts
    count as known with `graph_texts`. All documents of a person are read side by side.
    """

    graph: Graph | None = field(default=None, compare=False)
    k: int = 4
    strategy: str = strategy_option("greedy")
    whose: str = whose_option("any")
    generic: float = generic_option(1.0)
    graph_texts: bool = graph_texts_option(False)
    seed: int = 0
    white_list: frozenset[str] = frozenset()
    name: str = "anonymity.v1"
    seeks_crowd: ClassVar[bool] = False
    keyed_targets: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require_generic(self.generic)

    def __repr__(self) -> str:
        return f"Anonymity(k={self.k}, {self.strategy}, {self.whose})"

    def informed(self, documents: Iterable[Document], population: Population) -> "Anonymity":
        """The same over what fields and graph say of everybody, unless it has a graph; nobody known is a SettingsError."""
        if self.graph is not None:
            return self
        if not len(population):
            raise SettingsError("k-anonymity needs people: a table of them, with or without a graph")
        return replace(self, graph=graph_of(population, texts=self.graph_texts))

    def mask(self, case: Case) -> list[Mask]:
        """The mandatory mask of a case, and what must go above it."""
        return masks_from(self.applied(case))

    def applied(self, case: Case) -> Case:
        """A case whose mandatory mask hides all that must go.

        What is hidden of one term may uncover another within it ("New York", "York"), so what is left is read again.
        """
        while self.graph is not None:
            places = _stated(self.graph, case)
            spans = self._must_go(self.graph, places, case)
            if not any(spans):
                break
            rows = zip(case.mandatory, spans, strict=True)
            case = replace(case, mandatory=tuple(merge_spans([*old, *new]) for old, new in rows))
        return case

    def _must_go(self, graph: Graph, places: dict[int, list[_Place]], case: Case) -> list[list[MaskSpan]]:
        """By document, spans of all that must go of these terms."""
        most = self.generic * len(graph.people)
        telling = [t for t in places if graph.frequency(t) <= most and graph.terms.text(t) not in self.white_list]
        terms = sorted(telling, key=lambda term: (graph.frequency(term), graph.terms.text(term)))
        # What stays readable somewhere, or beside a text, is known all the same.
        fixed = frozenset(n for n, term in enumerate(terms) if not all(place.words for place in places[term]))
        person = graph.column(case.profile.id) if self.whose == PERSON else None
        choose = rarest if self.strategy == GREEDY else self._drawn(graph, terms, case.documents[0].id)
        to_break = breaches(
            [graph.having(term) for term in terms], len(graph.people), self.k + 1, person=person, choose=choose,
            fixed=fixed,
        )  # fmt: skip
        spans: list[list[MaskSpan]] = [[] for _ in case.documents]
        for breach in to_break:
            others = (places[terms[other]] for other in breach.terms if other != breach.gone)
            beside = [place for row in others for place in row[:1] if place.words]
            for place in places[terms[breach.gone]]:
                spans[place.document] += self._spans(place, breach, beside)
        return spans

    def _drawn(self, graph: Graph, terms: Sequence[int], document: str) -> "_Drawn":
        return _Drawn(self.seed, document, tuple(graph.terms.text(term) for term in terms))

    def _spans(self, place: _Place, breach: Breach, beside: Sequence[_Place]) -> list[MaskSpan]:
        """Spans that go at one place; of a combination, also where its other terms first stand in this document."""
        within = tuple((p.words[0].start, p.words[-1].end) for p in beside if p.document == place.document)
        words = place.words
        stretches = [(words[0].start, words[-1].end)] if place.whole else [(word.start, word.end) for word in words]
        name = _BOUNDED if breach.bounded else self.name
        people = {GRAPH: breach.people - 1}
        return [MaskSpan(a, b, name, len(breach.terms), crowd_before=people, combination=within) for a, b in stretches]


@dataclass(frozen=True, slots=True, repr=False)
class _Drawn:
    """Of a combination the term that a seed draws."""

    seed: int
    document: str
    terms: tuple[str, ...]

    def __call__(self, combination: tuple[int, ...]) -> int:
        named = " | ".join(self.terms[term] for term in combination)
        return min(combination, key=lambda term: draw("anonymity", self.seed, f"{self.document} {named} {term}"))


def _stated(graph: Graph, case: Case) -> dict[int, list[_Place]]:
    """Places where documents of a case still state terms: term → places, without words that must stay."""
    places: dict[int, list[_Place]] = {}
    for number, document in enumerate(case.documents):
        text = _blanked(document.text, case.mandatory[number])
        row = seen_words(text)
        for place in find_terms(graph, text, row):
            stating = row[place.first : place.last + 1]
            words = tuple(word for word in stating if word.folded not in case.never)
            places.setdefault(place.term, []).append(_Place(number, words, len(words) == len(stating)))
        for place in find_terms(graph, case.beside[number]):
            places.setdefault(place.term, []).append(_Place(number, (), False))
    return places


def _blanked(text: str, spans: Sequence[MaskSpan]) -> str:
    """A text of the same length in which what is hidden is gaps."""
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], GAP * (span.end - span.start)]
        at = span.end
    return "".join([*parts, text[at:]])
