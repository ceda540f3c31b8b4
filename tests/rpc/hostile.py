"""Ten thousand hostile messages to ``esoplay serve``, and how large the server became.

    python tests/rpc/hostile.py 10000 [SEED]

Each message is random by a seed.  After each a harmless request must be answered on the same
connection, or the server must have closed it and take another.
"""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "interpreters")]

from esoplay.rpc.methods import METHODS  # noqa: E402

PATIENCE = 300.0
HUGE = 100 << 20
SLOW = {"run", "grade", "debug.continue", "debug.seek", "debug.step", "lesson.check"}
"""Methods that well-formed parameters may keep at work for as long as a program likes."""

PATHS = (
    "../../etc/passwd",
    "/etc/shadow",
    "/dev/zero",
    "/proc/self/mem",
    "a\0b",
    "\\\\x\\y",
    "~root",
)
IDS = ("0123456789ab", "../../x", "", "💥", "E01", "d1", "' OR 1=1 --", "%s%n", "\u202e")


def any_value(chaos: random.Random, depth: int = 0) -> Any:
    """Return an unexpected JSON value."""
    if depth < 3 and chaos.random() < 0.2:
        items = [any_value(chaos, depth + 1) for _ in range(chaos.randrange(4))]
        return items if chaos.random() < 0.5 else {str(item)[:9]: item for item in items}
    return chaos.choice(
        (
            None,
            True,
            0,
            -1,
            2**63,
            -(10**300),
            1.5e308,
            "",
            "x" * chaos.randrange(9000),
            chaos.choice(PATHS),
            chaos.choice(IDS),
            "brainfuck",
            "+[.]",
            "primary",
        )
    )


def call(chaos: random.Random, method: str | None = None) -> bytes:
    """A real method with parameters of its own names and any values."""
    chosen = METHODS[method or chaos.choice(sorted(METHODS.keys() - SLOW))]
    names = [parameter.name for parameter in chosen.parameters]
    for writing in ("workspace", "overwrite", "path" if chosen.name == "debug.notebook" else ""):
        if writing in names:
            names.remove(writing)  # the operator may write files, and this one would
    params = {name: any_value(chaos) for name in names if chaos.random() < 0.7}
    if chaos.random() < 0.2:
        params[chaos.choice(IDS)] = any_value(chaos)
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": chosen.name}
    if chaos.random() < 0.1:
        message["id"] = any_value(chaos)
    message["params"] = params if chaos.random() < 0.9 else any_value(chaos)
    return json.dumps(message).encode()


def nested(chaos: random.Random) -> bytes:
    depth = chaos.choice((10, 1_000, 100_000, 1_000_000))
    return chaos.choice((b"[" * depth, b'{"a":' * depth, b"[" * depth + b"]" * depth))


def numbers(chaos: random.Random) -> bytes:
    number = chaos.choice(("9" * 5_000, "-" + "1" * 100_000, "1e999", "NaN", "-Infinity", "0x1"))
    return f'{{"jsonrpc": "2.0", "id": {number}, "method": "initialize"}}'.encode()


def text(chaos: random.Random) -> bytes:
    strange = chaos.choice((b"\xff\xfe", b"\\ud800", b"\xed\xa0\x80", b"\\u0000", b"\xc0\x80"))
    return b'{"jsonrpc": "2.0", "id": "' + strange + b'", "method": "' + strange + b'"}'


def batch(chaos: random.Random) -> bytes:
    count = chaos.choice((0, 3, 1_000, 1_001, 5_000))
    item = chaos.choice((b"1", b"{}", b'{"jsonrpc":"2.0","id":1,"method":"cancel"}', b"[]"))
    return b"[" + b",".join([item] * count) + b"]"


def many_values(chaos: random.Random) -> bytes:
    piece = chaos.choice((b"[],", b'{"a":0},', b"0,", b'"",'))
    return b"[" + piece * (chaos.choice((1 << 10, 1 << 20)) // len(piece)) + b"0]"


def rubbish(chaos: random.Random) -> bytes:
    return chaos.randbytes(chaos.randrange(2_000)).replace(b"\n", b"")


def damaged(chaos: random.Random) -> bytes:
    line = bytearray(call(chaos))
    for _ in range(chaos.randrange(1, 4)):
        line[chaos.randrange(len(line))] = chaos.randrange(256)
    return bytes(line).replace(b"\n", b"")


KINDS: tuple[tuple[Callable[[random.Random], bytes], int], ...] = (
    (call, 50),
    (damaged, 15),
    (rubbish, 10),
    (numbers, 5),
    (text, 5),
    (batch, 3),
    (nested, 2),
    (many_values, 2),
)


class Report(NamedTuple):
    """What was seen: error codes by count, connections that were closed, resident KiB.

    bad: answers that say too much, such as a trace.
    """

    codes: Counter[int]
    closed: int
    first: int
    largest: int
    last: int
    bad: list[bytes]


def says_too_much(answer: dict[str, Any]) -> bool:
    """Whether an answer shows the server's own code: a trace, or in an error the name of a module.

    A result may name modules: a lane's extensions and its tool are `.py` and a path.
    """
    shown = json.dumps(answer)
    return "Traceback" in shown or ("error" in answer and ".py" in shown)


class Caller:
    def __init__(self, path: Path):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(os.fspath(path))
        self.lines = self.sock.makefile("rb")

    def ask(self, line: bytes) -> list[bytes] | None:
        """Everything that is said until a harmless request is answered; None when hung up on."""
        told: list[bytes] = []
        harmless = b'{"jsonrpc": "2.0", "id": "alive", "method": "cancel", "params": {"id": 0}}'
        try:
            self.sock.sendall(line + b"\n" + harmless + b"\n")
            while answer := self.lines.readline():
                if b'"id":"alive"' in answer:
                    return told
                told.append(answer)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return None

    def close(self) -> None:
        self.lines.close()
        self.sock.close()


def resident(pid: int) -> int:
    """KiB of memory that a process has now."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def bombard(folder: Path, count: int, seed: int, *, huge: bool = True) -> Report:
    """Send ``count`` messages; needs ESOPLAY_HOME in the environment."""
    chaos = random.Random(seed)
    path = folder / "hostile.sock"
    process = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "serve", "--socket", str(path)],
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'interpreters'}"},
        stderr=subprocess.PIPE,
        cwd=folder,
    )
    assert process.stderr is not None
    assert b"listening" in process.stderr.readline()
    codes: Counter[int] = Counter()
    bad: list[bytes] = []
    closed = first = largest = 0
    makers, weights = zip(*KINDS, strict=True)
    caller = Caller(path)
    try:
        for number in range(count):
            if number % 500 == 50:
                leave_rudely(path, chaos)
            answers = caller.ask(chaos.choices(makers, weights)[0](chaos))
            if answers is None:
                closed += 1
                caller.close()
                caller = Caller(path)
            for answer in answers or ():
                for one in json.loads(answer) if answer[:1] == b"[" else [json.loads(answer)]:
                    codes[one.get("error", {"code": 0})["code"]] += 1
                    if says_too_much(one):
                        bad.append(answer[:300])
            if number % 50 == 0:
                largest = max(largest, resident(process.pid))
            if number == count // 5:
                first = resident(process.pid)
        if huge:
            for _ in range(3):
                assert caller.ask(b"x" * HUGE) is not None
            largest = max(largest, resident(process.pid))
        last = resident(process.pid)
    finally:
        caller.close()
        process.terminate()
        log = process.stderr.read()
        assert process.wait(PATIENCE) == 0
        process.stderr.close()
    if b"Traceback" in log and codes[-32603]:
        bad.append(log[-2_000:])
    return Report(codes, closed, first, largest, last, bad)


def leave_rudely(path: Path, chaos: random.Random) -> None:
    """Clients that say half a message, or ask for much and read nothing of it."""
    for _ in range(20):
        half = Caller(path)
        half.sock.sendall(call(chaos)[: chaos.randrange(1, 30)])
        if chaos.random() < 0.5:
            half.close()
    deaf = Caller(path)
    deaf.sock.setblocking(False)
    request = b'{"jsonrpc": "2.0", "id": 1, "method": "language.list"}\n' * 1_000
    for _ in range(20):
        try:
            deaf.sock.send(request)
        except BlockingIOError:
            break
    deaf.close()


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ESOPLAY_HOME"] = str(Path(folder) / "home")
        began = time.monotonic()
        report = bombard(Path(folder), count, seed)
    print(f"{count} messages in {time.monotonic() - began:.0f} s; closed {report.closed} times")
    print(f"answers by code (0: a result): {dict(report.codes.most_common())}")
    print(
        f"resident memory: {report.first // 1024} MiB after a fifth, "
        f"{report.largest // 1024} MiB at most, {report.last // 1024} MiB at the end"
    )
    print(f"answers that say too much: {report.bad}")


if __name__ == "__main__":
    main()
