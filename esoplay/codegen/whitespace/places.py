"""Which cell of the heap keeps what."""

from __future__ import annotations

from esoplay.codegen.generated import Place
from esoplay.codegen.ir import Program, count_mentions


def addresses(program: Program) -> dict[str, int]:
    """The cell of each variable and the first one of each array.

    Low numbers are short, so what is mentioned most comes first; arrays follow, short ones first.
    """
    uses = count_mentions(program)
    given: dict[str, int] = {}
    for name in sorted(program.variables, key=lambda name: -uses[name]):
        given[name] = len(given)
    free = len(given)
    for name, array in sorted(program.arrays.items(), key=lambda item: item[1].length):
        given[name] = free
        free += array.length
    return given


def places(program: Program, given: dict[str, int]) -> dict[str, Place]:
    """The cells as expressions of the debugger."""
    found = {name: _cell(given[name]) for name in program.variables}
    for name, array in program.arrays.items():
        for index in range(array.length):
            found[f"{name}[{index}]"] = _cell(given[name] + index)
    return found


def _cell(address: int) -> Place:
    return Place("number", (f"cell[{address}]",))
