"""Stepping a generated program by the lines of its generator, in an editor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from dap_client import Client, Refused

from esoplay.programs.generation import generate

SOURCE = """\
def main():
    total = 0
    c = getc()
    while c != 0:
        total += 1
        c = getc()
    print_int(total)
"""


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as one:
        yield one


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A Brainfuck program that counts characters, its map and its source beside it."""
    made = generate(SOURCE, "brainfuck", name="length.py")
    path = tmp_path / "length.bf"
    path.write_bytes(made.source)
    path.with_name("length.bf.map.json").write_text(json.dumps(made.source_map.as_json()))
    path.with_name("length.py").write_text(SOURCE)
    return path


def test_a_breakpoint_on_a_line_of_the_generator_stops(client: Client, program: Path) -> None:
    client.launch(program, stdin="four")
    generator = {"path": str(program.with_name("length.py"))}
    made = client.ask("setBreakpoints", source=generator, breakpoints=[{"line": 5}])
    assert made["breakpoints"][0]["verified"]
    for count in range(4):
        assert client.go("continue")["reason"] == "breakpoint"
        frame, instruction = client.frames()[:2]
        assert (frame["source"]["path"], frame["line"]) == (generator["path"], 5)
        assert instruction["source"]["path"] == str(program)
        assert client.value("total") == str(count)
    names = [variable["name"] for variable in client.scope("variables")]
    assert {"total", "c"} <= set(names)
    client.go("next")
    assert client.frames()[0]["line"] == 6
    client.go("stepBack")
    assert client.frames()[0]["line"] == 5
    client.go("stepBack", granularity="instruction")
    assert client.go("continue")["reason"] == "breakpoint"
    client.ask("setBreakpoints", source=generator, breakpoints=[])
    client.go("continue")
    assert client.printed == "4"
    client.ask("setBreakpoints", source=generator, breakpoints=[{"line": 5}])
    client.go("reverseContinue")
    assert client.value("total") == "3"


def test_a_variable_of_the_generator_can_be_changed(client: Client, program: Path) -> None:
    client.launch(program, stdin="four")
    generator = {"path": str(program.with_name("length.py"))}
    client.ask("setBreakpoints", source=generator, breakpoints=[{"line": 7}])
    client.go("continue")
    total = next(one for one in client.scope("variables") if one["name"] == "total")
    assert total["value"] == "4"
    client.ask("setVariable", variablesReference=total["of"], name="total", value="1234")
    client.go("continue")
    assert client.printed == "1234"


def test_a_generator_that_is_not_a_file_is_reported_by_the_map(
    client: Client, program: Path
) -> None:
    program.with_name("length.py").unlink()
    client.launch(program)
    source = client.ask("loadedSources")["sources"][1]
    text = client.ask("source", sourceReference=source["sourceReference"])["content"]
    assert text == SOURCE
    made = client.ask("setBreakpoints", source=source, breakpoints=[{"line": 1}])["breakpoints"][0]
    assert made["verified"]
    assert made["line"] > 1  # the line of def has made nothing


def test_a_generator_that_cannot_be_read_is_reported_by_the_map(
    client: Client, program: Path
) -> None:
    beside = program.with_name("length.py")
    beside.unlink()
    beside.symlink_to("/proc/self/mem")  # a file that not even root reads from its beginning
    client.launch(program)
    assert "path" not in client.ask("loadedSources")["sources"][1]


def test_a_map_of_another_program_is_refused_if_named_and_otherwise_ignored(
    client: Client, program: Path
) -> None:
    program.write_bytes(program.read_bytes() + b"+")
    client.ask("initialize")
    with pytest.raises(Refused, match="map"):
        client.ask("launch", program=str(program), sourceMap="length.bf.map.json")
    client.ask("launch", program=str(program), stopOnEntry=True)
    client.ask("configurationDone")
    assert len(client.ask("loadedSources")["sources"]) == 1


def test_a_map_whose_source_has_no_name_is_used(client: Client, program: Path) -> None:
    path = program.with_name("length.bf.map.json")
    table = json.loads(path.read_bytes())
    table["source"]["name"] = ""
    path.write_text(json.dumps(table))
    client.launch(program, stdin="four", stopOnEntry=True)
    client.go("next")
    assert client.frames()[0]["line"] > 0
