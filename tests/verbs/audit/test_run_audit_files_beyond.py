"""Audits that know more: other people, metadata, earlier releases, sensitive fields, all from files."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_files import write_rows, write_town

from unname.auditing.page import limits
from unname.errors import InputError, ModelError, SettingsError
from unname.job import AuditPlan
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population
from unname.reidentifiers.terms.bm25 import Bm25
from unname.verbs.audit.files import audit_files
from unname.verbs.audit.in_memory import Knowledge, PreparedAudit, audit, prepare
from unname.verbs.audit.options import make_audit_job

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

ATTACKERS = ("bm25", "names")


@pytest.fixture(scope="module")
def town() -> Town:
    """Sixty people."""
    return fictional_town(people=60, seed=4)


@pytest.fixture
def files(town: Town, tmp_path: Path) -> tuple[Path, Path]:
    """Documents and people."""
    return write_town(town, tmp_path)


def short(town: Town, words: int = 6, *, drop: int = 0) -> list[dict[str, Any]]:
    """A release that keeps the first words of each document, every `drop`-th withheld."""
    return [
        {"id": d.id, "text": " ".join(d.text.split()[:words])}
        for i, d in enumerate(town.documents)
        if not drop or i % drop
    ]


def run(files: tuple[Path, Path], released: Path, **more: Any) -> dict[str, Any]:
    """An audit's report."""
    return audit_files(
        make_audit_job(released, *files, released.parent / "audit", attackers=ATTACKERS, used=("bm25",), k=3, **more)
    ).as_dict()


# --- what the attackers know


def test_attackers_search_among_their_own_people_and_crowds_stay_over_the_maskings(
    files: tuple[Path, Path], town: Town, tmp_path: Path
) -> None:
    released = write_rows(tmp_path / "r.jsonl", short(town))
    known = [p for i, p in enumerate(town.profiles) if i % 5]
    more = [replace(p, id=f"x{p.id}") for p in fictional_town(people=40, seed=9).profiles]
    theirs = write_rows(tmp_path / "t.jsonl", [{"id": p.id, "fields": dict(p.fields)} for p in [*known, *more]])
    found = run(files, released, attacker_people=theirs)
    plain = run(files, released, replace=True)
    assert found["attacker_people"] == 48 + 40 and found["people"] == 60
    lost = sum(d.person not in {p.id for p in known} for d in town.documents)
    assert found["not_in_attacker_population"] == lost > 0
    assert found["crowds"] == plain["crowds"] and found["crowds"]["people"] == 60
    assert "attacker_people" not in plain and "not_in_attacker_population" not in plain
    population = Population((*known, *more))
    index = Bm25().fit(population.profiles).index(population.profiles)
    credits = []
    for row, document in zip(short(town), town.documents, strict=True):
        column = population.rows.get(str(document.person))
        scores = index.scores(row["text"]).tolist()
        above = 0 if column is None else sum(s > scores[column] for s in scores)
        credits.append(0.0 if column is None or above else 1 / scores.count(scores[column]))
    after = next(a for a in found["attackers"] if a["name"] == "bm25.v1")["after"]
    assert after["rate"] == pytest.approx(sum(credits) / len(credits), abs=1e-6)
    assert after["rate"] != next(a for a in plain["attackers"] if a["name"] == "bm25.v1")["after"]["rate"]


def test_attackers_may_know_fields_that_the_masking_did_not(
    files: tuple[Path, Path], town: Town, tmp_path: Path
) -> None:
    released = write_rows(tmp_path / "r.jsonl", [{"id": d.id, "text": d.text} for d in town.documents])
    poor = {"fields": ("sex",), "replace": True}
    rich = run(files, released, attacker_people=files[1], **poor)
    blind = run(files, released, **poor)
    assert rich["attacker_people"] == 60 and rich["not_in_attacker_population"] == 0
    assert rich["any_unused"]["after"]["rate"] > blind["any_unused"]["after"]["rate"] + 0.3
    assert rich["crowds"] == blind["crowds"]


# --- metadata


def test_every_further_column_of_the_release_is_read_by_the_attackers_and_its_price_is_told(
    files: tuple[Path, Path], town: Town, tmp_path: Path
) -> None:
    profiles = {p.id: p for p in town.profiles}
    rows = short(town, 3, drop=7)
    person = {d.id: str(d.person) for d in town.documents}
    names = {id_: profiles[p].fields["family name"] for id_, p in person.items()}
    beside = [{**row, "note": {"who": [names[row["id"]], None]}, "n": i} for i, row in enumerate(rows)]
    bare = run(files, write_rows(tmp_path / "bare.jsonl", rows))
    found = run(files, write_rows(tmp_path / "beside.jsonl", beside), replace=True)
    assert "kept" not in bare and found["kept"]["columns"] == ["note", "n"]
    assert found["kept"]["any_unused"]["with"] == found["any_unused"]["after"]
    assert found["any_unused"]["after"]["rate"] > bare["any_unused"]["after"]["rate"] + 0.3
    assert found["kept"]["any_unused"]["without"] == bare["any_unused"]["after"]
    assert found["kept"]["below_k"] == {
        "with": found["crowds"]["below_k"], "without": bare["crowds"]["below_k"],
    }  # fmt: skip
    assert found["crowds"]["below_k"] > bare["crowds"]["below_k"]
    for cost in ("masked", "information_loss", "withheld"):
        assert found[cost] == bare[cost], "costs are of the text alone"
    page = (tmp_path / "audit" / "report.html").read_text(encoding="utf-8")
    assert "Counted as released: note, n." in page and not any(name in page for name in names.values())


def test_person_split_and_spans_of_a_released_table_are_not_metadata(
    files: tuple[Path, Path], town: Town, tmp_path: Path
) -> None:
    rows = [{**r, "person": "p", "split": "test", "spans": [], "empty": "", "nothing": None} for r in short(town)]
    assert "kept" not in run(files, write_rows(tmp_path / "r.jsonl", rows))


def test_metadata_given_to_either_step_gives_the_same_audit(town: Town) -> None:
    population = Population(town.profiles)
    documents = town.documents[:40]
    texts: list[str | None] = [None if i % 9 == 1 else d.text[:30] for i, d in enumerate(documents)]
    kept = [str(population.profiles[population.rows[str(d.person)]].fields["village"]) for d in documents]

    def ready(**more: Any) -> PreparedAudit:
        return prepare(
            documents, population, **more, plan=AuditPlan(attackers=ATTACKERS), knowledge=Knowledge(used=("bm25",), k=3)
        )

    early = audit(ready(kept=kept), texts)
    late = audit(ready(), texts, kept=kept)
    assert early.report == late.report and early.report.kept is not None
    none = audit(ready(kept=kept), texts, kept=[""] * 40).report
    assert none == audit(ready(), texts).report and none.kept is None
    with pytest.raises(InputError, match="kept metadata"):
        audit(ready(), texts, kept=["x"])


# --- earlier releases


def test_what_an_earlier_release_shows_is_read_and_a_withheld_document_is_out(
    files: tuple[Path, Path], town: Town, tmp_path: Path
) -> None:
    now = write_rows(tmp_path / "now.jsonl", short(town, 3, drop=4))
    whole = [{"id": d.id, "text": d.text} for d in town.documents[:30]]
    first = write_rows(tmp_path / "first.jsonl", [*whole, {"id": "gone", "text": "of nobody here"}])
    second = write_rows(tmp_path / "second.jsonl", short(town, 3))
    found = run(files, now, previous=[first, second])
    page = (tmp_path / "audit" / "report.html").read_text(encoding="utf-8")
    assert "Worse with 2 earlier releases" in page and "Together with earlier releases" in page
    plain = run(files, now, replace=True)
    assert "previous" not in plain
    for name in ("any_unused", "attackers", "crowds", "fused", "masked"):
        assert found[name] == plain[name], "the figures of this release alone stay what they are"
    previous = found["previous"]
    assert previous["releases"] == 2 and previous["documents"] == len(town.documents) and previous["unmatched"] == 1
    assert previous["any_unused"]["after"] == plain["any_unused"]["after"]
    union = [*({"id": r["id"], "text": r["text"]} for r in whole), *short(town, 3)[30:]]
    alone = run(files, write_rows(tmp_path / "union.jsonl", union), replace=True)
    assert previous["any_unused"]["union"]["rate"] == pytest.approx(alone["any_unused"]["after"]["rate"], abs=0.02)
    assert previous["below_k"] == {"alone": plain["crowds"]["below_k"], "union": alone["crowds"]["below_k"]}
    page = (tmp_path / "audit" / "report.html").read_text(encoding="utf-8")
    assert "Together with earlier releases" not in page, "the last audit had none"


def test_a_mask_pattern_and_metadata_hold_for_earlier_releases_too(
    files: tuple[Path, Path], town: Town, tmp_path: Path
) -> None:
    profiles = {p.id: p for p in town.profiles}
    now = write_rows(tmp_path / "now.jsonl", short(town, 3))
    hidden = write_rows(tmp_path / "hidden.jsonl", [{"id": d.id, "text": "Quillbeck9 " * 4} for d in town.documents])
    masked = run(files, now, previous=[hidden], mask_pattern="Quillbeck9")
    assert masked["previous"]["words_only_in_previous"] == 0
    note = [{"id": d.id, "text": "", "note": profiles[str(d.person)].fields["family name"]} for d in town.documents]
    found = run(files, now, previous=[write_rows(tmp_path / "note.jsonl", note)], replace=True)["previous"]
    assert found["any_unused"]["union"]["rate"] > found["any_unused"]["after"]["rate"] + 0.3


def private(folder: Path, town: Town, prefix: str) -> Path:
    """A private folder that says under which keyed ids the documents were released."""
    folder.mkdir()
    write_rows(folder / "masks.jsonl", [
        {"id": d.id, "release_id": f"{prefix}{i}", "spans": []} for i, d in enumerate(town.documents)
    ])  # fmt: skip
    return folder


def test_keyed_ids_of_earlier_releases_are_found_by_their_own_folder_or_that_of_the_same_key(
    files: tuple[Path, Path], town: Town, tmp_path: Path
) -> None:
    def keyed(name: str, prefix: str) -> Path:
        rows = [{"id": f"{prefix}{i}", "text": d.text} for i, d in enumerate(town.documents)]
        return write_rows(tmp_path / name, rows)

    now = keyed("now.jsonl", "a")
    mine, theirs = private(tmp_path / "a.private", town, "a"), private(tmp_path / "b.private", town, "b")
    same, other = keyed("same.jsonl", "a"), keyed("other.jsonl", "b")
    count = len(town.documents)
    assert run(files, now, private=mine, previous=[same])["previous"]["documents"] == count
    both = run(
        files, now, private=mine, previous=[same, other], previous_private=[mine, theirs], replace=True
    )["previous"]  # fmt: skip
    assert both["releases"] == 2 and both["documents"] == count and both["words_only_in_previous"] == 0
    plain = write_rows(tmp_path / "plain.jsonl", [{"id": d.id, "text": d.text} for d in town.documents])
    assert run(files, now, private=mine, previous=[plain], replace=True)["previous"]["documents"] == count
    with pytest.raises(InputError, match="--previous-private"):
        run(files, now, private=mine, previous=[other], replace=True)
    with pytest.raises(SettingsError, match="one private folder for each"):
        run(files, now, private=mine, previous=[same, other], previous_private=[mine], replace=True)


# --- sensitive fields and a changing population


def test_a_sensitive_field_may_be_one_that_attackers_do_not_get_and_an_unknown_one_stops_before_the_work(
    files: tuple[Path, Path], town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = write_rows(tmp_path / "r.jsonl", short(town))
    found = run(files, released, sensitive=("sex", "conditions"), without_fields=("conditions",))
    assert [row["field"] for row in found["sensitive"]] == ["sex", "conditions"]
    assert all(row["documents"] == len(town.documents) for row in found["sensitive"])
    assert [row["field"] for row in found["population_change"]["fields"]] == ["conditions"]
    assert run(files, released, replace=True)["population_change"]["fields"] == []
    monkeypatch.setattr("unname.verbs.audit.files.prepare", lambda *_, **__: pytest.fail("too late"))
    with pytest.raises(SettingsError, match="known: birth date"):
        run(files, released, sensitive=("nosuch",), replace=True)


def test_versions_must_be_of_the_same_documents(town: Town) -> None:
    prepared = prepare(town.documents[:4], Population(town.profiles), plan=AuditPlan(attackers=("bm25",)))
    with pytest.raises(InputError, match="same number"):
        audit(prepared, ["x"] * 4, previous=[["x"] * 3])


def test_nothing_is_simulated_where_none_served_or_nobody_asked(town: Town) -> None:
    documents, population = town.documents[:10], Population(town.profiles)
    unused = prepare(documents, population, plan=AuditPlan(attackers=("bm25",)))
    assert audit(unused, ["x"] * 10).report.population_change is None
    used = prepare(documents, population, plan=AuditPlan(attackers=("bm25",)), knowledge=Knowledge(used=("bm25",), k=3))
    assert audit(used, ["x"] * 10).report.population_change is not None
    used.plan = replace(used.plan, simulate=False)
    assert audit(used, ["x"] * 10).report.population_change is None


# --- guesses of somebody outside


def test_guesses_from_a_file_are_one_more_attacker(files: tuple[Path, Path], town: Town, tmp_path: Path) -> None:
    released = write_rows(tmp_path / "r.jsonl", short(town, 0))
    rows: list[dict[str, Any]] = []
    for i, d in enumerate(town.documents):
        other = next(p.id for p in town.profiles if p.id != d.person)
        right = {"id": d.id, "person": d.person} if i % 2 else {"id": d.id, "person": [[other, 0.4], [d.person, 0.4]]}
        rows.append([right, {"id": d.id, "person": other}, {"id": d.id, "person": ""}][i % 3])
    found = run(files, released, guesses=write_rows(tmp_path / "g.jsonl", rows[:-2]))
    credits = [0.0 if i % 3 or i >= len(rows) - 2 else 1.0 if i % 2 else 0.5 for i in range(len(rows))]
    row = next(a for a in found["attackers"] if a["name"] == "guesses")
    assert not row["used"] and row["before"] is None
    assert row["after"]["rate"] == pytest.approx(sum(credits) / len(credits), abs=1e-6)
    assert found["headline"]["attacker"] == "guesses" and found["any_unused"]["after"]["rate"] >= row["after"]["rate"]


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"id": "nobody's"}, "record 2: field 'id': no document"),
        ({"person": [["p", "CANARY"]]}, "record 2: field 'person'"),
        ({"person": [["p", "nan"]]}, "record 2: field 'person'"),
        ({"person": [["CANARY"]]}, "record 2: field 'person'"),
        ({}, "record 2: field 'id': the same document"),
    ],
)
def test_a_guess_that_makes_no_sense_is_refused_without_being_quoted(
    files: tuple[Path, Path], town: Town, tmp_path: Path, wrong: dict[str, Any], problem: str
) -> None:
    released = write_rows(tmp_path / "r.jsonl", short(town))
    first = {"id": town.documents[0].id, "person": town.documents[0].person}
    second = first | ({"id": town.documents[1].id} if wrong else {}) | wrong
    with pytest.raises(InputError, match=problem) as error:
        run(files, released, guesses=write_rows(tmp_path / "g.jsonl", [first, second]))
    assert "CANARY" not in str(error.value)


# --- who needs an encoder, and who has too little to learn from


def test_an_attacker_that_understands_needs_a_sound_encoder_before_any_work(
    files: tuple[Path, Path], town: Town, tmp_path: Path
) -> None:
    released = write_rows(tmp_path / "r.jsonl", short(town))
    job = make_audit_job(released, *files, tmp_path / "a", attackers=("meaning",), used=("bm25",))
    with pytest.raises(SettingsError, match="--encoder"):
        audit_files(job)
    (tmp_path / "empty").mkdir()
    job = make_audit_job(released, *files, tmp_path / "a", attackers=("bm25", "meaning"), encoder=tmp_path / "empty")
    with pytest.raises(ModelError):
        audit_files(job)
    assert not (tmp_path / "a").exists()


def test_an_attacker_with_too_little_to_learn_from_is_named(
    files: tuple[Path, Path], town: Town, tmp_path: Path
) -> None:
    released = write_rows(tmp_path / "r.jsonl", short(town)[:20])
    few = write_rows(tmp_path / "few.jsonl", [json.loads(line) for line in files[0].read_text().splitlines()][:20])
    job = make_audit_job(released, few, files[1], tmp_path / "a", attackers=("bm25", "infilling"), used=("bm25",), k=3)
    report = audit_files(job)
    assert set(report.not_trained or ()) == {"infilling.v1@originals", "infilling.v1@release"}
    assert "infilling.v1@release" in " ".join(limits(report))
