"""S6: a full disk, a read-only target, an I/O error at any step: a clear error, and nothing is lost."""

import ctypes
import errno
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from promise_support import (
    PRIVATE_FILES,
    RELEASE_FILES,
    STEM,
    Canaries,
    files_under,
    watching,
    write_canaries,
    written_names,
)

from unname.apps import cli
from unname.errors import InputError, StateError
from unname.job import Deidentification, make_job
from unname.parallel import shared as parcels
from unname.parallel import workers as workers
from unname.storage import spool
from unname.storage.files import MARKER, OutputKind
from unname.storage.tables import write_jsonl
from unname.verbs.deidentify import files as release_module
from unname.verbs.deidentify.files import deidentify_files
from unname.verbs.deidentify.own_audit import _unmeasured
from unname.writing import release as writing

Tree = dict[str, str]


def tree_of(folder: Path) -> Tree:
    """Every file below a folder, hidden ones and empty folders too, and what it holds."""
    found = {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files_under(folder)}
    return found | {str(p.relative_to(folder)): "folder" for p in folder.rglob("*") if p.is_dir()}


def require_clear(said: str, *places: Path) -> None:
    """A message says what is wrong, and neither what was being worked on nor where."""
    assert said.strip(), "an error without a word"
    assert STEM not in said.casefold(), "a message quotes the input"
    assert not any(str(place) in said for place in places), "a message gives a path away"
    assert "unexpected" not in said and "Traceback" not in said, "an error that nobody thought of"


# --- any step of a run in this process fails


@dataclass
class Disk:
    """A disk that fails at its n-th step, from 1, once or from then on. A step is a file opened, a folder made, a
    rename, a read or write of a temporary file, a flush; to remove something always works."""

    folder: Path
    failing: int
    code: int
    stays: bool = False
    only: str = ""
    steps: int = 0

    def step(self, kind: str) -> None:
        """Count a step, and fail if it is its turn."""
        if self.only and kind != self.only:
            return
        self.steps += 1
        if self.steps == self.failing or (self.stays and self.steps > self.failing > 0):
            raise OSError(self.code, os.strerror(self.code), str(self.folder))

    def watch(self, event: str, args: tuple[Any, ...]) -> None:
        """What is about to be done to the disk by name."""
        if event == "open" and str(args[0]).startswith(str(self.folder)):
            self.step("create" if written_names(event, args) else "open")
        elif event in ("os.mkdir", "os.rename") and str(args[0]).startswith(str(self.folder)):
            self.step(event)


@contextmanager
def failing(disk: Disk) -> Iterator[None]:
    """Let everything that a run does to the disk go through a failing one."""

    def through(real: Callable[..., Any], kind: str) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            disk.step(kind)
            return real(*args, **named)

        return call

    with pytest.MonkeyPatch.context() as patch, watching(disk.watch):
        for name in ("pwrite", "pread", "fsync"):
            patch.setattr(os, name, through(getattr(os, name), name))
        yield


Run = Callable[[], object]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The folder that outputs go to."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def run(canaries: Canaries, work: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run that replaces what stands in the folder, with the least to do: four documents, no attacks, no pictures."""
    monkeypatch.setattr(release_module, "audit_own_release", lambda inputs, made, *_: _unmeasured(made))
    monkeypatch.setattr(writing, "render", lambda *_, **__: "<html></html>")
    monkeypatch.setattr(spool, "_BLOCK", 256)
    monkeypatch.setattr(workers, "threadpool_limits", lambda limit: nullcontext())
    settings = Deidentification(k=2, method="lexical", reidentifiers=("bm25",))

    def go() -> object:
        return deidentify_files(
            make_job(
                canaries.files.documents,
                canaries.files.people,
                work / "out",
                accept_risk="a test",
                masking=settings,
                always=canaries.always,
                limit=4,
                replace=True,
            )
        )

    return go


def require_whole(folder: Path) -> None:
    """Both folders are there with all their files, and whatever else is there is marked as left over."""
    for name, files in (("out", RELEASE_FILES), ("out.private", PRIVATE_FILES)):
        assert {path.name for path in (folder / name).iterdir()} == files, "a run that ended well left half a release"
    others = {path.name for path in folder.iterdir()} - {"out", "out.private"}
    assert all(name.startswith(".") and name.endswith(".partial") for name in others), "a leftover is not marked"


def fail_at_every_step(run: Run, folder: Path, *, stays: bool = False, only: str = "") -> int:
    """Run on a disk that fails at its first step, its second, and so on until a run ends well; how often it failed.

    After each error everything below the folder, inputs included, must be as before. A step that could be done in another
    way, or whose failing only keeps what was replaced from being removed, may pass without one.
    """
    run()
    before, step = tree_of(folder), 0
    while True:
        step += 1
        disk = Disk(folder, step, (errno.ENOSPC, errno.EIO)[step % 2], stays, only)
        try:
            with failing(disk):
                run()
        except Exception as error:
            assert isinstance(error, StateError | InputError), "the wrong kind of error"
            require_clear(str(error), folder)
            assert tree_of(folder) == before, f"something was lost, changed or left behind after step {step}"
        else:
            require_whole(folder / "work")
            if disk.steps < step:
                return step - 1
            before = tree_of(folder)


def test_an_error_at_any_step_of_a_run_is_clear_and_leaves_everything_as_it_was(run: Run, tmp_path: Path) -> None:
    assert fail_at_every_step(run, tmp_path) > 60


def test_a_disk_that_stays_full_is_as_harmless_as_one_that_fails_once(run: Run, tmp_path: Path) -> None:
    for kind, least in (("pwrite", 8), ("fsync", 16), ("create", 10), ("os.mkdir", 3)):
        assert fail_at_every_step(run, tmp_path, stays=True, only=kind) >= least


def test_nothing_is_lost_when_renames_fail_for_good_and_the_error_says_where_it_is(
    run: Run, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run()
    for step in (1, 2, 3, 4):
        kept = sorted(tree_of(work / "out").values()) + sorted(tree_of(work / "out.private").values())
        real, done = os.replace, 0

        def broken(source: Any, target: Any, step: int = step, real: Any = real) -> None:
            nonlocal done
            done += Path(source).is_dir()
            if done >= step and Path(source).is_dir():
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            real(source, target)

        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", broken)
            with pytest.raises(StateError, match=r"whole beside it.*\.partial" if step > 1 else "Input/output error"):
                run()
        held = list(tree_of(work).values())
        assert all(held.count(value) >= kept.count(value) for value in kept), "an older release is lost"
        shutil.rmtree(work)
        work.mkdir()
        run()


@contextmanager
def _in_place(
    *folders: tuple[Path, bool], kinds: Sequence[OutputKind], replace: bool = False, **_: Any
) -> Iterator[tuple[Path, ...]]:
    try:
        for (folder, _), kind in zip(folders, kinds, strict=True):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(exist_ok=True)
            (folder / MARKER).write_bytes(kind.mark)
        yield tuple(folder for folder, _ in folders)
    except OSError as error:
        raise StateError(str(error.strerror)) from None


def _silently(path: Path, rows: Any, **named: Any) -> None:
    with suppress(StateError):
        write_jsonl(path, rows, **named)


@pytest.mark.parametrize(
    ("module", "name", "fault", "noticed"),
    [
        (release_module, "staged_folders", _in_place, "lost, changed or left behind"),
        (writing, "write_jsonl", _silently, "half a release"),
        (spool, "_failed", lambda what, error: error, "the wrong kind of error"),
        (spool, "_failed", lambda what, error: StateError(f"could not be {what}: {error}"), "gives a path away"),
        (spool, "_failed", lambda what, error: StateError(""), "without a word"),
    ],
    ids=["writes in place", "passes an error over", "leaves it to others", "quotes a path", "says nothing"],
)
def test_the_check_notices_a_run_that(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: object, name: str, fault: object, noticed: str
) -> None:
    monkeypatch.setattr(module, name, fault)
    with pytest.raises(AssertionError, match=noticed):
        fail_at_every_step(run, tmp_path)


# --- the command on a disk that is really full, or really read-only


@dataclass(frozen=True)
class Ended:
    """How a command in a child ended, what it said, and what it left on its disk."""

    code: int
    said: str
    left: Tree


NO_MOUNT = 71


def in_child(command: list[str], *, prepare: Callable[[], None], disk: Path) -> Ended:
    """Run a command line in a child that prepares first; the disk is looked at before the child ends."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            prepare()
            with os.fdopen(writer, "w") as stream:
                sys.stdout = sys.stderr = stream
                code = cli.run(command)
                stream.write("\0" + json.dumps(tree_of(disk)))
            os._exit(code)
        except BaseException:  # whatever happens, a child must never go on as a second test run
            os._exit(70)
    os.close(writer)
    with os.fdopen(reader) as stream:
        said, _, left = stream.read().partition("\0")
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == NO_MOUNT:
        pytest.skip("a disk of a given size needs the right to mount one (root, or user namespaces)")
    assert code != 70, "the child must end by itself"
    return Ended(code, said, json.loads(left or "{}"))


def mount(place: Path, options: str) -> None:
    """Mount a disk in memory that this process alone can see, or exit with NO_MOUNT."""
    new_user, new_mounts = 0x10000000, 0x00020000
    libc, owner = ctypes.CDLL(None, use_errno=True), (os.getuid(), os.getgid())
    if libc.unshare(new_mounts) != 0:
        if libc.unshare(new_user | new_mounts) != 0:
            os._exit(NO_MOUNT)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {owner[0]} 1")
        Path("/proc/self/gid_map").write_text(f"0 {owner[1]} 1")
    private, remount = ["mount", "--make-rprivate", "/"], "remount" in options
    disk = (
        ["mount", "-o", options, str(place)]
        if remount
        else ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    )
    for command in (private, disk):
        if subprocess.run(command, capture_output=True, check=False).returncode:
            os._exit(NO_MOUNT)


@dataclass(frozen=True)
class Older:
    """A release that stands where the next one is to go, and how large both its folders are."""

    canaries: Canaries
    folder: Path
    tree: Tree
    size: int


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Older:
    """An older release, made by the whole command."""
    base = tmp_path_factory.mktemp("older")
    canaries = write_canaries(base / "input")
    assert cli.run(canaries.deidentify(base / "stood" / "out")) in (0, 3)
    stood = base / "stood"
    return Older(canaries, stood, tree_of(stood), sum(p.stat().st_size for p in files_under(stood)))


def place_older(older: Older, disk: Path) -> None:
    """Put the older release on a disk."""
    shutil.copytree(older.folder, disk, dirs_exist_ok=True)


def require_untouched(ended: Ended, older: Older, *places: Path) -> None:
    """The command failed clearly, and the disk holds the older release and nothing else."""
    assert ended.code in (StateError.exit_code, InputError.exit_code), f"ended with {ended.code}: {ended.said}"
    require_clear(ended.said, older.folder, *places)
    assert ended.left == older.tree, "an older release was changed, or something was left beside it"


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    """A folder to mount a disk on."""
    folder = tmp_path / "disk"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("room", [8, 48, 160], ids=lambda kib: f"{kib}KiB")
def test_a_full_disk_is_a_clear_error_and_keeps_the_older_release(older: Older, disk: Path, room: int) -> None:
    blocks = sum(-(-p.stat().st_size // 4096) * 4096 for p in files_under(older.folder))

    def prepare() -> None:
        mount(disk, f"size={blocks + (room << 10)}")
        place_older(older, disk)

    ended = in_child(older.canaries.deidentify(disk / "out", "--replace"), prepare=prepare, disk=disk)
    require_untouched(ended, older, disk)
    assert "No space left on device" in ended.said


def test_a_disk_with_room_for_both_takes_the_new_release_and_drops_the_older(older: Older, disk: Path) -> None:
    def prepare() -> None:
        mount(disk, f"size={3 * older.size + (1 << 20)}")
        place_older(older, disk)

    command = older.canaries.deidentify(disk / "out", "--replace", "--seed", "9")
    ended = in_child(command, prepare=prepare, disk=disk)
    assert ended.code in (0, 3), ended.said
    assert ended.left.keys() == older.tree.keys() and ended.left != older.tree


def test_a_read_only_target_is_a_clear_error_before_any_work(older: Older, disk: Path) -> None:
    def prepare() -> None:
        mount(disk, "size=8m")
        place_older(older, disk)
        mount(disk, "remount,ro")
        release_module.mask_all = lambda *_, **__: os._exit(90)  # type: ignore[assignment]

    ended = in_child(older.canaries.deidentify(disk / "out", "--replace"), prepare=prepare, disk=disk)
    require_untouched(ended, older, disk)
    assert "Read-only file system" in ended.said


def test_no_room_for_the_index_that_workers_share_is_a_clear_error(older: Older, disk: Path, tmp_path: Path) -> None:
    target, temporary = disk, tmp_path / "temporary"
    temporary.mkdir()

    def prepare() -> None:
        mount(temporary, "size=4k")
        place_older(older, target)
        os.environ["TMPDIR"] = str(temporary)
        tempfile.tempdir = str(temporary)
        parcels.LARGE_BYTES = 256  # the index of a town is small

    command = older.canaries.deidentify(target / "out", "--replace", "--workers", "2")
    ended = in_child(command, prepare=prepare, disk=target)
    require_untouched(ended, older, target, temporary)
    assert "temporary files" in ended.said and "TMPDIR" in ended.said


@pytest.mark.parametrize("limit", [16, 3000, 40_000], ids=lambda size: f"{size}B")
def test_a_limit_on_the_size_of_files_is_a_clear_error_and_keeps_the_older_release(
    older: Older, disk: Path, limit: int
) -> None:
    def prepare() -> None:
        place_older(older, disk)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    ended = in_child(older.canaries.deidentify(disk / "out", "--replace"), prepare=prepare, disk=disk)
    require_untouched(ended, older, disk)
    assert "File too large" in ended.said
