"""``tests/wording.py`` lists texts of each kind, and draws a reproducible sample."""

from __future__ import annotations

from pathlib import Path

import pytest
import wording


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "path", "expected"),
    [
        ("messages", "esoplay/cli", "esoplay/cli/"),
        ("docstrings", "esoplay/api.py", "esoplay/api.py:1: module: "),
        ("identifiers", "interpreters/esolangs/api.py", "function languages()"),
        ("tests", "tests/house/test_wording_script.py", "test_texts_are_listed"),
        ("pages", "docs", "docs/writing.md:1: "),
    ],
)
def test_texts_are_listed(
    kind: str, path: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert wording.main([kind, path]) == 0
    shown = capsys.readouterr().out
    assert expected in shown
    assert all(line.startswith(path) for line in shown.splitlines())


@pytest.mark.slow
def test_a_sample_depends_on_the_seed_only(capsys: pytest.CaptureFixture[str]) -> None:
    samples: list[str] = []
    for seed in ("1", "1", "2"):
        assert wording.main(["--sample", seed]) == 0
        samples.append(capsys.readouterr().out)
    assert samples[0] == samples[1] != samples[2]
    assert len(samples[0].splitlines()) == sum(wording.DRAWN.values()) + 2 * len(wording.DRAWN)


def test_parts_of_a_message_are_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        'raise SystemExit(f"{path}: {count} of " "its lines" + f" {\'s\' if n else \'t\'} bad")\n'
    )

    def listed(patterns: list[str]) -> list[Path]:
        return [module]

    monkeypatch.setattr(wording, "_listed", listed)
    assert [entry.text for entry in wording.messages()] == [
        repr("{path}: {count} of its lines {s | t} bad")
    ]
