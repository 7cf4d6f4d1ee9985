"""Exit codes of the command, beside those of errors."""

WITHHELD, UNSAFE = 3, 4
