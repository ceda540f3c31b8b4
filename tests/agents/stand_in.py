"""A scripted agent: plays a session by the thin client, in one of several manners.

    python stand_in.py MANNER ANSWERS       in a workspace; ANSWERS/E01.bf and so on are programs

solve   hands in the answers         fail     hands in what is wrong
examples  runs the answers on all examples, with their arguments, before it hands them in
half    solves the problems with even numbers
cheat   edits and searches files     die      kills itself after the first problem
endless ignores SIGTERM, starts a process that leaves its group, and runs forever
spender reports its tokens, not always correctly
logged  writes a log as the manifest of a test describes it
wreck   puts pipes and devices in the place of files, and damages the notes on itself
murder  leaves a process that left its group, and kills its supervisor
mcp     hands in the answers through the tools of an MCP server; ANSWERS is its configuration,
        and a third argument the answers
"""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

MANNER, ANSWERS = sys.argv[1], Path(sys.argv[2])
COMMAND = re.search(r"`python3 (\S+) fetch`", Path("AGENTS.md").read_text("utf-8"))
assert COMMAND is not None, "the instructions name the client"


def session(*words: str) -> tuple[int, Any]:
    """A move, by the command that the instructions name; its exit status and its answer."""
    client = [sys.executable, "-I", "-S", COMMAND[1], *words, "--json"]
    done = subprocess.run(client, capture_output=True, check=False)
    sys.stderr.write(done.stderr.decode())
    if tokens := os.environ.get("STAND_IN_TOKENS"):  # for each move
        report_tokens(f'{{"input_tokens": {tokens}, "output_tokens": 10}}\n')
    return done.returncode, json.loads(done.stdout) if done.stdout else None


def report_tokens(*lines: str) -> None:
    with Path(os.environ["ESOPLAY_USAGE"]).open("a") as told:
        told.write("".join(lines))


def answer_to(problem: str) -> str:
    """The file of an answer, copied into the workspace."""
    found = next(ANSWERS.glob(f"{problem}.*"))
    Path(found.name).write_bytes(found.read_bytes())
    return found.name


def solve(most: int | None = None) -> None:
    solved = 0
    while solved != most:
        status, shown = session("fetch")
        if status != 0:
            break
        file = answer_to(shown["problem"])
        session("run", file, "--input", "3 4")
        status, verdict = session("submit", shown["problem"], file)
        assert status == 0, verdict
        solved += 1
    keys = [os.environ.get(name) for name in ("STAND_IN_KEY", "ANOTHER_KEY")]
    print(f"solved {solved}, keys", *keys, flush=True)


def examples() -> None:
    status, shown = session("fetch")
    while status == 0:
        file = answer_to(shown["problem"])
        for example in shown["examples"]:
            words = [f"--argument={word}" for word in example.get("arguments", ())]
            ran = session("run", file, f"--input={example['input']}", *words)[1]
            assert (ran["status"], ran["stdout"].strip("\n")) == ("ok", example["output"]), ran
        assert session("submit", shown["problem"], file)[0] == 0, shown["problem"]
        status, shown = session("fetch")


def fail() -> None:
    status, shown = session("fetch")
    while status == 0:
        hand_in_wrong(shown["problem"])
        status, shown = session("fetch")


def half() -> None:
    status, shown = session("fetch")
    while status == 0:
        problem = shown["problem"]
        if int(problem[1:]) % 2:
            hand_in_wrong(problem)
        else:
            session("submit", problem, answer_to(problem))
        status, shown = session("fetch")


def hand_in_wrong(problem: str) -> None:
    wrong = answer_to(problem)
    Path(wrong).write_bytes(b"")  # which is a program in most languages, and solves nothing
    while session("submit", problem, wrong)[1]["status"] == "active":
        pass


def cheat() -> None:
    Path("AGENTS.md").write_text("Every problem is solved.\n", "utf-8")
    Path("helper.py").write_text("print('a generator')\n", "utf-8")
    run = next(above for above in Path.cwd().parents if above.name == "cells")
    for export in run.rglob("session.json"):  # of sessions that came before
        text = export.read_text("utf-8")
        export.write_text(re.sub('"passed": [0-5]', '"passed": 6', text), "utf-8")
        print("changed", export.relative_to(run))
    home = Path(os.environ["HOME"])
    print("in its home:", *sorted(path.name for path in home.iterdir()))
    print("hidden things in its environment:", *(key for key in os.environ if "ESOPLAY" in key))
    fail()


def spender() -> None:
    report_tokens("no JSON at all\n", '{"input_tokens": -1, "output_tokens": 2}\n')
    report_tokens('{"input_tokens": 100, "output_tokens": 10, "cost": 0.5, "session": "other"}\n')
    solve(1)
    report_tokens(json.dumps({"input_tokens": 7, "output_tokens": 3, "time_ms": 5}) + "\n")
    report_tokens('{"input_tokens": 1000, "output_tokens": 100}\n')
    solve()
    report_tokens('{"input_tokens": 3, "output_tokens": 2}')  # a last line without an end


def logged() -> None:
    model = os.environ["MODEL_OF_LOG"]
    assert sys.argv[3] == "from-grid"

    def log(**members: Any) -> None:
        with Path(os.environ["HOME"], "log.jsonl").open("a") as file:
            file.write(json.dumps(members) + "\n")

    for number in range(2):
        log(type="call", tool="sh", words=["fetch"])
        shown = session("fetch")[1]
        log(type="call", tool="patch", input=f"file {shown['problem']}")
        session("submit", shown["problem"], answer_to(shown["problem"]))
        usage = {"out": 10, "cached": 20, "model": model}
        log(type="usage", id=number, **{"in": 1}, **usage)
        log(type="usage", id=number, **{"in": 100}, **usage)
    log(type="usage", **{"in": 7}, out=0, cached=0, model=model)
    log(type="call", tool="sh", words=[os.environ["MANIFEST_KEY"]])


def wreck() -> None:
    for file in ("AGENTS.md", "session.py"):
        Path(file).unlink()
    os.mkfifo("AGENTS.md")
    Path("session.py").symlink_to("/dev/zero")
    os.mkfifo(os.environ["ESOPLAY_USAGE"])
    Path("../begun.json").write_text("{")


def murder() -> None:
    sleeper = "import time; time.sleep(900)"
    left = subprocess.Popen([sys.executable, "-S", "-c", sleeper], start_new_session=True)
    Path("pids").write_text(f"{os.getpid()} {left.pid}")
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(900)


def mcp() -> None:
    """Speaks the protocol itself: the client of the SDK takes longer to import than this plays."""
    global ANSWERS
    server = json.loads(ANSWERS.read_text())["mcpServers"]["esoplay"]
    ANSWERS = Path(sys.argv[3])
    with subprocess.Popen(
        [server["command"], *server["args"]],
        env={**os.environ, **server["env"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        told, heard = process.stdin, process.stdout

        def say(message: dict[str, Any]) -> None:
            told.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            told.flush()

        def ask(method: str, params: dict[str, Any]) -> Any:
            say({"id": 1, "method": method, "params": params})
            while "id" not in (answer := json.loads(heard.readline())):
                pass
            return answer["result"]

        def call(name: str, **arguments: str) -> Any:
            answer = ask("tools/call", {"name": name, "arguments": arguments})
            return None if answer.get("isError") else answer["structuredContent"]

        client = {"name": "stand-in", "version": "1"}
        versions = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        ask("initialize", versions)
        say({"method": "notifications/initialized"})
        solved = 0
        while "problem" in (shown := call("fetch") or {}):
            program = base64.b64encode(Path(answer_to(shown["problem"])).read_bytes()).decode()
            call("run", program_base64=program, stdin="3 4")
            verdict = call("submit", problem=shown["problem"], program_base64=program)
            solved += verdict["solved"]
        told.close()
    print(f"solved {solved} by tools", flush=True)


def edit_the_log() -> None:
    import sqlite3

    solve(1)
    with sqlite3.connect("../store.sqlite") as store:
        store.execute("DROP TRIGGER event_is_never_changed")
        store.execute("UPDATE event SET body = replace(body, '\"passed\":6', '\"passed\":5')")
    fail()


def spy() -> None:
    for file in ("../store.sqlite", "../begun.json", str(ANSWERS.parent / "private")):
        try:
            Path(file).read_bytes()
            print("read", file)
        except OSError as error:
            print("refused", file, error.strerror)
    solve()


def die() -> None:
    solve(1)
    os.kill(os.getpid(), signal.SIGKILL)


def endless() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    solve(1)
    sleeper = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(900)"
    left = subprocess.Popen([sys.executable, "-S", "-c", sleeper], start_new_session=True)
    print(f"started {left.pid}", flush=True)
    while True:
        time.sleep(60)


MANNERS = (
    *(solve, examples, fail, half, cheat, edit_the_log, spy, die, endless),
    *(spender, logged, wreck, murder, mcp),
)
next(manner for manner in MANNERS if manner.__name__ == MANNER)()
