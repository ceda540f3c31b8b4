"""A small export, what lies in it, and Harbor's part of judging."""

from __future__ import annotations

import ast
import importlib
import os
import stat
import subprocess
import sys
from pathlib import Path

from shell import PATHS

from esoplay.grading.seeds import parse_seed
from esoplay.task_exports.plan import ExportOptions

SEED = parse_seed("an operator's seed")
SLICE = ExportOptions(languages=("brainfuck", "whitespace"), problems=("E08", "E02"))
ECHO = "Here it is.\n\n~~~~\n,[.,]\n~~~~\n"


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): (stat.S_IMODE(path.stat().st_mode), path.read_bytes())
        for path in files
    }


def missing_imports(folder: Path) -> list[str]:
    """The names that an export's modules import from esoplay and that it does not have."""
    imported = [
        (str(node.module), name.name)
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("esoplay.")
        for name in node.names
    ]
    assert imported
    return [
        f"{module}.{name}"
        for module, name in imported
        if not hasattr(importlib.import_module(module), name)
    ]


def judge_in_harbor(task: Path, program: Path, logs: Path) -> subprocess.CompletedProcess[bytes]:
    """What Harbor does in the verifier's container, with a folder in the place of /logs."""
    tool = logs.parent / "bin" / "esoplay"
    if not tool.exists():
        tool.parent.mkdir(parents=True)
        tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m esoplay "$@"\n')
        tool.chmod(0o755)
    return subprocess.run(
        ["bash", str(task / "tests" / "test.sh"), str(program), str(logs)],
        env={**os.environ, "PYTHONPATH": PATHS, "PATH": f"{tool.parent}:{os.environ['PATH']}"},
        capture_output=True,
        timeout=300,
        check=False,
    )
