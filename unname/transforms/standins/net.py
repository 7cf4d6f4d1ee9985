"""Other e-mail and web addresses, addresses of machines and user names for those of a text, where nobody can have one."""

import ipaddress
import re
from collections.abc import Callable

from unname.text import fold
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.signs import DIGITS, LONGEST_CODE, SMALL, alphabet_of, drawn_signs

_MAILBOX = re.compile(r"(<?(?:mailto:)?)\s*([^\s<>@]+)@[^@]*?(>?)", re.IGNORECASE | re.DOTALL)
_SHORTEST_BOX, _LONGEST_BOX, _LONGEST_PATH = 3, 12, 16
_URL = re.compile(r"(?:(https?://|ftp://)|[a-z][a-z0-9+.-]*://)?(www\.)?([^\s/?#]*)(\S*)", re.IGNORECASE)
_MAC = re.compile(r"[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}", re.IGNORECASE)
_IP = re.compile(
    r"\[?((?:\d{1,3}\.){3}\d{1,3}|[0-9a-f:.]*:[0-9a-f:.]*)(?:%\w*)?(\]?(?::\d{1,5})?(?:/\d{1,3})?)", re.IGNORECASE
)
# Networks kept for documentation (RFC 5737, RFC 3849).
_NETWORKS, _NETWORK_6 = ("192.0.2.", "198.51.100.", "203.0.113."), 0x20010DB8 << 96


def other_email(text: str, draws: Draws) -> str | None:
    """Another address at example.org, its mailbox drawn in the pattern of the original; None where there is no "@"."""
    match = _MAILBOX.fullmatch(text.strip()) if len(text) <= LONGEST_CODE else None
    if match is None:
        return None
    own = draws.under("email", fold(text.strip().removeprefix(match[1]).removesuffix(match[3])))
    return _differing(text, lambda turn: f"{match[1]}{_user(match[2], own, turn, _LONGEST_BOX)}@example.org{match[3]}")


def other_link(text: str, draws: Draws) -> str | None:
    """Another web address, IP or MAC address, or user name behind "@", of those that are kept for examples.

    Scheme and "www." stay, and the path keeps its length up to 16 signs. None where the text is none of these.
    """
    plain = text.strip()
    if len(text) > LONGEST_CODE or not plain:
        return None
    own = draws.under("link", fold(plain))
    if plain.startswith("@"):
        at = "@example.org" if "@" in plain[1:] else ""
        return _differing(text, lambda turn: "@" + _user(plain[1:].partition("@")[0], own, turn, _LONGEST_PATH) + at)
    if _MAC.fullmatch(plain):
        return _differing(text, lambda turn: _mac(plain, own, turn))
    if address := _IP.fullmatch(plain):
        return _differing(text, lambda turn: _ip(plain, address, own, turn))
    url = _URL.fullmatch(plain)
    if url is None or not re.search(r"[^\W\d_]", url[3]) or not (url[1] or url[2] or "." in url[3].strip(".")):
        return other_email(text, draws)
    if "@" in plain and url[1] is None and not url[4]:
        return other_email(text, draws)
    before, path = (url[1] or "") + (url[2] or "") + "example.org", sum(map(str.isalnum, url[4]))

    def link(turn: str) -> str:
        many = min(path, _LONGEST_PATH) or _LONGEST_BOX * bool(turn)
        return before + "/" * (many > 0 or url[4].startswith("/")) + drawn_signs([SMALL + DIGITS] * many, own, turn)

    return _differing(text, link)


def _differing(text: str, make: Callable[[str], str | None]) -> str | None:
    """The first of what is made that is not the text itself."""
    tries = (make("" if turn == 0 else str(turn)) for turn in range(9))
    return next((each for each in tries if each is None or fold(each) != fold(text.strip())), None)


def _user(name: str, draws: Draws, turn: str, longest: int) -> str:
    """A drawn name of letters, digits and the signs between them, as the original has them."""
    pattern = "".join(c for c in name if alphabet_of(c) or c in "._-+")[:longest].strip("._-+")
    alphabets = [alphabet_of(c) or c for c in pattern]
    return drawn_signs([*alphabets, *[SMALL] * (_SHORTEST_BOX - len(alphabets))], draws, turn)


def _mac(text: str, draws: Draws, turn: str) -> str:
    # The second figure says that whoever runs the network chose the number, and that it is one device's.
    signs = sum(map(str.isalnum, text))
    digits = DIGITS + ("ABCDEF" if text.upper() == text else "abcdef")
    drawn = iter(
        drawn_signs([digits, digits[2] + digits[6] + digits[10] + digits[14], *[digits] * (signs - 2)], draws, turn)
    )
    return "".join(next(drawn) if c.isalnum() else c for c in text)


def _ip(text: str, written: re.Match[str], draws: Draws, turn: str) -> str | None:
    try:
        version = ipaddress.ip_address(written[1]).version
    except ValueError:
        return None
    if version == 4:
        return f"{draws.choice(_NETWORKS, 'network', turn)}{1 + draws.number(254, 'host', turn)}{written[2]}"
    # A short address stays short.
    host = draws.number(1 << (32 if "::" in written[1] else 96), "host", turn)
    return "[" * text.startswith("[") + str(ipaddress.IPv6Address(_NETWORK_6 + host)) + written[2]
