"""``esoplay eval --problems``: what is chosen, and in which order its tiers are reported."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from esoplay.cli.main import main


def asked(folder: Path, problems: str) -> list[str]:
    return [
        *("eval", "--language", "brainfuck", "--regime", "zero-shot", "--problems", problems),
        *("--command", "true", "-o", str(folder)),
    ]


def test_a_range_that_ends_before_it_begins_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked(tmp_path / "run", "E05-E01")) == 2
    assert "'E05-E01' ends before it starts; did you mean E01-E05?" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_regime_with_feedback_is_refused_for_a_problem_without_examples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = Path(__file__).parents[2] / "problems"
    pack = tmp_path / "pack"
    shutil.copytree(shipped / "E01-print-hello-world", pack / "E01-print-hello-world")
    text = (shipped / "pack.toml").read_text("utf-8").replace('"esoplay-80"', '"bare"')
    (pack / "pack.toml").write_text(text, "utf-8")
    definition = pack / "E01-print-hello-world" / "problem.toml"
    without = re.sub(r"\[\[examples\]\]\n(?:(?!\[).*\n)*", "", definition.read_text("utf-8"))
    definition.write_text(without, "utf-8")
    command = [*asked(tmp_path / "run", "E01"), "--pack", str(pack)]
    assert main([*command, "--regime", "react"]) == 2
    told = capsys.readouterr().err
    assert "react gives feedback from public examples, and E01 has none" in told
    assert "try: --feedback scoring, or --regime with one of zero-shot" in told
    assert main(command) == 0


def test_tiers_are_listed_in_the_order_of_the_pack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked(tmp_path, "X01,H01")) == 0
    assert main(asked(tmp_path, "M01,E01-E02")) == 0  # of those before as well
    table = capsys.readouterr().out.split("Solved by tier")[-1].splitlines()
    assert table[2].split() == ["language", "regime", "easy", "medium", "hard", "extra-hard"]
    assert table[3].split() == ["brainfuck", "zero-shot", "0/2", "0/1", "0/1", "0/1"]
