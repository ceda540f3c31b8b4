"""A client of the Debug Adapter Protocol that believes nothing it has not checked."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from dap_schema import checker

from esoplay.dap.server import serve

PATIENCE = 300
"""Seconds until a test gives up on an answer."""

EVENTS = {
    "breakpoint": {"reason", "breakpoint"},
    "continued": {"threadId"},
    "exited": {"exitCode"},
    "initialized": set[str](),
    "invalidated": set[str](),
    "output": {"output"},
    "stopped": {"reason"},
    "terminated": set[str](),
}
"""The events that the specification has and this adapter sends, with what their bodies need."""

REASONS = {
    "step",
    "breakpoint",
    "exception",
    "pause",
    "entry",
    "goto",
    "function breakpoint",
    "data breakpoint",
}

_follows_the_schema = checker()


class Refused(Exception):
    """The adapter answered that a request failed."""


class Client:
    """Speaks with an adapter over pipes; every message is checked as the specification has it."""

    def __init__(self) -> None:
        from_client, self._to_adapter = os.pipe()
        self._from_adapter, to_client = os.pipe()

        def read(size: int) -> bytes:
            data = os.read(from_client, size)
            # The adapter's reader can outlive the adapter.  If this end were closed while it is
            # about to read, it would read from the next pipe that gets the same number.
            if not data:
                os.close(from_client)
            return data

        def work() -> None:
            try:
                serve(read, lambda data: _write_all(to_client, data))
            finally:  # after an exception, too, or the client would wait endlessly
                os.close(to_client)

        self._adapter = threading.Thread(target=work)
        self._adapter.start()
        self._stream = os.fdopen(self._from_adapter, "rb")
        self._seq = 0
        self._expected = 1
        self.events: list[dict[str, Any]] = []
        self.printed = ""
        self.seen: list[str] = []
        """The names of all events so far."""

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._to_adapter)
        if kind is None:
            while self._stream.read(1 << 16):
                pass
        self._stream.close()
        self._adapter.join(PATIENCE)
        assert not self._adapter.is_alive()

    def send_raw(self, data: bytes) -> None:
        """Bytes as they are."""
        _write_all(self._to_adapter, data)

    def send(self, command: str, /, **arguments: Any) -> int:
        """Send a request without waiting; return its number."""
        self._seq += 1
        message = {"seq": self._seq, "type": "request", "command": command}
        body = json.dumps({**message, "arguments": arguments}).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return self._seq

    def ask(self, command: str, /, **arguments: Any) -> dict[str, Any]:
        """Return the body of the response; raise Refused.  Events that arrive first are queued."""
        return self.answer_to(self.send(command, **arguments), command)

    def answer_to(self, seq: int, command: str) -> dict[str, Any]:
        while True:
            message = self._next()
            if message["type"] == "event":
                self.events.append(message)
                continue
            assert message["request_seq"] == seq
            assert message["command"] == command
            if not message["success"]:
                assert message["message"]
                raise Refused(message["message"])
            return message.get("body", {})

    def wait_for(
        self, name: str, matches: Callable[[dict[str, Any]], bool] = lambda _body: True
    ) -> dict[str, Any]:
        """The body of the next event of this name; those before it are dropped."""
        while True:
            message = self.events.pop(0) if self.events else self._next()
            assert message["type"] == "event", message
            if message["event"] == name and matches(message.get("body", {})):
                return message.get("body", {})

    # What clients do again and again.

    def launch(self, program: object, **more: Any) -> None:
        """Launch and wait for the first stop: on entry, unless ``more`` says otherwise."""
        self.ask(
            "initialize",
            adapterID="esoplay",
            linesStartAt1=True,
            columnsStartAt1=True,
            supportsInvalidatedEvent=True,
        )
        self.ask("launch", program=str(program), **{"stopOnEntry": True, **more})
        self.ask("configurationDone")
        if more.get("stopOnEntry", True):
            assert self.stopped()["reason"] == "entry"

    def stopped(self) -> dict[str, Any]:
        """The next stop."""
        return self.wait_for("stopped")

    def go(self, command: str, /, **arguments: Any) -> dict[str, Any]:
        """Make a move, and return the stop that ends it."""
        self.ask(command, threadId=1, **arguments)
        return self.stopped()

    def frames(self) -> list[dict[str, Any]]:
        body = self.ask("stackTrace", threadId=1)
        assert body["totalFrames"] == len(body["stackFrames"])
        for frame in body["stackFrames"]:
            assert {"id", "name", "line", "column"} <= frame.keys()
        return body["stackFrames"]

    def scope(self, name: str) -> list[dict[str, Any]]:
        """The variables of a scope."""
        frame = self.frames()[0]["id"]
        scopes = {one["name"]: one for one in self.ask("scopes", frameId=frame)["scopes"]}
        return self.inside(scopes[name])

    def inside(self, variable: dict[str, Any]) -> list[dict[str, Any]]:
        reference = variable["variablesReference"]
        found = self.ask("variables", variablesReference=reference)["variables"]
        for each in found:
            assert {"name", "value", "variablesReference"} <= each.keys()
            assert isinstance(each["value"], str)
            each["of"] = reference
        return found

    def value(self, expression: str) -> str:
        return self.ask("evaluate", expression=expression, context="watch")["result"]

    def _next(self) -> dict[str, Any]:
        length = 0
        while (line := self._stream.readline()) != b"\r\n":
            assert line, "the adapter has hung up"
            name, _, value = line.partition(b":")
            assert name == b"Content-Length"
            length = int(value)
        message = json.loads(self._stream.read(length))
        assert message["seq"] == self._expected
        self._expected += 1
        assert message["type"] in ("response", "event")
        _follows_the_schema(message)
        if message["type"] == "response":
            assert {"request_seq", "success", "command"} <= message.keys()
        else:
            body = message.get("body", {})
            assert EVENTS[message["event"]] <= body.keys()
            self.seen.append(message["event"])
            if body.get("category") == "stdout":
                self.printed += body["output"]
            if message["event"] == "stopped":
                assert body["reason"] in REASONS
        return message


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
