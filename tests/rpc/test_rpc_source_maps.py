"""Source maps by JSON-RPC: lines, variables by name, breakpoints and heat by line."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from debug_shapes import Breakpoints, Changed, Moved, Opened
from rpc_client import Ask
from rpc_shapes import Shape

from esoplay.programs.generation import generate

SOURCE = """\
def main():
    total = 0
    weight = 1
    c = getc()
    while c != 0:
        if c > ord("0"):
            total += weight * (int(c) - 48)
        weight += 12345
        c = getc()
    print_int(total)
    if total // 7 > 10:
        puts("large")
    print_int(total * weight % 1000 + weight // 3)
"""
LINES = [3, 4, *[5, 6, 7, 8, 9] * 2, 5, 10, 11, 12, 13]
"""The lines after the first, with two digits in the input."""


class Variable(Shape):
    name: str
    value: int | None
    text: str
    cells: list[str]


class Variables(Shape):
    step: int
    name: str
    line: int | None
    variables: list[Variable]
    more: int
    reason: str | None = None


class Row(Shape):
    line: int
    count: int
    executed: int
    instructions: int
    last: int
    level: int


class SourceHeat(Shape):
    step: int
    most: int
    lines: list[Row]


class SourceCoverage(Shape):
    step: int
    lines: int
    executed: int
    percent: int
    never: list[int]
    more: int


MORE = "".join(f"    print_int(total * {n} // 7 % 1000 + weight % {n})\n" for n in range(3, 10))
"""Lines that make the program as long as programs of agents are."""


def opened(ask: Ask, language: str, stdin: str = "11", more: str = "") -> dict[str, str]:
    made = generate(SOURCE + more, language, name="weigh.py")
    answer = ask(
        Opened,
        "debug.open",
        language=language,
        program=made.source.decode(),
        stdin=stdin,
        source_map=made.source_map.as_json(),
    )
    assert answer.view.source is not None
    assert answer.view.source.name == "weigh.py"
    return {"debug": answer.debug}


def line_of(moved: Moved) -> int | None:
    assert moved.view.source is not None
    return moved.view.source.line


def test_an_agent_s_program_is_debugged_by_the_lines_of_its_generator(ask: Ask) -> None:
    mine = opened(ask, "brainfuck", more=MORE)
    assert len(generate(SOURCE + MORE, "brainfuck").source) > 25_000
    ask(Breakpoints, "debug.breakpoints", **mine, set=[{"source_line": 7}])
    first = ask(Moved, "debug.continue", **mine)
    assert (line_of(first), first.stopped[0].kind) == (7, "breakpoint")
    told = ask(Variables, "debug.variables", **mine)
    assert (told.line, told.more, told.reason) == (7, 0, None)
    values = {each.name: (each.value, each.text) for each in told.variables}
    assert (values["c"], values["total"]) == ((49, "49 '1'"), (0, "0"))
    assert all(each.cells for each in told.variables)
    second = ask(Moved, "debug.continue", **mine)
    weight = ask(Variables, "debug.variables", **mine, names="weight", limit=1).variables
    assert [(each.name, each.value) for each in weight] == [("weight", 12346)]
    back = [ask(Moved, "debug.step", **mine, granularity="source", reverse=True) for _ in range(5)]
    assert [line_of(each) for each in back] == [6, 5, 9, 8, 7]
    assert back[-1].step == first.step
    ask(Changed, "debug.set", **mine, variable="total", value=-5)
    assert ask(Moved, "debug.continue", **mine).step > second.step - 5_000
    values = {each.name: each.value for each in ask(Variables, "debug.variables", **mine).variables}
    assert values["total"] == -4


@pytest.mark.parametrize("language", ["whitespace", "unlambda", "shakespeare"])
def test_every_language_steps_through_the_same_lines(ask: Ask, language: str) -> None:
    made = generate(SOURCE, language, name="weigh.py")
    answer = ask.client.call(
        "debug.open",
        language=language,
        program_base64=base64.b64encode(made.source).decode(),
        stdin="11",
        source_map=made.source_map.as_json(),
    )
    mine = {"debug": answer["debug"]}
    lines: list[int] = [answer["view"]["source"]["line"]] if language == "whitespace" else []
    while len(lines) <= len(LINES):
        moved = ask.client.call("debug.step", **mine, granularity="source")
        assert moved["stopped"][0]["kind"] == "step"
        lines.append(moved["view"]["source"]["line"])
    assert lines == [2, *LINES]
    told = ask(Variables, "debug.variables", **mine)
    assert (told.name, told.line) == ("weigh.py", 13)
    assert told.reason is None
    assert {"total", "weight", "c"} <= {each.name for each in told.variables}


def test_heat_and_coverage_are_reported_by_line(ask: Ask) -> None:
    mine = opened(ask, "brainfuck", stdin="0")
    ask(Moved, "debug.seek", **mine, step=10**8)
    told = ask(SourceCoverage, "debug.coverage", **mine, by="source")
    assert (told.lines, told.executed, told.never, told.more) == (12, 10, [7, 12], 0)
    heat = ask(SourceHeat, "debug.heat", **mine, by="source", limit=100)
    assert [row.line for row in heat.lines if not row.level] == [7, 12]
    assert heat.lines[0].count == heat.most
    assert heat.lines[0].level == 9


def test_an_invalid_map_or_one_of_another_program_is_refused(ask: Ask, tmp_path: Path) -> None:
    made = generate(SOURCE, "brainfuck", name="weigh.py")
    wanted: dict[str, Any] = {"language": "brainfuck", "program": made.source.decode() + "+"}
    whole = made.source_map.as_json()
    for wrong in (whole, {}, {**whole, "spans": [[0]]}, {**whole, "version": 2}):
        error = ask.client.refuse("debug.open", **wanted, source_map=wrong)
        assert error["data"]["kind"] == "source_map_error"
    path = tmp_path / "weigh.map.json"
    path.write_text(json.dumps(whole))
    error = ask.client.refuse("debug.open", **wanted, source_map_path=str(path))
    assert "another version of the program" in error["message"]
    both = {"source_map": whole, "source_map_path": str(path)}
    assert ask.client.refuse("debug.open", **wanted, **both)["code"] == -32602
    wanted["program"] = made.source.decode()
    ask(Opened, "debug.open", **wanted, source_map_path=str(path))


def test_without_a_map_there_are_no_lines(ask: Ask) -> None:
    answer = ask(Opened, "debug.open", language="brainfuck", program="+")
    mine = {"debug": answer.debug}
    assert answer.view.source is None
    for method, parameters in (
        ("debug.step", {"granularity": "source"}),
        ("debug.breakpoints", {"set": [{"source_line": 1}]}),
        ("debug.variables", {}),
        ("debug.heat", {"by": "source"}),
        ("debug.set", {"variable": "x", "value": 1}),
    ):
        error = ask.client.refuse(method, **mine, **parameters)
        assert "no source map is open" in error["message"]
    mine = opened(ask, "brainfuck")
    error = ask.client.refuse("debug.breakpoints", **mine, set=[{"source_line": 1}])
    assert error["message"].endswith("generated no instruction; lines with instructions: 2-13")
    error = ask.client.refuse("debug.set", **mine, variable="totals", value=1)
    assert "no variable 'totals'; variables: total, " in error["message"]
