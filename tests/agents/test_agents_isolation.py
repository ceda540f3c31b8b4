"""Solvers under bubblewrap: what they see, how they end, and what happens without bubblewrap."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from agents_helpers import agents, is_there, sessions_of, write_grid
from shell import ROOT

from esoplay.agents import isolation
from esoplay.agents.agent_workspace import find_isolation
from esoplay.agents.grid import read_grid
from esoplay.agents.isolation import (
    CommandFileSearch,
    SandboxCommand,
    SolverFiles,
    find_bubblewrap,
    sandbox,
)
from esoplay.agents.mcp_relay import MAX_SERVERS, ToolServer
from esoplay.agents.processes import SupervisedCommand
from esoplay.cli.commands.doctor import examine_installation
from esoplay.cli.main import main
from esoplay.errors import UsageError

Capture = pytest.CaptureFixture[str]
isolated = pytest.mark.skipif(
    not find_bubblewrap().is_usable, reason="bubblewrap does not work here"
)
SOLVER = '[[solvers]]\nname = "heron"\ncommand = ["true"]\n'
VISIBLE = "solvers cannot be isolated: ESOPLAY_NO_NAMESPACES is set"


# --- without bubblewrap


@pytest.mark.slow
@pytest.mark.usefixtures("visible_processes")
def test_without_bubblewrap_a_run_starts_only_if_visible_processes_are_accepted(
    pack: Path,
    answers: Path,
    tmp_path: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A program of this name must exist also on machines without bubblewrap; it is not used.
    bwrap = tmp_path / "bin" / "bwrap"
    bwrap.parent.mkdir()
    bwrap.write_text("#!/bin/sh\necho bubblewrap 0.8.0\n")
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", str(bwrap.parent), prepend=os.pathsep)
    grid = write_grid(tmp_path / "grid.toml", pack, answers, {"heron": "solve"})
    run = tmp_path / "run"
    assert main(["agents", "run", str(grid), "-o", str(run)]) == 2
    words = capsys.readouterr().err.splitlines()
    assert words[0].startswith(f"esoplay: {VISIBLE}; ")
    assert words[1].startswith("try: unset ESOPLAY_NO_NAMESPACES; ")
    assert "--accept-visible-processes" in words[1]
    assert not (run / "run.json").exists()

    status, out, told = agents(capsys, "run", grid, "-o", run, "--dry-run")
    assert (status, out) == (0, "heron  brainfuck  primary  1  not begun\n")
    assert VISIBLE in told

    status, out, told = agents(capsys, "run", grid, "-o", run, "--json")  # which accepts it
    assert status == 0
    assert "complete, 2 of 2 solved, verified, not isolated" in told
    assert sessions_of(out)["heron"]["result"]["isolated"] is False
    assert "  not isolated" in agents(capsys, "status", run)[1]
    words = agents(capsys, "report", run, "--json")[2]
    assert (
        "solvers were not isolated in 1 of 1 session; the first of these sessions: heron" in words
    )

    # What is played already needs no solver, and so no acceptance.
    assert main(["agents", "run", str(grid), "-o", str(run)]) == 0


@pytest.mark.parametrize(
    ("platform", "path", "missing"),
    [("darwin", "", "bubblewrap needs Linux"), ("linux", "", "bubblewrap is not installed")],
)
def test_a_missing_requirement_is_named_with_advice(
    platform: str, path: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolation.sys, "platform", platform)
    monkeypatch.setenv("PATH", path)
    found = find_bubblewrap()
    assert (found.is_usable, found.missing) == (False, missing)
    assert found.fix


@pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap needs Linux")
def test_bubblewrap_that_may_not_create_namespaces_is_reported_with_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "bwrap"
    tool.write_text("#!/bin/sh\necho 'bwrap: Operation not permitted' >&2\nexit 1\n", "utf-8")
    tool.chmod(0o755)
    monkeypatch.delenv(isolation.DISABLE_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    found = find_bubblewrap()
    assert found.missing == "bubblewrap cannot create namespaces: Operation not permitted"
    assert found.fix


def test_doctor_reports_whether_solvers_can_be_isolated(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert examine_installation()["bubblewrap"]["works"] == find_bubblewrap().is_usable
    monkeypatch.setenv(isolation.DISABLE_VARIABLE, "1")
    main(["doctor"])
    without = capsys.readouterr().out
    assert "isolation of solvers\n  not possible: " in without
    assert "\n  try: " in without


# --- what a solver sees


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    for name in ("workspace", "home", "socket", "tmp"):
        (tmp_path / name).mkdir()
    return tmp_path


def sandbox_of(folders: Path, *tools: str, hidden: tuple[str, ...] = ()) -> SandboxCommand:
    view = SolverFiles(
        tools=(
            *CommandFileSearch(os.environ["PATH"], [], []).find_program_files(sys.executable),
            *tools,
        ),
        hidden_folders=hidden,
        writable_folders=(str(folders / "workspace"), str(folders / "home")),
        socket=str(folders / "socket"),
        temporary=str(folders / "tmp"),
    )
    return sandbox(find_bubblewrap(), view, str(folders / "workspace"), None)


def shell(box: SandboxCommand, command: str, user: int | None = None) -> str:
    """What a shell command prints in a sandbox, on both streams."""
    words = [box.program, *box.options, "--", *box.before, "sh", "-c", command]
    done = subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        text=True,
        user=user,
    )
    return done.stdout


@isolated
def test_hidden_folders_are_empty_also_where_a_link_leads_to_them(folders: Path) -> None:
    project, alias = folders / "project", folders / "alias"
    (project / "problems").mkdir(parents=True)
    (project / "problems" / "judge.py").touch()
    (project / "tool").touch()
    alias.symlink_to(project)
    hidden = (str(project / "problems"),)
    for shown in (project, alias):
        box = sandbox_of(folders, str(shown), hidden=hidden)
        command = f"ls {shown} {shown}/problems; touch {shown}/problems/x {shown}/x"
        said = shell(box, command).splitlines()
        assert [line for line in said if line and not line.startswith("touch")] == [
            *(f"{shown}:", "problems", "tool"),
            f"{shown}/problems:",
        ]
        assert len([line for line in said if "Read-only file system" in line]) == 2


@isolated
def test_an_agent_writes_only_to_workspace_home_and_temporary_folder(folders: Path) -> None:
    written = [folders / "workspace" / "x", folders / "home" / "x"]
    refused = ["/x", "/usr/x", "/etc/x", "/var/x", str(folders / "socket" / "x")]
    lost = [str(folders / "x")]  # in its own /tmp, as far as that leads to the workspace
    places = " ".join([*map(str, written), "/tmp/mine", "/var/tmp/too", *refused, *lost])
    said = shell(sandbox_of(folders), f"for one in {places}; do echo > $one; done")
    assert all(place.exists() for place in written)
    assert sorted(path.name for path in (folders / "tmp").glob("[mt]*")) == ["mine", "too"]
    assert all(f"cannot create {place}: " in said for place in refused)
    assert not any(Path(place).exists() for place in (*refused, *lost))


@isolated
def test_an_agent_reads_only_public_files_of_etc(folders: Path) -> None:
    said = shell(sandbox_of(folders), "cat /etc/passwd > /dev/null && cat /etc/shadow")
    assert "/etc/shadow: No such file" in said


@isolated
def test_every_user_can_write_to_the_shared_memory_of_a_sandbox(folders: Path) -> None:
    assert shell(sandbox_of(folders), "stat -c %a /dev/shm; touch /dev/shm/x && echo made") == (
        "1777\nmade\n"
    )


def test_private_files_are_left_out_of_etc(tmp_path: Path) -> None:
    """It is not covered: a cover would be gone once the file is replaced."""
    mixed, public, closed = (tmp_path / name for name in ("mixed", "public", "closed"))
    for folder in (mixed, public, closed):
        folder.mkdir(mode=0o755)
        (folder / "all").touch(0o644)
        (folder / "link").symlink_to("all")
    (mixed / "secret").touch(0o600)
    closed.chmod(0o700)
    assert list(isolation._show_readable_files(str(tmp_path))) == [  # pyright: ignore[reportPrivateUsage]
        *("--dir", str(mixed), "--ro-bind-try", str(mixed / "all"), str(mixed / "all")),
        *("--symlink", "all", str(mixed / "link")),
        *("--ro-bind-try", str(public), str(public)),
    ]


@isolated
def test_user_0_of_a_sandbox_cannot_write_kernel_settings(folders: Path) -> None:
    said = shell(sandbox_of(folders), "cat /proc/sys/vm/swappiness; echo > /proc/sys/vm/swappiness")
    assert "cannot create" in said


@isolated
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_isolation_works_for_an_operator_without_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a user namespace; in a folder of all users, as pytest's folders are root's."""
    uid = 47_003
    monkeypatch.setattr(isolation.os, "geteuid", lambda: uid)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        view = SolverFiles((), (), (name,), name, name)
        box = sandbox(find_bubblewrap(), view, name, None)
        said = shell(box, "id -u; echo $$; grep -h CapEff /proc/self/status", uid)
    assert said.split() == [str(uid), "2", "CapEff:", "0" * 16]


# --- how it ends


@pytest.fixture
def supervise(folders: Path) -> Iterator[Callable[..., SupervisedCommand]]:
    """Starts Python code in a sandbox, by default with a second of grace."""
    with (folders / "lock").open("w") as lock:

        def start(code: str, grace: int = 1) -> SupervisedCommand:
            return SupervisedCommand(
                [sys.executable, "-S", "-c", code],
                cwd=folders / "workspace",
                environment={"PATH": "/usr/bin:/bin", "KEY": "a-secret-value"},
                stdout=folders / "out",
                stderr=folders / "err",
                max_bytes=1 << 20,
                lock_fd=lock.fileno(),
                secrets={"KEY": "a-secret-value"},
                grace_seconds=grace,
                sandbox=sandbox_of(folders),
            )

        yield start


def wait_for_output(output: Path, word: str) -> None:
    deadline = time.monotonic() + 60
    while word not in (output.read_text("utf-8") if output.exists() else ""):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@isolated
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import sys; sys.exit(7)", (7, None)),
        ("pass", (0, None)),
        ("import os; os.kill(os.getpid(), 15)", (None, 15)),
        ("import os; os.kill(0, 9)", (None, 9)),  # its process group, bubblewrap not included
        ("import os; os.kill(1, 9); os._exit(5)", (5, None)),
    ],
)
def test_the_exit_status_of_an_isolated_agent_is_reported(
    code: str,
    expected: tuple[int | None, int | None],
    supervise: Callable[[str], SupervisedCommand],
) -> None:
    command = supervise(code)
    assert command.ended.wait(60)
    end = command.stop()
    assert (end["exit_code"], end["signal"]) == expected
    assert (command.failure, end["stopped"], end["left_behind"]) == (None, False, 0)


@isolated
def test_an_agent_gets_no_secret_and_no_open_descriptor(
    supervise: Callable[[str], SupervisedCommand], folders: Path
) -> None:
    code = "import os; print(os.environ['KEY'], sorted(os.listdir('/proc/self/fd')), flush=True)"
    command = supervise(code)
    assert command.ended.wait(60)
    command.stop()
    assert (folders / "out").read_text("utf-8") == "[KEY] ['0', '1', '2', '3']\n"  # 3 is the folder


STAYING = (
    "import signal, subprocess, sys, time\n"
    "sleeper = 'import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(900)'\n"
    "subprocess.Popen([sys.executable, '-S', '-c', sleeper, WORD], start_new_session=True)\n"
)


def processes_with(word: str) -> list[int]:
    found: list[int] = []
    for folder in filter(lambda one: one.name.isdigit(), Path("/proc").iterdir()):
        try:
            line = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if word.encode() in line.split(b"\0"):
            found.append(int(folder.name))
    return found


@isolated
def test_leftover_processes_are_counted_and_ended(
    supervise: Callable[[str], SupervisedCommand], folders: Path
) -> None:
    word = str(folders)
    command = supervise(STAYING.replace("WORD", repr(word)))
    assert command.ended.wait(60)
    assert command.stop()["left_behind"] == 1
    assert processes_with(word) == []


@isolated
def test_an_isolated_agent_may_end_within_its_grace_period(
    supervise: Callable[..., SupervisedCommand], folders: Path
) -> None:
    command = supervise(
        "import os, signal, time\n"
        "def end(*_): os.write(1, b'ended\\n'); os._exit(3)\n"
        "signal.signal(15, end); os.write(1, b'started\\n')\n"
        "while True: time.sleep(0.05)",  # a signal just before a long sleep would wait for its end
        grace=120,  # it ends at once, but not on a busy machine
    )
    wait_for_output(folders / "out", "started")
    end = command.stop()
    assert (end["stopped"], end["exit_code"]) == (True, 3)
    assert (folders / "out").read_text("utf-8") == "started\nended\n"


@isolated
@pytest.mark.parametrize("killed", ["supervisor", "supervisor and guard"])
def test_the_sandbox_ends_when_its_supervisors_are_killed(
    killed: str, supervise: Callable[[str], SupervisedCommand], folders: Path
) -> None:
    word = str(folders)
    command = supervise(
        STAYING.replace("WORD", repr(word)) + "print('on', flush=True); time.sleep(900)"
    )
    wait_for_output(folders / "out", "on")
    guard = command._process.pid
    supervisor = int(Path(f"/proc/{guard}/task/{guard}/children").read_text("ascii").split()[0])
    for pid in (guard, supervisor) if killed == "supervisor and guard" else (supervisor,):
        os.kill(pid, signal.SIGKILL)
    assert command.ended.wait(60)
    deadline = time.monotonic() + 60
    while any(map(is_there, processes_with(word))):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@isolated
def test_a_sandbox_that_cannot_be_created_is_reported(
    supervise: Callable[[str], SupervisedCommand], folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(folders / "home")
    command = supervise("pass")
    assert command.ended.wait(60)
    assert command.failure == "bubblewrap could not create its sandbox"
    assert "home" in (folders / "err").read_text("utf-8")


# --- the tools of a command


def write_executable(file: Path, text: str = "") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    file.chmod(0o755)
    return file


def find_shown_files(
    command: list[str | Path], *, path: str = "/usr/bin:/bin", apart: Path
) -> list[str]:
    words = [str(word) for word in command]
    return list(
        CommandFileSearch(path, [str(apart / "run")], [str(apart)]).find_command_files(words)
    )


def test_a_tool_includes_its_installation_and_interpreter(tmp_path: Path) -> None:
    interpreter = write_executable(tmp_path / "lang" / "bin" / "lang")
    script = write_executable(
        tmp_path / "pkg" / "lib" / "node_modules" / "a" / "a.js", f"#!{interpreter}\n"
    )
    link = tmp_path / "prefix" / "bin" / "a"
    link.parent.mkdir(parents=True)
    link.symlink_to(script)
    found = find_shown_files([link], apart=tmp_path / "grid")
    assert found == [str(tmp_path / one) for one in ("prefix", "pkg/lib/node_modules", "lang")]
    by_path = write_executable(tmp_path / "b" / "bin" / "b", "#!/usr/bin/env -S lang -x\n")
    path = f"/usr/bin:{interpreter.parent}"
    assert find_shown_files([by_path], path=path, apart=tmp_path / "grid") == [
        *(str(tmp_path / "b"), str(tmp_path / "lang"))
    ]


def test_a_tool_beside_the_grid_is_shown_without_its_folder(tmp_path: Path) -> None:
    script = write_executable(tmp_path / "grid" / "agent.sh", "#!/bin/sh\n")
    config, inside = (
        write_executable(tmp_path / "x" / "config"),
        write_executable(tmp_path / "grid" / "run" / "store"),
    )
    command = [script, config, f"--more={config.parent}", inside, tmp_path, "/", "relative"]
    found = find_shown_files(command, apart=tmp_path / "grid")
    assert found == [str(script), str(config), str(config.parent)]


def test_folders_on_path_outside_of_the_home_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    own, other = (
        write_executable(tmp_path / "home" / "bin" / "x"),
        write_executable(tmp_path / "tools" / "bin" / "y"),
    )
    path = os.pathsep.join(map(str, (own.parent, other.parent, "/usr/bin")))
    assert find_shown_files(["true"], path=path, apart=tmp_path / "grid") == [
        str(tmp_path / "tools")
    ]


def test_python_for_the_client_is_shown_where_the_system_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    shim = write_executable(tmp_path / "shims" / "python3", "#!/bin/sh\n")
    python = write_executable(tmp_path / ".versions" / "3" / "bin" / "python3", "\x7fELF")
    path = f"{shim.parent}:{python.parent}"
    found = find_shown_files(["/bin/true"], path=path, apart=tmp_path / "grid")
    assert found == [str(tmp_path / ".versions" / "3")]


# --- the key of the grid


def test_a_grid_can_show_folders_but_none_that_contains_hidden_files(tmp_path: Path) -> None:
    file = tmp_path / "grid.toml"
    (tmp_path / "more").mkdir()
    file.write_text(SOLVER + 'show = ["more", "/usr/share"]\n', "utf-8")
    (solver,) = read_grid(file).solvers
    assert solver.show == (str(tmp_path / "more"), "/usr/share")
    run = tmp_path / "more" / "run"
    run.mkdir()
    found = find_isolation(find_bubblewrap(), solver, run, tmp_path, None)
    assert {str(run), str(ROOT / "problems"), os.environ["ESOPLAY_HOME"]} <= set(found.hidden)
    with pytest.raises(UsageError, match="files that solvers must not see"):
        find_isolation(find_bubblewrap(), solver, tmp_path, tmp_path, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('show = ["nowhere"]', "show[0]: expected a file or a folder"),
        ('show = ["/usr", "/"]', "show[1]: the solver cannot be given the whole file system"),
        ('show = "more"', "show: "),
    ],
)
def test_a_mistake_in_show_is_reported_with_its_place(
    text: str, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "grid.toml"
    file.write_text(SOLVER + text + "\n", "utf-8")
    with pytest.raises(UsageError) as caught:
        read_grid(file)
    assert f"solvers[0].{words}" in str(caught.value)


def test_a_grid_without_show_keeps_its_definition(tmp_path: Path) -> None:
    """Else a run that an earlier version began could not be resumed."""
    file = tmp_path / "grid.toml"
    definitions: set[str] = set()
    for further in ("", 'show = ["/usr"]\n'):
        file.write_text(SOLVER + further, "utf-8")
        grid = read_grid(file)
        definitions.add(grid.definition_digest(grid.solvers[0], grid.protocols[0][1]))
    assert len(definitions) == 2


# --- tools by MCP


def test_servers_of_tools_are_bounded_and_end_with_the_session(folders: Path) -> None:
    path = folders / "socket" / "tools.sock"
    word = str(folders)
    code = (
        "import sys; sys.stdout.write(sys.stdin.readline()); sys.stdout.flush(); sys.stdin.read()"
    )
    server = ToolServer(path, [sys.executable, "-S", "-c", code, word], dict(os.environ))
    clients = [socket.socket(socket.AF_UNIX) for _ in range(MAX_SERVERS + 1)]
    try:
        for client in clients:
            client.connect(str(path))
            client.sendall(b"a line\n")
        answers = [client.recv(100) for client in clients[:-1]]
        assert answers == [b"a line\n"] * MAX_SERVERS
        with suppress(ConnectionResetError):  # it may have been closed with a line unread
            assert clients[-1].recv(100) == b""
    finally:
        server.close()
        for client in clients:
            client.close()
    assert not any(map(is_there, processes_with(word)))
