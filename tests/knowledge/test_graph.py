"""The inverted index: exactly who has which term, in memory and from a folder, and counts of any combination."""

import json
import os
import pickle
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unname.errors import ModelError
from unname.knowledge import graph as rooms
from unname.knowledge.fictional import fictional_town
from unname.knowledge.graph import Graph, build_graph, graph_of, open_graph, triples_of
from unname.knowledge.population import Population
from unname.knowledge.variants import Term, terms_of
from unname.storage.manifest import file_hash

TRIPLES = [
    ("p1", "name", "Ada Vance"), ("p1", "place of birth", "Lisbon"), ("p1", "date of birth", "1992-08-05"),
    ("p2", "name", "Bo Vance"), ("p2", "place of birth", "Porto"), ("p2", "nationality", "Portuguese"),
    ("p3", "place of birth", "Lisbon, Portugal"), ("p3", "occupation", "singer"), ("p1", "occupation", "singer"),
]  # fmt: skip


def people(graph: Graph, *phrases: str) -> set[str]:
    """The people with all of some terms."""
    numbers = [graph.term(phrase.split()) for phrase in phrases]
    return {graph.people.text(int(c)) for c in graph.having_all([n for n in numbers if n is not None])}


def test_terms_know_their_people() -> None:
    graph = build_graph(TRIPLES)
    assert people(graph, "lisbon") == {"p1", "p3"}
    assert people(graph, "portuguese") == {"p2", "p3"}
    assert people(graph, "lisbon", "singer", "portugal") == {"p3"}
    assert people(graph, "august 1992") == people(graph, "1992 08 05") == {"p1"}
    assert people(graph, "vance") == {"p1", "p2"}
    assert graph.term(["nobody"]) is None
    assert graph.term([]) is None


def test_an_index_is_what_every_value_says(tmp_path: Path) -> None:
    town = fictional_town(people=60, seed=1)
    graph = graph_of(Population(tuple(town.profiles)))
    said = defaultdict[Term, set[str]](set)
    for person, relation, value in triples_of(town.profiles):
        for term in terms_of(relation, value):
            said[term].add(person)
    assert len(graph.terms) == len(said)
    graph.save(tmp_path / "graph")
    for index in (graph, open_graph(tmp_path / "graph"), pickle.loads(pickle.dumps(graph))):  # noqa: S301 (as processes send it)
        for term, having in said.items():
            number = index.term(term)
            assert number is not None
            assert {index.people.text(int(c)) for c in index.having(number)} == having


def test_parts_give_the_same_index_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = build_graph(TRIPLES)
    monkeypatch.setattr(rooms, "_AT_ONCE", 3)
    parts = build_graph(TRIPLES)
    for one, other in zip(whole._arrays().values(), parts._arrays().values(), strict=True):
        assert np.array_equal(one, other)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.integers(0, 199), min_size=1), min_size=1, max_size=6), st.booleans())
def test_counts_of_combinations_are_exact(sets: list[set[int]], dense: bool) -> None:
    graph = build_graph((f"p{person}", "x", f"term{n}") for n, one in enumerate(sets) for person in sorted(one))
    numbers = [graph.term([f"term{n}"]) for n in range(len(sets))]
    chosen = [n for n in numbers if n is not None]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "_DENSE", 0.0 if dense else 1.0)
        assert graph.count(chosen) == len(set.intersection(*sets)) == len(graph.having_all(chosen))


def test_nothing_and_nobody() -> None:
    graph = build_graph([])
    assert (len(graph.terms), len(graph.people), graph.count([])) == (0, 0, 0)
    assert graph.term(["a"]) is None
    assert graph.column("p") is None


def test_reprs_show_no_value() -> None:
    graph = build_graph(TRIPLES)
    assert "lisbon" not in repr(graph) + repr(graph.terms)


def test_a_folder_that_is_no_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no index"):
        open_graph(tmp_path)
    build_graph(TRIPLES).save(tmp_path / "graph")
    np.save(tmp_path / "graph" / "starts.npy", np.zeros(1, np.int64))
    with pytest.raises(ModelError, match="damaged"):
        open_graph(tmp_path / "graph")


ARRAYS = ("keys", "ends", "letters", "starts", "postings", "first", "reach", "people_keys", "people_letters")


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("change", [np.zeros_like, lambda values: values[::-1].copy(), lambda values: values[:-1]])
@pytest.mark.parametrize("hashed", [False, True], ids=["damaged", "hostile"])
def test_an_index_whose_arrays_were_changed_is_refused_also_where_its_hashes_say_so(
    tmp_path: Path, name: str, change: Callable[[Any], Any], hashed: bool
) -> None:
    graph, folder = graph_of(Population(tuple(fictional_town(people=20, seed=1).profiles))), tmp_path / "graph"
    graph.save(folder)
    assert len(open_graph(folder).terms) == len(graph.terms)
    path = folder / f"{name}.npy"
    np.save(path, change(np.load(path)))
    if hashed:
        about = json.loads((folder / "graph.json").read_text())
        about["arrays"][name] = file_hash(path)
        (folder / "graph.json").write_text(json.dumps(about))
    with pytest.raises(ModelError, match="make it again"):
        open_graph(folder)


@pytest.mark.parametrize("name", ["first.npy", "graph.json"])
def test_a_pipe_or_a_link_out_of_the_folder_is_no_array(tmp_path: Path, name: str) -> None:
    for made in (os.mkfifo, lambda path: path.symlink_to(tmp_path / "elsewhere")):
        folder = tmp_path / made.__name__
        build_graph(TRIPLES).save(folder)
        (folder / name).rename(tmp_path / "elsewhere")
        made(folder / name)
        with pytest.raises(ModelError):
            open_graph(folder)


def test_an_array_of_another_kind_is_refused(tmp_path: Path) -> None:
    build_graph(TRIPLES).save(tmp_path)
    about = json.loads((tmp_path / "graph.json").read_text())
    for wrong in (np.load(tmp_path / "reach.npy").astype(np.int64), np.load(tmp_path / "reach.npy")[:, None]):
        np.save(tmp_path / "reach.npy", wrong)
        about["arrays"]["reach"] = file_hash(tmp_path / "reach.npy")
        for said in (about, about | {"arrays": 5}, about | {"terms": 1}):
            (tmp_path / "graph.json").write_text(json.dumps(said))
            with pytest.raises(ModelError):
                open_graph(tmp_path)
