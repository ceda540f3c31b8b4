"""The fuzzer of ``tests/fuzz.py`` works and reports what it finds."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import fuzz
import pytest
from engines import engine_names


def example(source: bytes = b"+[>,.+]") -> fuzz.Example:
    options: dict[str, str | int] = {}
    return fuzz.Example("brainfuck", source, options, b"abc", True, 0, (3, 5, 100))


def test_correct_engines_give_no_finding() -> None:
    fuzz.examine(example())
    fuzz.examine(example(b"no program: ["))


@pytest.mark.skipif(len(engine_names("brainfuck")) < 2, reason="needs both twins")
@pytest.mark.parametrize("wrong", [b"++[>,.+]", b"+[>,.+", b"+[>,+.]"])
def test_twins_that_differ_are_found(wrong: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    right = fuzz.program

    def one_wrong(language: str, source: bytes, engine: str, **options: str | int) -> Any:
        return right(language, wrong if engine == "plain" else source, engine, **options)

    monkeypatch.setattr(fuzz, "program", one_wrong)
    with pytest.raises(AssertionError, match="twin"):
        fuzz.examine(example())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "more"),
    [
        ("brainfuck", []),
        ("brainfuck", ["--tier"]),
        ("befunge-98", ["--tier"]),
        ("whitespace", ["--tier"]),
        ("shakespeare", ["--tier"]),
    ],
)
def test_a_short_fuzz_run_of_the_engines_has_no_finding(language: str, more: list[str]) -> None:
    if more:
        pytest.importorskip("wasmtime", reason="wasmtime is not installed: esoplay[native]")
    command = [sys.executable, fuzz.__file__, "--minutes", "0.01", "--language", language, *more]
    done = subprocess.run([*command, "--seed", "3"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "seeds 3 to" in done.stdout
    assert "0 with findings" in done.stdout
