#!/usr/bin/env python3
"""A scripted agent that plays a session: ``agent.py NAME LANGUAGE PROTOCOL``, in its workspace.

Like the scripted models it solves what a digest says, and reports invented tokens. The folder
``answers`` beside this file has the programs; the number of the session is in the workspace's path.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

NAME, LANGUAGE, PROTOCOL = sys.argv[1:]
SKILL = {"heron": 0.75, "wren": 0.35}
EFFECT = {"direct": -0.3, "budget-3": -0.15, "library": 0.15}
HARDER = {"E": 0.0, "M": 0.1, "H": 0.2, "X": 0.35}
HELPERS = "def repeat(sign, count):\n    return sign * count\n"
ANSWERS = sorted((Path(__file__).parent / "answers" / LANGUAGE).iterdir())
CLIENT = re.search(r"`python3 (\S+) fetch`", Path("AGENTS.md").read_text("utf-8"))
NUMBER = re.search(r"/(\d+)/attempt-\d+", str(Path.cwd()))


def session(*words: str) -> tuple[int, Any]:
    """Make a move; return its exit status and its answer."""
    assert CLIENT is not None, "the instructions name the client"
    command = [sys.executable, CLIENT[1], *words, "--json"]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else None


def report_tokens(count: int) -> None:
    line = {"time_ms": time.time_ns() // 1_000_000, "input_tokens": 3000, "output_tokens": count}
    line["reasoning_tokens"] = count // 4
    with Path(os.environ["ESOPLAY_USAGE"]).open("a") as usage:
        usage.write(json.dumps(line) + "\n")


def play(problem: str) -> None:
    number = NUMBER[1] if NUMBER else "1"
    digest = sha256(f"{NAME} {LANGUAGE} {problem} {number}".encode()).hexdigest()
    luck = int(digest[:8], 16) / 16**8
    chance = SKILL[NAME] + EFFECT.get(PROTOCOL, 0) - HARDER[problem[0]]
    generates = PROTOCOL == "library" or (NAME == "heron" and PROTOCOL != "direct")
    if generates:
        Path("helpers.py").write_text(HELPERS, "utf-8")
    status = "active"
    for attempt in range(3):
        solves = luck < chance + 0.1 * attempt
        right = next(path for path in ANSWERS if path.stem == problem)
        others = [path for path in ANSWERS if path.stem != problem]
        chosen = right if solves else others[int(luck * 1_000) % len(others)]
        program = Path(problem + chosen.suffix)
        if generates:
            beginning = chosen.read_bytes()[:60]
            text = f"# {digest[:40]}\nopen({str(program)!r}, 'wb').write({beginning!r})\n"
            Path(f"generate_{problem}.py").write_text(text, "utf-8")
        program.write_bytes(chosen.read_bytes())
        for _ in range(2 if NAME == "heron" else 1):
            session("run", str(program), "--input", "3 4")
        report_tokens(400 + int(400 * luck))
        _, verdict = session("submit", problem, str(program))
        status = verdict["status"]
        if status != "active":
            break


def main() -> None:
    status, shown = session("fetch")
    while status == 0:
        play(shown["problem"])
        status, shown = session("fetch")


if __name__ == "__main__":
    main()
