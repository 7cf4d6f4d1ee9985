"""The inputs of a run: splits, limits, bad records, and populations made from the documents themselves."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from made_settings import by_rules

from unname.errors import InputError, SettingsError
from unname.inputs import files as module
from unname.inputs.files import Inputs, attacker_population, read_inputs
from unname.job import FROM_DOCUMENTS, Source, make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.storage.documents import Columns
from unname.verbs.deidentify.files import deidentify_files
from unname.verbs.deidentify.in_memory import deidentify
from unname.verifying.recount import Recount

K = 3


@pytest.fixture(scope="module")
def town() -> Town:
    return fictional_town(people=16, seed=13)


@pytest.fixture
def people(town: Town, tmp_path: Path) -> Path:
    rows = [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles]
    return written(tmp_path / "p.jsonl", rows)


def written(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def rows_of(town: Town, count: int = 12, **more: Any) -> list[dict[str, Any]]:
    return [{"id": d.id, "text": d.text, "person": d.person, **more} for d in town.documents[:count]]


def given(inputs: Inputs) -> dict[str, Any]:
    """All that inputs hold, as plain values."""
    return {
        "documents": list(inputs.documents), "others": list(inputs.others), "people": inputs.population.profiles,
        "full": inputs.population.full, "bad": inputs.bad_records, "strangers": inputs.graph_strangers,
    }  # fmt: skip


# --- a population made from the documents


def test_each_persons_originals_are_their_profile_and_a_document_without_a_person_is_one_of_its_own(
    tmp_path: Path,
) -> None:
    rows = [
        {"id": "a", "text": "first of one", "person": "one"}, {"id": "b", "text": "of nobody"},
        {"id": "c", "text": "of two", "person": "two"}, {"id": "d", "text": "second of one", "person": "one"},
    ]  # fmt: skip
    inputs = read_inputs(Source(written(tmp_path / "d.jsonl", rows), FROM_DOCUMENTS))
    assert [(p.id, dict(p.fields)) for p in inputs.population.profiles] == [
        ("one", {"original": "first of one\n\nsecond of one"}),
        ("document b", {"original": "of nobody"}),
        ("two", {"original": "of two"}),
    ]
    assert [d.person for d in inputs.documents] == ["one", "document b", "two", "one"]


def test_whoever_holds_the_originals_finds_k_others_as_likely(town: Town, tmp_path: Path) -> None:
    rows = [{k: v for k, v in row.items() if k != "person" or i % 4} for i, row in enumerate(rows_of(town, 16))]
    inputs = read_inputs(Source(written(tmp_path / "d.jsonl", rows), FROM_DOCUMENTS))
    result = deidentify(inputs.documents, inputs.population, settings=by_rules(k=K), key=b"i" * 32)
    profiles = inputs.population.profiles
    assert len(profiles) == len({d.person for d in inputs.documents}) > 8
    counted = 0
    for name in ("bm25.v1", "ngrams.v1"):
        recount = Recount(name, profiles)
        for document, text, crowds in zip(result.documents, result.texts(), result.crowds, strict=True):
            if text is not None:
                column = inputs.population.rows[str(document.person)]
                assert recount.crowd([text], column) == crowds[name] >= K
                counted += 1
    assert counted > 20


def test_a_release_of_documents_without_a_table_of_people(town: Town, tmp_path: Path) -> None:
    documents = written(tmp_path / "d.jsonl", rows_of(town, 16))
    made = deidentify_files(
        make_job(
            documents,
            FROM_DOCUMENTS,
            tmp_path / "out",
            accept_risk="a test",
            masking=by_rules(k=K, reidentifiers=("bm25",)),
            attackers=("bm25", "facts"),
        )
    )
    assert (
        made.report.as_dict()["people"]
        == made.report.as_dict()["persons"]
        == len({d.person for d in town.documents[:16]})
    )
    assert made.report.as_dict()["not_measured"] == 0 and made.report.as_dict()["audited"] == 16
    before, after = (a := made.report.as_dict()["attackers"][0])["before"]["rate"], a["after"]["rate"]
    assert before > 0.9 and after < 0.5, "the originals give themselves away, and the release does not"
    manifest = json.loads((made.folder / "manifest.json").read_text("utf-8"))
    assert set(manifest["inputs"]) == {"documents"}


def test_a_table_called_like_the_word_is_read_as_a_table(town: Town, tmp_path: Path, people: Path) -> None:
    inputs = read_inputs(Source(written(tmp_path / "d.jsonl", rows_of(town)), people))
    assert len(inputs.population) == 16


def test_faults_are_told_by_record_in_documents_that_are_the_population_too(tmp_path: Path) -> None:
    path = written(tmp_path / "d.jsonl", [{"id": "a", "text": "x"}, {"id": "b", "text": 4}, {"id": "a", "text": "y"}])
    with pytest.raises(InputError) as caught:
        read_inputs(Source(path, FROM_DOCUMENTS))
    assert "record 2: field 'text'" in str(caught.value) and "record 3: field 'id'" in str(caught.value)
    kept = read_inputs(Source(path, FROM_DOCUMENTS, withhold_bad=True))
    assert [d.id for d in kept.documents] == ["a"] and [r for r, *_ in kept.bad_records] == [2, 3]


# --- which documents


def test_a_split_is_worked_on_and_the_other_rows_are_left_for_training(
    town: Town, tmp_path: Path, people: Path
) -> None:
    rows = [{**row, "split": "test" if i % 3 else "train"} for i, row in enumerate(rows_of(town))]
    inputs = read_inputs(Source(written(tmp_path / "d.jsonl", rows), people, split="test"))
    assert [d.id for d in inputs.documents] == [r["id"] for r in rows if r["split"] == "test"]
    assert [d.id for d in inputs.others] == [r["id"] for r in rows if r["split"] == "train"]
    everything = read_inputs(Source(tmp_path / "d.jsonl", people))
    assert len(everything.documents) == 12 and not everything.others
    with pytest.raises(InputError, match="split"):
        read_inputs(Source(tmp_path / "d.jsonl", people, split="dev"))


def test_others_are_no_more_than_attackers_need(
    town: Town, tmp_path: Path, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_OTHERS", 3)
    rows = [{**row, "split": "test" if i == 11 else "train"} for i, row in enumerate(rows_of(town))]
    inputs = read_inputs(Source(written(tmp_path / "d.jsonl", rows), people, split="test"))
    assert [d.id for d in inputs.others] == [r["id"] for r in rows[:3]] and len(inputs.documents) == 1


def test_a_split_may_have_people_whom_only_the_other_rows_lack(town: Town, tmp_path: Path, people: Path) -> None:
    rows = [{**row, "split": "test"} for row in rows_of(town, 4)] + [{"id": "x", "text": "x", "split": "train"}]
    assert len(read_inputs(Source(written(tmp_path / "d.jsonl", rows), people, split="test")).documents) == 4


def test_a_limit_takes_the_first_documents_of_the_split_and_reads_the_rest_for_faults(
    town: Town, tmp_path: Path, people: Path
) -> None:
    rows = [{**row, "split": "b" if i % 2 else "a"} for i, row in enumerate(rows_of(town))]
    path = written(tmp_path / "d.jsonl", rows)
    assert [d.id for d in read_inputs(Source(path, people, limit=3)).documents] == [r["id"] for r in rows[:3]]
    found = read_inputs(Source(path, people, limit=2, split="b")).documents
    assert [d.id for d in found] == [rows[1]["id"], rows[3]["id"]]
    bad = written(tmp_path / "bad.jsonl", [*rows, {"id": "late"}])
    with pytest.raises(InputError, match="record 13: field 'text'"):
        read_inputs(Source(bad, people, limit=2))
    assert len(read_inputs(Source(bad, people, limit=2, withhold_bad=True)).documents) == 2


# --- people


@pytest.mark.parametrize(("person", "problem"), [(None, "missing"), ("nobody", "no profile has this id")])
def test_a_missing_or_unknown_person_is_told_by_record_and_column(
    town: Town, tmp_path: Path, people: Path, person: str | None, problem: str
) -> None:
    rows = [{"who": row.pop("person"), **row} for row in rows_of(town, 4)]
    rows[2]["who"] = person
    path = written(tmp_path / "d.jsonl", rows)
    with pytest.raises(InputError) as caught:
        read_inputs(Source(path, people, columns=Columns(person="who")))
    said, advice = str(caught.value).splitlines()
    assert said == f"d.jsonl: record 3: field 'who': {problem}" and "--unknown-person withhold" in advice
    assert len(read_inputs(Source(path, people, columns=Columns(person="who")), unknown_person="any").documents) == 4


@pytest.mark.parametrize("unknown", ["error", "withhold"])
@pytest.mark.parametrize("column", ["absent", "of other ids"])
def test_documents_that_name_nobody_of_the_table_are_an_error_that_names_the_columns(
    town: Town, tmp_path: Path, people: Path, unknown: str, column: str
) -> None:
    rows = [
        {"id": row["id"], "text": row["text"], "patient_no": row["person"], "ward": "n"} for row in rows_of(town, 4)
    ]
    if column == "of other ids":
        rows = [{**row, "person": f"x{i}"} for i, row in enumerate(rows)]
    path = written(tmp_path / "d.jsonl", rows)
    with pytest.raises(InputError) as caught:
        read_inputs(Source(path, people), unknown_person=unknown)
    said = str(caught.value)
    assert "patient_no, ward" in said and "given name" in said and "--person-column" in said and "'person'" in said
    assert not any(str(row["patient_no"]) in said for row in rows), "no value is told"
    assert read_inputs(Source(path, people), unknown_person="floor-only").documents
    assert [d.person for d in read_inputs(Source(path, people, columns=Columns(person="patient_no"))).documents] == [
        row["patient_no"] for row in rows
    ]


def test_ids_of_people_may_stand_in_a_column_of_another_name(town: Town, tmp_path: Path) -> None:
    table = tmp_path / "p.csv"
    table.write_text("MRN;Nachname;Vorname\n" + "".join(f"{i};Quill{i};Ada\n" for i in range(12)), "utf-8")
    path = written(tmp_path / "d.jsonl", [{"id": "a", "text": "x", "person": "3"}])
    with pytest.raises(InputError, match=r"no column 'id'; columns: MRN, Nachname, Vorname \(--people-id-column"):
        read_inputs(Source(path, table))
    assert len(read_inputs(Source(path, table, people_id_column="MRN")).population) == 12


# --- one person several times


def admissions() -> list[dict[str, Any]]:
    human = [{"id": f"ADM-{i}", "name": "Eulalia Bermejo", "dob": "1950-03-04", "ward": str(i)} for i in range(12)]
    human[3] |= {"name": "Bermejo, Eulàlia", "dob": "4.3.1950"}
    return [*human, *({"id": f"ADM-{i}", "name": f"Quill{i} Vane", "dob": f"19{i}-01-01"} for i in range(50, 62))]


def test_admissions_of_one_human_are_refused_merged_or_kept(tmp_path: Path) -> None:
    people = written(tmp_path / "p.jsonl", [{"id": r.pop("id"), "fields": r} for r in admissions()])
    path = written(tmp_path / "d.jsonl", [{"id": str(i), "text": "x", "person": f"ADM-{i}"} for i in range(12)])
    with pytest.raises(InputError, match=r"11 of 24 profiles .* records 1 and 2 .*--duplicates merge") as caught:
        read_inputs(Source(path, people))
    assert "Eulalia" not in str(caught.value)
    merged = read_inputs(Source(path, people, duplicates="merge"))
    assert len(merged.population) == 13 and {d.person for d in merged.documents} == {"ADM-0"}
    fields = merged.population.profiles[0].fields
    assert fields["ward"].split(" | ") == [str(i) for i in range(12)] and "Eulàlia" in fields["name"]
    assert len(read_inputs(Source(path, people, duplicates="keep")).population) == 24


def test_equal_rows_of_different_people_are_a_crowd_and_stay(tmp_path: Path) -> None:
    rows = [{"id": f"p{i}", "fields": {"town": "York", "trade": "smith"}} for i in range(12)]
    people = written(tmp_path / "p.jsonl", rows)
    path = written(tmp_path / "d.jsonl", [{"id": "a", "text": "x", "person": "p3"}])
    assert len(read_inputs(Source(path, people)).population) == 12
    records = written(tmp_path / "r.jsonl", [{**row, "id": f"visit-{i}"} for i, row in enumerate(rows)])
    path = written(tmp_path / "d.jsonl", [{"id": "a", "text": "x", "person": "visit-3"}])
    with pytest.raises(InputError, match="are the same in every field"):
        read_inputs(Source(path, records))


def numbered(names: list[str], **more: str) -> list[dict[str, Any]]:
    """Rows that agree in all but their names and the numbers that they have, and forty people besides."""
    rest = {"trade": "cooper", "town": "Orrin", **more}
    rows = [{"name": name, "record number": f"88{i:05d}", "seq": str(i), **rest} for i, name in enumerate(names)]
    rows += [
        {"name": f"Quill{i} Vane{'ab'[i % 2]}", "record number": f"77{i:05d}", "seq": str(100 + i), "trade": f"trade {i % 7}",
         "town": f"town {i % 9}"} for i in range(40)
    ]  # fmt: skip
    return [{"id": f"p{i}", "fields": row} for i, row in enumerate(rows)]


def test_rows_that_agree_in_all_but_a_record_number_are_one_person(tmp_path: Path) -> None:
    path = written(tmp_path / "d.jsonl", [{"id": "a", "text": "x", "person": "p3"}])
    same = written(tmp_path / "p.jsonl", numbered(["Eulalia Marsh"] * 12))
    with pytest.raises(InputError, match=r"11 of 52 profiles .* agree in name, .*--duplicates merge"):
        read_inputs(Source(path, same))
    merged = read_inputs(Source(path, same, duplicates="merge"))
    assert len(merged.population) == 41 and merged.documents[0].person == "p0"
    others = written(tmp_path / "q.jsonl", numbered([f"Eulalia{i} Marsh{i}x" for i in range(12)]))
    assert len(read_inputs(Source(path, others)).population) == 52, "equal rows of different names are a crowd"


def test_namesakes_who_share_only_what_many_share_are_different_people(tmp_path: Path) -> None:
    path = written(tmp_path / "d.jsonl", [{"id": "a", "text": "x", "person": "p3"}])
    rows = numbered(["Eulalia Marsh"] * 2)
    for number, row in enumerate(rows):
        row["fields"] = {n: v for n, v in row["fields"].items() if n not in ("trade", "town")}
        assert len(row["fields"]) == 3
        row["fields"] |= {"sex": "fm"[number // 2 % 2]}
    few = written(tmp_path / "p.jsonl", rows)
    assert len(read_inputs(Source(path, few)).population) == 42
    alone = written(
        tmp_path / "q.jsonl", [r | {"fields": {k: v for k, v in r["fields"].items() if k != "sex"}} for r in rows]
    )
    assert len(read_inputs(Source(path, alone)).population) == 42


def test_what_attackers_know_is_merged_as_the_table_was(tmp_path: Path) -> None:
    rows = [{"id": r.pop("id"), "fields": r} for r in admissions()]
    people = written(tmp_path / "p.jsonl", rows)
    path = written(tmp_path / "d.jsonl", [{"id": "a", "text": "x", "person": "ADM-5"}])
    inputs = read_inputs(Source(path, people, duplicates="merge"))
    assert attacker_population(inputs, people).rows.keys() == inputs.population.rows.keys()


def test_nobody_is_known_where_there_is_no_table(tmp_path: Path) -> None:
    path = written(tmp_path / "d.jsonl", [{"id": "a", "text": "x"}])
    assert len(read_inputs(Source(path, "none")).population) == 0
    with pytest.raises(SettingsError, match="there is no table"):
        read_inputs(Source(path, "none", fields=["a"]))


# --- bad records


def test_bad_records_are_passed_over_and_listed_with_what_is_wrong(town: Town, tmp_path: Path, people: Path) -> None:
    rows = rows_of(town, 6)
    faulty = [rows[0], {"id": "b"}, *rows[1:3], {"id": rows[0]["id"], "text": "t"}, {"text": "t"}, *rows[3:]]
    path = written(tmp_path / "d.jsonl", faulty)
    with path.open("ab") as stream:
        stream.write(b'{"id": "cut\n')
    with pytest.raises(InputError) as caught:
        read_inputs(Source(path, people))
    assert all(f"record {n}" in str(caught.value) for n in (2, 5, 6, 10))
    inputs = read_inputs(Source(path, people, withhold_bad=True))
    assert [d.id for d in inputs.documents] == [r["id"] for r in rows]
    assert [(n, field) for n, field, _ in inputs.bad_records] == [(2, "text"), (5, "id"), (6, "id"), (10, "")]
    assert all(problem for *_, problem in inputs.bad_records)


def test_nothing_but_bad_records_is_an_error_all_the_same(tmp_path: Path, people: Path) -> None:
    with pytest.raises(InputError, match="every record is bad"):
        read_inputs(Source(written(tmp_path / "d.jsonl", [{"id": "a"}, {"id": "b"}]), people, withhold_bad=True))


# --- on the disk


OPTIONS: list[dict[str, Any]] = [
    {}, {"split": "a"}, {"limit": 5}, {"withhold_bad": True}, {"fields": ["occupation", "village"]},
    {"without_fields": ["phone"]},
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_documents_on_the_disk_are_those_in_memory(
    town: Town, tmp_path: Path, people: Path, options: dict[str, Any]
) -> None:
    rows = [{**row, "split": "b" if i % 3 else "a", "ward": "\U0001f600"} for i, row in enumerate(rows_of(town))]
    path = written(tmp_path / "d.jsonl", [*rows, *([{"id": "bad"}] if "withhold_bad" in options else [])])
    before = sorted(p.name for p in tmp_path.iterdir())
    one, two = (read_inputs(Source(path, people, **options), spool=spool) for spool in (None, tmp_path))
    assert given(one) == given(two)
    assert isinstance(one.documents, list) and not isinstance(two.documents, list)
    assert sorted(p.name for p in tmp_path.iterdir()) == before, "a spool has no name"


def test_a_graph_adds_to_profiles_and_counts_those_whom_nobody_knows(town: Town, tmp_path: Path, people: Path) -> None:
    graph = tmp_path / "g.tsv"
    graph.write_text(f"{town.profiles[0].id}\tknows\tquorndyke\nstranger\tknows\tx\n", "utf-8")
    inputs = read_inputs(Source(written(tmp_path / "d.jsonl", rows_of(town)), people, graph=graph))
    assert inputs.graph_strangers == 1 and "quorndyke" in inputs.population.profiles[0].fields["knows"]


@pytest.mark.parametrize("more", [{"fields": ("a",)}, {"without_fields": ("a",)}, {"graph": Path("g.tsv")}])
def test_from_documents_takes_no_choice_of_fields(tmp_path: Path, more: dict[str, Any]) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"id": "1", "text": "x"}\n', encoding="utf-8")
    with pytest.raises(SettingsError, match="from-documents"):
        read_inputs(Source(path, FROM_DOCUMENTS, **more))


@pytest.mark.parametrize(
    ("column", "counts"), [("admission_id", True), ("visit no", True), ("patient_reference", False)]
)
def test_only_whole_words_say_that_ids_count_records(tmp_path: Path, column: str, counts: bool) -> None:
    table = tmp_path / "p.csv"
    rows = "".join(f"{i},York,smith\n" for i in range(12))
    table.write_text(f"{column},town,trade\n{rows}", "utf-8")
    path = written(tmp_path / "d.jsonl", [{"id": "a", "text": "x", "person": "3"}])
    if counts:
        with pytest.raises(InputError, match="the same in every field"):
            read_inputs(Source(path, table, people_id_column=column))
    else:
        assert len(read_inputs(Source(path, table, people_id_column=column)).population) == 12
