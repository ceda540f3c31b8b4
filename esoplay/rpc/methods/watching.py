"""``debug.watch``: the values of expressions at the present step."""

from __future__ import annotations

from typing import Any

from esoplay.rpc.connection import Call
from esoplay.rpc.methods.shared import DEBUG
from esoplay.rpc.parameters import Parameter, list_of, record, text, whole
from esoplay.rpc.table import Method
from esoplay.service.watches import MOST_WATCHES, watch_as_json, watches_of


def watch(
    call: Call,
    *,
    debug: str,
    add: list[str] | None = None,
    change: dict[str, Any] | None = None,
    delete: list[int] | None = None,
) -> dict[str, Any]:
    """The watch expressions with their values, after deleting, changing and adding some."""
    debugger = call.connection.debuggers.get(debug)
    watches = watches_of(debugger)
    changed = {} if change is None else {change["id"]: change["expression"]}
    watches.edit(delete=delete or (), change=changed, add=add or ())
    return {
        "step": debugger.step,
        "watches": [watch_as_json(each) for each in watches.values(debugger)],
    }


WATCH_METHODS = (
    Method(
        "debug.watch",
        watch,
        (
            DEBUG,
            Parameter("add", list_of(text, MOST_WATCHES)),
            Parameter(
                "change",
                record(
                    Parameter("id", whole(1), required=True),
                    Parameter("expression", text, required=True),
                ),
            ),
            Parameter("delete", list_of(whole(1), MOST_WATCHES)),
        ),
        solver=True,
    ),
)
