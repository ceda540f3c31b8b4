"""Conversations with ``esoplay serve``: held by ``freeze.py``, and held again by the tests.

A conversation is a file of JSON lines.  The first is ``{"serve": ARGUMENTS, "slow": BOOL}``, each
further one a turn ``{"send": LINES, "receive": MESSAGES, "names": {NAME: PATH}}``: the lines go to
the server together, the messages come back in any order.  ``names`` says where an answer holds a
value that differs from run to run, such as the id of a new session; it stands as ``{{NAME}}`` in
what follows.  A line that is long and dull is an object ``{"first", "again", "times", "last"}``.
Notifications of progress depend on the machine and are left out.  Long lists of numbers, which are
tapes and planes, are replaced by their digest.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, cast

PATIENCE = 240.0
"""Seconds after which an answer counts as never coming."""

_LONG = 200  # characters of a list of numbers that is replaced by its digest

Json = Any


class Turn(NamedTuple):
    """lines: what is sent at once.  answers: how many messages come back.  names: see above."""

    lines: tuple[str | Mapping[str, Any], ...]
    answers: int
    names: Mapping[str, Sequence[str | int]] = {}


class Held(NamedTuple):
    """A turn that took place, with values of this run replaced by their names."""

    lines: tuple[str | Mapping[str, Any], ...]
    messages: list[Json]


def hold(
    command: Sequence[str], turns: Iterable[Turn], environment: Mapping[str, str], folder: Path
) -> list[Held]:
    """Start a server, take all turns, and end it; AssertionError where it does not answer."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        cwd=folder,
    )
    try:
        found = _take_turns(process, turns)
        rest, log = process.communicate(timeout=PATIENCE)
        assert (process.returncode, rest) == (0, b""), (process.returncode, rest, log)
        return found
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _take_turns(process: subprocess.Popen[bytes], turns: Iterable[Turn]) -> list[Held]:
    assert process.stdin is not None
    assert process.stdout is not None
    values: dict[str, str] = {}
    found: list[Held] = []
    rest = bytearray()
    for turn in turns:
        lines = "".join(f"{_with_values(_spelled(line), values)}\n" for line in turn.lines)
        process.stdin.write(lines.encode("utf-8", "surrogateescape"))
        process.stdin.flush()
        messages: list[Json] = []
        while len(messages) < turn.answers:
            line = _read_line(process.stdout.fileno(), rest, lines)
            message: Json = json.loads(line)
            if not _is_progress(message):
                messages.append(message)
        for name, path in turn.names.items():
            values[name] = _value_at(messages, path)
        named = json.loads(_with_names(json.dumps(messages), values))
        found.append(Held(turn.lines, condensed(named)))
    return found


def condensed(value: Json) -> Json:
    """The value with the digests of long lists of numbers in their place."""
    if isinstance(value, dict):
        table = cast("dict[str, Json]", value)
        return {name: condensed(each) for name, each in table.items()}
    if isinstance(value, list):
        text = json.dumps(value, separators=(",", ":"))
        if len(text) > _LONG and not set(text) - set("0123456789-.,[]"):
            return f"numbers with SHA-256 {sha256(text.encode()).hexdigest()}"
        return [condensed(each) for each in cast("list[Json]", value)]
    return value


def _is_progress(message: Json) -> bool:
    return isinstance(message, dict) and cast("Json", message).get("method") == "progress"


def _spelled(line: str | Mapping[str, Any]) -> str:
    if isinstance(line, str):
        return line
    return line["first"] + line["again"] * line["times"] + line["last"]


def _read_line(descriptor: int, rest: bytearray, lines: str) -> bytes:
    deadline = time.monotonic() + PATIENCE
    while b"\n" not in rest:
        left = deadline - time.monotonic()
        assert left > 0, f"no answer came to {lines[:500]}"
        if select.select([descriptor], [], [], left)[0]:
            data = os.read(descriptor, 1 << 16)
            assert data, f"the server ended instead of answering {lines[:500]}"
            rest += data
    line, _, after = bytes(rest).partition(b"\n")
    rest[:] = after
    return line


def _value_at(messages: list[Json], path: Sequence[str | int]) -> str:
    value: Json = messages[0]
    for step in path:
        value = value[step]
    return value


def _with_values(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    return text


def _with_names(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(value, f"{{{{{name}}}}}")
    return text


# Files


def write_conversation(
    arguments: Sequence[str], held: Iterable[Held], turns: Iterable[Turn]
) -> str:
    """The text of a file."""
    lines: list[Json] = [{"serve": list(arguments)}]
    for each, turn in zip(held, turns, strict=True):
        line: dict[str, Json] = {"send": list(each.lines), "receive": each.messages}
        if turn.names:
            line["names"] = {name: list(path) for name, path in turn.names.items()}
        lines.append(line)
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def read_conversation(text: str) -> tuple[list[str], list[Turn], list[list[Json]]]:
    """The arguments of the server, the turns, and the messages that each of them brought."""
    head, *lines = (json.loads(line) for line in text.splitlines())
    turns = [
        Turn(tuple(line["send"]), len(line["receive"]), line.get("names", {})) for line in lines
    ]
    return head["serve"], turns, [line["receive"] for line in lines]
