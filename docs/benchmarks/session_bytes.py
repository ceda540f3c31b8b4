"""Count the bytes that a solver reads in a scripted session, by pipe in both versions and by MCP.

    python docs/benchmarks/session_bytes.py
    python docs/benchmarks/session_bytes.py --before "/opt/old/.venv/bin/esoplay"

The solver plays three problems in each of two languages: it fetches a problem, runs a wrong
program, debugs it, submits it, runs and submits the reference, and asks for the status.  All lines
that the server sends count.  With ``--before``, the MCP server of that command plays it, too.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HERE = f"{shlex.quote(sys.executable)} -m esoplay"
WRONG = {"befunge-98": '"olleH">:#,_@', "brainfuck": "++++++++[>++++<-]>.+."}
REFERENCES = {"befunge-98": "befunge-98.b98", "brainfuck": "brainfuck.bf"}
PROBLEMS = ("E01", "E02", "E03")
STEPS = 10

Call = tuple[str, dict[str, Any]]


def script(language: str) -> Iterator[Call]:
    """Yield the calls of a session, as methods of JSON-RPC with their parameters."""
    wrong = {"program": WRONG[language]}
    for number, problem in enumerate(PROBLEMS, 1):
        folder = next((ROOT / "problems").glob(f"{problem}-*"))
        right = {"program": (folder / "references" / REFERENCES[language]).read_text("utf-8")}
        yield "session.fetch", {}
        yield "session.run", {**wrong, "stdin": "Ada\n"}
        debug = {"debug": f"d{number}"}
        yield "debug.open", {"language": language, **wrong, "stdin": "Ada\n"}
        for _ in range(STEPS):
            yield "debug.step", debug
        yield "debug.continue", {**debug, "until": [{"effect": "output"}]}
        for _ in range(3):
            yield "debug.step", {**debug, "reverse": True}
        yield "debug.seek", {**debug, "step": 25}
        yield "debug.printed", {**debug, "byte": 1}
        yield "debug.diagnose", debug
        yield "debug.close", debug
        yield "session.submit", {"problem": problem, **wrong}
        yield "session.run", {**right, "stdin": "Ada\n"}
        yield "session.submit", {"problem": problem, **right}
        yield "session.status", {}


class Server:
    """A server process.  sizes: the bytes that it sent, by method or tool."""

    def __init__(self, command: list[str]):
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._number = 0
        self.sizes: dict[str, int] = {}

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

    def request(self, name: str, method: str, params: dict[str, Any]) -> None:
        """Send a request, wait for its answer, and add the received bytes to ``sizes[name]``."""
        assert self._process.stdout is not None
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        for line in self._process.stdout:
            self.sizes[name] = self.sizes.get(name, 0) + len(line)
            answer = json.loads(line)
            if answer.get("id") == self._number:
                break
        else:
            raise SystemExit(f"{name}: the server has ended")
        if "error" in answer or answer["result"].get("isError"):
            raise SystemExit(f"{name} failed: {line.decode()[:500]}")

    def close(self) -> None:
        """End the server."""
        self._process.communicate()


def play_by_pipe(command: list[str], language: str, version: int) -> dict[str, int]:
    """Play the session by JSON-RPC; return the bytes by method."""
    server = Server(command)
    server.request("initialize", "initialize", {"protocol_version": version})
    for method, params in script(language):
        server.request(method, method, params)
    server.close()
    return server.sizes


def play_by_mcp(command: list[str], language: str) -> dict[str, int]:
    """Play the session by MCP; return the bytes by method."""
    server = Server(command)
    client = {"name": "session_bytes", "version": "1"}
    versions = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    server.request("initialize", "initialize", versions)
    server.send({"method": "notifications/initialized"})
    server.request("tools/list", "tools/list", {})
    for method, params in script(language):
        tool = method.removeprefix("session.").replace(".", "_").replace("diagnose", "why")
        server.request(method, "tools/call", {"name": tool, "arguments": params})
    server.close()
    return server.sizes


def new_session(esoplay: list[str], language: str, folder: Path) -> list[str]:
    """Start a session in a new store; return the options that name it."""
    store = str(folder / "store.sqlite")
    where = ["--store", store, "--workspace", str(folder / "workspace")]
    words = ["session", "init", "--language", language, "--protocol", "practice", "--json"]
    started = subprocess.run([*esoplay, *words, *where], capture_output=True, check=True)
    return ["--session", json.loads(started.stdout)["session"], "--store", store]


def measure(esoplay: list[str], way: str) -> dict[str, int]:
    """Play both sessions; return the bytes by method.  way: ``mcp`` or ``pipe, version N``."""
    total: dict[str, int] = {}
    for language in WRONG:
        with tempfile.TemporaryDirectory() as folder:
            named = new_session(esoplay, language, Path(folder))
            if way == "mcp":
                sizes = play_by_mcp([*esoplay, "mcp", *named], language)
            else:
                version = int(way.removeprefix("pipe, version "))
                sizes = play_by_pipe([*esoplay, "serve", "--solver", *named], language, version)
        for name, size in sizes.items():
            total[name] = total.get(name, 0) + size
    return total


def main(arguments: list[str]) -> None:
    """Print a table of bytes by method, and the shares."""
    parser = argparse.ArgumentParser(description="Count the bytes of a scripted session.")
    parser.add_argument("--before", help="command of another esoplay, for its bytes by MCP")
    before = parser.parse_args(arguments).before
    here = shlex.split(HERE)
    found = {way: measure(here, way) for way in ("pipe, version 1", "pipe, version 2", "mcp")}
    if before is not None:
        found["mcp before"] = measure(shlex.split(before), "mcp")
    print(f"{'':<18}" + "".join(f"{way:>17}" for way in found))
    for name in dict.fromkeys(name for sizes in found.values() for name in sizes):
        print(f"{name:<18}" + "".join(f"{sizes.get(name, 0):>17}" for sizes in found.values()))
    totals = {way: sum(sizes.values()) for way, sizes in found.items()}
    print(f"{'total':<18}" + "".join(f"{total:>17}" for total in totals.values()))
    print(f"version 2 / version 1: {totals['pipe, version 2'] / totals['pipe, version 1']:.1%}")
    if before is not None:
        print(f"mcp / mcp before: {totals['mcp'] / totals['mcp before']:.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
