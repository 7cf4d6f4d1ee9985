"""Archives are read without trust: what is odd in one refuses all of it, and nothing is unpacked under its names."""

import errno
import gzip
import io
import os
import struct
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from unname.errors import InputError, StateError
from unname.storage.documents import read_corpus
from unname.storage.formats import archives
from unname.types import Document

CANARY = "Canarybird"
GOOD = b"<deIdi2b2><TEXT><![CDATA[fine]]></TEXT><TAGS/></deIdi2b2>"
Change = Callable[[tarfile.TarInfo], None]


def tar(*entries: tuple[str, bytes, Change | None]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content, change in entries:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            if change:
                change(entry)
            archive.addfile(entry, io.BytesIO(content))
    return made.getvalue()


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return made.getvalue()


def of_type(kind: bytes, target: str = "") -> Change:
    def change(entry: tarfile.TarInfo) -> None:
        entry.type, entry.linkname, entry.size = kind, target, 0

    return change


def header(size: bytes, kind: bytes = b"0", name: bytes = b"a.xml") -> bytes:
    """A tar header that says a size, with a right checksum."""
    made = bytearray(512)
    made[: len(name)], made[100:108], made[124:136], made[156:157] = name, b"0000644\0", size, kind
    made[257:265] = b"ustar\x0000"
    made[148:156] = b" " * 8
    made[148:156] = b"%06o\0 " % sum(made)
    return bytes(made)


def link() -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("a.xml")
    entry.external_attr = 0o120777 << 16
    return entry


FINE = ("a.xml", GOOD, None)
WHOLE = tar(FINE, ("b.xml", GOOD * 1, None))
BAD: dict[str, tuple[str, bytes, str]] = {
    "a name that climbs": ("c.tar", tar(FINE, (f"../{CANARY}.xml", GOOD, None)), "entry 2 leads out"),
    "a name that climbs later": ("c.tar", tar((f"a/../../{CANARY}.xml", GOOD, None)), "entry 1 leads out"),
    "an absolute name": ("c.tar", tar(FINE, (f"/etc/{CANARY}.xml", GOOD, None)), "entry 2 leads out"),
    "a climbing name of what is not wanted": ("c.tar", tar(FINE, ("../x.png", b"", None)), "entry 2 leads out"),
    "a symbolic link": ("c.tar", tar(("a.xml", b"", of_type(tarfile.SYMTYPE, "/etc/passwd"))), "entry 1 is no plain"),
    "a hard link": ("c.tar", tar(FINE, ("b.xml", b"", of_type(tarfile.LNKTYPE, "a.xml"))), "entry 2 is no plain file"),
    "a pipe": ("c.tar", tar(("a.xml", b"", of_type(tarfile.FIFOTYPE))), "entry 1 is no plain file"),
    "a device": ("c.tar", tar(("a.xml", b"", of_type(tarfile.CHRTYPE))), "entry 1 is no plain file"),
    "a name twice": ("c.tar", tar(FINE, FINE), "entry 2 has the name of an earlier one"),
    "a header of 10 GB that lies": ("c.tar", header(b"%011o\0" % (8**11 - 1)) + GOOD, "holds more than 2 GiB"),
    "a header of 10 GB in base 256": (
        "c.tar", header(b"\x80" + (10 << 30).to_bytes(11, "big")) + GOOD, "holds more than 2 GiB"
    ),
    "a size below nothing": ("c.tar", header(b"\xff" * 12) + GOOD, "entry 1 claims an absurd size"),
    "an extended header of 1 GB": ("c.tar", header(b"%011o\0" % (1 << 30), b"x") + GOOD, "absurd size"),
    "a name of 1 GB": ("c.tar", header(b"%011o\0" % (1 << 30), b"L") + GOOD, "absurd size"),
    "extended headers without end": ("c.tar", header(b"%011o\0" % 0, b"x") * 20_000, "damaged"),
    "a tar cut in an entry": ("c.tar", WHOLE[:1100], "damaged or incomplete"),
    "a tar cut between entries": ("c.tar", WHOLE[:1024], "damaged or incomplete"),
    "a gzipped tar that is cut": ("c.tar.gz", gzip.compress(WHOLE)[:-20], "damaged or incomplete"),
    "a gzipped tar without its checksum": ("c.tgz", gzip.compress(WHOLE)[:-8], "damaged or incomplete"),
    "a gzipped tar with another checksum": ("c.tgz", gzip.compress(WHOLE)[:-8] + bytes(8), "damaged or incomplete"),
    "a tar that goes on": ("c.tar", WHOLE + CANARY.encode(), "goes on after its end"),
    "no tar": ("c.tar", CANARY.encode() * 100, "none of its kind"),
    "an empty file": ("c.tar", b"", "none of its kind"),
    "no gzip": ("c.tar.gz", WHOLE, "none of its kind"),
    "no zip": ("c.zip", WHOLE, "none of its kind"),
    "a zip whose name climbs": ("c.zip", zipped((f"../{CANARY}.xml", GOOD)), "entry 1 leads out"),
    "a zip with an absolute name": ("c.zip", zipped((f"/{CANARY}.xml", GOOD)), "entry 1 leads out"),
    "a zip whose name climbs elsewhere": ("c.zip", zipped((f"..\\{CANARY}.xml", GOOD)), "entry 1 leads out"),
    "a zip with a drive": ("c.zip", zipped(("C:/x.xml", GOOD)), "entry 1 leads out"),
    "a zip with a link": ("c.zip", zipped((link(), b"/etc/passwd")), "entry 1 is no plain file"),
    "a zip that is cut": ("c.zip", zipped(("a.xml", GOOD * 9))[:-30], "none of its kind"),
    "a zip of other bytes": (
        "c.zip", zipped(("a.xml", os.urandom(3000))).replace(struct.pack("<I", 3000), struct.pack("<I", 30)), "archive"
    ),
    "nothing of the format": ("c.zip", zipped(("a.png", GOOD)), r"holds no .xml files"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_an_odd_archive_is_refused_as_a_whole(name: str, tmp_path: Path) -> None:
    file, content, problem = BAD[name]
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_corpus(path, "i2b2")
    assert file in str(caught.value) and problem in str(caught.value), str(caught.value)
    assert CANARY not in str(caught.value) and (caught.value.__suppress_context__ or not caught.value.__context__)
    assert os.listdir(tmp_path) == [file] and not (tmp_path.parent / f"{CANARY}.xml").exists()  # noqa: PTH208


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("c.tar", tar(("deep/er/b.XML", GOOD, None), FINE, ("README", b"x", None), (".x.xml", b"", None))),
        ("c.TAR.GZ", gzip.compress(tar(("b.XML", GOOD, None), ("__MACOSX/._a.xml", b"", None), FINE))),
        ("c.tgz", gzip.compress(tar(("./b.xml", GOOD, None), ("./a.xml", GOOD, None), ("n" * 200, b"", None)))),
        ("c.zip", zipped(("b.xml", GOOD), ("x/", b""), ("x/a.xml", GOOD), ("LICENSE", b""))),
    ],
    ids=["tar", "TAR.GZ", "tgz", "zip"],
)
def test_a_sound_archive_is_read_in_name_order(file: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / file).write_bytes(content)
    assert sorted(read_corpus(tmp_path / file, "i2b2"), key=lambda d: d.id) == [
        Document("a", "fine"),
        Document("b", "fine"),
    ]


def test_an_archive_that_would_fill_the_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_BYTES", 4000)
    for file, content in [
        ("c.zip", zipped(*((f"{i}.xml", bytes(1000)) for i in range(5)))),
        ("c.tgz", gzip.compress(tar(*((f"{i}.png", bytes(1000), None) for i in range(5))))),
        ("d.tgz", gzip.compress(tar(FINE) + bytes(10_000))),
    ]:
        (tmp_path / file).write_bytes(content)
        with pytest.raises(InputError, match=r"holds more than|goes on"):
            read_corpus(tmp_path / file, "i2b2")


def test_an_archive_of_more_entries_than_there_may_be_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MOST_ENTRIES", 3)
    (tmp_path / "c.zip").write_bytes(zipped(*((f"{i}.xml", GOOD) for i in range(4))))
    with pytest.raises(InputError, match="3 entries"):
        read_corpus(tmp_path / "c.zip", "i2b2")


@pytest.mark.parametrize("call", ["pwrite", "open"])
def test_a_full_disk_is_no_fault_of_the_archive(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "c.tar").write_bytes(WHOLE)
    with (
        monkeypatch.context() as patch,
        pytest.raises(StateError, match=r"temporary file could not be .*: No space left"),
    ):
        if call == "pwrite":
            patch.setattr(os, "pwrite", full)
        else:
            patch.setattr(tempfile, "TemporaryFile", full)
        read_corpus(tmp_path / "c.tar", "i2b2")


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped(("a.xml", GOOD)))
    content[6] |= 1
    content[content.index(b"PK\1\2") + 8] |= 1
    (tmp_path / "c.zip").write_bytes(content)
    with pytest.raises(InputError, match="entry 1 is encrypted"):
        read_corpus(tmp_path / "c.zip", "i2b2")


def test_an_archive_that_is_not_there_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "c.tar")
    for file in ("c.tar", "d.zip"):
        with pytest.raises(InputError, match="no such file"):
            read_corpus(tmp_path / file, "i2b2")


def test_a_zip_that_unpacks_to_more_than_it_says_is_refused(tmp_path: Path) -> None:
    content = zipped(("a.xml", bytes(100_000)))
    (tmp_path / "c.zip").write_bytes(content.replace(struct.pack("<I", 100_000), struct.pack("<I", 50)))
    with pytest.raises(InputError, match=r"c\.zip"):
        read_corpus(tmp_path / "c.zip", "i2b2")
