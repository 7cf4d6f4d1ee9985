"""S1: outputs are atomic: killed at any step of the writing, every file that can be seen is whole."""

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from promise_support import FAST, PRIVATE_FILES, RELEASE_FILES, Files, files_under, json_rows, written_names

from unname.errors import StateError
from unname.inputs.files import Inputs
from unname.job import Deidentification, make_job
from unname.storage import files as files_module
from unname.verbs.deidentify import files as release_module
from unname.verbs.deidentify.files import Released
from unname.writing import release as writing

DEAD = 77
Write = Callable[[], object]


def live_until(step: int, work: Write) -> tuple[bool, int]:
    """Do work in a child that dies before its n-th step (from 1); (whether it died, how many steps it began).

    A step is whatever the disk may see: a file opened for writing, a folder made, a rename, a removal, a flush.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        with os.fdopen(reader, "rb") as stream:
            steps = stream.read().count(b".")
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert code in (0, DEAD), "the child must end by itself or by the planted death"
        return code == DEAD, steps
    try:
        done = 0

        def tick() -> None:
            nonlocal done
            done += 1
            if done == step:
                os._exit(DEAD)
            os.write(writer, b".")

        os.fsync = lambda handle: tick()  # a kill, unlike a power cut, loses nothing that was written
        sys.addaudithook(lambda event, args: tick() if written_names(event, args, removed=True) else None)
        work()
        os._exit(0)
    except BaseException:  # whatever happens, a child must never go on as a second test run
        os._exit(70)


def whole_release(folder: Path) -> bool:
    """Whether a folder is a release to the last byte: its four files, as its manifest describes them."""
    if not folder.is_dir() or {path.name for path in folder.iterdir()} != RELEASE_FILES:
        return False
    stated = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
    return all(hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest for name, digest in stated.items())


def whole_private(folder: Path) -> bool:
    """Whether a folder is a private folder with all its files."""
    return folder.is_dir() and {path.name for path in folder.iterdir()} == PRIVATE_FILES


def aside(path: Path) -> bool:
    """Whether a name says: not finished, may be deleted."""
    return path.name.startswith(".") and path.name.endswith(".partial")


def require_parses(path: Path) -> None:
    """A file of a known kind is complete."""
    content = path.read_bytes()
    if path.suffix == ".jsonl":
        assert not content or content.endswith(b"\n"), f"{path.name} ends in the middle of a line"
        json_rows(path)
    elif path.suffix == ".json":
        json.loads(content)
    elif path.suffix == ".html":
        assert content.rstrip().endswith(b"</html>"), f"{path.name} is cut off"
    elif path.name == "key":
        assert len(bytes.fromhex(content.decode())) == 32, "a key is cut off"


def visible(folder: Path) -> Iterator[Path]:
    """Every file that is not aside."""
    for path in files_under(folder):
        if not any(aside(part) for part in (path, *path.parents)):
            yield path


def require_whole(folder: Path, marks: dict[str, str]) -> None:
    """Every visible file parses; `out` and `out.private` are whole or absent; what was there before is not lost.

    `marks` are the hashes of the documents of an older release and of its key, if there was one.
    """
    for path in visible(folder):
        try:
            require_parses(path)
        except ValueError:
            raise AssertionError(f"{path.name} does not parse") from None
    for path in folder.iterdir():
        assert path.name in ("out", "out.private") or aside(path), "a leftover is not marked as one"
    out, private = folder / "out", folder / "out.private"
    assert not out.exists() or whole_release(out), "the release is in pieces"
    assert not private.exists() or whole_private(private), "the private folder is in pieces"
    assert not out.exists() or private.exists(), "a release stands without its private folder"
    if marks:
        new = out.exists() and _mark(out / "documents.jsonl") != marks["out"]
        held = {_mark(p) for p in files_under(folder) if p.name in ("documents.jsonl", "key")}
        assert new or set(marks.values()) <= held, "an older release is lost and no new one stands"


def _mark(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def write(released: Released, town_files: Files, monkeypatch: pytest.MonkeyPatch) -> Callable[..., object]:
    """The writing part of `deidentify_files`, with a result made before; each call is another release."""
    page = (released.folder / "report.html").read_text(encoding="utf-8")
    keys = iter(range(10_000))
    inputs = Inputs(released.result.documents, (), released.result.population)
    monkeypatch.setattr(release_module, "read_inputs", lambda *_, **__: inputs)
    monkeypatch.setattr(release_module, "mask_all", lambda *_, **__: released.result)
    monkeypatch.setattr(release_module, "audit_own_release", lambda *_, **__: released.report)
    monkeypatch.setattr(writing, "render", lambda *_, **__: page)
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    monkeypatch.setattr(release_module, "new_key", lambda: next(keys).to_bytes(32))

    def go(folder: Path, *, replace: bool = False) -> Any:
        return release_module.deidentify_files(
            make_job(
                town_files.documents,
                town_files.people,
                folder / "out",
                accept_risk="a test",
                masking=Deidentification(k=3),
                attackers=FAST,
                replace=replace,
            )
        )

    return go


def die_at_every_step(write: Callable[..., object], folder: Path, *, older: bool) -> int:
    """Kill the writing before its first step, its second, and so on, and look at what is left each time."""
    before = folder.with_name("before")
    before.mkdir()
    marks: dict[str, str] = {}
    if older:
        write(before)
        marks = {"out": _mark(before / "out" / "documents.jsonl"), "key": _mark(before / "out.private" / "key")}
    step = 0
    while True:
        step += 1
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(before, folder)
        died, _ = live_until(step, lambda: write(folder, replace=older))
        require_whole(folder, marks)
        if not died:
            assert whole_release(folder / "out") and whole_private(folder / "out.private")
            assert len(list(folder.iterdir())) == 2, "a run that ends well leaves nothing aside"
            return step - 1


@pytest.mark.parametrize("older", [False, True], ids=["fresh", "replace"])
def test_a_run_killed_at_any_step_of_writing_leaves_whole_files_only(
    write: Callable[..., object], tmp_path: Path, older: bool
) -> None:
    assert die_at_every_step(write, tmp_path / "work", older=older) > (50 if older else 40)


def test_an_error_at_any_rename_puts_everything_back(
    write: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    write(folder)
    before = {path.relative_to(folder): path.read_bytes() for path in files_under(folder)}
    real = os.replace
    for failing in range(1, 5):
        renamed = 0

        def replace(source: Any, target: Any, failing: int = failing) -> None:
            nonlocal renamed
            if Path(source).is_dir():
                renamed += 1
                if renamed == failing:
                    raise OSError(5, "Input/output error")
            real(source, target)

        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", replace)
            with pytest.raises(StateError):
                write(folder, replace=True)
        after = {path.relative_to(folder): path.read_bytes() for path in files_under(folder)}
        assert after == before, "an older release must be as it was"


def test_an_error_at_any_step_leaves_nothing_behind(
    write: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("fsync", "open", "replace"):
        for failing in range(1, 7):
            calls = 0
            real = getattr(os, name)

            def broken(*args: Any, real: Any = real, failing: int = failing, **named: Any) -> Any:
                nonlocal calls
                # Where a file without a name cannot be made, tempfile makes one with a name: that step may fail.
                calls += not (len(args) > 1 and isinstance(args[1], int) and args[1] & os.O_TMPFILE == os.O_TMPFILE)
                if calls == failing:
                    raise OSError(28, "No space left on device")
                return real(*args, **named)

            with monkeypatch.context() as patch:
                patch.setattr(files_module.os, name, broken)
                with pytest.raises(StateError, match="No space left"):
                    write(tmp_path)
            assert not list(tmp_path.iterdir()), f"a full disk at call {failing} of {name} must leave nothing"


def _in_place(path: Path, content: bytes, *, private: bool = False) -> None:
    with path.open("wb") as stream:
        for half in (content[: len(content) // 2], content[len(content) // 2 :]):
            stream.write(half)
            stream.flush()
            os.fsync(stream.fileno())


def test_the_check_notices_a_file_written_in_place(tmp_path: Path) -> None:
    def work() -> None:
        (tmp_path / "out").mkdir()
        _in_place(tmp_path / "out" / "documents.jsonl", b'{"id": "a"}\n{"id": "longer"}\n')

    assert live_until(3, work) == (True, 2)
    with pytest.raises(AssertionError, match="middle of a line"):
        require_whole(tmp_path, {})


def test_the_check_notices_a_release_written_file_by_file(
    write: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from contextlib import contextmanager

    @contextmanager
    def in_place(*folders: tuple[Path, bool], replace: bool = False, **_: Any) -> Iterator[tuple[Path, ...]]:
        for folder, _ in folders:
            if replace:
                shutil.rmtree(folder)
            folder.mkdir()
        yield tuple(folder for folder, _ in folders)

    monkeypatch.setattr(release_module, "staged_folders", in_place)
    with pytest.raises(AssertionError, match="in pieces"):
        die_at_every_step(write, tmp_path / "work", older=False)


def test_the_check_notices_an_older_release_removed_too_early(
    write: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = files_module.require_absent

    def planted(folder: Path, *, replace: bool, **named: Any) -> None:
        real(folder, replace=replace, **named)
        shutil.rmtree(folder, ignore_errors=True)

    monkeypatch.setattr(release_module, "require_absent", planted)
    with pytest.raises(AssertionError, match=r"lost|stands without|in pieces"):
        die_at_every_step(write, tmp_path / "work", older=True)


def test_the_check_notices_a_leftover_that_looks_finished(tmp_path: Path) -> None:
    (tmp_path / "out.tmp").write_text("x", encoding="utf-8")
    with pytest.raises(AssertionError, match="not marked"):
        require_whole(tmp_path, {})
