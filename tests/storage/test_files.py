"""Writing whole or not at all: a failure leaves the old state untouched and nothing lying about."""

import os
import stat
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from unname.errors import InputError, SettingsError, StateError
from unname.storage import files
from unname.storage.files import (
    CORPUS,
    MARKER,
    MODEL,
    PRIVATE,
    RELEASE,
    REPORT,
    TOWN,
    OutputKind,
    require_absent,
    require_apart,
    seen,
    staged_folders,
    write_atomically,
    written_atomically,
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def tree(folder: Path) -> dict[str, bytes | None]:
    """Everything under a folder but its marker: bytes of files, None for folders."""
    return {
        str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None
        for p in sorted(folder.rglob("*"))
        if p.name != MARKER
    }


@pytest.fixture(autouse=True)
def usual_umask() -> object:
    old = os.umask(0o022)
    yield
    os.umask(old)


# --- files


def test_a_file_is_written_whole_over_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"old and longer")
    write_atomically(file, b"new")
    assert tree(tmp_path) == {"a.txt": b"new"}


@pytest.mark.parametrize("private, wanted", [(True, 0o600), (False, 0o644)])
def test_a_private_file_is_its_owners_alone_even_over_an_open_one(tmp_path: Path, private: bool, wanted: int) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"old")
    file.chmod(0o640)
    write_atomically(file, b"new", private=private)
    assert mode(file) == wanted


def test_a_private_file_is_never_open_not_even_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    monkeypatch.setattr(files.os, "fsync", lambda handle: seen.append(stat.S_IMODE(os.fstat(handle).st_mode)))
    write_atomically(tmp_path / "a.txt", b"new", private=True)
    assert seen[0] == 0o600


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_file_that_cannot_be_written_leaves_the_old_one_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "a.txt"
    file.write_bytes(b"old")
    monkeypatch.setattr(files.os, step, fail)
    with pytest.raises(StateError, match="No space left on device; nothing was changed") as caught:
        write_atomically(file, b"canary")
    assert tree(tmp_path) == {"a.txt": b"old"}
    assert "canary" not in str(caught.value) and caught.value.__suppress_context__


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "a.txt"
    file.write_bytes(b"old")
    monkeypatch.setattr(files.os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(file, b"new")
    assert tree(tmp_path) == {"a.txt": b"old"}


def test_a_place_where_nothing_can_be_written_is_a_state_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    for place in (tmp_path / "none" / "a.txt", tmp_path / "file" / "a.txt", tmp_path / "folder"):
        with pytest.raises(StateError, match="could not be written"):
            write_atomically(place, b"new")
    assert tree(tmp_path) == {"file": b"", "folder": None}


# --- folders


def test_folders_appear_together_when_the_block_ends_well(tmp_path: Path) -> None:
    with staged_folders((tmp_path / "private", True), (tmp_path / "sub" / "out", False), kinds=(CORPUS, CORPUS)) as (
        hidden,
        shown,
    ):
        (hidden / "key").write_bytes(b"k")
        (shown / "text").write_bytes(b"t")
        assert not (tmp_path / "private").exists() and not (tmp_path / "sub" / "out").exists()
    assert tree(tmp_path) == {"private": None, "private/key": b"k", "sub": None, "sub/out": None, "sub/out/text": b"t"}
    assert mode(tmp_path / "private") == 0o700 and mode(tmp_path / "sub" / "out") == 0o755


def test_a_private_folder_is_private_from_the_first_moment(tmp_path: Path) -> None:
    with staged_folders((tmp_path / "private", True), kinds=(CORPUS,)) as (aside,):
        assert mode(aside) == 0o700


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, InputError])
def test_a_failure_inside_leaves_the_old_state_and_nothing_else(tmp_path: Path, error: type[BaseException]) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "text").write_bytes(b"old")
    (tmp_path / "out" / MARKER).write_bytes(CORPUS.mark)
    before = tree(tmp_path)
    folders = ((tmp_path / "private", True), (tmp_path / "out", False))
    with pytest.raises(error), staged_folders(*folders, replace=True, kinds=(CORPUS, CORPUS)) as (hidden, shown):
        (hidden / "key").write_bytes(b"k")
        (shown / "text").write_bytes(b"new")
        raise error
    assert tree(tmp_path) == before


def test_a_disk_failure_inside_is_a_state_error_without_content(tmp_path: Path) -> None:
    with (
        pytest.raises(StateError, match="No space") as caught,
        staged_folders((tmp_path / "out", False), kinds=(CORPUS,)),
    ):
        raise OSError(28, "No space left on device", "canary")
    assert tree(tmp_path) == {} and "canary" not in str(caught.value) and caught.value.__suppress_context__


@pytest.mark.parametrize("failing", [1, 2, 3, 4, 5, 6])  # two markers, two old folders, two new ones
def test_a_failure_while_folders_are_put_in_place_brings_everything_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    for name in ("private", "out"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_bytes(b"old")
        (tmp_path / name / MARKER).write_bytes(CORPUS.mark)
    before, real, calls = tree(tmp_path), os.replace, []

    def replace(source: Path, target: Path) -> None:
        calls.append(source)
        if len(calls) == failing:
            raise OSError(5, "Input/output error")
        real(source, target)

    monkeypatch.setattr(files.os, "replace", replace)
    folders = ((tmp_path / "private", True), (tmp_path / "out", False))
    with (
        pytest.raises(StateError, match="Input/output error"),
        staged_folders(*folders, replace=True, kinds=(CORPUS, CORPUS)) as asides,
    ):
        for aside in asides:
            (aside / "file").write_bytes(b"new")
    assert tree(tmp_path) == before


def test_an_output_that_exists_is_written_over_only_when_asked(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with staged_folders((out, False), kinds=(CORPUS,)) as (shown,):
        (shown / "text").write_bytes(b"first")
    with pytest.raises(StateError, match="already exists"), staged_folders((out, False), kinds=(CORPUS,)):
        pass
    with staged_folders((out, False), replace=True, kinds=(CORPUS,)) as (shown,):
        (shown / "other").write_bytes(b"second")
    assert tree(tmp_path) == {"out": None, "out/other": b"second"}


def test_a_folder_that_is_replaced_takes_the_mode_of_the_new_one(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir(mode=0o755)
    with staged_folders((tmp_path / "private", True), replace=True, kinds=(CORPUS,)):
        pass
    assert mode(tmp_path / "private") == 0o700


@pytest.mark.parametrize("replace", [False, True])
def test_a_file_where_a_folder_should_go_is_never_replaced(tmp_path: Path, replace: bool) -> None:
    (tmp_path / "out").write_bytes(b"a file")
    with (
        pytest.raises(StateError, match="exists"),
        staged_folders((tmp_path / "out", False), replace=replace, kinds=(CORPUS,)),
    ):
        pass
    assert tree(tmp_path) == {"out": b"a file"}


def test_an_empty_folder_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    require_absent(tmp_path / "empty", replace=False, kind=CORPUS)
    require_absent(tmp_path / "none", replace=False, kind=CORPUS)


def test_outputs_must_not_hold_each_other_or_an_input(tmp_path: Path) -> None:
    out, private = tmp_path / "out", tmp_path / "out.private"
    require_apart(out, private, inputs=[tmp_path / "documents.jsonl"])
    for folders in ((out, out), (out, out / "private"), (out / "public", out), (out, tmp_path / "x" / ".." / "out")):
        with pytest.raises(SettingsError, match="must be apart"):
            require_apart(*folders)
    with pytest.raises(SettingsError, match="an input lies in an output folder"):
        require_apart(out, private, inputs=[out / "documents.jsonl"])
    (tmp_path / "link").symlink_to(out)
    with pytest.raises(SettingsError, match="must be apart"):
        require_apart(out, tmp_path / "link" / "private")


# --- content in pieces


def test_pieces_are_written_as_they_come_and_not_held(tmp_path: Path) -> None:
    made = 0

    def pieces() -> Iterator[bytes]:
        nonlocal made
        for _ in range(200):
            made += 1
            yield bytes(100_000)

    tracemalloc.start()
    try:
        write_atomically(tmp_path / "a", pieces())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert made == 200 and (tmp_path / "a").stat().st_size == 20_000_000 and peak < 4 << 20


@pytest.mark.parametrize("error", [ValueError, InputError, KeyboardInterrupt])
def test_a_maker_of_pieces_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, error: type[BaseException]
) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"half"
        assert len(list(tmp_path.iterdir())) == 2
        raise error

    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(error):
        write_atomically(tmp_path / "a", pieces())
    assert tree(tmp_path) == {"a": b"old"}


def test_no_pieces_make_an_empty_file(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a", iter(()))
    write_atomically(tmp_path / "b", b"")
    assert tree(tmp_path) == {"a": b"", "b": b""}


# --- what may be replaced


def filled(folder: Path, names: Iterable[str]) -> Path:
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(b"theirs")
    return folder


def marked(folder: Path, kind: OutputKind) -> Path:
    filled(folder, kind.holds or ())
    (folder / MARKER).write_bytes(kind.mark)
    return folder


KINDS = [RELEASE, PRIVATE, REPORT, TOWN, MODEL]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("replace", [False, True])
def test_a_folder_of_somebodys_own_files_is_refused_and_nothing_in_it_touched(
    tmp_path: Path, kind: OutputKind, replace: bool
) -> None:
    filled(tmp_path / "out", ["thesis.txt"])
    before = tree(tmp_path)
    with pytest.raises(StateError, match=rf"^out: .*something else than a {kind.name} of ours"):
        require_absent(tmp_path / "out", replace=replace, kind=kind)
    with pytest.raises(StateError), staged_folders((tmp_path / "out", False), replace=replace, kinds=[kind]):
        pass
    assert tree(tmp_path) == before


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_an_output_gives_way_to_its_own_kind_alone(tmp_path: Path, kind: OutputKind) -> None:
    for other in KINDS:
        folder = marked(tmp_path / other.name, other)
        if other == kind:
            require_absent(folder, replace=True, kind=kind)
            with pytest.raises(StateError, match="--replace"):
                require_absent(folder, replace=False, kind=kind)
        else:
            with pytest.raises(StateError, match="something else"):
                require_absent(folder, replace=True, kind=kind)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_an_output_with_a_file_of_somebodys_own_in_it_is_refused(tmp_path: Path, kind: OutputKind) -> None:
    folder = marked(tmp_path / "out", kind)
    require_absent(folder, replace=True, kind=kind)
    (folder / "notes.txt").write_bytes(b"theirs")
    with pytest.raises(StateError, match="something else"):
        require_absent(folder, replace=True, kind=kind)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_folder_whose_files_are_called_like_ours_is_somebodys_own_without_the_marker(
    tmp_path: Path, kind: OutputKind
) -> None:
    folder = filled(tmp_path / "out", kind.holds or ())
    for written in (None, b"", b"This folder is a thesis\n", kind.mark + b"x"):
        if written is not None:
            (folder / MARKER).write_bytes(written)
        with pytest.raises(StateError, match="something else"):
            require_absent(folder, replace=True, kind=kind)
    (folder / MARKER).unlink()
    (tmp_path / "mark").write_bytes(kind.mark)
    (folder / MARKER).symlink_to(tmp_path / "mark")
    with pytest.raises(StateError, match="something else"):
        require_absent(folder, replace=True, kind=kind)


@pytest.mark.parametrize("replace", [False, True])
def test_a_link_is_never_an_output(tmp_path: Path, replace: bool) -> None:
    real = marked(tmp_path / "real", REPORT)
    (tmp_path / "out").symlink_to(real)
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    for name in ("out", "broken"):
        with pytest.raises(StateError, match="a link stands where"):
            require_absent(tmp_path / name, replace=replace, kind=REPORT)
    assert (real / MARKER).exists()


@pytest.mark.parametrize("there", [False, True], ids=["nothing stood there", "an output stood there"])
def test_of_two_runs_on_one_output_the_slower_fails_and_nothing_is_lost(tmp_path: Path, there: bool) -> None:
    out = tmp_path / "out"
    if there:
        marked(out, REPORT)
    before = {out: seen(out)}
    with staged_folders((out, False), replace=True, kinds=[REPORT], before=before) as (folder,):
        (folder / "report.json").write_bytes(b"the faster")
    with (
        pytest.raises(StateError, match="another run has written"),
        staged_folders((out, False), replace=True, kinds=[REPORT], before=before) as (folder,),
    ):
        (folder / "report.json").write_bytes(b"the slower")
    assert (out / "report.json").read_bytes() == b"the faster"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_is_its_owners_alone_until_it_is_in_place(tmp_path: Path) -> None:
    with staged_folders((tmp_path / "out", False), kinds=[REPORT]) as (folder,):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) & 0o055


def test_files_that_go_to_a_place_of_their_own_go_last_and_come_back_if_that_fails(tmp_path: Path) -> None:
    out, table = tmp_path / "x.report", tmp_path / "x.csv"
    with staged_folders((out, False), kinds=[REPORT], files={table: "report.json"}) as (folder,):
        (folder / "report.json").write_bytes(b"one")
    assert table.read_bytes() == b"one" and not (out / "report.json").exists()
    before = {out: seen(out), table: seen(table)}
    table.write_bytes(b"theirs")
    with (
        pytest.raises(StateError, match="another run"),
        staged_folders((out, False), replace=True, kinds=[REPORT], before=before, files={table: "report.json"}) as (
            folder,
        ),
    ):
        (folder / "report.json").write_bytes(b"two")
    assert table.read_bytes() == b"theirs" and sorted(p.name for p in tmp_path.iterdir()) == ["x.csv", "x.report"]


@pytest.mark.parametrize("links", [True, False], ids=["", "on a disk without links"])
def test_a_fresh_file_takes_the_place_of_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    def none(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    if not links:
        monkeypatch.setattr(files.os, "link", none)
    with written_atomically(tmp_path / "a.txt", private=True, fresh=True) as stream:
        stream.write(b"the slower")
        with pytest.raises(StateError, match="another run has written"):  # noqa: SIM117
            with written_atomically(tmp_path / "b.txt", fresh=True) as other:
                other.write(b"the slower")
                (tmp_path / "b.txt").write_bytes(b"the faster")
    assert tree(tmp_path) == {"a.txt": b"the slower", "b.txt": b"the faster"}
    assert mode(tmp_path / "a.txt") == 0o600
    (tmp_path / "c.txt").symlink_to(tmp_path / "nowhere")
    with pytest.raises(StateError, match="another run has written"):
        write_atomically(tmp_path / "c.txt", b"x", fresh=True)
    assert (tmp_path / "c.txt").is_symlink() and len(list(tmp_path.iterdir())) == 3


def test_what_an_interrupted_write_left_is_no_file_of_somebodys_own(tmp_path: Path) -> None:
    folder = filled(tmp_path / "out", [".0123456789abcdef.partial"])
    require_absent(folder, replace=True, kind=MODEL)
    (folder / ".partial").write_bytes(b"theirs")
    with pytest.raises(StateError, match="something else"):
        require_absent(folder, replace=True, kind=MODEL)
