"""Run targets of the Makefile with the environment of this test run."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INSTALLED = (
    "--no-print-directory",
    f"--directory={ROOT}",
    "--assume-old=.venv/installed",
    "--assume-old=.venv/installed-dev",
    f"BIN={Path(sys.executable).parent}",
)
"""Arguments for make: it takes the environment of this run for the installed one."""
