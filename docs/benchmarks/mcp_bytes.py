"""Count the bytes of a scripted conversation over the Model Context Protocol.

    python docs/benchmarks/mcp_bytes.py
    python docs/benchmarks/mcp_bytes.py --command "/opt/old/.venv/bin/esoplay mcp"

The conversation reads the problems and a card, runs and grades a program, and debugs one in each of
two languages.  Only the bytes of the server's answers count, which a model or its client reads.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

HELLO = '>25*"!dlroW ,olleH">:#,_@'
ECHO = ",[.,]"
STEPS = 10

Call = tuple[str, dict[str, Any]]


def script() -> Iterator[Call]:
    """Yield the calls of the conversation, as names of tools with their arguments."""
    yield "list_problems", {}
    yield "get_problem", {"problem": "E01"}
    yield "card", {"language": "befunge-98"}
    yield "run", {"language": "befunge-98", "program": HELLO}
    yield "grade", {"problem": "E01", "language": "befunge-98", "program": HELLO}
    for debugger, (language, program) in enumerate(
        [("befunge-98", HELLO), ("brainfuck", ECHO)], start=1
    ):
        debug = {"debug": f"d{debugger}"}
        yield "debug_open", {"language": language, "program": program, "stdin": "Ada"}
        for _ in range(STEPS):
            yield "debug_step", debug
        yield "debug_continue", debug
        yield "debug_printed", {**debug, "byte": 1}
        yield "debug_seek", {**debug, "step": 12}
        yield "debug_step", {**debug, "reverse": True}
        yield "debug_view", debug
        yield "debug_why", debug
        yield "debug_close", debug


def play(command: list[str]) -> dict[str, list[int]]:
    """Play the conversation; return the sizes of the answers in bytes by tool or method."""
    sizes: dict[str, list[int]] = {}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None

        def send(message: dict[str, Any]) -> None:
            assert server.stdin is not None
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            server.stdin.flush()

        def ask(name: str, method: str, params: dict[str, Any]) -> None:
            assert server.stdout is not None
            number = sum(map(len, sizes.values()))
            send({"id": number, "method": method, "params": params})
            for line in server.stdout:
                answer = json.loads(line)
                if answer.get("id") == number:
                    break
            else:
                raise SystemExit(f"{name}: the server has ended")
            if "error" in answer or answer["result"].get("isError"):
                raise SystemExit(f"{name} failed: {line.decode()[:500]}")
            sizes.setdefault(name, []).append(len(line))

        client = {"name": "mcp_bytes", "version": "1"}
        versions = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        ask("initialize", "initialize", versions)
        send({"method": "notifications/initialized"})
        ask("tools/list", "tools/list", {})
        for tool, arguments in script():
            ask(tool, "tools/call", {"name": tool, "arguments": arguments})
        server.stdin.close()
    return sizes


def main(arguments: list[str]) -> None:
    """Print a table of calls and bytes."""
    parser = argparse.ArgumentParser(description="Count the bytes of a scripted MCP conversation.")
    parser.add_argument(
        "--command",
        default=f"{shlex.quote(sys.executable)} -m esoplay mcp",
        help="the command that starts the server (default: this checkout)",
    )
    sizes = play(shlex.split(parser.parse_args(arguments).command))
    print(f"{'':<16}{'calls':>6}{'bytes':>9}{'largest':>9}")
    for name, each in sizes.items():
        print(f"{name:<16}{len(each):>6}{sum(each):>9}{max(each):>9}")
    print(f"{'total':<16}{sum(map(len, sizes.values())):>6}{sum(map(sum, sizes.values())):>9}")


if __name__ == "__main__":
    main(sys.argv[1:])
