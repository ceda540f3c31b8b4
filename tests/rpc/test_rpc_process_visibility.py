"""Whether another user can see the processes of a server, and what the server does then.

``proc_mounts/`` holds a case a file: groups of a user, a mountinfo, and words of the reason to
refuse; a case without a reason hides processes.
"""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from esoplay.benchmark.sessions import Sessions
from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.rpc import peers, process_visibility, unix_socket
from esoplay.rpc.peers import namespace_refusal
from esoplay.rpc.process_visibility import Exposure, exposure_by_options, find_exposure, proc_mounts

CASES = sorted((Path(__file__).parent / "proc_mounts").glob("*.toml"))
HERE = "/proc is mounted with hidepid=0"

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has /proc")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_mount_options_decide(case: Path) -> None:
    data = tomllib.loads(case.read_text("utf-8"))
    mounts = proc_mounts(data["mountinfo"].lstrip("\n"))
    found = exposure_by_options("user 1001", mounts, frozenset(data["groups"]))
    if "reason" not in data:
        assert found is None
    else:
        assert found is not None
        assert data["reason"] in found.reason
        assert found.advice


@linux
def test_the_servers_user_and_root_see_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    for uid, said in ((0, "user 0 (root) sees every process"), (4242, "the server's own user")):
        found = find_exposure(uid, host_lane=False)
        assert found is not None
        assert said in found.reason


@linux
def test_without_root_the_mount_options_of_this_system_decide(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    visible = "22 27 0:21 / /proc rw - proc proc rw\n"
    for text, hidden in ((visible, False), (visible.replace("rw\n", "rw,hidepid=2\n"), True)):
        monkeypatch.setattr(Path, "read_text", lambda *_, text=text: text)
        assert (find_exposure(4243, host_lane=True) is None) == hidden


@linux
def test_a_server_of_root_refuses_if_it_cannot_take_on_the_rights_of_a_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> list[str]:
        raise OSError("Invalid argument")

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(process_visibility, "_readable_files", fail)
    found = find_exposure(4243, host_lane=False)
    assert found is not None
    assert "failed: Invalid argument" in found.reason


@linux
@pytest.mark.parametrize("uid", [65534, 61184])
def test_programs_of_host_lanes_may_run_as_the_solver_under_root(
    uid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(process_visibility, "_exposure_by_experiment", lambda *_: None)
    found = find_exposure(uid, host_lane=True)
    assert found is not None
    assert f"host lanes may run as user {uid}" in found.reason
    assert find_exposure(uid, host_lane=False) is None


def test_other_systems_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    found = find_exposure(4242, host_lane=False)
    assert found is not None
    assert "only on Linux" in found.reason


def test_groups_include_those_of_all_accounts_with_the_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def account(name: str, uid: int, gid: int) -> pwd.struct_passwd:
        return pwd.struct_passwd((name, "x", uid, gid, "", "/", "/bin/sh"))

    accounts = [account("one", 5000, 11), account("two", 5000, 12), account("other", 5001, 13)]
    monkeypatch.setattr(pwd, "getpwall", lambda: accounts)
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: {5000: accounts[0]}[uid])
    monkeypatch.setattr(os, "getgrouplist", lambda name, gid: [gid, 900 + len(name)])
    assert process_visibility.user_groups(5000) == {11, 12, 903}
    assert process_visibility.user_groups(5002) == frozenset()


@pytest.fixture
def serve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Start a server of a new session as far as its decision; gives exit status and its options."""
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))

    def start(*options: str, exposed: bool) -> tuple[int, dict[str, Any]]:
        with Sessions.open() as sessions:
            session = sessions.init("brainfuck").session
        served: dict[str, Any] = {}
        exposure = Exposure("user 4242 can see everything", "hide it") if exposed else None
        monkeypatch.setattr(process_visibility, "find_exposure", lambda *_, **__: exposure)
        monkeypatch.setattr(unix_socket, "serve_socket", lambda *_, **named: served.update(named))
        place = ("--socket", str(tmp_path / "s"), "--session", session)
        code = main(["serve", "--solver", *place, *options])
        with Sessions.open() as sessions:
            served["recorded"] = sessions.status(session).state.visible_processes
        return code, served

    return start


Serve = Callable[..., tuple[int, dict[str, Any]]]


def test_a_server_that_another_user_can_look_into_does_not_start(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    code, served = serve("--allow-uid", "4242", exposed=True)
    assert (code, served) == (2, {"recorded": None})
    told = capsys.readouterr().err.splitlines()
    assert told[-2].startswith("esoplay: user 4242 can see everything; ")
    assert told[-1].startswith("try: hide it; ")


def test_a_server_that_is_hidden_starts_and_knows_where_clients_are(serve: Serve) -> None:
    code, served = serve("--allow-uid", "4242", exposed=False)
    assert (code, served["namespaces"], served["recorded"]) == (0, "known", None)


def test_without_another_user_nothing_is_checked(serve: Serve) -> None:
    code, served = serve(exposed=True)
    assert (code, served["namespaces"], served["recorded"]) == (0, "any", None)


def test_an_override_by_the_operator_is_recorded(serve: Serve) -> None:
    code, served = serve("--allow-uid", "4242", "--accept-visible-processes", exposed=True)
    assert (code, served["namespaces"]) == (0, "any")
    assert served["recorded"] == "user 4242 can see everything"


def test_a_solver_of_the_same_user_is_recorded_too(serve: Serve) -> None:
    code, served = serve("--accept-visible-processes", exposed=False)
    assert code == 0
    assert "is the server's own user" in served["recorded"]


def test_nothing_is_recorded_where_nothing_is_visible(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    code, served = serve("--allow-uid", "4242", "--accept-visible-processes", exposed=False)
    assert (code, served["recorded"]) == (0, None)
    assert "the session does not record it" in capsys.readouterr().err


@linux
def test_isolated_solvers_need_no_check_of_proc(serve: Serve) -> None:
    code, served = serve("--allow-uid", "4242", "--isolated-solver", exposed=True)
    assert (code, served["namespaces"], served["recorded"]) == (0, "inner", None)


def test_isolation_that_cannot_be_checked_is_refused(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "_own_namespace_depth", lambda: 0)
    code, served = serve("--isolated-solver", exposed=False)
    assert (code, "namespaces" in served) == (2, False)
    assert "does not report the PID namespace" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--isolated-solver"], "--isolated-solver needs --solver and --socket"),
        (["--socket", "s", "--accept-visible-processes"], "needs --solver and --socket"),
        (["--solver", "--session", "0123456789ab", "--isolated-solver"], "--socket"),
        (
            [
                *("--solver", "--session", "0123456789ab", "--socket", "s"),
                *("--isolated-solver", "--accept-visible-processes"),
            ],
            "cannot be combined",
        ),
    ],
)
def test_invalid_combinations_of_options_are_usage_errors(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *arguments]) == 2
    assert said in capsys.readouterr().err


@linux
@pytest.mark.parametrize("peerpidfd", [True, False], ids=["peerpidfd", "pidfd_open"])
def test_a_client_in_the_namespace_of_the_server_is_refused_only_as_isolated(
    peerpidfd: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not peerpidfd:
        monkeypatch.setattr(peers, "_SO_PEERPIDFD", 9999)  # as on Linux before 6.5
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert namespace_refusal(ours, "any") is None
        assert namespace_refusal(ours, "known") is None
        refusal = namespace_refusal(ours, "inner")
        assert refusal is not None
        assert "in the server's own PID namespace" in refusal
        monkeypatch.setattr(peers, "_own_namespace_depth", lambda: 0)  # as seen from outside
        assert namespace_refusal(ours, "inner") is None


@linux
def test_a_client_in_an_unknown_namespace_is_refused_unless_any_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        monkeypatch.setattr(peers, "_pidfd_namespace_depth", lambda _: 0)  # the process has gone
        assert "cannot be determined" in (namespace_refusal(ours, "inner") or "")
        monkeypatch.setattr(peers, "_read_credentials", lambda _: peers._Credentials(0, 1, 1))
        assert "is unknown to the server" in (namespace_refusal(ours, "known") or "")
        assert "cannot be determined" in (namespace_refusal(ours, "inner") or "")
        assert namespace_refusal(ours, "any") is None


@linux
def test_an_ended_process_is_in_no_namespace() -> None:
    child = subprocess.Popen(["sleep", "60"])
    descriptor = os.pidfd_open(child.pid)
    child.kill()
    child.wait()
    assert peers._pidfd_namespace_depth(descriptor) == 0


@pytest.mark.parametrize("number", ["4294967295", "99999999999"])
def test_a_number_beyond_all_users_is_refused(number: str) -> None:
    with pytest.raises(UsageError, match="not a user id"):
        peers.find_uid(number)
