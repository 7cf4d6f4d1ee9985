"""Readers who look things up, on the command line: what is said without a table, the list, and a search in texts."""

import codecs
import csv
import json
import stat
from pathlib import Path
from typing import Any

from made_commands import Run, Town

HELD, WRONG, PEOPLE = 4, 1, 60
RULES = ("--tagger", "rules", "--workers", "1", "--k", "10")


def said_by(i: int) -> str:
    """Words of one person alone."""
    own = chr(97 + i % 26) + chr(97 + i // 26)
    return f"Quillbeck{own} flooded the old fenwater{own} mill"


def notes(folder: Path, people: int = PEOPLE) -> Path:
    """A note about each person, in which somebody is quoted; one with an id that a spreadsheet would run."""
    rows = [
        {"id": f"d{i}" if i else "=d0()", "person": f"p{i}", "text": f'In spring. She said: "{said_by(i)}". Well.'}
        for i in range(people)
    ]  # fmt: skip
    return written(folder / "notes.jsonl", rows)


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def articles(folder: Path, people: int = PEOPLE) -> Path:
    """Two reference texts about each person, who is named by id in one and by a column in the other."""
    rows = [{"id": f"p{i}", "text": f"An article: {said_by(i)}."} for i in range(people)]
    return written(folder / "articles.jsonl", [*rows, {"id": "x", "person": "p1", "text": "It was in spring."}])


def listed(private: Path) -> list[dict[str, str]]:
    # Spreadsheets take a table for UTF-8 by this mark alone.
    assert (private / "read-first.csv").read_bytes().startswith(codecs.BOM_UTF8)
    with (private / "read-first.csv").open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def flat(said: str) -> str:
    return " ".join(said.split())


def test_without_a_table_it_is_the_only_line_and_a_list_says_what_to_read_first(run: Run, tmp_path: Path) -> None:
    said = run("deidentify", notes(tmp_path), "--out", tmp_path / "out", *RULES)
    private, shown = tmp_path / "out.private", flat(said.out)
    assert said.code == HELD and shown.startswith(
        "Not measured: read these first Readers who look things up: not measured. "
    )
    assert "60 of 60 documents still state what a stranger could look up: 60 quotations." in shown
    assert "read-first.csv in the private folder lists every one" in shown and str(private / "read-first.csv") in shown
    assert (
        "uillbeck" not in said.out + said.err and "--outsiders TEXTS" in shown and "People of your table" not in shown
    )
    rows = listed(private)
    assert stat.S_IMODE((private / "read-first.csv").stat().st_mode) == 0o600 and len(rows) == PEOPLE
    assert {row["document"] for row in rows} == {"'=d0()", *(f"d{i}" for i in range(1, PEOPLE))}
    row = next(row for row in rows if row["document"] == "d7")
    assert (row["person"], row["kind"], row["words"], row["look_up"]) == ("p7", "quotation", said_by(7), "likely")
    assert (
        row["sentence"] == f'She said: "{said_by(7)}".'
        and "unsure" in row["sure"]
        and "tagger unsure" in row["why_left"]
    )
    assert "--always" in row["what_to_do"]
    report = json.loads((private / "held/report.json").read_text("utf-8"))["outsider"]
    assert (report["documents"], report["stating"], report["listed"]) == (PEOPLE, PEOPLE, "read-first.csv")
    released = [json.loads(line)["id"] for line in (private / "held/documents.jsonl").open(encoding="utf-8")]
    assert len(report["riskiest"]) == 10 and {one["id"] for one in report["riskiest"]} <= set(released)
    assert all(one["id"] in said.out for one in report["riskiest"]) and {row["release_id"] for row in rows} == set(
        released
    )
    page = (private / "held/report.html").read_text("utf-8")
    assert "What readers could look up" in page and "uillbeck" not in page
    let_go = run("release", private, "--accept-risk", "a test")
    assert (
        let_go.code == 0 and "Not measured: read these first" in let_go.out and (tmp_path / "out/report.json").exists()
    )


def test_a_search_in_reference_texts_holds_what_it_finds_and_lets_go_what_is_hidden(run: Run, tmp_path: Path) -> None:
    common = ("deidentify", notes(tmp_path), "--outsiders", articles(tmp_path), *RULES)
    said = run(*common, "--out", tmp_path / "out")
    shown = flat(said.out)
    assert said.code == HELD and shown.startswith("Not yet Readers who look things up: who searches with ")
    assert "100.0 % (94.0–100.0) of the documents" in shown and "uillbeck" not in said.out + said.err
    (tmp_path / "always").write_text("/quillbeck.*/\n/fenwater.*/\n", encoding="utf-8")
    said = run(*common, "--out", tmp_path / "safe", "--always", tmp_path / "always")
    assert said.code == 0 and said.out.split("\n")[0].strip() == "May go out, as far as these texts go"
    found = json.loads((tmp_path / "safe/report.json").read_text("utf-8"))["outsider"]["searched"]
    assert (found["people"], found["documents"], found["unsought"], found["where"]) == (PEOPLE, PEOPLE, 0, "texts")
    assert [one["before"]["rate"] for one in found["searchers"]] == [1.0, 1.0, 1.0, 1.0]
    assert max(one["after"]["rate"] for one in found["searchers"]) < 0.05
    assert "uillbeck" not in (tmp_path / "safe/manifest.json").read_text("utf-8")


def test_a_graph_without_a_table_is_searched_as_well(run: Run, tmp_path: Path) -> None:
    graph = tmp_path / "graph.tsv"
    graph.write_text("".join(f"p{i}\tsaid\t{said_by(i)}\n" for i in range(PEOPLE)), encoding="utf-8")
    said = run("deidentify", notes(tmp_path), "--graph", graph, "--out", tmp_path / "out", *RULES)
    assert (
        said.code == HELD
        and "among 60 people of the graph" in flat(said.out)
        and said.out.strip().startswith("Not yet")
    )


def test_of_few_people_what_remains_comes_first_person_by_person(run: Run, tmp_path: Path) -> None:
    rows = [{"id": f"d{i}", "person": f"p{i % 4}", "text": f'She said: "{said_by(i)}".'} for i in range(10)]
    said = run("deidentify", written(tmp_path / "few.jsonl", rows), "--out", tmp_path / "out", *RULES)
    lines = said.out.split("\n")
    assert said.code == HELD and lines[1] == "What the texts still say that a stranger could look up:"
    assert "10 quotations, in the texts of 4 of 4 people. Were these words said in public" in flat(said.out)
    people = [row["person"] for row in listed(tmp_path / "out.private")]
    assert len(people) == 10 and len([a for a, b in zip(people, people[1:], strict=False) if a != b]) == 3
    public, whole = (
        json.loads((tmp_path / "out.private" / name).read_text("utf-8"))["outsider"]
        for name in ("held/report.json", "report.json")
    )  # fmt: skip
    assert public["riskiest"] == [] and len(whole["riskiest"]) == 10 and public["kinds"] == whole["kinds"]


def test_reference_texts_about_nobody_of_the_documents_are_refused_without_a_word_of_them(
    run: Run, tmp_path: Path
) -> None:
    strangers = written(tmp_path / "x.jsonl", [{"id": "Quill-Stranger", "text": "Fenwater was there."}])
    said = run("deidentify", notes(tmp_path, 3), "--outsiders", strangers, "--out", tmp_path / "out", *RULES)
    assert said.code == WRONG and "x.jsonl: no reference text is about a person of the documents" in flat(said.err)
    assert "Quill" not in said.err and "Fenwater" not in said.err and not (tmp_path / "out.private").exists()
    bad = written(tmp_path / "bad.jsonl", [{"id": "p1", "text": 3}])
    assert run("deidentify", notes(tmp_path, 3), "--outsiders", bad, "--out", tmp_path / "out", *RULES).code == WRONG


def test_with_a_table_both_lines_stand_there_and_an_audit_measures_the_same(
    run: Run, town: Town, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in town.documents.read_text("utf-8").splitlines()]
    texts = written(tmp_path / "texts.jsonl", [{k: row[k] for k in ("id", "text", "person")} for row in rows])
    said = run(*town.deidentify(tmp_path / "out", "--outsiders", texts, "--method", "none"))
    shown = flat(said.out)
    assert said.code == 0 and "People of your table. " in shown and "among 12 people of the reference texts" in shown
    audited = run("audit", tmp_path / "out", "--private", tmp_path / "out.private", "--original", town.documents, "--people",
                  town.people, "--out", tmp_path / "audit", "--attackers", "bm25", "--outsiders", texts)  # fmt: skip
    assert audited.code == 0 and "Readers who look things up: who searches with " in flat(audited.out)
    both = [json.loads((tmp_path / name / "report.json").read_text("utf-8"))["outsider"] for name in ("out", "audit")]
    rates = [[one["after"]["rate"] for one in made["searched"]["searchers"]] for made in both]
    assert rates[0] == rates[1] and both[1]["listed"] is None
    plain = run("audit", tmp_path / "out", "--private", tmp_path / "out.private", "--original", town.documents, "--people",
                town.people, "--out", tmp_path / "plain", "--attackers", "bm25")  # fmt: skip
    assert plain.code == 0 and "Readers who look things up: not measured." in flat(plain.out)
