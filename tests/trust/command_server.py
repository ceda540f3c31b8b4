"""Runs many commands of esoplay quickly: each in a fork of a process that has imported it.

It reads a request in JSON a line and answers with a line.  A request has ``argv``, ``environment``,
``folder``, ``typed`` (for stdin, in latin-1), ``terminal`` (whether stdout and stderr are a
pseudo-terminal), ``keyboard`` (whether stdin is it, too), ``until`` (end the command once it has
printed this) and ``client`` (run the thin client instead).  The answer has ``stdout``, ``stderr``
and ``shown`` (what the terminal got), in latin-1, and ``ended``.
"""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import sys
import time
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import esoplay

PATIENCE = 240.0


LOADED = (
    *("agents", "batch", "benchmark", "cli", "debugging", "evaluation", "learning", "packs"),
    *("programs", "progress", "reporting", "rpc", "sessions", "task_exports"),
)


def main() -> None:
    for package in LOADED:
        for folder in esoplay.__path__:
            for each in walk_packages([f"{folder}/{package}"], f"esoplay.{package}."):
                if "__main__" not in each.name and "cluster" not in each.name:
                    with suppress(ImportError):  # an extra that is not installed
                        import_module(each.name)
    for name in ("anyio", "mcp.server.lowlevel", "mcp.server.stdio"):
        with suppress(ImportError):
            import_module(name)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    keyboard, typed_into = os.pipe()
    if request["terminal"]:
        terminal, inner = pty.openpty()
        outputs, theirs = {"shown": terminal}, (inner, inner)
    else:
        out, err = os.pipe(), os.pipe()
        outputs, theirs = {"stdout": out[0], "stderr": err[0]}, (out[1], err[1])
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.dup2(theirs[0] if request["keyboard"] else keyboard, 0)
        os.dup2(theirs[0], 1)
        os.dup2(theirs[1], 2)
        os.closerange(3, 256)
        perform(request)
    for descriptor in {*theirs, keyboard}:
        os.close(descriptor)
    typed: bytes = request["typed"].encode("latin-1")
    if request["keyboard"]:
        os.write(outputs["shown"], typed)
    else:
        os.write(typed_into, typed)
    os.close(typed_into)
    found = collect(pid, outputs, request["until"].encode("latin-1"))
    return {name: data.decode("latin-1") for name, data in found.items()}


def perform(request: dict[str, Any]) -> None:
    code = 99
    try:
        os.chdir(os.fsencode(request["folder"]))
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", closefd=False, encoding="utf-8")  # noqa: SIM115
        sys.stderr = open(  # noqa: SIM115
            2, "w", closefd=False, encoding="utf-8", errors="backslashreplace"
        )
        sys.argv = ["esoplay", *request["argv"]]
        if request["client"]:
            from esoplay.thin_client import main as client

            code = client()
        else:
            from esoplay.cli.main import main

            code = main(request["argv"])
        sys.stdout.flush()
        sys.stderr.flush()
    except SystemExit as leaving:
        sys.stdout.flush()
        code = int(leaving.code or 0)
    finally:
        os._exit(code)


def collect(pid: int, outputs: dict[str, int], until: bytes) -> dict[str, bytes]:
    found = dict.fromkeys(outputs, b"")
    opened = dict(outputs)
    deadline = time.monotonic() + PATIENCE
    ended = b"exit"
    while opened:
        ready, _, _ = select.select(list(opened.values()), [], [], 1)
        for name in [name for name, descriptor in opened.items() if descriptor in ready]:
            try:
                data = os.read(opened[name], 1 << 16)
            except OSError:  # the end of a terminal
                data = b""
            found[name] += data
            if not data:
                os.close(opened.pop(name))
        seen = until and any(until in data for data in found.values())
        if seen or time.monotonic() > deadline:
            ended = b"until" if seen else b"deadline"
            os.killpg(pid, signal.SIGKILL)
            until = b""
    os.waitpid(pid, 0)
    return {**found, "ended": ended}


if __name__ == "__main__":
    main()
