"""Templates of pages: one HTML file that needs nothing else, whatever it is given escaped."""

from collections.abc import Callable, Mapping
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template


def template(room: str, name: str, filters: Mapping[str, Callable[..., object]] | None = None) -> Template:
    """The template `name`.html of a room, such as `unname.auditing`, with these filters."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= filters or {}
    return environment.from_string(files(room).joinpath(f"{name}.html").read_text(encoding="utf-8"))
