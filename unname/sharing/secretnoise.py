"""Gaussian noise that nobody can draw again without its key.

What leaves must not be drawn by a simulation's generator: PyTorch's takes 32 bits of a seed on a CPU, so an insider could
try all of them and take the noise away again. Here numbers come from SHAKE256 (FIPS 202) of a key of 256 bits and a counter,
made normal as Box and Muller 1958 do.
"""

from hashlib import shake_256

import numpy as np
import numpy.typing as npt


class SecretNoise:
    """A stream of standard normal numbers that follows from a key of 32 bytes; a key is good for one stream."""

    def __init__(self, key: bytes) -> None:
        self._key, self._drawn = key, 0

    def normal(self, many: int) -> npt.NDArray[np.float32]:
        """The next so many numbers."""
        pairs = (many + 1) // 2
        stream = shake_256(self._key + self._drawn.to_bytes(8, "big")).digest(16 * pairs)
        self._drawn += 1
        whole = np.frombuffer(stream, "<u8").reshape(2, pairs) >> np.uint64(11)
        radius, angle = (whole + 0.5) * 2.0**-53
        radius, angle = np.sqrt(-2.0 * np.log(radius)), 2.0 * np.pi * angle
        drawn = np.concatenate((radius * np.cos(angle), radius * np.sin(angle)))[:many]
        return drawn.astype(np.float32)
