"""Attackers chosen by what each says of itself: the quick set, those an audit must not lack, those that serve rounds.

An attacker that needs a sentence encoder is among them only where there is one. One that cannot be used here is left out,
and `unusable` says so: the verdict counts it against the evidence.
"""

from collections.abc import Callable, Sequence
from functools import cache

from unname import registry
from unname.errors import ModelError
from unname.log import logger
from unname.reidentifiers.base import UNKNOWN, About, Described
from unname.reidentifiers.names import arguments_of


@cache
def _about(name: str) -> About:
    made = registry.create(registry.ATTACKERS, name)
    return made.about if isinstance(made, Described) else UNKNOWN


def needs_encoder(name: str) -> bool:
    """True if an attacker reads with a sentence encoder."""
    return "encoder" in arguments_of(registry.ATTACKERS, name)


def installed() -> tuple[str, ...]:
    """Versioned names of the registered attackers that can be used here."""
    return tuple(name for name in registry.names(registry.ATTACKERS) if _can_be_used(name))


@cache
def _can_be_used(name: str) -> bool:
    needed = registry.missing(registry.ATTACKERS, name)
    if needed is not None:
        logger.warning("attacker left out: %s", needed)
    return needed is None


def unusable() -> dict[str, str]:
    """Attackers that an audit may need and that cannot be used here: the reason by bare name.

    What cannot be loaded cannot say whether it is needed, and counts as if it were.
    """
    left_out: dict[str, str] = {}
    for name in registry.names(registry.ATTACKERS):
        reason = registry.missing(registry.ATTACKERS, name)
        if reason is not None and _may_be_needed(name):
            left_out.setdefault(registry.plain(name), reason)
    return left_out


def _may_be_needed(name: str) -> bool:
    """False only for an attacker that says of itself that an audit can do without it."""
    try:
        made = registry.declared(registry.ATTACKERS, name)
    except ModelError:
        return True
    about = getattr(made, "about", None)
    return not isinstance(about, About) or about.quick or about.needed


def _those(wanted: Callable[[About], bool], *, encoder: bool = False) -> tuple[str, ...]:
    usable = (name for name in installed() if encoder or not needs_encoder(name))
    return tuple(dict.fromkeys(registry.plain(name) for name in usable if wanted(_about(name))))


def quick(*, encoder: bool = False) -> tuple[str, ...]:
    """Names of the attackers of a quick audit."""
    return _those(lambda about: about.quick, encoder=encoder)


def needed() -> tuple[str, ...]:
    """Names of the attackers whose absence makes evidence weak.

    Those that learn from the release are among these: in small corpora nobody else finds as many. Those that cannot be used
    here are `unusable`.
    """
    return _those(lambda about: about.quick or about.needed)


def serving(reidentifiers: Sequence[str]) -> tuple[str, ...]:
    """Names of the attackers that serve rounds of masking against these reidentifiers.

    One that reads with an encoder serves if it is itself one of them.
    """
    own = frozenset(map(registry.plain, reidentifiers))
    serves = _those(lambda about: about.in_rounds, encoder=True)
    return tuple(name for name in serves if name in own or not needs_encoder(name))
