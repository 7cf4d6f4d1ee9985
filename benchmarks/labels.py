"""Labels without annotators: learnt back by taggers, and on texts that people annotated (Papadopoulou 2022, Tables 3 to 6).

    python -m benchmarks.labels [learnt|wikipedia553|tab ...] [--documents N]

What is known of people: the graphs of `congress`, `google_re` and `persons` together; groups of 5 (k = 4), anybody counts.
`learnt`: taggers learn from labels of a part of the documents and are scored on the labels of the rest (tokens masked), for
both strategies. `wikipedia553`: labels, and taggers that learned from labels of `google_re` alone, on texts with human masks;
direct and quasi on the 51 that say so. `tab`: the same, purely distant; and taggers taught by court cases in five folds, how
far they lean to recall being chosen on a fifth of what they learn from; those rows used supervised data.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256
from itertools import chain
from typing import Any

from benchmarks.biencoder import bundled_encoder
from benchmarks.corpora import data_folder
from benchmarks.results import load_rows, save, say
from benchmarks.tagging import folds, tab, wikigold
from unname.knowledge.graph import Graph, build_graph
from unname.masking.anonymity import Anonymity
from unname.protecting.tagged import tagged_mandatory
from unname.scoring.agreement import agreement
from unname.scoring.scores import share
from unname.scoring.tab import TabScores, masked_tokens, tab_scores, unigram
from unname.storage.documents import read_documents
from unname.storage.people import iter_triples
from unname.taggers.base import Tagger, tag_all, without_overlaps
from unname.taggers.labels import ALL
from unname.taggers.linear.crf import Crf
from unname.taggers.linear.crfsuite import CrfSettings
from unname.taggers.linear.svm import Svm
from unname.taggers.rules.tagger import Rules
from unname.text import words
from unname.types import Document, Span
from unname.verbs.label.run import LABEL, label

K = 4
STRATEGIES = ("greedy", "random")
LEANS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 14.0, 20.0, 30.0, 60.0, 100.0)
# What nobody holds on court cases (METHODS: best specialised system, spaCy), less a margin for what was not seen.
DIRECT, QUASI = 0.095, 0.079
MARGIN = 0.01
Spans = list[list[Span]]


@cache
def graph() -> Graph:
    """Public knowledge about the people of these corpora."""
    names = ("congress", "google_re", "persons")
    return build_graph(chain.from_iterable(iter_triples(data_folder() / name / "graph.tsv.gz") for name in names))


@cache
def labelled(corpus: str, strategy: str, most: int) -> tuple[Document, ...]:
    """Documents with distant labels as their spans, in an order of their own."""
    read = read_documents(data_folder() / corpus / "documents.jsonl.gz")
    read = sorted(read, key=lambda d: sha256(d.id.encode()).digest())[:most]
    return tuple(with_labels(d, strategy) for d in read)


def with_labels(document: Document, strategy: str) -> Document:
    """A document whose spans are what must go over the graph."""
    mask = label(Anonymity(graph(), k=K, strategy=strategy), document)
    return replace(document, spans=tuple(without_overlaps(Span(s.start, s.end, LABEL) for s in mask.spans)))


def make(kind: str) -> Any:
    """A tagger for distant labels."""
    if kind == "crf":
        return Crf(training=CrfSettings(passes=60))
    if kind == "svm":
        return Svm()
    from unname.taggers.transformer.tagger import Transformer

    return Transformer(
        encoder=str(bundled_encoder()), epochs=2, rate=2e-5, identifier_weight=10.0, batch=16, window=192, bf16=True
    )


@cache
def taught(kind: str, corpus: str, strategy: str, most: int) -> Tagger:
    """A tagger that learned from the labels of four fifths of a corpus's documents."""
    documents = labelled(corpus, strategy, most)
    tagger: Tagger = make(kind).fit(documents[: len(documents) * 4 // 5])
    return tagger


def learnt(rows: dict[str, Any], kinds: Sequence[str], most: int) -> None:
    """Figures on held-out labels."""
    for corpus in ("congress", "google_re"):
        for strategy in STRATEGIES:
            for kind in kinds:
                many = min(most, 1500) if kind == "transformer" else most
                name = f"learnt {corpus} {strategy} {kind}"
                if name in rows or (kind == "transformer" and corpus == "congress"):
                    continue
                asked = labelled(corpus, strategy, many)[many * 4 // 5 :]
                found = taught(kind, corpus, strategy, many).tag([d.text for d in asked])
                rows[name] = {"documents": len(asked), "taught": many * 4 // 5} | tokens(asked, found)
                done(name, rows)


def tokens(asked: Sequence[Document], found: Spans) -> dict[str, Any]:
    """Precision, recall and F1 of masked tokens."""
    total = masked_tokens(asked, found).total
    return {name: share(getattr(total, name)) for name in ("precision", "recall", "f1")}


def done(name: str, rows: dict[str, Any]) -> None:
    """Keep a row."""
    say(name, {k: v["value"] if isinstance(v, dict) and "value" in v else v for k, v in rows[name].items()})
    save("labels", rows, seed=0, k=K)


def any_of(*each: Spans) -> Spans:
    """Everything that any of several taggers found; `evaluate` wants no overlaps, masks cover the union."""
    return [list(chain.from_iterable(row)) for row in zip(*each, strict=True)]


def systems(most: int, kinds: Sequence[str]) -> dict[str, Callable[[Sequence[Document]], Spans]]:
    """The systems that mask without having seen the corpus, by name."""

    def texts(asked: Sequence[Document]) -> list[str]:
        return [d.text for d in asked]

    def over_graph(strategy: str) -> Callable[[Sequence[Document]], Spans]:
        return lambda asked: [list(with_labels(d, strategy).spans) for d in asked]

    def distant(kind: str, strategy: str) -> Callable[[Sequence[Document]], Spans]:
        many = min(most, 1500) if kind == "transformer" else most
        return lambda asked: taught(kind, "google_re", strategy, many).tag(texts(asked))

    @cache
    def names() -> Tagger:
        return Crf(training=CrfSettings(passes=60)).fit(wikigold())

    def entities(asked: Sequence[Document]) -> Spans:
        return tag_all([Rules(), names()], texts(asked))

    found: dict[str, Callable[[Sequence[Document]], Spans]] = {}
    for strategy in STRATEGIES:
        found[f"graph, {strategy}"] = over_graph(strategy)
        for kind in kinds:
            found[f"{kind}, {strategy} labels"] = distant(kind, strategy)
    found["rules and CRF of wikigold (supervised elsewhere)"] = entities
    found["graph, greedy + CRF of its labels"] = lambda a: any_of(over_graph("greedy")(a), distant("crf", "greedy")(a))
    found["graph, greedy + CRF of its labels + rules and CRF of wikigold (supervised elsewhere)"] = lambda a: any_of(
        over_graph("greedy")(a), distant("crf", "greedy")(a), entities(a)
    )
    for kind in kinds:
        name = f"method tagged: rules, {kind} of greedy labels and CRF of wikigold (supervised elsewhere)"
        found[name] = partial(_tagged, kind, names, most)
    return found


def _tagged(kind: str, names: Callable[[], Tagger], most: int, asked: Sequence[Document]) -> Spans:
    return as_released([Rules(), names(), taught(kind, "google_re", "greedy", most)], asked)


def as_released(taggers: Sequence[Tagger], asked: Sequence[Document]) -> Spans:
    """The spans that `--method tagged --hide all` hides."""
    masks = [tagged_mandatory(taggers, (ALL,), d, words(d.text)) for d in asked]
    return [[Span(s.start, s.end, LABEL) for s in mask] for mask in masks]


def kinds_of(scores: TabScores) -> dict[str, Any]:
    """Recall and leak of direct and quasi identifiers, with upper limits of the leaks, and precision both ways."""
    row: dict[str, Any] = {"precision uniform": share(scores.precision["uniform"])}
    if "by rarity" in scores.precision:
        row["precision by rarity (heuristic)"] = share(scores.precision["by rarity"])
    for kind in ("direct", "quasi"):
        found = next((r for r in scores.recall.types if r.label == kind), None)
        if found is not None:
            row[f"{kind} entities"] = found.gold
            row[f"{kind} leak"] = round(1 - found.recall.value, 4)
            row[f"{kind} leak at most"] = round(1 - found.recall.low, 4)
    mentions = {r.label: share(r.recall) for r in scores.mentions.types}
    return row | {"mention recall": mentions, "tokens f1": share(scores.tokens.total.f1)}


def wikipedia(rows: dict[str, Any], kinds: Sequence[str], most: int) -> None:
    """Texts with human masks; never learned from, no threshold chosen."""
    folder = data_folder() / "wikipedia553"
    asked = read_documents(folder / "documents.jsonl.gz")
    typed = read_documents(folder / "typed.jsonl.gz")
    typed = [replace(d, spans=tuple(without_overlaps(d.spans))) for d in typed]
    human = [list(without_overlaps(d.spans)) for d in asked]
    for system, work in systems(most, kinds).items():
        name = f"wikipedia553 {system}"
        if name not in rows:
            found = work(asked)
            agreed = {n: round(v, 4) for n, v in agreement(asked, human, found).items()}
            by_kind = kinds_of(tab_scores(typed, work(typed), weights={"by rarity": unigram(typed)}))
            rows[name] = {"documents": len(asked), **tokens(asked, found), "kappa": agreed, "typed": by_kind}
            done(name, rows)


def court(rows: dict[str, Any], kinds: Sequence[str], most: int) -> None:
    """Court cases: purely distant, and in folds."""
    asked = [replace(d, spans=tuple(d.spans)) for d in read_documents(data_folder() / "tab" / "documents.jsonl.gz")]
    gold = {d.id: d for d in asked}
    weights = {"by rarity": unigram(asked)}
    for system, work in systems(most, kinds).items():
        name = f"tab {system}"
        if name not in rows:
            rows[name] = {"documents": len(asked)} | kinds_of(tab_scores(asked, work(asked), weights=weights))
            done(name, rows)
    parts = folds([replace(d, spans=tuple(Span(s.start, s.end, LABEL) for s in d.spans)) for d in tab()], 0)
    typed = folds(tab(), 0)
    for kind in ("crf", "svm", "crf+svm", "crf of types", "crf+svm of types"):
        for goal in ("lean 1", "leaning"):
            name = f"tab {kind} in folds, {goal}, with rules (supervised)"
            if name in rows:
                continue
            documents, found, chosen = list[Document](), list[list[Span]](), list[float]()
            for lessons, rest in typed if kind.endswith("types") else parts:
                lean = 1.0 if goal == "lean 1" else _lean(kind, lessons, gold)
                chosen.append(lean)
                found += _found(_fitted(kind, lessons), lean, rest)
                documents += [gold[d.id] for d in rest]
            rows[name] = {"documents": len(documents), "lean": chosen} | kinds_of(
                tab_scores(documents, found, weights=weights)
            )
            done(name, rows)


_FITTED: dict[tuple[str, tuple[str, ...]], Any] = {}


def _fitted(kind: str, lessons: Sequence[Document]) -> list[Any]:
    """One tagger for each part of a kind's name, taught once for the same documents."""
    made = []
    for one in kind.removesuffix(" of types").split("+"):
        key = f"{one} {kind.endswith('types')}", tuple(d.id for d in lessons)
        if key not in _FITTED:
            _FITTED[key] = make(one).fit(lessons)
        made.append(_FITTED[key])
    return made


def _found(taggers: Sequence[Any], lean: float, asked: Sequence[Document]) -> Spans:
    texts = [d.text for d in asked]
    found = [Rules().tag(texts)]
    for tagger in taggers:
        tagger.lean = lean
        found.append(tagger.tag(texts))
    return any_of(*found)


def _lean(kind: str, lessons: Sequence[Document], gold: dict[str, Document]) -> float:
    """The smallest lean with which a fifth of the training examples leaks no more than the goals; else the largest."""
    inner, judged = folds(lessons, 1)[0]
    taggers = _fitted(kind, inner)
    for lean in LEANS:
        scores = tab_scores([gold[d.id] for d in judged], _found(taggers, lean, judged))
        if (scores.leak("direct") or 0) <= DIRECT - MARGIN and (scores.leak("quasi") or 0) <= QUASI - MARGIN:
            return lean
    return LEANS[-1]


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["learnt", "wikipedia553", "tab"])
    parser.add_argument("--kind", action="append", help="crf, svm, transformer")
    parser.add_argument("--documents", type=int, default=5000)
    given = parser.parse_args()
    rows, kinds = load_rows("labels"), given.kind or ["crf"]
    for part in given.parts:
        {"learnt": learnt, "wikipedia553": wikipedia, "tab": court}[part](rows, kinds, given.documents)


if __name__ == "__main__":
    main()
