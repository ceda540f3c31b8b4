"""Manifests of agents: how they are started, and what is read from their logs."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from agents_helpers import HERE, ROOT, STAND_IN, agents, sessions_of
from jsonschema import Draft202012Validator

from esoplay.agents import agent_log
from esoplay.agents.agent_log import LogSummary, read_log
from esoplay.agents.agent_workspace import find_shell_obstacle
from esoplay.agents.grid import read_grid
from esoplay.agents.manifest import (
    AgentOptions,
    LogTable,
    ManifestTable,
    build_command,
    find_version,
    missing_option,
    read_manifest,
)
from esoplay.agents.templates import manifest_names, read_manifest_text
from esoplay.cli.main import main
from esoplay.decoding import decode_toml
from esoplay.errors import UsageError
from esoplay.sessions.protocols import find_protocol

LOGS = HERE / "logs"
"""Logs of real agents that a script answered; paths are replaced, and long texts are left out.

The answers took 1000, 1200, 1300 and 1400 tokens of input, of which 300, 900, 1000 and 1100 were
cached, and 80, 81, 82 and 83 of output, of which 30, 20, 0 and 10 were for reasoning.
"""


class Expected(NamedTuple):
    """What a recorded log says.  calls: tool, kind and text of each."""

    model: str | None
    effort: str | None
    reasoning: bool
    calls: list[tuple[str, str, str]]


EXPECTED = {
    "claude-code": Expected(
        "claude-opus-4-5",
        None,
        False,
        [
            ("Bash", "shell", "ls -a"),
            ("Write", "edit", "E01.bf"),
            ("Bash", "shell", "echo hello"),
            ("Bash", "shell", "false"),
        ],
    ),
    "codex": Expected(
        "gpt-5.5",
        "high",
        True,
        [
            ("exec_command", "shell", "ls -a"),
            ("apply_patch", "edit", "E01.bf"),
            ("exec_command", "shell", "echo hello"),
            ("exec_command", "shell", "false"),
        ],
    ),
    "codex-scripts": Expected(  # the same turns with a model that writes scripts
        "gpt-6-sol",
        "high",
        True,
        [
            ("exec", "other", ""),
            ("CommandExecution", "shell", "ls -a"),
            ("exec", "other", ""),
            ("exec", "other", ""),
            ("CommandExecution", "shell", "cat > E01.bf <<'END'\n+++.\nEND"),
            ("CommandExecution", "shell", "echo hello"),
            ("exec", "other", ""),
            ("CommandExecution", "shell", "false"),
        ],
    ),
    "opencode": Expected(
        None,
        None,
        True,
        [
            ("bash", "shell", "ls -a"),
            ("write", "edit", "E01.bf"),
            ("bash", "shell", "echo hello"),
            ("bash", "shell", "false"),
        ],
    ),
    "mini-swe-agent": Expected(
        "openai/model-1",
        "high",
        True,
        [
            ("bash", "shell", "ls -a"),
            ("bash", "shell", "cat > E01.bf <<'END'\n+++.\nEND"),
            ("bash", "shell", "echo hello"),
            ("bash", "shell", "false"),
            ("bash", "shell", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),
        ],
    ),
}


def log_of(name: str) -> LogTable:
    table = read_manifest(name, Path()).table
    assert table.log is not None
    return table.log


def place(name: str, home: Path) -> Path:
    """Put the recorded log of an agent where the agent writes it; return it as the transcript."""
    (recorded,) = LOGS.glob(f"{name}.*")
    pattern = log_of(manifest_of(name)).file
    if pattern != "stdout":
        path = Path(pattern.removeprefix("{home}/"))
        folder = home / path.parent / ("deep" if "*" in path.name else "")
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / path.name.replace("*", "recorded")
        shutil.copy(recorded, file)
    return recorded


def manifest_of(log: str) -> str:
    return next(name for name in manifest_names() if log.startswith(name))


def read(name: str, home: Path) -> LogSummary:
    return read_log(log_of(manifest_of(name)), {"home": str(home)}, place(name, home))


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_log_has_the_tokens_and_calls_of_its_script(name: str, tmp_path: Path) -> None:
    found, expected = read(name, tmp_path), EXPECTED[name]
    assert (found.model, found.effort, found.notes) == (expected.model, expected.effort, ())
    assert found.tokens is not None
    assert [one.input for one in found.tokens] == [1000, 1200, 1300, 1400]
    assert [one.cached for one in found.tokens] == [300, 900, 1000, 1100]
    assert [one.output for one in found.tokens] == [80, 81, 82, 83]
    reasoning = [30, 20, 0, 10] if expected.reasoning else [None] * 4
    assert [one.reasoning for one in found.tokens] == reasoning
    assert found.calls is not None
    assert [call[1:] for call in found.calls] == expected.calls
    times = [one.time_ms for one in (*found.tokens, *found.calls)]
    assert all(time is not None and 1.79e12 < time < 1.8e12 for time in times)
    assert times[:4] == sorted(times[:4], key=lambda time: time or 0)


def test_answers_that_mini_swe_agent_rejects_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "trajectory.json"
    log = json.loads(place("mini-swe-agent", tmp_path).read_text("utf-8"))
    answer = next(one["extra"]["response"] for one in log["messages"] if one["role"] == "assistant")
    rejected = {"role": "user", "extra": {"response": {**answer, "id": "another"}}}
    file.write_text(json.dumps({**log, "messages": [*log["messages"], rejected]}), "utf-8")
    found = read_log(log_of("mini-swe-agent"), {"home": str(tmp_path)}, file)
    assert found.tokens is not None
    assert [one.input for one in found.tokens] == [1000, 1200, 1300, 1400, 1000]


def test_every_manifest_is_tested_with_a_recorded_log() -> None:
    assert set(manifest_names()) == set(map(manifest_of, EXPECTED))
    assert {file.stem for file in LOGS.iterdir()} == set(EXPECTED)


@pytest.mark.parametrize("name", manifest_names())
def test_a_manifest_starts_its_agent_with_model_effort_and_tools(name: str) -> None:
    manifest = read_manifest(name, Path())
    values = {
        "prompt": "PROMPT",
        "home": "/HOME",
        "mcp_config": "/SERVERS",
        "mcp_program": "SERVERS",
        "mcp_words": '["SERVERS"]',
        "mcp_arguments": '["SERVERS"]',
    }
    options = AgentOptions(program="/bin/agent", model="MODEL", effort="EFFORT", arguments=("-x",))
    command, variables = build_command(manifest, options, values)
    words = [*command, *variables.values()]
    assert command[0] == "/bin/agent"
    assert "-x" in command
    for word in ("PROMPT", "MODEL", "EFFORT"):
        assert any(word in each for each in words)
    assert not any("SERVERS" in each for each in words)
    plain, _ = build_command(manifest, AgentOptions(), values)
    assert plain[0] == manifest.table.program
    assert not any("MODEL" in each or "EFFORT" in each for each in plain)
    if manifest.table.options.mcp is not None:
        command, variables = build_command(manifest, AgentOptions(mcp=True), values)
        assert any("SERVERS" in each for each in (*command, *variables.values()))


MANIFEST = """\
title = "Mine"
program = "mine"
command = ["{program}", "{prompt}", "{options}"]
[options.model]
words = ["--model", "{model}"]
[log]
file = "{home}/log.jsonl"
"""

MISTAKES = [
    ('program = "mine"', "", "program", "missing"),
    ('"{prompt}"', '"{promt}"', "command[1]", "unknown placeholder {promt}"),
    ('["{program}", ', '["mine", ', "command[0]", "{program}"),
    (', "{options}"', "", "command", "{options} must occur exactly once"),
    ("{model}", "{modell}", "options.model.words[1]", "unknown placeholder {modell}"),
    ("[options.model]", "[options.modell]", "options.modell", "unknown field"),
    ("{home}/log.jsonl", "/etc/passwd", "log.file", "{home}/"),
    ("[log]", "[version]\npattern = '('\n[log]", "version.pattern", "not a regular expression"),
    ("log.jsonl", 'log.jsonl"\n[[log.tokens]]\ninput = ["a"] #', "log.tokens[0].output", "missing"),
]


@pytest.mark.parametrize(("old", "new", "key", "expected"), MISTAKES)
def test_a_mistake_in_a_manifest_is_reported_with_file_and_key(
    old: str, new: str, key: str, expected: str, tmp_path: Path
) -> None:
    decode_toml(MANIFEST, ManifestTable)
    (tmp_path / "mine.toml").write_text(MANIFEST.replace(old, new), "utf-8")
    grid = tmp_path / "grid.toml"
    grid.write_text('[[solvers]]\nname = "a"\nagent = "mine.toml"\n', "utf-8")
    with pytest.raises(UsageError) as caught:
        read_grid(grid)
    assert str(caught.value).startswith(
        f"{grid}:3:1: solvers[0].agent: {tmp_path}/mine.toml: {key}: "
    )
    assert expected in str(caught.value)


def table(text: str) -> LogTable:
    found = decode_toml(MANIFEST + text, ManifestTable).log
    assert found is not None
    return found


TOKENS = """
[[log.tokens]]
where = { type = "usage" }
key = "id"
input = ["in", "more.in"]
output = ["out"]
time = "at"
"""
CALLS = """
[[log.calls]]
where = { type = "call" }
name = "tool"
shell = { tools = ["sh"], text = ["words", "arguments.cmd"] }
edit = { tools = ["patch"], text = ["input"], pattern = '(?m)^file (\\w+)$' }
"""


def test_rules_sum_paths_use_the_last_record_of_a_key_and_parse_nested_json(tmp_path: Path) -> None:
    lines = [
        {"type": "usage", "id": 1, "in": 5, "out": 1, "at": "2026-01-02T03:04:05Z"},
        {"type": "usage", "id": 1, "in": 7, "more": {"in": 100}, "out": 2, "at": 1_800_000_000},
        {"type": "usage", "in": 1, "out": 1, "at": 1_800_000_000_123},
        {"type": "usage", "in": -1, "out": 1},
        {"type": "usage", "in": True, "out": 1},
        {"type": "other", "in": 1, "out": 1},
        {"type": "call", "tool": "sh", "arguments": '{"cmd": "ls"}'},
        {"type": "call", "tool": "sh", "words": ["ls", "-l"]},
        {"type": "call", "tool": "patch", "input": "file a\n+x\nfile b"},
        {"type": "call", "tool": ["no", "text"]},
    ]
    text = "\n".join(map(json.dumps, lines)) + "\nnot JSON\n\n[1]\n" + "[" * 5000 + "\n"
    (tmp_path / "log.jsonl").write_text(text, "utf-8")
    found = read_log(table(TOKENS + CALLS), {"home": str(tmp_path)}, tmp_path / "stdout.log")
    assert found.tokens is not None
    assert [(one.time_ms, one.input, one.output) for one in found.tokens] == [
        (1_800_000_000_000, 107, 2),
        (1_800_000_000_123, 1, 1),
    ]
    assert found.calls is not None
    assert [call[1:] for call in found.calls] == [
        ("sh", "shell", "ls"),
        ("sh", "shell", "ls -l"),
        ("patch", "edit", "a, b"),
        ("?", "other", ""),
    ]
    assert found.notes == (
        "skipped 3 lines of the agent's log: expected JSON objects",
        "skipped 2 invalid token records",
    )


def test_the_first_rule_on_tokens_that_finds_a_record_is_used(tmp_path: Path) -> None:
    log = table(TOKENS + TOKENS.replace('"usage"', '"total"'))
    file = tmp_path / "log.jsonl"
    file.write_text('{"type": "total", "in": 9, "out": 9}\n', "utf-8")
    found = read_log(log, {"home": str(tmp_path)}, file)
    assert found.tokens is not None
    assert [one.input for one in found.tokens] == [9]
    with file.open("a") as stream:
        stream.write('{"type": "usage", "in": 4, "out": 4}\n')
    found = read_log(log, {"home": str(tmp_path)}, file)
    assert found.tokens is not None
    assert [one.input for one in found.tokens] == [4]


def test_a_log_that_is_a_link_or_a_pipe_is_not_read(tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    (elsewhere / "log.jsonl").write_text('{"type": "usage", "in": 1, "out": 1}\n', "utf-8")
    missing = LogSummary(None, None, None, None, ("the agent's log was not found",))
    log = table(TOKENS)
    values = {"home": str(home)}
    assert read_log(log, values, home / "none") == missing
    (home / "log.jsonl").symlink_to(elsewhere / "log.jsonl")
    assert read_log(log, values, home / "none") == missing
    (home / "log.jsonl").unlink()
    os.mkfifo(home / "log.jsonl")
    assert read_log(log, values, home / "none") == missing
    for name in ("log.jsonl", "*.jsonl"):
        log.file = f"{{home}}/deep/{name}"
        (home / "deep").unlink(missing_ok=True)
        (home / "deep").symlink_to(elsewhere)
        assert read_log(log, values, home / "none") == missing


def test_a_long_log_is_read_up_to_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_log, "MAX_BYTES", 100)
    line = '{"type": "usage", "in": 1, "out": 1}\n'
    (tmp_path / "log.jsonl").write_text(line * 9, "utf-8")
    found = read_log(table(TOKENS), {"home": str(tmp_path)}, tmp_path / "none")
    assert found.tokens is not None
    assert len(found.tokens) == 2
    assert found.notes == ("only the first 100 bytes of the agent's log were read",)


def grid_of(folder: Path, solver: str) -> Path:
    file = folder / "grid.toml"
    head = 'languages = ["brainfuck"]\nprotocols = ["direct"]\nproblems = ["E01"]\n[[solvers]]\n'
    file.write_text(f'{head}name = "heron"\n{solver}', "utf-8")
    return file


DIRECT = [
    ('command = ["true"]', "start the agent in `command` without a shell\ntry: if `command`"),
    (
        'agent = "claude-code"\nprogram = "true"',
        "forbids the shell: without a shell, the agent can make moves only",
    ),
    (
        'agent = "mine.toml"\nprogram = "true"\nclient = "mcp"',
        "the manifest of Mine lacks [options.no_shell], so its shell cannot be disabled",
    ),
    ('command = ["true"]\nshell = false', None),
    ('agent = "claude-code"\nclient = "mcp"', None),
]


@pytest.mark.parametrize(("solver", "expected"), DIRECT)
def test_protocol_direct_is_refused_for_agents_that_keep_their_shell(
    solver: str, expected: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = MANIFEST.replace("[log]", "[options.mcp]\n[log]")
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    (found,) = read_grid(file := grid_of(tmp_path, solver)).solvers
    assert (find_shell_obstacle(found, find_protocol("direct")) is None) is (expected is None)
    assert find_shell_obstacle(found, find_protocol("primary")) is None
    if expected is not None:
        status, _, told = agents(capsys, "run", file, "-o", tmp_path / "run")
        assert status == 2
        assert "solver heron: protocol direct forbids the shell" in told
        assert expected in told
        assert not (tmp_path / "run" / "cells").exists()
        status, _, told = agents(capsys, "run", file, "-o", tmp_path / "run", "--dry-run")
        assert status == 0
        assert expected in told


def test_an_agent_without_its_shell_gets_only_harmless_tools() -> None:
    for name in manifest_names():
        manifest = read_manifest(name, Path())
        options = AgentOptions(mcp=True, shell=False)
        if missing_option(manifest, options) is None:
            plain = build_command(manifest, AgentOptions(mcp=True), {})
            assert build_command(manifest, options, {}) != plain


def test_the_version_is_what_the_agent_prints(tmp_path: Path) -> None:
    manifest = read_manifest("claude-code", Path())
    agent = tmp_path / "agent"
    agent.write_text("#!/bin/sh\necho this is agent 12.3.4 of $HOME >&2\n", "utf-8")
    agent.chmod(0o755)
    environment = {"PATH": os.environ["PATH"]}
    assert find_version(manifest, str(agent), environment) == "12.3.4"
    agent.write_text("#!/bin/sh\necho hello\n", "utf-8")
    with pytest.raises(UsageError, match="printed 'hello'; expected a version"):
        find_version(manifest, str(agent), environment)
    with pytest.raises(UsageError, match="No such file"):
        find_version(manifest, str(tmp_path / "none"), environment)


def test_manifests_are_listed_and_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents", "manifest"]) == 0
    assert "claude-code      Claude Code" in capsys.readouterr().out
    assert main(["agents", "manifest", "claude-code"]) == 0
    assert capsys.readouterr().out == read_manifest_text("claude-code")


LOGGED = """\
title = "A stand-in"
program = {program}
command = ["{{program}}", "-S", {stand_in}, "logged", "{{options}}"]
[set]
MODEL_OF_LOG = "of-log"
[options.model]
words = ["{answers}", "{{model}}"]
[log]
file = "{{home}}/log.jsonl"
model = {{ where = {{ type = "usage" }}, value = "model" }}
{tokens}
cached = ["cached"]
{calls}
"""


@pytest.mark.slow
def test_any_agent_can_have_a_manifest(
    pack: Path,
    answers: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = LOGGED.format(
        program=json.dumps(sys.executable),
        stand_in=json.dumps(str(STAND_IN)),
        answers=f"{answers}/{{language}}",
        tokens=TOKENS,
        calls=CALLS,
    )
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    grid = tmp_path / "grid.toml"
    grid.write_text(
        f'languages = ["brainfuck"]\npack = "{pack}"\n[[solvers]]\nname = "heron"\n'
        'agent = "mine.toml"\nmodel = "from-grid"\nenvironment = ["MANIFEST_KEY"]\n'
        f'show = ["{answers}", "{HERE}"]\n',
        "utf-8",
    )
    monkeypatch.setenv("MANIFEST_KEY", "secret-of-the-operator")
    status, out, told = agents(capsys, "run", grid, "-o", tmp_path / "run", "--json")
    assert status == 0, told
    one = sessions_of(out)["heron"]
    assert one["result"]["tokens"] == 2 * (100 + 10) + 7
    activity = one["result"]["agent"]
    digest = activity.pop("calls_sha256")
    assert len(digest) == 64
    assert activity == {
        "agent": "mine",
        "version": ".".join(map(str, sys.version_info[:3])),
        "model": "of-log",
        "effort": None,
        "input_tokens": 207,
        "cached_tokens": 40,
        "output_tokens": 20,
        "reasoning_tokens": None,
        "tool_calls": 5,
        "shell_commands": 3,
        "edits": 2,
    }
    attempt = Path(one["attempt"])
    calls = [json.loads(line) for line in (attempt / "calls.jsonl").read_text().splitlines()]
    schema = json.loads((ROOT / "docs/schemas/agents-call-line.schema.json").read_text())
    for call in calls:
        Draft202012Validator(schema).validate(call)  # pyright: ignore[reportUnknownMemberType]
    assert [call["text"] for call in calls] == ["fetch", "E02", "fetch", "E08", "[MANIFEST_KEY]"]
    assert json.loads((attempt / "begun.json").read_text())["agent"]["model"] == "from-grid"
    status, _, _ = agents(capsys, "status", tmp_path / "run")
    assert status == 0
    (attempt / "result.json").unlink()  # as if the run had been killed before it was written
    _, out, told = agents(capsys, "run", grid, "-o", tmp_path / "run", "--json")
    assert "left by an earlier run: complete" in told
    again = sessions_of(out)["heron"]["result"]
    assert (again["tokens"], again["notes"]) == (one["result"]["tokens"], one["result"]["notes"])
    assert again["agent"] == {**activity, "calls_sha256": digest}
    _, out, _ = agents(capsys, "report", tmp_path / "run", "--json")
    (figures,) = json.loads(out)["agents"]
    assert (figures["solver"], figures["sessions"]) == ("heron", 1)
    assert {name: figures[name] for name in activity} == activity
    _, out, _ = agents(capsys, "report", tmp_path / "run")
    rows = out[out.index("Agents") :].splitlines()
    assert any({"heron", "mine", "of-log", "207", "–"} <= set(row.split()) for row in rows)
