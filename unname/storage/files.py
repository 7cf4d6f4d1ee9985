"""Writing so that a reader never sees half a file: aside, flushed to the disk, then renamed."""

import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from unname.errors import SettingsError, StateError, UnnameError
from unname.storage.faults import shown_name

_LEFT_OVER = re.compile(r"\.[0-9a-f]{16}\.partial")


@dataclass(frozen=True, slots=True)
class Output:
    """A kind of output folder: what it is called, the files that one always holds, and all that it may hold besides."""

    name: str
    always: frozenset[str]
    besides: frozenset[str] = frozenset()

    def is_held_by(self, folder: Path) -> bool:
        """Whether all in a folder is an output of this kind; what an interrupted write left there does not count."""
        held = {path.name for path in folder.iterdir() if not _LEFT_OVER.fullmatch(path.name)}
        return not held or self.always <= held <= self.always | self.besides


def _output(name: str, always: str, besides: str = "") -> Output:
    return Output(name, frozenset(always.split()), frozenset(besides.split()))


RELEASE = _output("release", "manifest.json documents.jsonl", "report.html report.json")
PRIVATE = _output("private folder", "key masks.jsonl", "documents.jsonl offsets.jsonl failures.jsonl models")
REPORT = _output("report", "report.json", "report.html")
TOWN = _output("town", "documents.jsonl people.jsonl")
MODEL = _output(
    "model",
    "model.json weights.safetensors",
    "words.json features.json frequency.json taught.json config.json tokenizer.json document profile",
)


def write_atomically(path: Path, content: bytes | Iterable[bytes], *, private: bool = False) -> None:
    """Write a file whole or not at all; `private` files can be read by their owner alone.

    Content may come in pieces, which are written as they come and not held; an error of their maker leaves no file.
    """
    with written_atomically(path, private=private) as stream:
        stream.writelines((content,) if isinstance(content, bytes) else content)


@contextmanager
def written_atomically(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """The same for what is written within a block, where several files may grow side by side."""
    aside = path.with_name(f".{secrets.token_hex(8)}.partial")
    try:
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o644)
        with os.fdopen(handle, "wb", buffering=1 << 20) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(aside, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise StateError(f"a file could not be written: {error.strerror}; nothing was changed") from None
    finally:
        with suppress(OSError):
            aside.unlink()


@contextmanager
def parents_made(path: Path) -> Iterator[None]:
    """The folders above a file are there within the block; those that had to be made go again where it fails."""
    missing = [folder for folder in path.parents if not folder.exists()]
    try:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StateError(f"a folder could not be made: {error.strerror}; nothing was written") from None
        yield
    except BaseException:
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()
        raise


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def require_absent(folder: Path, *, replace: bool, kind: Output | None = None) -> None:
    """An output that exists is never written over unless asked, and a file never gives way to a folder.

    Of a `kind` only its own gives way: a folder that holds anything else is refused, whatever was asked; StateError.
    """
    if folder.exists() and not folder.is_dir():
        raise StateError("a file exists where an output folder should go; choose another folder")
    if not folder.exists() or not any(folder.iterdir()):
        return
    if kind is not None and not kind.is_held_by(folder):
        raise StateError(
            f"{shown_name(folder)}: an output folder already exists and holds something else than a {kind.name} of ours,"
            " which --replace leaves alone; choose another folder"
        )
    if not replace:
        raise StateError("an output folder already exists; choose another, or say --replace")


def require_apart(*folders: Path, inputs: Sequence[Path] = ()) -> None:
    """Output folders must not hold each other or an input: replacing one would destroy what is in it."""
    if any(folder.name in ("", "..") for folder in folders):
        raise SettingsError("an output folder needs a name of its own")
    whole = [folder.resolve() for folder in folders]
    for i, folder in enumerate(whole):
        others = whole[:i] + whole[i + 1 :]
        if any(other.is_relative_to(folder) for other in others):
            raise SettingsError("output folders must be apart: none the same as another or inside it")
        if any(path.resolve().is_relative_to(folder) for path in inputs):
            raise SettingsError("an input lies in an output folder; choose another folder")


@contextmanager
def staged_folders(
    *folders: tuple[Path, bool], replace: bool = False, kinds: Sequence[Output] | None = None
) -> Iterator[tuple[Path, ...]]:
    """Fill folders aside and put all in place only when the block ends well; (folder, private) each.

    `kinds` are those of the folders, in the same order: nothing else is ever replaced (`require_absent`).

    Until then the old state is untouched; a process killed between two renames leaves whole folders only, and what
    they replace stays, at worst aside, until all are in place.
    Folders are put in place in the order given: name the private one first, so that a release never stands alone.
    """
    for (folder, _), kind in zip(folders, kinds or (None,) * len(folders), strict=True):
        require_absent(folder, replace=replace, kind=kind)
    asides: list[Path] = []
    try:
        for folder, private in folders:
            folder.parent.mkdir(parents=True, exist_ok=True)
            aside = folder.with_name(f".{secrets.token_hex(8)}.partial")
            aside.mkdir(mode=0o700 if private else 0o755)
            asides.append(aside)
        yield tuple(asides)
        _put_in_place([(aside, folder) for aside, (folder, _) in zip(asides, folders, strict=True)])
    except UnnameError:
        raise
    except OSError as error:
        raise StateError(f"an output folder could not be written: {error.strerror}") from None
    finally:
        for aside in asides:
            shutil.rmtree(aside, ignore_errors=True)


def _put_in_place(pairs: Sequence[tuple[Path, Path]]) -> None:
    """Rename each (aside, folder); what stood there is deleted last, and comes back if any rename fails."""
    done: list[tuple[Path, Path]] = []
    olds: list[Path] = []
    try:
        for _, folder in reversed(pairs):
            if folder.exists():
                old = folder.with_name(f".{secrets.token_hex(8)}.partial")
                os.replace(folder, old)
                done.append((folder, old))
                olds.append(old)
        for aside, folder in pairs:
            os.replace(aside, folder)
            done.append((aside, folder))
        for _, folder in pairs:
            _sync_folder(folder.parent)
    except BaseException:
        try:
            for source, target in reversed(done):
                os.replace(target, source)
        except OSError as error:  # no further: an old release must not stand beside a new private folder
            raise StateError(
                f"an output folder could not be written, nor what stood there put back: {error.strerror};"
                " it lies whole beside it, under a name that begins with a dot and ends in .partial"
            ) from None
        raise
    for old in olds:
        shutil.rmtree(old, ignore_errors=True)
