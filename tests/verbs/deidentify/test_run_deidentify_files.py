"""A release as files: what is written where, who may read it, and what stops it from being written at all."""

import hashlib
import json
import stat
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_settings import by_rules

from unname.errors import InputError, SettingsError, StateError, UnnameError, UnsafeReleaseError
from unname.inputs.training_documents import ALWAYS
from unname.job import make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.protecting import look as looking
from unname.protecting import mandatory
from unname.protecting.keys import KEY_BYTES, new_key, read_key, release_id, target_crowd
from unname.protecting.result import Deidentified
from unname.storage.manifest import keyed_hash
from unname.taggers.rules.tagger import Rules
from unname.text import folded_words
from unname.verbs.deidentify import files as module
from unname.verbs.deidentify.files import Released, deidentify_files, versioned
from unname.verifying import written
from unname.verifying.written import REREAD
from unname.writing.layout import private_folder

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

K = 4
SETTINGS = by_rules(k=K)
ATTACKERS = ("bm25", "names")


def lines(path: Path) -> list[dict[str, Any]]:
    """Rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(folder: Path, town: Town, **more: Any) -> tuple[Path, Path]:
    """The town as input files; `more` are functions of a document that give extra columns."""
    documents, people = folder / "documents.jsonl", folder / "people.jsonl"
    rows = [
        {"id": d.id, "person": d.person, "text": d.text, "ward": "north", **{n: f(d) for n, f in more.items()}}
        for d in town.documents
    ]
    documents.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    people.write_text(
        "".join(json.dumps({"id": p.id, "fields": dict(p.fields)}) + "\n" for p in town.profiles), encoding="utf-8"
    )
    return documents, people


@pytest.fixture(scope="module")
def town() -> Town:
    """Twenty-four people."""
    return fictional_town(people=24, seed=2)


@pytest.fixture(scope="module")
def made(town: Town, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Released]:
    """A release with everything by default, two words that must stay, and a column kept."""
    folder = tmp_path_factory.mktemp("made")
    documents, people = write(folder, town)
    (folder / "never").write_text("# words that must stay\nQuillbeck\n", encoding="utf-8")
    (folder / "key").write_text("ab" * 32, encoding="utf-8")
    (folder / "key").chmod(0o600)
    released = deidentify_files(
        make_job(
            documents,
            people,
            folder / "out",
            accept_risk="a test",
            masking=SETTINGS,
            attackers=ATTACKERS,
            never=folder / "never",
            key=folder / "key",
            keep=("ward",),
        )
    )
    return folder, released


def quick(folder: Path, town: Town, out: str, **options: Any) -> Released:
    """A release without search or curve, in a second."""
    documents, people = write(folder, town, **options.pop("columns_of", {}))
    settings = options.pop("settings", by_rules(k=K, method="none"))
    return deidentify_files(
        make_job(
            documents, people, folder / out, accept_risk="a test", masking=settings, attackers=("bm25",), **options
        )
    )


# --- what is written


def test_a_release_is_two_folders_with_the_files_of_the_contract(made: tuple[Path, Released]) -> None:
    folder, released = made
    assert released.folder == folder / "out" and released.private == folder / "out.private"
    assert {p.name for p in released.folder.iterdir()} == {
        "documents.jsonl", "report.html", "report.json", "manifest.json", ".unname",
    }  # fmt: skip
    assert {"masks.jsonl", "documents.jsonl", "failures.jsonl", "offsets.jsonl", "key"} <= {
        p.name for p in released.private.iterdir()
    }
    assert {p.name for p in folder.iterdir()} == {
        "out", "out.private", "documents.jsonl", "people.jsonl", "never", "key",
    }, "nothing else is left behind"  # fmt: skip


def test_the_private_folder_is_for_its_owner_alone(made: tuple[Path, Released]) -> None:
    _, released = made
    assert stat.S_IMODE(released.private.stat().st_mode) == 0o700
    assert {stat.S_IMODE(p.stat().st_mode) for p in released.private.iterdir()} == {0o600}


def test_released_and_withheld_add_up_to_the_input(made: tuple[Path, Released], town: Town) -> None:
    _, released = made
    public, failed = lines(released.folder / "documents.jsonl"), lines(released.private / "failures.jsonl")
    assert len(public) + len(failed) == len(town.documents)
    assert {row["id"]: row["reason"] for row in failed} == dict(released.result.withheld)
    assert all(row["reason"] for row in failed)
    report = json.loads((released.folder / "report.json").read_text(encoding="utf-8"))
    assert report["withheld"]["documents"] == len(failed)
    assert sum(report["withheld"]["reasons"].values()) == len(failed)
    assert report["documents"] == len(town.documents) == sum(report["crowds"]["counts"]) + len(failed)
    assert report == released.report.public().as_dict()
    assert json.loads((released.private / "report.json").read_text("utf-8")) == released.report.as_dict()


def test_released_rows_hold_keyed_ids_in_their_own_order_the_text_and_kept_columns(
    made: tuple[Path, Released], town: Town
) -> None:
    _, released = made
    public = lines(released.folder / "documents.jsonl")
    assert all(set(row) == {"id", "text", "ward"} and row["ward"] == "north" for row in public)
    key = bytes.fromhex("ab" * 32)
    texts = {release_id(key, d.id): t for d, t in zip(town.documents, released.result.texts(), strict=True) if t}
    assert {row["id"]: row["text"] for row in public} == texts
    assert [row["id"] for row in public] == sorted(texts)
    order = [release_id(key, d.id) for d in town.documents]
    assert [row["id"] for row in public] != [name for name in order if name in texts]
    plain = {hashlib.sha256(d.id.encode()).hexdigest()[:32] for d in town.documents}
    assert not plain & set(texts), "an id is never a bare hash"


def test_hashes_in_the_manifest_are_those_of_the_files(made: tuple[Path, Released]) -> None:
    folder, released = made
    manifest = json.loads((released.folder / "manifest.json").read_text(encoding="utf-8"))

    def digest(path: Path) -> str:
        return hashlib.sha256(path.read_bytes()).hexdigest()

    assert manifest["files"] == {
        name: digest(released.folder / name) for name in ("documents.jsonl", "report.html", "report.json")
    }
    key = bytes.fromhex("ab" * 32)
    assert manifest["inputs"]["documents"] == keyed_hash(folder / "documents.jsonl", key)
    assert manifest["inputs"]["people"] == keyed_hash(folder / "people.jsonl", key)
    for name in ("documents.jsonl", "people.jsonl", "never", "key"):
        assert digest(folder / name) not in json.dumps(manifest), "a guess of an input could be checked"
    assert manifest["settings"]["method"] == "adaptive.v1" and manifest["settings"]["taggers"] == ["rules.v1"]
    assert manifest["settings"]["reidentifiers"] == ["bm25.v1", "ngrams.v1"]
    assert manifest["settings"]["k"] == K and manifest["settings"]["seed"] == 0
    assert manifest["settings"] == json.loads(
        json.dumps(
            versioned(replace(SETTINGS, reidentifiers=ALWAYS, keep=("ward",), unknown_person="error"), [Rules()])
        )
    )
    assert "ab" * 32 not in (released.folder / "manifest.json").read_text(encoding="utf-8")


def test_private_masks_and_offsets_lead_from_the_release_back_to_the_original(
    made: tuple[Path, Released], town: Town
) -> None:
    _, released = made
    texts = {d.id: d.text for d in town.documents}
    public = {row["id"]: row["text"] for row in lines(released.folder / "documents.jsonl")}
    masks = {row["id"]: row for row in lines(released.private / "masks.jsonl")}
    assert set(masks) == set(texts)
    offsets = lines(released.private / "offsets.jsonl")
    assert {row["release_id"] for row in offsets} == set(public) and public
    for row in offsets:
        out, original = public[row["release_id"]], texts[row["id"]]
        spans = {(s["start"], s["end"]) for s in masks[row["id"]]["spans"]}
        for a, b, c, d in row["pieces"]:
            assert (c, d) in spans or out[a:b] == original[c:d]
        assert "".join(out[a:b] for a, b, _, _ in row["pieces"]) == out
        assert "".join(original[c:d] for _, _, c, d in row["pieces"]) == original


def test_the_private_table_states_crowds_targets_and_cost(made: tuple[Path, Released]) -> None:
    _, released = made
    rows = lines(released.private / "documents.jsonl")
    for row, crowds, target in zip(rows, released.result.crowds, released.result.targets, strict=True):
        assert row["crowds"] == dict(crowds) and row["target"] == target
        assert 0 <= row["hidden_words"] <= row["words"]
        assert row["withheld"] == (row["id"] in released.result.withheld)
        if not row["withheld"]:
            assert min(row["crowds"].values()) >= K and min(row["person_crowds"].values()) >= K


# --- options


def test_the_same_key_writes_the_same_bytes_and_another_key_other_ids(town: Town, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("cd" * 32, encoding="utf-8")
    (tmp_path / "key").chmod(0o600)
    one = quick(tmp_path, town, "one", key=tmp_path / "key")
    two = quick(tmp_path, town, "two", key=tmp_path / "key")
    other = quick(tmp_path, town, "other")
    for name in ("documents.jsonl", "report.json", "report.html", "manifest.json"):
        assert (one.folder / name).read_bytes() == (two.folder / name).read_bytes()
    ids = [{row["id"] for row in lines(r.folder / "documents.jsonl")} for r in (one, other)]
    assert ids[0] and not ids[0] & ids[1]


def test_kept_ids_keep_order_too_and_no_column_is_kept_unasked(town: Town, tmp_path: Path) -> None:
    made = quick(tmp_path, town, "out", settings=by_rules(k=K, method="none", ids="keep"))
    rows = lines(made.folder / "documents.jsonl")
    assert [row["id"] for row in rows] == [d.id for d in town.documents]
    assert all(set(row) == {"id", "text"} for row in rows)


def test_a_direct_identifier_in_a_kept_column_stops_the_release_and_leaves_nothing(town: Town, tmp_path: Path) -> None:
    people = {p.id: p for p in town.profiles}
    column = {"about": lambda d: f"file of {people[d.person].fields['family name']}, closed"}
    with pytest.raises(UnsafeReleaseError) as caught:
        quick(tmp_path, town, "out", keep=("about",), columns_of=column)
    assert caught.value.exit_code == 4
    assert {p.name for p in tmp_path.iterdir()} == {"documents.jsonl", "people.jsonl"}
    assert not any(p.fields["family name"] in str(caught.value) for p in town.profiles)
    quick(tmp_path, town, "out", columns_of=column)


def test_a_text_changed_after_it_was_cleared_is_not_released(town: Town, tmp_path: Path, monkeypatch) -> None:
    real = module.write_documents

    def careless(path: Path, *rest: Any) -> None:
        real(path, *rest)
        path.write_text(path.read_text(encoding="utf-8").replace("[MASK]", town.profiles[0].fields["family name"]))

    monkeypatch.setattr(module, "write_documents", careless)
    with pytest.raises(UnsafeReleaseError):
        quick(tmp_path, town, "out")
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.private").exists()


def json_rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that masks and checks before writing sees no direct identifier."""
    monkeypatch.setattr(mandatory.MandatoryMask, "spans_of", lambda self, document, row, identifiers: [])
    monkeypatch.setattr(looking, "surviving", lambda identifiers, text, tokens, row: [])


def test_the_second_reading_withholds_whom_everything_before_it_missed(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind(monkeypatch)
    made = quick(tmp_path, town, "out")
    reasons = Counter(made.result.withheld.values())
    assert reasons[REREAD] == made.report.withheld.reread > 10, "listed apart"
    assert made.report.withheld.reasons == dict(sorted(reasons.items()))
    names = {p.id: folded_words(f"{p.fields['given name']} {p.fields['family name']}") for p in town.profiles}
    person = {d.id: str(d.person) for d in town.documents}
    shown = {row["id"]: row["text"] for row in json_rows_of(made.folder / "documents.jsonl")}
    owners = {row["release_id"]: person[row["id"]] for row in json_rows_of(made.private / "masks.jsonl")}
    assert len(shown) == len(town.documents) - len(made.result.withheld)
    for name, text in shown.items():
        long = {word for word in names[owners[name]] if len(word) > 3}
        assert long.isdisjoint(folded_words(text))
    failures = json_rows_of(made.private / "failures.jsonl")
    assert [row["id"] for row in failures if row["reason"] == REREAD]
    assert "found only by the second reading" in (made.folder / "report.html").read_text("utf-8")


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "txt"])
def test_whoever_the_second_reading_finds_goes_with_all_documents_and_before_anything_is_counted(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A person's crowd is that of all documents together: it says nothing of some of them."""
    person = next(name for name, count in Counter(d.person for d in town.documents).items() if count > 1)
    theirs = [d.id for d in town.documents if d.person == person]
    told = next(d for d in town.documents if d.id == theirs[-1])
    monkeypatch.setattr(written, "identifies", lambda profile, direct, text: told.text[:40] in text)
    made = quick(tmp_path, town, "out", out_format=kind)
    assert [name for name, reason in made.result.withheld.items() if reason == REREAD] == theirs
    assert made.report.withheld.reread == len(theirs)
    assert made.report.attackers[0].after.n == len(town.documents), "withheld documents count as not found"
    assert all(not row.found_by for row in made.report.risks if row.id in theirs)


def test_what_is_still_found_in_the_written_file_stops_the_release(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind(monkeypatch)
    monkeypatch.setattr(module, "reread", lambda made, key: made)
    with pytest.raises(UnsafeReleaseError, match="direct identifier"):
        quick(tmp_path, town, "out")
    assert {p.name for p in tmp_path.iterdir()} == {"documents.jsonl", "people.jsonl"}


def test_a_document_that_was_withheld_or_lost_is_noticed(town: Town, tmp_path: Path, monkeypatch) -> None:
    real = module.write_documents

    def losing(path: Path, *rest: Any) -> None:
        real(path, *rest)
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))

    monkeypatch.setattr(module, "write_documents", losing)
    with pytest.raises(UnsafeReleaseError):
        quick(tmp_path, town, "out")


def test_short_numbers_as_ids_of_people_do_not_stop_a_release_by_chance(town: Town, tmp_path: Path) -> None:
    """A keyed id has 32 hexadecimal digits; somebody's four-digit number is bound to be in some of them."""
    number = {p.id: str(4300 + i) for i, p in enumerate(town.profiles)}
    rows = [
        {"id": f"{d.id}-{j}", "person": number[str(d.person)], "text": "a short note"}
        for d in town.documents for j in range(40)
    ]  # fmt: skip
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    people = [{"id": number[p.id], "fields": {"name": "Zoe"}} for p in town.profiles]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(p) + "\n" for p in people), encoding="utf-8")
    (tmp_path / "key").write_text("ef" * 32, encoding="utf-8")
    (tmp_path / "key").chmod(0o600)
    ids = [(release_id(bytes.fromhex("ef" * 32), r["id"]), r["person"]) for r in rows]
    assert any(person in name for name, person in ids), "the case must occur"
    made = deidentify_files(
        make_job(
            tmp_path / "d.jsonl",
            tmp_path / "p.jsonl",
            tmp_path / "out",
            key=tmp_path / "key",
            accept_risk="a test",
            masking=by_rules(k=K, method="none"),
            audit="none",
        )
    )
    assert len(lines(made.folder / "documents.jsonl")) == len(rows)


@pytest.mark.parametrize("column", ["id", "text"])
def test_a_kept_column_cannot_take_the_place_of_id_or_text(town: Town, tmp_path: Path, column: str) -> None:
    with pytest.raises(SettingsError):
        quick(tmp_path, town, "out", keep=(column,))
    assert not (tmp_path / "out").exists()


def test_a_key_inside_the_folder_to_replace_is_not_destroyed(town: Town, tmp_path: Path) -> None:
    quick(tmp_path, town, "out")
    key = tmp_path / "out.private" / "key"
    kept = key.read_bytes()
    with pytest.raises(SettingsError):
        quick(tmp_path, town, "out", key_file=key, replace=True)
    assert key.read_bytes() == kept


def test_an_output_that_exists_is_left_alone_unless_asked(town: Town, tmp_path: Path) -> None:
    first = quick(tmp_path, town, "out")
    before = (first.folder / "documents.jsonl").read_bytes()
    with pytest.raises(StateError):
        quick(tmp_path, town, "out")
    assert (first.folder / "documents.jsonl").read_bytes() == before
    quick(tmp_path, town, "out", replace=True)
    assert (first.folder / "documents.jsonl").read_bytes() == before, "the key is kept"
    quick(tmp_path, town, "out", replace=True, settings=by_rules(k=4, reidentifiers=("bm25",)))
    assert (first.folder / "documents.jsonl").read_bytes() != before
    assert {p.name for p in tmp_path.iterdir()} == {"documents.jsonl", "people.jsonl", "out", "out.private"}


def test_a_folder_that_is_called_like_a_tagger_is_no_tagger(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("rules", "none"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    settings = by_rules(k=K, method="tagged")
    assert quick(tmp_path, town, "out", settings=settings).report.taggers == ("rules.v1",)


def test_unknown_names_are_refused_before_any_work(town: Town, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(module, "mask_all", lambda *a, **b: pytest.fail("work had begun"))
    documents, people = write(tmp_path, town)
    for settings, attackers in (
        (by_rules(method="nosuch"), ATTACKERS),
        (by_rules(transform="nosuch"), ATTACKERS),
        (by_rules(reidentifiers=("nosuch",)), ATTACKERS),
        (SETTINGS, ("nosuch",)),
    ):
        with pytest.raises(SettingsError):
            deidentify_files(
                make_job(
                    documents, people, tmp_path / "out", accept_risk="a test", masking=settings, attackers=attackers
                )
            )


def test_what_only_the_audit_needs_is_checked_before_any_work_too(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "mask_all", lambda *a, **b: pytest.fail("work had begun"))
    documents, people = write(tmp_path, town)
    with pytest.raises(SettingsError):
        deidentify_files(
            make_job(documents, people, tmp_path / "out", accept_risk="a test", masking=SETTINGS, sensitive=("nosuch",))
        )
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"fields": {}}\n', encoding="utf-8")
    with pytest.raises(InputError, match="record 1"):
        deidentify_files(
            make_job(documents, people, tmp_path / "out", accept_risk="a test", masking=SETTINGS, attacker_people=bad)
        )


def test_attackers_of_the_audit_may_know_other_people(town: Town, tmp_path: Path) -> None:
    rows = [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles[:20]]
    known = tmp_path / "known.jsonl"
    known.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    made = quick(tmp_path, town, "out", attacker_people=known, sensitive=("sex",))
    assert made.report.as_dict()["attacker_people"] == 20 and made.report.as_dict()["people"] == 24
    assert [row["field"] for row in made.report.as_dict()["sensitive"]] == ["sex"]
    manifest = json.loads((made.folder / "manifest.json").read_text("utf-8"))
    key = bytes.fromhex((made.private / "key").read_text())
    assert manifest["inputs"]["attacker_people"] == keyed_hash(known, key)


def test_the_curve_searches_among_the_people_whom_the_attackers_know(town: Town, tmp_path: Path) -> None:
    rows = [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles[:20]]
    known = tmp_path / "known.jsonl"
    known.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    greedy = by_rules(k=K, method="greedy", reidentifiers=("bm25",))
    made = quick(tmp_path, town, "out", settings=greedy, attacker_people=known)
    curve = made.report.curve
    assert curve is not None and [point.any_used.people for point in curve.points] == [curve.documents] * len(
        curve.points
    )


def test_an_output_deep_in_folders_that_are_not_there_is_made_with_them_or_not_at_all(
    town: Town, tmp_path: Path
) -> None:
    documents, people = write(tmp_path, town)
    before = {p.name for p in tmp_path.iterdir()}
    for options in ({"settings": by_rules(k=24)}, {"split": "nosuch"}, {"keep": ("nosuch",)}):
        with pytest.raises(UnnameError):
            deidentify_files(make_job(documents, people, tmp_path / "deep" / "er" / "out", **options))
        assert {p.name for p in tmp_path.iterdir()} == before, "an input that is refused leaves no empty folder"
    made = quick(tmp_path, town, "deep/er/out")
    assert len(lines(made.folder / "documents.jsonl")) > 0
    with pytest.raises(StateError):
        deidentify_files(
            make_job(documents, people, people / "out", accept_risk="a test", masking=SETTINGS, attackers=("bm25",))
        )


def test_all_withheld_is_written_as_such(town: Town, tmp_path: Path) -> None:
    (tmp_path / "never").write_text("/\\w+/\n", encoding="utf-8")
    made = quick(
        tmp_path, town, "out", never=tmp_path / "never", settings=by_rules(k=20, direct=("none",))
    )  # fmt: skip
    assert len(made.result.withheld) > len(town.documents) / 2
    assert len(lines(made.private / "failures.jsonl")) == len(made.result.withheld)
    json.dumps(made.report.as_dict(), allow_nan=False)


# --- keys


def test_a_key_is_256_bits_from_a_file_nobody_else_can_read(tmp_path: Path) -> None:
    path = tmp_path / "key"
    key = new_key()
    assert len(key) == KEY_BYTES == 32 and key != new_key()
    path.write_text(key.hex() + "\n", encoding="ascii")
    path.chmod(0o600)
    assert read_key(path) == key
    for mode in (0o644, 0o640, 0o604):
        path.chmod(mode)
        with pytest.raises(InputError, match="others"):
            read_key(path)


@pytest.mark.parametrize("content", ["", "ab" * 31, "ab" * 33, "zz" * 32, "é" * 32, "ab" * 32 + " x"])
def test_anything_else_is_no_key_and_is_never_quoted(tmp_path: Path, content: str) -> None:
    path = tmp_path / "key"
    path.write_text(content, encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(InputError) as caught:
        read_key(path)
    assert not content or content not in str(caught.value)
    with pytest.raises(InputError):
        read_key(tmp_path / "absent")


def test_ids_and_targets_come_from_the_key_as_hmac() -> None:
    import hmac

    key = b"q" * 32
    expected = hmac.new(key, b"release-id\0note-1", hashlib.sha256).hexdigest()[:32]
    assert release_id(key, "note-1") == expected != release_id(b"r" * 32, "note-1")
    assert release_id(key, "note-2") != expected


def test_targets_are_spread_evenly_on_a_logarithmic_scale() -> None:
    drawn = [target_crowd(b"q" * 32, str(i), k=10, span=4.0, most=10**6) for i in range(4000)]
    assert min(drawn) == 10 and max(drawn) < 40
    below = sum(t < 20 for t in drawn) / 4000
    assert 0.46 < below < 0.54, "half of them lie below twice k"
    assert {target_crowd(b"q" * 32, str(i), k=10, span=4.0, most=12) for i in range(300)} == {10, 11, 12}
    assert {target_crowd(b"q" * 32, str(i), k=10, span=1.0, most=99) for i in range(50)} == {10}


def test_reprs_and_names_of_folders_show_no_content(made: tuple[Path, Released], tmp_path: Path) -> None:
    _, released = made
    assert repr(released).startswith("Released(") and "note" not in repr(released)
    assert isinstance(released.result, Deidentified)
    assert private_folder(tmp_path / "a.b") == tmp_path / "a.b.private"
