"""Other addresses on the net: the pattern stays, and they lie where nobody can have one."""

import ipaddress

import pytest
from hypothesis import given

from tests.transforms.standins.shapes import ODD_SIGNS, shape
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.net import other_email, other_link

DRAWS = Draws(b"k" * 32)


def test_an_email_address_keeps_the_pattern_of_its_mailbox() -> None:
    made = other_email("Anna.holm_92@klinik.de", DRAWS) or ""
    assert shape(made.removesuffix("@example.org")) == "Aaaa.aaaa_99" and "nna" not in made
    assert len((other_email("a@b.de", DRAWS) or "").split("@")[0]) == 3
    assert len((other_email("a" * 40 + "@b.de", DRAWS) or "").split("@")[0]) == 12
    assert (other_email("用户@例子.中国", DRAWS) or "").isascii()
    assert (other_email("<mailto:anna@x.org>", DRAWS) or "").startswith("<mailto:")
    assert other_email("anna@x.org", DRAWS) == other_email("ANNA@X.org", DRAWS).lower()  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["", "anna", "@", "@anna", "Anna Holm <anna@x.org>"])
def test_where_there_is_no_email_address(text: str) -> None:
    assert other_email(text, DRAWS) is None


@pytest.mark.parametrize(
    ("text", "start", "length"),
    [
        ("https://www.foo.de/ab?c=1", "https://www.example.org/", 4),
        ("http://foo.de", "http://example.org", 0),
        ("ftp://foo.de/" + "a" * 50, "ftp://example.org/", 16),
        ("www.foo.de", "www.example.org", 0),
        ("foo.de/anna", "example.org/", 4),
        ("https://anna:pw@foo.de/x", "https://example.org/", 1),
    ],
)
def test_a_link_keeps_its_scheme_and_the_length_of_its_path(text: str, start: str, length: int) -> None:
    made = other_link(text, DRAWS) or ""
    assert made.startswith(start) and len(made) == len(start) + length


def test_addresses_of_machines_are_of_documentation() -> None:
    kept = [
        ipaddress.ip_network(each) for each in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
    ]
    for text in ("10.0.0.1", "8.8.8.8", "2a00:1450:4001:82b:0:0:0:200e", "fe80::1", "::1"):
        address = ipaddress.ip_address(other_link(text, DRAWS) or "")
        assert any(address in network for network in kept)
    assert (other_link("10.0.0.1:8080", DRAWS) or "").endswith(":8080")
    mac = other_link("00:1A:2B:3C:4D:5E", DRAWS) or ""
    assert int(mac[:2], 16) & 3 == 2 and len(mac) == 17 and mac == mac.upper()


def test_a_user_name_keeps_its_pattern() -> None:
    made = other_link("@anna_holm92", DRAWS) or ""
    assert shape(made) == "@aaaa_aaaa99" and "anna" not in made
    assert shape(other_link("@anna@foo.social", DRAWS) or "") == "@aaaa@aaaaaaa.aaa"


def test_where_there_is_no_link() -> None:
    assert [other_link(each, DRAWS) for each in ("", "anna", "12:30", "1.2.3", "https://", "🙂")] == [None] * 6


@given(ODD_SIGNS)
def test_any_text_gives_another_address_or_none_and_always_the_same(text: str) -> None:
    for other in (other_email, other_link):
        made = other(text, DRAWS)
        assert made is None or made != text
        assert made == other(text, DRAWS)
