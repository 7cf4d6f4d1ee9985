"""`unname methods`: the parts that are installed."""

import click

from unname import registry
from unname.terminal.help import Command
from unname.terminal.printing import OUT, say_pairs


@click.command(cls=Command, short_help="List installed methods, taggers, attackers and other parts.")
def methods() -> None:
    """List every method, tagger, reidentifier, kind of trained model, attacker and transform that is installed."""
    for group in (registry.METHODS, registry.TAGGERS, registry.REIDENTIFIERS, registry.MODELS, registry.ATTACKERS,
                  registry.TRANSFORMS):  # fmt: skip
        OUT.print(f"[bold]{group.rpartition('.')[2]}[/bold]")
        say_pairs(registry.describe(group), "  ")


commands: tuple[click.Command, ...] = (methods,)
