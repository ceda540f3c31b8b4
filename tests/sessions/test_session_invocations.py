"""Local runs with arguments of the command line, and beside the server of a problem."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from forgeries import Json, at, copy, findings, rechain

from esoplay import thin_client
from esoplay.benchmark.sessions import Sessions
from esoplay.benchmark.verification import verify_export
from esoplay.cli.main import main
from esoplay.errors import RejectedCommand, UsageError
from esoplay.rpc.mcp.session_tools import SessionTools
from esoplay.sessions.store import EventStore
from esoplay.sessions.vault import Vault

SEED = bytes(range(32))
ARGUMENTS = b"import sys\nprint(sys.argv[1:], open(0).read())"
STATUS = b"""
import socket
server = socket.create_connection(("127.0.0.1", 18114))
server.sendall(f"GET {input()} HTTP/1.1\\r\\n\\r\\n".encode())
print(server.makefile().readline().split()[1])
"""


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    store = EventStore(tmp_path / "store.sqlite")
    with Sessions(store, vault=Vault(tmp_path / "vault")) as opened:
        yield opened


def started(sessions: Sessions, *problems: str, language: str = "python", runs: str = "3") -> str:
    changes = {"runs": int(runs), "order": "free"}
    options = {"changes": changes, "pack": "basics", "problems": problems, "seed": SEED}
    return sessions.init(language, **options).session  # pyright: ignore[reportArgumentType]


def exported(sessions: Sessions, session: str) -> Json:
    sessions.close_session(session)
    return copy(sessions.export(session).as_json())


def test_a_run_has_arguments_and_the_server_of_the_current_problem(sessions: Sessions) -> None:
    session = started(sessions, "B02", "B14")
    sessions.fetch(session, "B14")
    for _ in range(2):
        answer = sessions.run(session, STATUS, b"/status/202", request_id="one")
        assert (answer.outcome.stdout, answer.runs_left) == (b"202\n", 2)
    sessions.fetch(session, "B02")
    alone = sessions.run(session, STATUS, b"/status/202")
    assert alone.outcome.status == "fault"
    answer = sessions.run(session, ARGUMENTS, b"x", arguments=["a", "-v", "ü b", ""])
    assert answer.outcome.stdout.decode() == "['a', '-v', 'ü b', ''] x\n"
    export = exported(sessions, session)
    assert export["format_version"] == 4
    runs = [event["body"] for event in export["events"] if event["kind"] == "program_run"]
    assert [(run.get("arguments"), run.get("server")) for run in runs] == [
        (None, "B14"),
        (None, None),
        (["a", "-v", "ü b", ""], None),
    ]
    again = verify_export(json.dumps(export).encode(), seed=SEED)
    assert (again.findings, again.runs) == ((), 3)


@pytest.mark.slow
def test_a_run_is_repeated_with_its_arguments(sessions: Sessions) -> None:
    session = started(sessions, "B02")
    sessions.fetch(session)
    sessions.run(session, ARGUMENTS, arguments=["a"])
    export = exported(sessions, session)
    at(export, "program_run")["body"]["arguments"] = ["b"]
    again = verify_export(json.dumps(rechain(export)).encode(), seed=SEED)
    assert {finding.field for finding in again.findings} == {"stdout"}


def test_a_log_with_the_server_of_another_problem_is_refused(sessions: Sessions) -> None:
    session = started(sessions, "B02", "B14")
    sessions.fetch(session, "B02")
    sessions.run(session, ARGUMENTS, arguments=["a"])
    export = exported(sessions, session)
    at(export, "program_run")["body"]["server"] = "B14"
    (found,) = findings(rechain(export))
    reason = "the run used the server of B14, but this is no longer the current problem"
    assert f"against the rules: {reason}" in found


def test_a_repeated_request_has_the_same_arguments(sessions: Sessions) -> None:
    session = started(sessions, "B02")
    sessions.fetch(session)
    sessions.run(session, ARGUMENTS, arguments=["a"], request_id="one")
    with pytest.raises(RejectedCommand, match="was used for another run"):
        sessions.run(session, ARGUMENTS, arguments=["b"], request_id="one")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["a", "b\0"], "argument 2: expected text without NUL"),
        (["\udcff"], "argument 1: expected UTF-8"),
        (["a"] * 1001, "1,001 arguments; expected at most 1,000"),
        (["a" * 65537], "65,537 bytes of arguments; expected at most 65,536"),
    ],
    ids=["nul", "bytes", "many", "long"],
)
def test_arguments_that_no_program_can_have_are_refused(
    arguments: list[str], words: str, sessions: Sessions
) -> None:
    session = started(sessions, "B02")
    sessions.fetch(session)
    with pytest.raises(RejectedCommand, match=words):
        sessions.run(session, ARGUMENTS, arguments=arguments)
    assert sessions.status(session).state.progress["B02"].runs == 0


def test_programs_in_esoteric_languages_have_no_arguments(sessions: Sessions) -> None:
    session = started(sessions, "B01", language="brainfuck")
    sessions.fetch(session)
    with pytest.raises(
        UsageError, match="brainfuck has no command line; only programs in host lanes"
    ):
        sessions.run(session, b"+.", arguments=["a"])
    sessions.run(session, b"+.")
    export = exported(sessions, session)
    assert not {"arguments", "server"} & at(export, "program_run")["body"].keys()


def test_solvers_read_what_the_problems_need(sessions: Sessions, tmp_path: Path) -> None:
    texts: dict[str, str] = {}
    for name, language, pack, runs in (
        ("all", "python", "basics", "unlimited"),
        ("blind", "python", "basics", 0),
        ("esoteric", "unlambda", "basics", "unlimited"),
        ("ours", "python", None, "unlimited"),
    ):
        folder = tmp_path / name
        sessions.init(language, changes={"runs": runs}, pack=pack, workspace=folder)
        texts[name] = (folder / "AGENTS.md").read_text("utf-8")
    for words in ("`esoplay session run FILE --argument A`", "also runs during local runs"):
        assert [name for name in texts if words in texts[name]] == ["all"]
    for words in ("arguments of the command line", "a server on 127.0.0.1"):
        assert [name for name in texts if words in texts[name]] == ["all", "blind"]
    in_the_card = [name for name in texts if "`-- main.py --`" in texts[name]]
    assert in_the_card == ["all", "blind", "ours"]


def test_agents_give_arguments_through_the_tools_of_a_session(sessions: Sessions) -> None:
    session = started(sessions, "B02")
    tools = SessionTools(sessions, session)
    tools.call("fetch", {})
    program = {"program": ARGUMENTS.decode()}
    told = tools.call("run", {**program, "stdin": "x", "arguments": ["a", "b c"]})
    assert not told.failed
    assert "['a', 'b c'] x" in told.text
    refused = tools.call("run", {**program, "arguments": ["a", 3]})
    assert (refused.failed, "arguments[1]" in refused.text) == (True, True)


def test_the_command_and_the_thin_client_pass_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    init = ["session", "init", "--language", "python", "--pack", "basics", "--problems", "B02"]
    assert main([*init, "--workspace", str(tmp_path / "desk")]) == 0
    monkeypatch.chdir(tmp_path / "desk")
    Path("a.py").write_bytes(ARGUMENTS)
    assert main(["session", "fetch"]) == 0
    capfdbinary.readouterr()
    words = ["run", "a.py", "--input", "x", "--argument", "b c", "--argument=-v"]
    assert main(["session", *words]) == 0
    assert capfdbinary.readouterr().out == b"['b c', '-v'] x\n"
    sent: list[Json] = []

    def call(self: object, method: str, key: str | None = None, **params: object) -> Json:
        sent.append(params)
        return {"stdout": "", "stderr": "", "runs_left": None, "exit_code": 0}

    monkeypatch.setattr(thin_client.Client, "call", call)
    assert thin_client.perform(thin_client.parser().parse_args([*words, "--connect", "s"])) == 0
    assert sent[0]["arguments"] == ["b c", "-v"]
