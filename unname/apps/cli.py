"""The command `unname`, assembled from the folders of `unname.verbs`: each verb brings its own commands."""

import logging
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

import click

from unname import verbs
from unname.errors import UnnameError, missing_extra, printable, where
from unname.log import logger
from unname.terminal.help import Group
from unname.terminal.printing import ERR, notices_shown


def _show(error: click.ClickException) -> None:
    """Print click's message on an error, less what a terminal would obey in the arguments it quotes."""
    said = printable(error.format_message(), lines=True)
    shown = click.UsageError(said, error.ctx) if isinstance(error, click.UsageError) else click.ClickException(said)
    shown.show()


@click.group(
    cls=Group,
    first=("deidentify", "audit", "release", "demo"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(package_name="unname")
@click.option("--debug", is_flag=True, help="Log stages and counts to standard error.")
def cli(debug: bool) -> None:
    """Mask texts so that the people in them cannot be recognised, and measure who still can be.

    Options shown with NAME,... accept several names: separate them with commas or repeat the option.
    """
    click.get_current_context().with_resource(notices_shown())
    if debug:
        # Ours alone: what another library logs at this level is not ours to vouch for.
        logging.basicConfig(format="%(levelname)s %(name)s %(message)s")
        logger.setLevel(logging.DEBUG)


def _commands() -> Iterator[click.Command]:
    """The commands of every verb: of each folder of `unname.verbs` that has a `command.py`."""
    for verb in iter_modules(verbs.__path__, f"{verbs.__name__}."):
        if verb.ispkg and find_spec(f"{verb.name}.command"):
            yield from import_module(f"{verb.name}.command").commands


for _command in _commands():
    cli.add_command(_command)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; errors say what is wrong on standard error, never any text."""
    try:
        code = cli.main(args=list(arguments) if arguments is not None else None, standalone_mode=False)
        return int(code or 0)
    except click.UsageError as error:
        _show(error)
        return 2
    except (click.Abort, KeyboardInterrupt):
        ERR.print("interrupted; nothing was written")
        return 130
    except click.ClickException as error:
        _show(error)
        return 1
    except UnnameError as error:
        ERR.print(f"error: {error}", markup=False, soft_wrap=True)
        return error.exit_code
    except SystemExit as error:
        return int(error.code or 0)
    except ImportError as error:
        needed = missing_extra(error)
        ERR.print(f"error: {needed}" if needed else _unexpected(error), markup=False, soft_wrap=True)
        return 1
    except Exception as error:  # a bug: its message may quote what was being worked on, so only its place is told
        ERR.print(_unexpected(error), markup=False)
        return 1


def _unexpected(error: Exception) -> str:
    return f"error: unexpected {type(error).__name__} {where(error)}; please report it"


def _terminated(number: int, frame: object) -> None:
    """End as after Ctrl-C, so that nothing half written is left, and let nobody disturb that: such signals come in pairs."""
    for one in _endings():
        signal.signal(one, signal.SIG_IGN)
    raise KeyboardInterrupt


def _endings() -> list[signal.Signals]:
    """Signals that tell a process to end: one of an administrator's, and that of a terminal which was closed."""
    return [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


def main() -> None:
    """Entry point of the command `unname`: no core dumps, which would hold texts and keys, and an end in order."""
    with suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for one in _endings():
        if signal.getsignal(one) is not signal.SIG_IGN:  # as `nohup` asks
            signal.signal(one, _terminated)
    sys.exit(run())
