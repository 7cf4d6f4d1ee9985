"""Labels without annotators: from triples to spans, kept indexes, variants, white lists, a tagger that learns from them."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from unname.errors import InputError, ModelError, SettingsError, StateError
from unname.taggers.models import load_tagger
from unname.verbs.evaluate.run import evaluate_files
from unname.verbs.index.options import GraphSources
from unname.verbs.index.run import graph_from, index_files
from unname.verbs.label.options import Labelling
from unname.verbs.label.run import label_files
from unname.verbs.tag.run import tag_files
from unname.verbs.train.options import TaggerTraining
from unname.verbs.train.tagger import train_tagger_files

CITIES, JOBS = ("Porto", "Lund", "Graz", "Turin"), ("weaver", "baker", "pilot")
NAMES = [
    f"{given} {family}" for given in ("Ada", "Bo", "Cyd", "Dov") for family in ("Vance", "Marsh", "Okoro", "Lindt")
]


@pytest.fixture
def town(tmp_path: Path) -> dict[str, Path]:
    """Sixteen people with names, cities and jobs, and a note about each."""
    triples, notes = [], []
    for n, name in enumerate(NAMES):
        city, job = CITIES[n % 4], JOBS[n % 3]
        triples += [f"p{n}\tname\t{name}", f"p{n}\tplace of birth\t{city}", f"p{n}\toccupation\t{job}"]
        text = f"{name} is a {job}. The patient comes from {city} and sleeps well."
        notes.append({"id": f"d{n}", "person": f"p{n}", "text": text})
    graph, documents = tmp_path / "graph.tsv.gz", tmp_path / "notes.jsonl"
    graph.write_bytes(gzip.compress("\n".join(triples).encode()))
    documents.write_text("\n".join(map(json.dumps, notes)))
    return {"graph": graph, "documents": documents, "out": tmp_path / "labels.jsonl", "folder": tmp_path}


def labelled(town: dict[str, Path], **how: Any) -> dict[str, list[str]]:
    """What is hidden of each note."""
    sources = GraphSources(**{"graph": (town["graph"],), **how.pop("sources", {})})
    town["out"].unlink(missing_ok=True)
    label_files(town["documents"], town["out"], Labelling(sources, **how))
    texts = {row["id"]: row["text"] for row in map(json.loads, town["documents"].read_text().splitlines())}
    rows = map(json.loads, town["out"].read_text().splitlines())
    return {row["id"]: [texts[row["id"]][s["start"] : s["end"]] for s in row["spans"]] for row in rows}


def test_names_go_and_of_city_and_job_the_rarer(town: dict[str, Path]) -> None:
    found = labelled(town, k=3)
    assert found["d0"] == ["Ada Vance", "Porto"]  # Four share Porto, five or six a job, one or two both.
    assert "Ada" not in town["out"].read_text()
    first = json.loads(town["out"].read_text().splitlines()[0])
    assert [(s["label"], s["people"], s["terms"]) for s in first["spans"]] == [("MASK", 1, 1), ("MASK", 2, 2)]
    assert labelled(town, k=1)["d0"] == ["Ada Vance"]


def test_a_kept_index_labels_as_its_triples_do(town: dict[str, Path]) -> None:
    index = town["folder"] / "index"
    made = index_files(GraphSources((town["graph"],)), index)
    assert len(made.people) == len(NAMES)
    assert labelled(town, sources={"graph": (index,)}) == labelled(town)
    with pytest.raises(StateError):
        index_files(GraphSources((town["graph"],)), index)
    index_files(GraphSources((town["graph"],)), index, replace=True)
    (index / "letters.npy").write_bytes(b"")
    with pytest.raises(ModelError, match="damaged"):
        graph_from(GraphSources((index,)))
    with pytest.raises(SettingsError, match="alone"):
        graph_from(GraphSources((index, town["graph"])))


def test_white_list_and_variants_are_the_user_s(town: dict[str, Path]) -> None:
    white, variants = town["folder"] / "white.txt", town["folder"] / "variants.tsv"
    white.write_text("Porto\n")
    variants.write_text("Lund\tthe old college town\n")
    assert labelled(town, k=3, white_list=white)["d0"] == ["Ada Vance"]
    text = town["documents"].read_text().replace("from Lund", "from the old college town")
    town["documents"].write_text(text)
    found = labelled(town, k=3, sources={"variants": variants})
    assert found["d1"] == ["Ada Marsh", "the old college town"]
    variants.write_text("Lund\n")
    with pytest.raises(InputError, match="record 1"):
        labelled(town, sources={"variants": variants})


def test_only_the_person_needs_a_person_whom_the_graph_knows(town: dict[str, Path]) -> None:
    assert labelled(town, k=3, whose="person")["d0"] == ["Ada Vance", "Porto"]
    town["documents"].write_text(town["documents"].read_text().replace('"p', '"q'))
    with pytest.raises(InputError, match="whose person"):
        labelled(town, whose="person")


def test_people_with_long_texts_are_a_graph_too(town: dict[str, Path]) -> None:
    people = town["folder"] / "people.jsonl"
    life = "lived for a very long time in a house by the river near the town of"
    rows = [{"id": f"p{n}", "fields": {"life": f"{name} {life} {CITIES[n % 4]}"}} for n, name in enumerate(NAMES)]
    people.write_text("\n".join(map(json.dumps, rows)))
    sources = {"graph": (), "people": people, "graph_texts": True}
    assert labelled(town, k=4, sources=sources)["d0"] == ["Ada Vance", "Porto"]
    people.write_text('{"id": "p1", "fields": {"sex": "man"}}')
    with pytest.raises(InputError, match="no terms"):
        graph_from(GraphSources(people=people))
    with pytest.raises(SettingsError, match="--graph"):
        graph_from(GraphSources())


@pytest.mark.parametrize("kind", ["crf", "svm"])
def test_a_tagger_learns_from_labels_and_leans_to_recall(town: dict[str, Path], kind: str) -> None:
    labelled(town, k=3)
    found = []
    for lean in (1.0, 1e5):
        model = town["folder"] / f"{kind}{lean}"
        train_tagger_files(town["documents"], model, TaggerTraining(kind, spans=town["out"], lean=lean))

        tagged = town["folder"] / f"{kind}{lean}.jsonl"
        tag_files(town["documents"], tagged, taggers=[load_tagger(model)])
        found.append(sum(len(json.loads(line)["spans"]) for line in tagged.read_text().splitlines()))
        lengths = sum(s["end"] - s["start"] for line in tagged.open() for s in json.loads(line)["spans"])
        found.append(lengths)
    assert found[0] >= len(NAMES)
    assert found[3] > found[1]
    with pytest.raises(SettingsError, match="lean"):
        train_tagger_files(town["documents"], town["folder"] / "no", TaggerTraining(kind, spans=town["out"], lean=0.0))


def test_labels_can_be_scored_as_any_tagger_s(town: dict[str, Path]) -> None:
    labelled(town, k=3)
    rows = [json.loads(line) for line in town["documents"].read_text().splitlines()]
    spans = {row["id"]: row["spans"] for row in map(json.loads, town["out"].read_text().splitlines())}
    gold = town["folder"] / "gold.jsonl"
    gold.write_text("\n".join(json.dumps({**row, "spans": spans[row["id"]]}) for row in rows))
    assert evaluate_files(town["out"], gold).scores[0].total.f1.value == 1.0
