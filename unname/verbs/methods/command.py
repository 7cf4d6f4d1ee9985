"""`unname methods`: the parts that are installed."""

import click

from unname import registry
from unname.terminal.help import Command
from unname.terminal.printing import OUT


@click.command(cls=Command, short_help="List installed methods, taggers, attackers and other parts.")
def methods() -> None:
    """List every method, tagger, reidentifier, attacker, transform and kind that can be trained.

    Under each part are the parameters that may stand behind its name, as in 'anonymity(strategy=random)', with defaults.
    """
    for group in (registry.METHODS, registry.TAGGERS, registry.TRAINABLE_TAGGERS, registry.REIDENTIFIERS,
                  registry.TRAINABLE_REIDENTIFIERS, registry.MODELS, registry.ATTACKERS, registry.TRANSFORMS):  # fmt: skip
        OUT.print(f"[bold]{group.rpartition('.')[2].replace('_', ' ')}[/bold]")
        for name, line in registry.describe(group):
            OUT.print(f"  {name:<20} {line}", markup=False)
            # A kind that learns takes its parameters where it is trained; a name alone stands for no trained one.
            trained = group == registry.MODELS or (
                group == registry.TAGGERS and registry.is_known(registry.TRAINABLE_TAGGERS, name)
            )
            for parameter in () if trained else registry.describe_parameters(group, name):
                OUT.print(f"      {parameter}", markup=False)


commands: tuple[click.Command, ...] = (methods,)
