"""Taggers in turn as one tagger: what it finds, how it is kept, what is refused."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import pytest

from unname.errors import ModelError, SettingsError
from unname.storage.documents import Document
from unname.taggers.chain import Chain
from unname.taggers.labels import labels_of
from unname.taggers.linear.crf import Crf
from unname.taggers.linear.crfsuite import CrfSettings
from unname.taggers.linear.svm import Svm
from unname.taggers.models import load_tagger, split_taggers, trainable
from unname.testing import check_tagger, sample_notes
from unname.types import Span

NOTES = sample_notes()


@dataclass(frozen=True)
class Word:
    """A tagger that finds one word wherever it stands."""

    word: str
    name: str = "word.v1"

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        found = []
        for text in texts:
            at = text.find(self.word)
            found.append([] if at < 0 else [Span(at, at + len(self.word), "WORD")])
        return found


def of_label(label: str) -> list[Document]:
    return [replace(note, spans=tuple(s for s in note.spans if s.label == label)) for note in NOTES]


@pytest.fixture(scope="module")
def chain() -> Chain:
    """A CRF that found names, then an SVM that found dates."""
    return Chain(
        (Crf(CrfSettings(passes=15)).fit(of_label("NAME")), Svm().fit(of_label("DATE"))), {"loss": 10.0, "turns": []}
    )


def test_it_passes_the_suite(chain: Chain) -> None:
    check_tagger(lambda: chain)
    check_tagger(Chain)


def test_each_link_reads_what_those_before_it_left() -> None:
    chain = Chain((Word("Ana"), Word("WORD"), Word("Ruiz")))
    # The second finds the word in the placeholder of the first, which is nothing.
    assert chain.tag(["Ana Ruiz Ana", "x"]) == [[Span(0, 3, "WORD"), Span(4, 8, "WORD")], []]


def test_it_finds_what_its_links_were_taught(chain: Chain) -> None:
    found = chain.tag([note.text for note in NOTES])
    for note, spans in zip(NOTES, found, strict=True):
        meant = {(s.start, s.end, s.label) for s in note.spans if s.label in ("NAME", "DATE")}
        assert {(s.start, s.end, s.label) for s in spans} == meant
    assert labels_of(chain) == {"NAME", "DATE"}


def test_it_is_kept_in_a_folder_that_only_its_owner_can_read(chain: Chain, tmp_path: Path) -> None:
    chain.save(tmp_path / "m")
    kept = load_tagger(tmp_path / "m")
    assert isinstance(kept, Chain)
    assert kept.about == chain.about
    assert kept.tag([NOTES[0].text]) == chain.tag([NOTES[0].text])
    assert (tmp_path / "m").stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "m").rglob("*"))
    assert split_taggers([str(tmp_path / "m")]) == ((), (tmp_path / "m",))
    chain.save(tmp_path / "m", replace=True)


def test_a_chain_of_nobody_finds_nothing_and_can_be_kept(tmp_path: Path) -> None:
    Chain().save(tmp_path / "m")
    assert load_tagger(tmp_path / "m").tag(["Ana"]) == [[]]


def test_links_that_cannot_be_kept_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="links that can be kept"):
        Chain((Word("Ana"),)).save(tmp_path / "m")
    assert not list(tmp_path.iterdir())


def tampered(folder: Path, how: str, tmp_path: Path) -> None:
    about = folder / "model.json"
    if how == "a link gone":
        shutil.rmtree(folder / "links" / "2")
    elif how == "a link more":
        shutil.copytree(folder / "links" / "1", folder / "links" / "3")
    elif how == "links changed places":
        for old, new in (("1", "x"), ("2", "1"), ("x", "2")):
            (folder / "links" / old).rename(folder / "links" / new)
    elif how == "a chain as a link":
        inner = tmp_path / "inner"
        Chain().save(inner)
        shutil.rmtree(folder / "links" / "2")
        inner.rename(folder / "links" / "2")
    elif how == "a file more":
        (folder / "notes.txt").write_text("x")
    elif how == "a link that does not learn":
        link = folder / "links" / "1" / "model.json"
        link.write_text('{"name": "rules.v1"}')
        said = json.loads(about.read_text())
        said["links"][0] = sha256(link.read_bytes()).hexdigest()
        about.write_text(json.dumps(said))
    elif how == "very many links":
        said = json.loads(about.read_text())
        said["links"] = ["x"] * 100_000
        about.write_text(json.dumps(said))
    elif how == "a pickle":
        (folder / "links" / "1" / "model.pkl").write_bytes(b"x")
    elif how == "weights changed":
        path = folder / "links" / "1" / "weights.safetensors"
        path.write_bytes(path.read_bytes()[:-1] + bytes([path.read_bytes()[-1] ^ 1]))
    else:
        said = json.loads(about.read_text())
        if how == "links no list":
            said["links"] = "1"
        elif how == "about no table":
            said["about"] = []
        elif how == "another format":
            said["format"] = "unname-chain.v2"
        about.write_text(json.dumps(said))


@pytest.mark.parametrize(
    "how",
    [
        "a link gone", "a link more", "links changed places", "a chain as a link", "a pickle", "weights changed",
        "links no list", "about no table", "another format", "a file more", "a link that does not learn", "very many links",
    ],
)  # fmt: skip
def test_a_folder_that_is_off_is_refused(chain: Chain, tmp_path: Path, how: str) -> None:
    chain.save(tmp_path / "m")
    tampered(tmp_path / "m", how, tmp_path)
    with pytest.raises(ModelError):
        load_tagger(tmp_path / "m")


def test_a_chain_cannot_be_trained_by_name() -> None:
    with pytest.raises(SettingsError, match="unname sanitize"):
        trainable("chain")
    with pytest.raises(SettingsError, match="has to learn first"):
        split_taggers(["chain"])
