"""C3: the main job needs no network: it runs where there is none, and every socket is death."""

import shutil
import subprocess
import sys
from pathlib import Path

from promise_support import RELEASE_FILES, Files

GUARD = """
import os, sys
def refuse(event, args):
    if event.startswith("socket."):
        os.write(2, f"touched {event}\\n".encode())
        os._exit(99)
sys.addaudithook(refuse)
import unname.verbs.deidentify.files as release
{planted}
from unname.apps.cli import run
sys.exit(run(sys.argv[1:]))
"""
DIAL = "import socket\nrelease.manifest = lambda **named: socket.create_connection(('127.0.0.1', 9), timeout=1)"


def without_interfaces() -> list[str]:
    """A command that starts another in a namespace without network, where the system allows it; else nothing."""
    if shutil.which("unshare") is None:
        return []
    command = ["unshare", "--map-root-user", "--net"]
    return command if subprocess.run([*command, "true"], capture_output=True).returncode == 0 else []


def require_no_network(files: Files, out: Path, *more: str, planted: str = "") -> None:
    """`unname deidentify` does its whole work under the guard."""
    done = subprocess.run(
        [*without_interfaces(), sys.executable, "-c", GUARD.replace("{planted}", planted), "deidentify",
         "--accept-risk", "a test",
         str(files.documents), "--people", str(files.people), "--out", str(out), "--k", "2",
         "--reidentifiers", "bm25", "--limit", "12", *more],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode != 99, "the main job touched the network: " + done.stderr[-200:]
    assert done.returncode in (0, 3), "the main job failed without a network: " + done.stderr[-2000:]
    assert {path.name for path in out.iterdir()} == RELEASE_FILES


def test_the_main_job_touches_no_socket(town_files: Files, tmp_path: Path) -> None:
    require_no_network(town_files, tmp_path / "out")


def test_the_check_notices_a_manifest_that_calls_home(town_files: Files, tmp_path: Path) -> None:
    try:
        require_no_network(town_files, tmp_path / "out", "--attackers", "bm25,facts", planted=DIAL)
    except AssertionError as error:
        assert "touched" in str(error)
    else:
        raise AssertionError("a connection went unnoticed")
