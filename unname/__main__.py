"""`python -m unname` is the command `unname`."""

from unname.apps.cli import main

if __name__ == "__main__":
    main()
