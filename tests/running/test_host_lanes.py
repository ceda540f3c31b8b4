"""Manifests of host lanes: shipped ones, ones added by a file, and broken ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from esolangs.errors import UnknownLanguage
from esoplay.cli.main import main
from esoplay.errors import LaneError
from esoplay.programs.host_lanes import LaneState
from esoplay.running.host.lanes import find_lane, find_lane_by_file, is_lane, lane_ids, read_lane
from esoplay.running.host.runner import HostRunner
from esoplay.running.host.toolchain import find_toolchain

SHELL = """
id = "shell"
name = "POSIX shell"
extensions = [".sh"]
source = "main.sh"
starter = "cat"
card = "- `printf %s` prints without a newline."

[toolchain]
command = ["sh"]
version = ["{tool}", "-c", "echo any"]

[compile]
command = ["{tool}", "-n", "{source}"]

[run]
command = ["{tool}", "{source}"]
environment = { PATH = "/usr/bin:/bin" }
address_space = true
allowance = 16
processes = 16
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ESOPLAY_LANES", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("id", ["go", "javascript", "python", "rust", "typescript"])
def test_included_lanes_have_an_extension_and_a_starter(id: str) -> None:
    lane = find_lane(id)
    assert lane.id in lane_ids()
    assert find_lane_by_file(f"a/b{lane.extensions[0].upper()}") == lane
    assert lane.starter.endswith(b"\n")


def test_invalid_manifests_are_refused() -> None:
    for id in ("brainfuck", "", ".", "../lanes/python", "python/", "python\0", "Python"):
        assert not is_lane(id)
        with pytest.raises(UnknownLanguage, match="available: go, javascript, python"):
            find_lane(id)
    assert find_lane_by_file("a.bf") is None
    assert find_lane_by_file("-") is None


def test_a_file_adds_a_lane(folder: Path) -> None:
    (folder / "shell.toml").write_text(SHELL)
    assert "shell" in lane_ids()
    with HostRunner() as runner:
        outcome = runner.run("shell", b'printf "<%s>" "$(cat)"', stdin=b"text")
        assert (outcome.status, outcome.stdout) == ("ok", b"<text>"), outcome.stderr
        assert runner.run("shell", b"if").status == "parse_error"
        outcome = runner.run("shell", b"exit 7")
        assert (outcome.status, outcome.program_exit_code) == ("fault", 7)


def test_a_missing_toolchain_is_reported(folder: Path) -> None:
    (folder / "shell.toml").write_text(SHELL.replace('["sh"]', '["no-such-shell"]'))
    with (
        HostRunner() as runner,
        pytest.raises(LaneError, match="no-such-shell not found on the PATH"),
    ):
        runner.run("shell", b"")


def test_the_error_of_a_tool_that_fails_is_reported(folder: Path) -> None:
    asks = '["{tool}", "-c", "echo any"]'
    fails = '["{tool}", "-c", "echo no default is set >&2; exit 1"]'
    (folder / "shell.toml").write_text(SHELL.replace(asks, fails))
    with HostRunner() as runner, pytest.raises(LaneError, match="failed: no default is set"):
        runner.run("shell", b"")


def test_a_broken_manifest_does_not_block_other_lanes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "ada.toml").write_text("id = ")
    lane = find_lane_by_file("a.py")
    assert lane is not None
    assert lane.id == "python"
    assert find_lane_by_file("a") is None
    with pytest.raises(
        LaneError,
        match=r"no valid host lane has the extension '\.adb', but a manifest is invalid: .*ada",
    ):
        find_lane_by_file("a.adb")
    monkeypatch.setenv("PATH", str(folder))  # Python alone is there: it takes no path
    assert main(["lanes", "--json"]) == 2
    states = {state["id"]: state for state in json.loads(capsys.readouterr().out)["lanes"]}
    assert states["ada"]["broken"]
    assert "ada.toml" in states["ada"]["lacks"]
    assert states["python"]["version"].startswith("Python 3")
    assert not states["python"]["broken"]


@pytest.mark.parametrize("place", ["bin", ".local/bin", ".local/share/tool/bin"])
def test_a_tool_in_a_home_shows_nothing_else_of_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    tool = folder / place / "tool"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\necho any\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:/usr/bin:/bin")
    (folder / "shell.toml").write_text(SHELL.replace('["sh"]', '["tool"]'))
    toolchain = find_toolchain(find_lane("shell"))
    assert toolchain is not None
    (shown,) = (path for path in toolchain.readable_paths if path.startswith(str(folder)))
    own = place == ".local/share/tool/bin"
    assert shown == str(tool.parent.parent if own else tool)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('id = "shell"', 'id = "bash"', "id: expected shell, as in the file name"),
        ('name = "POSIX shell"', "", "name: this field is missing"),
        ('name = "POSIX shell"', "name = 3", "name: expected a string"),
        ("processes = 16", "processes = true", "run.processes: expected an integer"),
        ("allowance = 16", "allowance = -1", "run.allowance: expected a non-negative number"),
        ('command = ["sh"]', "command = []", "toolchain.command: expected at least one string"),
        ('command = ["sh"]', "command = [3]", "toolchain.command: expected a list of strings"),
        (
            'environment = { PATH = "/usr/bin:/bin" }',
            "environment = 5",
            "environment: expected a table of strings",
        ),
        (
            'environment = { PATH = "/usr/bin:/bin" }',
            "environment = { PATH = 5 }",
            "environment: expected a table of strings",
        ),
        ('"main.sh"', '"../main.sh"', "source: expected a file name without a folder"),
        ('[".sh"]', '["SH"]', "extensions: expected a lowercase extension"),
        ("[run]", "[runs]", "runs: unknown field"),
        ("[run]", "[run", "Expected"),
    ],
)
def test_a_broken_manifest_names_the_field(tmp_path: Path, old: str, new: str, words: str) -> None:
    file = tmp_path / "shell.toml"
    file.write_text(SHELL.replace(old, new, 1))
    with pytest.raises(LaneError) as caught:
        read_lane(file)
    assert words in str(caught.value)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize(
    ("guards", "isolation"),
    [
        (
            ("processes", "network", "files", "user"),
            ["isolated from other processes, the network and files; does not run as root"],
        ),
        (
            ("files",),
            [
                "isolated from files",
                "not isolated from other processes and the network; may run as root",
            ],
        ),
        ((), ["not isolated from other processes, the network and files; may run as root"]),
    ],
)
def test_the_isolation_of_a_lane_is_shown(
    guards: tuple[str, ...],
    isolation: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    state = LaneState("python", "Python", (".py",), "Python 3.11", guards)
    monkeypatch.setattr("esoplay.programs.host_lanes.describe_lanes", lambda _progress: [state])
    assert main(["lanes"]) == 0
    shown = capsys.readouterr().out.splitlines()[1:]
    assert [line.strip() for line in shown] == isolation
