"""Errors: one tree, drawn where it is defined."""

from collections.abc import Iterator

from unname import errors
from unname.errors import UnnameError


def drawn(kind: type[UnnameError], lead: str = "", behind: str = "") -> Iterator[str]:
    """The lines of a tree of errors: `lead` stands before the first one, `behind` before the others."""
    yield f"{lead}{kind.__name__}".ljust(30) + str(kind.exit_code)
    kinds = [each for each in kind.__subclasses__() if each.__module__ == errors.__name__]
    for place, each in enumerate(kinds, start=1):
        yield from drawn(
            each, *((behind + "├── ", behind + "│   ") if place < len(kinds) else (behind + "└── ", behind + "    "))
        )


def test_the_drawn_tree_of_errors_is_the_tree_of_errors() -> None:
    assert errors.__doc__ is not None
    assert [line.strip() for line in errors.__doc__.split("\n\n")[1].splitlines()] == list(drawn(UnnameError))
