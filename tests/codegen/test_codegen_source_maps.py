"""Source maps: what they say of each byte, what is refused, and generators of one's own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esoplay.codegen.emitter import Emitter
from esoplay.codegen.generated import VariablePlace
from esoplay.codegen.source_map import MapError, MappedSpan, SourceMap, digest, parse_map, read_map

ROOT = Path(__file__).resolve().parents[2]
MAP = SourceMap(
    digest(b"+++.--"),
    "three.py",
    "a\nb\nc\n",
    [MappedSpan(0, 6, 1), MappedSpan(0, 3, 2, "three"), MappedSpan(3, 4, 3, "print")],
    {"x": VariablePlace("number", ("cell[0]",))},
)

GENERATOR = """\
from esoplay.codegen.emitter import Emitter

out = Emitter()


def letter(code):
    with out.map_to_caller():
        out.emit("+" * code)
        out.emit(".", "print")


letter(3)
for _ in range(2):
    out.emit("-")

out.emit("")
out.write("made.bf")
"""


def test_byte_maps_to_the_innermost_line() -> None:
    assert [MAP.line_at(offset) for offset in range(7)] == [2, 2, 2, 3, 1, 1, None]
    assert MAP.spans_of_line(3) == [MappedSpan(3, 4, 3, "print")]
    assert MAP.lines == [1, 2, 3]


def test_control_characters_in_names_are_escaped() -> None:
    steering = "a\x1b[2J\nb"
    raw = MAP.as_json()
    raw["source"]["name"] = steering
    raw["spans"][0][3] = steering
    raw["variables"] = {steering: raw["variables"]["x"]}
    found = parse_map(raw)
    names = [found.name, found.spans[0].label, *found.variables]
    assert names == [r"a\x1b[2J\nb"] * 3


def test_map_survives_a_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "three.bf.map.json"
    path.write_text(json.dumps(MAP.as_json()))
    again = read_map(path)
    assert again.as_json() == MAP.as_json()
    again.check(b"+++.--")
    with pytest.raises(MapError, match="another version of the program"):
        again.check(b"+++.-")


@st.composite
def nested(draw: st.DrawFn, start: int = 0, end: int = 24, depth: int = 3) -> list[MappedSpan]:
    spans: list[MappedSpan] = []
    at = start
    while depth and at < end - 1 and draw(st.booleans()):
        first = draw(st.integers(at, end - 1))
        behind = draw(st.integers(first + 1, end))
        spans.append(MappedSpan(first, behind, draw(st.integers(1, 9))))
        spans += draw(nested(first, behind, depth - 1))
        at = behind
    return spans


@given(nested())
def test_innermost_span_matches_linear_search(spans: list[MappedSpan]) -> None:
    data = {**MAP.as_json(), "spans": [list(span) for span in spans]}
    found = parse_map(data)
    for offset in range(25):
        around = [span for span in spans if span.start <= offset < span.end]
        narrowest = min((span.end - span.start for span in around), default=0)
        seen = found.span_at(offset)
        assert (seen.end - seen.start if seen else 0) == narrowest
        assert seen is None or seen in around


@pytest.mark.parametrize(
    "change",
    [
        {"format": "else"},
        {"version": 99},
        {"program_sha256": 5},
        {"source": None},
        {"source": {"name": "x"}},
        {"spans": 7},
        {"spans": [[0, 0, 1, ""]]},
        {"spans": [[0, 1, 0, ""]]},
        {"spans": [[0, 1, True, ""]]},
        {"spans": [[0, 1]]},
        {"variables": [1]},
        {"variables": {"x": {"kind": "else", "cells": ["cell[0]"]}}},
        {"variables": {"x": {"kind": "number", "cells": [3]}}},
        {"variables": {"x": {"kind": "limbs", "cells": ["cell[0]"], "base": 1}}},
        {"variables": {"x": {"kind": "number", "cells": ["cell[0]", "cell[1]"]}}},
        {"variables": {"x": {"kind": "slots", "cells": ["cell[0]"]}}},
        {"variables": {"x": {"kind": "part", "cells": ["state.KX"]}}},
        {"variables": {"x": {"kind": "part", "cells": ["state." + "K" * 100_000]}}},
    ],
)
def test_invalid_maps_are_refused(change: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "bad.map.json"
    path.write_text(json.dumps({**MAP.as_json(), **change}))
    with pytest.raises(MapError, match=r"bad\.map\.json"):
        read_map(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 2}, "version: expected 1, found 2"),
        ({"source": {"name": "x"}}, "source.text: expected a string, found nothing"),
        ({"spans": [[0, 1, 1, ""], [5, 3, 1, ""]]}, "spans[1]: expected [start, end, line, label]"),
        ({"spans": [5]}, "spans[0]: expected [start, end, line, label]"),
        ({"variables": {"n": "cell[0]"}}, "variables, n: expected an object with kind and cells"),
        ({"variables": {"n": {"kind": "number"}}}, "variables, n: cells: expected a list"),
        ({"variables": {"n": {"kind": "x", "cells": []}}}, "variables, n: kind: expected one of"),
        ({"begins": "x"}, 'begins: expected a number or a pair of numbers, found "x"'),
    ],
)
def test_an_error_of_a_map_names_the_field_and_what_is_expected(
    change: dict[str, Any], words: str
) -> None:
    with pytest.raises(MapError) as error:
        parse_map({**MAP.as_json(), **change}, "mine.map.json")
    assert str(error.value).startswith(f"mine.map.json: {words}")


@pytest.mark.parametrize("text", ["", "[", "[" * 100_000, "[1]", '"x"'])
def test_invalid_json_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.map.json"
    path.write_text(text)
    with pytest.raises(MapError, match=r"bad\.map\.json"):
        read_map(path)
    with pytest.raises(MapError, match="cannot read"):
        read_map(tmp_path / "missing.map.json")


def test_generators_can_use_the_former_name_of_map_to_caller() -> None:
    assert Emitter.on_behalf is Emitter.map_to_caller


def test_emitter_maps_pieces_to_lines(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(GENERATOR)
    subprocess.run(
        [sys.executable, "mine.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'interpreters'}"},
        check=True,
    )
    program = (tmp_path / "made.bf").read_bytes()
    assert program == b"+++.--"
    made = read_map(tmp_path / "made.bf.map.json")
    made.check(program)
    assert made.name == "mine.py"
    assert made.text == GENERATOR
    assert [made.line_at(offset) for offset in range(6)] == [12, 12, 12, 12, 14, 14]
    assert [span.label for span in made.spans] == ["", "print", "", ""]


def test_emitter_names_variables(tmp_path: Path) -> None:
    out = Emitter()
    out.variable("mark", "cell[2]", offset=32)
    out.variable("sum", "cell[5]", "cell[6]", kind="digits")
    out.emit("+>-")
    out.write(tmp_path / "made.bf")
    assert read_map(tmp_path / "made.bf.map.json").variables == {
        "mark": VariablePlace("number", ("cell[2]",), 32),
        "sum": VariablePlace("digits", ("cell[5]", "cell[6]")),
    }


@pytest.mark.parametrize(
    ("name", "cells", "more"),
    [
        ("", ["cell[0]"], {}),
        ("n", [], {}),
        ("n", ["cell[0]", "cell[1]"], {}),
        ("n", ["cell[0]"] * 257, {"kind": "digits"}),
        ("n", ["cell[0]"], {"kind": "roman"}),
        ("n", ["cell[0]"], {"kind": "limbs", "base": 1}),
        ("n", ["stack[1]"], {"kind": "slots"}),
        ("n", ["state", "state.K"], {"kind": "part"}),
    ],
)
def test_emitter_refuses_invalid_places(name: str, cells: list[str], more: dict[str, Any]) -> None:
    out = Emitter()
    with pytest.raises(ValueError, match=r"variable|place"):
        out.variable(name, *cells, **more)
    assert not out.source_map.variables


def test_statements_and_the_begin_location_survive_a_round_trip() -> None:
    spans = [MappedSpan(0, 6, 1, "if", 4, True), MappedSpan(0, 3, 2, "", 7), MappedSpan(3, 4, 3)]
    whole = SourceMap(digest(b"+++.--"), "x.py", "", spans, begins=(-1, 0))
    data = json.loads(json.dumps(whole.as_json()))
    assert [len(span) for span in data["spans"]] == [6, 5, 4]
    again = parse_map(data)
    assert (list(again.spans), again.begins) == (spans, (-1, 0))
    assert parse_map({**data, "begins": 5}).begins == 5
    for wrong in ({"begins": "5"}, {"begins": [None]}, {"spans": [[0, 1, 1, "", 1, 1]]}):
        with pytest.raises(MapError):
            parse_map({**data, **wrong})
    cells = ["cell[0]"] * 257
    with pytest.raises(MapError, match="at most 256 cells"):
        parse_map({**data, "variables": {"x": {"kind": "digits", "cells": cells}}})
