"""Help in groups: the options that people need first, then the others by subject; special ones by `--help-all`."""

from collections.abc import Sequence
from typing import Any

import click

from unname.option import GROUPS, RUN

NEEDED, OTHERS = "Most needed", "Options"
# Columns that an option's name takes at most beside its text.
_NAME_WIDTH = 26
_ALL = "unname.help-all"


class GroupedOption(click.Option):
    """An option of a group, which `--help` leaves out where it is `advanced`; `shown` says what holds without it."""

    def __init__(self, *args: Any, group: str = "", advanced: bool = False, shown: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group, self.advanced, self.shown = group, advanced, shown

    def get_help_extra(self, ctx: click.Context) -> Any:
        """The text in brackets behind the help text: what holds without the option, and the smallest number in words."""
        extra = super().get_help_extra(ctx)
        if self.shown:
            extra["default"] = self.shown
        if "range" in extra:
            extra["range"] = extra["range"].replace("x>=", "at least ")
        return extra


class Command(click.Command):
    """A command whose help shows its options in groups, first those `needed` most, in that order."""

    def __init__(self, *args: Any, needed: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._needed = {name: place for place, name in enumerate(needed)}
        self._all = click.Option(
            ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all,
            help="Show every option and exit.",
        )  # fmt: skip

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """All parameters, with `--help-all` where `--help` leaves any out."""
        parameters = super().get_params(ctx)
        return [*parameters, self._all] if any(map(_is_advanced, self.params)) else parameters

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, a section for each group."""
        every = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        shown = [one for one in every if ctx.meta.get(_ALL) or not _is_advanced(one)]
        sections: dict[str, list[tuple[str, str]]] = {}
        for one in sorted(shown, key=self._place):
            if record := one.get_help_record(ctx):
                sections.setdefault(self._group(one), []).append(
                    (record[0].replace("INTEGER RANGE", "INTEGER"), record[1])
                )
        for title, rows in sections.items():
            # The first name as wide as the column makes all sections alike.
            rows[0] = rows[0][0].ljust(_NAME_WIDTH), rows[0][1]
            with formatter.section(title):
                formatter.write_dl(rows, col_max=_NAME_WIDTH)
        if left_out := sum(map(_is_advanced, self.params)) if not ctx.meta.get(_ALL) else 0:
            formatter.write_paragraph()
            formatter.write_text(f"{left_out} more options for special cases: {ctx.command_path} --help-all")

    def _place(self, one: click.Parameter) -> tuple[int, int]:
        """The place of an option: by group, and in the first group as it was asked for."""
        group = self._group(one)
        if group == NEEDED:
            return -2, self._needed[str(one.name)]
        return (GROUPS.index(group) if group in GROUPS else -1), 0

    def _group(self, one: click.Parameter) -> str:
        if one.name in self._needed:
            return NEEDED
        # Eager are settings and help itself.
        runs = one.is_eager and any(getattr(each, "group", "") for each in self.params)
        return getattr(one, "group", "") or (RUN if runs else OTHERS)


class Group(click.Group):
    """A group of such commands; help lists the `first` ones first, in that order."""

    command_class = Command

    def __init__(self, *args: Any, first: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._first = tuple(first)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands in the order of help."""
        others = super().list_commands(ctx)
        return [*self._first, *(name for name in others if name not in self._first)]


def _is_advanced(one: click.Parameter) -> bool:
    return bool(getattr(one, "advanced", False))


def _show_all(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        click.echo(full_help(context), color=context.color)
        context.exit()


def full_help(context: click.Context) -> str:
    """The help text of a command with every option."""
    context.meta[_ALL] = True
    return context.get_help()
