"""A transform that keeps a secret: readable stand-ins drawn from the key, and a table of them for the private folder."""

import hashlib
import json
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from made_settings import by_rules

from unname import registry
from unname.apps import cli
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population, make_population
from unname.storage.files import MARKER, PRIVATE
from unname.terminal.codes import UNSAFE
from unname.testing import check_transform
from unname.transforms.base import Context, Secrets, says_nothing
from unname.transforms.redact import assemble, hidden_as
from unname.types import Document, Mask, MaskSpan, Placeholder, Profile, Release
from unname.verbs.deidentify.in_memory import deidentify
from unname.verbs.deidentify.review import look_again, review_of

KEY = b"s" * 32


@dataclass(frozen=True)
class Coded:
    """Put the same keyed number in place of the same word of a person; the numbers' words are its secret."""

    name: str = "coded.v1"
    readable: bool = False

    def release(self, document: Document, mask: Mask, context: Context) -> Release:
        """Stand-ins for all spans."""
        placed = []
        for span in mask.spans:
            word = document.text[span.start : max(span.start, span.end)]
            drawn = hashlib.sha256(b"\0".join((context.key, str(context.person).encode(), word.encode()))).hexdigest()
            number = int(drawn[:6], 16)
            text = f"stranger{number}" if self.readable else f"[N_{number}]"
            context.secrets.record(stand_in=text, word=word, language=context.language)
            placed.append((span.start, span.end, Placeholder("number", text)))
        return assemble(document, mask, placed)


@dataclass(frozen=True)
class Named:
    """Put one given name in place of everything."""

    stand_in: str = "Ada"
    name: str = "named.v1"

    def release(self, document: Document, mask: Mask, context: Context) -> Release:
        """The name for all spans."""
        return assemble(document, mask, [(s.start, s.end, Placeholder("name", self.stand_in)) for s in mask.spans])


def readable_numbers() -> Coded:
    """Stand-ins that read as words."""
    return Coded(name="readable.v1", readable=True)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The transforms of this file are installed as those of a package would be."""
    real = registry.entry_points
    homes = {"coded.v1": "Coded", "readable.v1": "readable_numbers", "named.v1": "Named"}
    points = [EntryPoint(name, f"{__name__}:{home}", registry.TRANSFORMS) for name, home in homes.items()]
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [*real(group=group), *(points if group == registry.TRANSFORMS else [])]
    )
    registry._found.cache_clear()
    yield
    monkeypatch.undo()
    registry._found.cache_clear()


@pytest.mark.parametrize("part", [Coded, readable_numbers, Named])
def test_the_suite_passes_transforms_that_write_stand_ins(part: object) -> None:
    check_transform(part)  # type: ignore[arg-type]


@pytest.fixture
def asked(tmp_path: Path) -> list[str]:
    """A small release as asked for on the command line, under a key of ours; nobody answers for it yet."""
    town = fictional_town(people=24, seed=3)
    documents, people, key = (tmp_path / name for name in ("d.jsonl", "p.jsonl", "key"))
    documents.write_text(
        "".join(json.dumps({"id": d.id, "text": d.text, "person": d.person}) + "\n" for d in town.documents[:12]),
        "utf-8",
    )
    people.write_text(
        "".join(json.dumps({"id": p.id, "fields": dict(p.fields)}) + "\n" for p in town.profiles), "utf-8"
    )
    key.write_text(KEY.hex(), encoding="ascii")
    key.chmod(0o600)
    return ["deidentify", str(documents), "--people", str(people), "--k", "3", "--key", str(key), "--workers", "1",
            "--attackers", "facts", "--reidentifiers", "bm25"]  # fmt: skip


ACCEPTED = ("--accept-risk", "a test")


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.usefixtures("registered", "short_audit", "no_rounds")
def test_its_secrets_are_written_to_the_private_folder_alone(asked: list[str], tmp_path: Path) -> None:
    asked += ACCEPTED
    assert cli.run([*asked, "--transform", "coded", "--out", str(tmp_path / "out")]) in (0, 3)
    kept = tmp_path / "out.private" / "secrets.jsonl"
    rows, masks = rows_of(kept), rows_of(kept.parent / "masks.jsonl")
    shown = {row["id"]: row["text"] for row in map(json.loads, (tmp_path / "out" / "documents.jsonl").open("rb"))}
    hidden = {row["id"]: len(row["spans"]) for row in masks if row["release_id"] in shown}
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert {row["id"]: len(row["secrets"]) for row in rows} == {name: n for name, n in hidden.items() if n}
    assert len(rows) > 6
    for row in rows:
        assert all(entry["stand_in"] in shown[row["release_id"]] for entry in row["secrets"])
        assert {entry["language"] for entry in row["secrets"]} == {"en"}
    assert not list((tmp_path / "out").rglob("secrets*"))
    assert cli.run([*asked, "--out", str(tmp_path / "plain")]) in (0, 3)
    assert not (tmp_path / "plain.private" / "secrets.jsonl").exists(), "nothing is written where nothing is recorded"


@pytest.mark.usefixtures("registered", "short_audit", "no_rounds")
def test_a_held_release_with_secrets_can_be_let_go_and_replaced(asked: list[str], tmp_path: Path) -> None:
    asked += ["--transform", "coded", "--out", str(tmp_path / "out")]
    private = tmp_path / "out.private"
    assert cli.run(asked) == UNSAFE and not (tmp_path / "out").exists()
    kept = (private / "secrets.jsonl").read_bytes()
    assert {path.name for path in private.iterdir()} <= {*(PRIVATE.holds or ()), MARKER}
    assert cli.run(["release", str(private), *ACCEPTED]) == 0
    assert (private / "secrets.jsonl").read_bytes() == kept and (tmp_path / "out" / "documents.jsonl").is_file()
    assert cli.run([*asked, *ACCEPTED, "--replace"]) in (0, 3)
    assert (private / "secrets.jsonl").read_bytes() == kept


@pytest.mark.usefixtures("registered", "short_audit", "no_rounds")
def test_secrets_of_an_earlier_version_stay_where_it_is_continued_in_place(asked: list[str], tmp_path: Path) -> None:
    private = tmp_path / "out.private"
    asked += ["--out", str(tmp_path / "out"), *ACCEPTED]
    assert cli.run([*asked, "--transform", "coded"]) in (0, 3)
    first = {row["id"]: row["secrets"] for row in rows_of(private / "secrets.jsonl")}
    documents = Path(asked[1])
    gone, *left = documents.read_text("utf-8").splitlines(keepends=True)
    documents.write_text("".join(left), "utf-8")
    again = [*asked, "--after", str(private), "--replace"]
    for transform in ("readable", "redact"):
        assert cli.run([*again, "--transform", transform]) in (0, 3)
        entries = {row["id"]: [*row["earlier"], *row["secrets"]] for row in rows_of(private / "secrets.jsonl")}
        assert json.loads(gone)["id"] in first.keys() == entries.keys()
        assert all(entry in entries[name] for name, own in first.items() for entry in own)
    stand_ins = {entry["stand_in"][0] for own in entries.values() for entry in own}
    assert stand_ins == {"[", "s"}, "the second release's secrets are kept by the third as well"


@pytest.mark.usefixtures("registered", "short_audit", "no_rounds")
def test_a_held_release_leaves_only_the_secrets_of_what_was_published(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, held, last = (tmp_path / name for name in ("first", "held", "last"))
    assert cli.run([*asked, "--transform", "coded", "--out", str(first), *ACCEPTED]) in (0, 3)
    published = {row["id"]: row["secrets"] for row in rows_of(tmp_path / "first.private" / "secrets.jsonl")}
    after = ["--after", str(tmp_path / "first.private")]
    assert cli.run([*asked, *after, "--transform", "readable", "--out", str(held)]) == UNSAFE
    after = ["--after", str(tmp_path / "held.private")]
    assert cli.run([*asked, *after, "--out", str(last), *ACCEPTED]) in (0, 3)
    assert {row["id"]: row["earlier"] for row in rows_of(tmp_path / "last.private" / "secrets.jsonl")} == {
        name: list({json.dumps(entry): entry for entry in own}.values()) for name, own in published.items()
    }
    kept = tmp_path / "first.private" / "secrets.jsonl"
    whole = kept.read_text("utf-8")
    one_more, one_fewer = whole + json.dumps({"id": "of nobody", "secrets": []}) + "\n", whole[: whole.index("\n") + 1]
    after = ["--after", str(tmp_path / "first.private")]
    for content in (one_more, one_fewer):
        kept.write_text(content, "utf-8")
        capsys.readouterr()
        assert cli.run([*asked, *after, "--out", str(tmp_path / "more"), *ACCEPTED]) != 0
        assert "secrets.jsonl: " in capsys.readouterr().err
    kept.unlink()
    assert cli.run([*asked, *after, "--out", str(tmp_path / "more"), *ACCEPTED]) != 0
    assert "secrets.jsonl: " in capsys.readouterr().err


@pytest.mark.usefixtures("registered", "no_rounds")
@pytest.mark.parametrize("transform", ["coded", "readable"])
def test_a_readable_stand_in_counts_in_every_crowd(small_town: Town, townspeople: Population, transform: str) -> None:
    """Recounting by brute force reads the released text, in which a stand-in is words and a token none."""
    settings = by_rules(k=4, transform=transform)
    made = deidentify(small_town.documents[:8], townspeople, settings=settings, key=KEY)
    assert made.recounted > 0 and len(made.withheld) < 4


@pytest.mark.usefixtures("registered", "no_rounds")
def test_a_stand_in_that_names_the_person_is_a_leak_and_withholds() -> None:
    people = make_population(
        [Profile(str(i), {"given name": name}) for i, name in enumerate(["Ada", "Bo", "Cy", "Di"])]
    )
    documents = [Document("hers", "Ada came.", "0"), Document("his", "Bo came.", "1")]
    made = deidentify(documents, people, settings=by_rules(k=1, transform="named", method="none"), key=KEY)
    assert made.withheld == {"hers": "direct-identifier"} and made.texts() == [None, "Ada came."]
    (sight,) = look_again(review_of(made, key=KEY), [Mask("hers", (MaskSpan(0, 3, "by hand"),))]).documents
    assert [(leak.start, leak.end) for leak in sight.leaks] == [(0, 3)]


def test_what_was_written_says_nothing_only_where_no_reader_sees_a_word() -> None:
    for text in ("[NAME]", "[N_12]", "[N 12]", "", "***", "[MASK]"):
        assert says_nothing(Placeholder("name", text))
    for text in ("Anna", "19xx", "[Anna]", "[N 1984]", "[N 0]"):
        assert not says_nothing(Placeholder("name", text))
    assert hidden_as("NAME") == Placeholder("name", "[NAME]") and hidden_as("") == Placeholder("mask", "[MASK]")


def test_secrets_and_context_show_nothing() -> None:
    secrets = Secrets()
    secrets.record(word="Quillfeather")
    assert secrets.entries == ({"word": "Quillfeather"},)
    assert (
        "Quill" not in f"{secrets!r}{Context(KEY, 'Quillfeather', secrets=secrets)!r}{Placeholder('name', 'Quill')!r}"
    )


@dataclass(frozen=True)
class Invented:
    """Put names of real people in place of everything, and call them invented, or not."""

    invented: bool = True
    name: str = "invented.v1"

    def release(self, document: Document, mask: Mask, context: Context) -> Release:
        """The words of others for all spans."""
        others = Placeholder("name", "Tadeusz Ulvey, warehouse hand of Quillbeck", self.invented)
        return assemble(document, mask, [(s.start, s.end, others) for s in mask.spans])


def test_what_is_invented_adds_to_nobodys_evidence() -> None:
    town = fictional_town(people=60, seed=3)
    documents, people = town.documents[:10], make_population(town.profiles)
    settings = by_rules(k=3, reidentifiers=("bm25", "ngrams"))
    plain = deidentify(documents, people, settings=settings, key=KEY)
    review = review_of(plain, key=KEY)
    changed = 0
    for mask, outcome in zip(plain.masks, plain.outcomes(), strict=True):
        if outcome.release is None:
            continue
        crowds = []
        for transform in (Invented(), Invented(invented=False)):
            again = replace(review, masker=replace(review.masker, transform=transform))
            crowds.append(look_again(again, [mask]).of(mask.document).crowds)
        assert crowds[0] == outcome.crowds
        changed += crowds[1] != outcome.crowds
    assert changed, "words that mislead must be seen to change crowds where they are not called invented"
