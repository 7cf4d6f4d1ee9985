"""Addresses of mailboxes, pages and machines, around the sign that none of them lacks."""

import re
from collections.abc import Iterator
from socket import AF_INET6, inet_pton

from unname.taggers.patterns import DISTINCT
from unname.types import Span

_MAILBOX = re.compile(r"@\s?[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_MOST = 64


def mails(text: str) -> Iterator[Span]:
    """Addresses around an "@": at most 64 signs before it."""
    done = 0
    for match in _MAILBOX.finditer(text):
        first = match.start()
        while first > max(done, match.start() - _MOST) and (
            text[first - 1].isalnum() or text[first - 1] in ".!#$%&'*+/=?^_`{|}~-"
        ):
            first -= 1
        if first < match.start():
            done = match.end()
            yield Span(first, done, "EMAIL", score=DISTINCT)


_LINK = re.compile(r"://[^\s<>\"']{1,2000}|[wW]{3}\.[^\s<>\"']{1,2000}")
_PLAIN_LINK = re.compile(r"\.(?:com|org|net|edu|gov|info)\b(?:/[^\s<>\"']{0,2000})?")


def links(text: str) -> Iterator[Span]:
    """Addresses of pages: after a scheme or "www.", or ending like one."""
    done = 0
    for pattern, least in ((_LINK, 0), (_PLAIN_LINK, 2)):
        if pattern is _LINK and "://" not in text and "www." not in text.lower():
            continue
        done = 0
        for match in pattern.finditer(text):
            first = match.start()
            while first > max(done, match.start() - _MOST) and (
                text[first - 1].isalnum() or (least and text[first - 1] in ".-")
            ):
                first -= 1
            end = match.start() + len(match[0].rstrip(".,;:!?)]}'\""))
            if match.start() - first >= least and end > match.start() and text[first - 1 : first] != "@":
                yield Span(first, end, "URL", score=DISTINCT)
                done = end


_COLONS = re.compile(r":[0-9A-Fa-f]{0,4}:")
_HEXES = re.compile(r"[0-9A-Fa-f:.]*")
_MAC = re.compile(r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![\w:-])")
_DASHES = re.compile(r"-[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-")


def machines(text: str) -> Iterator[Span]:
    """IPv6 and MAC addresses, around what is between two of their colons or hyphens."""
    done = 0
    for match in _COLONS.finditer(text):
        if match.start() < done:
            continue
        first = match.start()
        while first > max(done, match.start() - 4) and text[first - 1] in "0123456789abcdefABCDEF":
            first -= 1
        found = _HEXES.match(text, first)
        written = found[0] if found else ""
        done = first + len(written)
        if not written.endswith("::"):
            written = written.rstrip(".").rstrip(":")
        if text[first - 1 : first].isalnum() or text[done : done + 1].isalnum():
            continue
        if 3 < len(written) <= 45 and _is_ipv6(written):
            yield Span(first, first + len(written), "IP", score=DISTINCT)
        elif _MAC.fullmatch(written):
            yield Span(first, first + len(written), "MAC", score=DISTINCT)
    yield from _hyphened(text)


def _hyphened(text: str) -> Iterator[Span]:
    for match in _DASHES.finditer(text):
        found = _MAC.match(text, max(0, match.start() - 2))
        if found and not text[max(0, match.start() - 3) : max(0, match.start() - 2)].isalnum():
            yield Span(found.start(), found.end(), "MAC", score=DISTINCT)


def _is_ipv6(written: str) -> bool:
    # Reads an address as `ipaddress` does, in a tenth of the time, and opens nothing.
    try:
        inet_pton(AF_INET6, written)
    except OSError:
        return False
    return True
