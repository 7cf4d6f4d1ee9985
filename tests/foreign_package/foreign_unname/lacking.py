"""A part whose library is not installed."""

import library_of_nobody  # type: ignore[import-not-found]


class Lacking:
    """Never to be seen."""

    name = library_of_nobody.NAME
