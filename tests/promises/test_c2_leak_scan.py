"""C2: no direct identifier of a person survives in that person's released documents, in any spelling we know."""

import dataclasses
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from promise_support import FAST, RELEASE_FILES, Files, json_rows, write_documents, write_people

from unname.errors import SettingsError, UnsafeReleaseError
from unname.job import Deidentification, make_job
from unname.knowledge.fictional import Town
from unname.knowledge.leaks import DirectIdentifiers
from unname.knowledge.population import make_population
from unname.protecting.keys import release_id
from unname.protecting.result import Deidentified
from unname.storage.tables import write_table
from unname.types import Document, Profile
from unname.verbs.deidentify.files import Released, deidentify_files
from unname.verbs.deidentify.in_memory import deidentify
from unname.writing import release as writing

KEY = b"k" * 32
NAMES, NUMBERS = ("given name", "family name"), ("phone", "record number")


def plain(word: str) -> str:
    """A word as people compare it."""
    return unicodedata.normalize("NFKC", word).casefold()


def require_unnamed(texts: list[str | None], people: list[Profile]) -> None:
    """Each text lacks every word of its person's names, and their numbers however these are grouped."""
    for text, profile in zip(texts, people, strict=True):
        left = re.sub(r"\[MASK\]", " ", text or "")
        found = {plain(word) for word in re.findall(r"\w+", left)}
        digits = re.sub(r"[\s().\-/]", "", left)
        for name in NAMES:
            for word in re.findall(r"\w+", profile.fields.get(name, "")):
                assert plain(word) not in found, f"a word of a {name} is left in a released text"
        for name in NUMBERS:
            number = re.sub(r"\D", "", profile.fields.get(name, ""))
            assert not number or number not in digits, f"a {name} is left in a released text"


def owners(result: Deidentified) -> list[Profile]:
    """The profile of each document's person."""
    return [result.population.profiles[result.population.rows[str(d.person)]] for d in result.documents]


def test_no_name_and_no_number_survives_in_a_release(released: Released) -> None:
    result = released.result
    require_unnamed(list(result.texts()), owners(result))
    by_id = {row["id"]: row["text"] for row in json_rows(released.folder / "documents.jsonl")}
    ids = {row["id"]: row["release_id"] for row in json_rows(released.private / "masks.jsonl")}
    require_unnamed([by_id.get(ids[d.id]) for d in result.documents], owners(result))
    with pytest.raises(AssertionError, match="is left"):
        require_unnamed([d.text for d in result.documents], owners(result))


def _people() -> list[Profile]:
    trades = ("baker", "smith", "tailor", "miller", "carter", "fuller", "cooper")
    return [
        Profile("p0", {"given name": "Zoë", "family name": "Quillon", "phone": "0555 570 3312", "trade": "baker"}),
        Profile("p1", {"given name": "Mask", "family name": "Name", "phone": "0555 111 2222", "trade": "smith"}),
        *(Profile(f"p{i}", {"given name": f"Person{i}", "trade": trade}) for i, trade in enumerate(trades, start=2)),
    ]


SPELLINGS = (
    "Quillon", "QUILLON", "quillon", "Quillon's", "(Quillon)", "Ｑｕｉｌｌｏｎ", "Zoë", "Zoe\u0308", "ZOË", "Zoë-Quillon",
    "0555 570 3312", "0555-570-3312", "05555703312", "(0555) 570.33.12", "0555/5703312",
)  # fmt: skip


@pytest.mark.parametrize("transform", ["redact", "collapse", "delete", "numbered"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_is_hidden_or_its_document_withheld(spelling: str, transform: str) -> None:
    documents = [Document("d", f"the baker {spelling} came in", "p0")]
    result = deidentify(
        documents, make_population(_people()), settings=Deidentification(k=1, transform=transform), key=KEY
    )
    require_unnamed(list(result.texts()), [_people()[0]])
    assert result.releases[0] is not None, "hiding it must be enough"


def test_a_person_named_like_a_token_is_hidden_by_that_token_and_the_run_ends() -> None:
    text = "Mask Name, a smith, phone 0555 111 2222; Mask was here. [MASK] [NAME]"
    result = deidentify(
        [Document("d", text, "p1")],
        make_population(_people()),
        settings=dataclasses.replace(Deidentification(k=1), always=["Name", "phone"]),
        key=KEY,
    )
    assert result.releases[0] is not None, "the token that hides a word is no leak"
    left = result.releases[0].text.replace("[MASK]", "")
    assert "mask" not in left.casefold() and "name" not in left.casefold() and "0555" not in left


def test_a_name_that_appears_only_when_words_are_deleted_is_hidden_too() -> None:
    documents = [Document("d", "[QUIL[A]LON] is a baker", "p0")]
    result = deidentify(
        documents, make_population(_people()), settings=Deidentification(k=1, transform="delete"), key=KEY
    )
    require_unnamed(list(result.texts()), [_people()[0]])
    released = result.releases[0]
    assert released is not None, "hiding it must be enough"
    assert not re.search(r"\[[A-Z]+\]", released.text), "deleting must not forge a placeholder"


def _run(files: Files, town: Town, folder: Path, **options: Any) -> Released:
    changed = [
        Document(d.id, d.text, d.person, None, (), {"ward": "4", "text2": "x", "clerk": profile.fields["family name"]})
        for d in town.documents[:12]
        for profile in town.profiles
        if profile.id == d.person
    ]
    return deidentify_files(
        make_job(
            write_documents(folder / "documents.jsonl", changed),
            files.people,
            folder / "out",
            accept_risk="a test",
            masking=Deidentification(k=2, reidentifiers=("bm25",)),
            attackers=FAST,
            **options,
        )
    )


def test_a_kept_column_that_names_the_person_withholds_the_release(
    town_files: Files, town: Town, tmp_path: Path
) -> None:
    with pytest.raises(UnsafeReleaseError) as caught:
        _run(town_files, town, tmp_path, keep=["ward", "clerk"])
    assert caught.value.exit_code == 4
    assert [path.name for path in tmp_path.iterdir()] == ["documents.jsonl"], "nothing may be left behind"


def test_a_kept_column_that_names_nobody_is_released(town_files: Files, town: Town, tmp_path: Path) -> None:
    out = _run(town_files, town, tmp_path, keep=["ward"]).folder
    assert {path.name for path in out.iterdir()} == RELEASE_FILES
    assert {frozenset(row) for row in json_rows(out / "documents.jsonl")} == {frozenset({"id", "text", "ward"})}


@pytest.mark.parametrize("column", ["id", "text"])
def test_a_kept_column_cannot_take_the_place_of_id_or_text(
    column: str, town_files: Files, town: Town, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match="keep"):
        _run(town_files, town, tmp_path, keep=[column])


def test_short_numeric_ids_do_not_withhold_a_release_by_chance(tmp_path: Path) -> None:
    # A keyed id is 32 hexadecimal digits, and among 60 of them some hold any given number of two to four digits.
    people = [Profile(str(1000 + i), {"name": "Zoe", "trade": f"{i % 5}"}) for i in range(60)]
    documents = [Document(f"d{i}", "a trade", p.id) for i, p in enumerate(people)]
    key = tmp_path / "key"
    digits = 0
    while not any(p.id in release_id(digits.to_bytes(32), d.id)
                  for p, d in zip(people, documents, strict=True)):  # fmt: skip
        digits += 1
    key.write_text(f"{digits:064x}\n", encoding="ascii")
    key.chmod(0o600)
    out = deidentify_files(
        make_job(
            write_documents(tmp_path / "documents.jsonl", documents),
            write_people(tmp_path / "people.jsonl", people),
            tmp_path / "out",
            accept_risk="a test",
            masking=Deidentification(k=2, reidentifiers=("bm25",)),
            attackers=FAST,
            key=key,
        )
    )
    assert len(json_rows(out.folder / "documents.jsonl")) == 60


PLAIN_FIND = DirectIdentifiers.find
FAULTS: dict[str, Callable[..., list[tuple[int, int]]]] = {
    "a scan that finds nothing": lambda _self, _text, _row=None: [],
    "a scan that forgets the names": lambda self, text, row=None: PLAIN_FIND(
        DirectIdentifiers(frozenset(), self.sequences, self.digits), text, row
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_check_notices_a_blind_scan(fault: str, town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DirectIdentifiers, "find", FAULTS[fault])
    result = deidentify(
        list(town.documents), make_population(town.profiles), settings=Deidentification(k=1, method="none"), key=KEY
    )
    with pytest.raises(AssertionError, match="is left"):
        require_unnamed(list(result.texts()), owners(result))


def test_text_written_after_the_scan_is_seen_by_the_last_look(
    town_files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = write_table

    def planted(path: Path, given: Iterable[Mapping[str, Any]], **named: Any) -> None:
        rows = [dict(row) for row in given]
        if path.name == "documents.jsonl":
            rows[0]["text"] = rows[0]["text"] + " Ambrose Netheren"
        real(path, rows, **named)

    monkeypatch.setattr(writing, "write_table", planted)
    with pytest.raises(UnsafeReleaseError):
        deidentify_files(
            make_job(
                town_files.documents,
                town_files.people,
                tmp_path / "out",
                accept_risk="a test",
                masking=Deidentification(k=2, reidentifiers=("bm25",)),
                attackers=FAST,
            )
        )
    assert not list(tmp_path.iterdir())
