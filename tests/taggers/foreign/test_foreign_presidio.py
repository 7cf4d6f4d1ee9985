"""`presidio`: skipped where Presidio, or any pipeline of spaCy, is not installed."""

import pickle
import subprocess
import sys

import pytest

from unname.errors import ModelError, TaggingError
from unname.taggers.foreign import presidio
from unname.taggers.foreign.presidio import PresidioTagger, pipelines
from unname.testing import check_tagger

presidio_analyzer = pytest.importorskip("presidio_analyzer")
if "en" not in pipelines():
    pytest.skip("no English pipeline of spaCy is installed", allow_module_level=True)
ENGLISH = "Dr Anna Weiss, card 4111111111111111, wrote from anna@weiss.example.org."


def test_it_finds_what_presidio_finds_in_our_words() -> None:
    tagger = PresidioTagger("en")
    (found,) = tagger.tag([ENGLISH])
    said = {(ENGLISH[s.start : s.end], s.label) for s in found}
    assert {("Anna Weiss", "NAME"), ("4111111111111111", "ID")} <= said
    assert any(s.label == "CONTACT" and "weiss" in ENGLISH[s.start : s.end] for s in found)
    assert {"NAME", "ID", "CONTACT", "PLACE"} <= tagger.labels and len(tagger.folders) == 1
    assert {"presidio-analyzer", "spacy", "model", "name"} == set(tagger.about())


def test_without_a_language_each_text_is_read_in_its_own() -> None:
    tagger = PresidioTagger()
    assert tagger.tag([ENGLISH]) == PresidioTagger("en").tag([ENGLISH])
    there = pipelines()
    assert tagger._languages("the cat is on the mat and it was", there) == ["en"]
    if "fr" in there:
        french = "Madame Claire Dupont est venue avec son frère Paul et la mère de celui-ci."
        assert tagger._languages(french, there) == ["fr"]
        assert "Claire Dupont" in {french[s.start : s.end] for s in tagger.tag([french])[0]}


def test_a_text_in_a_language_without_a_pipeline_is_withheld_where_several_have_one() -> None:
    if len(pipelines()) < 2 or "de" in pipelines():
        pytest.skip("needs pipelines of two languages, and none of German")
    german = "Das ist der Brief, den die Frau an den Mann in der Stadt und nicht an mich geschrieben hat."
    with pytest.raises(TaggingError, match="no pipeline") as raised:
        PresidioTagger().tag([german])
    assert "Brief" not in str(raised.value)


def test_it_reads_long_texts_to_the_end_and_passes_the_suite() -> None:
    text = "Nobody was there. " * 1500 + ENGLISH
    (found,) = PresidioTagger("en").tag([text])
    assert any("Anna Weiss" in text[s.start : s.end] and s.start > 27_000 for s in found)
    check_tagger(PresidioTagger("en"))
    assert pickle.loads(pickle.dumps(PresidioTagger("en"))) == PresidioTagger("en")  # noqa: S301 (our own bytes)


def test_a_language_without_a_pipeline_is_an_error_that_names_those_with_one() -> None:
    with pytest.raises(ModelError, match=r"have one: .*en"):
        PresidioTagger("xx").load()


def test_a_pattern_that_presidio_gives_up_withholds_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presidio skips it with a line in its log and goes on, as if nothing had been found."""
    made = presidio.engine((("en", pipelines()["en"]),))
    slow = presidio_analyzer.PatternRecognizer(
        "SLOW", patterns=[presidio_analyzer.Pattern("slow", r"(?:(?:x|xx)+)+$", 0.5)], supported_language="en"
    )
    monkeypatch.setattr(presidio_analyzer.pattern_recognizer, "REGEX_TIMEOUT_SECONDS", 0.2)
    made.registry.add_recognizer(slow)
    try:
        with pytest.raises(TaggingError, match="left out"):
            PresidioTagger("en").tag(["x" * 60 + "y"])
    finally:
        made.registry.remove_recognizer(slow.name)


GUARD = """
import os, sys
def refuse(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        os._exit(99)
sys.addaudithook(refuse)
from unname.taggers.foreign.presidio import PresidioTagger
found = PresidioTagger("en").tag(["Anna Weiss, anna@weiss.co.uk, https://weiss.co.uk"])
assert found[0]
"""


def test_it_asks_no_network() -> None:
    done = subprocess.run([sys.executable, "-c", GUARD], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
