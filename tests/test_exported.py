"""Marks that exporters leave in texts: what they say, and what looks like one and stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.normalised import normalised


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (r'{"note": "Ib\u00e1\u00f1ez\u00faa came"}', '{"note": "Ibáñezúa came"}'),
        (r"Ib\\u00e1\\u00f1ez", "Ibáñez"),
        (r"\u{e9}lodie and \xe9lodie and \U000000e9lodie", "élodie and élodie and élodie"),
        (r"\ud83d\ude00 Zo\u00eb", "😀 Zoë"),
        (r"M\'fcller and M\u252?ller", "Müller and Müller"),
        (r"said\nMaria\tMarta", "said\nMaria\tMarta"),
        ("M_x00fc_ller_x000D_", "Müller\r"),
        ("J=C3=BCrgen and Quil=\nlerby", "Jürgen and Quillerby"),
        ("From: =?UTF-8?Q?J=C3=BCrgen?= =?utf-8?B?TcO8bGxlcg==?=", "From: JürgenMüller"),
        ("MÃ¼llenbrÃ¶ck, KvÄ›ta DvoÅ™Ã¡k", "Müllenbröck, Květa Dvořák"),
        ("Mül<b>len</b>brock", "Müllenbrock"),
        ("Quil-\n> lerby", "Quillerby"),
    ],
)
def test_what_exporters_leave_is_read_as_what_it_says(written: str, said: str) -> None:
    assert normalised(written).text == said


@pytest.mark.parametrize(
    "text",
    [
        "À la carte, naïve été, Ãéa, Đặng Văn, SÃO PAULO",
        "a=B6, x==2F, 2=3D, M=C3, E=MC2",
        r"C:\users, \d{4}, \u12, \x1",
        "the_x12_file, _x00_",
        "=?nobody?Q?knows?= it",
        "1<2 and 3>2, x <b> y",
    ],
)
def test_what_only_looks_like_such_a_mark_stays(text: str) -> None:
    assert normalised(text).text == text


@given(st.text(alphabet="=?_x\\u0e1CBQuU8-'{}<b>/ÃÄ¼\n nrt", max_size=80))
def test_any_mixture_of_signs_is_read_once_and_for_all(text: str) -> None:
    once = normalised(text)
    assert all(0 <= a < b <= len(text) for a, b in zip(once.starts, once.ends, strict=True))
