"""WikiBio: infoboxes become profiles, what their articles begin with documents, line by line."""

import json
import tarfile
from pathlib import Path

import pytest

from unname.errors import InputError
from unname.storage.documents import Columns, iter_documents, read_corpus
from unname.storage.faults import Faults
from unname.storage.people import read_profiles
from unname.types import Document, Profile

BOX = "name_1:ada\tname_2:byron\timage:<none>\tborn_1:10:15\tdeath_date_1:27\n\nname:bob\tx_1:<none>\tname_1:b\n"


def part(folder: Path, name: str = "train", **files: str) -> Path:
    for ending, content in files.items():
        (folder / f"{name}.{ending}").write_bytes(content.encode())
    return folder


def test_boxes_are_profiles_with_the_ids_of_their_documents(tmp_path: Path) -> None:
    part(tmp_path, box=BOX, summary="ada was .\n\nbob is .\n")
    fields = [{"name": "ada byron", "born": "10:15", "death_date": "27"}, {}, {"name": "bob b"}]
    assert read_profiles(tmp_path / "train.box") == [Profile(f"train-{i}", f) for i, f in enumerate(fields, start=1)]
    texts = ["ada was .", "", "bob is ."]
    wanted = [Document(f"train-{i}", text, f"train-{i}", "train") for i, text in enumerate(texts, start=1)]
    assert (
        read_corpus(tmp_path)
        == read_corpus(tmp_path / "train.summary")
        == read_corpus(tmp_path / "train.box")
        == wanted
    )


def test_sentences_ids_and_titles_are_taken_where_they_are_told(tmp_path: Path) -> None:
    part(
        tmp_path, box=BOX, sent="ada was .\nshe sat .\nbob is .\n", nb="2\n0\n1\n", id="77\n8\n9\n", title="a b\nx\ny\n"
    )
    part(tmp_path, "valid", summary="one\n")
    one, two, three, four = read_corpus(tmp_path)
    assert one == Document("77", "ada was . she sat .", "77", "train", metadata={"title": "a b", "sentences": "0 10"})
    assert (two.id, two.text, three.text, four.id, four.split) == ("8", "", "bob is .", "valid-1", "valid")
    assert [p.id for p in read_profiles(tmp_path / "train.box")] == ["77", "8", "9"]


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"box": BOX}, "has no text"),
        ({"box": BOX, "sent": "a\n"}, "has no text"),
        ({"box": BOX, "summary": "a\nb\n"}, "different numbers of lines"),
        ({"sent": "a\nb\n", "nb": "1\n"}, "more lines than"),
        ({"sent": "a\n", "nb": "1\n1\n"}, "fewer lines than"),
        ({"sent": "a\n", "nb": "Canarybird\n"}, "no number of sentences"),
        ({"sent": "a\n", "nb": "99999\n"}, "no number of sentences"),
    ],
)
def test_files_that_do_not_go_together_are_refused(files: dict[str, str], problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=problem) as caught:
        read_corpus(part(tmp_path, **files), "wikibio")
    assert "Canarybird" not in str(caught.value)


def test_bad_lines_are_faults_of_their_articles_alone(tmp_path: Path) -> None:
    (tmp_path / "t.summary").write_bytes(b"a\n\xff\nc\n")
    faults = Faults(tmp_path)
    assert [n for n, _ in iter_documents(tmp_path, Columns(format="wikibio"), faults=faults)] == [1, 3]
    assert faults.bad_records == [(2, "", "not UTF-8")]
    (tmp_path / "t.box").write_bytes(b"a_1:x\nCanarybird\n\xff\n")
    with pytest.raises(InputError, match=r"record 2: must be key:token.*\n.*record 3: not UTF-8") as caught:
        read_profiles(tmp_path / "t.box")
    assert "Canarybird" not in str(caught.value)


def test_the_real_sample_is_read_as_its_own_parsed_copy_has_it(data: Path, tmp_path: Path) -> None:
    with tarfile.open(data / "wikibio300.tar.gz") as files:
        files.extractall(tmp_path, filter="data")
    folder = tmp_path / "wikibio300"
    rows = [json.loads(line) for line in (folder / "wikibio_300_parsed.jsonl").read_text("utf-8").splitlines()]
    documents = read_corpus(data / "wikibio300.tar.gz")
    assert len(documents) == 300 and documents == read_corpus(folder, "wikibio")
    for name in ("train", "valid", "test"):
        wanted = [row for row in rows if row["split"] == name]
        assert [d.text for d in documents if d.split == name] == [row["first_sentence"] for row in wanted]
        profiles = read_profiles(folder / f"{name}.box")
        assert [dict(p.fields) for p in profiles] == [row["profile"] for row in wanted]
        assert [p.id for p in profiles] == [d.person for d in documents if d.split == name]
