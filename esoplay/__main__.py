"""``python -m esoplay``."""

from __future__ import annotations

import sys

from esoplay.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
