"""C10: what is trusted is bound: cards to weights, arrays to hashes, a held release to the key. Anything else is refused."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from promise_support import FAST, Canaries, Files, json_rows

from unname.apps import cli
from unname.job import Deidentification, make_job
from unname.storage.manifest import file_hash
from unname.verbs.deidentify.files import deidentify_files

# --- an index


def zeroed(path: Path) -> None:
    np.save(path, np.zeros_like(np.load(path)))


def reordered(path: Path) -> None:
    np.save(path, np.load(path)[::-1].copy())


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def with_its_hash(spoil: Callable[[Path], None]) -> Callable[[Path], None]:
    """The same by somebody who changes the hash as well."""

    def spoiled(path: Path) -> None:
        spoil(path)
        about = json.loads((path.parent / "graph.json").read_text())
        about["arrays"][path.stem] = file_hash(path)
        (path.parent / "graph.json").write_text(json.dumps(about))

    return spoiled


@pytest.mark.parametrize("array", ["first", "keys", "letters", "postings", "reach"])
@pytest.mark.parametrize(
    "spoil", [zeroed, reordered, a_pipe, with_its_hash(zeroed), with_its_hash(reordered)],
    ids=["zeroed", "reordered", "a pipe", "zeroed, with its hash", "reordered, with its hash"],
)  # fmt: skip
def test_an_index_that_was_changed_labels_nothing(
    canaries: Canaries, tmp_path: Path, spoil: Callable[[Path], None], array: str
) -> None:
    assert cli.run(canaries.index(tmp_path / "index")) == 0
    spoil(tmp_path / "index" / f"{array}.npy")
    arguments = ["label", str(canaries.files.documents), "--graph", str(tmp_path / "index"), "--out"]
    assert cli.run([*arguments, str(tmp_path / "labels.jsonl")]) == 1
    assert not (tmp_path / "labels.jsonl").exists()


# --- a privacy card


def test_a_forged_card_is_refused_and_a_well_forged_one_is_not_believed(
    canaries: Canaries, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torch = pytest.importorskip("torch")
    from unname.sharing.card import ALIGNED, PAIRS, Attack, Card
    from unname.sharing.representer import PrivateRepresenter
    from unname.sharing.settings import Limits, RepresentationSettings
    from unname.sharing.training import make_representer
    from unname.taggers.lstm.reading import key

    gold = Path(canaries.evaluate()[4])
    words = sorted({key(word) for row in json_rows(gold) for word in row["text"].split() if word.isalnum()})
    vectors = np.random.default_rng(0).normal(size=(len(words), 8)).astype(np.float32)
    settings = RepresentationSettings(width=8, noise=3.0)
    holder = PrivateRepresenter(
        tuple(words), make_representer(vectors, settings), ("O", "B-NAME", "I-NAME"), settings, bytes(32)
    )
    nothing_found = (Attack(PAIRS, 0.5, 0.5, 5000, 0.0), Attack(f"{ALIGNED}, 1000 known", 0.1, 0.1, 5000, 0.0))
    card = Card(nothing_found, Limits(), 1.0, neighbours=5, epochs=50, told=0.01, weights=holder.weights)
    with torch.no_grad():
        for noise in (holder.network.noise_in, holder.network.noise_out):
            noise.scale.fill_(-8.0)
    for name, weights in (("forged", card.weights), ("well", holder.weights)):
        replace(holder, card=replace(card, weights=weights).as_dict()).save(tmp_path / name)
    arguments = ["share", "represent", str(gold), "--attack-epochs", "1", "--out", str(tmp_path / "x"), "--representer"]
    assert cli.run([*arguments, str(tmp_path / "forged")]) == 1
    assert "not of these weights" in capsys.readouterr().err
    assert cli.run([*arguments, str(tmp_path / "well")]) == 4
    said = capsys.readouterr().err
    assert "a vector may tell" in said and "the pair adversary may be right" in said
    assert cli.run([*arguments, str(tmp_path / "well"), "--most-told", "10000"]) == 4
    assert not (tmp_path / "x").exists()


# --- a held release


def test_a_held_release_that_was_edited_with_its_manifest_does_not_go(town_files: Files, tmp_path: Path) -> None:
    held = deidentify_files(make_job(
        town_files.documents, town_files.people, tmp_path / "out", attackers=FAST,
        masking=Deidentification(k=3, method="none"),
    ))  # fmt: skip
    assert held.held
    held.documents.write_bytes(held.documents.read_bytes().replace(b'"text":"', b'"text":"Ada Lovelace. ', 1))
    manifest = json.loads((held.folder / "manifest.json").read_text())
    manifest["files"]["documents.jsonl"] = file_hash(held.documents)
    (held.folder / "manifest.json").write_text(json.dumps(manifest))
    assert cli.run(["release", str(held.private), "--accept-risk", "the board"]) == 5
    assert not (tmp_path / "out").exists()
