"""Dialects of tables and texts of the world: the encoding and the delimiter, from a look at the beginning.

Exports are in UTF-8, UTF-16 or UTF-32, or in an older encoding that the words it makes show, or nothing does; columns
are parted by commas, semicolons, tabs or bars.
"""

import codecs
import csv
import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from unname.errors import InputError, SettingsError
from unname.option import DOCUMENTS, option
from unname.storage.faults import NOT_UTF8, shown_name
from unname.storage.notices import notice

DELIMITERS = (",", ";", "\t", "|")
_BY_NAME = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "\\t": "\t"}
# Bytes at the beginning of a file that are looked at.
LOOKED_AT = 1 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
WINDOWS = "cp1252"
# Codecs that write parts of a program or names of hosts.
_OF_NO_FILE = frozenset(("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"))
_COMPARED_ROWS = 10


@dataclass(frozen=True, slots=True)
class Dialect:
    """The encoding of a file and, for a table, the sign between its columns; None: to be found by a look."""

    GROUP: ClassVar[str] = DOCUMENTS
    encoding: str | None = option(
        None, "Encoding of CSV tables and text files.", shown="detected, or an error", advanced=True
    )
    delimiter: str | None = option(
        None,
        "Separator of CSV columns: one character, or tab, comma, semicolon, pipe.",
        shown="detected",
        advanced=True,
    )

    def __post_init__(self) -> None:
        if self.encoding is not None:
            try:
                # A codec that is none of text, or one that cannot read piece by piece, is no encoding of a file.
                if codecs.lookup(self.encoding).name.replace("-", "_") in _OF_NO_FILE:
                    raise LookupError
                if "a".encode(self.encoding).decode(self.encoding) != "a":
                    raise LookupError
                codecs.getincrementaldecoder(self.encoding)().decode("a".encode(self.encoding))
            except (LookupError, UnicodeError, AttributeError, TypeError, ValueError):
                raise SettingsError("encoding: no such encoding; for example utf-8, cp1252, utf-16, latin-1") from None
        if self.delimiter is not None and len(sign_of(self.delimiter)) != 1:
            raise SettingsError("delimiter must be one character, or tab, comma, semicolon or pipe")


def plain_encoding(start: bytes) -> str | None:
    """The encoding of a text that begins like this, where its mark, its zero bytes or UTF-8 tell; else None."""
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    if b"\0" in start and (wide := _wide(start)):
        return wide
    high = len(start) - len(start.decode("ascii", "ignore"))
    # Characters of several bytes in UTF-8 are no accident; where they outnumber what does not fit, that is damage.
    held = start.decode("utf-8", "ignore")
    fits = len(held.encode()) - len(held.encode("ascii", "ignore"))
    return "utf-8" if not high or fits > (high - fits) / 2 or high - fits < min(4, fits + 1) else None


def _wide(start: bytes) -> str | None:
    """UTF-16 without a mark: most zeros are in one half of its bytes, and all of it is text."""
    head = start[: len(start) // 2 * 2][: 1 << 16]
    even, odd = head[::2].count(0), head[1::2].count(0)
    # Some characters of Chinese and Japanese have a zero in the other half: 一, and the wide blank.
    if min(even, odd) > 0.6 * max(even, odd) or max(even, odd) < len(head) / 50:
        return None
    name = "utf-16-le" if odd > even else "utf-16-be"
    text = head.decode(name, "replace")[:-1]
    strange = sum(unicodedata.category(sign) in ("Cc", "Cn", "Co", "Cs") and sign not in "\t\r\n" for sign in text)
    # Two letters of ASCII make one character of Chinese, and a stray zero byte makes no UTF-16.
    pairs = [pair for pair in zip(head[::2], head[1::2], strict=True) if all(pair)]
    ascii = sum(32 <= one < 127 and 32 <= other < 127 for one, other in pairs)
    return name if len(head) >= 8 and strange <= len(text) / 100 and ascii <= 0.6 * len(pairs) else None


def encoding_of(start: bytes) -> str:
    """An encoding in which signs of ASCII can be recognised in a text that begins like this."""
    return plain_encoding(start) or WINDOWS


def encoding_for(path: Path, start: bytes, named: str | None, *, whole: bool = True) -> str:
    """The encoding that a file is read in: the one that is named, else the one that it is surely in.

    Where that is none of Unicode, it is said; what makes words in none is taken for damaged UTF-8. Of a file in Unicode
    with letters beyond ASCII another name is not believed: it is meant for the other of two files. InputError: more than
    one would do; they are named, best first.
    """
    if named is not None:
        unicode = unicode_instead(start, named, whole=whole)
        if unicode is not None:
            notice(path, f"is in {unicode} and is read so, not in {named}")
        return unicode or named
    plain = unicode_or_wide(start, whole=whole)
    if plain is not None and (plain.startswith("utf")):
        return plain
    from unname.storage.encodings import guessed  # words of many languages, for whoever needs them

    guess = guessed(start, whole=whole)
    if not guess.candidates:
        return "utf-8"  # damaged: each record will tell
    if guess.encoding is None:
        raise InputError(f"{shown_name(path)}: {doubtful(guess.candidates)}")
    notice(path, f"is not UTF-8 and is read as {guess.encoding} (--encoding names another)")
    return guess.encoding


def unicode_or_wide(start: bytes, *, whole: bool = True) -> str | None:
    """`plain_encoding`, but for text of Chinese, Japanese or Korean that looks like damaged UTF-8: its own encoding.

    Two bytes of such a character may be one in UTF-8, so that much of a text seems to be.
    """
    plain = plain_encoding(start)
    if plain != "utf-8" or _is_whole(start, plain, whole):
        return plain
    from unname.storage.encodings import guessed, is_wide

    guess = guessed(start, whole=whole).encoding
    return guess if guess is not None and is_wide(guess) else plain


def unicode_instead(start: bytes, named: str, *, whole: bool = True) -> str | None:
    """The encoding of Unicode that a text with letters beyond ASCII is in, where an older one was named for it; else None."""
    plain = None if start.isascii() and b"\0" not in start else plain_encoding(start)
    if plain is None or codecs.lookup(named).name.startswith("utf") or not _is_whole(start, plain, whole):
        return None
    return plain


def _is_whole(start: bytes, encoding: str, whole: bool) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(start, whole)
    except UnicodeError:
        return False
    return True


def doubtful(candidates: Sequence[str]) -> str:
    """The message about bytes whose encoding is not known."""
    return f"{NOT_UTF8}, and its encoding cannot be told; it may be {', '.join(candidates)}: name it with --encoding"


def without_mark(content: bytes) -> bytes:
    """Bytes without the byte order mark in front."""
    return next((content.removeprefix(mark) for mark, _ in _MARKS if content.startswith(mark)), content)


def delimiter_of(start: str) -> str:
    """The delimiter of a table that begins like this: the sign that cuts its first rows alike, into most cells."""
    best, most = ",", 1
    for sign in DELIMITERS:
        try:
            rows = csv.reader(io.StringIO(start, newline=""), delimiter=sign, strict=True)
            widths = [len(row) for _, row in zip(range(_COMPARED_ROWS), (row for row in rows if row), strict=False)]
        except csv.Error:
            continue
        if len(start) >= LOOKED_AT // 8 and len(widths) > 1:
            widths.pop()  # the last row may go on behind the beginning
        if widths and widths[0] > most and sum(size == widths[0] for size in widths) >= 0.7 * len(widths):
            best, most = sign, widths[0]
    return best


def sign_of(name: str) -> str:
    """A delimiter from its name or itself."""
    return _BY_NAME.get(name, name)
