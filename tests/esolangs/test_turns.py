"""Large programs are read in turns with other threads, whose keys would wait for them else."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from esolangs.brainfuck import LANGUAGE as BRAINFUCK
from esolangs.unlambda import LANGUAGE as UNLAMBDA

ENGINES = ("", "_c")
"""Endings of the cores of both engines."""


def module(name: str) -> ModuleType:
    try:
        return import_module(f"esolangs.{name}")
    except ImportError:
        pytest.skip("the compiled engine is not built")


def counted(monkeypatch: pytest.MonkeyPatch, core: ModuleType) -> list[object]:
    """The turns that were given from now on."""
    turns: list[object] = []
    monkeypatch.setattr(core, "sleep", turns.append)
    return turns


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "source",
    [b"+>-<" * 8000, b"[->+<]" * 6000, b"+[>" * 6000 + b"<]" * 6000, b"[" + b"+>-<" * 8000 + b"]"],
    ids=["straight", "loops", "nested", "one loop"],
)
def test_building_blocks_of_brainfuck_gives_turns_to_other_threads(
    monkeypatch: pytest.MonkeyPatch, engine: str, source: bytes
) -> None:
    core = module(f"brainfuck._blocks{engine}")
    program = BRAINFUCK.parse(source)
    expected = core.Blocks(program.code, program.match, program.depth)
    turns = counted(monkeypatch, core)
    blocks = core.Blocks(program.code, program.match, program.depth)
    assert len(turns) >= len(source) // core.TURN_COMMANDS - 1
    assert blocks.ops == expected.ops
    assert blocks.entry == expected.entry


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("source", [b"`" * 100_000 + b"i" * 100_001, b"# " * 99 + b"\n `ii"])
def test_building_the_tree_of_unlambda_gives_turns_to_other_threads(
    monkeypatch: pytest.MonkeyPatch, engine: str, source: bytes
) -> None:
    core = module(f"unlambda._core_tree{engine}")
    turns = counted(monkeypatch, core)
    tree = core.Tree(source)
    assert len(turns) == len(source) // core.TURN_BYTES
    assert tree.code == UNLAMBDA.parse(source).code


def test_tables_of_cores_are_built_at_the_start_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    program = BRAINFUCK.parse(b"+++[>+<-]")
    made = 0
    new_blocks = program._new_blocks  # pyright: ignore[reportPrivateUsage]

    def blocks(*tables: Any) -> Any:
        nonlocal made
        made += 1
        return new_blocks(*tables)

    monkeypatch.setattr(program, "_new_blocks", blocks)
    assert program.spans()
    assert made == 0
    for _ in range(2):
        machine = program.start()
        machine.run(100)
        assert machine.status == "halted"
    assert made == 1
