"""The spool: a list on the disk; it gives back exactly what it was given, in any order, and leaves nothing."""

import gc
import os
import stat
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import StateError
from unname.storage import spool as spool_module
from unname.storage.spool import Spool, document_spool
from unname.types import Document, Span

ANY = st.text(st.characters(exclude_categories=[]))
OFFSET = st.integers(0, 1 << 40)
DOCUMENTS = st.builds(
    Document, ANY, ANY, st.none() | ANY, st.none() | ANY,
    st.lists(st.builds(Span, OFFSET, OFFSET, ANY, ANY, ANY, st.floats(0, 1))).map(tuple), st.dictionaries(ANY, ANY),
)  # fmt: skip


def plain(dir: Path | None = None) -> Spool[bytes]:
    return Spool(lambda item: item, lambda content: content, dir=dir)


@given(st.lists(DOCUMENTS, max_size=8))
def test_documents_come_back_exactly(documents: list[Document]) -> None:
    spool = document_spool()
    for document in documents:
        spool.append(document)
    assert list(spool) == documents and [spool[i] for i in range(len(spool))] == documents
    assert [list(d.metadata) for d in spool] == [list(d.metadata) for d in documents]
    assert [[s.score for s in d.spans] for d in spool] == [[s.score for s in d.spans] for d in documents]


@given(st.lists(st.binary(max_size=40)), st.integers(1, 60), st.data())
def test_a_spool_is_like_a_list(items: list[bytes], block: int, data: st.DataObject) -> None:
    spool = plain()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool_module, "_BLOCK", block)
        for number, item in enumerate(items):
            spool.append(item)
            assert len(spool) == number + 1 and spool[-1] == item
        assert list(spool) == items and list(reversed(spool)) == items[::-1]
        index = st.none() | st.integers(-50, 50)
        cut = slice(data.draw(index), data.draw(index), data.draw(index.filter(lambda i: i != 0)))
        assert spool[cut] == items[cut]
        for place in range(-len(items), len(items)):
            assert spool[place] == items[place]
        for place in (len(items), -len(items) - 1):
            with pytest.raises(IndexError):
                spool[place]


def test_what_is_appended_while_iterating_comes_too() -> None:
    spool = plain()
    spool.append(b"0")
    for item in spool:
        if len(spool) < 5:
            spool.append(b"%d" % (int(item) + 1))
    assert list(spool) == [b"0", b"1", b"2", b"3", b"4"]


def test_two_iterations_do_not_disturb_each_other() -> None:
    spool = plain()
    for number in range(100):
        spool.append(b"%d" % number)
    assert list(zip(spool, spool, strict=True)) == [(b"%d" % number,) * 2 for number in range(100)]


def test_a_spool_has_no_name_and_is_its_owners_alone(tmp_path: Path) -> None:
    spool = plain(tmp_path)
    spool.append(b"Canarybird" * 300_000)
    assert list(tmp_path.iterdir()) == []
    about = os.fstat(spool._file.fileno())
    assert stat.S_IMODE(about.st_mode) == 0o600 and about.st_nlink == 0 and about.st_size == 3_000_000
    assert "Canary" not in repr(spool)


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_no_descriptor_is_left_open() -> None:
    gc.collect()  # what other tests have let go of is not to be counted here
    before = _open_files()
    for _ in range(5):
        spool = plain()
        spool.append(b"x")
        assert _open_files() == before + 1
        del spool
        gc.collect()
    assert _open_files() == before


def test_items_do_not_stay_in_memory() -> None:
    item = bytes(10_000)
    tracemalloc.start()
    try:
        spool = plain()
        for _ in range(2_000):
            spool.append(item)
        assert sum(map(len, spool)) == 20_000_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 6 << 20


@pytest.mark.parametrize("call", ["pwrite", "pread"])
def test_a_failing_disk_is_a_state_error_without_content(monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device", "Canarybird")

    spool = plain()
    spool.append(b"first" * 300_000)
    with monkeypatch.context() as patch:
        patch.setattr(spool_module.os, call, fail)
        with pytest.raises(StateError, match=r"temporary file could not be .* No space left") as caught:
            if call == "pwrite":
                spool.append(b"Canarybird" * 300_000)
            else:
                spool[0]
    assert "Canary" not in str(caught.value) and caught.value.__suppress_context__
    assert list(spool) == [b"first" * 300_000], "what was there before must still be"
    spool.append(b"next")
    assert spool[1] == b"next"


def test_short_reads_and_writes_are_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    write, read = os.pwrite, os.pread
    monkeypatch.setattr(spool_module.os, "pwrite", lambda handle, content, place: write(handle, content[:7000], place))
    monkeypatch.setattr(spool_module.os, "pread", lambda handle, size, place: read(handle, min(size, 9000), place))
    items = [bytes([i]) * 700_000 for i in range(4)]
    spool = plain()
    for item in items:
        spool.append(item)
    assert list(spool) == items


def test_a_spool_that_was_cut_short_says_so() -> None:
    spool = plain()
    spool.append(b"x" * 2_000_000)
    os.ftruncate(spool._file.fileno(), 10)
    with pytest.raises(StateError, match="cut short"):
        spool[0]


def test_a_place_that_is_not_there_is_a_state_error(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="could not be made"):
        plain(tmp_path / "none")
