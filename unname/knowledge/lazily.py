"""Tables that are made on first use: nothing is read at import, nor by a command that needs none of it."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property


class Lazily(Mapping[str, tuple[str, ...]]):
    """The value that `make` returns, made once."""

    def __init__(self, make: Callable[[], Mapping[str, tuple[str, ...]]]) -> None:
        self._make = make

    def __repr__(self) -> str:
        return f"Lazily({self._make.__name__})"

    @cached_property
    def _table(self) -> Mapping[str, tuple[str, ...]]:
        return self._make()

    def __getitem__(self, key: str) -> tuple[str, ...]:
        return self._table[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)
