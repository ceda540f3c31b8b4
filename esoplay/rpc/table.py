"""What a method is, and how a request becomes a call of its handler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from esoplay.rpc.connection import Call, Connection
from esoplay.rpc.errors import METHOD_NOT_FOUND, RpcError, rejected
from esoplay.rpc.parameters import Parameter, bind, shown

Handler = Callable[..., Any]


class Method(NamedTuple):
    """One row of the method table.

    handler: takes the call, and the declared parameters by keyword; gives a JSON value.
    solver: whether a solver may call it, too; an operator may call everything.
    immediate: done when it is read, by the reading thread, while others are at work.
    """

    name: str
    handler: Handler
    parameters: tuple[Parameter, ...] = ()
    solver: bool = False
    immediate: bool = False


def allowed(method: Method, connection: Connection) -> bool:
    """Whether the client at the other end may call ``method`` at all."""
    return method.solver or connection.is_operator


def dispatch(methods: Mapping[str, Method], call: Call) -> Any:
    """The result of a call; raises RpcError and what the handler raises."""
    name = call.request.method
    method = methods.get(name)
    if method is None:
        raise RpcError(METHOD_NOT_FOUND, f"there is no method {shown(name)}")
    if not allowed(method, call.connection):
        raise rejected(f"{name} is for the operator; a solver may not call it")
    return method.handler(call, **bind(method.parameters, call.request.params))
