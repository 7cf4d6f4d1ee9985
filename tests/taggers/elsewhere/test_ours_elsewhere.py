"""Our taggers as a component of spaCy and a recogniser of Presidio; skipped where these are not installed."""

from pathlib import Path

import pytest

from unname.errors import SettingsError, TaggingTimeoutError
from unname.taggers.elsewhere.ours import labels_of_all, our_taggers, spans_of_all
from unname.taggers.entities.tagger import Entities
from unname.taggers.rules.tagger import Rules

TEXT = "Seen by Dr. Ada Byron on 3 May 1985; MRN 1234567, ada@byron.example.org."


def test_the_named_taggers_of_ours_are_asked() -> None:
    rules, entities = our_taggers()
    assert rules == Rules() and "EMAIL" in labels_of_all([rules]) and entities == Entities()
    assert [s.label for s in spans_of_all([rules], TEXT)] == ["NAME", "DATE", "RECORD", "EMAIL"]
    with pytest.raises(SettingsError):
        our_taggers(("none",))


def test_the_component_of_spacy_writes_spans_and_entities(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([
        {"label": "PERSON", "pattern": "Ada"}, {"label": "ORG", "pattern": "example.org."}, {"label": "X", "pattern": "Seen"}
    ])  # fmt: skip
    nlp.add_pipe("unname")
    doc = nlp(TEXT)
    assert [(s.text, s.label_) for s in doc.spans["unname"]][:2] == [("Ada Byron", "NAME"), ("3 May 1985", "DATE")]
    assert {"NAME", "DATE", "RECORD", "EMAIL", "X"} == {s.label_ for s in doc.ents}
    nlp.to_disk(tmp_path / "kept")
    assert [s.text for s in spacy.load(tmp_path / "kept")(TEXT).ents] == [s.text for s in doc.ents]
    apart = spacy.blank("en")
    apart.add_pipe("unname", config={"ents": False, "key": "ours"})
    doc = apart(TEXT)
    assert not doc.ents and len(doc.spans["ours"]) == 4 and len(apart("")) == 0


def test_a_text_that_no_tagger_reads_is_an_error_in_spacy_too(monkeypatch: pytest.MonkeyPatch) -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("unname")

    def late(self: Rules, texts: object) -> object:
        raise TaggingTimeoutError("late")

    monkeypatch.setattr(Rules, "tag", late)
    with pytest.raises(TaggingTimeoutError):
        nlp(TEXT)


def test_the_recogniser_of_presidio_says_it_in_presidios_words() -> None:
    presidio = pytest.importorskip("presidio_analyzer")
    from unname.taggers.elsewhere.presidio_recogniser import UnnameRecogniser

    made = UnnameRecogniser(names={"RECORD": "MEDICAL_RECORD"})
    assert {"PERSON", "EMAIL_ADDRESS", "MEDICAL_RECORD"} <= set(made.supported_entities)
    results = made.analyze(TEXT, made.supported_entities)
    assert {(TEXT[r.start : r.end], r.entity_type) for r in results} >= {
        ("Ada Byron", "PERSON"),
        ("1234567", "MEDICAL_RECORD"),
    }
    assert made.analyze(TEXT, ["PERSON"])[0].entity_type == "PERSON" and len(made.analyze(TEXT, ["PERSON"])) == 1
    from unname.taggers.foreign.presidio import pipelines

    if "en" not in pipelines():
        pytest.skip("no English pipeline of spaCy is installed")
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    usual = NlpEngineProvider().nlp_configuration
    models = [{"lang_code": "en", "model_name": pipelines()["en"]}]
    engine = NlpEngineProvider(nlp_configuration={**usual, "models": models}).create_engine()
    analyzer = presidio.AnalyzerEngine(nlp_engine=engine)
    analyzer.registry.add_recognizer(UnnameRecogniser())
    said = {(TEXT[r.start : r.end], r.entity_type) for r in analyzer.analyze(TEXT, language="en")}
    assert {("1234567", "RECORD"), ("Ada Byron", "PERSON")} <= said
