"""Draws from the secret key: release ids, documents' own target crowds, digests of what the next release must know.

The public seed undoes none of it.
"""

import hashlib
import hmac
import secrets
from pathlib import Path

from unname.errors import InputError

KEY_BYTES = 32


def new_key() -> bytes:
    """A fresh 256-bit key."""
    return secrets.token_bytes(KEY_BYTES)


def read_key(path: Path) -> bytes:
    """A key from a file of 64 hexadecimal digits that nobody else can read."""
    try:
        if path.stat().st_mode & 0o077:
            raise InputError("the key file can be read by others; chmod 600 it first")
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except OSError as error:
        raise InputError(f"the key file cannot be read: {error.strerror}") from None
    except ValueError:
        raise InputError("the key file must hold 64 hexadecimal digits and nothing else") from None
    if len(key) != KEY_BYTES:
        raise InputError("the key file must hold 64 hexadecimal digits and nothing else")
    return key


def _digest(key: bytes, purpose: str, identifier: str) -> bytes:
    return hmac.new(key, f"{purpose}\0{identifier}".encode(), hashlib.sha256).digest()


def release_id(key: bytes, document: str) -> str:
    """The id under which a document is released: 32 hexadecimal digits of HMAC-SHA256."""
    return _digest(key, "release-id", document).hex()[:32]


def text_digest(key: bytes, document: str, text: str) -> str:
    """A digest by which a later run sees if a document's original text is still the same: 32 hexadecimal digits."""
    return _digest(key, f"original\0{document}", text).hex()[:32]


def word_digest(key: bytes, document: str, word: str) -> str:
    """A digest of a folded word that a release hides of a document: 16 hexadecimal digits."""
    return _digest(key, f"hidden\0{document}", word).hex()[:16]


def learning_seed(key: bytes) -> int:
    """The seed of reidentifiers that learn and serve a masking.

    With a public one whoever holds the documents that taught them could make them again. 48 bits: models keep it exactly, and
    nobody learns so many of them to try.
    """
    return int.from_bytes(_digest(key, "learning", "")[:6])


def target_crowd(key: bytes, unit: str, *, k: int, span: float, most: int) -> int:
    """The crowd k′ that one document (or person) gets: log-uniform between k and span · k, at most `most`."""
    share = int.from_bytes(_digest(key, "target", unit)[:8]) / 2**64
    return min(max(k, int(min(k * span**share, most))), most)
