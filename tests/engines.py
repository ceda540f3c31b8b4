"""The engines of each language side by side, so that one process can compare them."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

from esolangs.brainfuck import LANGUAGE, _blocks, _core
from esolangs.brainfuck.program import BrainfuckProgram


def brainfuck_engines() -> dict[str, Any]:
    """Name → engine; the compiled one is there when it was built."""
    engines = {"plain": SimpleNamespace(name="plain", Core=_core.Core, Blocks=_blocks.Blocks)}
    try:
        core = import_module("esolangs.brainfuck._core_c")
        blocks = import_module("esolangs.brainfuck._blocks_c")
    except ImportError:
        return engines
    engines["compiled"] = SimpleNamespace(name="compiled", Core=core.Core, Blocks=blocks.Blocks)
    return engines


def brainfuck(source: bytes, engine: str, **options: str | int) -> BrainfuckProgram:
    """A program under the named engine."""
    chosen = LANGUAGE.configure("standard", options)
    return BrainfuckProgram(LANGUAGE, source, chosen, brainfuck_engines()[engine])


ENGINES = sorted(brainfuck_engines())
