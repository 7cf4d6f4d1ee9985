"""Marks that programs leave in a text when they export it: characters written as escapes, and mojibake.

Each function yields (start, end, what it says), disjoint and in order, for `unname.normalised`. Sources: RFC 2045 and 2047
(quoted-printable, encoded words), RFC 8259 and ECMA-262 (escapes in strings), ECMA-376 part 1, 22.9.2.19 (`_x000D_`),
the RTF 1.9.1 specification.
"""

import base64
import binascii
import codecs
import quopri
import re
from collections.abc import Iterator

# A stretch, and what it says.
Edit = tuple[int, int, str]

_ESCAPE = re.compile(
    r"(?P<pair>(?:\\{1,4}u[0-9a-fA-F]{4}){2,32})|\\{1,4}u(?P<four>[0-9a-fA-F]{4})|\\{1,4}u\{(?P<braced>[0-9a-fA-F]{1,6})\}"
    r"|\\{1,4}U(?P<eight>[0-9a-fA-F]{8})|\\{1,4}x(?P<two>[0-9a-fA-F]{2})|\\'(?P<rtf>[0-9a-fA-F]{2})"
    r"|\\u(?P<decimal>-?[0-9]{3,5})(?:\?|\\'[0-9a-fA-F]{2}| ?)|\\{1,4}(?P<blank>[nrt])(?=[^\W\d_])"
)
_CELL = re.compile(r"_x([0-9a-fA-F]{4})_")
_QUOTED = re.compile(r"(?:=(?:[0-9A-F]{2}|\r?\n)){1,24}")
_ENCODED = re.compile(r"=\?([\w.-]{2,24})\?([QqBb])\?([!->@-~]{1,160})\?=(?:\s{1,3}(?==\?))?")
# The first byte of a character of UTF-8, read as one of its own, with what follows one; and the word around it.
_MOJIBAKE = re.compile("[\u00c2-\u00f4\u0102\u0103\u0110\u0111\u0139\u013a\u0420\u0421][^\\x00-\\x7f\\s]")
_BEFORE, _BEHIND = re.compile(r"[^\W\d_]{1,40}\Z"), re.compile(r"[^\s]{1,40}")


def escapes(text: str) -> Iterator[Edit]:
    """Escapes of strings (`\\u00e1`, `\\xe1`) and of RTF (`\\'e1`, `\\u225?`), also doubled; and those of blanks."""
    for match in _ESCAPE.finditer(text):
        said = _said(match)
        if said and (said.isprintable() or said.isspace()):
            yield match.start(), match.end(), said


def _said(match: re.Match[str]) -> str:
    kind, value = match.lastgroup, match[match.lastgroup or 0]
    if kind == "pair":
        units = b"".join(bytes.fromhex(four) for four in re.findall(r"u([0-9a-fA-F]{4})", value))
        return units.decode("utf-16-be", "ignore")
    if kind == "blank":
        return "\n" if value in "nr" else "\t"
    if kind == "rtf":
        return bytes.fromhex(value).decode("cp1252", "ignore")
    code = int(value) % 65536 if kind == "decimal" else int(value, 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def cells(text: str) -> Iterator[Edit]:
    """Characters that spreadsheets keep as their number (`_x000D_`)."""
    for match in _CELL.finditer(text):
        said = chr(int(match[1], 16))
        if said.isprintable() or said.isspace():
            yield match.start(), match.end(), said


def quoted(text: str) -> Iterator[Edit]:
    """Characters of mails as their bytes (`J=C3=BCrgen`), and lines that go on behind a `=`."""
    for match in _QUOTED.finditer(text):
        value = quopri.decodestring(match[0].encode("ascii"))
        said = _decoded(value, "utf-8") or in_latin_1(value, text, *match.span())
        goes_on = not match[0].strip("=\r\n")
        if goes_on or (said.isprintable() and not said.isascii()):
            yield match.start(), match.end(), said


def in_latin_1(value: bytes, text: str, start: int, end: int) -> str:
    """A letter of Latin-1 within a word; any other byte above 127 says nothing."""
    before = text[max(0, start - 2) : start]
    within = before[-1:].isalpha() and (text[end : end + 1].isalpha() or (len(before) > 1 and before.isalpha()))
    said = value.decode("latin-1") if len(value) == 1 and within else ""
    return said if said.isalpha() and not said.isascii() else ""


def encoded(text: str) -> Iterator[Edit]:
    """Encoded words of mail headers (`=?UTF-8?Q?J=C3=BCrgen?=`)."""
    for match in _ENCODED.finditer(text):
        charset, kind, content = match.groups()
        try:
            value = base64.b64decode(content) if kind in "Bb" else quopri.decodestring(content.encode(), header=True)
            codecs.lookup(charset)
        except (binascii.Error, LookupError, ValueError):
            continue
        said = _decoded(value, charset)
        if said and said.isprintable():
            yield match.start(), match.end(), said


def _decoded(value: bytes, charset: str) -> str:
    try:
        return value.decode(charset)
    except (UnicodeDecodeError, LookupError, ValueError):
        return ""


def mojibake(text: str) -> Iterator[Edit]:
    """Words whose UTF-8 was read as an older encoding (`MÃ¼ller`), as far as ftfy is sure of it."""
    if not _MOJIBAKE.search(text):
        return
    import ftfy  # for such texts alone

    done = 0
    while match := _MOJIBAKE.search(text, done):
        before = _BEFORE.search(text, max(done, match.start() - 40), match.start())
        behind = _BEHIND.match(text, match.start())
        start, done = before.start() if before else match.start(), behind.end() if behind else match.end()
        said = ftfy.fix_encoding(text[start:done])
        if said != text[start:done]:
            yield start, done, said
