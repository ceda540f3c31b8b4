"""Mistyped commands, options, languages, dialects and problems get a suggestion."""

from __future__ import annotations

from pathlib import Path

import pytest

from esolangs.wording import similar_words, suggest
from esoplay.cli.main import main


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ("gradee x.bf", "grade"),
        ("rnu x.bf", "run"),
        ("run --lnag bf x.bf", "--lang"),
        ("run x.bf --lang brainfuk", "brainfuck"),
        ("run x.bf --dialect standrad", "standard"),
        ("problems shwo E01", "show"),
        ("problems show E8", "E08"),
        ("problems show print-helo-world", "E01 Print Hello World"),
        ("session inti", "init"),
        ("learn brainfukc", "brainfuck"),
    ],
)
def test_a_mistyped_word_gets_a_suggestion(
    arguments: str,
    meant: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.bf").write_text("+.")
    assert main(arguments.split()) == 2
    assert capsys.readouterr().err.strip().endswith(f"; did you mean {meant}?")


@pytest.mark.parametrize("arguments", ["zzz", "run x.bf --lang cobol"])
def test_a_dissimilar_word_gets_no_suggestion(
    arguments: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments.split()) == 2
    assert "did you mean" not in capsys.readouterr().err


def test_similar_words_include_typos_swapped_letters_and_prefixes() -> None:
    known = ["step", "tape", "output", "run"]
    assert "step" in similar_words("stpe", known, 3)
    assert similar_words("rnu", known) == ["run"]
    assert similar_words("outp", known) == ["output"]
    assert similar_words("RUN", known) == ["run"]
    assert similar_words("x" * 1000, known) == []
    assert suggest("", known) == ""
