"""Draws that depend on a purpose, a public seed and an id alone: order, batches and workers never change them."""

from hashlib import sha256


def draw(purpose: str, seed: object, identifier: object = None) -> bytes:
    """32 bytes by which whatever is drawn is sorted or seeded."""
    parts = (*((purpose,) if purpose else ()), seed, *(() if identifier is None else (identifier,)))
    return sha256("\0".join(map(str, parts)).encode()).digest()
