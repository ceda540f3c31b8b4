"""The search of ``tests/long_steps.py`` runs, and finds a long step."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[1] / "long_steps.py"


def test_the_longest_step_of_a_program_is_printed() -> None:
    arguments = ["--language", "brainfuck", "--only", "search", "--least", "0", "--seconds", "0.1"]
    done = subprocess.run(
        [sys.executable, str(TOOL), *arguments], capture_output=True, text=True, check=True
    )
    assert " ms  step " in done.stdout
    assert "brainfuck, plain: search" in done.stdout
