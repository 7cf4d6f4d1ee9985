"""A part that says what it needs."""


class Asking:
    """A tagger that reads with a model which is not there."""

    name = "foreign-asking.v1"

    @staticmethod
    def available() -> str | None:
        return "pip install 'foreign-unname[model]'"
