"""Generated Whitespace: the assembler alone, remarks, and variables by their names."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.codegen.errors import LayerError
from esoplay.codegen.generated import VariablePlace
from esoplay.codegen.ir import Binary, Number, VariableRef, upper_bound
from esoplay.codegen.lowering import compile_source
from esoplay.codegen.whitespace import BACK_END, Assembler, assembler
from esoplay.running.run import run_source
from esoplay.timeline.conditions import Condition

PAGE = Path(__file__).resolve().parents[2] / "docs/codegen/whitespace.md"
LIMITS = Limits(steps=100_000, output=10_000, memory=1 << 24)


def output_of(text: str, stdin: bytes = b"") -> bytes:
    outcome = run_source("whitespace", text.encode("latin-1"), stdin=stdin, limits=LIMITS)
    assert outcome.status == "ok", outcome.stderr
    return outcome.stdout


def test_the_example_of_the_page_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(example, names)
    assert output_of(str(names["program"])) == b"321"
    code = names["code"]
    assert isinstance(code, Assembler)
    assert code.listing().splitlines()[:4] == ["push 3", "label again", "# count down", "dup"]


def test_the_example_of_the_assembler_runs() -> None:
    assert doctest.testmod(assembler).failed == 0


def test_frequent_labels_are_shortest_and_places_share_one() -> None:
    code = Assembler()
    code.label("rare")
    for _ in range(3):
        code.push(0)
        code.jz("often")
    code.label("often")
    code.label("also often")
    code.jump("also often")
    assert code.length == 9
    assert code.assemble().text.endswith("\n   \n\n \n \n")


def test_undefined_label_is_reported() -> None:
    code = Assembler()
    code.label("here")
    code.jump("there")
    with pytest.raises(LayerError, match="unknown label 'there'; expected one of: here"):
        code.assemble()


def test_comments_change_no_instruction() -> None:
    program = compile_source(
        "def main():\n    x = read_int()\n    if x < 3:\n        puts('low')\n"
    )
    plain = BACK_END.generate(program).text
    remarked = BACK_END.generate(program, comments=True)
    assert "[if_x_<_3]" in remarked.text
    assert "".join(one for one in remarked.text if one in " \t\n") == plain
    assert all("[" not in remarked.text[one.start] for one in remarked.spans)


def test_variable_places_are_correct() -> None:
    lines = ["x = read_int()", "a = ints(4)", "a[2] = x * x", "print_int(a[2] - x)"]
    source = "def main():\n" + "".join(f"    {line}\n" for line in lines)
    made = BACK_END.generate(compile_source(source))
    program = find_language("whitespace").parse(made.text.encode())
    machine = program.start(b"-12", limits=LIMITS)
    machine.run(LIMITS.steps)

    def value(name: str) -> int:
        place = made.places[name]
        (cell,) = place.cells
        at = Condition(cell).cells
        assert place == VariablePlace("number", (cell,))
        assert at is not None
        return machine.peek(at.pop())

    by_label = {label: name for name, label in compile_source(source).labels.items()}
    assert machine.take_output() == b"156"
    assert value(by_label["x"]) == -12
    assert [value(f"{by_label['a']}[{index}]") for index in range(4)] == [0, 0, 144, 0]


def test_non_ascii_bytes_are_preserved() -> None:
    source = "def main():\n    c = getc()\n    while c != 0:\n        putc(c)\n        c = getc()\n"
    text = BACK_END.generate(compile_source(source)).text
    assert output_of(text, b"a\xff\x80b") == b"a\xff\x80b"


def test_upper_bound_covers_all_results_of_byte_operations() -> None:
    b = VariableRef("b", "byte")

    def binary(operator: str, right: int) -> int:
        return upper_bound(Binary(operator, b, Number(right, "byte"), "byte"))  # type: ignore[arg-type]

    assert [binary(one, 9) for one in ("+", "-", "*", "//", "%")] == [255, 255, 255, 255, 8]


@pytest.mark.parametrize("between", [0, 1])
def test_a_label_cannot_be_defined_twice(between: int) -> None:
    code = Assembler()
    code.label("here")
    for _ in range(between):
        code.dup()
    with pytest.raises(ValueError, match="'here' is already defined"):
        code.label("here")
    code.jump("here")
    assert code.assemble().text
