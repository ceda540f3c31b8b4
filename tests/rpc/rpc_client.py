"""A JSON-RPC client for tests."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from docs.schemas.results import RESULTS
from esoplay.rpc.connection import Connection
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
