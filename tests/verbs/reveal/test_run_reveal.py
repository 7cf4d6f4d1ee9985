"""A release with a vault: its originals come back byte for byte, to those who hold a key, and the log says to whom."""

import csv
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from made_files import write_rows, write_town
from made_settings import RULES_ALONE

from unname.apps import cli
from unname.errors import InputError, SettingsError, StateError, VaultError
from unname.knowledge.fictional import fictional_town
from unname.storage.files import left_overs
from unname.terminal.codes import UNSAFE
from unname.verbs.deidentify import files as release_module
from unname.verbs.reveal.run import Asked, reveal_files

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")
# Texts as people write them, and as machines break them.
ODD = ("=SUM(A1)", "'quoted", "two\r\nlines\n\n", "\u202eturned\ufeff", "🩺 Anna\u0301", "[NAME] was here", " ")


@dataclass(frozen=True)
class Made:
    """A release with a vault, and the private key that opens it."""

    documents: Path
    asked: list[str]
    release: Path
    vault: Path
    key: Path

    def originals(self) -> Mapping[str, str]:
        """Every text of the input, by id."""
        return {row["id"]: row["text"] for row in rows_of(self.documents)}


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def public_key(file: Path) -> str:
    found = re.search(r"age1\w+", file.read_text(encoding="ascii"))
    assert found
    return found[0]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    town = fictional_town(people=24, seed=3)
    documents, people = write_town(town, tmp_path)
    rows = rows_of(documents)[: 2 * len(ODD)]
    write_rows(documents, [row | {"text": f"{odd}{row['text']}{odd}"} for row, odd in zip(rows, ODD * 2, strict=True)])
    assert cli.run(["identity", str(tmp_path / "me.key")]) == 0
    asked = [
        "deidentify", str(documents), "--people", str(people), "--k", "3", "--method", "greedy", "--reidentifiers", "bm25",
        "--attackers", "bm25,facts", "--workers", "1", *RULES_ALONE, "--vault", str(tmp_path / "v.age"),
        "--recipient", public_key(tmp_path / "me.key"),
    ]  # fmt: skip
    return Made(documents, asked, tmp_path / "out", tmp_path / "v.age", tmp_path / "me.key")


def make(made: Made, *more: str) -> None:
    assert cli.run([*made.asked, "--out", str(made.release), "--accept-risk", "a test", *more]) in (0, 3)


def reveal(made: Made, *more: str) -> list[str]:
    return ["reveal", str(made.release), "--vault", str(made.vault), "--identity", str(made.key), *more]


def give_back(made: Made, released: Path, out: Path, asked: Asked | None = None) -> int:
    return reveal_files(released, out, vault=made.vault, identity=made.key, asked=asked)


def test_every_original_comes_back_byte_for_byte(made: Made, tmp_path: Path) -> None:
    make(made)
    assert cli.run(reveal(made, "--out", str(tmp_path / "o.jsonl"), "--reason", "an appeal")) == 0
    back, released = rows_of(tmp_path / "o.jsonl"), {row["id"] for row in rows_of(made.release / "documents.jsonl")}
    assert {row["release_id"] for row in back} == released and len(back) == len(released) > len(ODD)
    assert all(made.originals()[row["id"]] == row["text"] for row in back)
    people = {row["id"]: row["person"] for row in rows_of(made.documents)}
    assert all(people[row["id"]] == row["person"] for row in back)
    for path in (made.vault, tmp_path / "o.jsonl", made.vault.with_name("v.age.log")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (entry,) = rows_of(made.vault.with_name("v.age.log"))
    assert entry["reason"] == "an appeal" and entry["release_ids"] == "all" and entry["documents"] == len(back)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_release_of_another_kind_has_its_vault_too(kind: str, made: Made, tmp_path: Path) -> None:
    make(made, "--out-format", kind)
    assert cli.run(reveal(made, "--out", str(tmp_path / "o.csv"))) == 0
    with (tmp_path / "o.csv").open(encoding="utf-8", newline="") as stream:
        back = {row["id"]: row["text"] for row in csv.DictReader(stream)}
    assert cli.run(reveal(made, "--out", str(tmp_path / "o.parquet"))) == 0
    assert cli.run(reveal(made, "--out", str(tmp_path / "o.jsonl"))) == 0
    exact = {row["id"]: row["text"] for row in rows_of(tmp_path / "o.jsonl")}
    originals = made.originals()
    assert back.keys() == exact.keys() and all(originals[name] == text for name, text in exact.items())
    # A spreadsheet would take these for a formula.
    changed = {name: text for name, text in back.items() if text != originals[name]}
    assert changed == {name: f"'{text}" for name, text in exact.items() if text.startswith("=")} != {}


def test_one_person_comes_back_alone(made: Made, tmp_path: Path) -> None:
    make(made)
    assert cli.run(reveal(made, "--out", str(tmp_path / "all.jsonl"))) == 0
    every = rows_of(tmp_path / "all.jsonl")
    person, other = every[0]["person"], next(row for row in every if row["person"] != every[0]["person"])
    assert cli.run(reveal(made, "--out", str(tmp_path / "one.jsonl"), "--person", person)) == 0
    assert rows_of(tmp_path / "one.jsonl") == [row for row in every if row["person"] == person]
    asked = ("--person", person, "--document", other["release_id"], "--out", str(tmp_path / "two.jsonl"))
    assert cli.run(reveal(made, *asked)) == 0
    assert other in rows_of(tmp_path / "two.jsonl")
    log = rows_of(made.vault.with_name("v.age.log"))
    assert len(log) == 3 and log[1]["release_ids"] == [row["release_id"] for row in every if row["person"] == person]
    assert person not in made.vault.with_name("v.age.log").read_text(encoding="utf-8"), "the log names nobody"


def test_another_key_ends_with_1_and_leaves_nothing(
    made: Made, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    make(made)
    assert cli.run(["identity", str(tmp_path / "other")]) == 0
    capfd.readouterr()
    asked = ["reveal", str(made.release), "--vault", str(made.vault), "--identity", str(tmp_path / "other")]
    assert cli.run([*asked, "--out", str(tmp_path / "o.jsonl")]) == 1
    assert capfd.readouterr().err.strip() == "error: the vault cannot be opened with this key"
    assert not (tmp_path / "o.jsonl").exists() and not made.vault.with_name("v.age.log").exists()


def test_a_vault_that_was_changed_gives_nothing_back(made: Made, tmp_path: Path) -> None:
    make(made)
    whole = made.vault.read_bytes()
    made.vault.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(VaultError):
        give_back(made, made.release, tmp_path / "o.jsonl")
    assert not (tmp_path / "o.jsonl").exists() and not left_overs(tmp_path)


def test_nobody_reveals_without_an_entry_in_the_log(made: Made, tmp_path: Path) -> None:
    make(made)
    out, log = tmp_path / "o.jsonl", made.vault.with_name("v.age.log")
    log.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StateError, match="nothing was revealed"):
        give_back(made, made.release, out)
    log.unlink()
    for _ in range(3):
        give_back(made, made.release, out)
        out.unlink()
    entries = log.read_bytes().splitlines(keepends=True)
    assert len(entries) == 3
    for left, line in (([entries[0], entries[2]], 2), ([entries[1], entries[2]], 1), ([entries[0], b"{}\n"], 2)):
        log.write_bytes(b"".join(left))
        with pytest.raises(StateError, match=f"line {line} of the log"):
            give_back(made, made.release, out)
        assert not out.exists()


def test_people_who_reveal_at_once_all_stand_in_the_log(made: Made, tmp_path: Path) -> None:
    make(made)
    command = [sys.executable, "-m", "unname", *reveal(made)]
    running = [subprocess.Popen([*command, "--out", str(tmp_path / f"{n}.jsonl")]) for n in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    give_back(made, made.release, tmp_path / "last.jsonl")
    assert len(rows_of(made.vault.with_name("v.age.log"))) == 5


def test_somebody_without_a_name_is_logged_by_number(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found: 1234")

    make(made)
    monkeypatch.setattr("getpass.getuser", nobody)
    give_back(made, made.release, tmp_path / "o.jsonl")
    assert rows_of(made.vault.with_name("v.age.log"))[0]["user"] == f"user {os.getuid()}"


def test_a_release_of_another_run_is_refused(made: Made, tmp_path: Path) -> None:
    make(made)
    other = write_rows(tmp_path / "other.jsonl", [{"id": "f" * 32, "text": "a note"}])
    with pytest.raises(StateError, match="1 documents of the release are not in this vault"):
        give_back(made, other, tmp_path / "o.jsonl")
    with pytest.raises(InputError, match="no document of this release"):
        give_back(made, made.release, tmp_path / "o.jsonl", Asked(frozenset(["nobody"])))


def test_a_held_release_and_the_same_let_go_have_one_vault(made: Made, tmp_path: Path) -> None:
    assert cli.run([*made.asked, "--out", str(made.release)]) == UNSAFE
    private = made.release.with_name("out.private")
    give_back(made, private / "held", tmp_path / "held.jsonl")
    assert cli.run(["release", str(private), "--accept-risk", "a test"]) in (0, 3)
    give_back(made, made.release, tmp_path / "o.jsonl")
    assert (tmp_path / "o.jsonl").read_bytes() == (tmp_path / "held.jsonl").read_bytes()


def test_a_vault_gives_way_only_if_asked_and_only_with_its_release(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    make(made)
    first = made.vault.read_bytes()
    again = [*made.asked, "--out", str(made.release), "--accept-risk", "a test"]
    assert cli.run([*again[:-4], "--out", str(made.release.with_name("two")), "--accept-risk", "a test"]) == 5
    with monkeypatch.context() as patch:
        patch.setattr(release_module, "finish", _full)
        assert cli.run([*again, "--replace"]) == 5
    assert made.vault.read_bytes() == first and not left_overs(made.vault.parent)
    assert cli.run([*again, "--replace"]) in (0, 3)
    assert made.vault.read_bytes() != first
    made.vault.write_text("notes of mine", encoding="utf-8")
    assert cli.run([*again, "--replace"]) == 5
    assert made.vault.read_text(encoding="utf-8") == "notes of mine"


def _full(*_: Any, **__: Any) -> None:
    raise StateError("the disk is full")


@pytest.mark.parametrize("left_out", ["--vault", "--recipient"])
def test_a_vault_needs_a_recipient_and_a_recipient_a_vault(left_out: str, made: Made) -> None:
    place = made.asked.index(left_out)
    assert cli.run([*made.asked[:place], *made.asked[place + 2 :], "--out", str(made.release)]) == 2
    assert not made.release.exists() and not made.vault.exists()


@pytest.mark.parametrize("folder", ["out", "out.private"])
def test_a_vault_has_no_place_in_a_folder_that_is_replaced(folder: str, made: Made) -> None:
    place = made.release.with_name(folder) / "v.age"
    asked = [word if word != str(made.vault) else str(place) for word in made.asked]
    assert cli.run([*asked, "--out", str(made.release)]) == 2
    assert not place.parent.exists()


@pytest.mark.parametrize("name", ["o", "o.xlsx", "o.CSV", "o.txt"])
def test_what_is_no_table_is_refused_before_anything_is_logged(name: str, made: Made, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="out must be a table"):
        give_back(made, tmp_path, tmp_path / name)
    assert not made.vault.with_name("v.age.log").exists()


def test_nothing_is_written_without_a_vault(made: Made, tmp_path: Path) -> None:
    place = made.asked.index("--vault")
    assert cli.run([*made.asked[:place], "--out", str(made.release), "--accept-risk", "a test"]) in (0, 3)
    held = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and "out" in str(path))
    assert not made.vault.exists() and b"age-encryption" not in held
