"""A release that may not go out stays in the private folder, and goes from there when somebody answers for it."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from made_settings import by_rules

from unname.apps import cli
from unname.errors import SettingsError, StateError
from unname.job import make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.storage.documents import read_documents
from unname.storage.manifest import file_hash
from unname.verbs.deidentify.files import Released, deidentify_files
from unname.writing.held import release_held

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

PLAIN = by_rules(k=3, method="none")


@pytest.fixture(scope="module")
def town() -> Town:
    return fictional_town(people=24, seed=2)


@pytest.fixture
def files(town: Town, tmp_path: Path) -> tuple[Path, Path]:
    documents, people = tmp_path / "d.jsonl", tmp_path / "p.jsonl"
    rows = ({"id": d.id, "person": d.person, "text": d.text} for d in town.documents)
    documents.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    people.write_text(
        "".join(json.dumps({"id": p.id, "fields": dict(p.fields)}) + "\n" for p in town.profiles), encoding="utf-8"
    )
    return documents, people


def make(files: tuple[Path, Path], out: Path, **more: Any) -> Released:
    return deidentify_files(make_job(*files, out, masking=PLAIN, attackers=("bm25", "facts"), **more))


def test_nothing_stands_at_the_place_of_a_release_that_was_held(files: tuple[Path, Path], tmp_path: Path) -> None:
    made = make(files, tmp_path / "out")
    assert made.held and made.report.verdict in ("fail", "weak") and not (tmp_path / "out").exists()
    assert made.folder == tmp_path / "out.private" / "held" and made.documents.is_file()
    assert stat.S_IMODE((tmp_path / "out.private").stat().st_mode) == 0o700
    assert {p.name for p in tmp_path.iterdir()} == {"d.jsonl", "p.jsonl", "out.private"}


@pytest.mark.parametrize("name", ["out", "x.csv", "x.parquet", "x.jsonl"])
def test_a_held_release_goes_where_it_was_meant_to_with_the_reason_and_is_not_computed_again(
    files: tuple[Path, Path], tmp_path: Path, name: str
) -> None:
    held = make(files, tmp_path / name)
    texts = held.documents.read_bytes()
    report, where = release_held(held.private, "the <b>board</b>, 3 votes to 1")
    assert where.released == (tmp_path / name if "." in name else tmp_path / name / "documents.jsonl")
    assert where.released.read_bytes() == texts
    manifest = json.loads((where.folder / "manifest.json").read_text("utf-8"))
    assert manifest["accepted_risk"] == report.accepted_risk == "the <b>board</b>, 3 votes to 1"
    assert manifest["verdict"] == report.verdict != "pass"
    assert manifest["files"]["report.json"] == file_hash(where.folder / "report.json")
    page = (where.folder / "report.html").read_text("utf-8")
    assert "&lt;b&gt;board&lt;/b&gt;, 3 votes" in page and "Released all the same" in page
    assert not (held.private / "held").exists() and (held.private / "masks.jsonl").exists()
    with pytest.raises(StateError, match="no release is held there"):
        release_held(held.private, "again")


def test_accepting_the_risk_at_the_start_does_the_same(files: tuple[Path, Path], tmp_path: Path) -> None:
    made = make(files, tmp_path / "out", accept_risk="the board")
    assert not made.held and made.report.as_dict()["accepted_risk"] == "the board" and made.documents.is_file()
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert manifest["accepted_risk"] == "the board" and manifest["verdict"] == made.report.verdict
    with pytest.raises(SettingsError, match="reason"):
        release_held(made.private, "  ")


def test_what_was_changed_while_it_was_held_does_not_go(files: tuple[Path, Path], tmp_path: Path) -> None:
    held = make(files, tmp_path / "out")
    for name in ("documents.jsonl", "report.json", "manifest.json"):
        kept = (held.folder / name).read_bytes()
        (held.folder / name).write_bytes(kept.replace(b"a", b"b") if name != "manifest.json" else b"[" * 9000)
        with pytest.raises(StateError):
            release_held(held.private, "x")
        (held.folder / name).write_bytes(kept)
    about = held.private / "held.json"
    good = json.loads(about.read_text("utf-8"))
    for wrong in (
        {"folder": "../../etc"},
        {"table": "../key"},
        {"table": "key"},
        {"file": "/elsewhere/x.csv"},
        {"folder": 3},
    ):
        about.write_text(json.dumps(good | wrong), "utf-8")
        with pytest.raises(Exception, match=r"damaged|no release"):
            release_held(held.private, "x")
    assert not (tmp_path / "out").exists()
    about.write_text(json.dumps(good), "utf-8")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("theirs")
    with pytest.raises(StateError, match="something else"):
        release_held(held.private, "x", replace=True)


def test_what_was_changed_together_with_its_manifest_does_not_go_either(
    files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    held = make(files, tmp_path / "out")
    manifest, about = held.folder / "manifest.json", held.private / "held.json"
    kept = {path: path.read_bytes() for path in (held.documents, manifest, about)}
    held.documents.write_bytes(kept[held.documents].replace(b'"text":"', b'"text":"Ada Lovelace. ', 1))
    stated = json.loads(manifest.read_text("utf-8"))
    stated["files"]["documents.jsonl"] = file_hash(held.documents)
    manifest.write_text(json.dumps(stated), "utf-8")
    assert cli.run(["release", str(held.private), "--accept-risk", "x"]) == 5
    assert "not what the run wrote" in capfd.readouterr().err
    for path, content in kept.items():
        path.write_bytes(content)
    said = json.loads(about.read_text("utf-8"))
    for wrong in ({"seal": "0" * 64}, {"seal": 5}, {"folder": "elsewhere"}):
        about.write_text(json.dumps(said | wrong), "utf-8")
        with pytest.raises(StateError, match="not what the run wrote"):
            release_held(held.private, "x")
    about.write_text(json.dumps({name: value for name, value in said.items() if name != "seal"}), "utf-8")
    with pytest.raises(StateError, match="not what the run wrote"):
        release_held(held.private, "x")
    about.write_bytes(kept[about])
    (held.private / "key").write_text("ab" * 32)
    with pytest.raises(StateError, match="not what the run wrote"):
        release_held(held.private, "x")
    assert not (tmp_path / "out").exists()


def test_a_risk_that_is_accepted_overrules_no_leak(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unname.knowledge.leaks import DirectIdentifiers
    from unname.verifying.written import REREAD

    monkeypatch.setattr(DirectIdentifiers, "find", lambda self, text, row=None: [])
    made = make(files, tmp_path / "out", accept_risk="the board")
    assert not made.held and REREAD in made.result.withheld.values()


def test_few_people_have_no_table_of_attackers_in_public(files: tuple[Path, Path], tmp_path: Path) -> None:
    made = make(files, tmp_path / "out", accept_risk="x")
    shown = json.loads((made.folder / "report.json").read_text("utf-8"))
    assert shown["persons"] < 50 and shown["attackers"] == [] and shown["any_unused"]
    assert json.loads((made.private / "report.json").read_text("utf-8"))["attackers"]
    assert "Shared dates and numbers" not in (made.folder / "report.html").read_text("utf-8")


@pytest.mark.parametrize("kind", ["csv", "parquet", "txt"])
def test_documents_leave_as_they_came_or_as_asked(files: tuple[Path, Path], tmp_path: Path, kind: str) -> None:
    made = make(files, tmp_path / "out", out_format=kind, accept_risk="x")
    assert made.documents.name == ("documents" if kind == "txt" else f"documents.{kind}")
    released = [o for o in made.result.outcomes() if o.release is not None]
    assert sorted(d.text for d in read_documents(made.documents)) == sorted(
        o.release.text for o in released if o.release
    )


def test_a_folder_of_texts_leaves_as_one_and_persons_come_from_names(
    files: tuple[Path, Path], town: Town, tmp_path: Path
) -> None:
    from unname.storage.documents import Columns

    folder = tmp_path / "letters"
    folder.mkdir()
    for i, document in enumerate(town.documents[:20]):
        (folder / f"{document.person}_{i}.txt").write_bytes(document.text.encode("cp1252"))
    made = make((folder, files[1]), tmp_path / "out", accept_risk="x", columns=Columns(person_pattern=r"^(.+)_\d+$"))
    assert made.documents == tmp_path / "out" / "documents" and len(list(made.documents.iterdir())) > 10


def test_a_table_of_somebodys_own_is_never_written_over(files: tuple[Path, Path], tmp_path: Path) -> None:
    mine = tmp_path / "x.csv"
    mine.write_text("id,text\n1,mine\n")
    for replace in (False, True):
        with pytest.raises(StateError):
            make(files, mine, accept_risk="x", replace=replace)
    assert mine.read_text() == "id,text\n1,mine\n"
    mine.unlink()
    make(files, mine, accept_risk="x")
    first, place = mine.read_bytes(), mine.stat().st_ino
    make(files, mine, accept_risk="x", replace=True)
    assert mine.stat().st_ino != place and mine.read_bytes() == first, "it was replaced, and the key was kept"


def test_the_command_ends_with_4_and_says_how_to_let_it_go(
    files: tuple[Path, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = ["deidentify", str(files[0]), "--people", str(files[1]), "--out", str(tmp_path / "out"), "--k", "3",
               "--method", "none", "--attackers", "bm25,facts", "--workers", "1"]  # fmt: skip
    assert cli.run(command) == 4
    said = capfd.readouterr().out
    assert said.lstrip().startswith(("Not yet", "Weak")) and "unname release" in said and "Direct identifiers" in said
    assert cli.run(["release", str(tmp_path / "out.private"), "--accept-risk", "the board"]) in (0, 3)
    assert (tmp_path / "out" / "documents.jsonl").is_file() and "the board" in capfd.readouterr().out
    assert cli.run([*command, "--max-risk", "100%", "--replace"]) == 4, (
        "few people are weak evidence whatever the limit"
    )
    assert not (tmp_path / "out").exists(), "an older release does not stand beside another private folder"
    assert cli.run([*command, "--max-risk", "nan", "--replace"]) == 2


def test_no_audit_measures_nothing(files: tuple[Path, Path], tmp_path: Path) -> None:
    made = deidentify_files(make_job(*files, tmp_path / "out", masking=PLAIN, attackers=("none",)))
    assert made.held and made.report.verdict == "unmeasured" and made.report.as_dict()["audit"] == "none"


@pytest.mark.parametrize(("attackers", "said"), [(("quick",), "quick"), (("bm25", "facts"), "chosen")])
def test_a_report_says_which_audit_it_had(files: tuple[Path, Path], tmp_path: Path, attackers: Any, said: str) -> None:
    made = deidentify_files(make_job(*files, tmp_path / "out", masking=PLAIN, attackers=attackers))
    assert made.report.as_dict()["audit"] == said
