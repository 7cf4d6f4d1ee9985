"""Two installs of the command: the one with all extras that runs the tests, and the base install, made by the tests."""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BASE = ROOT / ".venv" / "base"


@dataclass(frozen=True)
class Ran:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Install:
    """A place that the command is installed in."""

    command: Path

    def run(self, words: tuple[str, ...], folder: Path) -> Ran:
        """Run the command in a folder."""
        done = subprocess.run([self.command, *words], cwd=folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "OMP_NUM_THREADS": "1", "COLUMNS": "200"})  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr)


def with_extras() -> Install:
    """What the tests themselves run in."""
    return Install(Path(sys.executable).with_name("unname"))


def base_install(folder: Path) -> Install:
    """A virtual environment without any extra, with the package as a wheel: what `pip install unname` gives.

    Its dependencies stay from run to run; the package is built and installed anew.
    """
    python = _BASE / "bin" / "python"
    made_by = (ROOT / "pyproject.toml", ROOT / "constraints.txt", Path(__file__))
    wanted = hashlib.sha256(b"".join(path.read_bytes() for path in made_by))
    stamp = _BASE / f"{wanted.hexdigest()[:16]}.stamp"
    constraints = ["--constraint", str(ROOT / "constraints.txt")]
    if not stamp.exists():
        shutil.rmtree(_BASE, ignore_errors=True)
        _do(sys.executable, "-m", "venv", str(_BASE))
        _do(str(python), "-m", "pip", "install", "--quiet", *constraints, str(ROOT))
        stamp.touch()
    _do(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    (wheel,) = folder.glob("unname-*.whl")
    _do(str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", str(wheel))
    return Install(_BASE / "bin" / "unname")


def _do(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
