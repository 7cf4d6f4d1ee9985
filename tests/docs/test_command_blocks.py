"""Every command of README and docs runs as it stands, on small data; on the base install, or it says what to install."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from blocks import Block, command_blocks, written_by
from inputs import copy, put
from installs import Install, Ran, base_install, with_extras

pytestmark = pytest.mark.slow
BLOCKS = list(command_blocks())
# The same commands on several pages run once, under the name of the first.
DIFFERENT = list({block.commands: block for block in reversed(BLOCKS)}.values())[::-1]
# What makes a command quick where there is little to learn from, beside the words that stand there.
LITTLE = {
    "share train-representer": (
        "--width 16 --bottleneck 0 --noise 0.1 --tagger-epochs 4 --adversary-epochs 1 --turns 1 --attack-epochs 1 "
        "--most-pairs 1 --most-alignment 1 --least-cases 1"
    ),
    "share represent": "--most-pairs 1 --most-alignment 1 --least-cases 1 --least-attack-epochs 1 --attack-epochs 1",
    "share pool": "--epochs 2",
    "sanitize": "--kind svm",
    "train reidentifier": "--width 16 --epochs 1",
    "train tagger --kind transformer": "--epochs 1",
    # One command that masks runs in full, as most users type it first; so does one audit.
    "deidentify --tagger": "--attackers bm25,facts --rounds 0",
    "deidentify --person-pattern": "--attackers bm25,facts --rounds 0",
    "deidentify --after": "--attackers bm25,facts --rounds 0",
    "deidentify --transform": "--attackers bm25,facts --rounds 0",
    "deidentify --vault": "--attackers bm25,facts --rounds 0",
    "deidentify --model": "--attackers bm25,facts --rounds 0 --limit 6",
    "audit --private": "--attackers bm25,facts",
}  # fmt: skip
# What may need more than the base install; everything else may not.
EXTRAS = {
    "neural": ("guess ", "share train-", "share represent", "share pool", "share complete", "--tagger whole",
               "--kind transformer", "--kind biencoder", "--hide all --tagger model", "--model ", "--kind lstm-crf"),
    "taggers": ("train tagger", "sanitize"),
    "surrogates": ("--transform surrogate", "--transform generalise"),
    "vault": ("identity ", "--vault"),
}  # fmt: skip
# Few people are weak evidence: such a release stays in the private folder.
HELD = 4
HELD_FOLDER = "DIR.private"
# Folders of releases that went out, and their private ones; the first of two is that of other pages.
RELEASES = ("release", "first", "second")


@pytest.fixture(scope="module")
def full() -> Install:
    return with_extras()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Install:
    return base_install(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, full: Install) -> Path:
    """A folder of inputs, among them a release that went out and one that was held back."""
    folder = tmp_path_factory.mktemp("made")
    for name in ("notes.jsonl", "registry.csv"):
        put(name, folder, folder)
    quick = (
        "deidentify",
        "notes.jsonl",
        "--people",
        "registry.csv",
        "--attackers",
        "bm25,facts",
        "--rounds",
        "0",
        "--out",
    )
    assert full.run((*quick, "release", "--accept-risk", "a test"), folder).code == 0
    assert full.run((*quick, "second", "--k", "4", "--accept-risk", "a test"), folder).code == 0
    assert full.run((*quick, "held", "--private", HELD_FOLDER), folder).code == HELD
    return folder


def test_there_are_blocks_on_every_page_that_shows_commands() -> None:
    assert {block.place.partition(":")[0] for block in BLOCKS} >= {
        "README.md", "docs/concepts.md", "docs/files.md", "docs/scores.md", "docs/sharing.md", "docs/start.md",
        "docs/taggers.md",
    }  # fmt: skip


@pytest.mark.parametrize("block", DIFFERENT, ids=lambda block: block.place)
def test_commands_run_as_they_stand(block: Block, full: Install, base: Install, made: Path, tmp_path: Path) -> None:
    for command in block.commands:
        if command[:2] == ("share", "pool"):
            _lessons_of_others(full, command, tmp_path, made)
        words = (*command, *_little(command))
        _clear(command, tmp_path)
        _put_inputs(block, tmp_path, made)
        on_base = base.run(words, tmp_path)
        kept = _set_aside(command, tmp_path)
        _put_inputs(block, tmp_path, made)
        everywhere = full.run(words, tmp_path)
        assert everywhere.code in _expected(command), (command, everywhere.err)
        if on_base.code != everywhere.code:
            assert (on_base.code, _extra(on_base)) in [(1, extra) for extra in _may_need(command)], (
                command,
                on_base.err,
            )
        else:
            assert kept == _written(command, tmp_path)


def test_a_base_install_lists_its_parts(base: Install, tmp_path: Path) -> None:
    said = base.run(("methods",), tmp_path)
    assert said.code == 0 and "unname[neural]" in said.out and "bm25.v1" in said.out


def test_a_base_install_brings_no_other_package(base: Install, tmp_path: Path) -> None:
    python = base.command.with_name("python")
    found = subprocess.run([python, "-c", "import benchmarks"], cwd=tmp_path, capture_output=True, check=False)
    assert found.returncode == 1 and b"No module named 'benchmarks'" in found.stderr


def _put_inputs(block: Block, folder: Path, made: Path) -> None:
    """The inputs that a block names and that are not there."""
    for name in block.read:
        if name == HELD_FOLDER:  # what was held there may have been let go
            for place in (folder / name, folder / "held", made / "held"):
                shutil.rmtree(place, ignore_errors=True)
            copy(made / name, folder / name)
        elif (folder / name).exists():
            continue
        elif name.partition(".")[0] in RELEASES:
            source = name.replace("first", "release")
            copy(made / source, folder / name)
        else:
            put(name, folder, made)


def _expected(command: tuple[str, ...]) -> tuple[int, ...]:
    held = command[0] == "deidentify" and not {"--dry-run", "--accept-risk"} & set(command)
    return (HELD,) if held else (0,)


def _little(command: tuple[str, ...]) -> list[str]:
    line = " ".join(command)
    return " ".join(more for start, more in LITTLE.items() if all(word in line for word in _parts(start))).split()


def _parts(start: str) -> list[str]:
    return re.split(r" (?=--)", start)


def _may_need(command: tuple[str, ...]) -> Iterator[str]:
    line = " ".join(command)
    return (extra for extra, signs in EXTRAS.items() if any(sign in line for sign in signs))


def _extra(ran: Ran) -> str:
    """The extra that an error names."""
    named = re.search(r"pip install 'unname\[(\w+)\]'", ran.err)
    return named[1] if named else ""


def _outputs(command: tuple[str, ...], folder: Path) -> list[Path]:
    places = [folder / out for out in written_by(command)]
    return [there for place in places for there in folder.iterdir()
            if there.name == place.name or there.name in (f"{place.stem}.report", f"{place.stem}.private")]  # fmt: skip


def _written(command: tuple[str, ...], folder: Path) -> set[str]:
    return {path.name for path in _outputs(command, folder)}


def _clear(command: tuple[str, ...], folder: Path) -> None:
    for path in _outputs(command, folder):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _set_aside(command: tuple[str, ...], folder: Path) -> set[str]:
    """The names of what the base install wrote, which goes so that it can be written again."""
    names = _written(command, folder)
    _clear(command, folder)
    return names


def _lessons_of_others(full: Install, command: tuple[str, ...], folder: Path, made: Path) -> None:
    """The lessons of another house, which no command of the page makes."""
    for name in command[2:4]:
        if not (folder / name).exists():
            put("public", folder, made)
            asked = ("share", "represent", "public", "--format", "brat", "--representer", "representer", "--out", name)
            recipient = ("--recipient", "university") if name.startswith("lessons-") else ()
            done = full.run((*asked, *recipient, *_little(asked)), folder)
            assert done.code == 0, done.err
