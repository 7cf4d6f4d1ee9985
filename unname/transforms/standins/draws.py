"""Draws from a secret key: what they give can be made again by whoever has the key, and guessed by nobody else."""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

Drawn = TypeVar("Drawn")


@dataclass(frozen=True, slots=True, repr=False)
class Draws:
    """Draws by name from one secret, HMAC-SHA256; the same name always gives the same draw."""

    key: bytes

    def __repr__(self) -> str:
        return "Draws()"

    def under(self, *name: str) -> "Draws":
        """Draws of somebody or something: independent of those of any other name."""
        return Draws(self._digest(name))

    def number(self, below: int, *name: str) -> int:
        """A whole number from 0 to `below` − 1."""
        return int.from_bytes(self._digest(name)) % below

    def choice(self, rows: Sequence[Drawn], *name: str) -> Drawn:
        """One of several."""
        return rows[self.number(len(rows), *name)]

    def _digest(self, name: Sequence[str]) -> bytes:
        # Each part with its length, so that no two names run together into one.
        said = b"".join(
            len(part).to_bytes(4) + part for part in (each.encode("utf-8", "surrogatepass") for each in name)
        )
        return hmac.new(self.key, said, hashlib.sha256).digest()
