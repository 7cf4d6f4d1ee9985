"""Taggers from elsewhere in the main job: their finds are hidden, what they fail on is withheld, the manifest names them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tiny_classifier import make_classifier

from unname.job import Deidentification, make_job
from unname.knowledge.fictional import fictional_town
from unname.taggers.foreign.huggingface import HuggingFaceTagger
from unname.types import Span
from unname.verbs.deidentify.files import deidentify_files


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hf") / "st-mary"
    make_classifier(folder)
    return folder


def run(out: Path, *taggers: str, **more: Any) -> tuple[list[str], dict[str, Any], Any]:
    """Released texts, manifest, and what was withheld, of a town where Karl is seen in Boston."""
    out.parent.mkdir(parents=True, exist_ok=True)
    town = fictional_town(people=20, seed=3)
    rows = [{"id": d.id, "text": f"{d.text} Seen by Karl in Boston.", "person": d.person} for d in town.documents]
    people = [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles]
    for name, written in (("d", rows), ("p", people)):
        (out.parent / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in written), encoding="utf-8")
    settings = Deidentification(k=2, reidentifiers=("bm25",))
    made = deidentify_files(make_job(
        out.parent / "d.jsonl", out.parent / "p.jsonl", out, accept_risk="a test", masking=settings, attackers=("bm25",),
        tagger=taggers, **more,
    ))  # fmt: skip
    texts = [json.loads(line)["text"] for line in (out / "documents.jsonl").read_text("utf-8").splitlines()]
    return texts, json.loads((out / "manifest.json").read_text("utf-8")), made.result.withheld


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_classifier_finds_is_hidden_whatever_the_workers(classifier: Path, tmp_path: Path, workers: int) -> None:
    texts, manifest, withheld = run(tmp_path / "out", f"hf:{classifier}", workers=workers)
    assert texts and not withheld and not any("Karl" in text for text in texts)
    assert manifest["settings"]["taggers"] == ["rules.v1", "entities.v1", "hf.v1"]
    assert [row["name"] for row in manifest["taggers"]] == ["hf.v1"] and manifest["taggers"][0]["model"] == "bert"
    assert len(manifest["inputs"]["tagger from elsewhere 1"]) == 64
    assert "st-mary" not in json.dumps(manifest), "the names of folders are the user's"


def test_without_the_rules_where_nobody_wants_them(classifier: Path, tmp_path: Path) -> None:
    _, manifest, _ = run(tmp_path / "out", "none", f"hf:{classifier}")
    assert manifest["settings"]["taggers"] == ["hf.v1"]


def test_a_text_that_a_library_fails_on_is_withheld_and_no_other(
    classifier: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole, seen = HuggingFaceTagger.parts, set[str]()

    def failing(self: HuggingFaceTagger, text: str) -> Iterator[list[Span]]:
        if not seen or text in seen:
            seen.add(text)
            raise ValueError(text)
        return whole(self, text)

    monkeypatch.setattr(HuggingFaceTagger, "parts", failing)
    texts, _, withheld = run(tmp_path / "out", f"hf:{classifier}", workers=1)
    assert texts and set(withheld.values()) == {"failed"} and len(withheld) < len(texts)
    assert "TaggingError" in caplog.text and "Karl" not in caplog.text


def test_a_pipeline_of_spacy_and_presidio_hide_as_well(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Karl"}])
    nlp.to_disk(tmp_path / "pipeline")
    texts, manifest, _ = run(tmp_path / "one" / "out", f"spacy:{tmp_path / 'pipeline'}", workers=2)
    assert texts and not any("Karl" in text for text in texts) and "spacy" in manifest["taggers"][0]
    pytest.importorskip("presidio_analyzer")
    if not any(name.startswith("en_") for name in spacy.util.get_installed_models()):
        pytest.skip("no English pipeline of spaCy is installed")
    texts, manifest, withheld = run(tmp_path / "two" / "out", "presidio:en", workers=2)
    assert texts and not withheld and not any("Karl" in text for text in texts)
    assert manifest["taggers"][0]["name"] == "presidio.v1"


def test_an_output_may_not_take_the_place_of_a_model(classifier: Path, tmp_path: Path) -> None:
    from unname.errors import UnnameError

    with pytest.raises(UnnameError):
        run(classifier, f"hf:{classifier}", replace=True)
    assert (classifier / "config.json").is_file()
