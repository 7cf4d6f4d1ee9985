"""Objects of one JSON file, one at a time: of a list, or of the one list that an object holds; and values by their path."""

import json
from collections.abc import Iterator, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from unname.errors import InputError
from unname.storage.faults import LONGEST_RECORD, NOT_UTF8, TOO_LONG, shown_name
from unname.storage.lines import unpacked

_BLOCK = 1 << 20
_SPACE = " \t\r\n"
_INVALID = "not valid JSON"
# What a table may be: a list of objects, or an object with one such list and other things beside it.
_SHAPE = "not a list of JSON objects, nor an object with one such list (objects on lines of their own are .jsonl)"


class TwiceError(ValueError):
    """An object has a key twice, so that readers would not agree on what it holds."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise TwiceError
    return made


def _no_number(_: str) -> Any:
    raise ValueError


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)


def json_value(content: bytes) -> tuple[str, Any]:
    """(what is wrong with it, else empty; the value) of JSON in UTF-8, without NaN and without a key twice."""
    try:
        return "", _DECODER.decode(content.decode())
    except UnicodeDecodeError:
        return NOT_UTF8, None
    except TwiceError:
        return "not valid JSON: the same key twice in one object", None
    except (ValueError, RecursionError):
        return _INVALID, None


class _Reader:
    """A JSON text that is read forwards, a value at a time; no more of it is held than a record may be."""

    def __init__(self, stream: TextIOWrapper) -> None:
        self._stream = stream
        self._held, self._at, self._ended = "", 0, False

    def _more(self) -> None:
        left = len(self._held) - self._at
        if left > LONGEST_RECORD:
            raise InputError(TOO_LONG)
        read = self._stream.read(max(_BLOCK, left))  # as much again, so that a long value is not tried too often
        self._held, self._at, self._ended = self._held[self._at :] + read, 0, not read

    def sign(self) -> str:
        """The next character that is no white space, which stays; nothing at the end."""
        while True:
            rest = self._held[self._at : self._at + 64].lstrip(_SPACE)
            if rest:
                self._at = self._held.index(rest[0], self._at)
                return rest[0]
            self._at = min(self._at + 64, len(self._held))
            if self._at == len(self._held):
                if self._ended:
                    return ""
                self._more()

    def take(self, sign: str) -> bool:
        """Pass over a sign, if it is the next."""
        taken = self.sign() == sign
        self._at += taken
        return taken

    def value(self) -> Any:
        """The next value, whole."""
        if not self.sign():
            raise InputError(_INVALID)
        while True:
            try:
                value, end = _DECODER.raw_decode(self._held, self._at)
                if end < len(self._held) or self._ended:
                    self._at = end
                    return value
            except TwiceError:
                raise InputError(f"{_INVALID}: the same key twice in one object") from None
            except RecursionError:
                raise InputError(_INVALID) from None
            except ValueError:
                if self._ended:
                    raise InputError(_INVALID) from None
            self._more()


def json_objects(path: Path, key: str | None = None) -> Iterator[tuple[int, Any]]:
    """(number from 1, value) of the list that a `.json` is, or holds, under `key` where one is said; lazily.

    InputError: no JSON, or an object that holds no list of objects or several. A value may be of any kind.
    """
    number = 0
    try:
        with unpacked(path) as stream, TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
            for number, value in enumerate(_values(_Reader(text), key), start=1):
                yield number, value
    except InputError as error:
        if str(error).startswith(shown_name(path)):
            raise
        raise InputError(f"{shown_name(path)}: record {number + 1}: {error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{shown_name(path)}: record {number + 1}: {NOT_UTF8}") from None


def _values(reader: _Reader, key: str | None) -> Iterator[Any]:
    if reader.take("["):
        yield from _items(reader)
    elif reader.take("{"):
        any_read, closed = False, reader.take("}")
        while not closed:
            name = reader.value()
            if not isinstance(name, str) or not reader.take(":"):
                raise InputError(_INVALID)
            if reader.sign() == "[" and key in (None, name):
                several = any_read
                reader.take("[")
                for item in _items(reader):
                    if isinstance(item, Mapping):
                        if several:
                            raise InputError(f"{_SHAPE}; it holds several")
                        any_read = True
                        yield item
                    elif key is not None:
                        raise InputError(_SHAPE)
            else:
                reader.value()
            closed = reader.take("}")
            if not closed and not reader.take(","):
                raise InputError(_INVALID)
        if not any_read and key is None:
            raise InputError(_SHAPE)
    else:
        raise InputError(_SHAPE if reader.sign() in '"-0123456789tfn' else _INVALID)
    if reader.sign():
        raise InputError(f"{_INVALID}: it goes on after its end")


def _items(reader: _Reader) -> Iterator[Any]:
    """The values of a list whose bracket is open."""
    if reader.take("]"):
        return
    while True:
        yield reader.value()
        if reader.take("]"):
            return
        if not reader.take(","):
            raise InputError(_INVALID)


def pair_row(value: Any) -> Mapping[str, Any] | None:
    """A pair of a text and its annotations, as spaCy is taught by, as one record; None where it is none."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict):
        return {"text": value[0], "entities": value[1].get("entities", [])}
    return None


def at_path(row: Mapping[str, Any], path: str) -> Any:
    """The value in a row under a name, or under names parted by dots in objects within it; None where there is none.

    Of objects in a list each is asked; what they say is a list, or the one thing that is said.
    """
    if path in row:
        return row[path]
    values: Sequence[Any] = [row]
    for name in path.split(".") if "." in path else ():
        inner = [item for value in values for item in (value if isinstance(value, list) else [value])]
        values = [value[name] for value in inner if isinstance(value, Mapping) and value.get(name) is not None]
    if "." not in path or not values:
        return None
    flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
    return flat[0] if len(flat) == 1 else flat
