"""A table of toy methods, and what a server with it answers."""

from __future__ import annotations

import json
from typing import Any

from rpc_client import exchange

from esoplay.errors import UnknownProblem, WorkerDied
from esoplay.rpc.connection import Call, Connection
from esoplay.rpc.methods.server import CONTROL_METHODS as CONTROL
from esoplay.rpc.parameters import Parameter, bounded_integer, list_of, record, text
from esoplay.rpc.table import Method


def echo(call: Call, *, text: str = "", times: int = 1) -> str:
    return text * times


def spin(call: Call) -> Any:
    done = 0
    while call.tick(done, None):
        done += 1
    call.raise_if_cancelled()


def explode(call: Call) -> Any:
    raise ZeroDivisionError("a secret detail")


def unknown(call: Call) -> Any:
    raise UnknownProblem("no problem 'Z99'")


def die(call: Call) -> Any:
    raise WorkerDied("gone")


TOYS = {
    method.name: method
    for method in (
        *CONTROL,
        Method(
            "echo", echo, (Parameter("text", text), Parameter("times", bounded_integer(0, 9))), True
        ),
        Method("spin", spin),
        Method("explode", explode),
        Method("unknown", unknown),
        Method("die", die),
        Method(
            "nested",
            lambda call, **given: given,
            (
                Parameter(
                    "items", list_of(record(Parameter("n", bounded_integer())), 2), required=True
                ),
            ),
        ),
    )
}


def request(method: Any, id: Any = 1, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


ALIVE = request("echo", "alive", text="still here")
ALIVE_ANSWER = {"jsonrpc": "2.0", "id": "alive", "result": "still here"}


def answers(data: bytes, connection: Connection | None = None) -> list[Any]:
    """Answers to ``data``; a request sent after it shows that the stream goes on."""
    *found, last = exchange(data + b"\n" + ALIVE, TOYS, connection)
    assert last == ALIVE_ANSWER
    return found


def code(data: bytes) -> int:
    (answer,) = answers(data)
    return answer["error"]["code"]
