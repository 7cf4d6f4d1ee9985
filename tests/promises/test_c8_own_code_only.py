"""C8: no code from where the user stands, no core dumps, and nothing in a release that a guess could be checked against."""

import hashlib
import json
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from promise_support import Files

from unname.knowledge.fictional import fictional_town
from unname.storage.manifest import file_hash
from unname.verbs.deidentify.files import Released

PLANTED = "import os, sys\nopen(os.path.join(os.path.dirname(__file__), 'planted-' + __name__), 'w').close()\nraise SystemExit(9)\n"  # noqa: E501
UNNAME = str(Path(sys.executable).with_name("unname"))


def command(files: Files, out: Path, *more: str) -> list[str]:
    return [UNNAME, "deidentify", str(files.documents), "--people", str(files.people), "--out", str(out), "--k", "2",
            "--reidentifiers", "bm25", "--attackers", "bm25,facts", "--accept-risk", "a test", *more]  # fmt: skip


@pytest.mark.parametrize("workers", ["1", "2"])
def test_modules_beside_the_documents_are_never_imported(town_files: Files, tmp_path: Path, workers: str) -> None:
    for name in ("socket", "queue", "random", "multiprocessing", "numpy", "json", "threading", "selectors", "signal"):
        (tmp_path / f"{name}.py").write_text(PLANTED)
    done = subprocess.run(command(town_files, tmp_path / "out", "--workers", workers), cwd=tmp_path, capture_output=True, check=False)  # fmt: skip # noqa: E501
    assert done.returncode in (0, 3), done.stderr.decode()
    assert not list(tmp_path.glob("planted-*")), "a file beside the documents ran in a process that holds key and texts"


def test_the_check_notices_a_module_that_is_imported(tmp_path: Path) -> None:
    (tmp_path / "socket.py").write_text(PLANTED)
    subprocess.run([sys.executable, "-c", "import socket"], cwd=tmp_path, check=False)
    assert list(tmp_path.glob("planted-*"))


def test_no_process_leaves_a_core_dump(tmp_path: Path) -> None:
    program = "import resource, unname.apps.cli as cli; cli.run = lambda: print(resource.getrlimit(resource.RLIMIT_CORE)); cli.main()"  # noqa: E501
    limits = lambda: resource.setrlimit(resource.RLIMIT_CORE, (4096, 4096))  # noqa: E731
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, preexec_fn=limits, check=False
    )
    assert "(0, 0)" in done.stdout, done.stderr


def test_no_hash_of_an_input_stands_in_a_release(released: Released, town_files: Files) -> None:
    shown = "".join(p.read_text("utf-8") for p in released.folder.iterdir() if p.is_file())
    for path in (town_files.documents, town_files.people):
        for name in ("sha256", "sha1", "md5", "blake2b"):
            assert hashlib.new(name, path.read_bytes()).hexdigest() not in shown
        assert file_hash(path) not in shown
    for line in town_files.documents.read_text("utf-8").splitlines():
        assert hashlib.sha256(json.loads(line)["text"].encode()).hexdigest() not in shown


# The command, which waits where key and texts are written and nothing is in its place yet; tells of itself, then of its end.
WAITING = """
import sys, time
from unname.apps import cli
from unname.verbs.deidentify import files as job

finish = job.finish

def waiting(*args, **named):
    finish(*args, **named)
    print("written", flush=True)
    for _ in range(600):  # a thread of the progress bar may take the signal, and does not wake this one
        time.sleep(0.1)

job.finish = waiting
sys.argv = ["unname", *sys.argv[1:]]
cli.main()
"""


@pytest.mark.parametrize("told", [(signal.SIGTERM,), (signal.SIGHUP,), (signal.SIGHUP, signal.SIGHUP, signal.SIGTERM)])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_key_and_texts_that_are_not_in_place_yet_go_with_a_run_that_is_told_to_end(
    town_files: Files, tmp_path: Path, told: tuple[signal.Signals, ...], workers: str
) -> None:
    _, *arguments = command(town_files, tmp_path / "out", "--workers", workers)
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdout is not None and run.stderr is not None
        assert b"written" in run.stdout.readline()
        assert list(tmp_path.rglob("key")), "it stands aside"
        for one in told:
            run.send_signal(one)
        assert run.wait(timeout=30) == 130
        assert b"interrupted; nothing was written" in run.stderr.read()
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_is_to_outlive_its_terminal_does(town_files: Files, tmp_path: Path) -> None:
    _, *arguments = command(town_files, tmp_path / "out", "--workers", "2")
    ignoring = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"  # as `nohup` does
    program = ignoring + WAITING.replace("range(600)", "range(5)")
    with subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE) as run:
        assert run.stdout is not None and b"written" in run.stdout.readline()
        run.send_signal(signal.SIGHUP)
        run.stdout.read()
        assert run.wait(timeout=60) in (0, 3)
    assert (tmp_path / "out" / "manifest.json").is_file()


def test_a_run_that_is_told_to_end_leaves_nothing_behind(tmp_path: Path) -> None:
    from promise_support import write_town

    files = write_town(tmp_path / "input", fictional_town(people=200, seed=3))
    (tmp_path / "work").mkdir()
    run = subprocess.Popen(command(files, tmp_path / "work" / "out", "--workers", "2"), stderr=subprocess.DEVNULL)

    def workers() -> int:
        ids = [i for task in Path(f"/proc/{run.pid}/task").iterdir() for i in (task / "children").read_text().split()]
        return sum(b"spawn_main" in Path(f"/proc/{i}/cmdline").read_bytes() for i in ids)

    while run.poll() is None and workers() < 2:
        time.sleep(0.02)
    run.send_signal(signal.SIGTERM)
    assert run.wait(timeout=30) == 130, "it ends because it was told to"
    assert list((tmp_path / "work").iterdir()) == []
    assert {p.name for p in (tmp_path / "input").iterdir()} == {"documents.jsonl", "people.jsonl"}
