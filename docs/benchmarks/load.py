"""Play many sessions at once against one server, and measure it.

    nice python docs/benchmarks/load.py                    1,000 sessions, 16 connections
    nice python docs/benchmarks/load.py --sessions 100 --connections 4

The server listens on a Unix socket in a temporary folder.  All sessions are started first and are
open at the same time.  Each connection then plays its share of them in rounds, as a trainer plays a
batch of episodes: one move of every session after another.  An episode is a session of two
problems; for each the solver fetches the statement, runs a program, submits a wrong one and the
right one.  CPU time is that of the server and its workers, so other load on the machine does not
count; latencies do depend on it.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

PROBLEMS = {"E02": ",[.,]", "E04": None}
WRONG = "+."
TICK = os.sysconf("SC_CLK_TCK")
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")

Call = tuple[str, dict[str, Any]]


def episode(session: str) -> Iterator[Call]:
    """Yield the calls of one session."""
    mine = {"session": session}
    for problem in PROBLEMS:
        yield "session.fetch", mine
        yield "session.run", {**mine, "program": PROGRAMS[problem], "stdin": "2 3\n"}
        yield "session.submit", {**mine, "problem": problem, "program": WRONG}
        yield "session.submit", {**mine, "problem": problem, "program": PROGRAMS[problem]}


def _program(problem: str) -> str:
    folder = next((Path(__file__).resolve().parents[2] / "problems").glob(f"{problem}-*"))
    return (folder / "references" / "brainfuck.bf").read_text("utf-8")


PROGRAMS = {problem: program or _program(problem) for problem, program in PROBLEMS.items()}


class Client:
    """A connection to the server."""

    def __init__(self, path: str):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._lines = self._socket.makefile("rb")
        self._number = 0
        self.seconds: dict[str, list[float]] = defaultdict(list)

    def call(self, method: str, **params: Any) -> Any:
        """Send a request, wait for its answer, and record the duration."""
        self._number += 1
        request = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        started = time.perf_counter()
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        for line in self._lines:
            answer = json.loads(line)
            if answer.get("id") == self._number:
                break
        else:
            raise SystemExit("the server closed the connection")
        self.seconds[method].append(time.perf_counter() - started)
        if "error" in answer:
            raise SystemExit(f"{method}: {answer['error']}")
        return answer["result"]

    def play(self, sessions: list[str]) -> None:
        """Play the sessions in rounds of one move each."""
        episodes = [episode(session) for session in sessions]
        while episodes:
            moves = [(each, next(each, None)) for each in episodes]
            for _, move in moves:
                if move is not None:
                    self.call(move[0], **move[1])
            episodes = [each for each, move in moves if move is not None]

    def close(self) -> None:
        """End the connection."""
        self._lines.close()
        self._socket.close()


class Usage(NamedTuple):
    """What a process and its children have used: CPU in seconds, memory in bytes."""

    cpu: float
    server: int
    workers: int
    processes: int


def usage(pid: int) -> Usage:
    """Return the usage of a server, with the CPU time of processes that have ended."""
    children = [int(child) for child in _children(pid)]
    cpu = _cpu(pid) + sum(map(_cpu, children))
    return Usage(cpu, _memory(pid), sum(map(_memory, children)), len(children))


def _children(pid: int) -> Iterator[str]:
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            yield from (task / "children").read_text().split()
        except OSError:
            continue


def _cpu(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICK


def _memory(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_SIZE
    except OSError:
        return 0


class Result(NamedTuple):
    """The measurements of one load."""

    before: Usage
    opened: Usage
    played: Usage
    start_seconds: float
    seconds: float
    latencies: dict[str, list[float]]


def measure(command: list[str], sessions: int, connections: int, folder: Path) -> Result:
    """Start a server, open the sessions, and play them."""
    path = str(folder / "socket")
    server = [*command, "serve", "--socket", path, "--store", str(folder / "store.sqlite")]
    environment = {**os.environ, "ESOPLAY_HOME": str(folder / "home")}
    with subprocess.Popen(server, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stderr is not None
        process.stderr.readline()  # "listening on …"
        try:
            operator = Client(path)
            problems = list(PROBLEMS)
            warm = operator.call("session.init", language="brainfuck", problems=problems)
            operator.play([warm["session"]])
            before, started = usage(process.pid), time.perf_counter()
            ids = [
                operator.call("session.init", language="brainfuck", problems=problems)["session"]
                for _ in range(sessions)
            ]
            start_seconds = time.perf_counter() - started
            opened = usage(process.pid)
            operator.close()
            clients = [Client(path) for _ in range(connections)]
            threads = [
                threading.Thread(target=client.play, args=(ids[at::connections],))
                for at, client in enumerate(clients)
            ]
            started = time.perf_counter()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            seconds = time.perf_counter() - started
            played = usage(process.pid)
            latencies: dict[str, list[float]] = defaultdict(list)
            for client in clients:
                for method, times in client.seconds.items():
                    latencies[method] += times
                client.close()
        finally:
            process.terminate()
    return Result(before, opened, played, start_seconds, seconds, latencies)


def main(arguments: list[str]) -> None:
    """Print the figures of one load."""
    parser = argparse.ArgumentParser(description="Measure a server with many sessions.")
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--command", nargs="+", default=[sys.executable, "-m", "esoplay"])
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        found = measure(options.command, options.sessions, options.connections, Path(folder))
    calls = sum(map(len, found.latencies.values()))
    cpu = found.played.cpu - found.opened.cpu
    print(f"{options.sessions} sessions over {options.connections} connections, {calls} calls")
    print(f"start of a session: {found.start_seconds / options.sessions * 1000:.2f} ms,", end=" ")
    print(f"CPU {(found.opened.cpu - found.before.cpu) / options.sessions * 1000:.2f} ms")
    print(f"played in {found.seconds:.1f} s, CPU {cpu:.1f} s: {calls / found.seconds:.0f} calls/s,")
    print(f"{calls / cpu:.0f} calls and {options.sessions / cpu:.1f} sessions per second of a core")
    for method, times in sorted(found.latencies.items()):
        parts = statistics.quantiles(times, n=20)
        p50, p95 = statistics.median(times) * 1000, parts[18] * 1000
        print(f"{method:<16} p50 {p50:7.1f} ms  p95 {p95:7.1f} ms")
    growth = found.opened.server - found.before.server
    print(f"memory per open session: {growth / options.sessions / 1024:.1f} KiB;", end=" ")
    growth = found.played.server - found.before.server
    print(f"after play {growth / options.sessions / 1024:.1f} KiB")
    print(f"server {found.played.server >> 20} MiB,", end=" ")
    print(f"{found.played.processes} workers {found.played.workers >> 20} MiB")


if __name__ == "__main__":
    main(sys.argv[1:])
