"""The value that the next step hands over can be opened, as far as somebody asks."""

from __future__ import annotations

import pytest
from engines import engine_names, program

from esolangs.unlambda.program import UnlambdaMachine
from esolangs.view import Value

engines = pytest.mark.parametrize("engine", engine_names("unlambda"))


def before_printing(source: bytes, engine: str) -> UnlambdaMachine:
    """A machine that has put its operand together and is about to hand it to the printer."""
    machine: UnlambdaMachine = program("unlambda", source, engine).start(b"")
    while chr(source[machine.location]) != ".":
        assert machine.step() is not None
    return machine


def spelled(value: Value) -> str:
    return "`" * len(value.parts) + value.head + "".join(map(spelled, value.parts))


@engines
@pytest.mark.parametrize(
    ("operand", "value"),
    [
        (b"i", "i"),
        (b"`k`sv", "`k`sv"),
        (b"``si`k`k.x", "``si`k`k."),
        (b"``s`ks``s``s`ks``s`kki`ki", "``s`ks``s``s`ks``s`kki`ki"),
        (b"`ci", "c"),
        (b"`d`kk", "d"),
    ],
)
def test_an_operand_is_reported_as_the_atoms_it_is_made_of(
    operand: bytes, value: str, engine: str
) -> None:
    machine = before_printing(b"`.!" + operand, engine)
    held = machine.operand()
    assert held is not None
    assert spelled(held) == value


@engines
def test_shared_terms_are_one_value(engine: str) -> None:
    machine = before_printing(b"`.!```ssi`kv", engine)
    held = machine.operand()
    assert held is not None
    one, other = held.parts
    assert spelled(held) == "``s`kv`kv"
    assert one.identity == other.identity != held.identity


@engines
def test_the_final_value_is_reported(engine: str) -> None:
    machine = program("unlambda", b"`.!`kv", engine).start(b"")
    machine.run(10)
    left = machine.operand()
    assert machine.status == "halted"
    assert left is not None
    assert spelled(left) == "`kv"


@engines
def test_the_operand_of_d_has_no_value(engine: str) -> None:
    machine = program("unlambda", b"`d`.xi", engine).start(b"")
    assert machine.operand() is None


def test_other_languages_have_no_operand() -> None:
    assert program("brainfuck", b"+", engine_names("brainfuck")[0]).start(b"").operand() is None
