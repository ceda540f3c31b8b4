"""``cancel``: about requests, not about programs."""

from __future__ import annotations

from esoplay.rpc.connection import Call
from esoplay.rpc.errors import invalid_params
from esoplay.rpc.parameters import Parameter
from esoplay.rpc.protocol import Id
from esoplay.rpc.table import Method


def cancel(call: Call, *, id: Id) -> dict[str, bool]:
    """Cancel the waiting or working requests with an id."""
    return {"cancelled": call.connection.in_flight.cancel(id)}


def _request_id(value: object, path: str) -> Id:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise invalid_params(f"{path} is the id of a request: a string or a number")
    return value


CONTROL_METHODS = (
    Method(
        "cancel",
        cancel,
        (Parameter("id", _request_id, required=True),),
        solver=True,
        immediate=True,
    ),
)
