"""Scores of a tagger against annotators: predicted spans against a gold corpus, in figures and one by one."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unname.errors import InputError, SettingsError, StateError
from unname.inputs.annotated import read_gold, read_predicted
from unname.scoring import i2b2, meddocan
from unname.scoring.scores import Scores
from unname.scoring.tab import TabScores, Weights, tab_scores, unigram
from unname.scoring.tagger_errors import find_errors, render_errors
from unname.storage.files import parents_made, write_atomically
from unname.storage.formats import group_of
from unname.text import WORD
from unname.types import Document, Span
from unname.verbs.evaluate.options import ErrorPage, Scoring

UNIGRAM = "unigram"
METRICS = ("spans", "i2b2", "meddocan", "tab")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of one metric: scores, the first of them the headline; for `tab` its own; MEDDOCAN's leak score."""

    metric: str
    documents: int
    as_published: bool = False
    labels: tuple[str, ...] = ()
    scores: tuple[Scores, ...] = ()
    tab: TabScores | None = None
    leak: float | None = None

    def table(self) -> list[tuple[str, ...]]:
        """Rows of metric, precision, recall, F1, found, false and missed items, all labels together."""
        if self.tab:
            weights = [(f"tokens masked, {name}", str(rate)) for name, rate in self.tab.precision.items()]
            recall = self.tab.recall.total
            first = (self.tab.recall.metric, "–", str(recall.recall), "–", f"{recall.tp}", "–", f"{recall.fn}")
            beside = [
                (scores.metric, *scores.table()[0][1:])
                for scores in (self.tab.mentions, self.tab.tokens, self.tab.spans)
            ]
            beside[0] = (beside[0][0], "–", beside[0][2], "–", beside[0][4], "–", beside[0][6])
            return [first, *((name, rate, "–", "–", "–", "–", "–") for name, rate in weights), *beside]
        return [(scores.metric, *scores.table()[0][1:]) for scores in self.scores]

    def types(self) -> list[tuple[str, ...]]:
        """The headline's rows by label, as in `table`; for `tab` recall by kind and type."""
        scores = self.tab.recall if self.tab else self.scores[0]
        return [
            (row[0], *(("–", row[2], "–", row[4], "–", row[6]) if self.tab else row[1:])) for row in scores.table()
        ][1:]

    def leaks(self) -> dict[str, float | None]:
        """For `tab` 1 − recall of direct and quasi identifiers; nothing for other metrics."""
        return {kind: self.tab.leak(kind) for kind in ("direct", "quasi")} if self.tab else {}

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        about = {"metric": self.metric, "as_published": self.as_published, "labels": list(self.labels) or None}
        if self.tab:
            return {**about, "documents": self.documents, **self.tab.as_dict(), "metric": self.metric}
        values: dict[str, Any] = {**about, "documents": self.documents, "scores": [s.as_dict() for s in self.scores]}
        return values if self.leak is None else {**values, "leak": round(self.leak, 6)}


def evaluate(
    documents: Sequence[Document],
    predicted: Sequence[Sequence[Span]],
    *,
    metric: str = "spans",
    labels: Collection[str] = (),
    as_published: bool = False,
    weights: Mapping[str, Weights] | None = None,
) -> Evaluation:
    """Score the spans predicted for each document against its own, by `spans`, `i2b2`, `meddocan` or `tab`.

    `labels` chooses what counts: labels, or groups of them (`group_of`). By default `i2b2`
    takes the types that HIPAA protects and the others take all. `as_published` repeats the quirks of the scorers of
    i2b2 and MEDDOCAN; `weights` say, by name, how much each masked token counts in the precision of `tab`.
    SettingsError: a metric that is not there; InputError: nothing to find.
    """
    if metric not in METRICS:
        raise SettingsError(f"no metric is called so; there are {', '.join(METRICS)}")
    if as_published and metric not in ("i2b2", "meddocan"):
        raise SettingsError("as-published is for the metrics i2b2 and meddocan")
    if metric == "tab" and labels:
        raise SettingsError("the metric tab asks for no labels: it takes no --labels")
    if len(documents) != len(predicted):
        raise InputError(f"spans are given for {len(predicted)} documents, but there are {len(documents)}")
    evaluation = Evaluation(metric, len(documents), as_published, tuple(labels))
    rows = [*(d.spans for d in documents), *predicted]
    present = {span.label for row in rows for span in row}
    known = present.union(map(group_of, present))
    for number, name in enumerate(labels, start=1):
        if name not in known:
            raise InputError(
                f"labels: no span, gold or predicted, has label {number} of those asked for, nor such a group"
            )
    chosen = chosen_labels(rows, labels, metric)
    if not any(i2b2.wanted(document.spans, chosen) for document in documents):
        raise InputError("no document has a gold span of a label that counts; see --labels")
    if metric == "tab":
        return replace(evaluation, tab=tab_scores(documents, predicted, weights=weights))
    if metric == "meddocan":
        scores = meddocan.meddocan_scores(documents, predicted, labels=chosen, as_published=as_published)
        return replace(evaluation, scores=scores, leak=meddocan.leak(scores[0], documents))
    return replace(evaluation, scores=_scores(documents, predicted, metric, chosen, as_published))


def _scores(
    documents: Sequence[Document],
    predicted: Sequence[Sequence[Span]],
    metric: str,
    labels: frozenset[str] | None,
    as_published: bool,
) -> tuple[Scores, ...]:
    """The scores of `spans`, and of `i2b2`, whose headline is of tokens."""
    pattern = i2b2.TOKEN if metric == "i2b2" else WORD
    tokens = tuple(
        i2b2.token_scores(
            documents, predicted, labels=labels, typed=typed, pattern=pattern, as_published=as_published
        )
        for typed in (False, True)
    )  # fmt: skip
    if as_published and labels == i2b2.HIPAA:
        labels = i2b2.PUBLISHED_HIPAA
    spans = (
        i2b2.span_scores(documents, predicted, labels=labels),
        i2b2.span_scores(documents, predicted, labels=labels, slack=i2b2.SLACK),
        i2b2.span_scores(documents, predicted, labels=labels, typed=False),
    )
    return (*tokens, *spans) if metric == "i2b2" else (*spans, *tokens)


def chosen_labels(rows: Iterable[Iterable[Span]], names: Collection[str], metric: str) -> frozenset[str] | None:
    """The labels that names choose, which are labels or groups of i2b2 and MEDDOCAN.

    Without names those of HIPAA for the metric `i2b2`, and None, for all, for others.
    """
    if not names:
        return i2b2.HIPAA if metric == "i2b2" else None
    grouped = {s.label for row in rows for s in row if group_of(s.label) in names}
    return frozenset(names) | grouped


def evaluate_files(
    predicted: Path, gold: Path, scoring: Scoring | None = None, page: ErrorPage | None = None
) -> Evaluation:
    """Score a file of predicted spans against a gold corpus, and write the page of what went wrong.

    The page shows text and can be read by its owner alone. `training`, a corpus, lets it say which words are new.
    """
    scoring, page = scoring or Scoring(), page or ErrorPage()
    errors, labels = page.errors, scoring.labels
    if errors is None and page.training is not None:
        raise SettingsError("training says which words are new on the page of errors; ask for that page as well")
    if errors is not None and errors.exists():
        raise StateError("the page of errors already exists; choose another")
    documents = read_gold(gold, scoring.split, scoring.format)
    spans = read_predicted(predicted, documents)
    evaluation = evaluate(
        documents, spans, metric=scoring.metric, labels=labels, as_published=scoring.as_published,
        weights=_weights(scoring, documents),
    )  # fmt: skip
    if errors is not None:
        chosen = chosen_labels([*(d.spans for d in documents), *spans], labels, scoring.metric)
        seen = None if page.training is None else read_gold(page.training, None, scoring.format)
        found_errors = find_errors(documents, spans, labels=chosen, training=seen)
        with parents_made(errors):
            write_atomically(
                errors, render_errors(found_errors, most=page.most_errors).encode(), private=True, fresh=True
            )
    return evaluation


def _weights(scoring: Scoring, documents: Sequence[Document]) -> dict[str, Weights] | None:
    """The weights of masked tokens, beside uniform ones, by name."""
    if scoring.weighting is None:
        return None
    if scoring.metric != "tab":
        raise SettingsError("weighting is for the metric tab")
    if scoring.weighting == UNIGRAM:
        return {"by rarity here (heuristic)": unigram(documents)}
    from unname.neural.masked_model import MaskedModel

    return {"by a language model": MaskedModel(Path(scoring.weighting)).weights}
