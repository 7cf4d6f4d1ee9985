"""Helpers of the promise tests: a town full of canaries, and a watch over every file and socket that is touched."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from unname.knowledge.fictional import Town, fictional_town
from unname.storage.vault import write_identity
from unname.types import Document, Profile

STEM = "zqx"  # begins every canary; no hexadecimal number, path of a picture or word of ours holds it
RELEASE_FILES = {".unname", "documents.jsonl", "manifest.json", "report.html", "report.json"}
PRIVATE_FILES = {
    ".unname", "documents.jsonl", "failures.jsonl", "key", "masks.jsonl", "offsets.jsonl", "read-first.csv", "report.json",
    "versions.jsonl",
}  # fmt: skip
# A report of nothing, for tests in which nobody attacks.
FAST = ("bm25", "facts")


def canary(place: str, number: int = 0) -> str:
    """A word that stands nowhere else, such as `zqxtextac`: a place of the input and a number in letters."""
    return STEM + place + "".join("abcdefghij"[int(digit)] for digit in str(number))


def canary_town(people: int = 8) -> tuple[list[Document], list[Profile]]:
    """A small town in which every id, text, metadata value and profile value carries a canary of its own."""
    town = fictional_town(people=people, seed=3)
    number = {profile.id: i for i, profile in enumerate(town.profiles)}
    profiles = [
        Profile(
            canary("person", i),
            {name: f"{value} {canary('value', i)}" for name, value in profile.fields.items()},
        )
        for i, profile in enumerate(town.profiles)
    ]
    documents = [
        replace(
            document,
            id=canary("doc", i),
            text=f"{canary('text', i)} {document.text} {canary('value', number[str(document.person)])}.",
            person=canary("person", number[str(document.person)]),
            split=canary("split"),
            metadata={"ward": canary("meta", i)},
        )
        for i, document in enumerate(town.documents[: people + 2])
    ]
    return documents, profiles


def write_people(path: Path, profiles: Iterable[Profile]) -> Path:
    """Profiles as JSON lines."""
    rows = [json.dumps({"id": p.id, "fields": dict(p.fields)}) for p in profiles]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def write_documents(path: Path, documents: Iterable[Document]) -> Path:
    """Documents as JSON lines, metadata as further columns."""
    rows = [
        json.dumps({"id": d.id, "text": d.text, "person": d.person, "split": d.split, **d.metadata}) for d in documents
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@dataclass(frozen=True)
class Files:
    """Input files in a folder of their own."""

    folder: Path
    documents: Path
    people: Path


def write_town(folder: Path, town: Town) -> Files:
    """A fictional town as input files."""
    folder.mkdir(parents=True)
    return Files(
        folder,
        write_documents(folder / "documents.jsonl", town.documents),
        write_people(folder / "people.jsonl", town.profiles),
    )


@dataclass
class Canaries:
    """A canary town as files, with word lists, triples and a key; `key_digits` is the key as it stands in its file."""

    files: Files
    always: Path
    never: Path
    graph: Path
    outsiders: Path
    key: Path
    key_digits: str = field(default="7a" * 32, repr=False)

    def deidentify(self, out: Path, *more: str) -> list[str]:
        """Arguments of a `deidentify` that uses every kind of input."""
        return [
            "--debug", "deidentify",
                     "--accept-risk", "a test",
                     str(self.files.documents), "--people", str(self.files.people), "--out", str(out),
            "--k", "2", "--reidentifiers", "bm25", "--attackers", "bm25,facts", "--key", str(self.key),
            "--always", str(self.always), "--never", str(self.never), "--graph", str(self.graph), "--workers", "1",
            "--outsiders", str(self.outsiders), *more,
        ]  # fmt: skip

    def audit(self, released: Path, out: Path, *more: str) -> list[str]:
        """Arguments of an `audit` of that release."""
        return [
            "--debug", "audit", str(released), "--original", str(self.files.documents),
            "--people", str(self.files.people), "--out", str(out), "--attackers", "bm25,facts",
            "--outsiders", str(self.outsiders), *more,
        ]  # fmt: skip

    def vault(self, folder: Path) -> list[str]:
        """Options by which a `deidentify` writes a vault into a folder, for a key that is made there."""
        public = write_identity(folder / "identity")
        return ["--vault", str(folder / "vault"), "--recipient", public]

    def reveal(self, released: Path, folder: Path, out: Path, *more: str) -> list[str]:
        """Arguments of a `reveal` of that release by the vault in a folder."""
        keys = ["--vault", str(folder / "vault"), "--identity", str(folder / "identity")]
        return ["--debug", "reveal", str(released), *keys, "--out", str(out), *more]

    def reidentify(self, out: Path, *more: str) -> list[str]:
        """Arguments of a `reidentify`."""
        return [
            "--debug", "reidentify", str(self.files.documents), "--people", str(self.files.people), "--out", str(out),
            "--reidentifiers", "bm25", *more,
        ]  # fmt: skip

    def train(self, out: Path, *more: str) -> list[str]:
        """Arguments of a `train reidentifier` on the notes, each many times under other ids."""
        rows = [json.loads(line) for line in self.files.documents.read_text(encoding="utf-8").splitlines()]
        many = self.files.folder / "many.jsonl"
        many.write_text(
            "".join(json.dumps(row | {"id": f"{row['id']}{i}"}) + "\n" for i in range(12) for row in rows),
            encoding="utf-8",
        )
        return [
            "--debug", "train", "reidentifier", str(many), "--people", str(self.files.people), "--out", str(out), *more,
        ]  # fmt: skip

    def train_tagger(self, out: Path, *more: str) -> list[str]:
        """Arguments of a `train tagger` on the notes, marked at their beginning."""
        return ["--debug", "train", "tagger", self.evaluate()[4], "--out", str(out), *more]

    def sanitize(self, out: Path, *more: str) -> list[str]:
        """Arguments of a `sanitize` on the same notes."""
        return ["--debug", "sanitize", self.evaluate()[4], "--out", str(out), "--kind", "crf,svm", *more]

    def pseudonymise(self, out: Path, *more: str) -> list[str]:
        """Arguments of a `share pseudonymise` of the same notes, with words learned from texts of others."""
        others = self.files.folder / "others.jsonl"
        rows = [{"id": str(n), "text": f"{canary('other')} was seen, and walked home well."} for n in range(4)]
        others.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return ["--debug", "share", "pseudonymise", self.evaluate()[4], "--vectors-from", str(others), "--out", str(out),
                "--key", str(self.key), *more]  # fmt: skip

    _LIMITS: ClassVar = ["--most-pairs", "1", "--most-alignment", "1", "--least-cases", "1", "--least-neighbours", "2"]

    def train_representer(self, out: Path, *more: str) -> list[str]:
        """Arguments of a quick `share train-representer` on the same notes, many times under other ids."""
        rows = json_rows(Path(self.evaluate()[4]))
        public = self.files.folder / "public.jsonl"
        public.write_text(
            "".join(json.dumps(row | {"id": f"{n}", "person": f"{n % 12}"}) + "\n" for n, row in enumerate(rows * 12)),
            encoding="utf-8",
        )
        return ["--debug", "share", "train-representer", str(public), "--out", str(out), "--width", "4",
                "--neighbours", "2", "--tagger-epochs", "1", "--adversary-epochs", "0", "--turns", "0",
                "--attack-epochs", "1", *self._LIMITS, *more]  # fmt: skip

    def represent(self, representer: Path, out: Path, *more: str) -> list[str]:
        """Arguments of a `share represent` of the notes."""
        return ["--debug", "share", "represent", self.evaluate()[4], "--representer", str(representer),
                "--out", str(out), *self._LIMITS, "--least-attack-epochs", "1", "--attack-epochs", "1", "--most-told", "1000",
                *more]  # fmt: skip

    def pool(self, lessons: Path, representer: Path, out: Path) -> list[str]:
        """Arguments of a quick `share pool` that teaches a tagger."""
        return ["--debug", "share", "pool", str(lessons), "--train-tagger", "--epochs", "1", "--representer",
                str(representer), "--out", str(out)]  # fmt: skip

    def label(self, out: Path, *more: str) -> list[str]:
        """Arguments of a `label` over graph and people."""
        sources = ["--graph", str(self.graph), "--people", str(self.files.people), "--graph-texts"]
        return ["--debug", "label", str(self.files.documents), *sources, "--out", str(out), *more]

    def index(self, out: Path, *more: str) -> list[str]:
        """Arguments of an `index` of the same."""
        return ["--debug", "index", *self.label(out)[3:7], "--out", str(out), *more]

    def evaluate(self, *more: str) -> list[str]:
        """Arguments of an `evaluate` of the notes, marked at their beginning, against nothing found in them."""
        rows = json_rows(self.files.documents)
        gold, found = self.files.folder / "gold.jsonl", self.files.folder / "found.jsonl"
        mark = {"spans": [{"start": 0, "end": 20, "label": "NAME"}]}
        gold.write_text("".join(json.dumps(row | mark) + "\n" for row in rows), encoding="utf-8")
        found.write_text("".join(json.dumps({"id": row["id"], "spans": []}) + "\n" for row in rows), encoding="utf-8")
        return ["--debug", "evaluate", str(found), "--gold", str(gold), *more]


def write_canaries(folder: Path) -> Canaries:
    """Write everything a canary run reads."""
    documents, profiles = canary_town()
    folder.mkdir(parents=True)
    files = Files(
        folder,
        write_documents(folder / "documents.jsonl", documents),
        write_people(folder / "people.jsonl", profiles),
    )
    made = Canaries(files, folder / "always.txt", folder / "never.txt", folder / "graph.tsv", folder / "outsiders.jsonl",
                    folder / "key")  # fmt: skip
    made.always.write_text(f"{canary('text', 1)}\n/{canary('text', 2)}+/\n", encoding="utf-8")
    made.never.write_text(f"{canary('text', 3)}\n", encoding="utf-8")
    made.graph.write_text(f"{canary('person')}\tfriend\t{canary('friend')}\n", encoding="utf-8")
    write_documents(made.outsiders, [replace(documents[0], text=f"{canary('text', 4)} was there."), *documents[1:3]])
    made.key.write_text(made.key_digits + "\n", encoding="ascii")
    made.key.chmod(0o600)
    return made


Event = tuple[str, tuple[Any, ...]]
_watchers: list[Callable[[str, tuple[Any, ...]], None]] = []
_installed: list[bool] = []
_NAMES = {"os.rename": (0, 1), "os.mkdir": (0,), "os.link": (0, 1), "os.symlink": (1,), "os.truncate": (0,)}
_REMOVED = {"os.remove": (0,), "os.rmdir": (0,)}


def _hook(event: str, args: tuple[Any, ...]) -> None:
    for watcher in list(_watchers):
        watcher(event, args)


@contextmanager
def watching(watcher: Callable[[str, tuple[Any, ...]], None]) -> Iterator[None]:
    """Show every audit event of this process to a function, before it happens."""
    if not _installed:
        sys.addaudithook(_hook)
        _installed.append(True)
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def written_names(event: str, args: tuple[Any, ...], *, removed: bool = False) -> list[str]:
    """The paths that an audit event is about to create or change (with `removed`, also to remove)."""
    places: tuple[int, ...] = _NAMES.get(event, ()) + (_REMOVED.get(event, ()) if removed else ())
    if event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        places = (0,)
    return [os.fsdecode(args[i]) for i in places if isinstance(args[i], str | bytes | os.PathLike)]


@contextmanager
def written_paths() -> Iterator[list[str]]:
    """Every path that the block creates or changes, temporary ones included."""
    found: list[str] = []
    with watching(lambda event, args: found.extend(written_names(event, args))):
        yield found


def files_under(folder: Path) -> list[Path]:
    """Every file below a folder."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def json_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON-lines file."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
