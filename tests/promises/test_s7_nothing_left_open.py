"""S7: whatever ends a run, it leaves no descriptor, thread, process or temporary file behind."""

import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import pytest
from promise_support import FAST, Canaries, Files

from unname.apps import cli
from unname.errors import StateError, UnsafeReleaseError
from unname.job import Deidentification, make_job
from unname.knowledge.fictional import Town
from unname.masking.base import Case
from unname.masking.baselines import Nothing
from unname.types import Mask
from unname.verbs.deidentify import files as release_module
from unname.verbs.deidentify.files import Released, deidentify_files
from unname.writing import release as writing


@dataclass(frozen=True)
class Held:
    """What a process holds of the system, and what lies where its temporary files go."""

    descriptors: tuple[str, ...]
    threads: tuple[str, ...]
    children: tuple[int, ...]
    files: tuple[str, ...]


def held(temporary: Path) -> Held:
    """Look once; what nobody refers to any more is gone first."""
    gc.collect()
    descriptors = []
    for entry in os.scandir("/proc/self/fd"):
        try:
            descriptors.append(str(Path(entry.path).readlink()))
        except OSError:  # the descriptor that this list is read through
            continue
    children = {int(p) for task in Path("/proc/self/task").iterdir() for p in (task / "children").read_text().split()}
    return Held(
        tuple(sorted(descriptors)),
        tuple(sorted(thread.name for thread in threading.enumerate())),
        tuple(sorted(children)),
        tuple(sorted(str(path.relative_to(temporary)) for path in temporary.rglob("*"))),
    )


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for temporary files of this process and of its children, empty."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@contextmanager
def nothing_left(temporary: Path) -> Iterator[None]:
    """Whatever the block does, it leaves the process as it was, and nothing waits for a collector to be closed."""
    resource_tracker.ensure_running()  # Python's own helper, one for a whole process, with a pipe to it
    before = held(temporary)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", ResourceWarning)
        yield
        after = held(temporary)
    for kind in ("descriptors", "threads", "children", "files"):
        assert getattr(after, kind) == getattr(before, kind), f"a run left {kind} behind"
    unclosed = [warning for warning in said if issubclass(warning.category, ResourceWarning)]
    assert not unclosed, "a file was left for the collector to close"


Run = Callable[..., Released]


@pytest.fixture
def run(released: Released, town_files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Deidentify the town, without pictures; what is loaded once for a whole process has been by an earlier run."""
    monkeypatch.setattr(writing, "render", lambda *_, **__: "<html></html>")
    assert released.folder.exists()
    folders = (tmp_path / f"run-{number}" / "out" for number in range(100))

    def go(documents: Path | None = None, **options: Any) -> Released:
        return deidentify_files(
            make_job(
                documents or town_files.documents,
                town_files.people,
                next(folders),
                accept_risk="a test",
                masking=Deidentification(k=3, method="lexical"),
                attackers=FAST,
                **options,
            )
        )

    return go


def ends(work: Callable[[], object], error: type[BaseException]) -> None:
    """Work ends with this error, of which nothing is kept."""
    try:
        work()
    except error:
        return
    raise AssertionError("the run should have failed")


# --- runs that end well


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_ends_well_leaves_nothing(run: Run, temporary: Path, workers: int) -> None:
    with nothing_left(temporary):
        run(workers=workers)


def test_a_result_holds_two_descriptors_as_long_as_somebody_holds_it(run: Run, temporary: Path) -> None:
    with nothing_left(temporary):
        before = len(held(temporary).descriptors)
        result = run()
        assert len(held(temporary).descriptors) == before + 2, "documents and outcomes, each in a file without a name"
        assert result.result.texts()
        del result


@pytest.mark.slow
def test_commands_leave_nothing(
    canaries: Canaries, temporary: Path, tmp_path: Path, released: Released, capfd: pytest.CaptureFixture[str]
) -> None:
    assert released.folder.exists()
    out = tmp_path / "out"
    private = ["--private", f"{out}.private"]
    for command in (
        canaries.deidentify(out, "--workers", "2"),
        [*canaries.deidentify(tmp_path / "none"), "--dry-run"],
        canaries.audit(out, tmp_path / "audit", *private),
        canaries.reidentify(tmp_path / "who.jsonl"),
        canaries.label(tmp_path / "labels.jsonl"),
        canaries.index(tmp_path / "index"),
        ["methods"],
    ):
        with nothing_left(temporary):
            assert cli.run(command) in (0, 3)
    capfd.readouterr()


# --- runs that fail


def test_commands_that_refuse_their_input_leave_nothing(
    canaries: Canaries, temporary: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(canaries.files.documents.read_bytes() + b"{no JSON\n")
    broken = tmp_path / "broken.jsonl.gz"
    broken.write_bytes(b"\x1f\x8b\x08 no gzip")
    for number, (source, more) in enumerate(
        [(bad, []), (broken, []), (tmp_path / "none.jsonl", []), (None, ["--fields", "nothing"]),
         (None, ["--attackers", "nobody"]), (None, ["--keep", "nothing"]), (None, ["--k", "1000"])]
    ):  # fmt: skip
        command = canaries.deidentify(tmp_path / f"out-{number}", *more)
        if source is not None:
            command[2] = str(source)
        with nothing_left(temporary):
            assert cli.run(command) in (1, 2)
        assert not list(tmp_path.glob("out-*"))
    for command in (
        canaries.audit(bad, tmp_path / "audit"),
        [*canaries.reidentify(tmp_path / "who"), "--fields", "no"],
    ):
        with nothing_left(temporary):
            assert cli.run(command) in (1, 2)
    capfd.readouterr()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_release_that_is_stopped_at_the_second_reading_leaves_nothing(
    run: Run, temporary: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    def refuse(*_: Any) -> None:
        raise UnsafeReleaseError("planted")

    monkeypatch.setattr(release_module, "verify_written", refuse)
    with nothing_left(temporary):
        ends(lambda: run(workers=workers), UnsafeReleaseError)


@dataclass(frozen=True)
class Fatal:
    """A method that kills the process it runs in, as the kernel does where memory is short."""

    document: str
    name: str = "fatal.v1"
    seeks_crowd: bool = False
    keyed_targets: bool = True

    def mask(self, case: Case) -> Sequence[Mask]:
        """Nothing is hidden, until that document comes."""
        if any(document.id == self.document for document in case.documents):
            os.kill(os.getpid(), signal.SIGKILL)
        return Nothing().mask(case)


def test_a_run_whose_worker_dies_leaves_nothing(
    run: Run, town: Town, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unname.protecting.parts.make_method", lambda *_: Fatal(town.documents[-1].id))
    with nothing_left(temporary):
        ends(lambda: run(workers=2), StateError)


@pytest.mark.parametrize(
    ("stage", "workers"), [("mask", 1), ("mask", 2), ("attack originals", 2), ("attack the release", 1), ("write", 1)]
)
def test_a_run_that_is_interrupted_leaves_nothing(run: Run, temporary: Path, stage: str, workers: int) -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with nothing_left(temporary):
        ends(lambda: run(workers=workers, progress=lambda name, total: stop if name == stage else lambda done: None),
             KeyboardInterrupt)  # fmt: skip


# --- planted faults


def _leaves_a_file_open(folder: Path, kept: list[Any]) -> None:
    kept.append(os.open(folder, os.O_RDONLY))


def _leaves_a_thread(folder: Path, kept: list[Any]) -> None:
    kept.append(threading.Event())
    threading.Thread(target=kept[0].wait, daemon=True).start()


def _leaves_a_process(folder: Path, kept: list[Any]) -> None:
    kept.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))


def _leaves_a_zombie(folder: Path, kept: list[Any]) -> None:
    kept.append(os.fork())
    if not kept[0]:
        os._exit(0)


def _leaves_a_temporary_file(folder: Path, kept: list[Any]) -> None:
    kept.append(Path(tempfile.mkdtemp()))


def _leaves_closing_to_the_collector(folder: Path, kept: list[Any]) -> None:
    kept.append(None)
    tempfile.TemporaryFile(dir=folder)  # noqa: SIM115


@pytest.mark.parametrize(
    ("fault", "noticed"),
    [
        (_leaves_a_file_open, "left descriptors"),
        (_leaves_a_thread, "left threads"),
        (_leaves_a_process, r"left (descriptors|children)"),
        (_leaves_a_zombie, "left children"),
        (_leaves_a_temporary_file, "left files"),
        (_leaves_closing_to_the_collector, "for the collector"),
    ],
)
def test_the_check_notices_a_run_that(
    run: Run, temporary: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[[Path, list[Any]], None], noticed: str
) -> None:
    kept: list[Any] = []

    def planted(*_: Any) -> None:
        fault(temporary, kept)
        raise UnsafeReleaseError("planted")

    monkeypatch.setattr(release_module, "_require_releasable", planted)
    try:
        with pytest.raises(AssertionError, match=noticed), nothing_left(temporary):
            ends(run, UnsafeReleaseError)
    finally:
        undo(kept[0])


def undo(left: Any) -> None:
    """Take back what a planted fault left behind."""
    if isinstance(left, threading.Event):
        left.set()
    elif isinstance(left, subprocess.Popen):
        left.communicate()
    elif isinstance(left, int) and left in {int(entry.name) for entry in os.scandir("/proc/self/fd")}:
        os.close(left)
    elif isinstance(left, int):
        os.waitpid(left, 0)
