"""Ids that occurred before, in some 25 bytes an id however long ids are."""

from array import array
from hashlib import blake2b

_FEWEST_SLOTS = 1024


class Ids:
    """A set of ids that keeps 128-bit digests alone: exact but for a collision of BLAKE2b, which nobody can make.

    Digests stand in two dense arrays in the order they came; an open-addressed table of their places finds them. 16
    bytes an id and 5 to 12 for the table; a set of strings would take some 150.
    """

    def __init__(self) -> None:
        self._low, self._high = array("Q"), array("Q")
        self._slots = array("I", bytes(4 * _FEWEST_SLOTS))

    def add(self, value: str) -> bool:
        """Take an id in; whether it is new."""
        digest = blake2b(value.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        low, high = int.from_bytes(digest[:8]), int.from_bytes(digest[8:])
        slots, mask = self._slots, len(self._slots) - 1
        slot = low & mask
        while place := slots[slot]:
            if self._low[place - 1] == low and self._high[place - 1] == high:
                return False
            slot = (slot + 1) & mask
        self._low.append(low)
        self._high.append(high)
        slots[slot] = len(self._low)
        if 4 * len(self._low) > 3 * len(slots):
            self._grow()
        return True

    def _grow(self) -> None:
        slots = array("I", bytes(8 * len(self._slots)))
        mask = len(slots) - 1
        for place, low in enumerate(self._low, start=1):
            slot = low & mask
            while slots[slot]:
                slot = (slot + 1) & mask
            slots[slot] = place
        self._slots = slots
