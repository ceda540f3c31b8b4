"""Comparison modes, tool profiles and time limits of a session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from forgeries import Json, copy, rechain

from esoplay.benchmark.sessions import Sessions, resolve_protocol
from esoplay.benchmark.verification import Verification, verify_export
from esoplay.cli.main import main
from esoplay.errors import RejectedCommand, UsageError
from esoplay.grading.grader import grade
from esoplay.rpc.mcp.session_tools import SessionTools
from esoplay.sessions.audit import audit
from esoplay.sessions.store import EventStore, digest
from esoplay.sessions.vault import Vault

SEED = bytes(range(32))


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    store = EventStore(tmp_path / "store.sqlite")
    with Sessions(store, vault=Vault(tmp_path / "vault"), grade=grade) as opened:
        yield opened


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack with two problems: the first has two fixed tests and 3 s."""
    folder = tmp_path / "pack"
    head = 'format = 1\nid = "mine"\nversion = "1"\ntitle = "Mine"\ntiers = ["easy"]\n'
    for id, limit in (("Q1", "time_limit = 3\n"), ("Q2", "")):
        (folder / id).mkdir(parents=True)
        (folder / id / "problem.toml").write_text(
            f'id = "{id}"\ntitle = "Echo"\ntier = "easy"\ncategory = "other"\n{limit}'
        )
        (folder / id / "statement.md").write_text("Print the line.")
        tests = [{"input": text, "output": text} for text in ("a", "b")]
        (folder / id / "tests.json").write_text(json.dumps(tests))
    (folder / "pack.toml").write_text(head + 'categories = ["other"]\n')
    return folder


def exported(sessions: Sessions, session: str) -> Json:
    sessions.close_session(session)
    return copy(sessions.export(session).as_json())


def verified(export: Json, **options: Any) -> Verification:
    return verify_export(json.dumps(export).encode(), seed=SEED, **options)


def test_output_is_compared_as_the_session_says(sessions: Sessions) -> None:
    changes = {"compare": "strip"}
    started = sessions.init("befunge-98", changes=changes, problems=["E04"], seed=SEED)
    assert started.protocol.id == "primary+compare=strip"
    assert "whitespace at the start and end does not matter" in started.rules_text
    sessions.fetch(started.session)
    program = b"&&+.@"  # prints a space after the number
    assert sessions.submit(started.session, "E04", program).solved
    export = exported(sessions, started.session)
    assert (export["protocol"]["compare"], export["format_version"]) == ("strip", 4)
    assert (verified(export).verified, verified(export).submissions) == (True, 1)
    exact = rechain(_exact(export))
    assert [finding.field for finding in verified(exact).findings] == ["passed", *["report"] * 6]


def _exact(export: Json) -> Json:
    """The same session, said to have been graded byte by byte."""
    del export["events"][0]["body"]["protocol"]["compare"]
    del export["protocol"]["compare"]
    export["format_version"] = 2
    return export


def test_a_session_without_modes_is_exported_as_before(sessions: Sessions) -> None:
    plain = sessions.init("brainfuck", seed=SEED)
    same = sessions.init(
        "brainfuck", changes={"compare": "exact", "tools": "full-access"}, seed=SEED
    )
    assert same.protocol == plain.protocol
    export = exported(sessions, same.session)
    assert export["format_version"] == 2
    assert not {"compare", "tools"} & export["protocol"].keys()
    assert "time_limits" not in export["events"][0]["body"]


def test_the_mode_of_a_pack_is_the_default(sessions: Sessions, pack: Path) -> None:
    with (pack / "pack.toml").open("a") as file:
        file.write('compare = "newline"\n')
    usual = sessions.init("brainfuck", pack=pack)
    assert (usual.protocol.id, usual.protocol.compare) == ("primary", "newline")
    other = sessions.init("brainfuck", changes={"compare": "exact"}, pack=pack)
    assert (other.protocol.id, other.protocol.compare) == ("primary+compare=exact", "exact")
    same = sessions.init("brainfuck", changes={"compare": "newline"}, pack=pack)
    assert same.protocol == usual.protocol


def test_a_blind_solver_runs_nothing(sessions: Sessions, tmp_path: Path) -> None:
    started = sessions.init(
        "brainfuck", changes={"tools": "blind"}, seed=SEED, workspace=tmp_path / "desk"
    )
    assert started.protocol.id == "primary+tools=blind"
    instructions = (tmp_path / "desk" / "AGENTS.md").read_text("utf-8")
    assert "run FILE" not in instructions
    assert "No local runs: write each program without running it." in instructions
    assert "no shell" in instructions
    sessions.fetch(started.session)
    with pytest.raises(RejectedCommand, match="allows no local runs"):
        sessions.run(started.session, b"+.")
    names = [tool.name for tool in SessionTools(sessions, started.session).tools]
    assert names == ["fetch", "submit", "status", "skip", "card"]
    export = exported(sessions, started.session)
    assert (export["protocol"]["tools"], export["format_version"]) == ("blind", 4)
    export["events"][0]["body"]["protocol"]["runs"] = 3
    export["protocol"]["runs"] = 3
    assert "blind requires runs = 0" in str(audit(json.dumps(rechain(export)).encode()).findings)


def test_a_solver_with_the_interpreter_only_runs_programs(sessions: Sessions) -> None:
    started = sessions.init("brainfuck", changes={"tools": "interpreter-only"}, seed=SEED)
    assert not started.protocol.shell
    sessions.fetch(started.session)
    assert sessions.run(started.session, b"+.").outcome.stdout == b"\x01"
    names = [tool.name for tool in SessionTools(sessions, started.session).tools]
    assert names == ["fetch", "run", "submit", "status", "skip", "card"]


def test_the_profile_of_a_row_follows_from_its_rules() -> None:
    found = {
        name: resolve_protocol(name).profile
        for name in ("primary", "direct", "budget-0", "practice")
    }
    assert found == {
        "primary": "full-access",
        "direct": "interpreter-only",
        "budget-0": "full-access",
        "practice": "full-access",
    }
    blind = replace(resolve_protocol("budget-0"), shell=False)
    assert blind.profile == "blind"


def test_a_profile_is_not_contradicted_by_other_rules() -> None:
    with pytest.raises(UsageError, match="tools: blind requires runs = 0"):
        resolve_protocol("primary", {"tools": "blind", "runs": 3})
    with pytest.raises(UsageError, match="tools: interpreter-only requires shell = false"):
        resolve_protocol("primary", {"tools": "interpreter-only", "shell": True})
    with pytest.raises(UsageError, match="tools"):
        resolve_protocol("primary", {"tools": "deaf"})


def test_options_choose_comparison_profile_and_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    init = ["session", "init", "--language", "brainfuck", "--workspace", "desk"]
    assert main([*init, "--time-limit", "61"]) == 2
    assert (
        "the time limit must be a number of seconds above 0, at most 60" in capsys.readouterr().err
    )
    chosen = ["--tools", "blind", "--compare", "numeric", "--time-limit", "2.5", "--json"]
    assert main([*init, *chosen]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["protocol"] == "primary+compare=numeric+tools=blind"
    assert told["rules"]["limits"]["time"] == 2.5
    assert "256 MiB of memory and 2.5 s" in told["rules"]["text"]


@pytest.mark.slow
def test_time_limit_results_are_accepted_and_all_others_are_repeated(
    sessions: Sessions, pack: Path
) -> None:
    """The verifying machine is not held to the limit of 3 s."""
    started = sessions.init("python", pack=pack, seed=SEED)
    session = started.session
    statement = sessions.fetch(session).statement
    assert statement.endswith("A run for this problem may take 3 s.")
    late = b"import time\nt = input()\nif t == 'b': time.sleep(6)\nprint(t, end='')"
    assert sessions.run(session, late, b"b").outcome.status == "time_limit"
    assert sessions.submit(session, "Q1", late).passed == 1
    export = exported(sessions, session)
    assert export["events"][0]["body"]["time_limits"] == {"Q1": 3}
    result = verified(export, pack=pack)
    assert (result.verified, result.recorded, result.runs) == (True, 2, 1)
    (graded,) = (each for each in export["events"] if each["kind"] == "submission_graded")
    name = graded["body"]["report"]
    assert [test["verdict"] for test in json.loads(export["reports"][name])["tests"]] == [
        "pass",
        "time_limit",
    ]
    forged = export["reports"].pop(name).replace('"pass"', '"wrong_answer"')
    graded["body"] |= {"report": digest(forged.encode()), "passed": 0}
    export["reports"][graded["body"]["report"]] = forged
    (finding,) = verified(rechain(export), pack=pack).findings
    assert finding.text.startswith("test 1: recorded as wrong_answer")
