"""Sources that were miscompiled once, a file each: every language does what CPython does.

A case begins with comments that say what to expect: ``# input: 'text'`` and ``# prints: 'text'``.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from esolangs.limits import Limits
from esoplay.codegen.back_ends import back_end_ids, make
from esoplay.codegen.cpython import run_source
from esoplay.codegen.lowering import compile_source
from esoplay.running.run import run_source as run_program

FOLDER = Path(__file__).with_name("cases")
CASES = sorted(path.stem for path in FOLDER.glob("*.txt"))
LIMITS = Limits(steps=5_000_000, output=10_000, memory=1 << 28)


def case(name: str) -> tuple[str, dict[str, list[str]]]:
    """The text of a case, and its comments by their keys."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.startswith("# "):
            break
        key, _, value = line.removeprefix("# ").partition(": ")
        found.setdefault(key, []).append(value)
    return text, found


def spelled(expected: dict[str, list[str]], key: str) -> bytes:
    """The bytes that a comment spells as a literal of Python, a line each."""
    return "".join(map(ast.literal_eval, expected.get(key, []))).encode()


@pytest.mark.parametrize("name", CASES)
def test_cpython_prints_what_the_case_says(name: str) -> None:
    text, expected = case(name)
    assert run_source(text, spelled(expected, "input")) == spelled(expected, "prints")


@pytest.mark.parametrize("language", back_end_ids())
@pytest.mark.parametrize("name", CASES)
def test_every_language_agrees(name: str, language: str) -> None:
    text, expected = case(name)
    program = make(compile_source(text), language).text.encode("latin-1")
    for dialect in ("standard", "benchmark"):
        outcome = run_program(
            language, program, dialect=dialect, stdin=spelled(expected, "input"), limits=LIMITS
        )
        assert (outcome.status, outcome.stdout) == ("ok", spelled(expected, "prints")), dialect
