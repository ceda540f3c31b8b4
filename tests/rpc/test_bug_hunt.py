"""A wrong byte is hunted backwards to its cause, by a client that knows only the answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bug_hunts import HUNTS, Hunt
from rpc_client import Ask, Json

by_language = pytest.mark.parametrize("hunt", HUNTS, ids=lambda hunt: hunt.language)


def first_difference(expected: str, got: str) -> int:
    """The number of the first byte that differs."""
    pairs = zip(expected.encode(), got.encode(), strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(expected), len(got)))


def panel(view: Json, kind: str) -> Json:
    return next(each for each in view["panels"] if each["panel"] == kind)


def top(stack: Json) -> dict[str, Json]:
    return {"slot": {"stack": stack["key"], "level": stack["depth"] - 1}}


def redex(term: Json) -> dict[str, Json]:
    """The application that the next step reduces."""
    return {"part": term["parts"].index(term["redex"])}


def addressee(stage: Json) -> dict[str, Json]:
    roles = [actor["role"] for actor in stage["actors"]]
    return {"cell": roles.index("addressee")}


PRINTED: dict[str, Callable[[Json], dict[str, Json]]] = {
    "brainfuck": lambda view: {"cell": panel(view, "tape")["pointer"]},
    "befunge-98": lambda view: top(panel(view, "stack_of_stacks")["stacks"][0]),
    "whitespace": lambda view: top(panel(view, "stack")),
    "unlambda": lambda view: redex(panel(view, "term")),
    "shakespeare": lambda view: addressee(panel(view, "stage")),
}
"""Where the value stands that the next step prints."""


@by_language
def test_a_wrong_byte_leads_to_the_instruction_to_mend(hunt: Hunt, ask: Ask) -> None:
    call = ask.client.call
    text = {"language": hunt.language, "program": hunt.program}
    report = call("grade", problem=hunt.problem, **text)
    assert not report["solved"]
    test = next(each for each in report["tests"] if each["verdict"] == "wrong_answer")
    ran = call("run", stdin=test["input"], **text)
    assert ran["stdout"] == test["got"]
    byte = first_difference(test["expected"], ran["stdout"])

    debug = call("debug.open", stdin=test["input"], closed=True, **text)["debug"]
    assert call("debug.continue", debug=debug)["stopped"][0]["kind"] == "end"
    printed = call("debug.printed", debug=debug, byte=byte)["step"]
    before = call("debug.seek", debug=debug, step=printed - 1)["view"]
    assert before["output_length"] <= byte  # a step may print a number of several digits

    place = PRINTED[hunt.language](before)
    links = call("debug.origin", debug=debug, **place)["links"]
    if "part" not in place:
        newest = call("debug.writes", debug=debug, limit=1, **place)["writes"][0]
        assert newest["step"] == links[0]["step"]
    made = links[-1]
    assert made["instruction"].startswith(hunt.cause)
    start, end = made["span"]
    assert start < hunt.offset + len(hunt.wrong)
    assert hunt.offset < end

    cause = call("debug.seek", debug=debug, step=made["step"])
    there = call("debug.step", debug=debug, reverse=True)
    assert there["step"] == cause["step"] - 1
    location = there["view"]["location"]
    assert location["instruction"].startswith(hunt.cause)

    mended = {"language": hunt.language, "program": hunt.mended}
    again = call("debug.open", stdin=test["input"], closed=True, **mended)["debug"]
    begun = call("debug.seek", debug=again, step=there["step"])["view"]
    assert begun["location"]["offset"] == location["offset"]
    assert begun["output_length"] == there["view"]["output_length"]
    call("debug.continue", debug=again)
    seen = call("debug.view", debug=again, fields=["output"])["output"]
    assert seen == test["expected"]
    assert call("grade", problem=hunt.problem, **mended)["solved"]
