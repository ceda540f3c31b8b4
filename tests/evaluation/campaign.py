"""An evaluation that is killed again and again, and its figures counted by hand::

    python tests/evaluation/campaign.py FOLDER [--by url|command] [--kills 16] [--seed N]

All seven regimes in all five languages over three problems are asked for programs, of an endpoint
on loopback that is slow, and now and then refuses or talks nonsense, or of a command.  SIGKILL
comes whenever the transcript has grown by some amount that is drawn.  Then nothing may have been
answered twice, and turns, verdicts and tokens must be what the regimes amount to on paper.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "interpreters"), str(ROOT / "tests")]

from scripted_models import (  # noqa: E402
    CACHED_TOKENS,
    ECHO,
    INPUT_TOKENS,
    OUTPUT_TOKENS,
    REASONING_TOKENS,
    Reply,
    answer_to,
    echoing,
    serving,
)

SECONDS = 0.15  # that an answer takes

# Answers with three attempts, to a problem that the echo does not solve, and to one that it does.
# Between two attempts textual self-scaffolding asks a critic, and ReAct a critic and a planner.
UNSOLVED = {
    "zero-shot": 1,
    "few-shot": 1,
    "self-scaffolding": 3,
    "textual-self-scaffolding": 3 + 2,
    "react": 2 + 3 + 3,
    "one-shot": 1,
    "agent-loop": 1 + 3,
}
SOLVED = dict.fromkeys(UNSOLVED, 1) | {"react": 2}


ANSWERING = f"""
import json, sys, time
time.sleep({SECONDS})
system = sys.stdin.read().partition("\\n\\n")[0]
answers = json.loads(sys.argv[1])
sys.stdout.write(next(answers[begin] for begin in answers if system.startswith(begin)))
"""
ANSWERS = json.dumps(
    {
        f"You {does} programs in {language}": answer_to(f"You {does} programs in {language}.")
        for language in ECHO
        for does in ("write", "review", "plan")
    }
)


def unsteady(messages: list[dict[str, str]]) -> Reply:
    """Fails one time in twelve."""
    time.sleep(SECONDS)
    with _lock:
        _asked.append(None)
        number = len(_asked)
    if number % 37 == 0:
        return Reply(None, 429, b'{"error": {"message": "slow down"}}', (("Retry-After", "0"),))
    if number % 53 == 0:
        return Reply(None, 500, b"<html>oh</html>")
    if number % 29 == 0:
        return Reply(None, 200, b"this is no JSON")
    return echoing(messages)


_asked: list[None] = []
_lock = threading.Lock()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--by", choices=("url", "command"), default="url")
    parser.add_argument("--kills", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with serving(unsteady) as served:
        model = ["--model", "scripted", "--base-url", served.url]
        if args.by == "command":
            model = ["--command", shlex.join([sys.executable, "-S", "-c", ANSWERING, ANSWERS])]
        command = [sys.executable, "-m", "esoplay", "eval", "--language", "all", "--regime", "all"]
        command += ["--problems", "E01-E03", "--attempts", "3", "--runs", "2"]
        kills = run([*command, *model, "-o", str(args.folder)], args)
    print(f"{kills} kills; {count(args.folder, args.by == 'url')}")


def run(command: list[str], args: argparse.Namespace) -> int:
    """Start it until it is done; returns how often it was killed before."""
    draw = random.Random(args.seed)
    transcript = args.folder / "transcript.jsonl"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path[:2])}
    for kills in range(args.kills + 1):
        grown = size_of(transcript) + draw.randrange(10_000, 250_000)
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        if kills < args.kills:
            while process.poll() is None and size_of(transcript) < grown:
                time.sleep(0.005)
            process.kill()
        process.wait()
        if process.returncode == 0:
            return kills
        assert process.returncode == -9, process.returncode
    raise AssertionError("the last one is not killed")


def count(folder: Path, tokens: bool) -> str:
    """Compare with figures computed by hand; returns them in words."""
    told = json.loads((folder / "results.json").read_text())
    assert told["left"] == []
    lines = told["lines"]
    assert len(lines) == 5 * len(UNSOLVED)
    for line in lines:
        turns = 2 * (2 * UNSOLVED[line["regime"]] + SOLVED[line["regime"]])
        assert (line["solved"], line["total"], line["turns"]) == (2, 6, turns), line
        if tokens:
            sums = {"input": INPUT_TOKENS, "cached": CACHED_TOKENS, "output": OUTPUT_TOKENS}
            sums["reasoning"] = REASONING_TOKENS
            sums = {name: each * turns for name, each in sums.items()} | {"untold": 0}
            assert line["tokens"] == sums, line
    found = [json.loads(line) for line in (folder / "transcript.jsonl").open()]
    turns = {
        kind: Counter((each["trial"], each["turn"]) for each in found if each["kind"] == kind)
        for kind in ("asked", "answered")
    }
    assert set(turns["answered"].values()) == {1}
    by_hand = 2 * 5 * (2 * sum(UNSOLVED.values()) + sum(SOLVED.values()))
    assert len(turns["answered"]) == by_hand
    assert sum(each["kind"] == "finished" for each in found) == 2 * 3 * len(lines)
    failed = sum(each["kind"] == "failed" for each in found)
    assert told["failed_requests"] == failed
    again = turns["asked"].total() - len(turns["asked"])
    return f"{by_hand} answers, none twice; {failed} failed; {again} questions put again"


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


if __name__ == "__main__":
    main()
