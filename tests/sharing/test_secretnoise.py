"""Noise that leaves the house: normal, and known to nobody without its key."""

import numpy as np
import pytest
from scipy import stats

from unname.sharing.secretnoise import SecretNoise


def test_numbers_are_standard_normal_and_independent() -> None:
    found = SecretNoise(bytes(32)).normal(200_001)
    assert found.dtype == np.float32 and np.isfinite(found).all()
    assert stats.kstest(found, "norm").pvalue > 0.001
    assert abs(np.corrcoef(found[:-1], found[1:])[0, 1]) < 0.01
    half = len(found) // 2
    assert abs(np.corrcoef(found[:half], found[half : 2 * half])[0, 1]) < 0.01


@pytest.mark.parametrize("bit", [0, 31, 32, 100, 255])
def test_every_bit_of_the_key_counts(bit: int) -> None:
    """A generator that takes 32 bits of a seed would give the same again for keys that differ elsewhere."""
    one, other = (SecretNoise(key.to_bytes(32, "big")).normal(1000) for key in (7, 7 ^ (1 << bit)))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.15


def test_a_stream_goes_on_and_follows_from_its_key() -> None:
    noise, again = SecretNoise(bytes(32)), SecretNoise(bytes(32))
    first, second = noise.normal(5), noise.normal(5)
    assert not np.array_equal(first, second)
    assert np.array_equal(again.normal(5), first)
