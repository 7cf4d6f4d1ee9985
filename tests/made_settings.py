"""Settings of tests whose subject is not who finds names: the rules find them, and facts are only reported."""

from typing import Any

from unname.job import Deidentification

# The same as options of the command.
RULES_ALONE = ("--tagger", "rules", "--facts", "report")


def by_rules(**settings: Any) -> Deidentification:
    """Settings by which only the rules hide anything beside lists, fields and the search; others as they are given."""
    return Deidentification(**{"taggers": ("rules",), "facts": "report", **settings})
