"""A release that may not go out yet: it lies in its private folder, from where somebody who answers for it lets it go."""

import hmac
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace as replace_
from pathlib import Path
from typing import Any, TypeVar

from unname.auditing.page import render
from unname.auditing.report import Report
from unname.auditing.report_file import report_from
from unname.errors import InputError, SettingsError, StateError, printable
from unname.protecting.keys import read_key
from unname.storage.files import (
    PRIVATE,
    RELEASE,
    require_absent,
    require_apart,
    seen,
    staged_folders,
    write_atomically,
)
from unname.storage.manifest import file_hash
from unname.storage.modelfolder import parse_json, read_bytes
from unname.storage.tables import write_json
from unname.writing.layout import DOCUMENTS, TABLES, Layout

# Within a private folder: the release, and a file that says where it would have gone.
HELD, ABOUT = "held", "held.json"
_MOST_BYTES = 1 << 30
_Read = TypeVar("_Read")
_PLAIN = re.compile(r"(?!\.{1,2}$)[^\x00-\x1f/\ud800-\udfff]{1,200}")
_PARTS = ("report.html", "report.json")
_CHANGED = "what is held there is not what the run wrote; make the release again"


def make_held(private: Path, where: Layout) -> None:
    """Make room in a private folder for a release, and note by their names alone where it was to go."""
    (private / HELD).mkdir(mode=0o700)
    about = {"folder": where.folder.name, "table": where.table, "file": where.file.name if where.file else None}
    write_json(private / ABOUT, about, private=True)


def seal_held(private: Path, key: bytes) -> None:
    """Bind what is held, and where it was to go, to the secret key: whoever changes it must not be able to say so as well."""
    about = _read(private / ABOUT, 1 << 16)
    write_json(private / ABOUT, about | {"seal": _seal(private, about, key)}, private=True)


def _seal(private: Path, about: dict[str, Any], key: bytes) -> str:
    """HMAC-SHA256 of the names and of the manifest, which has the hashes of all else."""
    names = json.dumps([about[name] for name in ("folder", "table", "file")])
    return hmac.new(key, f"held\0{names}\0{file_hash(private / HELD / 'manifest.json')}".encode(), "sha256").hexdigest()


def require_replaceable(where: Layout, *, replace: bool) -> None:
    """A table that stands where documents should go gives way only if asked, and if it is the one of that release."""
    file = where.file
    if file is None or not (file.exists() or file.is_symlink()):
        return
    if file.is_symlink() or not file.is_file():
        raise StateError("something else than a file stands where the released table should go; choose another name")
    if not replace:
        raise StateError("the output table already exists; choose another, or say --replace")
    manifest = where.folder / "manifest.json"
    try:
        known = json.loads(manifest.read_bytes())["files"][where.table]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        known = None
    if known != file_hash(file):
        raise StateError(
            "the table that would be replaced is not one that an earlier run wrote, or was changed since;"
            " --replace leaves it alone; choose another"
        )


def release_held(
    private: Path, reason: str, *, out: Path | None = None, replace: bool = False
) -> tuple[Report, Layout]:
    """`unname release`: let a held release go, for a reason that manifest and report state; its report, and where it is.

    It goes where the run wanted it, beside the private folder, or to the folder `out`. Nothing is computed again: leaks
    and crowds were settled when it was made, and it must be to the bit what was written then, by its manifest and by the
    seal of the manifest under the secret key. StateError: no release is held there, or it was changed since. SettingsError:
    no reason.
    """
    if not reason.strip():
        raise SettingsError("accept-risk needs a reason: who decided, and why the release may go out all the same")
    reason = printable(reason.strip())
    about, held = _about(private), private / HELD
    table, made = str(about["table"]), _require_as_written(held, str(about["table"]))
    _require_sealed(private, about)
    report = replace_(_report(held / "report.json"), accepted_risk=reason)
    folder = private.parent / str(about["folder"]) if out is None else out
    file = private.parent / str(about["file"]) if about["file"] and out is None else None
    require_apart(folder, private)
    where = Layout(folder, private, table, file)
    require_absent(folder, replace=replace, kind=RELEASE)
    require_replaceable(where, replace=replace)
    before = {path: seen(path) for path in (folder, file) if path is not None}
    moved = {file: table} if file is not None else None
    with staged_folders((folder, False), replace=replace, kinds=(RELEASE,), before=before, files=moved) as (aside,):
        if (held / table).is_dir():
            shutil.copytree(held / table, aside / table)
        else:
            write_atomically(aside / table, _blocks(held / table))
        if file_hash(aside / table) != made["files"][table]:  # changed while it was copied
            raise StateError(_CHANGED)
        write_json(aside / "report.json", report.as_dict())
        write_atomically(aside / "report.html", render(report).encode())
        hashes = {name: file_hash(aside / name) for name in (table, *_PARTS)}
        write_json(aside / "manifest.json", made | {"files": hashes, "accepted_risk": reason})
    whole = replace_(_report(private / "report.json"), accepted_risk=reason)
    write_json(private / "report.json", whole.as_dict(), private=True)
    shutil.rmtree(held, ignore_errors=True)
    (private / ABOUT).unlink(missing_ok=True)
    return report, where


def _require_as_written(held: Path, table: str) -> dict[str, Any]:
    """The manifest of what is held; StateError where anything there is a link, is missing, was changed, or is more."""
    paths = [held, *held.rglob("*")]
    if any(path.is_symlink() or not (path.is_file() or path.is_dir()) for path in paths):
        raise StateError(_CHANGED)
    made = _read(held / "manifest.json", 1 << 24)
    files = made.get("files")
    if {path.name for path in held.iterdir()} != {table, *_PARTS, "manifest.json"} or not isinstance(files, dict):
        raise StateError(_CHANGED)
    if any(files.get(name) != file_hash(held / name) for name in (table, *_PARTS)):
        raise StateError(_CHANGED)
    return made


def _require_sealed(private: Path, about: dict[str, Any]) -> None:
    """StateError where names or manifest were changed, or the key is not that of the run."""
    stated = about.get("seal")
    if not isinstance(stated, str) or not hmac.compare_digest(
        stated.encode(), _seal(private, about, read_key(private / "key")).encode()
    ):
        raise StateError(_CHANGED)


def _report(path: Path) -> Report:
    return _as_written(path, lambda: report_from(parse_json(read_bytes(path, _MOST_BYTES))))


def _about(private: Path) -> dict[str, Any]:
    if not (private / ABOUT).is_file() or not (private / HELD).is_dir() or not PRIVATE.is_held_by(private):
        raise StateError("no release is held there; name the private folder of a run that ended with exit code 4")
    about = _read(private / ABOUT, 1 << 16)
    names = [about.get("folder"), about.get("table"), about.get("file") or "x"]
    plain = all(isinstance(name, str) and _PLAIN.fullmatch(name) and Path(name).name == name for name in names)
    if not plain or about["table"] not in (DOCUMENTS, *(f"{DOCUMENTS}{ending}" for ending in TABLES)):
        raise InputError(f"{ABOUT} in the private folder is damaged")
    return about


def _read(path: Path, most: int) -> dict[str, Any]:
    return _as_written(path, lambda: parse_json(read_bytes(path, most)))


def _as_written(path: Path, read: Callable[[], _Read]) -> _Read:
    try:
        return read()
    except Exception:  # a model folder's checks, in this folder's words
        raise StateError(f"{path.name} of the held release is missing or damaged; make the release again") from None


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            yield block
