"""The completion script, as bash runs it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from esoplay.cli.main import command_names, main

bash = shutil.which("bash")


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import contextlib
    import io

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(["complete", "bash"]) == 0
    path = tmp_path_factory.mktemp("completion") / "esoplay.bash"
    path.write_text(printed.getvalue(), "utf-8")
    return path


def complete(script: Path, *words: str) -> list[str]:
    """What bash offers for the last of ``words``."""
    assert bash is not None
    line = " ".join(f"'{word}'" for word in words)
    told = f"""
        source '{script}'
        COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}
        _esoplay
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        [bash, "--norc", "-c", told], capture_output=True, timeout=300, check=True, text=True
    )
    assert done.stderr == ""
    return done.stdout.split()


pytestmark = pytest.mark.skipif(bash is None, reason="there is no bash")


def test_commands_and_actions(script: Path) -> None:
    assert complete(script, "esoplay", "") == command_names()
    assert complete(script, "esoplay", "re") == ["report"]
    assert {"init", "fetch", "submit", "export"} <= set(complete(script, "esoplay", "session", ""))
    assert complete(script, "esoplay", "session", "ver") == ["verify"]


def test_options_of_where_one_is(script: Path) -> None:
    assert complete(script, "esoplay", "report", "--keep") == ["--keep-going"]
    offered = complete(script, "esoplay", "session", "--store", "x", "verify", "--h")
    assert sorted(offered) == ["--head", "--help"]
    assert complete(script, "esoplay", "--vers") == ["--version"]


def test_values_of_options(script: Path) -> None:
    assert complete(script, "esoplay", "report", "--by", "") == ["protocol", "solver", "language"]
    assert "befunge-98" in complete(script, "esoplay", "run", "x", "--lang", "b")
    assert complete(script, "esoplay", "session", "init", "--protocol", "con") == ["controlled"]
    assert complete(script, "esoplay", "eval", "--regime", "re") == ["react"]
    assert complete(script, "esoplay", "grade", "x.bf", "--problem", "X20") == ["X20"]


def test_files_are_left_to_the_shell(script: Path) -> None:
    assert complete(script, "esoplay", "report", "") == []
    assert complete(script, "esoplay", "report", "a.json", "-o", "") == []
    assert "complete -o default -F _esoplay esoplay" in script.read_text("utf-8")


def test_the_script_for_zsh_loads_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "zsh"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("autoload -U +X bashcompinit && bashcompinit\n")
