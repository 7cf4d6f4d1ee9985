"""The remaining uses of a release: facts that identify nobody, and tasks learned on it and tried on originals."""

from collections import Counter
from collections.abc import Sequence
from re import fullmatch

import numpy as np

from unname.auditing.report import Found, Task, rate_of
from unname.knowledge.population import Population
from unname.reidentifiers.base import folded_value
from unname.reidentifiers.learned.training_examples import fold_of
from unname.text import folded_words, visible
from unname.types import Document

FOLDS = 5
# A class of fewer documents is one of the rest; with more classes than this years become decades, and all else is no task.
_FEWEST, _MOST_CLASSES = 10, 20
_REST = "\0rest"


def facts_kept(
    originals: Sequence[Document], texts: Sequence[str | None], population: Population, k: int
) -> Found | None:
    """Of the values of their person that originals state word by word, and that `k` others share, those still readable.

    A fact is a value of one field in one document; documents of one person are not taken for independent. None where
    originals state none.
    """
    shared = _shared(population, k)
    credits, people = [], []
    for document, text in zip(originals, texts, strict=True):
        column = population.rows.get(str(document.person), -1)
        if column < 0:
            continue
        before, after = _line(document.text), _line(text or "")
        for name in population.profiles[column].fields:
            value = folded_value(population.profiles[column], name)
            phrase = _line(value)
            if (name, value) in shared and phrase != "  " and phrase in before:
                credits.append(float(phrase in after))
                people.append(str(document.person))
    return rate_of(credits, people) if credits else None


def _shared(population: Population, k: int) -> set[tuple[str, str]]:
    """(field, folded value) that more than k people have."""
    counted = Counter((name, folded_value(p, name)) for p in population.profiles for name in p.fields)
    return {fact for fact, people in counted.items() if people > k and fact[1]}


def _line(text: str) -> str:
    return f" {' '.join(folded_words(visible(text)))} "


def task_learned(
    originals: Sequence[Document], texts: Sequence[str | None], population: Population, field: str
) -> Task:
    """Rates of two classifiers of a field of originals' people: one that learned from the release, one from originals."""
    rows = [population.rows.get(str(d.person), -1) for d in originals]
    values = [folded_value(population.full[row], field) if row >= 0 else "" for row in rows]
    return learned(originals, texts, field, values)


def learned(originals: Sequence[Document], texts: Sequence[str | None], field: str, values: Sequence[str]) -> Task:
    """The same for the value that each document has ("" for none).

    Words and pairs of words, logistic regression, five folds of people; a withheld document teaches nothing. Values that
    few documents have are one class of their own, years of many are decades. Not measured where there is nothing to learn.
    """
    labels = _classes(values)
    known = [i for i, label in enumerate(labels) if label]
    people = [str(originals[i].person) for i in known]
    if len({labels[i] for i in known}) < 2 or len(set(people)) < 2 * FOLDS:
        return Task(field, len({labels[i] for i in known}), *[rate_of([], [])] * 3)
    folds = [fold_of(person, "task", FOLDS) for person in people]
    answers = [labels[i] for i in known]
    before, after = ([texts_ if texts_ is None else _line(texts_) for texts_ in side]
                     for side in ([originals[i].text for i in known], [texts[i] for i in known]))  # fmt: skip
    guessed = rate_of([float(answer == Counter(answers).most_common(1)[0][0]) for answer in answers], people)
    right = [rate_of(_right(side, [b or "" for b in before], answers, folds), people) for side in (before, after)]
    return Task(field, len(set(answers)), guessed, *right)


def _right(
    taught: Sequence[str | None], tried: Sequence[str], answers: Sequence[str], folds: Sequence[int]
) -> list[float]:
    """For each text whether a classifier taught by those of other folds gives the right answer."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    right = np.zeros(len(tried))
    for fold in sorted(set(folds)):
        own = [i for i, of in enumerate(folds) if of == fold]
        learned = [(text, answer) for text, answer, of in zip(taught, answers, folds, strict=True)
                   if of != fold and text is not None]  # fmt: skip
        if not learned:
            continue
        often = Counter(answer for _, answer in learned)
        if len(often) == 1 or not any(text.strip() for text, _ in learned):
            right[own] = [float(answers[i] == often.most_common(1)[0][0]) for i in own]
            continue
        words = TfidfVectorizer(analyzer=_terms, sublinear_tf=True)
        model = LogisticRegression(C=10.0, max_iter=300)
        model.fit(words.fit_transform([text for text, _ in learned]), [answer for _, answer in learned])
        said = model.predict(words.transform([tried[i] for i in own]))
        right[own] = [float(one == answers[i]) for one, i in zip(said, own, strict=True)]
    return [float(one) for one in right]


def _terms(line: str) -> list[str]:
    words = line.split()
    return words + [" ".join(pair) for pair in zip(words, words[1:], strict=False)]


def _classes(values: Sequence[str]) -> list[str]:
    """Values as classes: decades for years and dates of many, the rest together."""
    said = [value for value in values if value]
    if len(set(said)) > _MOST_CLASSES and all(fullmatch(r"(1\d|20)\d\d(-\d\d){0,2}", value) for value in said):
        values = [f"{value[:3]}0s" if value else "" for value in values]
    often = Counter(value for value in values if value)
    return [value and (value if often[value] >= _FEWEST else _REST) for value in values]
