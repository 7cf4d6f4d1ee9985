"""Values piece by piece: what counts as a number, an address, a name or a day, and what is none of these."""

import pytest

from unname.dates import Day
from unname.knowledge.fieldnames import Kind
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.pieces import pieces_of
from unname.types import Profile
from unname.verifying.written import identifies


def left(kind: Kind, value: str, text: str) -> str:
    """The words of a text that a value of a field does not hide."""
    found = direct_identifiers(Profile("p-0", {"field": value}), {"field": kind}).find(text)
    return "".join(c for place, c in enumerate(text) if not any(a <= place < b for a, b in found))


@pytest.mark.parametrize(
    ("kind", "value", "text", "gone", "stays"),
    [
        ("contact", "0407-550759 / hugo.z@mail.example", "reach 0407550759, hugo.z@mail.example", "0407 hugo", "reach"),
        ("", "0407-550759 / 0408 550 760", "0407550759, 0408550760", "0407 0408", ""),
        ("contact", "0407550759/0408550760", "at 0408 550 760 or (0407) 550759", "0408 0407", "or"),
        ("name", "Květa Dvořák (*12.3.1951)", "Frau Dvořák, Kveta, born 12.03.1951", "Dvořák Kveta 1951", "born"),
        ("", "Ada Quill (born 2 August 1984)", "Ada Quill of 2.8.1984 was born", "Ada 1984", "was"),
        ("name", "Ruth Zellweger, wife, 907-077707", "wife Ruth 907077707 came", "Ruth 907077707", "wife came"),
        ("", "Mutter: Ruth Zellweger, Tel. 907-077707", "Mutter Ruth, Tel. 907077707", "Ruth 907", "Mutter Tel"),
        ("name", "hija Ana Gil Paz", "su hija Ana Paz", "Ana Paz", "su hija"),
        ("contact", "Ruth Zellweger, wife, 907-077707", "wife Ruth Zellweger called", "Ruth Zellweger", "wife called"),
        ("name", "王芳，母亲，13812345678", "母亲 王芳 电话 138 1234 5678", "王芳 5678", "母亲"),
        ("contact", "Tel: 0900 123 456, E-Mail: a.q@post.example", "Tel E-Mail 0900123456", "0900123456", "Tel E-Mail"),
        ("date", "12.3.1951 (Praha)", "born 1951-03-12", "1951-03-12", "born"),
    ],
)  # fmt: skip
def test_each_piece_counts_by_what_it_is(kind: Kind, value: str, text: str, gone: str, stays: str) -> None:
    rest = left(kind, value, text)
    assert [word for word in gone.split() if word in rest] == []
    assert [word for word in stays.split() if word not in rest] == []


@pytest.mark.parametrize("value", ["Nguyen, Son", "Son", "Mari", "Doe, Son", "Kind, Anna"])
def test_a_name_that_is_a_word_for_a_relation_is_a_name(value: str) -> None:
    for name in value.replace(",", "").split():
        assert name not in left("name", value, f"Seen {name} today")


def test_the_second_reading_does_not_look_for_relations() -> None:
    profile = Profile("p", {"contact": "Ruth Quill, wife"})
    assert not identifies(profile, {"contact": "name"}, "his wife came") and identifies(
        profile, {"contact": "name"}, "Ruth came"
    )
    assert identifies(Profile("p", {"name": "son"}), {"name": "name"}, "Here is Son.")


def test_pieces_of_several_kinds() -> None:
    found = pieces_of("Ada Quill (*1984-08-02), wife, +49 170 1234567 / ada@post.example")
    assert found.mails == ("ada@post.example",) and found.numbers == ("+49 170 1234567",)
    assert found.texts == ("Ada Quill",) and found.relations == 1 and found.days == {Day(1984, 8, 2)}
    assert found.several and "Ada" not in repr(found)
    assert not pieces_of("Ada Quill").several and pieces_of("Ada Quill").texts == ("Ada Quill",)
    assert pieces_of("120/80 37.5").numbers == () and pieces_of("x" * 500).texts == ("x" * 500,)
    assert pieces_of("12345678", dated=False).numbers == ("12345678",)
