"""The command as it is installed."""

import os
import subprocess
import sys
from pathlib import Path


def test_the_command_is_installed() -> None:
    command = Path(sys.executable).with_name("unname")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False, env={**os.environ})
    assert done.returncode == 0 and "unname" in done.stdout


def test_the_package_runs_as_the_command() -> None:
    ran = subprocess.run([sys.executable, "-m", "unname", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("python -m unname, version ")
