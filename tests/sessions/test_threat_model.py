"""``docs/threat-model.md`` names tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
TABLES = re.findall(r"^\| attempt \|.*\n\|[-|]+\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
ROWS = [row for table in TABLES for row in table.splitlines()]


def test_every_row_names_a_test() -> None:
    assert len(TABLES) == 9
    assert len(ROWS) > 100
    assert all(re.search(r"\| `tests/[\w/]+\.py::test_\w+` \|$", row) for row in ROWS)


@pytest.mark.parametrize("named", sorted(set(re.findall(r"`(tests/[\w/.]+::\w+)`", TEXT))))
def test_the_test_exists(named: str) -> None:
    file, _, function = named.partition("::")
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    assert function in {node.name for node in tree.body if isinstance(node, functions)}
