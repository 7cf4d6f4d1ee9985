"""Leaning to recall: how many times as likely as was learned a tagger may take identifiers to be."""

from unname.errors import SettingsError

# The most times as likely.
MOST_LEAN = 1e6


def require_lean(lean: float) -> None:
    """Raise SettingsError unless a factor of odds is a number above 0."""
    if not 0 < lean <= MOST_LEAN:
        raise SettingsError(
            f"lean must be above 0 and at most {MOST_LEAN:.0f}: 10 takes identifiers to be ten times as likely"
        )
