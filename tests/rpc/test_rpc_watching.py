"""``debug.watch``: the values of expressions at each step."""

from __future__ import annotations

from debug_shapes import Moved, Opened
from rpc_client import Ask
from rpc_shapes import Shape

WHITESPACE = {"language": "whitespace", "options": {"notation": "assembly"}}


class Watch(Shape):
    id: int
    expression: str
    value: int | str | None = None
    missing: str | None = None
    error: str | None = None


class Watched(Shape):
    step: int
    watches: list[Watch]


def values(told: Watched) -> dict[str, int | str | None]:
    return {each.expression: each.value for each in told.watches}


def test_values_belong_to_the_step(ask: Ask) -> None:
    mine = {"debug": ask(Opened, "debug.open", language="brainfuck", program="++>+++<-").debug}
    told = ask(Watched, "debug.watch", **mine, add=["cell[0] + cell[1]", "step > 3"])
    assert values(told) == {"cell[0] + cell[1]": 0, "step > 3": 0}
    ask(Moved, "debug.seek", **mine, step=6)
    told = ask(Watched, "debug.watch", **mine)
    assert (told.step, values(told)) == (6, {"cell[0] + cell[1]": 5, "step > 3": 1})
    told = ask(Watched, "debug.watch", **mine, change={"id": 2, "expression": "ptr"}, delete=[1])
    assert [(each.id, each.expression, each.value) for each in told.watches] == [(2, "ptr", 1)]


def test_levels_count_from_both_ends_of_a_stack(ask: Ask) -> None:
    program = "push 7\npush 8\npush 9\nend"
    mine = {"debug": ask.client.call("debug.open", program=program, **WHITESPACE)["debug"]}
    ask.client.call("debug.seek", **mine, step=3)
    told = ask(Watched, "debug.watch", **mine, add=["stack[0]", "stack[-1] + 1", "stack[3]"])
    assert values(told) == {"stack[0]": 7, "stack[-1] + 1": 10, "stack[3]": 0}
    assert told.watches[2].missing == "the stack has no level 3"


def test_invalid_requests_are_refused_and_change_nothing(ask: Ask) -> None:
    mine = {"debug": ask(Opened, "debug.open", language="brainfuck", program="+").debug}
    ask(Watched, "debug.watch", **mine, add=["value"])
    for wrong in ("cell[", "nothing", "__import__('os')", "cell[0] = 1"):
        error = ask.client.refuse("debug.watch", **mine, delete=[1], add=["ptr", wrong])
        assert error["data"]["kind"] == "condition_error"
    assert ask.client.refuse("debug.watch", **mine, delete=[7])["data"]["kind"] == "usage"
    assert ask.client.refuse("debug.watch", **mine, add=["  "])["data"]["kind"] == "usage"
    many = [f"value + {number}" for number in range(50)]
    assert ask.client.refuse("debug.watch", **mine, add=many)["data"]["kind"] == "usage"
    assert values(ask(Watched, "debug.watch", **mine)) == {"value": 0}
