"""C11: a verdict counts everybody, and no low figure hides those whom the table of people does not cover.

Each case is a release of readable people that nobody of the table can be found in: the run must keep it, and say why.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from made_registry import Row, note, notes, registry, write
from made_settings import RULES_ALONE

from unname.apps import cli
from unname.attacking.choice import needed

HELD, WRONG = 4, 1
FAST = (
    "--k",
    "3",
    "--reidentifiers",
    "bm25",
    "--attackers",
    "bm25,names",
    "--rounds",
    "0",
    "--workers",
    "1",
    *RULES_ALONE,
    "--method",
)
Said = tuple[int, str, str]
Run = Callable[..., Said]


@pytest.fixture
def said(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Deidentify people and documents by the command, with term matching and few attackers, and give what it says."""

    def go(people: list[Row], documents: list[dict[str, Any]], *more: str, method: str = "tagged") -> Said:
        files = write(tmp_path, people, documents)
        capfd.readouterr()
        command = ["deidentify", files[0], "--people", files[1], "--out", tmp_path / "out", *FAST, method, *more]
        code = cli.run([str(word) for word in command])
        captured = capfd.readouterr()
        return code, " ".join(captured.out.split("found at the first guess")[0].split()), captured.err

    return go


def held(answer: Said, line: str) -> bool:
    """Whether nothing was released, and the verdict's box says this."""
    code, box, _ = answer
    return code == HELD and line in box


def without(people: list[Row], *fields: str) -> list[Row]:
    return [{name: value for name, value in row.items() if name not in fields} for row in people]


def test_a_table_of_names_alone_leaves_attackers_nothing_to_go_by(said: Run) -> None:
    people = registry()
    answer = said(without(people, "job", "employer", "village"), notes(people))
    assert held(answer, "Nothing but names is known of these people")


def test_a_field_that_hardly_tells_anybody_apart_is_no_more_than_none(said: Run) -> None:
    beside = {"north": "on the north side", "south": "on the south side"}
    people = [row | {"ward": "north" if i % 2 else "south", "seq": str(7000 + i)} for i, row in enumerate(registry())]
    documents = notes(people, lambda row, number: f"{note(row, number)} Seen {beside[row['ward']]}.")
    answer = said(without(people, "job", "employer", "village"), documents)
    assert held(answer, "would lead to 3.3 % of them at most")


def test_people_whom_the_table_does_not_name_are_counted_and_what_stands_for_no_name_is_no_word_to_hide(
    said: Run, tmp_path: Path
) -> None:
    people = registry()
    nothing = ("", "-", "unknown", "n/a", "NaN", "XXX")
    listed = [
        row | dict.fromkeys(("given_name", "family_name"), nothing[i // 2 % 6]) if i % 2 else row
        for i, row in enumerate(people)
    ]
    assert held(said(listed, notes(people)), "The table holds no name of 30 of the 60 people")
    texts = [json.loads(line)["text"] for line in (tmp_path / "out.private/held/documents.jsonl").open()]
    assert texts and all(text.endswith("The unknown rests.") for text in texts)


def test_a_table_without_any_name_needs_a_word_that_texts_name_nobody(said: Run) -> None:
    people = registry()
    bare = without(people, "given_name", "family_name")
    assert held(said(bare, notes(people)), "The table holds no name of 60 of the 60 people")


def test_texts_that_were_joined_to_other_people_are_counted(said: Run) -> None:
    people, lot = registry(), Random(0)
    documents = notes(people)
    wrong = lot.sample(range(60), 24)
    persons = {a: documents[b]["person"] for a, b in zip(wrong, wrong[1:] + wrong[:1], strict=True)}
    joined = [row | {"person": persons.get(i, row["person"])} for i, row in enumerate(documents)]
    answer = said(people, joined)
    assert held(answer, "24 of 60 documents name another person of the table in full, and not their own")


def company(people: list[Row]) -> Callable[[Row, int], str]:
    """Notes that name somebody else, with job and illness."""

    def text(row: Row, number: int) -> str:
        other = people[(number + 31) % 60]
        named = f"{other['given_name']} {other['family_name']}"
        return f"{note(row, number)} With them was {named}, {other['job']} at {other['employer']}, who has gout."

    return text


def test_other_people_of_the_table_are_no_less_found_for_being_beside(said: Run) -> None:
    people = registry()
    documents = notes(people, company(people))
    code, box, _ = answer = said(people, documents)
    assert held(answer, "the release still names in full") and "--protect everyone-known" in box
    assert "100.0 % (94.0–100.0) of 60" in box and code == HELD and box.startswith("Not yet")


def test_a_limit_above_the_usual_one_needs_a_reason(said: Run, tmp_path: Path) -> None:
    people = registry()
    answer = said(people, notes(people), "--max-risk", "1", "--audit-sample", "60", method="none")
    assert held(answer, "The limit was raised to 100.0 %") and "May go out" not in answer[1]
    assert cli.run(["release", str(tmp_path / "out.private"), "--accept-risk", "a test"]) == 0


def test_rows_of_one_person_that_differ_in_a_record_number_are_refused_or_merged(said: Run) -> None:
    people = without(registry(), "birth_date")
    again = [people[0] | {"id": f"x{i}", "record_number": str(50_000_000 + i)} for i in range(11)]
    code, _, err = said([*people, *again], notes(people))
    assert code == WRONG and "11 of 71 profiles" in err and "--duplicates merge" in err
    others = [row | {"given_name": "Solveig", "family_name": FAR[i]} for i, row in enumerate(again)]
    code, _, _ = said([*people, *others], notes(people), "--audit-sample", "3")
    assert code == HELD, "equal rows of different names are a crowd"


FAR = """
Abbotsway Bellcote Carnforth Dovedale Elmhirst Foxearth Grimwith Haverigg Ibstock Jedfoot Kirkby
""".split()  # noqa: SIM905 (as a list it takes a page)


def kept_values(row: Row, number: int) -> dict[str, str]:
    """Codes that anybody can make of a registry, a key of its own for each document, and what many share."""
    return {
        "born": "x" + row["birth_date"].replace("-", ""), "back": row["record_number"][::-1],
        "hash": hashlib.md5(row["record_number"].encode(), usedforsecurity=False).hexdigest(),
        "initials": row["given_name"][0] + row["family_name"][0] + row["birth_date"][2:4],
        "key": hashlib.sha256(f"secret {number}".encode()).hexdigest()[:6],
        "ward": ("north", "south")[number % 2], "seen": f"2023-{number % 12 + 1:02d}-{number % 28 + 1:02d}",
    }  # fmt: skip


def test_kept_columns_let_nobody_out_in_another_form_and_what_many_share_stays_free(said: Run) -> None:
    people = registry()
    documents = [row | kept_values(people[i], i) for i, row in enumerate(notes(people))]
    columns = ("born", "back", "hash", "initials", "key", "ward", "seen")
    code, box, _ = said(people, documents, "--keep", ",".join(columns), method="none")
    assert code == HELD
    hold = [name for name in columns if f"“{name}” hold direct identifiers of the person in another form" in box]
    assert hold == ["born", "back", "hash", "initials"]
    unique = [name for name in columns if f"“{name}” are nearly unique" in box]
    assert "key" in unique and not {"ward", "seen"} & set(unique)


def test_kept_ids_let_nobody_out_either(said: Run) -> None:
    people = registry()
    documents = [row | {"id": kept_values(people[i], i)["hash"]} for i, row in enumerate(notes(people))]
    code, box, _ = said(people, documents, "--ids", "keep")
    assert code == HELD and "The kept ids hold direct identifiers" in box and "The kept ids are nearly unique" in box


def test_rows_that_somebody_adds_to_the_table_do_not_improve_what_is_read_first(said: Run, tmp_path: Path) -> None:
    people = registry()
    added = [row | {"id": f"more-{row['id']}", "given_name": f"{row['given_name']}a"} for row in registry(240)[60:]]
    _, box, _ = said([*people, *added], notes(people), method="none")
    assert "among the 60 people of these documents alone" in box and "among 100 people of the table" in box
    stated = json.loads((tmp_path / "out.private/held/report.json").read_text(encoding="utf-8"))["among"]
    assert stated["people"] == stated["own"]["n"] == 60 and stated["own"]["rate"] > 0.5 < stated["hundred"]["rate"]
    page = (tmp_path / "out.private/held/report.html").read_text(encoding="utf-8")
    assert "among the 60 people of these documents alone" in page.partition("What would help")[0]


def test_facts_that_no_table_holds_have_a_line_of_their_own(said: Run) -> None:
    people = registry()
    _, box, _ = said(people, notes(people))
    assert "Readers who look things up: not measured." in box


def crew(people: int = 60) -> list[Row]:
    """People whose job and employer and village are not those of the registry's."""
    rows = registry(people + 60)[60:]
    return [row | {"id": f"s{i}", "family_name": f"{row['family_name']}by"} for i, row in enumerate(rows)]


def known(tmp_path: Path, people: list[Row]) -> tuple[str, str]:
    """A table that the attackers know in place of the masking's own."""
    (tmp_path / "a").mkdir()
    return "--attacker-people", str(write(tmp_path / "a", people, [])[1])


@pytest.mark.parametrize("said_of_them", [("--direct", "none"), ("--direct-only", "record_number")])
def test_names_that_nobody_is_told_to_hide_are_counted_where_they_stay(
    said: Run, said_of_them: tuple[str, str]
) -> None:
    people = registry()
    answer = said(people, notes(people), *said_of_them, "--without-fields", "given_name,family_name", method="composed")
    assert held(answer, "documents still name their own person in full")


def test_attackers_who_do_not_know_the_people_find_nobody(said: Run, tmp_path: Path) -> None:
    people = registry()
    answer = said(people, notes(people), *known(tmp_path, [*people[:7], *crew()]))
    assert held(answer, "The attackers' table lacks 53 of the 60 people")


def test_attackers_who_know_names_alone_are_given_no_better_a_verdict_than_a_table_of_names(
    said: Run, tmp_path: Path
) -> None:
    people = registry()
    answer = said(people, notes(people), *known(tmp_path, without(people, "job", "employer", "village")))
    assert held(answer, "Nothing but names is known of these people")


def test_other_people_are_named_whether_or_not_the_attackers_know_names(said: Run, tmp_path: Path) -> None:
    people = registry()
    table = known(tmp_path, without(people, "given_name", "family_name"))
    assert held(said(people, notes(people, company(people)), *table), "the release still names in full 100.0 %")


def test_people_of_whom_the_table_says_nothing_are_counted_one_by_one(said: Run) -> None:
    people = registry()
    empty = dict.fromkeys(("job", "employer", "village"), "")
    listed = [row | empty if i % 2 else row for i, row in enumerate(people)]
    answer = said(listed, notes(people), method="composed")
    assert held(answer, "Of 30 of the 60 people the table says nothing that texts state")


def test_a_long_field_that_no_text_states_tells_attackers_nothing(said: Run) -> None:
    lot, people = Random(2), without(registry(), "job", "employer", "village")
    filled = [row | {"remarks": " ".join(f"lorem{lot.randrange(99)}" for _ in range(40))} for row in people]
    assert held(said(filled, notes(registry())), "Nothing but names is known of these people")


def test_names_that_the_table_spells_in_another_script_are_seen_to_stay(said: Run) -> None:
    people = registry()
    texts = notes(people, lambda row, number: note(row | {"given_name": "Peter"}, number))
    script = str.maketrans("abcdefghiklmnoprstuvwxyzjq", "абцдефгхиклмнопрстувшхызйк")
    listed = [
        row | {n: row[n].lower().translate(script).title() for n in ("given_name", "family_name")} for row in people
    ]
    assert held(said(listed, texts, method="composed"), "documents a name seems to be readable")


@pytest.fixture
def audited(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., str]:
    """Audit any tool's release of the registry's notes, and give the verdict and why."""

    def go(people: list[Row], released: list[dict[str, Any]], *more: str) -> str:
        files = write(tmp_path, people, notes(registry()))
        (tmp_path / "r").mkdir()
        release, _ = write(tmp_path / "r", [], [{"id": row["id"], "text": row["text"]} for row in released])
        command = ["audit", release, "--original", files[0], "--people", files[1], "--out", tmp_path / "report", "--audit",
                   "quick", "--workers", "1", *more]  # fmt: skip
        capfd.readouterr()
        cli.run([str(word) for word in command])
        return " ".join(capfd.readouterr().out.split("found at the first guess")[0].split())

    return go


def test_documents_that_are_not_released_make_no_release_of_others_safe(audited: Callable[..., str]) -> None:
    box = audited(registry(), notes(registry())[:6], "--max-risk", "20%")
    assert box.startswith("Weak evidence") and "Attackers were tried on 6 people" in box
    assert "of those who are released 100.0 % are" in box


def test_a_mask_pattern_that_matches_what_the_original_says_hides_nothing(audited: Callable[..., str]) -> None:
    assert audited(registry(), notes(registry()), "--mask-pattern", ".+").startswith("Not yet")


def test_an_audit_sees_names_that_the_table_lacks(audited: Callable[..., str]) -> None:
    people = without(registry(), "given_name", "family_name", "birth_date", "record_number")
    masked = [
        {"id": f"d{i}", "text": note(dict.fromkeys(row, "[MASK]") | {n: row[n] for n in ("given_name", "family_name")})}
        for i, row in enumerate(registry())
    ]
    assert "documents a name seems to be readable" in audited(people, masked)


def test_attackers_who_read_of_nobody_else_let_nothing_out_unless_somebody_says_why_nobody_can(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    people = registry(120)
    files = write(tmp_path, people, notes(people))
    command = ["deidentify", *files, "--out", tmp_path / "out", "--k", "3", "--reidentifiers", "bm25", "--attackers",
               ",".join(needed()), "--workers", "1", "--method", "idf", "--idf-threshold", "0"]  # fmt: skip
    command.insert(2, "--people")
    capfd.readouterr()
    assert cli.run([str(word) for word in command]) == HELD
    box = " ".join(capfd.readouterr().out.split())
    assert box.startswith("Weak evidence") and "Attackers could read no documents about other people" in box
    assert "or say why nobody outside has any (--others-private REASON)" in box
    reason = ["--others-private", "one archive holds all", "--replace"]
    assert cli.run([str(word) for word in [*command, *reason]]) == 0
    box = " ".join(capfd.readouterr().out.split())
    assert box.startswith("May go out") and "documents about other people: one archive holds all." in box
    stated = [json.loads((tmp_path / "out" / name).read_text("utf-8")) for name in ("manifest.json", "report.json")]
    assert stated[0]["options"]["others_private"] == stated[1]["others_private"] == "one archive holds all"
    assert "one archive holds all" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    quick = [
        "quick" if word == ",".join(needed()) else "--audit" if word == "--attackers" else word for word in command
    ]
    assert cli.run([str(word) for word in [*quick, *reason]]) == HELD, "the same by a quick audit"
    box = " ".join(capfd.readouterr().out.split())
    assert box.startswith("Weak evidence") and "left out who may find many more: additive, infilling" in box
