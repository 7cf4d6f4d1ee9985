"""The brute-force recount gives the crowds that the reidentifiers give, and shares no code with them."""

import ast
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.inputs.training_documents import ALWAYS, LEARNING
from unname.knowledge.population import Population
from unname.reidentifiers.base import crowd
from unname.reidentifiers.learned.static import Static
from unname.reidentifiers.learned.static_training import StaticTraining
from unname.reidentifiers.names import kind_of
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.ngrams import Ngrams
from unname.types import Document, Profile
from unname.verifying import recount
from unname.verifying.recount import RECOUNTED, Recount, StaticWeights

MAKERS = {"bm25.v1": Bm25, "ngrams.v1": Ngrams}


def redacted(text: str) -> str:
    """Every third word hidden, so that placeholders take part."""
    words = text.split(" ")
    return " ".join("[MASK]" if i % 3 == 1 else w for i, w in enumerate(words))


def assert_same_crowds(name: str, profiles: tuple[Profile, ...], documents: list[Document]) -> None:
    """Scores and crowds of each document, and of each person's documents together, whole and redacted."""
    index = MAKERS[name]().fit(profiles).index(profiles)
    slow = Recount(name, profiles)
    rows = Population(profiles).rows
    of: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        for text in (document.text, redacted(document.text)):
            column = rows[str(document.person)]
            fast = index.scores(text)
            assert slow.scores_of([[text]])[0] == fast.tolist()
            assert slow.crowd([text], column) == crowd(fast, column)
        of[str(document.person)].append(redacted(document.text))
    for person, texts in of.items():
        together = index.scores_of(texts).sum(axis=0)
        assert slow.crowd(texts, rows[person]) == crowd(together, rows[person])


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_crowds_of_a_fictional_town_are_the_same_counted_both_ways(name: str, small_town) -> None:
    shared = [d for d in small_town.documents if d.person in {p.id for p in small_town.profiles[:25]}]
    assert len(shared) > len({d.person for d in shared}), "some people need several documents"
    assert_same_crowds(name, small_town.profiles, shared)


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_crowds_of_members_of_congress_are_the_same_counted_both_ways(name: str, congress) -> None:
    profiles, documents = congress
    assert_same_crowds(
        name, tuple(profiles[:400]), [d for d in documents if d.person in {p.id for p in profiles[:400:40]}]
    )


hard = st.text(alphabet="aAbßİ½é 1[]MASK_.\u0345", max_size=12)


@given(st.lists(hard, min_size=1, max_size=5), st.lists(hard, min_size=1, max_size=3))
def test_scores_agree_on_any_text(fields: list[str], texts: list[str]) -> None:
    profiles = tuple(Profile(str(i), {"a": text}) for i, text in enumerate([*fields, "a common word"]))
    for name, make in MAKERS.items():
        index = make().fit(profiles).index(profiles)
        slow = Recount(name, profiles)
        assert slow.scores_of([texts])[0] == index.scores_of(texts).sum(axis=0).tolist()


def test_a_crowd_counts_ties_and_leaves_the_person_out() -> None:
    profiles = [Profile("a", {"f": "red mill"}), Profile("b", {"f": "red mill"}), Profile("c", {"f": "blue house"})]
    slow = Recount("bm25.v1", profiles)
    assert slow.crowd(["red"], 0) == 1
    assert slow.crowd(["[RED]"], 0) == 2
    assert slow.crowd(["blue"], 0) == 2
    assert slow.crowd(["red", "house blue"], 2) == 0


def test_what_can_be_recounted_is_what_a_search_uses_by_default() -> None:
    assert {kind_of(f"{name}.v1") for name in (*ALWAYS, *LEARNING)} <= RECOUNTED


def test_the_recount_imports_nothing_of_what_it_checks() -> None:
    tree = ast.parse(Path(recount.__file__).read_text(encoding="utf-8"))
    named = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    named |= {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert {m for m in named if m.startswith("unname")} == {"unname.types"}
    assert "numpy" not in named and "scipy" not in named
    code = (
        "import sys, unname.verifying.recount; print([m for m in sys.modules if 'reidentifiers' in m or m == 'numpy'])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_crowds_under_a_static_reidentifier_are_the_same_counted_both_ways(small_town) -> None:
    training = StaticTraining(dimensions=8, steps=50)
    model = Static(training=training, fewest=1).fit(small_town.profiles, small_town.documents)
    index = model.index(small_town.profiles)
    rows = Population(small_town.profiles).rows
    for document in small_town.documents[:20]:
        for text in (document.text, redacted(document.text), f"{document.text} in 1846 and 1847"):
            slow = Recount("static.v1", small_town.profiles, StaticWeights(*index.plain([text])))
            column = rows[str(document.person)]
            assert slow.scores_of([[text]])[0] == index.scores(text).tolist()
            assert slow.crowd([text], column) == crowd(index.scores(text), column)
