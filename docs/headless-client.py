#!/usr/bin/env python3
"""Play a benchmark session through a pipe, with nothing but the standard library.

    python docs/headless-client.py                           starts `esoplay serve` itself
    python docs/headless-client.py -- esoplay serve --store runs.sqlite
    python docs/headless-client.py --log received.jsonl      saves every received line

The client begins a `primary` session, fetches the first problem, tries its program on an input of
its own, uses up all three submissions, checks that it cannot go back, solves the second problem,
and exports the log.  docs/json-rpc.md explains the messages.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
from contextlib import nullcontext
from typing import Any, BinaryIO

HELLO = (
    "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]"
    ">>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+."
)
ECHO = ",[.,]"


class RpcError(Exception):
    """An error answer; ``kind`` is the stable word, such as ``rejected_command``."""

    def __init__(self, error: dict[str, Any]):
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.kind: str = error.get("data", {}).get("kind", "")


class Server:
    """A child process that speaks JSON-RPC on its stdin and stdout."""

    def __init__(self, command: list[str], log: BinaryIO | None = None):
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._ids = itertools.count(1)
        self._log = log

    def call(self, method: str, **params: Any) -> Any:
        """Send one request and wait for its answer; ignore notifications."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        id = next(self._ids)
        request = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        stdin.write(json.dumps(request).encode() + b"\n")
        stdin.flush()
        for line in stdout:
            if self._log is not None:
                self._log.write(line)
            message = json.loads(line)
            if message.get("id") != id:
                continue
            if "error" in message:
                raise RpcError(message["error"])
            return message["result"]
        raise EOFError("the server has ended")

    def close(self) -> int:
        """End the server by ending its input; everything is stored before it ends."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._process.wait()


def play(server: Server) -> None:
    about = server.call("initialize", client={"name": "headless-client"}, protocol_version="1")
    print(f"{about['name']} {about['version']}, as {about['capabilities']['role']}")

    session = server.call("session.init", language="brainfuck", protocol="primary")["session"]
    print(f"session {session}")

    first = server.call("session.fetch", session=session)
    print(f"{first['problem']} {first['title']}, {first['submissions_left']} submissions left")

    tried = server.call("session.run", session=session, program=ECHO, stdin="my own input")
    print(f"my own run: {tried['status']}, {tried['steps']} steps, printed {tried['stdout']!r}")

    for program in ("[", "+[]", ECHO):  # no program, one without an end, and a wrong one
        verdict = server.call(
            "session.submit", session=session, problem=first["problem"], program=program
        )
        print(
            f"submitted {program!r}: {verdict['passed']} of {verdict['total']} passed, "
            f"{verdict['submissions_left']} submissions left, problem {verdict['status']}"
        )

    refused(server, "session.submit", session=session, problem=first["problem"], program=HELLO)
    refused(server, "session.fetch", session=session, problem=first["problem"])

    second = server.call("session.fetch", session=session)
    print(f"{second['problem']} {second['title']}, {second['submissions_left']} submissions left")
    refused(server, "session.skip", session=session)
    verdict = server.call(
        "session.submit",
        session=session,
        problem=second["problem"],
        program=ECHO,
        request_id="second, once",
    )
    print(f"submitted {ECHO!r}: {verdict['passed']} of {verdict['total']} passed")

    status = server.call("session.status", session=session)
    print(f"solved {status['counts']['solved']}, failed {status['counts']['failed']}")
    export = server.call("session.export", session=session)
    print(f"exported {len(json.dumps(export))} characters of log")


def refused(server: Server, method: str, **params: Any) -> None:
    """Make a call that the rules forbid, and print the reason."""
    try:
        server.call(method, **params)
    except RpcError as error:
        print(f"{method}: {error.kind}: {error}")
    else:
        raise AssertionError(f"{method} should have been refused")


def main() -> int:
    parser = argparse.ArgumentParser(description="Play a benchmark session through a pipe.")
    parser.add_argument("--log", metavar="FILE", help="keep every line that came")
    parser.add_argument("command", nargs="*", help="the server; default: esoplay serve")
    args = parser.parse_args()
    command = args.command or [sys.executable, "-m", "esoplay", "serve"]
    with open(args.log, "wb") if args.log else nullcontext() as log:
        server = Server(command, log)
        try:
            play(server)
        finally:
            code = server.close()
    return code


if __name__ == "__main__":
    sys.exit(main())
