"""`python -m unname` is the command `unname`."""

import os
import sys

# Python puts the folder that the user stands in first; nothing is to be imported from there. Where the same folder stands
# in the path once more, Unname is installed from it, and worker processes need it.
if sys.path[:1] in ([""], [os.getcwd()]):  # noqa: PTH109
    del sys.path[0]

from unname.apps.cli import main

if __name__ == "__main__":
    main()
