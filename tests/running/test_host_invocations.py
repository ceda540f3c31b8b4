"""Programs of host lanes with arguments, expected ends, several files and a server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from host_programs import needs
from selection import slow_except

from esoplay.errors import LaneError, WorkerDied
from esoplay.running.host.lanes import find_lane, lane_ids
from esoplay.running.host.runner import HostRunner
from esoplay.running.host.source_files import (
    SourceFilesError,
    join_files,
    missing_files,
    split_source,
)
from esoplay.running.host.toolchain import find_toolchain, missing_reason
from esoplay.running.invocation import ProgramInvocation

SERVER = """
import socket
listener = socket.create_server(("127.0.0.1", 18099))
print("ready", flush=True)
while True:
    connection, _ = listener.accept()
    connection.recv(1000)
    connection.sendall(b"HTTP/1.1 418 short and stout\\r\\nContent-Length: 0\\r\\n\\r\\n")
    connection.close()
"""
STATUS = b"""
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=5)
try:
    connection.request("GET", "/")
    print(connection.getresponse().status, end="")
except OSError as error:
    print(type(error).__name__, end="")
"""
TWO_FILES = {
    "go": {
        "main.go": b'package main\nimport "fmt"\nfunc main() { fmt.Print(twice(21)) }\n',
        "library.go": b"package main\nfunc twice(x int) int { return 2 * x }\n",
    },
    "javascript": {
        "main.js": b'process.stdout.write(`${require("./library").twice(21)}`);\n',
        "library.js": b"exports.twice = (x) => 2 * x;\n",
    },
    "python": {
        "main.py": b'from library import twice\nprint(twice(21), end="")\n',
        "library.py": b"def twice(x):\n    return 2 * x\n",
    },
    "rust": {
        "main.rs": b'mod library;\nfn main() { print!("{}", library::twice(21)); }\n',
        "library.rs": b"pub fn twice(x: u32) -> u32 { 2 * x }\n",
    },
    "typescript": {
        "main.ts": b'import { twice } from "./library";\ndeclare const process: any;\n'
        b"process.stdout.write(`${twice(21)}`);\n",
        "library.ts": b"export const twice = (x: number): number => 2 * x;\n",
    },
}


@pytest.fixture(scope="module")
def runner() -> Iterator[HostRunner]:
    with HostRunner() as runner:
        yield runner


def test_arguments_reach_the_program_unchanged(runner: HostRunner) -> None:
    arguments = ("two words", "", "-x", "{source}", "é")
    source = b"import sys; print(sys.argv[1:], end='')"
    outcome = runner.run("python", source, invocation=ProgramInvocation(arguments))
    assert outcome.stdout.decode() == str(list(arguments))


@pytest.mark.parametrize(
    ("written", "code", "status", "words"),
    [
        ("no", 2, "ok", ""),
        ("no", 3, "fault", "exit status 3, expected exit status 2: no"),
        ("yes", 2, "fault", "expected on stderr: no; the program wrote: yes"),
        ("", 2, "fault", "expected on stderr: no; the program wrote: nothing"),
    ],
)
def test_a_run_can_require_an_exit_status_and_a_text_on_stderr(
    runner: HostRunner, written: str, code: int, status: str, words: str
) -> None:
    source = f"import sys; sys.stderr.write({written!r}); sys.exit({code})".encode()
    expected = ProgramInvocation(exit_code=2, stderr=b"no")
    outcome = runner.run("python", source, invocation=expected)
    assert (outcome.status, outcome.stderr) == (status, words)


def test_a_program_reaches_the_server_of_its_problem_and_nothing_else(runner: HostRunner) -> None:
    needs(runner, "network", "files")
    to_server, to_nothing = (
        ProgramInvocation((port,), server=SERVER) for port in ("18099", "18098")
    )
    assert runner.run("python", STATUS, invocation=to_server).stdout == b"418"
    assert runner.run("python", STATUS, invocation=to_nothing).stdout == b"ConnectionRefusedError"
    without = runner.run("python", STATUS, invocation=ProgramInvocation(("18099",)))
    assert without.stdout == b"PermissionError"
    by_path = b"import socket; socket.socket(socket.AF_UNIX)"
    outcome = runner.run("python", by_path, invocation=to_server)
    assert "PermissionError" in outcome.stderr


def test_a_server_that_does_not_start_is_reported_with_its_error(runner: HostRunner) -> None:
    needs(runner, "network", "files")
    for server, words in (
        ("import nothing_here", "did not start: ModuleNotFoundError: No module named"),
        ("pass", "did not start: it printed no line to report that it is ready"),
    ):
        with pytest.raises(WorkerDied, match=words):
            runner.run("python", b"pass", invocation=ProgramInvocation(server=server))


def test_without_namespaces_a_server_is_refused(
    runner: HostRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESOPLAY_NO_NAMESPACES", "1")
    with pytest.raises(LaneError, match=r"needs a network of its own.* does not allow namespaces"):
        runner.run("python", b"pass", invocation=ProgramInvocation(server=SERVER))


@pytest.mark.parametrize("id", slow_except(lane_ids(), "javascript", "python"))
def test_a_submission_may_have_several_files(runner: HostRunner, id: str) -> None:
    lane = find_lane(id)
    if find_toolchain(lane) is None:
        pytest.skip(f"{lane.name} is not installed: {missing_reason(lane)}")
    outcome = runner.run(id, join_files(TWO_FILES[id]))
    assert (outcome.status, outcome.stdout) == ("ok", b"42"), outcome.stderr


def test_a_file_with_an_invalid_name_is_a_parse_error(runner: HostRunner) -> None:
    outcome = runner.run("python", b"-- main.py --\npass\n-- ../escape.py --\npass\n")
    assert outcome.status == "parse_error"
    assert outcome.stderr.startswith("line 3: '../escape.py' is not a file name")


def test_an_archive_is_split_into_its_files() -> None:
    files = {"src/main.py": b"import a\n", "src/a.py": b"x = 1\n", "empty": b""}
    assert split_source(join_files(files), "main.py") == ("src/main.py", files)
    assert missing_files(files, ("main", "b", "a")) == ["b"]


@pytest.mark.parametrize("source", [b"-- other.lua --\nprint(1)\n", b"print(1)\n-- main.py", b""])
def test_a_comment_does_not_make_a_program_an_archive(source: bytes) -> None:
    assert split_source(source, "main.py") == ("main.py", {"main.py": source})


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["main.py", "main.py"], "line 3: duplicate file main.py; expected each file once"),
        (["main.py", "main.py/x"], "line 3: main.py/x is both a file and a folder"),
        (["main.py", "/etc/x"], "line 3: '/etc/x' is not a file name"),
        (["main.py", ".hidden"], "line 3: '.hidden' is not a file name"),
        (["main.py", *(f"{number}.py" for number in range(64))], "at most 64 files, found 65"),
    ],
)
def test_invalid_archives_are_refused(names: list[str], words: str) -> None:
    source = b"".join(f"-- {name} --\npass\n".encode() for name in names)
    with pytest.raises(SourceFilesError, match=words):
        split_source(source, "main.py")
