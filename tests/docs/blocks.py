"""Blocks of commands and of Python, as they stand in README and docs."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted(p for p in (ROOT / "docs").rglob("*.md") if p.name != "cli.md"))
_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?:^    \S.*\n(?:^ {4,}\S.*\n)*)", re.MULTILINE)
_PROGRAM = re.compile(r"(?:\.venv/bin/)?unname ")


@dataclass(frozen=True)
class Block:
    """A block of commands: where it stands, and the words of each command that it gives `unname`."""

    place: str
    commands: tuple[tuple[str, ...], ...]

    @property
    def read(self) -> tuple[str, ...]:
        """What the commands name and none before wrote, in order."""
        written, found = set[str](), dict[str, None]()
        for command in self.commands:
            made = set(written_by(command))
            found |= dict.fromkeys(word for word in command if word not in written | made)
            written |= made | {f"{out}.private" for out in made}
        return tuple(found)


def written_by(command: tuple[str, ...]) -> list[str]:
    """What a command writes, by its options."""
    asked = ("--out", "--for-attack", "--errors")
    return [after for word, after in zip(command, command[1:], strict=False) if word in asked]


def name_of(page: Path) -> str:
    """The path of a page, from the root of the repository."""
    return page.relative_to(ROOT).as_posix()


def command_blocks() -> Iterator[Block]:
    """Every block of README and docs that gives `unname` a command."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        shell = [match for match in _FENCED.finditer(text) if match[1] in ("sh", "bash")]
        bare = _FENCED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        for match in sorted((*_INDENTED.finditer(bare), *shell), key=lambda match: match.start()):
            lines = match[2] if match in shell else match[0]
            commands = tuple(_words(line) for line in _lines(lines) if _PROGRAM.match(line))
            if commands:
                yield Block(f"{name_of(page)}:{text.count(chr(10), 0, match.start()) + 1}", commands)


def python_blocks() -> Iterator[tuple[Path, list[str]]]:
    """Every page with blocks of Python, and these in order."""
    for page in PAGES:
        blocks = [match[2] for match in _FENCED.finditer(page.read_text(encoding="utf-8")) if match[1] == "python"]
        if blocks:
            yield page, blocks


def _lines(block: str) -> list[str]:
    return [line.strip() for line in block.replace("\\\n", " ").splitlines()]


def _words(line: str) -> tuple[str, ...]:
    return tuple(shlex.split(_PROGRAM.sub("", line, count=1), comments=True))
