"""Writing so that a reader never sees half a file: aside, flushed to the disk, then renamed."""

import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from unname.errors import SettingsError, StateError, UnnameError
from unname.storage.faults import shown_name

_LEFT_OVER = re.compile(r"\.[0-9a-f]{16}\.partial")
# A file in each output folder that says what it is. A name alone says nothing: people call their own files "report.json".
MARKER = ".unname"
_LONGEST_MARK = 200
_MEANWHILE = "another run has written to this place meanwhile; it was left as it is, and nothing was written"


@dataclass(frozen=True, slots=True)
class OutputKind:
    """A kind of output folder: what it is called, and all that it may hold (None: anything).

    `marked` is the name in its marker, where folders were made before the kind was called otherwise.
    """

    name: str
    holds: frozenset[str] | None = None
    marked: str = ""

    @property
    def mark(self) -> bytes:
        """The content of such a folder's marker."""
        return f"This folder is a {self.marked or self.name} made by Unname; --replace may delete it.\n".encode()

    def is_held_by(self, folder: Path) -> bool:
        """True if a folder is an output of this kind and holds nothing else; left-overs of a write do not count."""
        held = {path.name for path in folder.iterdir() if not _LEFT_OVER.fullmatch(path.name)}
        if not held:
            return True
        return (self.holds is None or held <= self.holds | {MARKER}) and self._is_marked(folder / MARKER)

    def _is_marked(self, marker: Path) -> bool:
        try:
            handle = os.open(marker, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as stream:
                return stream.read(_LONGEST_MARK) == self.mark
        except OSError:
            return False


def _output(name: str, holds: str) -> OutputKind:
    return OutputKind(name, frozenset(holds.split()))


RELEASE = _output(
    "release",
    "manifest.json documents.jsonl documents.csv documents.parquet documents report.html report.json",
)
PRIVATE = _output(
    "private folder",
    "key masks.jsonl documents.jsonl offsets.jsonl secrets.jsonl versions.jsonl failures.jsonl report.json read-first.csv "
    "models held held.json",
)
REPORT = _output("report", "report.json report.html")
TOWN = _output("town", "documents.jsonl people.jsonl others.jsonl")
INDEX = _output(
    "index of a graph",
    "graph.json keys.npy ends.npy letters.npy starts.npy postings.npy first.npy reach.npy common.npy "
    "people_keys.npy people_ends.npy people_letters.npy",
)
ATTACK = _output("folder for attackers", "documents.jsonl people.jsonl README.txt")
CORPUS = OutputKind("corpus")
MODEL = _output(
    "model",
    "model.json weights.safetensors "
    "words.json features.json frequency.json taught.json config.json tokenizer.json document profile links report.html "
    "secret.json",
)
SHARED_EXAMPLES = OutputKind(
    "folder of shared examples", frozenset(("card.json", "lessons.safetensors")), marked="folder of lessons"
)
# What a folder or file was when a run began: its place on the disk and when it was last changed; None: not there.
Seen = tuple[int, int, int] | None


def seen(path: Path) -> Seen:
    """The state of a path now, to be compared with its state later."""
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns


def left_overs(folder: Path) -> list[Path]:
    """Remains of interrupted writes in a folder; a write that goes on now is among them."""
    try:
        return sorted(path for path in folder.iterdir() if _LEFT_OVER.fullmatch(path.name))
    except OSError:
        return []


def write_atomically(
    path: Path, content: bytes | Iterable[bytes], *, private: bool = False, fresh: bool = False
) -> None:
    """Write a file whole or not at all; `private` files can be read by their owner alone.

    Content may come in pieces, which are written as they come and not held; an error of their maker leaves no file.
    A `fresh` file takes the place of nothing: where another run has written one meanwhile, that stays, and StateError.
    """
    with written_atomically(path, private=private, fresh=fresh) as stream:
        stream.writelines((content,) if isinstance(content, bytes) else content)


@contextmanager
def written_atomically(path: Path, *, private: bool = False, fresh: bool = False) -> Iterator[BinaryIO]:
    """The same for what is written within a block, where several files may grow side by side."""
    aside = path.with_name(f".{secrets.token_hex(8)}.partial")
    try:
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o644)
        with os.fdopen(handle, "wb", buffering=1 << 20) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if fresh:
            _put_fresh(aside, path)
        else:
            os.replace(aside, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise StateError(f"a file could not be written: {error.strerror}; nothing was changed") from None
    finally:
        with suppress(OSError):
            aside.unlink()


def _put_fresh(aside: Path, path: Path) -> None:
    """Give a file its name if nothing has that name: of two runs that do so at once one fails."""
    try:
        os.link(aside, path)
    except FileExistsError:
        raise StateError(_MEANWHILE) from None
    except OSError:  # a disk that knows no second name of a file
        if os.path.lexists(path):
            raise StateError(_MEANWHILE) from None
        os.replace(aside, path)


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


def require_absent(folder: Path, *, replace: bool, kind: OutputKind) -> None:
    """An output that exists is never written over unless asked, and a file never gives way to a folder.

    Only an output of the same `kind` gives way: a folder that holds anything else is refused, whatever was asked; and so
    is a link, which may lead anywhere. StateError.
    """
    if folder.is_symlink():
        raise StateError(f"{shown_name(folder)}: a link stands where an output should go; name the folder it leads to")
    if folder.exists() and not folder.is_dir():
        raise StateError("a file exists where an output folder should go; choose another folder")
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not kind.is_held_by(folder):
        raise StateError(
            f"{shown_name(folder)}: an output folder already exists and holds something else than a {kind.name} of ours,"
            " which --replace leaves alone; choose another folder"
        )
    if not replace:
        raise StateError("an output folder already exists; choose another, or say --replace")


def require_new(file: Path) -> None:
    """StateError where an output file exists already."""
    if file.exists():
        raise StateError("the output file already exists; choose another")


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
    *folders: tuple[Path, bool],
    replace: bool = False,
    kinds: Sequence[OutputKind],
    before: Mapping[Path, Seen] | None = None,
    files: Mapping[Path, str] | None = None,
    gone: Sequence[Path] = (),
) -> Iterator[tuple[Path, ...]]:
    """Fill folders aside and put all in place only when the block ends well; (folder, private) each.

    `kinds` are those of the folders, in the same order: nothing else is ever replaced (`require_absent`). `before` says
    what stood at each place when the run began: where that has changed since, another run was faster, and StateError.
    `files` go last to places of their own: target → name within the last folder; what stands at `gone` goes and nothing
    comes in its place. Nobody but the owner can look into a folder before it is in place.

    Until then the old state is untouched; a process killed between two renames leaves whole folders only, and what
    they replace stays, at worst aside, until all are in place.
    Folders are put in place in the order given: name the private one first, so that a release never stands alone.
    """
    for (folder, _), kind in zip(folders, kinds, strict=True):
        require_absent(folder, replace=replace, kind=kind)
    asides: list[Path] = []
    modes: list[int] = []
    expected = dict(before) if before is not None else {folder: seen(folder) for folder, _ in folders}
    try:
        for (folder, private), kind in zip(folders, kinds, strict=True):
            folder.parent.mkdir(parents=True, exist_ok=True)
            aside = folder.with_name(f".{secrets.token_hex(8)}.partial")
            aside.mkdir(mode=0o700 if private else 0o755)
            asides.append(aside)
            modes.append(aside.stat().st_mode & 0o777)
            aside.chmod(0o700)
            write_atomically(aside / MARKER, kind.mark, private=private)
        yield tuple(asides)
        for aside, mode in zip(asides, modes, strict=True):
            aside.chmod(mode)
        pairs = [(aside, folder) for aside, (folder, _) in zip(asides, folders, strict=True)]
        pairs += [(folders[-1][0] / name, target) for target, name in (files or {}).items()]
        _put_in_place(pairs, expected, replace=replace, gone=gone)
    except UnnameError:
        raise
    except OSError as error:
        raise StateError(f"an output folder could not be written: {error.strerror}") from None
    finally:
        for aside in asides:
            shutil.rmtree(aside, ignore_errors=True)


def _put_in_place(
    pairs: Sequence[tuple[Path, Path]], expected: Mapping[Path, Seen], *, replace: bool, gone: Sequence[Path]
) -> None:
    """Rename each (aside, target); what stood there or is to be gone is deleted last, and comes back if any rename fails.

    What stood there must be what is `expected`, where anything is: else it is not ours to take away.
    """
    done: list[tuple[Path, Path]] = []
    olds: list[Path] = []
    try:
        for folder in (*gone, *(target for _, target in reversed(pairs))):
            if folder.is_symlink() or folder.exists():
                old = folder.with_name(f".{secrets.token_hex(8)}.partial")
                os.replace(folder, old)
                done.append((folder, old))
                olds.append(old)
                empty = old.is_dir() and not old.is_symlink() and not any(old.iterdir())
                if not (empty or (replace and seen(old) == expected.get(folder))):
                    raise StateError(_MEANWHILE)
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
        if old.is_dir():
            shutil.rmtree(old, ignore_errors=True)
        else:
            with suppress(OSError):
                old.unlink()
