"""The additive reidentifier: what it learns, that its gradients are right, and that its scores are exact sums."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_trained import HINTS, planted, ranks

from unname.errors import ModelError
from unname.knowledge.fictional import Town
from unname.reidentifiers.base import SCALE, crowd
from unname.reidentifiers.learned.additive import Additive, _rarity, _words_by_field, frequent, profile_features
from unname.reidentifiers.learned.additive_training import (
    AdditiveTraining,
    AdditiveWeights,
    KnownPeople,
    _AdditiveLearning,
    _epochs,
)
from unname.reidentifiers.learned.training_examples import FEW_DOCUMENTS, MaskPrior
from unname.reidentifiers.learned.vectorindex import VectorIndex, fitting_bits, whole
from unname.reidentifiers.terms.termindex import TermIndex, by_term
from unname.text import folded_words
from unname.types import Document, Profile

pytestmark = pytest.mark.usefixtures("few_steps")
SHORT = AdditiveTraining(dimensions=16, epochs=60, batch=16, decay=0.1, averaging=0.9)


@pytest.fixture(scope="module")
def town_model(small_town: Town) -> Additive:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("unname.reidentifiers.learned.additive_training._epochs", lambda batch, texts: 1)
        training = AdditiveTraining(dimensions=16, epochs=4)
        return Additive(training=training).fit(small_town.profiles, small_town.documents)


def test_it_finds_people_of_whom_it_saw_no_document_by_words_that_are_in_no_profile() -> None:
    people, documents = planted()
    seen, unseen = documents[:48], documents[48:]
    index = Additive(training=SHORT, fewest=1).fit(people, seen).index(people)
    assert ranks(index.scores_of([d.text for d in unseen]), people, unseen) == [0] * len(unseen)


def test_few_texts_are_read_more_often_but_a_hundred_not_until_they_are_known_by_heart() -> None:
    assert [_epochs(16, texts) for texts in (50, 100, 200, 300)] == [48, 24, 24, 24]
    assert [_epochs(texts // 24, texts) for texts in (480, 4800)] == [21, 21]
    assert _epochs(256, 12_000) == 11


def test_same_words_count_by_the_field_that_says_them() -> None:
    """A town that is everybody's second word tells nothing here; a name does."""
    rng = np.random.default_rng(0)
    people = [Profile(str(i), {"name": f"n{i}", "noise": f"m{(i + 1) % 150}"}) for i in range(150)]
    notes = [Document(f"d{i}", f"n{i} m{rng.integers(150)} was here", str(i)) for i in range(150)]
    found = Additive(training=AdditiveTraining(dimensions=8, epochs=20)).fit(people[:150], notes).matches_
    assert found["name"] > found["noise"] + 0.2


def test_too_little_to_learn_from_is_told_without_a_word_of_it() -> None:
    people, documents = planted()
    with pytest.raises(ModelError, match=r"additive needs 50 documents .* there are 49") as caught:
        Additive().fit(people, documents[:49])
    assert not any(hint in str(caught.value) for hint in HINTS.values())
    with pytest.raises(ModelError, match="there are 0"):
        Additive(fewest=1).fit(people)
    with pytest.raises(ModelError, match="must be fitted"):
        Additive().index(people)


def test_the_same_seed_teaches_the_same_and_another_seed_something_else() -> None:
    people, documents = planted()

    def learned(seed: int) -> np.ndarray:
        return (
            Additive(training=AdditiveTraining(dimensions=8, epochs=3), seed=seed, fewest=1)
            .fit(people, documents)
            .word_vectors_
        )

    assert np.array_equal(learned(1), learned(1))
    assert not np.array_equal(learned(1), learned(2))


# --- what is learned


def school(course: AdditiveTraining) -> tuple[_AdditiveLearning, list[list[str]], dict[str, int], KnownPeople]:
    people, documents = planted()
    model = Additive(training=course, fewest=1).fit(people, documents)
    read = [[*dict.fromkeys(folded_words(d.text)), "york", "smith"] for d in documents]
    described = [profile_features(p) for p in people]
    features = frequent(described, rarest=1, most=1000)
    from unname.reidentifiers.learned.additive import weigh

    rows = {p.id: row for row, p in enumerate(people)}
    vocabulary = model.vocabulary_ | {"york": 0}
    # Two fields may say the same word.
    said = [{**_words_by_field(p), "trade": _words_by_field(p)["trade"] | _words_by_field(p)["town"]} for p in people]
    rarity = _rarity(model.frequency_, model.profiles_)
    known = KnownPeople([p.id for p in people], weigh(described, features), said, ["town", "trade"], rarity)
    return (
        _AdditiveLearning(read, [rows[str(d.person)] for d in documents], vocabulary, known, course, 3),
        read,
        vocabulary,
        known,
    )


def test_a_step_follows_the_gradient_of_the_smoothed_cross_entropy() -> None:
    """Against finite differences in float64 of the loss as it is defined, without dropout or masks."""
    course = AdditiveTraining(dimensions=4, dropout=0.0, smoothing=0.1, prior=MaskPrior("none"))
    taught, read, vocabulary, known = school(course)
    caught: list[list[np.ndarray]] = []
    taught.optimiser.step = caught.append  # type: ignore[method-assign,assignment]
    chosen = np.arange(8)
    taught._step(chosen, np.random.default_rng(0))

    def loss(weights: Sequence[np.ndarray]) -> float:
        words, features, fields = (w.astype(np.float64) for w in weights)
        total = 0.0
        for i in chosen:
            rows = [vocabulary[w] for w in read[i] if w in vocabulary]
            scores = taught.described.toarray().astype(np.float64) @ features @ words[rows].sum(axis=0)
            for person, row in enumerate(known.words_by_field):
                for name, weight in zip(known.fields, fields, strict=True):
                    scores[person] += weight * sum(known.rarity[w] for w in read[i] if w in row.get(name, ()))
            logs = scores - np.log(np.exp(scores).sum())
            wanted = np.full(len(scores), 0.1 / len(scores))
            wanted[taught.people[i]] += 0.9
            total -= float(wanted @ logs)
        return total / len(chosen)

    for number, gradient in enumerate(caught[0]):
        for at in [(0, 0), (3, 2), (5, 1)] if number < 2 else [(0,), (1,)]:
            moved = [w.astype(np.float64).copy() for w in taught.weights]
            moved[number][at] += 1e-5
            above = loss(moved)
            moved[number][at] -= 2e-5
            assert gradient[at] == pytest.approx((above - loss(moved)) / 2e-5, rel=2e-3, abs=2e-6)


def test_people_held_out_are_examined_on_masked_texts_and_learning_ends_when_they_are_found_no_more_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = [Profile(str(i), {"name": f"name{i}"}) for i in range(300)]
    notes = [Document(f"d{i}", f"nothing of name{(i * 7) % 300}", str(i)) for i in range(300)]
    grades: list[float] = []
    learned: set[int] = set()
    exams: list[tuple[set[int], int, int]] = []
    step, grade = _AdditiveLearning._step, _AdditiveLearning._grade

    def watched(self: _AdditiveLearning, chosen: np.ndarray, random: np.random.Generator) -> None:
        learned.update(self.people[chosen].tolist())
        step(self, chosen, random)

    def graded(self: _AdditiveLearning, exam: Any) -> float:
        for held, kept in exam:
            readable, every = (int(sum(bags.sum() for bags, _ in kept)), sum(len(self.read[i].known) for i in held))
            exams.append((set(self.people[held].tolist()), readable, every))
        grades.append(grade(self, exam))
        return grades[-1]

    monkeypatch.setattr(_AdditiveLearning, "_step", watched)
    monkeypatch.setattr(_AdditiveLearning, "_grade", graded)
    course = AdditiveTraining(dimensions=4, epochs=200, patience=1)
    Additive(training=course, fewest=1, models=1).fit(people, notes)
    assert all(one < two for one, two in pairwise(grades[:-1])) and grades[-1] <= grades[-2] and len(grades) < 200
    assert all(held and not held & learned for held, *_ in exams)
    assert sum(readable for _, readable, _ in exams) < sum(words for *_, words in exams)


def test_masks_hide_distinct_words_whole_and_lexical_ones_hide_what_the_profile_says() -> None:
    draw = np.random.default_rng(0)
    words = [f"w{i}" for i in range(10)]
    assert MaskPrior("none").hidden(words, {"w1"}, draw) == set()
    assert MaskPrior("none", lexical=1.0).hidden(words, {"w1", "x"}, draw) == {"w1"}
    sizes = {len(MaskPrior().hidden(words, (), draw)) for _ in range(500)}
    assert sizes == set(range(11))
    rare = MaskPrior("idf", rarity={"w0": 50.0})
    often = [rare.hidden(words, (), draw) for _ in range(300)]
    assert sum("w0" in gone for gone in often) > 1.3 * sum("w5" in gone for gone in often)


# --- scores


def test_alike_profiles_tie_and_a_masked_text_has_everybody_in_its_crowd(
    small_town: Town, town_model: Additive
) -> None:
    people = [*small_town.profiles, *(Profile(f"{p.id}-twin", p.fields) for p in small_town.profiles)]
    index = town_model.index(people)
    one, other = np.split(index.scores_of([d.text for d in small_town.documents[:20]]), 2, axis=1)
    assert np.array_equal(one, other)
    for text in ("", "[MASK]", "[MASK] [NAME_1], [MASK]."):
        assert crowd(index.scores(text), 3) == len(people) - 1


def test_a_score_is_the_exact_sum_over_words_alone_in_company_and_for_some_people(
    small_town: Town, town_model: Additive
) -> None:
    index = town_model.index(small_town.profiles)
    texts = [d.text for d in small_town.documents[:30]]
    together = index.scores_of(texts)
    some = np.array([2, 50, 51])
    for row, text in zip(together, texts, strict=True):
        words = sorted(set(folded_words(text)))
        parts = index.contributions(words)
        assert np.array_equal(parts.sum(axis=0), row) and np.array_equal(index.scores(text), row)
        assert np.array_equal(index.contributions(words, some), parts[:, some])
        assert np.array_equal(index.sum_of([*words, *words]), 2 * row)


def test_newcomers_change_nobodys_score(small_town: Town, town_model: Additive) -> None:
    text = small_town.documents[0].text
    grown = town_model.index([*small_town.profiles, Profile("new", {"name": "Ada", "unheard": "of"})])
    assert np.array_equal(grown.scores(text)[:-1], town_model.index(small_town.profiles).scores(text))


def test_words_can_count_against_somebody_and_the_index_says_so(small_town: Town, town_model: Additive) -> None:
    index = town_model.index(small_town.profiles)
    assert index.signed
    assert (index.contributions(sorted(set(folded_words(small_town.documents[0].text)))) < 0).any()


def vector_index(words: np.ndarray, people: np.ndarray) -> VectorIndex:
    from scipy import sparse

    names = [str(i) for i in range(len(people))]
    nothing = TermIndex(names, {}, by_term(np.zeros(0, np.int64), sparse.csr_array((len(people), 0), dtype=np.int32)))
    left, right = fitting_bits(words, people)
    vocabulary = {f"w{i}": i for i in range(len(words))}
    return VectorIndex(names, vocabulary, whole(words, left), whole(people, right), 20 - left - right, nothing)


@given(st.integers(0, 2**32 - 1), st.floats(0.001, 500.0), st.integers(1, 60))
def test_sums_are_exact_whatever_the_size_of_the_vectors(seed: int, size: float, count: int) -> None:
    draw = np.random.default_rng(seed)
    words, people = draw.normal(size=(60, 12)) * size, draw.normal(size=(7, 12))
    index = vector_index(words, people)
    asked = [f"w{i}" for i in draw.integers(0, 60, count)]
    left, right = fitting_bits(words, people)
    w, p = whole(words, left).astype(int).tolist(), whole(people, right).astype(int).tolist()
    slow = [
        sum(sum(a * b for a, b in zip(w[int(word[1:])], row, strict=True)) for word in asked) << (20 - left - right)
        for row in p
    ]
    assert index.sum_of(asked).tolist() == slow
    assert index.contributions(asked).sum(axis=0).tolist() == slow


def test_rounding_costs_little() -> None:
    draw = np.random.default_rng(1)
    words, people = draw.normal(size=(200, 128)) * 0.3, draw.normal(size=(500, 128)) * 0.5
    exact = words[:100].sum(axis=0) @ people.T
    found = vector_index(words, people).sum_of([f"w{i}" for i in range(100)]) / SCALE
    assert np.abs(found - exact).max() < 0.02 * exact.std()


def test_a_population_of_much_longer_profiles_is_still_scored_exactly() -> None:
    draw = np.random.default_rng(2)
    words, people = draw.normal(size=(5, 8)), draw.normal(size=(4, 8))
    index = vector_index(words, people)
    long = VectorIndex(
        index.people, {f"w{i}": i for i in range(5)}, whole(words, 9), whole(people * 1000, 11), 0, index._matches
    )
    slow = whole(words, 9).astype(int) @ whole(people * 1000, 11).astype(int).T
    assert np.array_equal(long.contributions([f"w{i}" for i in range(5)]), slow)
    assert np.array_equal(long.sum_of(["w0", "w4"]), slow[0] + slow[4])


# --- several models as one


def test_the_score_is_the_mean_of_the_scores_of_several_models(small_town: Town) -> None:
    profiles, documents = small_town.profiles, small_town.documents
    model = Additive(training=AdditiveTraining(dimensions=8, epochs=1), models=2).fit(profiles, documents)
    apart = []
    for number in range(2):
        part = model.part(profiles, documents, number)
        one = Additive(training=model.training).join(profiles, documents, [part])
        apart.append(one.index(profiles).scores_of([d.text for d in documents[:20]]) / SCALE)
    together = model.index(profiles).scores_of([d.text for d in documents[:20]]) / SCALE
    assert len({a.tobytes() for a in apart}) == 2
    assert together == pytest.approx(np.mean(apart, axis=0), abs=0.2)
    assert np.abs(together - apart[0]).max() > 1


def test_each_model_is_taught_by_half_of_the_people_two_by_two_by_the_other_half(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = [Profile(str(i), {"name": f"name{i}"}) for i in range(FEW_DOCUMENTS)]
    notes = [Document(f"d{i}", f"nothing of name{i}", str(i)) for i in range(FEW_DOCUMENTS)]
    asked: list[tuple[frozenset[str], int]] = []
    from unname.reidentifiers.learned import additive

    def learned(read, people, vocabulary, known, training, *, seed):  # type: ignore[no-untyped-def]
        asked.append((frozenset(known.ids), seed))
        return AdditiveWeights(
            np.ones((len(vocabulary), 2), np.float32), np.ones((known.described.shape[1], 2), np.float32),
            np.ones(len(known.fields), np.float32),
        )  # fmt: skip

    monkeypatch.setattr(additive, "learn", learned)
    Additive(models=4).fit(people, notes)
    everybody = {p.id for p in people}
    (a, _), (b, _), (c, _), (d, _) = asked
    assert (a | b, c | d) == (everybody, everybody) and not a & b and not c & d and a not in (c, d)
    assert 0.4 < len(a) / len(people) < 0.6
    asked.clear()
    Additive(models=4).fit(people, notes[:999])
    assert [len(names) for names, _ in asked] == [999] * 2, "too few texts to do without half of them"
    assert len({seed for _, seed in asked}) == 2


def test_names_also_say_how_they_begin_and_end_and_prose_does_not() -> None:
    brief = profile_features(Profile("a", {"name": "Zbigniew Kowalska", "note": "born in 1901 Ada"}))
    assert {"name^kow", "name$ska", "name$ka", "name=kowalska", "note^bor"} <= set(brief)
    assert not any(feature.startswith(("note^190", "note$ada", "note^ada")) for feature in brief)
    prose = profile_features(Profile("a", {"text": "Zbigniew Kowalska went home early and slept there badly"}))
    assert not any("^" in feature or "$" in feature for feature in prose)
