"""A variable has no value, or all of one: before it is first set, and where it cannot be set."""

from __future__ import annotations

from itertools import groupby

import pytest

from esoplay.codegen.back_ends import back_end_ids
from esoplay.codegen.generated import VariablePlace
from esoplay.codegen.source_map import SourceMap, digest
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.source_maps import set_variable, variables
from esoplay.errors import UsageError
from esoplay.programs.generation import generate


@pytest.mark.parametrize("language", back_end_ids())
def test_a_variable_is_0_until_it_is_first_set(language: str) -> None:
    text = (
        "def main():\n    c = getc()\n    dots = ord('.')\n    n = int(c)\n    a = ints(2)\n"
        "    a[1] = n * n\n    putc(dots)\n    print_int(a[1] + n)\n"
    )
    made = generate(text, language, name="x.py")
    debugger = Debugger.open(language, made.source, stdin=b"x")
    debugger.use_map(made.source_map)
    seen: list[dict[str, int | None]] = []
    while debugger.step_by(granularity="source").reasons[0].kind == "step":
        seen.append({each.name: each.value for each in variables(debugger)})
    debugger.seek(0)
    seen.insert(0, {each.name: each.value for each in variables(debugger)})
    changes: dict[str, list[int]] = {}
    for name in seen[-1]:  # what is on no stack yet, or in no state, has no value at all
        values = [each[name] for each in seen if each.get(name) is not None]
        changes[name] = [value for value, _ in groupby(values) if value is not None]
    assert changes["c"] == [0, 120]
    assert changes["dots"] == [0, 46]
    assert changes["n"] == [0, 120]
    assert changes["a[0]"] == [0]
    assert changes["a[1]"] == [0, 14400]
    if language == "befunge-98":
        debugger.seek(0)
        set_variable(debugger, "dots", 46)
        assert {each.name: each.value for each in variables(debugger)}["dots"] == 46


def test_failed_assignment_changes_no_cell() -> None:
    source = b"+>+++"
    debugger = Debugger.open("brainfuck", source)
    places = {"n": VariablePlace("digits", ("cell[0]", "cell[1]", "cell[2]"))}
    debugger.use_map(SourceMap(digest(source), "x.py", "", (), places))
    debugger.seek(5)
    before = [each.value for each in variables(debugger)]
    with pytest.raises(UsageError, match="n: cell 2 has not been visited"):
        set_variable(debugger, "n", 472)
    assert [each.value for each in variables(debugger)] == before == [31]
    assert not debugger.recording.edits
