"""A transform that keeps a secret: readable stand-ins drawn from the key, and a table of them for the private folder."""

import hashlib
import json
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from made_settings import by_rules

from unname import registry
from unname.apps import cli
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population, make_population
from unname.testing import check_transform
from unname.transforms.base import Context, Secrets, says_nothing
from unname.transforms.redact import assemble, hidden_as
from unname.types import Document, Mask, MaskSpan, Placeholder, Profile, Release
from unname.verbs.deidentify.in_memory import deidentify
from unname.verbs.deidentify.review import look_again, review_of

KEY = b"s" * 32


@dataclass(frozen=True)
class Numbered:
    """Put the same keyed number in place of the same word of a person; the numbers' words are its secret."""

    name: str = "numbered.v1"
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


def planted(monkeypatch: pytest.MonkeyPatch, part: type) -> None:
    """The registry knows one more transform."""
    real = registry.create
    monkeypatch.setattr(
        registry, "create", lambda group, name, **rest: part() if name == "planted" else real(group, name, **rest)
    )


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Numbered is installed as a package would."""
    real = registry.entry_points
    point = EntryPoint("numbered.v1", f"{__name__}:Numbered", registry.TRANSFORMS)
    monkeypatch.setattr(
        registry, "entry_points",
        lambda group: [*real(group=group), *([point] if group == registry.TRANSFORMS else [])],
    )  # fmt: skip
    registry._parts.cache_clear()
    yield
    monkeypatch.undo()
    registry._parts.cache_clear()


@pytest.mark.parametrize("part", [Numbered, lambda: Numbered(readable=True), Named])
def test_the_suite_passes_transforms_that_write_stand_ins(part: object) -> None:
    check_transform(part)  # type: ignore[arg-type]


@pytest.mark.usefixtures("registered", "short_audit", "no_rounds")
def test_its_secrets_are_written_to_the_private_folder_alone(tmp_path: Path) -> None:
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
    asked = ["deidentify", str(documents), "--people", str(people), "--k", "3", "--key", str(key), "--workers", "1",
             "--attackers", "facts", "--accept-risk", "a test", "--reidentifiers", "bm25"]  # fmt: skip
    assert cli.run([*asked, "--transform", "numbered", "--out", str(tmp_path / "out")]) in (0, 3)
    kept = tmp_path / "out.private" / "secrets.jsonl"
    rows = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    masks = [json.loads(line) for line in (kept.parent / "masks.jsonl").read_text("utf-8").splitlines()]
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


@pytest.mark.usefixtures("no_rounds")
def test_a_readable_stand_in_counts_in_every_crowd(
    small_town: Town, townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recounting by brute force reads the released text, in which a stand-in is words and a token none."""
    for part in (Numbered, lambda: Numbered(readable=True)):
        planted(monkeypatch, part)  # type: ignore[arg-type]
        made = deidentify(small_town.documents[:8], townspeople, settings=by_rules(k=4, transform="planted"), key=KEY)
        assert made.recounted > 0 and len(made.withheld) < 4
        monkeypatch.undo()


@pytest.mark.usefixtures("no_rounds")
def test_a_stand_in_that_names_the_person_is_a_leak_and_withholds(monkeypatch: pytest.MonkeyPatch) -> None:
    people = make_population(
        [Profile(str(i), {"given name": name}) for i, name in enumerate(["Ada", "Bo", "Cy", "Di"])]
    )
    documents = [Document("hers", "Ada came.", "0"), Document("his", "Bo came.", "1")]
    planted(monkeypatch, Named)
    made = deidentify(documents, people, settings=by_rules(k=1, transform="planted", method="none"), key=KEY)
    assert made.withheld == {"hers": "direct-identifier"} and made.texts() == [None, "Ada came."]
    (sight,) = look_again(review_of(made, key=KEY), [Mask("hers", (MaskSpan(0, 3, "by hand"),))]).documents
    assert [(leak.start, leak.end) for leak in sight.leaks] == [(0, 3)]


def test_what_was_written_says_nothing_only_where_no_reader_sees_a_word() -> None:
    for text in ("[NAME]", "[N_12]", "", "***", "[MASK]"):
        assert says_nothing(Placeholder("name", text))
    for text in ("Anna", "19xx", "[Anna]", "[N 12]"):
        assert not says_nothing(Placeholder("name", text))
    assert hidden_as("NAME") == Placeholder("name", "[NAME]") and hidden_as("") == Placeholder("mask", "[MASK]")


def test_secrets_and_context_show_nothing() -> None:
    secrets = Secrets()
    secrets.record(word="Quillfeather")
    assert secrets.entries == ({"word": "Quillfeather"},)
    assert (
        "Quill" not in f"{secrets!r}{Context(KEY, 'Quillfeather', secrets=secrets)!r}{Placeholder('name', 'Quill')!r}"
    )
