"""Sources mean the same in CPython and as statements."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from oracles.statements import interpret
from strategies.sources import INPUTS, sources

from esoplay.codegen.cpython import run_source
from esoplay.codegen.errors import SourceFault
from esoplay.codegen.lowering import compile_source


@pytest.mark.slow
@settings(max_examples=40, derandomize=True)
@given(sources(), INPUTS)
def test_statements_do_what_the_source_does_in_cpython(text: str, stdin: bytes) -> None:
    program = compile_source(text)
    try:
        expected = run_source(text, stdin)
    except SourceFault:
        assume(False)
        return
    assert interpret(program, stdin) == expected
