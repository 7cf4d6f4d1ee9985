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
from unname.run.deidentify_files import Released
from unname.storage.manifest import file_hash

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
