"""What the published harness got wrong, each with a test that fails on it.

Its hidden tests and its state lie in files that a solver can read and edit, one JSON file is
rewritten whole and lost on a crash, outputs are compared by ``strip()``, ``skip`` does not ask
the policy, a step limit loses the output, local runs leave no trace, a thread that is out of time
goes on, ``slide 0`` empties Whitespace's stack, and ``int(a / b)`` divides by way of a float.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from esolangs.limits import Limits
from esoplay.benchmark.sessions import Sessions
from esoplay.errors import RejectedCommand, StoreError
from esoplay.grading.grader import grade
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import load_pack
from esoplay.running.run import run_source
from esoplay.running.worker import Worker
from esoplay.sessions.vault import Vault

PACK = load_pack()
SEED = bytes(range(32))
HELLO = b'"!dlroW olleH">:#,_@'


class Bench:
    """A ``primary`` session in Befunge-98 with a workspace, started by an operator."""

    def __init__(self, folder: Path, sessions: Sessions):
        self.home = folder / "home"
        self.workspace = folder / "bench"
        self.sessions = sessions
        started = sessions.init("befunge-98", seed=SEED, workspace=self.workspace)
        self.session = started.session


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    with Sessions.open() as sessions:
        yield Bench(tmp_path, sessions)


def files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def test_hidden_tests_are_in_no_file(bench: Bench) -> None:
    """Not even in the operator's: they are derived when a submission is graded."""
    bench.sessions.fetch(bench.session)
    for _ in range(3):
        bench.sessions.submit(bench.session, "E01", b"@")
    bench.sessions.fetch(bench.session)
    bench.sessions.submit(bench.session, "E02", b"@")
    secrets = {test.input for test in hidden_tests(PACK.problem("E02"), SEED)}
    secrets = {secret for secret in secrets if len(secret) > 7}
    assert secrets
    for path in [*files(bench.home), *files(bench.workspace)]:
        content = path.read_bytes()
        assert not any(secret in content for secret in secrets), path
    for path in files(bench.workspace):
        assert SEED.hex().encode() not in path.read_bytes()


def test_files_of_the_operator_are_private(bench: Bench) -> None:
    bench.sessions.fetch(bench.session)
    kept = [path for path in files(bench.home) if "turns" not in str(path)]
    assert any(path.name.endswith(".seed") for path in kept)
    assert any(path.name.endswith(".sqlite") for path in kept)
    for path in kept:
        private = stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
        assert private or stat.S_IMODE(path.parent.stat().st_mode) & 0o077 == 0, path
    assert not any(path.is_relative_to(bench.workspace) for path in kept)


def test_state_that_is_edited_is_detected(bench: Bench) -> None:
    bench.sessions.fetch(bench.session)
    bench.sessions.submit(bench.session, "E01", b"@")
    store = bench.home / "sessions.sqlite"
    with closing(sqlite3.connect(store)) as connection:
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute("UPDATE event SET body = '{}' WHERE seq = 4")
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute("DELETE FROM event WHERE seq = 4")
        connection.execute("DROP TRIGGER event_is_never_changed")
        connection.execute("UPDATE event SET body = replace(body, '\"passed\":0', '\"passed\":6')")
        connection.commit()
    with (
        Sessions.open() as again,
        pytest.raises(StoreError, match=r"of session [0-9a-f]+ was changed"),
    ):
        again.status(bench.session)


def test_a_crash_while_state_is_written_loses_nothing_of_it(bench: Bench) -> None:
    """A process dies in the middle of a transaction; all that was answered is there."""
    head = bench.sessions.fetch(bench.session).head
    process = os.fork()
    if process == 0:
        connection = sqlite3.connect(bench.home / "sessions.sqlite", isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO event VALUES ('x', 1, 1, 'half', '{}', '')")
        os._exit(9)
    os.waitpid(process, 0)
    with Sessions.open() as again:
        assert again.status(bench.session).head == head
        assert again.fetch(bench.session).problem == "E01"


@pytest.mark.parametrize("more", [b"\n", b" ", b"\t", b"\0"])
def test_output_is_compared_byte_by_byte(more: bytes) -> None:
    problem = PACK.problem("E01")
    exact = grade(problem, "befunge-98", HELLO, seed=SEED, dialect="benchmark")
    assert exact.solved
    number = f"{ord(more):x}".rjust(2, "0")
    printing = f"{number[0]}f1+*{number[1]}+,@".encode()
    longer = grade(problem, "befunge-98", HELLO[:-1] + printing, seed=SEED, dialect="benchmark")
    assert {test.verdict for test in longer.tests} == {"wrong_answer"}
    stripped = grade(
        problem,
        "befunge-98",
        HELLO[:-1] + printing,
        seed=SEED,
        dialect="benchmark",
        compare="strip",
    )
    assert stripped.solved == (more != b"\0"), "it is this program that a lax match lets through"


def test_skip_is_refused_while_submissions_are_left(bench: Bench) -> None:
    bench.sessions.fetch(bench.session)
    for left in (3, 2, 1):
        with pytest.raises(RejectedCommand, match=f"while submissions are left .{left} of 3"):
            bench.sessions.skip(bench.session)
        bench.sessions.submit(bench.session, "E01", b"@")
    with pytest.raises(RejectedCommand, match="no active problem"):
        bench.sessions.skip(bench.session)
    assert bench.sessions.status(bench.session).counts["skipped"] == 0


def test_a_step_limit_keeps_the_output_so_far(bench: Bench) -> None:
    answer = bench.sessions.run(bench.session, b'"!",v\n    ><')
    assert (answer.outcome.status, answer.outcome.steps) == ("step_limit", 10_000_000)
    assert answer.outcome.stdout == b"!"
    limited = run_source("brainfuck", b"+[.]", limits=Limits(steps=7))
    assert (limited.status, limited.stdout) == ("step_limit", b"\x01\x01")


def test_every_local_run_is_logged(bench: Bench) -> None:
    bench.sessions.fetch(bench.session)
    for program, stdin in ((b"~,@", b"a"), (b"@", b""), (b"$", b"z")):
        bench.sessions.run(bench.session, program, stdin)
    export = bench.sessions.export(bench.session).as_json()
    runs = [one["body"] for one in export["events"] if one["kind"] == "program_run"]
    assert [run["status"] for run in runs] == ["ok", "ok", "fault"]
    assert {run["program"] for run in runs} <= export["programs"].keys()
    assert {run["stdin"] for run in runs} <= export["inputs"].keys()


def test_a_program_stops_at_its_time_limit() -> None:
    """The process is gone, and the next run is in another one."""
    with Worker() as worker:
        worker.run("brainfuck", b"+")
        first = worker.pid
        assert first is not None
        unlimited = Limits(steps=10**18)
        outcome = worker.run("brainfuck", b"+[]", limits=unlimited, time_limit=0.2)
        assert outcome.status == "time_limit"
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)
        assert worker.run("brainfuck", b"+.").stdout == b"\x01"
        assert worker.pid != first


def whitespace(*tokens: str | int) -> bytes:
    """A program of commands in letters (S, T, L) and numbers."""

    def spell(token: str | int) -> str:
        if isinstance(token, str):
            return token
        bits = f"{abs(token):b}".replace("0", "S").replace("1", "T")
        return ("T" if token < 0 else "S") + bits + "L"

    return "".join(map(spell, tokens)).translate(str.maketrans("STL", " \t\n")).encode()


PUSH, SLIDE, DIVIDE, MODULO, PRINT, END = "SS", "STL", "TSTS", "TSTT", "TLST", "LLL"


def test_slide_0_does_not_change_the_stack() -> None:
    source = whitespace(PUSH, 1, PUSH, 2, SLIDE, 0, PRINT, PRINT, END)
    for dialect in ("standard", "benchmark"):
        outcome = run_source("whitespace", source, dialect=dialect)
        assert (outcome.status, outcome.stdout) == ("ok", b"21")


@pytest.mark.parametrize(
    ("a", "b"), [(2**53 + 1, 1), (10**30 + 1, 3), (-(10**30) - 1, 3), (3**90, 3**45)]
)
def test_division_is_exact(a: int, b: int) -> None:
    exact = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    assert exact != int(a / b), "a float would not do"
    source = whitespace(PUSH, a, PUSH, b, DIVIDE, PRINT, END)
    assert run_source("whitespace", source, dialect="benchmark").stdout == str(exact).encode()


def test_the_log_of_a_session_determines_its_whole_state(bench: Bench) -> None:
    """No other state exists: folding an export's events gives what ``status`` returns."""
    from esoplay.sessions.audit import audit

    bench.sessions.fetch(bench.session)
    bench.sessions.submit(bench.session, "E01", HELLO)
    export = bench.sessions.export(bench.session).as_json()
    assert audit(json.dumps(export).encode()).state == bench.sessions.status(bench.session).state


def test_the_seed_is_outside_every_workspace(bench: Bench) -> None:
    assert Vault().seed(bench.session) == SEED
    with pytest.raises(Exception, match="is in the workspace"):
        bench.sessions.init("befunge-98", workspace=bench.home.parent)
