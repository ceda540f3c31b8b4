"""A JSON-RPC client for tests."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from docs.rebuild_states import States, as_version_1
from docs.schemas.results import RESULTS
from docs.schemas.results_2 import RESULTS_2
from esoplay.rpc.connection import Connection
from esoplay.rpc.methods import METHODS
from esoplay.rpc.server import RpcServer
from esoplay.rpc.table import Method

Json = Any


class Client:
    """Speaks JSON-RPC over two byte streams and remembers every byte that came."""

    def __init__(self, read_line: Callable[[], bytes], write: Callable[[bytes], object]):
        self._read_line = read_line
        self._write = write
        self._ids = itertools.count(1)
        self.received = bytearray()
        self.notifications: list[Json] = []

    def send(self, method: str, **params: Any) -> int:
        """Send a request and give its id."""
        id = next(self._ids)
        self.send_line(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
        return id

    def send_line(self, line: str | bytes) -> None:
        self._write((line.encode() if isinstance(line, str) else line) + b"\n")

    def message(self) -> Json:
        """The next line, whatever it is."""
        line = self._read_line()
        assert line.endswith(b"\n"), f"the server ended: {line!r}"
        self.received += line
        return json.loads(line)

    def answer(self, id: int | None = None) -> Json:
        """Return the next answer; notifications before it go to ``notifications``."""
        while "method" in (message := self.message()):
            self.notifications.append(message)
        if id is not None:
            assert message["id"] == id, message
        return message

    def call(self, method: str, **params: Any) -> Json:
        """The result of a request that succeeds."""
        answer = self.answer(self.send(method, **params))
        assert "result" in answer, answer
        if method in RESULTS:  # else a toy
            msgspec.convert(answer["result"], RESULTS[method])
        return answer["result"]

    def refuse(self, method: str, **params: Any) -> Json:
        """The error of a request that fails."""
        answer = self.answer(self.send(method, **params))
        assert "error" in answer, answer
        return answer["error"]


class CompactClient(Client):
    """Speaks version 2 and gives results as version 1 has them, put together from changes."""

    def start(self) -> None:
        """Choose version 2."""
        self._states: dict[str, States] = {}
        self.call("initialize", protocol_version=2)

    def call(self, method: str, **params: Any) -> Json:
        takes = {parameter.name for parameter in METHODS[method].parameters_for(2)}
        details = {"details": True} if "details" in takes else {}
        answer = self.answer(self.send(method, **params, **details))
        assert "result" in answer, answer
        result = answer["result"]
        msgspec.convert(result, RESULTS_2[method])
        name = result.get("debug", params.get("debug"))
        if method == "debug.view":
            return self._whole(name, result, params.get("fields"))
        if "view" in result:
            return {**result, "view": self._whole(name, result["view"], None)}
        if method in ("debug.printed", "debug.read"):
            return {"step": result["step"]}
        return result

    def _whole(self, name: str, view: Json, fields: list[str] | None) -> Json:
        state = self._states.setdefault(name, States()).add(view)
        if fields is None:
            return as_version_1(state)
        return {member: state[member] for member in view if member not in ("state", "since")}


def exchange_lines(
    data: bytes, methods: Mapping[str, Method], connection: Connection | None = None
) -> list[str]:
    """The lines a server says to ``data`` followed by the end of input."""
    output = io.BytesIO()
    RpcServer(methods, connection or Connection(), io.BytesIO(data).read, output.write).serve()
    return output.getvalue().decode("ascii").splitlines()


def exchange(
    data: bytes, methods: Mapping[str, Method], connection: Connection | None = None
) -> list[Json]:
    """The messages a server says to ``data`` followed by the end of input."""
    return [json.loads(line) for line in exchange_lines(data, methods, connection)]


class Ask:
    """Calls methods and gives their results in the shape that is expected."""

    def __init__(self, client: Client):
        self.client = client

    def __call__(self, shape: Any, method: str, **params: Any) -> Any:
        return msgspec.convert(self.client.call(method, **params), shape, strict=True)
