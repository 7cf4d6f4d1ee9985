"""The neural search by command: train, mask beside term matching, mask alone as in the paper, ask, audit what served."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from made_commands import Run
from made_files import write_rows

from unname.apps import cli
from unname.knowledge.fictional import fictional_town
from unname.types import Document

DOCUMENTS, PEOPLE = 20, 40
HELD = 4


@dataclass(frozen=True)
class Trained:
    """Twenty documents to mask, the people, and the folders of two bi-encoders taught by documents of others."""

    documents: Path
    people: Path
    models: tuple[Path, Path]

    def masked(self, out: Path, *more: object) -> list[object]:
        return ["deidentify", self.documents, "--people", self.people, "--k", 3, "--audit", "quick", "--rounds", 0,
                "--workers", 1, "--out", out, *more]  # fmt: skip


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    pytest.importorskip("torch")
    from tiny_encoders import make_encoder

    folder, town = tmp_path_factory.mktemp("neural"), fictional_town(people=PEOPLE, seed=5)
    asked = {p.id for p in town.profiles[: PEOPLE // 2]}
    mine = [d for d in town.documents if d.person in asked][:DOCUMENTS]
    others = [d for d in town.documents if d.person not in asked]
    people = write_rows(folder / "people.jsonl", [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles])
    documents, taught = (
        write_rows(folder / name, _rows(some)) for name, some in (("mine.jsonl", mine), ("others.jsonl", others))
    )
    encoder = make_encoder(folder / "encoder", "bert", [d.text for d in others])
    models = folder / "north", folder / "south"
    for seed, model in enumerate(models):
        command = ["train", "reidentifier", taught, "--people", people, "--kind", "biencoder(width=16, warm_start=2)",
                   "--document-encoder", encoder, "--window", 64, "--epochs", 1, "--seed", seed, "--out", model]  # fmt: skip
        assert cli.run([str(word) for word in command]) == 0
    return Trained(documents, people, models)


def _rows(documents: list[Document]) -> list[dict[str, str | None]]:
    return [{"id": d.id, "person": d.person, "text": d.text} for d in documents]


def test_a_trained_neural_model_masks_beside_term_matching_and_attacks_what_it_served(
    trained: Trained, run: Run, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert run(*trained.masked(out, "--model", trained.models[0])).code == HELD
    private = tmp_path / "out.private"
    crowds = [set(row["crowds"]) for row in _lines(private / "documents.jsonl")]
    assert crowds == [{"bm25.v1", "ngrams.v1", "biencoder.v1"}] * DOCUMENTS
    assert run("release", private, "--accept-risk", "a test").code == 0
    said = run("audit", out, "--private", private, "--original", trained.documents, "--people", trained.people,
               "--audit", "quick", "--workers", 1, "--out", tmp_path / "audit")  # fmt: skip
    assert said.code == 0, said.err
    report = json.loads((tmp_path / "audit" / "report.json").read_text())
    used = [row["name"] for row in report["attackers"] if row["used"]]
    assert used == ["bm25.v1", "ngrams.v1", "biencoder.v1"] and "not_tried" not in report


@pytest.mark.parametrize("method", ["composed", "paper"])
def test_a_trained_neural_model_alone_is_enough(trained: Trained, run: Run, tmp_path: Path, method: str) -> None:
    said = run(*trained.masked(tmp_path / "out", "--reidentifiers", "none", "--model", trained.models[0],
                               "--method", method, "--limit", 8))  # fmt: skip
    assert said.code == HELD, said.err
    rows = _lines(tmp_path / "out.private" / "documents.jsonl")
    assert all(set(row["crowds"]) == {"biencoder.v1"} and row["crowds"]["biencoder.v1"] >= 3 for row in rows)


def test_two_models_of_a_kind_serve_together_under_the_names_of_their_folders(
    trained: Trained, run: Run, tmp_path: Path
) -> None:
    both = [word for model in trained.models for word in ("--model", model)]
    said = run(*trained.masked(tmp_path / "out", "--reidentifiers", "none", *both, "--limit", 8))
    assert said.code == HELD, said.err
    names = {"biencoder.v1:north", "biencoder.v1:south"}
    assert all(set(row["crowds"]) == names for row in _lines(tmp_path / "out.private" / "documents.jsonl"))
    assert "Neural encoder (north)" in said.out and "Neural encoder (south)" in said.out
    assert run("release", tmp_path / "out.private", "--accept-risk", "a test").code == 0
    said = run("audit", tmp_path / "out", "--private", tmp_path / "out.private", "--original", trained.documents,
               "--people", trained.people, "--audit", "quick", "--workers", 1, "--out", tmp_path / "audit")  # fmt: skip
    assert said.code == 0 and "Neural encoder (north)" in said.out


def test_a_release_that_a_model_made_alone_is_continued(trained: Trained, run: Run, tmp_path: Path) -> None:
    alone = ("--reidentifiers", "none", "--model", trained.models[0], "--limit", 6)
    assert run(*trained.masked(tmp_path / "one", *alone, "--accept-risk", "a test")).code == 0
    said = run(*trained.masked(tmp_path / "two", *alone, "--after", tmp_path / "one.private"))
    assert said.code == HELD, said.err
    one, two = (_lines(tmp_path / f"{name}.private" / "masks.jsonl") for name in ("one", "two"))
    assert [row["id"] for row in one] == [row["id"] for row in two]


def test_a_trained_neural_model_says_how_likely_everybody_is(trained: Trained, run: Run, tmp_path: Path) -> None:
    both = [word for model in trained.models for word in ("--model", model)]
    said = run("reidentify", trained.documents, "--people", trained.people, "--reidentifiers", "none", *both,
               "--top", PEOPLE, "--out", tmp_path / "found.jsonl")  # fmt: skip
    assert said.code == 0, said.err
    for row in _lines(tmp_path / "found.jsonl"):
        for found in (row["by"]["biencoder.v1:north"], row["by"]["biencoder.v1:south"]):
            assert found["temperature"] == 1.0 and abs(sum(found["probabilities"]) - 1) < 1e-4
            assert found["probability"] in found["probabilities"]


@pytest.mark.parametrize(
    "more, message",
    [
        (["--reidentifiers", "none"], "nobody is left to hide from"),
        (["--reidentifiers", "biencoder"], "has to be trained before it can be used"),
        (["--reidentifiers", "none,bm25"], "none stands alone"),
    ],
)
def test_a_search_without_anybody_to_hide_from_says_what_is_missing(
    trained: Trained, run: Run, tmp_path: Path, more: list[str], message: str
) -> None:
    said = run(*trained.masked(tmp_path / "out", *more))
    assert said.code == 2 and message in said.err and not (tmp_path / "out.private").exists()


def _lines(path: Path) -> list[dict[str, dict[str, float]]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
