"""`python -m unname` is the command `unname`."""

import os
import sys

# Python puts the folder that the user stands in first; nothing is to be imported from there.
sys.path[:] = [place for place in sys.path if place not in ("", os.getcwd())]  # noqa: PTH109

from unname.apps.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
