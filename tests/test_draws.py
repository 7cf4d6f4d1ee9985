"""Draws: the same for a purpose, a seed and an id, and for nothing else."""

import hashlib

from unname.draws import draw


def test_a_draw_is_the_hash_of_what_it_is_for() -> None:
    assert draw("audit", 3, "p1") == hashlib.sha256(b"audit\x003\x00p1").digest()
    assert draw("masking", 3) == hashlib.sha256(b"masking\x003").digest()
    assert draw("", 3, "d") == hashlib.sha256(b"3\x00d").digest()
    assert len({draw(p, s, i) for p in "ab" for s in (0, 1) for i in ("x", "y", "")}) == 12
