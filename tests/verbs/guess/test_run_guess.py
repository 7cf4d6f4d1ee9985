"""Guesses of a language model: likelihoods as a plain loop has them, blanks filled, and a file that the audit scores."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given
from hypothesis import strategies as st
from made_files import write_rows, write_town
from tiny_encoders import make_language_model
from transformers import AutoModelForCausalLM

from unname.apps.cli import run
from unname.errors import InputError, ModelError, SettingsError
from unname.knowledge.fictional import fictional_town
from unname.neural.language_model import LanguageModel
from unname.text import GAP, PLACEHOLDER, folded_words, visible
from unname.types import Profile
from unname.verbs.guess.run import described, guess, guesses, infilled, put_first, simple_attackers

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


class Writer:
    """Fills the blanks with words that no text has."""

    def fillings(self, stretches: list[str], most: int) -> list[str]:
        return [f"qq{number}" for number in range(len(stretches) - 1)]


@given(
    st.lists(st.sampled_from(["mill", "[NAME]", "[MASK]", "[TOWN_2]", " ", ", ", "\n", "é", "_", "(", "'s"])).map(
        "".join
    )
)
def test_blanks_are_filled_and_every_visible_word_stays_in_its_place(text: str) -> None:
    writer: Any = Writer()
    found = infilled(writer, text)
    assert not PLACEHOLDER.search(found)
    assert [word for word in folded_words(found) if not word.startswith("qq")] == folded_words(visible(text))
    alone = re.sub(r"█( *█)+", "█", PLACEHOLDER.sub("█", text)).count("█")
    assert [word for word in folded_words(found) if word.startswith("qq")] == [f"qq{number}" for number in range(alone)]


def test_a_filled_text_reads_on_naturally() -> None:
    writer: Any = Writer()
    assert infilled(writer, "In [TOWN] ([DATE]), [NAME]'s mill.") == "In qq0 (qq1), qq2's mill."
    assert infilled(writer, "the[NAME]mill") == "the qq0 mill"


def test_neighbouring_placeholders_are_one_blank(folder: Path) -> None:
    model = LanguageModel(folder)
    once = infilled(model, "the old [NAME] went home")
    assert len(once.split()) > 4
    for text in ("the old [NAME] [MASK] went home", "the old [MASK][NAME]  [TOWN] went home"):
        assert infilled(model, text) == once
    writer: Any = Writer()
    assert infilled(writer, "[NAME], [TOWN]\n[MASK]") == "qq0, qq1\nqq2"


def test_the_blanks_of_a_text_that_the_model_does_not_read_to_its_end_become_gaps(folder: Path) -> None:
    found = infilled(LanguageModel(folder), "the old [NAME] went home. " * 200)
    assert not PLACEHOLDER.search(found) and found.endswith(f"the old {GAP} went home. ")
    assert found.index(GAP) > len("the old [NAME] went home. ") * 30


def test_what_the_model_wrote_can_bring_somebody_onto_the_shortlist() -> None:
    people = [Profile(town, {"trade": "smith", "town": town}) for town in ("york", "bath", "leeds", "wells")]
    indexes = simple_attackers(people, [], None)
    for place, person in enumerate(people):
        texts = ("the smith of [TOWN]", f"the smith of {person.fields['town']}")
        assert place in put_first(indexes, "d", texts, 1)
        assert put_first(indexes, "d", texts[:1], 1) == put_first(indexes, "d", texts[:1] * 2, 1)


def test_the_shortlist_counts_the_text_as_released_and_as_filled(
    folder: Path, attack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [json.loads(line) for line in (attack / "people.jsonl").read_text(encoding="utf-8").splitlines()]
    one, other = (" ".join(people[place]["fields"].values()) for place in (3, 30))
    write_rows(attack / "documents.jsonl", [{"id": "d", "text": f"{one} [MASK]"}])
    monkeypatch.setattr("unname.verbs.guess.run.infilled", lambda model, text: other)
    (found,) = guesses(attack, language_model=folder, top=2, infill=True)
    assert {name for name, _ in found["person"]} == {people[3]["id"], people[30]["id"]}


def test_a_text_without_placeholders_is_guessed_the_same_with_blanks_filled(folder: Path, attack: Path) -> None:
    plain = guesses(attack, language_model=folder, sample=5, top=6)
    assert plain == guesses(attack, language_model=folder, sample=5, top=6, infill=True)


def test_the_command_fills_blanks_and_guesses_from_what_was_written(folder: Path, attack: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (attack / "documents.jsonl").read_text(encoding="utf-8").splitlines()]
    hidden = [{**row, "text": re.sub(r"\w{5,}", "[MASK]", row["text"])} for row in rows]
    write_rows(attack / "documents.jsonl", hidden)
    words = ["guess", str(attack), "--language-model", str(folder), "--sample", "6", "--top", "5", "--infill"]
    for out in ("one.jsonl", "other.jsonl"):
        assert run([*words, "--out", str(tmp_path / out)]) == 0
    written = (tmp_path / "one.jsonl").read_text(encoding="utf-8")
    assert written == (tmp_path / "other.jsonl").read_text(encoding="utf-8")
    found = [json.loads(line) for line in written.splitlines()]
    model, texts = LanguageModel(folder), {row["id"]: row["text"] for row in hidden}
    people = {row["id"]: Profile(**row) for row in map(json.loads, (attack / "people.jsonl").open(encoding="utf-8"))}
    assert len(found) == 6
    for row in found:
        chosen = [people[name] for name, _ in row["person"]]
        for text, same in ((infilled(model, texts[row["id"]]), True), (texts[row["id"]], False)):
            assert (row["person"] == [list(pair) for pair in guess(model, text, chosen)]) == same


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
