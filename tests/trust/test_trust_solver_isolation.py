"""What a hostile solver that ``esoplay agents run`` has started reaches outside of its sandbox.

The attacks are agents: scripts that print what they found as one JSON object.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from shell import ROOT, esoplay

from esoplay.grading.hidden import hidden_tests
from esoplay.packs.catalogue import get_problem

pytestmark = pytest.mark.needs("linux", "bubblewrap")

PYTHON = shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin") or sys.executable
"""One that every user may start."""
FOR_ALL = ("/tmp", "/var/tmp", "/dev/shm")
PACK = 'format = 1\nid = "one"\nversion = "1"\ntitle = "One problem"\n'

PLAY = """
import json, os, subprocess, sys

def session(*words):
    return [sys.executable, "-I", "-S", "session.py", *words, "--json"]
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user may enter, unlike the temporary folders of pytest."""
    folder = Path(tempfile.mkdtemp(prefix="esoplay-attack-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def make_pack(folder: Path) -> Path:
    shipped = (ROOT / "problems" / "pack.toml").read_text("utf-8")
    shutil.copytree(ROOT / "problems" / "E02-echo-line", folder / "E02-echo-line")
    (folder / "pack.toml").write_text(PACK + shipped[shipped.index("tiers =") :], "utf-8")
    return folder


def play(
    place: Path,
    script: str,
    *,
    language: str = "brainfuck",
    user: str | None = None,
    end: str | None = "gave up",
    variables: dict[str, str] | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Have an agent play one session: what it printed, and the result of the session.

    end: the expected status of the session, None for any.  variables: globals of its script.
    """
    agent = place / "agent.py"
    agent.write_text(PLAY + script, "utf-8")
    lines = [
        *(f'languages = ["{language}"]', f'pack = "{make_pack(place / "pack")}"'),
        *("[limits]", 'time = "60s"', 'grace = "1s"', "[[solvers]]", 'name = "fox"'),
        f"command = {json.dumps([PYTHON, '-S', str(agent)])}",
        *(() if user is None else (f'user = "{user}"',)),
        "[solvers.set]",
        *(f"{name} = {json.dumps(text)}" for name, text in (variables or {}).items()),
    ]
    grid = place / "grid.toml"
    grid.write_text("\n".join(lines) + "\n", "utf-8")
    done = esoplay("agents", "run", grid, "-o", place / "run", "--json")
    assert done.stdout, done.stderr
    (one,) = json.loads(done.stdout)["sessions"]
    attempt = Path(one["attempt"])
    said = (attempt / "stdout.log").read_text("utf-8")
    assert end in (None, one["status"]), (
        one["result"],
        said,
        (attempt / "stderr.log").read_text("utf-8"),
    )
    return json.loads(said) if said else None, one["result"]


def processes_with(word: str) -> list[int]:
    """Processes of this machine that have a word on their command line."""
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if word.encode() in words:
                found.append(int(folder.name))
    return found


# Every hidden input is on the command line of a process of the submission.
LANE_PROGRAM = """\
import subprocess, sys
data = sys.stdin.buffer.read()
word = "hidden:" + data.hex()
subprocess.run([sys.executable, "-S", "-c", "import time; time.sleep(0.1)", word])
sys.stdout.buffer.write(data)
"""
WATCH = f"""
subprocess.run(session("fetch"), stdout=subprocess.DEVNULL, check=True)
open("program.py", "w").write({LANE_PROGRAM!r})
submission = subprocess.Popen(session("submit", "E02", "program.py"), stdout=subprocess.PIPE)
own, seen, others, waited = os.listdir("/proc/self/task"), set(), set(), set()
while submission.poll() is None:
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            line = open(f"/proc/{{pid}}/cmdline", "rb").read()
            schedule = open(f"/proc/{{pid}}/schedstat").read()
        except OSError:
            continue
        words = [word.decode() for word in line.split(b"\\0")]
        seen.update(word for word in words if word.startswith("hidden:"))
        if "esoplay" in words:
            others.add(" ".join(words))
        if "esoplay" in words or b"hidden:" in line:
            waited.add(schedule)
verdict = json.loads(submission.communicate()[0])
print(json.dumps({{"seen": sorted(seen), "others": sorted(others), "schedules": len(waited),
                  "solved": verdict["solved"]}}))
"""


@pytest.mark.slow
@pytest.mark.needs("root")
def test_a_solver_that_reads_all_command_lines_sees_no_hidden_input(place: Path) -> None:
    found, result = play(place, WATCH, language="python", user="nobody", end="complete")
    assert found["solved"]
    tests = hidden_tests(get_problem("E02", place / "pack"), bytes.fromhex(result["seed"]))
    inputs = {f"hidden:{test.input.hex()}" for test in tests}
    seen = inputs & set(found["seen"])
    assert not seen, f"{len(seen)} of {len(inputs)} hidden inputs were seen"
    assert found["others"] == []
    assert found["schedules"] == 0


SEARCH = """
def readable(place):
    try:
        if os.path.isdir(place):
            return [os.path.join(place, name) for name in os.listdir(place)]
        open(place, "rb").close()
        return [place]
    except OSError:
        return []

found = [name for place in os.environ["PLACES"].split(":") for name in readable(place)]
for above in ("..", "../../../../../../..", os.environ["ESOPLAY_STATE"]):
    for folder, _, files in os.walk(above):
        if not folder.startswith(("../workspace", "../home")):
            found += [name for file in files for name in readable(os.path.join(folder, file))]
print(json.dumps([name for name in found if "/1/attempt-1/workspace/" not in name
                  and "/1/attempt-1/home/" not in name]))
"""


def test_a_solver_finds_neither_store_nor_seed_nor_other_sessions(place: Path) -> None:
    """As the operator's own user, which may read all of these."""
    earlier = place / "run" / "cells" / "fox" / "brainfuck" / "primary" / "2" / "attempt-1"
    earlier.mkdir(parents=True)
    (earlier / "session.json").write_text("{}", "utf-8")
    private = [place / "grid.toml", place / "pack", *ROOT.glob("problems/E02*/judge.py")]
    private += [Path("/etc/shadow"), Path.home(), *(path for path in Path("/home").iterdir())]
    state = os.environ["ESOPLAY_HOME"]
    places = {"PLACES": ":".join(map(str, private)), "ESOPLAY_STATE": state}
    found, result = play(place, SEARCH, variables=places)
    assert (Path(state) / "sessions" / f"{result['session']}.seed").exists()
    assert found == []


LEAVE = """
import ctypes, time
word = os.environ["WORD"]
sleep = "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(900)"
subprocess.Popen([sys.executable, "-S", "-c", sleep, word], start_new_session=True)
for folder in ("/tmp", "/var/tmp", "/dev/shm"):
    open(os.path.join(folder, word), "w").close()
segment = ctypes.CDLL(None).shmget(int(word, 16), 4096, 0o1600)

def parent(pid):
    return int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])

keeper = os.getppid()
for pid in (parent(keeper), keeper):  # its guard, and what watches over this agent
    if pid:
        try:
            os.kill(pid, 9)
        except OSError:
            pass
time.sleep(0.2)
print("{}", flush=True)
"""


def test_a_solver_leaves_no_process_file_or_memory(place: Path) -> None:
    word = token_hex(3)
    try:
        play(place, LEAVE, end=None, variables={"WORD": word})
        assert processes_with(word) == []
        assert not any(Path(folder, word).exists() for folder in FOR_ALL)
        segments = Path("/proc/sysvipc/shm").read_text("ascii").splitlines()[1:]
        assert int(word, 16) not in [int(line.split()[0]) for line in segments]
    finally:
        for pid in processes_with(word):
            os.kill(pid, 9)
        for folder in FOR_ALL:
            Path(folder, word).unlink(missing_ok=True)
        subprocess.run(["ipcrm", "-M", str(int(word, 16))], capture_output=True, check=False)


SIGNAL = """
import ctypes
libc, victim = ctypes.CDLL(None, use_errno=True), int(os.environ["VICTIM"])
done = []
try:
    done += [name for name in os.listdir("/proc") if name == str(victim)]
    done += [open(f"/proc/{victim}/environ").read()]
except OSError:
    pass
if libc.ptrace(16, victim, 0, 0) == 0:  # PTRACE_ATTACH
    done.append("traced")
    os.waitpid(victim, 0x40000000)  # __WALL
    libc.ptrace(17, victim, 0, 0)
try:
    os.kill(victim, 9)
    done.append("killed")
except OSError:
    pass
status = open("/proc/self/status").read()
held = [line.split()[1] for line in status.splitlines() if line.startswith("Cap")]
print(json.dumps({"done": done, "held": held, "fixed": "NoNewPrivs:\\t1" in status}))
"""


def test_a_solver_signals_and_traces_no_process_outside(place: Path) -> None:
    """As the operator's own user, which may do both."""
    with subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(900)"]) as victim:
        try:
            found, _ = play(place, SIGNAL, variables={"VICTIM": str(victim.pid)})
            assert victim.poll() is None
        finally:
            victim.kill()
    assert found["done"] == []


@pytest.mark.needs("root")
@pytest.mark.parametrize("user", [None, "nobody"])
def test_a_solver_has_no_capability_and_cannot_win_one(user: str | None, place: Path) -> None:
    found, _ = play(place, SIGNAL, variables={"VICTIM": str(1 << 22)}, user=user)
    inheritable, permitted, effective, _, ambient = (int(mask, 16) for mask in found["held"])
    assert (inheritable, permitted, effective, ambient) == (0, 0, 0, 0)
    assert found["fixed"]
