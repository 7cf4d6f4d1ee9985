"""Guesses of a language model: likelihoods as a plain loop has them, and a file that the audit scores."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from made_files import write_rows, write_town
from tiny_encoders import make_language_model
from transformers import AutoModelForCausalLM

from unname.apps.cli import run
from unname.errors import InputError, ModelError, SettingsError
from unname.knowledge.fictional import fictional_town
from unname.neural.language_model import LanguageModel
from unname.run.guess import described, guess, guesses
from unname.types import Profile

TEXTS = ["the old smith of york went home", "a mill stood by the river", "known of the person"]
PEOPLE = [Profile("a", {"trade": "smith", "town": "york"}), Profile("b", {"trade": "mill", "note": "river " * 90})]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of random weights."""
    return Path(make_language_model(tmp_path_factory.mktemp("lm") / "model", TEXTS))


@pytest.fixture
def attack(tmp_path: Path) -> Path:
    """A release of forty people, and what `export` made of it for outsiders."""
    town = fictional_town(people=40, seed=6)
    write_town(town, tmp_path)
    write_rows(tmp_path / "now.jsonl", [{"id": d.id, "text": d.text[:80]} for d in town.documents])
    made = run(
        ["export", str(tmp_path / "now.jsonl"), "--people", str(tmp_path / "people.jsonl"), "--for-attack",
         str(tmp_path / "attack")]
    )  # fmt: skip
    assert made == 0
    return tmp_path / "attack"


def test_likelihoods_are_those_of_a_loop_over_tokens(folder: Path) -> None:
    model = LanguageModel(folder)
    text, begun = model.ids(TEXTS[0], 99), [model.ids(t, 99) for t in (*TEXTS, "the", "river river river", "york")]
    plain = AutoModelForCausalLM.from_pretrained(folder).eval()
    wanted = []
    for before in begun:
        total, said = 0.0, list(before)
        for token in text:
            with torch.no_grad():
                total += float(plain(torch.tensor([said])).logits[0, -1].log_softmax(dim=-1)[token])
            said.append(token)
        wanted.append(total)
    assert model.log_likelihoods(begun, text) == pytest.approx(wanted, abs=1e-3)
    assert model.log_likelihoods(begun[3:4], text) == pytest.approx(wanted[3:4], abs=1e-3), "company changes nothing"
    assert model.ids("york <s> [UNK]", 2) == model.ids("york <s> [UNK]", 99)[:2] and repr(model) == "LanguageModel()"


def test_a_guess_orders_people_by_how_likely_they_make_the_text(folder: Path) -> None:
    model = LanguageModel(folder)
    found = guess(model, TEXTS[0], PEOPLE)
    assert {name for name, _ in found} == {"a", "b"} and found[0][1] >= found[1][1]
    assert guess(model, "", PEOPLE) == [("a", 0.0), ("b", 0.0)], "nothing said tells nothing"
    assert described(PEOPLE[1]).count("river") == 30, "long values begin"


def test_the_audit_scores_what_a_model_guessed_of_a_sample(folder: Path, attack: Path, tmp_path: Path) -> None:
    out = tmp_path / "guesses.jsonl"
    words = ["guess", str(attack), "--language-model", str(folder), "--sample", "6", "--top", "5", "--out", str(out)]
    assert run(words) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 6 and all(len(row["person"]) == 5 for row in rows)
    assert run(words) == 5, "what is there stays"
    assert rows == json.loads(json.dumps(guesses(attack, language_model=folder, sample=6, top=5)))
    audited = run(
        ["audit", str(tmp_path / "now.jsonl"), "--original", str(tmp_path / "documents.jsonl"), "--people",
         str(tmp_path / "people.jsonl"), "--guesses", str(out), "--attackers", "bm25", "--k", "3",
         "--out", str(tmp_path / "report")]
    )  # fmt: skip
    assert audited == 0
    report = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))
    assert "guesses" in {row["name"] for row in report["attackers"]}


def test_what_is_no_model_or_no_folder_for_attackers_is_a_clear_error(
    folder: Path, attack: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelError):
        LanguageModel(tmp_path / "empty")
    broken = tmp_path / "x.gguf"
    broken.write_bytes(b"GGUF and no more")
    with pytest.raises(ModelError):
        LanguageModel(broken)
    with pytest.raises(InputError, match="export"):
        guesses(tmp_path / "empty", language_model=folder)
    for wrong in ({"top": 1}, {"sample": 0}):
        with pytest.raises(SettingsError):
            guesses(attack, language_model=folder, **wrong)
