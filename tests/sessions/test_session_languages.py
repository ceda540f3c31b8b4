"""A benchmark session in every language: the commands, the card, the dialect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from selection import slow_except
from shell import esoplay

from esolangs.registry import find_language, language_ids


@pytest.mark.parametrize("id", slow_except(language_ids(), "whitespace"))
def test_a_session_can_be_played_in_any_language(id: str, tmp_path: Path) -> None:
    language = find_language(id)
    bench = tmp_path / "bench"

    def session(*args: str, code: int = 0) -> Any:
        done = esoplay("session", *args, "--json", cwd=bench if bench.exists() else tmp_path)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout)

    session("init", "--language", id, "--workspace", "bench")
    assert language.card("benchmark").splitlines()[0] in (bench / "AGENTS.md").read_text()
    sample = bench / f"sample{language.extensions[0]}"
    sample.write_bytes(language.sample())
    session("fetch")
    ran = session("run", sample.name, "--input", "esolang")
    machine = language.parse(language.sample(), language.configure("benchmark")).start(b"esolang")
    machine.run(10**6)
    assert (ran["stdout"].encode(), ran["steps"]) == (machine.take_output(), machine.steps)
    assert ran["dialect"] == "benchmark"
    told = session("submit", "E01", sample.name, code=1)
    assert (told["solved"], told["passed"]) == (False, 0)
    assert session("status")["language"] == id
