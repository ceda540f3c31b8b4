"""What a debugger shows of a Whitespace program, and where its moves go."""

from __future__ import annotations

from typing import Any

import pytest

from esolangs.limits import UNLIMITED
from esolangs.machine import Machine
from esolangs.registry import find_language
from esolangs.stops import StopSet
from esolangs.view import CallStack, Stack, Table, Window

WHITESPACE = find_language("whitespace")
FACTORIAL = """\
    push 3
    call fact
    printn
    end
label fact
    dup
    jz base
    dup
    push 1
    sub
    call fact
    mul
    return
label base
    discard
    push 1
    return
"""


def assembled(text: str, stdin: bytes = b"", **options: str | int) -> Any:
    chosen = WHITESPACE.configure("standard", {"notation": "assembly", **options})
    return WHITESPACE.parse(text.encode(), chosen).start(stdin)


def line(machine: Machine) -> int:
    return machine.view().location.line


def test_labels_are_places() -> None:
    program = WHITESPACE.parse(
        b'label STS\njump loop\nlabel loop\nlabel STS\nlabel ""',
        WHITESPACE.configure("standard", {"notation": "assembly"}),
    )
    assert list(program.places()) == ["label STS", "label loop", 'label ""']
    assert program.places()["label loop"] == program.source.index(b"label loop")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("push", [1, 9, 16]),
        ("PUSH", [1, 9, 16]),
        ("push 1", [9, 16]),
        ("call  fact", [2, 11]),
        ("SSSTTL", [1]),
        ("label base", [14]),
        ("swap", []),
    ],
)
def test_instructions_are_found_by_mnemonic_and_spelling(text: str, lines: list[int]) -> None:
    program = assembled(FACTORIAL).program
    found = [program.source.count(b"\n", 0, at) + 1 for at in program.occurrences(text)]
    assert found == lines


def test_stepping_over_passes_calls_of_any_depth() -> None:
    machine = assembled(FACTORIAL)
    machine.run(1)
    over = machine.leap("over")
    assert over is not None
    assert machine.run(UNLIMITED, over.stops) == "stopped"
    assert (line(machine), machine.registers()["calls"], machine.registers()["top"]) == (3, 0, 6)
    assert machine.leap("out") is None
    assert machine.leap("over") is None


def test_stepping_out_leaves_the_innermost_call() -> None:
    machine = assembled(FACTORIAL)
    program = machine.program
    while machine.registers()["calls"] < 3:
        machine.run(1)
    out = machine.leap("out")
    assert out is not None
    assert machine.run(UNLIMITED, out.stops) == "stopped"
    assert (line(machine), machine.registers()["calls"]) == (12, 2)
    back = machine.leap("back_out")
    assert back is not None
    hits = program.start().scan(machine.steps - 1, back.stops)
    begun = program.start()
    begun.run(hits.last)
    assert (line(begun), begun.registers()["calls"]) == (11, 1)
    machine.run(1)
    assert machine.leap("back_over") == back
    begun.run(1)
    assert begun.leap("back_over") is None


def test_the_panels_show_stack_heap_and_open_calls() -> None:
    machine = assembled(FACTORIAL)
    while machine.registers()["calls"] < 2:
        machine.run(1)
    stack, heap, calls, code = machine.view(Window(depth=4)).panels
    assert isinstance(stack, Stack)
    assert (stack.values, stack.depth) == ((2, 3), 2)
    assert isinstance(heap, Table)
    assert (heap.rows, heap.size) == ((), 0)
    assert isinstance(calls, CallStack)
    assert [(frame.label, frame.line) for frame in calls.frames] == [("fact", 11), ("fact", 2)]
    assert isinstance(code, Table)
    assert code.rows[code.current or 0] == (5, "label fact", code.rows[code.current or 0][2])
    assert code.size == 17


def test_the_heap_is_shown_from_the_start_of_the_window() -> None:
    text = "".join(f"push {at}\npush {at * 2}\nstore\n" for at in (0, 5, -7, 10**12, 70))
    machine = assembled(text)
    machine.run(UNLIMITED)
    heap = machine.view(Window(depth=8)).panels[1]
    assert heap.rows[0] == (-7, -14)
    assert (5, 10) in heap.rows
    assert len(heap.rows) == 8
    used = machine.view(Window(depth=8, used_only=True)).panels[1]
    assert used.rows == ((-7, -14), (5, 10), (70, 140), (10**12, 2 * 10**12))
    assert used.size == 4
    few = machine.view(Window(depth=2, used_only=True)).panels[1]
    assert few.rows == ((-7, -14), (5, 10))
    assert machine.view(Window(depth=3, first=69)).panels[1].rows == ((69, 0), (70, 140), (71, 0))
    assert machine.view(Window(depth=9, first=10**9)).panels[1].rows == ((10**12, 2 * 10**12),)


def test_cells_past_the_searched_addresses_are_all_shown() -> None:
    many = 1 << 14
    text = "".join(f"push {at}\npush 1\nstore\n" for at in (3, 1000, 2000, 4000, 9000, many + 1))
    machine = assembled(text)
    machine.run(UNLIMITED)
    heap = machine.view(Window(depth=8, used_only=True)).panels[1]
    assert heap.rows == (
        *((at, 1) for at in (3, 1000, 2000, 4000, 9000)),
        *((many, 0), (many + 1, 1), (many + 2, 0)),
    )
    assert heap.size == 5 + machine.core.cells - many


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("push 65", "push 65"),
        ("push 5\ndup", "duplicate the top: 5"),
        ("push 5\ncopy 0", "copy 5, below 0 numbers"),
        ("push 5\npush 6\ncopy 1", "copy 5, below 1 number"),
        ("push 5\ncopy 1", "copy entry 1 of 1: no such entry, the program will fault"),
        ("push 1\npush 2\nswap", "swap 2 on top with 1 below it"),
        ("push 1\ndiscard", "discard 1"),
        ("push 1\npush 2\nslide 1", "keep 2 on top and discard 1 number below it"),
        ("push 2\nslide 1", "keep 2 on top and discard 0 numbers below it"),
        ("push 1\npush 2\npush 3\nslide 2", "keep 3 on top and discard 2 numbers below it"),
        ("push 7\npush 2\nsub", "7 - 2 = 5"),
        ("push -7\npush 2\ndiv", "-7 ÷ 2 = -4"),
        ("push -7\npush 2\nmod", "-7 mod 2 = 1"),
        ("push 7\npush 0\ndiv", "7 ÷ 0: the program will fault"),
        ("push 1\nadd", "there is only one number on the stack: the program will fault"),
        ("discard", "there is nothing on the stack: the program will fault"),
        ("push 3\npush 9\nstore", "store 9 at address 3 (it holds 0)"),
        ("push 3\nretrieve", "retrieve address 3: it holds 0"),
        ("push 65\nprintc", "print 'A' (65)"),
        ("push 10\nprintc", "print a newline (10)"),
        ("push -1\nprintc", "print character -1"),
        ("push 65\nprintn", "print 65 as a number"),
        ("label a", "label a: nothing happens"),
        ("label a\njump a", "jump to label a, line 1"),
        ("call a\nlabel a", "call label a, line 2"),
        ("jump a", "jump to label a, which does not exist: the program will fault"),
        ("push 0\njz a\nlabel a", "0 is zero: jump to label a, line 3"),
        ("push 1\njz a\nlabel a", "1 is not zero: continue"),
        ("push -1\njn a\nlabel a", "-1 is negative: jump to label a, line 3"),
        ("return", "return, but no call is open: the program will fault"),
        ("end", "end the program"),
        ("push 4\nreadc", "read a character into address 4"),
        ("", "the program has ended"),
    ],
)
def test_the_next_instruction_is_explained(text: str, told: str) -> None:
    machine = assembled(text, b"x")
    explanations = [machine.view().location.explanation]
    while machine.steps < 3 and machine.step() is not None:
        explanations.append(machine.view().location.explanation)
    assert told in explanations


@pytest.mark.parametrize(
    ("eof", "told"),
    [
        (-1, "address 0 becomes -1"),
        ("unchanged", "address 0 stays as it is"),
        ("error", "the program will fault"),
    ],
)
def test_reading_at_the_end_of_input_is_explained(eof: str | int, told: str) -> None:
    machine = assembled("push 0\nreadn", eof=eof)
    machine.run(1)
    assert told in machine.view().location.explanation


def test_a_fault_is_explained_where_it_happened() -> None:
    machine = assembled("push 1\n  push 0\n  div")
    assert machine.run(UNLIMITED) == "faulted"
    assert machine.fault is not None
    assert (machine.fault.line, machine.fault.column) == (3, 3)
    assert machine.fault.message == "div: division by zero"
    assert machine.view().location.instruction == "div"


def test_a_stop_can_require_a_call_depth() -> None:
    machine = assembled(FACTORIAL)
    fact = machine.program.places()["label fact"]
    assert machine.run(UNLIMITED, StopSet(locations=frozenset({(fact, 3)}))) == "stopped"
    assert machine.registers()["calls"] == 3
    assert machine.registers()["second"] == 2
