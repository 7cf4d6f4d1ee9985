"""How a table or text of the world is written: its encoding, and what parts its columns; told by a look at its beginning.

Exports are in UTF-8 or UTF-16, with or without a byte order mark, or in Windows-1252; columns are parted by commas,
semicolons, tabs or bars.
"""

import codecs
import csv
import io
from dataclasses import dataclass

from unname.errors import SettingsError
from unname.option import option

DELIMITERS = (",", ";", "\t", "|")
_BY_NAME = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "\\t": "\t"}
# Bytes at the beginning of a file that are looked at.
LOOKED_AT = 1 << 20
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
WINDOWS = "cp1252"
# Letters and signs of western texts in Windows-1252; other bytes of that half are rather damage.
_WESTERN = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüý€‚„…‘’“”•–—ŠšŽžŒœ¡¿ºª°§«»·´²³½¼µ±×£©®\xa0"
)
_COMPARED_ROWS = 10


@dataclass(frozen=True, slots=True)
class Dialect:
    """The encoding of a file and, for a table, the sign between its columns; None: to be told by a look."""

    encoding: str | None = option(None, "Encoding of CSV tables and text files.", shown="detected")
    delimiter: str | None = option(
        None, "Separator of CSV columns: one character, or tab, comma, semicolon, pipe.", shown="detected"
    )

    def __post_init__(self) -> None:
        if self.encoding is not None:
            try:
                # A codec that is none of text, or one that cannot read piece by piece, is no encoding of a file.
                if "a".encode(self.encoding).decode(self.encoding) != "a":
                    raise LookupError
                codecs.getincrementaldecoder(self.encoding)().decode("a".encode(self.encoding))
            except (LookupError, UnicodeError, AttributeError, TypeError, ValueError):
                raise SettingsError("encoding: no such encoding; for example utf-8, cp1252, utf-16, latin-1") from None
        if self.delimiter is not None and len(sign_of(self.delimiter)) != 1:
            raise SettingsError("delimiter must be one character, or tab, comma, semicolon or pipe")


def encoding_of(start: bytes) -> str:
    """The encoding of a text that begins like this: by its mark, its zero bytes, or what its high bytes can be."""
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    head = start[:4096]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) >= 8 and max(even, odd) >= 0.8 * len(head) / 2 and min(even, odd) == 0:
        return "utf-16-le" if odd else "utf-16-be"
    high = [byte for byte in start if byte > 127]
    # Where any character of several bytes in UTF-8 is there, what does not fit is damage.
    if not high or any(not character.isascii() for character in start.decode("utf-8", "ignore")):
        return "utf-8"
    plain = bytes(high).decode(WINDOWS, "replace")
    return WINDOWS if all(character in _WESTERN for character in plain) else "utf-8"


def without_mark(content: bytes) -> bytes:
    """Bytes without the byte order mark in front."""
    return next((content.removeprefix(mark) for mark, _ in _MARKS if content.startswith(mark)), content)


def delimiter_of(start: str) -> str:
    """What parts the columns of a table that begins like this: the sign that cuts its first rows alike, into most cells."""
    best, most = ",", 1
    for sign in DELIMITERS:
        try:
            rows = csv.reader(io.StringIO(start), delimiter=sign, strict=True)
            found = [len(row) for _, row in zip(range(_COMPARED_ROWS), (row for row in rows if row), strict=False)]
        except csv.Error:
            continue
        if len(start) >= LOOKED_AT // 8 and len(found) > 1:
            found.pop()  # the last row may go on behind the beginning
        if found and found[0] > most and sum(size == found[0] for size in found) >= 0.7 * len(found):
            best, most = sign, found[0]
    return best


def sign_of(name: str) -> str:
    """A delimiter from its name or itself."""
    return _BY_NAME.get(name, name)
