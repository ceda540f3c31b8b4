"""A session that is played while its server is killed again and again.

    python tests/sessions/kills.py 100        kills it a hundred times, and reports what it saw

The client plays through the thin client's own code and repeats its last request after each kill.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "interpreters")]

from esoplay.benchmark.sessions import Sessions  # noqa: E402
from esoplay.benchmark.verification import Verification, verify_export  # noqa: E402
from esoplay.thin_client import Client, CommandFailed, encode_base64  # noqa: E402

PROGRAMS = (b"+.", b",[.,]", b"[", b".<", b",[>,]<[.<]")


class Server:
    """``esoplay serve`` on a socket, which can be killed and is started again."""

    def __init__(self, session: str, path: Path):
        self._command = [sys.executable, "-m", "esoplay", "serve", "--socket", str(path)]
        self._command += ["--solver", "--session", session]
        paths = f"{ROOT}{os.pathsep}{ROOT / 'interpreters'}"
        self._environment = {**os.environ, "PYTHONPATH": paths}
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._command, env=self._environment, stderr=subprocess.PIPE
        )
        assert self._process.stderr is not None
        told = self._process.stderr.readline()
        assert b"listening" in told, told

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> None:
        self._process.wait()
        assert self._process.stderr is not None
        self._process.stderr.close()


class Played(NamedTuple):
    """The result; ``lost`` and ``doubled`` are expected to be empty.

    kills: of the server.  asked: requests, of which ``interrupted`` had no answer.
    lost: acknowledged heads that are not in the log.  doubled: requests that the log has more than
    once, and moves that it does not have.  voided: gradings that a kill ended.
    """

    kills: int
    asked: int
    interrupted: int
    moves: int
    lost: list[str]
    doubled: list[str]
    voided: int
    verification: Verification


def play(folder: Path, kills: int, seed: int) -> Played:
    """Play until the server was killed so often, then some moves more."""
    chaos = random.Random(seed)
    path, bench = folder / "bench.sock", folder / "bench"
    bench.mkdir()
    with Sessions.open() as sessions:
        session = sessions.init("brainfuck", "practice").session
    server = Server(session, path)
    started = done = interrupted = asked = moves = after = 0
    acknowledged: list[str] = []

    def ask(make: Callable[[Client], Any]) -> Any:
        """The answer, however often the request has to be repeated."""
        nonlocal started, done, interrupted, asked
        while True:
            if started == done < kills:
                started += 1
                threading.Timer(chaos.uniform(0, 0.25), server.kill).start()
            asked += 1
            try:
                answer = make(Client(str(path), session, bench))
            except CommandFailed as trouble:
                if trouble.kind:
                    raise
                interrupted += 1
                server.wait()
                done += 1
                server.start()
                continue
            acknowledged.append(answer["head"])
            return answer

    problem = ask(lambda client: client.call("session.fetch"))["problem"]
    while done < kills or after < 5:
        after += done >= kills
        source = encode_base64(chaos.choice(PROGRAMS) + b" " + str(asked).encode())
        if chaos.random() < 0.4:
            given = {"method": "session.run", "stdin": "some input"}
        else:
            given = {"method": "session.submit", "problem": problem}
        ask(partial(Client.call, key=source, program_base64=source, **given))
        moves += 1
    server.kill()
    server.wait()
    with Sessions.open() as sessions:
        export = sessions.export(session).as_json()
    events = export["events"]
    numbers = {one["body"]["number"] for one in events if one["kind"] == "submission_graded"}
    made = [
        one["body"]["request_id"]
        for one in events
        if one["kind"] == "program_run"
        or (one["kind"] == "submission_reserved" and one["body"]["number"] in numbers)
    ]
    doubled = [one for one in set(made) if made.count(one) > 1]
    if len(set(made)) != moves:
        doubled.append(f"{len(set(made))} requests in the log, {moves} were made")
    return Played(
        kills=done,
        asked=asked,
        interrupted=interrupted,
        moves=moves,
        lost=[head for head in acknowledged if head not in {one["head"] for one in events}],
        doubled=doubled,
        voided=sum(one["kind"] == "submission_voided" for one in events),
        verification=verify_export(json.dumps(export).encode(), head=acknowledged[-1], jobs=2),
    )


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ESOPLAY_HOME"] = str(Path(folder) / "home")
        began = time.monotonic()
        played = play(Path(folder), kills, seed=kills)
    print(
        f"{played.kills} kills in {time.monotonic() - began:.0f} s: {played.asked} requests, "
        f"{played.interrupted} without an answer, {played.moves} moves, {played.voided} voided"
    )
    print(f"lost: {played.lost}; doubled: {played.doubled}")
    print(f"findings: {[str(one) for one in played.verification.findings]}")


if __name__ == "__main__":
    main()
