"""The ensemble: proposals, their description, the filter and its threshold."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import ModelError
from unname.taggers.labels import labels_of
from unname.taggers.linear.crf import Crf
from unname.taggers.linear.crfsuite import CrfSettings
from unname.taggers.linear.ensemble import EnsembleTagger, best_threshold, described, propose, without
from unname.taggers.linear.features import read
from unname.taggers.linear.scores import Linear
from unname.taggers.linear.training_data import spans_of
from unname.testing import check_tagger, sample_notes
from unname.types import Document, Span

NOTES = sample_notes()
NAMES = ("B-X", "B-Y", "I-X", "I-Y", "O")
LINES = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=6), min_size=1, max_size=4)


def quick() -> EnsembleTagger:
    return EnsembleTagger(crf=Crf(training=CrfSettings(passes=15)))


def test_it_passes_the_suite() -> None:
    check_tagger(quick)


def test_it_says_which_labels_it_gives() -> None:
    notes = sample_notes()
    assert labels_of(quick()) is None
    assert labels_of(quick().fit(notes)) == {span.label for note in notes for span in note.spans}


@given(LINES)
def test_proposals_are_the_spans_that_labels_say(lines: list[list[int]]) -> None:
    reading = read(
        [
            "\n".join(" ".join("ww" for _ in line) for line in lines[:2]),
            "\n".join(" ".join("ww" for _ in line) for line in lines[2:]),
        ]
    )
    labels = np.array([label for line in lines for label in line])
    probable = np.random.default_rng(0).random((len(labels), 5))
    sure = probable[np.arange(len(labels)), labels]
    found = propose(reading, labels, probable, NAMES)
    tokens = [token for rows in reading.rows for row in rows for token in row]
    spans = [
        [
            Span(tokens[a].start, tokens[b].end, "XY"[label])
            for t, a, b, label, _ in zip(*found, strict=True)
            if t == text
        ]
        for text in range(2)
    ]
    slow = spans_of(reading, labels, NAMES, sure)
    assert spans == slow
    assert np.allclose(found.sure, [span.score for spans in slow for span in spans])
    assert len(described(reading, found, NAMES)) == len(found.firsts)


def test_a_dropped_proposal_leaves_the_others() -> None:
    reading = read(["a b c d"])
    labels = np.array([0, 2, 4, 1])
    found = propose(reading, labels, np.ones((4, 5)), NAMES)
    assert without(labels, found, np.array([True, False]), 4).tolist() == [4, 4, 4, 1]


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=1, max_size=12),
    st.integers(0, 4),
    st.floats(0.5, 2),
)
def test_the_threshold_is_the_best_of_all(decided: list[tuple[int, bool]], missed: int, beta: float) -> None:
    values, right = np.array([float(v) for v, _ in decided]), np.array([r for _, r in decided])
    total = int(right.sum()) + missed

    def reached(threshold: float) -> float:
        kept = values >= threshold
        return (1 + beta**2) * int(right[kept].sum()) / (beta**2 * max(total, 1) + int(kept.sum()))

    best, threshold = best_threshold(values, right, total, beta)
    assert np.isclose(best, max(reached(v) for v in values))
    assert np.isclose(reached(threshold), best)


def test_spans_that_the_filter_holds_false_go_and_the_rest_stays() -> None:
    tagger = quick().fit(NOTES[:24])
    texts = [note.text for note in NOTES[24:]]
    tagger.threshold_ = 1e6
    tagger.filter_ = Linear(np.array([1], np.uint64), np.ones((1, 1)))
    assert not any(tagger.tag(texts))
    tagger.filter_ = Linear()
    assert tagger.tag(texts) == [list(note.spans) for note in NOTES[24:]]


def test_a_span_that_only_the_svm_finds_is_added_and_the_crf_s_own_stay() -> None:
    tagger = quick().fit(NOTES[:24])
    text = NOTES[30].text
    wholly = tagger.tag([text])
    tagger.crf_.steps_[:] = 0
    tagger.crf_.linear_.weights[:, [label != "O" for label in tagger.crf_.labels_]] = -5
    tagger.filter_ = Linear()
    assert tagger.crf_.tag([text]) == [[]]
    assert tagger.tag([text]) == wholly
    tagger.second_ = Linear(tagger.second_.keys, np.zeros_like(tagger.second_.weights))
    tagger.second_.weights[:, tagger.crf_.labels_.index("O")] = 1.0
    assert tagger.tag([text]) == [[]]


def test_words_that_the_crf_takes_for_names_wherever_they_stand_are_taken_back() -> None:
    """Half of the names under one cue are no names, which only the word after them shows, far from the cue."""
    notes = []
    words = ["".join(parts) for parts in product("BCDFG", "aeio", "lmnr", "ae")]
    for number, word in enumerate(words[:120]):
        right = number % 2 == 0
        text = f"Seen by {word} {'at home' if right else 'at work'}"
        notes.append(Document(str(number), text, spans=(Span(8, 8 + len(word), "NAME"),) if right else ()))
    found = quick().fit(notes[:90]).tag([note.text for note in notes[90:]])
    assert found == [list(note.spans) for note in notes[90:]]


def test_of_one_document_nothing_is_taken_back() -> None:
    alone = quick().fit(NOTES[:1])
    assert not len(alone.filter_.keys) and alone.tag([NOTES[0].text]) == [list(NOTES[0].spans)]


def test_the_threshold_is_kept(tmp_path: Path) -> None:
    tagger = quick().fit(NOTES[:24])
    tagger.threshold_ = -0.25
    tagger.save(tmp_path / "model")
    kept = EnsembleTagger.load(tmp_path / "model")
    assert kept.threshold_ == -0.25


def test_another_kind_of_model_and_one_not_fitted_are_refused(tmp_path: Path) -> None:
    Crf(training=CrfSettings(passes=5)).fit(NOTES[:8]).save(tmp_path / "model")
    with pytest.raises(ModelError, match="unknown kind"):
        EnsembleTagger.load(tmp_path / "model")
    for use in (lambda: EnsembleTagger().tag(["x"]), lambda: EnsembleTagger().save(tmp_path / "other")):
        with pytest.raises(ModelError, match="fitted"):
            use()


def test_one_that_only_judges_finds_nothing_that_its_crf_did_not(tmp_path: Path) -> None:
    few = NOTES[:5]
    plain = EnsembleTagger(crf=Crf(training=CrfSettings(passes=4)), judge_only=True).fit(few)
    texts = [note.text for note in NOTES]
    alone = plain.crf_.tag(texts)
    for mine, crf in zip(plain.tag(texts), alone, strict=True):
        assert set(mine) <= set(crf)
    plain.save(tmp_path / "model")
    assert EnsembleTagger.load(tmp_path / "model").tag(texts) == plain.tag(texts)
    both = EnsembleTagger(crf=Crf(training=CrfSettings(passes=4))).fit(few)
    assert len(both.second_.keys)
    assert not len(plain.second_.keys)
