"""Keys of strings: the same on every machine, never nothing, and of a pair by its order."""

import numpy as np

from unname.hashing import hashed, mix


def test_keys_are_what_they_were_on_the_machine_that_made_a_model() -> None:
    assert hashed("a") == 0x2F42665B399EF840
    assert hashed("Zoë") == 0x9A89EF9506B79F78
    assert int(mix(1, 2)) == 0xAD033DC77DD95CD3


def test_pairs_count_by_their_order_and_nothing_stays_nothing() -> None:
    one, other = np.array([1, 2, 0], np.uint64), np.array([2, 1, 5], np.uint64)
    pair = mix(one, other)
    assert pair[0] != pair[1]
    assert pair[2] == 0
    assert mix(other, one)[0] == pair[1]
