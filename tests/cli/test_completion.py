"""The completion scripts, as the shells run them."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tui.terminal import Terminal

from esoplay.cli.main import command_names, main

bash, zsh, fish = map(shutil.which, ("bash", "zsh", "fish"))

ZSH = """
compdef() {{ }}
compset() {{ }}
_files() {{ }}
compadd() {{ print -rl -- ${{(P)2}} }}
source '{script}'
words=({line}); CURRENT=$#words
_esoplay
"""
BASH = """
source '{script}'
COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_esoplay
if [[ $COMPREPLY ]]; then printf '%s\\n' "${{COMPREPLY[@]}}"; fi
"""
FISH = """
source '{script}'
set words {line}
complete -C "$words"
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    for shell in ("bash", "zsh", "fish"):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            assert main(["complete", shell]) == 0
        (folder / shell).write_text(printed.getvalue(), "utf-8")
    return folder


@pytest.fixture
def script(scripts: Path) -> Path:
    return scripts / "bash"


def offered(shell: str | None, template: str, script: Path, words: tuple[str, ...]) -> list[str]:
    assert shell is not None
    line = " ".join(f"'{word}'" for word in words)
    done = subprocess.run(
        [shell, "-c", template.format(script=script, line=line)],
        capture_output=True,
        timeout=300,
        check=True,
        text=True,
    )
    assert done.stderr == ""
    return [line.partition("\t")[0] for line in done.stdout.splitlines()]


def complete(script: Path, *words: str) -> list[str]:
    """What bash offers for the last of ``words``."""
    return offered(bash, BASH, script, words)


pytestmark = pytest.mark.skipif(bash is None, reason="there is no bash")


def test_commands_and_actions_are_completed(script: Path) -> None:
    assert complete(script, "esoplay", "") == command_names()
    assert complete(script, "esoplay", "rep") == ["report"]
    assert {"init", "fetch", "submit", "export"} <= set(complete(script, "esoplay", "session", ""))
    assert complete(script, "esoplay", "session", "ver") == ["verify"]


def test_options_of_the_typed_command_are_completed(script: Path) -> None:
    assert complete(script, "esoplay", "report", "--keep") == ["--keep-going"]
    offered = complete(script, "esoplay", "session", "--store", "x", "verify", "--h")
    assert sorted(offered) == ["--head", "--help"]
    assert complete(script, "esoplay", "--vers") == ["--version"]


def test_values_of_options_are_completed(script: Path) -> None:
    axes = ["protocol", "solver", "language", "tools", "regime", "model"]
    assert complete(script, "esoplay", "report", "--by", "") == axes
    assert "befunge-98" in complete(script, "esoplay", "run", "x", "--lang", "b")
    assert complete(script, "esoplay", "session", "init", "--protocol", "con") == ["controlled"]
    assert complete(script, "esoplay", "eval", "--regime", "re") == ["react"]
    assert complete(script, "esoplay", "grade", "x.bf", "--problem", "X20") == ["X20"]


def test_files_are_left_to_the_shell(script: Path) -> None:
    assert complete(script, "esoplay", "report", "") == []
    assert complete(script, "esoplay", "report", "a.json", "-o", "") == []
    assert "complete -o default -F _esoplay esoplay" in script.read_text("utf-8")


def test_values_may_contain_spaces(script: Path) -> None:
    retry = ("esoplay", "agents", "run", "g.toml", "--retry")
    assert complete(script, *retry, "t") == [r"timed\ out", "tampered"]
    assert complete(script, *retry, r"timed\ ") == [r"timed\ out"]
    assert complete(script, *retry, '"ti') == ["timed out"]


def test_a_value_may_follow_an_equals_sign(script: Path) -> None:
    assert complete(script, "esoplay", "run", "x", "--dialect", "=", "b") == ["benchmark"]
    assert complete(script, "esoplay", "run", "x", "--dialect", "=") == ["standard", "benchmark"]


@pytest.mark.skipif(zsh is None, reason="there is no zsh")
def test_zsh_completes_commands_options_and_values(scripts: Path) -> None:

    def zsh_offers(*words: str) -> list[str]:
        return offered(zsh, ZSH, scripts / "zsh", words)

    assert zsh_offers("esoplay", "") == command_names()
    assert "--keep-going" in zsh_offers("esoplay", "report", "--k")
    assert zsh_offers("esoplay", "run", "x", "--dialect=b") == ["standard", "benchmark"]
    assert "timed out" in zsh_offers("esoplay", "agents", "run", "--retry", "")


@pytest.mark.skipif(fish is None, reason="there is no fish")
def test_fish_completes_commands_options_and_values(scripts: Path) -> None:

    def fish_offers(*words: str) -> list[str]:
        return [word for word in offered(fish, FISH, scripts / "fish", words) if word]

    assert fish_offers("esoplay", "rep") == ["report"]
    assert fish_offers("esoplay", "report", "--keep") == ["--keep-going"]
    assert fish_offers("esoplay", "run", "x", "--dialect=b") == ["--dialect=benchmark"]
    assert fish_offers("esoplay", "agents", "run", "--retry", "t") == ["tampered", "timed out"]
    assert "befunge-98" in fish_offers("esoplay", "run", "x", "--lang", "bef")


LOAD = {
    "bash": ("bash", "--norc", "-i", "source '{}'; PS1='rea''dy> '\n"),
    "zsh": ("zsh", "-f", "-i", "autoload -U compinit; compinit -D; source '{}'; PS1='rea''dy> '\n"),
    "fish": ("fish", "-N", "-i", "source '{}'; function fish_prompt; echo 'rea''dy> '; end\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", LOAD)
def test_tab_completes_in_a_terminal(shell: str, scripts: Path, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    *command, load = LOAD[shell]
    env = {**os.environ, "TERM": "xterm", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    with Terminal(command, env=env) as terminal:
        terminal.send(load.format(scripts / shell))
        terminal.wait_for("ready>")
        for typed, completed in (
            ("agents run g.toml --retry ti", r"--retry timed\ out"),
            ("agents run g.toml --retry 'ti", "--retry 'timed out'"),
            ("run x --lang=bef", "--lang=befunge-98"),
            ("run x --dialect=b", "--dialect=benchmark"),
        ):
            terminal.send(f"esoplay {typed}\t")
            terminal.wait_for(completed)
            terminal.send("\x15")  # ^U removes the line
        terminal.send("esoplay run x --lang=b\t\t")
        terminal.wait_for(lambda text: "befunge-98" in text and "brainfuck" in text)
