"""``debug.origin`` of a part of a term."""

from __future__ import annotations

from typing import Any

import pytest
from rpc_client import Ask

PROGRAM = "```s`k.a`ki.b"


def test_the_origin_of_a_part_lists_the_applications_that_made_it(ask: Ask) -> None:
    debug = ask(dict[str, Any], "debug.open", language="unlambda", program=PROGRAM)["debug"]
    moved = ask(dict[str, Any], "debug.seek", debug=debug, step=6)
    term = moved["view"]["panels"][0]
    assert [term["text"][slice(*part)] for part in term["parts"]] == [
        "`.a``ki.b", ".a", "``ki.b", "`ki", "k", "i", ".b",
    ]  # fmt: skip
    assert ask(dict[str, Any], "debug.origin", debug=debug, part=2) == {
        "part": 2,
        "text": "``ki.b",
        "links": [{"step": 5, "instruction": "s", "span": [3, 4], "application": PROGRAM}],
        "end": {"kind": "source", "span": [0, 13], "line": 1, "column": 1},
    }
    narrow = ask(dict[str, Any], "debug.origin", debug=debug, part=0, window={"width": 3})
    assert narrow["text"] != term["text"]


@pytest.mark.parametrize(
    "asked", [{"part": 0, "cell": 0}, {"cell": 0, "window": {}}, {"part": -1}, {}]
)
def test_invalid_questions_are_refused(ask: Ask, asked: dict[str, Any]) -> None:
    debug = ask(dict[str, Any], "debug.open", language="unlambda", program=PROGRAM)["debug"]
    assert ask.client.refuse("debug.origin", debug=debug, **asked)["code"] == -32602


def test_an_unknown_part_is_refused(ask: Ask) -> None:
    debug = ask(dict[str, Any], "debug.open", language="unlambda", program=PROGRAM)["debug"]
    error = ask.client.refuse("debug.origin", debug=debug, part=99)
    assert error["message"].startswith("expected a part number from 0 to 10")
    other = ask(dict[str, Any], "debug.open", language="brainfuck", program="+")["debug"]
    error = ask.client.refuse("debug.origin", debug=other, part=0)
    assert "Brainfuck has no terms" in error["message"]
