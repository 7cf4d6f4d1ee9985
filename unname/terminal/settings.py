"""Settings files: long option names with their values, as TOML."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from unname.errors import InputError, SettingsError
from unname.registry import split_names
from unname.terminal.options import Names


def _load_settings(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is None:
        return
    values = read_settings(Path(value))
    known = {o.lstrip("-").replace("-", "_"): p.name for p in context.command.params for o in p.opts}
    for key in values:
        if key not in known:
            raise click.UsageError(f"settings file: no option is called {key.replace('_', '-')!r}")
    options = {p.name: p for p in context.command.params if isinstance(p, click.Option)}
    given = {known[key]: _as_typed(options.get(known[key]), value) for key, value in values.items()}
    context.default_map = {**(context.default_map or {}), **given}


def _as_typed(option: click.Option | None, value: Any) -> Any:
    """A value of a settings file as click has it from a command line."""
    if isinstance(option, Names):
        return (str(value),)
    return split_names(str(value)) if option is not None and option.multiple else value


def read_settings(path: Path) -> Mapping[str, Any]:
    """Options from a TOML file: keys are long option names, with dashes or underscores."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"settings file cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        raise InputError("settings file is not valid TOML in UTF-8") from None
    for key, value in values.items():
        if isinstance(value, dict):
            raise SettingsError(f"settings file: {key!r} is a table; keys are long option names, all on one level")
    return {key.replace("-", "_"): ",".join(map(str, v)) if isinstance(v, list) else v for key, v in values.items()}


SETTINGS = click.option(
    "--settings", "settings_file", type=click.Path(exists=True, dir_okay=False), callback=_load_settings,
    is_eager=True, expose_value=False, help="TOML file whose keys are long option names; the command line wins.",
)  # fmt: skip
