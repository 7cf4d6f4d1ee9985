"""Several processes: the same result for any number of them, and nothing left of them whatever ends the run."""

import errno
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_settings import by_rules
from planted_parts import (
    Fatal,
    Slow,
    Threads,
    Unreadable,
    Unsendable,
    UntoldError,
    described,
    hide_nothing,
    lengthy,
    picky,
    unsendable_result,
)
from threadpoolctl import threadpool_limits

from unname.apps import cli
from unname.errors import InputError, ModelError, StateError, UnsafeReleaseError, where
from unname.job import make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population
from unname.parallel import shared as shared_module
from unname.parallel.shared import Packed, unpacked
from unname.parallel.workers import WorkerPool
from unname.protecting import until_safe as hiding
from unname.protecting.parts import Fitted
from unname.protecting.result import Deidentified
from unname.runtime import Runtime
from unname.types import Document
from unname.verbs.deidentify import in_memory as module
from unname.verbs.deidentify.files import deidentify_files
from unname.verbs.deidentify.in_memory import deidentify

pytestmark = pytest.mark.usefixtures("no_rounds")
KEY = b"w" * 32
SETTINGS = by_rules(k=3)


@pytest.fixture(scope="module")
def town() -> Town:
    """Forty people: more than two batches for each of three workers would need, were batches of sixteen."""
    return fictional_town(people=40, seed=6)


@pytest.fixture(scope="module")
def people(town: Town) -> Population:
    return Population(town.profiles)


@pytest.fixture(scope="module")
def alone(town: Town, people: Population) -> Deidentified:
    """The result of one process, documents in order."""
    return deidentify(town.documents, people, settings=SETTINGS, key=KEY)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place for temporary files of this process and of its children."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def stated(result: Deidentified) -> dict[str, Any]:
    """Everything that is said of each document, by id."""
    rows = zip(result.documents, result.outcomes(), strict=True)
    return {
        d.id: (o.mask, o.release, o.reason, dict(o.crowds), dict(o.together), o.target, o.hidden_words, o.words)
        for d, o in rows
    }


def children() -> set[int]:
    """The processes that this one has started and that have not ended."""
    return {int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()}


# --- the same result


@pytest.mark.slow
@pytest.mark.parametrize("workers", [2, 3])
def test_the_number_of_workers_changes_no_mask_release_or_crowd(
    town: Town, people: Population, alone: Deidentified, temporary: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(hiding, "BATCH", 3)
    before = children()
    shared = deidentify(town.documents, people, settings=SETTINGS, key=KEY, runtime=Runtime(workers=workers))
    assert stated(shared) == stated(alone)
    assert shared.recounted == alone.recounted > 0
    assert not list(temporary.iterdir()), "the shared index leaves no file behind"
    assert len(children() - before) <= 1, "no worker outlives the run (a tracker of shared resources may)"
    again = deidentify(town.documents[:5], people, settings=SETTINGS, key=KEY, fitted=Fitted(ensemble=shared.ensemble))
    assert stated(again) == stated(deidentify(town.documents[:5], people, settings=SETTINGS, key=KEY)), (
        "an index that was shared is as good as before once its files are gone"
    )


def test_the_order_of_documents_changes_nothing_with_several_workers(
    town: Town, people: Population, alone: Deidentified, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hiding, "BATCH", 2)
    mixed = list(town.documents)
    random.Random(3).shuffle(mixed)
    assert [d.person for d in mixed] != [d.person for d in town.documents]
    result = deidentify(mixed, people, settings=SETTINGS, key=KEY, runtime=Runtime(workers=2))
    assert [d.id for d in result.documents] == [d.id for d in mixed]
    assert stated(result) == stated(alone)


def test_the_check_notices_documents_that_come_back_in_another_order(
    town: Town, people: Population, alone: Deidentified, monkeypatch: pytest.MonkeyPatch
) -> None:
    def backwards(masker: Any, wanted: Any, pool: Any) -> Iterator[Any]:
        first, second, *rest = hiding.mask_people(masker, wanted)
        yield from (second[: len(first)], first[: len(second)], *rest)

    monkeypatch.setattr(module, "mask_people", backwards)
    with pytest.raises(UnsafeReleaseError, match="recount"):
        deidentify(town.documents, people, settings=SETTINGS, key=KEY)
    monkeypatch.setattr(module, "verify_crowds", lambda *_: 0)
    assert stated(deidentify(town.documents, people, settings=SETTINGS, key=KEY)) != stated(alone)


def test_files_are_the_same_to_the_byte_for_any_number_of_workers(town: Town, tmp_path: Path) -> None:
    documents, profiles = write(tmp_path, town)
    key = tmp_path / "key"
    key.write_text("ab" * 32, encoding="ascii")
    key.chmod(0o600)
    for workers in (1, 2):
        deidentify_files(
            make_job(
                documents,
                profiles,
                tmp_path / str(workers),
                accept_risk="a test",
                masking=SETTINGS,
                attackers=("facts",),
                key=key,
                workers=workers,
            )
        )
    for name in ("1", "1.private"):
        for path in (tmp_path / name).iterdir():
            twin = tmp_path / name.replace("1", "2") / path.name
            assert path.read_bytes() == twin.read_bytes(), f"{path.name} depends on the number of workers"


def test_arithmetic_uses_one_thread_in_this_process_and_in_workers(
    town: Town, people: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unname.protecting.parts.make_method", lambda *_: Threads())
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    for workers in (1, 2):
        with threadpool_limits(2):
            result = deidentify(
                town.documents[:6], people, settings=SETTINGS, key=KEY, runtime=Runtime(workers=workers)
            )
        assert not result.withheld, "a method that found more than one thread would have failed"


# --- trouble


def test_a_worker_that_is_killed_is_a_clear_error_and_nothing_is_written(
    town: Town, tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    documents, profiles = write(folder, town)
    before = {path.name for path in folder.iterdir()}
    monkeypatch.setattr("unname.protecting.parts.make_method", lambda *_: Fatal(town.documents[20].id))
    code = cli.run(["deidentify", "--accept-risk", "x", str(documents), "--people", str(profiles), "--out",
                    str(folder / "out"), "--k", "3", "--workers", "2"])  # fmt: skip
    said = capfd.readouterr()
    assert code == StateError.exit_code == 5
    assert "a worker process died" in said.err and "nothing was written" in said.err and not said.out
    assert {path.name for path in folder.iterdir()} == before
    assert not list(temporary.iterdir())


def test_a_worker_that_is_killed_in_memory_is_a_state_error_and_leaves_an_index_that_works(
    town: Town, people: Population, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("unname.protecting.parts.make_method", lambda *_: Fatal(town.documents[0].id))
        with pytest.raises(StateError, match="worker process died"):
            deidentify(town.documents, people, settings=SETTINGS, key=KEY, runtime=Runtime(workers=2))
    assert not list(temporary.iterdir())


def test_a_part_that_cannot_be_sent_to_a_worker_is_a_clear_error(
    town: Town, people: Population, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unname.protecting.parts.make_method", lambda *_: Unsendable())
    with pytest.raises((ModelError, StateError)) as caught:
        deidentify(town.documents, people, settings=SETTINGS, key=KEY, runtime=Runtime(workers=2))
    assert "one worker" in str(caught.value)
    assert not list(temporary.iterdir())
    assert not deidentify(town.documents[:3], people, settings=SETTINGS, key=KEY).withheld


def test_a_run_that_is_given_up_half_way_leaves_no_worker_and_no_file(
    town: Town, people: Population, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class GivenUpError(Exception):
        pass

    def stop(done: int) -> None:
        raise GivenUpError

    monkeypatch.setattr(hiding, "BATCH", 1)
    monkeypatch.setattr("unname.protecting.parts.make_method", lambda *_: Slow(town.documents[0].id, 30))
    before, started = children(), time.monotonic()
    with pytest.raises(GivenUpError):
        deidentify(
            town.documents,
            people,
            settings=SETTINGS,
            key=KEY,
            runtime=Runtime(workers=2, progress=lambda name, total: stop if name == "mask" else lambda done: None),
        )
    assert time.monotonic() - started < 20, "nobody waits for work that nobody wants any more"
    assert len(children() - before) <= 1, "no worker is left (a tracker of shared resources may be)"
    assert not list(temporary.iterdir())


# --- a pool by itself


def test_results_come_in_order_and_large_arrays_are_mapped_not_copied() -> None:
    rng = np.random.default_rng(0)
    parts = (
        rng.random((300, 200)),
        np.asfortranarray(rng.random((300, 200))),
        rng.integers(0, 9, 5),
        rng.random(40_000)[::2],
    )
    with WorkerPool(2) as pool:
        found = list(pool.map(described, parts, range(40)))
    assert [item for item, _, _ in found] == list(range(40))
    assert {pid for *_, pid in found}.isdisjoint({os.getpid()}) and len({pid for *_, pid in found}) <= 2
    for _, arrays, _ in found:
        assert [a[:3] for a in arrays] == [
            ("<f8", True, False), ("<f8", False, False), ("<i8", True, True), ("<f8", True, True)
        ]  # fmt: skip
        assert [total for *_, total in arrays] == [float(part.sum()) for part in parts]


def test_a_part_is_sent_once_while_it_is_used_and_again_after_that(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    real = WorkerPool._send

    def watched(self: WorkerPool, number: int, value: object, kept: tuple[int, ...]) -> None:
        sent.append(id(value))
        real(self, number, value, kept)

    monkeypatch.setattr(WorkerPool, "_send", watched)
    one, other = np.ones(3), np.zeros(4)
    with WorkerPool(2) as pool:
        for parts in ((one, other), (other, one), (one,), (one, other)):
            totals = [sum(total for *_, total in arrays) for _, arrays, _ in pool.map(described, parts, range(3))]
            assert totals == [float(sum(part.sum() for part in parts))] * 3
    assert sent == [id(one), id(other), id(other)]


def test_a_part_that_is_needed_again_is_held_meanwhile() -> None:
    one, other = np.ones(3), np.zeros(4)
    with WorkerPool(2) as pool:
        for parts, again, held in (
            ((one,), (), [1]),
            ((other,), (one,), [1, 2]),
            ((one,), (), [1]),
            ((other,), (), [3]),
        ):
            list(pool.map(described, parts, range(2), again))
            assert sorted(pool._held) == held


def test_results_that_were_given_up_cannot_be_asked_for_and_disturb_nobody() -> None:
    with WorkerPool(2) as pool:
        stale = pool.map(picky, (None,), [1, 2, 3, 4])
        assert next(stale) == 1
        fresh = pool.map(picky, (None,), [6, 7, 8])
        assert next(fresh) == 6
        with pytest.raises(StateError, match="given up"):
            list(stale)
        assert list(fresh) == [7, 8]
        del stale
        last = pool.map(picky, (None,), [9])
    with pytest.raises(StateError, match="given up"):
        next(last)
    with pytest.raises(StateError, match="ended"):
        pool.map(picky, (None,), [1])


def test_a_bug_in_a_worker_tells_its_place() -> None:
    with WorkerPool(2) as pool, pytest.raises(AttributeError) as caught:
        list(pool.map(hide_nothing, (None,), [1]))
    assert where(caught.value).startswith("at unname/protecting/until_safe.py:")


def test_texts_go_along_the_line_and_into_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only numbers may reach a disk that nobody promised was safe."""
    made: list[bytes] = []
    real = Packed.add
    monkeypatch.setattr(Packed, "add", lambda self, content: (made.append(bytes(content)), real(self, content))[1])
    texts = np.array(["Ada Byron"] * 20_000)
    with Packed(({"text": "Ada Byron" * 20_000}, texts, np.arange(1 << 15))) as packed:
        assert packed.file is not None
        about = os.fstat(packed.file)
        assert about.st_nlink == 0 and about.st_mode & 0o077 == 0, "a file without a name"
        assert os.pread(packed.file, about.st_size, 0) == made[0]
        assert len(made) == 1 and b"Ada" not in made[0]
        assert packed.data.count(b"Ada Byron") >= 20_000
        value = unpacked(packed.data, packed.file)
    assert packed.file is None
    assert value[2].sum() == np.arange(1 << 15).sum(), "what is mapped stays"


def test_a_worker_that_is_killed_in_the_middle_of_a_large_answer_is_noticed() -> None:
    """Nobody reads its line meanwhile, so that it stops half way; the others' lines are their own."""
    with WorkerPool(2) as pool:
        found = pool.map(lengthy, (), [50_000_000] * 6)
        time.sleep(1)
        os.kill(pool._members[0].process.pid or 0, signal.SIGKILL)
        with pytest.raises(StateError, match="worker process died"):
            list(found)
        assert list(pool.map(picky, (None,), [8, 7])) == [8, 7]


def test_work_is_given_up_at_once_in_the_middle_of_large_answers() -> None:
    started = time.monotonic()
    with WorkerPool(2) as pool:
        for _ in range(3):
            for found in pool.map(lengthy, (), [20_000_000] * 6):
                assert len(found) == 20_000_000
                break
            pool.stop()
    assert time.monotonic() - started < 60


@pytest.mark.parametrize("item", [Unreadable(), lambda: None])
def test_an_item_that_cannot_arrive_is_a_clear_error_and_prints_nothing(
    item: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    with WorkerPool(2) as pool, pytest.raises(ModelError, match="use one worker"):
        list(pool.map(picky, (None,), [1, item, 3]))
    said = capfd.readouterr()
    assert not said.err and not said.out


def test_a_result_that_cannot_leave_is_a_clear_error() -> None:
    with WorkerPool(2) as pool, pytest.raises(ModelError, match="use one worker"):
        list(pool.map(unsendable_result, (), [1]))


def test_what_foreign_code_raises_past_exceptions_says_where_and_prints_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with WorkerPool(2) as pool, pytest.raises(ModelError, match="a worker failed with KeyboardInterrupt"):
        list(pool.map(picky, (KeyboardInterrupt("Ada Byron"),), range(9)))
    said = capfd.readouterr()
    assert "Ada" not in said.err + said.out


def test_after_an_interrupted_stop_nobody_gets_results_of_another_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with WorkerPool(2) as pool:
        old = pool.map(picky, (None,), [1, 2, 3])
        assert next(old) == 1
        with monkeypatch.context() as patch:
            patch.setattr(SpawnProcess, "join", lambda self, timeout=None: (_ for _ in ()).throw(KeyboardInterrupt()))
            with pytest.raises(KeyboardInterrupt):
                pool.stop()
        assert list(pool.map(picky, (None,), [6, 7, 8])) == [6, 7, 8]


def test_items_that_use_the_pool_themselves_are_an_error() -> None:
    with WorkerPool(2) as pool, pytest.raises(StateError, match="given up"):
        list(pool.map(picky, (None,), (next(pool.map(picky, (None,), [i])) for i in range(9))))


def test_processes_that_cannot_start_are_a_clear_error_and_none_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    real = SpawnProcess.start

    def start(self: SpawnProcess) -> None:
        if started:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        started.append(self)
        real(self)

    monkeypatch.setattr(SpawnProcess, "start", start)
    before = children()
    with WorkerPool(3) as pool, pytest.raises(StateError, match=r"Too many open files.*one worker"):
        list(pool.map(picky, (None,), [1]))
    assert len(children() - before) <= 1, "a tracker of shared resources may be left"


@pytest.mark.parametrize("delay", [0.0, 0.1, 0.3, 0.6])
def test_workers_that_are_starting_end_when_their_parent_is_killed(tmp_path: Path, delay: float) -> None:
    program = tmp_path / "starts.py"
    program.write_text(
        "import time\nfrom unname.parallel.workers import WorkerPool\n"
        "if __name__ == '__main__':\n"
        "    with WorkerPool(2) as pool:\n"
        "        pool.start()\n"
        "        print(*(m.process.pid for m in pool._members), flush=True)\n"
        "        time.sleep(60)\n",
        "utf-8",
    )
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pids = [int(pid) for pid in process.stdout.readline().split()]
        assert len(pids) == 2
        time.sleep(delay)
        process.kill()
        assert not until_gone(lambda: [pid for pid in pids if look(pid, "cmdline")], 15)


@pytest.mark.parametrize(
    ("error", "arrives", "says"),
    [
        (InputError("record 3: field 'text'"), InputError, "record 3"),
        (ValueError("other"), ValueError, "other"),
        (UntoldError("a", "b"), ModelError, "one worker"),
    ],
)
def test_what_fails_in_a_worker_fails_here_and_the_pool_can_be_used_again(
    error: Exception, arrives: type[Exception], says: str
) -> None:
    with WorkerPool(2) as pool:
        with pytest.raises(arrives, match=says):
            list(pool.map(picky, (error,), range(30)))
        assert list(pool.map(picky, (None,), range(5))) == list(range(5))
        for number in pool.map(picky, (None,), range(5)):
            if number == 2:
                break  # given up by whoever asked
        assert list(pool.map(picky, (None,), [8, 7])) == [8, 7]


@pytest.mark.parametrize("part", [lambda: None, Unreadable()])
def test_a_part_that_cannot_be_sent_or_cannot_arrive_is_a_clear_error(part: Any) -> None:
    with WorkerPool(2) as pool, pytest.raises(ModelError, match="use one worker"):
        list(pool.map(picky, (part,), range(3)))


def test_no_room_for_what_is_shared_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(shared_module.tempfile, "TemporaryFile", full)
    with WorkerPool(2) as pool, pytest.raises(StateError, match=r"No space left on device.*TMPDIR"):
        list(pool.map(described, (np.ones(1 << 16),), range(3)))


# --- the end of the parent


def write(folder: Path, town: Town) -> tuple[Path, Path]:
    """The town as files."""
    documents, profiles = folder / "d.jsonl", folder / "p.jsonl"
    documents.write_text(
        "".join(json.dumps({"id": d.id, "person": d.person, "text": d.text}) + "\n" for d in town.documents), "utf-8"
    )
    profiles.write_text(
        "".join(json.dumps({"id": p.id, "fields": dict(p.fields)}) + "\n" for p in town.profiles), "utf-8"
    )
    return documents, profiles


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Four hundred people whose long notes take two workers many seconds."""
    town = fictional_town(people=400, seed=8)
    texts = [d.text for d in town.documents]
    longer = [
        Document(f"{d.id}-{j}", "\n".join(texts[(i + 7 * n) % len(texts)] for n in range(6)) + d.text, d.person)
        for i, d in enumerate(town.documents) for j in range(2)
    ]  # fmt: skip
    return write(tmp_path_factory.mktemp("large"), Town(town.profiles, tuple(longer), {}))


@contextmanager
def running(
    files: tuple[Path, Path], folder: Path, ready: Callable[[list[int]], list[int]]
) -> Iterator[tuple[subprocess.Popen[str], Callable[[], list[int]]]]:
    """A run with two workers that are `ready`, and a look at which processes of it live; found by their own variable."""
    mark = f"UNNAME_TEST_RUN={folder.name}-{os.getpid()}-{time.monotonic_ns()}"
    name, _, value = mark.partition("=")

    def alive() -> list[int]:
        found = []
        for path in Path("/proc").iterdir():
            if path.name.isdigit():
                try:
                    if (
                        mark.encode() in (path / "environ").read_bytes()
                        and b"Z" not in ((path / "stat").read_bytes().rpartition(b")")[2].split()[0])
                    ):
                        found.append(int(path.name))
                except OSError:
                    continue
        return found

    out = folder / "out"
    program = str(Path(sys.executable).with_name("unname"))
    command = [program, "deidentify", "--accept-risk", "x", *map(str, (files[0], "--people", files[1])), "--out", str(out),
               "--workers", "2", "--attackers", "facts"]  # fmt: skip
    environment = {**os.environ, name: value, "TMPDIR": str(folder / "temporary")}
    (folder / "temporary").mkdir()
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            deadline = time.monotonic() + 90
            while len(found := ready(alive())) < 2 and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            assert process.poll() is None, process.communicate()
            assert len(found) >= 2, "no two workers came; nothing would be tested"
            yield process, alive
        finally:
            for pid in alive():
                os.kill(pid, signal.SIGKILL)


def starting(pids: list[int]) -> list[int]:
    """The workers among these, however far they are."""
    return [pid for pid in pids if b"spawn_main" in look(pid, "cmdline")]


def busy(pids: list[int]) -> list[int]:
    """The workers among these that map a file without a name, the index, so are past their start."""
    return [pid for pid in starting(pids) if b"/temporary/" in look(pid, "maps")]


def look(pid: int, name: str) -> bytes:
    """What the system says of a process; nothing where it is gone."""
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def until_gone(alive: Callable[[], list[int]], seconds: float) -> list[int]:
    """Who is left of a run after so long at most."""
    deadline = time.monotonic() + seconds
    while alive() and time.monotonic() < deadline:
        time.sleep(0.1)
    return alive()


def test_workers_end_when_their_parent_is_killed(large: tuple[Path, Path], tmp_path: Path) -> None:
    with running(large, tmp_path, busy) as (process, alive):
        assert len(alive()) >= 3
        process.kill()
        process.wait(10)
        assert not until_gone(alive, 10), "a worker outlives its parent"
    assert {path.name for path in tmp_path.iterdir()} == {"temporary"}, "no output and no leftover beside it"
    assert not list((tmp_path / "temporary").iterdir()), "the index that was shared has no name to leave behind"


@pytest.mark.parametrize("when", ["workers are at work", "workers are about to start"])
def test_control_c_ends_a_run_with_130_and_leaves_no_process_file_or_output(
    large: tuple[Path, Path], tmp_path: Path, when: str
) -> None:
    with running(large, tmp_path, busy if when == "workers are at work" else starting) as (process, alive):
        os.killpg(process.pid, signal.SIGINT)
        started = time.monotonic()
        out, err = process.communicate(timeout=60)
        assert time.monotonic() - started < 8, "nobody waits for work that nobody wants"
        assert process.returncode == 130, err
        assert "interrupted" in err and "Traceback" not in err and not out
        assert not until_gone(alive, 10)
    assert {path.name for path in tmp_path.iterdir()} == {"temporary"}
    assert not list((tmp_path / "temporary").iterdir()), "the shared index must not be left behind"
