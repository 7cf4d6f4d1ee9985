"""Pseudonyms as files: what is read, what is written, what is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unname.apps import cli
from unname.errors import InputError, SettingsError, StateError
from unname.sharing.settings import Pseudonymising
from unname.storage.documents import read_documents
from unname.taggers.linear.svm import Svm
from unname.taggers.lstm.reading import key
from unname.taggers.reading import read
from unname.testing import sample_notes
from unname.verbs.share.options import Pseudonyms
from unname.verbs.share.pseudonymise import pseudonymise_files

NOTES = sample_notes()


def write(path: Path, notes: list[Any], *, marked: bool = True) -> Path:
    rows = [
        {"id": d.id, "text": d.text, "split": "train" if int(d.id) % 2 else "dev", "person": f"p{d.id}",
         "spans": [{"start": s.start, "end": s.end, "label": s.label} for s in d.spans] if marked else []}
        for d in notes
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write(tmp_path / "notes.jsonl", NOTES)


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """Vectors of all words of the notes, as a text file: names near names."""
    random, words = np.random.default_rng(0), dict[str, int]()
    for note in NOTES:
        reading = read(note.text)
        for token, label in zip(reading.tokens, reading.gold(note.spans), strict=True):
            words.setdefault(key(reading.normalised.text[token.start : token.end]), sum(map(ord, label[2:])) % 1000)
    middles = {kind: random.normal(size=6) for kind in set(words.values())}
    lines = [
        f"{w} " + " ".join(f"{x:.4f}" for x in middles[k] + 0.05 * random.normal(size=6)) for w, k in words.items()
    ]
    path = tmp_path / "vectors.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_sentences_with_pseudonyms_teach_a_tagger_about_as_well(corpus: Path, vectors: Path, tmp_path: Path) -> None:
    out = tmp_path / "shared.jsonl"
    made = pseudonymise_files(corpus, out, Pseudonyms(Pseudonymising(5), word_vectors=vectors))
    shared = read_documents(out)
    assert len(shared) == made.texts > len(NOTES)
    assert made.linkage
    assert {d.split for d in shared} == {"train", "dev"}
    assert {d.person for d in shared} == {None}
    dates = {n.text[s.start : s.end] for n in NOTES for s in n.spans if s.label == "DATE"}
    text = "\n".join(d.text for d in shared)
    assert not any(date in text for date in dates)
    tagger = Svm().fit([d for d in shared if d.split == "train"])
    asked = [n for n in NOTES if not int(n.id) % 2]
    right = sum(
        (s.start, s.end, s.label) in {(g.start, g.end, g.label) for g in n.spans}
        for n, spans in zip(asked, tagger.tag([n.text for n in asked]), strict=True) for s in spans
    )  # fmt: skip
    assert right > 0.6 * sum(len(n.spans) for n in asked)


def test_texts_of_others_teach_what_words_are_like(corpus: Path, tmp_path: Path) -> None:
    others = write(tmp_path / "others.jsonl", NOTES[:3], marked=False)
    with pytest.raises(SettingsError, match="among those that teach"):
        pseudonymise_files(corpus, tmp_path / "a.jsonl", Pseudonyms(vectors_from=others))
    rows = [{"id": str(n), "text": f"Seen for chest pain, walked home well. Name: Cyd. {n % 3}"} for n in range(9)]
    others.write_text("".join(json.dumps(row) + "\n" for row in rows))
    made = pseudonymise_files(
        corpus, tmp_path / "a.jsonl", Pseudonyms(Pseudonymising(coherent=True), vectors_from=others)
    )
    assert made.texts == len(NOTES)
    assert made.unknown > 0
    assert made.linkage is None


@pytest.mark.parametrize(
    "changed",
    [lambda text: f"{text} ", lambda text: text.upper(), lambda text: text.replace(" ", "  ").replace(".", " ."),
     lambda text: text[: len(text) // 2], lambda text: f"Some other text. {text} And what was said after it. " * 3],
    ids=["a blank", "capitals", "spacing", "a half", "within another"],
)  # fmt: skip
def test_texts_that_say_what_is_to_be_shared_teach_no_words_however_they_are_written(
    corpus: Path, tmp_path: Path, changed: Callable[[str], str]
) -> None:
    rows = [{"id": note.id, "text": changed(note.text)} for note in NOTES[:3]]
    others = tmp_path / "others.jsonl"
    others.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(SettingsError, match="among those that teach"):
        pseudonymise_files(corpus, tmp_path / "a.jsonl", Pseudonyms(vectors_from=others))
    assert not (tmp_path / "a.jsonl").exists()


def test_nothing_is_written_that_holds_an_identifier_of_its_own_document(
    corpus: Path, vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unname.sharing.pseudonymise._Maker._is_own", lambda *_: False)
    args = ["share", "pseudonymise", str(corpus), "--word-vectors", str(vectors), "--neighbours", "40", "--coherent"]
    assert cli.run([*args, "--out", str(tmp_path / "a.jsonl")]) == 4
    assert not (tmp_path / "a.jsonl").exists()


def test_a_key_decides_the_draws_and_without_one_they_are_fresh(corpus: Path, vectors: Path, tmp_path: Path) -> None:
    secret = tmp_path / "key"
    secret.write_text("ab" * 32)
    secret.chmod(0o600)
    for name, given in (("a", secret), ("b", secret), ("c", None), ("d", None)):
        pseudonymise_files(corpus, tmp_path / name, Pseudonyms(Pseudonymising(9), word_vectors=vectors, key=given))
    one, same, *others = [(tmp_path / name).read_text() for name in "abcd"]
    assert one == same
    assert len({one, *others}) == 3


@pytest.mark.parametrize(
    "how, error",
    [
        ({}, SettingsError), ({"word_vectors": "v", "vectors_from": "v"}, SettingsError),
        ({"word_vectors": "v", "split": "nosuch"}, InputError), ({"word_vectors": "v", "labels": ("NOSUCH",)}, InputError),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_told_and_nothing_written(
    corpus: Path, vectors: Path, tmp_path: Path, how: dict[str, Any], error: type[Exception]
) -> None:
    given = {name: vectors if value == "v" else value for name, value in how.items()}
    with pytest.raises(error):
        pseudonymise_files(corpus, tmp_path / "out.jsonl", Pseudonyms(**given))
    assert not (tmp_path / "out.jsonl").exists()


def test_the_command_says_what_it_did_and_what_it_did_not(
    corpus: Path, vectors: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "shared.jsonl"
    command = ["share", "pseudonymise", str(corpus), "--word-vectors", str(vectors), "--out", str(out)]
    assert cli.run([*command, "--labels", "NAME", "--neighbours", "6"]) == 0
    said = capsys.readouterr().out
    assert "tokens of identifiers" in said
    assert "read a sample" in said
    assert cli.run(command) == 5
    with pytest.raises(StateError):
        pseudonymise_files(corpus, out, Pseudonyms(word_vectors=vectors))
    out.unlink()
    assert cli.run([*command, "--as-published", "--coherent"]) == 0
