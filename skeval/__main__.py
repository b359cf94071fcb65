"""``python -m skeval`` is the command ``skeval``."""

import sys

from skeval.cli import main

if __name__ == "__main__":
    sys.exit(main())
