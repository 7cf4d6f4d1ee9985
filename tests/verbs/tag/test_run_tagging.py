"""Taggers as files: train one, tag with it, score what it found, hide people with it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from made_settings import by_rules

from unname.apps import cli
from unname.errors import InputError, ModelError, SettingsError, StateError, TaggingTimeoutError
from unname.inputs.annotated import read_gold
from unname.job import make_job
from unname.knowledge.fictional import fictional_town
from unname.knowledge.population import Population
from unname.protecting.parts import Fitted
from unname.reidentifiers.models import load_models
from unname.storage.formats import write_corpus
from unname.taggers.models import load_tagger, make_taggers, split_taggers
from unname.taggers.rules.tagger import Rules
from unname.taggers.vote import Vote
from unname.testing import sample_notes
from unname.types import Document, Span
from unname.verbs.deidentify.files import deidentify_files
from unname.verbs.deidentify.in_memory import deidentify
from unname.verbs.evaluate.options import ErrorPage, Scoring
from unname.verbs.evaluate.run import evaluate_files
from unname.verbs.tag.run import tag_files
from unname.verbs.train.options import TaggerTraining
from unname.verbs.train.tagger import train_tagger_files

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

NOTES = sample_notes()
KEY = bytes(range(32))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up notes as a table: three quarters to learn from, the rest to try."""
    path = tmp_path_factory.mktemp("corpus") / "notes.jsonl"
    rows = [
        {"id": d.id, "text": d.text, "split": "train" if i < 24 else "test",
         "spans": [{"start": s.start, "end": s.end, "label": s.label} for s in d.spans]}
        for i, d in enumerate(NOTES)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def crf(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CRF that learned the notes of the split `train`."""
    out = tmp_path_factory.mktemp("model") / "crf"
    train_tagger_files(corpus, out, TaggerTraining(kind="crf", split="train"))
    return out


def found_in(path: Path) -> dict[str, list[Span]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["id"]: [Span(s["start"], s["end"], s["label"]) for s in row["spans"]] for row in rows}


def test_a_trained_tagger_finds_what_it_learned_and_its_output_can_be_scored(
    corpus: Path, crf: Path, tmp_path: Path
) -> None:
    out = tmp_path / "found.jsonl"
    assert tag_files(corpus, out, taggers=make_taggers((), (crf,)), split="test") == 8
    assert out.stat().st_mode & 0o077 == 0, "what is found is for the owner alone"
    assert found_in(out) == {
        d.id: s for d, s in zip(NOTES[24:], load_tagger(crf).tag([d.text for d in NOTES[24:]]), strict=True)
    }
    scores = evaluate_files(out, corpus, scoring=Scoring(split="test")).scores[0].total
    assert scores.f1.value > 0.9


def test_votes_decide_what_several_taggers_find(corpus: Path, crf: Path, tmp_path: Path) -> None:
    taggers = make_taggers(("rules",), (crf,))
    texts = {d.id: d.text for d in NOTES[24:]}
    for votes in (1, 2):
        out = tmp_path / f"{votes}.jsonl"
        tag_files(corpus, out, taggers=taggers, votes=votes, split="test")
        expected = Vote(taggers, votes).tag(list(texts.values()))
        assert found_in(out) == dict(zip(texts, expected, strict=True))
    assert sum(map(len, found_in(tmp_path / "2.jsonl").values())) < sum(
        map(len, found_in(tmp_path / "1.jsonl").values())
    )
    with pytest.raises(SettingsError, match="quorum"):
        tag_files(corpus, tmp_path / "3.jsonl", taggers=taggers, votes=3, split="test")


def test_the_command_line_trains_tags_and_scores(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: object) -> int:
        return cli.run([str(word) for word in words])

    model, found = tmp_path / "model", tmp_path / "found.jsonl"
    assert (
        run("train", "tagger", corpus, "--kind", "svm", "--split", "train", "--out", model, "--labels", "direct") == 0
    )
    assert run("tag", corpus, "--tagger", model, "--split", "test", "--out", found) == 0
    assert run("evaluate", found, "--gold", corpus, "--split", "test", "--labels", "NAME") == 0
    assert "error" not in capsys.readouterr().err
    assert {s.label for spans in found_in(found).values() for s in spans} == {"NAME"}, "only names were to be learned"
    assert run("tag", corpus, "--tagger", model, "--out", found) == 5, "the output exists"
    assert run("train", "tagger", corpus, "--out", model) == 5, "the model exists"
    assert run("train", "tagger", corpus, "--out", tmp_path / "x", "--encoder", "hub:a/b") == 2, "a crf has no encoder"
    assert run("train", "tagger", corpus, "--out", tmp_path / "x", "--split", "nowhere") == 1
    assert run("tag", corpus, "--tagger", "crf", "--out", tmp_path / "y.jsonl") == 2, "a crf has to learn first"
    assert not (tmp_path / "x").exists() and not (tmp_path / "y.jsonl").exists()


def test_spans_without_a_label_or_of_an_unknown_kind_teach_nothing(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for more, said in (
        ({"label": ""}, "label is missing"),
        ({"kind": "no-mask"}, "kind must be direct, quasi, no_mask"),
    ):
        rows = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
        rows[2]["spans"][1] |= more
        bad = tmp_path / "bad.jsonl"
        bad.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        assert cli.run(["train", "tagger", str(bad), "--out", str(tmp_path / "model")]) == 1
        told = " ".join(capsys.readouterr().err.split())
        assert f"record 3: field 'spans': span 2: {said}" in told and not (tmp_path / "model").exists()


def test_the_format_of_a_corpus_is_told_from_its_files(crf: Path, tmp_path: Path) -> None:
    write_corpus(tmp_path / "brat", NOTES[24:], format="brat")
    write_corpus(tmp_path / "xml", NOTES[24:], format="i2b2")
    found = []
    for name in ("brat", "xml"):
        tag_files(tmp_path / name, tmp_path / f"{name}.jsonl", taggers=make_taggers((), (crf,)))
        found.append(found_in(tmp_path / f"{name}.jsonl"))
    assert found[0] == found[1] and sum(map(len, found[0].values())) > 20
    assert evaluate_files(tmp_path / "brat.jsonl", tmp_path / "xml").scores[0].total.f1.value > 0.9


def test_lists_of_phrases_are_for_the_rules(tmp_path: Path) -> None:
    (tmp_path / "mills").write_text("Old Mill\n", encoding="utf-8")
    (tmp_path / "allow").write_text("3 May 1990\n", encoding="utf-8")
    text = "On 3 May 1990 and 4 May 1990 at the old mill"
    (rules,) = make_taggers(("rules",), gazetteers=[("MILL", tmp_path / "mills")], allow=tmp_path / "allow")
    assert [(text[s.start : s.end], s.label) for s in rules.tag([text])[0]] == [
        ("4 May 1990", "DATE"),
        ("old mill", "MILL"),
    ]
    with pytest.raises(SettingsError, match="rules"):
        make_taggers((), allow=tmp_path / "allow")


def test_taggers_are_named_or_are_folders(crf: Path) -> None:
    assert split_taggers(["rules", str(crf), "none"]) == (("rules",), (crf,))
    with pytest.raises(SettingsError, match="learn first"):
        split_taggers(["lstm-crf"])
    for name in ("nonsense", "./nonsense"):
        with pytest.raises(SettingsError, match=r"name 2 is neither a folder that is there nor .* rules") as told:
            split_taggers(["rules", name])
        assert "nonsense" not in str(told.value)


def test_a_folder_that_is_called_like_its_kind_is_taken_where_it_holds_a_model(
    crf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(crf.parent)
    assert crf.name == "crf" and split_taggers(["crf", "./crf"]) == ((), (Path("crf"), Path("crf")))
    monkeypatch.chdir(tmp_path)
    for name in ("crf", "rules"):
        (tmp_path / name).mkdir()
    with pytest.raises(SettingsError, match="crf has to learn first: name the folder"):
        split_taggers(["crf"])
    (tmp_path / "rules" / "model.json").write_text("{}", encoding="utf-8")
    assert split_taggers(["rules"]) == (("rules",), ()), "what needs no training is meant by its name"
    assert split_taggers(["./rules"]) == ((), (Path("rules"),))


def test_a_model_that_cannot_be_used_is_named(crf: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    with pytest.raises(ModelError, match=r"^notes: model\.json: .*missing"):
        make_taggers((), [crf, tmp_path / "notes"])
    with pytest.raises(ModelError, match=r"^notes: "):
        load_models([tmp_path / "notes"])


def test_a_list_without_phrases_is_refused(corpus: Path, tmp_path: Path) -> None:
    empty = tmp_path / "wards.txt"
    empty.write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"wards\.txt: holds no phrases"):
        make_taggers(("rules",), gazetteers=[("WARD", empty)])
    with pytest.raises(InputError, match=r"wards\.txt: holds no phrases"):
        train_tagger_files(corpus, tmp_path / "model", TaggerTraining(gazetteers=[("WARD", empty)]))


def test_labels_to_learn_must_be_there(corpus: Path, tmp_path: Path) -> None:
    for labels in (["NOSUCH"], ["NAME", "NOSUCH"], ["nosuch", "direct"]):
        number = [label.lower() for label in labels].index("nosuch") + 1
        with pytest.raises(InputError, match=f"no annotated span to learn has label {number} of those"):
            train_tagger_files(corpus, tmp_path / "model", TaggerTraining(labels=labels))
    with pytest.raises(InputError, match="no kind, direct or quasi"):
        train_tagger_files(corpus, tmp_path / "model", TaggerTraining(label_by="kind"))
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("kind", ["crf", "svm", "ensemble"])
def test_what_learns_to_the_end_has_no_use_for_held_out_documents(kind: str, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=f"{kind} tagger has no use for held-out"):
        train_tagger_files(corpus, tmp_path / "model", TaggerTraining(kind=kind, held_out=corpus))


def test_the_folder_of_an_output_file_is_made_and_goes_again_where_the_work_fails(
    corpus: Path, crf: Path, tmp_path: Path
) -> None:
    found, page = tmp_path / "a" / "b" / "found.jsonl", tmp_path / "c" / "errors.html"
    with pytest.raises(InputError):
        tag_files(corpus, found, taggers=[Rules()], split="nowhere")
    assert not list(tmp_path.iterdir())
    tag_files(corpus, found, taggers=[Rules()])
    evaluate_files(found, corpus, page=ErrorPage(errors=page))
    assert page.is_file()
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StateError, match="a folder could not be made"):
        tag_files(corpus, tmp_path / "file" / "found.jsonl", taggers=[Rules()])


def test_a_folder_that_is_no_tagger_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text('{"name": "bm25.v1"}', encoding="utf-8")
    with pytest.raises(ModelError, match="unknown kind"):
        load_tagger(tmp_path)
    (tmp_path / "model.json").write_text('{"name": "rules.v1"}', encoding="utf-8")
    with pytest.raises(SettingsError, match="does not learn"):
        load_tagger(tmp_path)


def test_nothing_to_learn_from_is_told_before_any_work(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_text('{"id": "a", "text": "Ada met Karl"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="no annotated spans"):
        train_tagger_files(path, tmp_path / "model")


def test_a_release_hides_what_a_trained_tagger_calls_a_name_and_the_manifest_says_which(
    crf: Path, tmp_path: Path
) -> None:
    town = fictional_town(people=20, seed=3)
    documents, people = tmp_path / "d.jsonl", tmp_path / "p.jsonl"
    note = "Name: Karl Ohm.\nHistory: seen for chest pain, no fever.\nReferred by Dr. Mary Shaw, Elmira."
    rows = [{"id": d.id, "text": f"{d.text}\n{note}", "person": d.person} for d in town.documents]
    documents.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    people.write_text(
        "".join(json.dumps({"id": p.id, "fields": dict(p.fields)}) + "\n" for p in town.profiles), encoding="utf-8"
    )
    settings = by_rules(k=3, reidentifiers=("bm25",), ids="keep")
    released = deidentify_files(
        make_job(
            documents,
            people,
            tmp_path / "out",
            accept_risk="a test",
            masking=settings,
            attackers=("bm25",),
            tagger=("rules", *map(str, [crf])),
        )
    )
    texts = [
        json.loads(line)["text"] for line in (tmp_path / "out/documents.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert texts and not any("Karl" in text or "Shaw" in text for text in texts)
    made = json.loads((tmp_path / "out/manifest.json").read_text(encoding="utf-8"))
    assert made["settings"]["taggers"] == ["rules.v1", "crf.v1"] and len(made["inputs"]["tagger 1"]) == 64
    assert released.report.as_dict()["curve"]["points"], "the curve is that of the method at work"


def test_a_tagger_that_fails_or_takes_too_long_withholds_the_document_and_no_other() -> None:
    class Choosy:
        name = "choosy.v1"

        def tag(self, texts: Sequence[str]) -> list[list[Span]]:
            if "stop" in texts[0]:
                raise TaggingTimeoutError("a text took too long")
            return [[] for _ in texts]

    town = fictional_town(people=20, seed=3)
    documents = [Document(f"d{i}", "a note", p.id) for i, p in enumerate(town.profiles)]
    documents[4] = replace(documents[4], text="stop here")
    done = deidentify(
        documents,
        Population(town.profiles),
        settings=by_rules(k=2, reidentifiers=("bm25",), taggers=()),
        key=KEY,
        fitted=Fitted(taggers=[Choosy()]),
    )
    assert list(done.withheld) == ["d4"]


def test_a_method_that_has_no_use_for_taggers_says_so(crf: Path) -> None:
    town = fictional_town(people=20, seed=3)
    with pytest.raises(SettingsError, match="no use for taggers"):
        deidentify(
            town.documents,
            Population(town.profiles),
            settings=by_rules(method="greedy", k=2),
            key=KEY,
            fitted=Fitted(taggers=[load_tagger(crf)]),
        )


def test_documents_about_unknown_people_have_the_floor_of_the_taggers() -> None:
    town = fictional_town(people=20, seed=3)
    document = Document("d", "Write to ada@example.org", None)
    settings = by_rules(k=2, reidentifiers=("bm25",), unknown_person="floor-only")
    done = deidentify([document], Population(town.profiles), settings=settings, key=KEY)
    assert done.texts() == ["Write to [EMAIL]"]


def test_what_is_to_be_hidden_must_mean_something(crf: Path) -> None:
    people = Population(fictional_town(people=20, seed=3).profiles)

    def run(method: str, *hide: str, tagger: bool = False) -> None:
        settings = by_rules(method=method, k=2, reidentifiers=("bm25",), hide=hide)
        documents = [Document("d", "a note", people.profiles[0].id)]
        deidentify(
            documents, people, settings=settings, key=KEY, fitted=Fitted(taggers=[load_tagger(crf)] if tagger else [])
        )

    run("tagged", "ALL")
    run("composed", "Direct", "date", "PLACE", tagger=True)
    run("composed", "PLACE", tagger=True)  # which the rules beside it do not find
    for method, hide, tagger in (
        ("composed", "drect", False), ("composed", "FAX", True), ("greedy", "all", False), ("composed", "PERSON", False),
    ):  # fmt: skip
        with pytest.raises(SettingsError):
            run(method, hide, tagger=tagger)


@pytest.fixture
def noted(tmp_path: Path) -> tuple[Path, Path]:
    """Documents and people of a town; every note speaks of a mill and of somebody else."""
    town = fictional_town(people=20, seed=3)
    rows = [{"id": d.id, "text": f"{d.text} At Quill Mill by Dr. Shaw.", "person": d.person} for d in town.documents]
    known = [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles]
    for name, lines in (("d.jsonl", rows), ("p.jsonl", known)):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in lines), encoding="utf-8")
    return tmp_path / "d.jsonl", tmp_path / "p.jsonl"


@pytest.mark.parametrize("label", ["MILL", "HOSPITAL", "NAME"])
def test_phrases_of_a_list_are_hidden_whatever_it_is_called(
    noted: tuple[Path, Path], tmp_path: Path, label: str
) -> None:
    (tmp_path / "mills").write_text("Quill Mill\n", encoding="utf-8")
    settings = by_rules(k=3, reidentifiers=("bm25",))
    lists = [(label, tmp_path / "mills")]
    deidentify_files(
        make_job(*noted, tmp_path / "out", accept_risk="a test", masking=settings, attackers=("bm25",), gazetteer=lists)
    )
    released = (tmp_path / "out/documents.jsonl").read_text(encoding="utf-8")
    assert "Quill" not in released and "Shaw" not in released and f"[{label}]" in released
    with pytest.raises(SettingsError, match="gazetteer 1: its label is not among"):
        deidentify_files(
            make_job(
                *noted,
                tmp_path / "other",
                accept_risk="a test",
                masking=replace(settings, hide=("PHONE",)),
                gazetteer=lists,
            )
        )


def test_what_ships_reads_beside_a_trained_tagger_unless_others_are_named_or_none(
    noted: tuple[Path, Path], crf: Path, tmp_path: Path
) -> None:
    def taggers(out: str, *words: str) -> list[str]:
        common = ["deidentify", str(noted[0]), "--people", str(noted[1]), "--k", "3", "--reidentifiers", "bm25"]
        assert (
            cli.run([*common, "--accept-risk", "x", "--attackers", "bm25", "--out", str(tmp_path / out), *words]) == 0
        )
        return list(json.loads((tmp_path / out / "manifest.json").read_text(encoding="utf-8"))["settings"]["taggers"])

    assert taggers("usual") == ["rules.v1", "entities.v1"]
    assert taggers("all", "--tagger", str(crf)) == ["rules.v1", "entities.v1", "crf.v1"]
    assert taggers("both", "--tagger", "rules", "--tagger", str(crf)) == ["rules.v1", "crf.v1"]
    assert taggers("rules", "--tagger", "rules") == ["rules.v1"]
    assert taggers("alone", "--tagger", "none", "--tagger", str(crf)) == ["crf.v1"]


def test_a_tagger_named_twice_has_no_second_vote(crf: Path) -> None:
    for names, folders in ((("rules", "rules"), ()), ((), (crf, crf.parent / "." / crf.name))):
        with pytest.raises(SettingsError, match="twice"):
            make_taggers(names, folders)


def test_rules_say_every_label_that_they_give(data: Path) -> None:
    texts = [d.text for d in read_gold(data / "tab" / "documents.jsonl.gz")[:60]]
    rules = Rules(phrases=(("the", "ARTICLE"),))
    found = {s.label for spans in rules.tag(texts) for s in spans}
    assert {"ARTICLE", "DATE", "NAME", "RECORD"} <= found <= rules.labels


def test_a_text_that_no_tagger_reads_ends_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    town = fictional_town(people=20, seed=3)
    documents, people = tmp_path / "d.jsonl", tmp_path / "p.jsonl"
    rows = [{"id": d.id, "text": d.text, "person": d.person} for d in town.documents]
    rows[3]["text"] = "stop here"
    documents.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    known = [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles]
    people.write_text("".join(json.dumps(row) + "\n" for row in known), encoding="utf-8")
    whole = Rules.proposals

    def slow(self: Rules, text: str) -> list[Span]:
        if text == "stop here":
            raise TaggingTimeoutError("a text took too long")
        return whole(self, text)

    monkeypatch.setattr(Rules, "proposals", slow)
    settings = by_rules(k=3, reidentifiers=("bm25",))
    released = deidentify_files(
        make_job(documents, people, tmp_path / "out", accept_risk="a test", masking=settings, attackers=("bm25",))
    )
    mine = {row["id"] for row in rows if row["person"] == rows[3]["person"]}
    assert released.result.withheld == dict.fromkeys(mine, "failed"), (
        "a person's documents are hidden together or not at all"
    )
