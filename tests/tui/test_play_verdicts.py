"""The verdict on the screen is the headless one, even if a limit ends the program.

Limits are set low, for both, so that tests which take a minute otherwise take a moment here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from conftest import Play

from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.cli.main import main
from esoplay.grading import grader
from esoplay.packs.catalogue import get_problem
from esoplay.running.run import TIME_LIMIT
from esoplay.tui import test_runs
from esoplay.tui.score.results import VERDICT_WORDS, verdict_mark
from esoplay.tui.test_runs import GradingJob, GradingRequest

ENDLESS = 10**15
"""More steps than any test waits for."""
PROGRAMS = {
    "brainfuck": {
        "step_limit": b"+[]",
        "output_limit": b"+[.]",
        "memory_limit": b"+[>+]",
        "time_limit": b"+[>+<]",
    },
    "befunge-98": {
        "step_limit": b">",
        "output_limit": b"1,",
        "memory_limit": b"1",
        "time_limit": b"> v\n^ <",
    },
}
LIMITS = {
    "step_limit": Limits(steps=10_000, output=1000, memory=1 << 20),
    "output_limit": Limits(steps=1_000_000, output=100, memory=1 << 20),
    "memory_limit": Limits(steps=1_000_000, output=1000, memory=1 << 14),
    "time_limit": Limits(steps=ENDLESS, output=1000, memory=1 << 20),
}


@pytest.fixture
def restored_time_limit() -> Iterator[None]:
    yield
    _set_time_limit(TIME_LIMIT)


@pytest.mark.slow
@pytest.mark.usefixtures("restored_time_limit")
@pytest.mark.parametrize("language", PROGRAMS)
async def test_limits_are_reported_as_in_headless_runs(
    language: str,
    play: Play,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    headless: dict[str, list[dict[str, Any]]] = {}
    for verdict, limits in LIMITS.items():
        _set_limits(monkeypatch, verdict, limits)
        program = tmp_path / f"{verdict}{find_language(language).extensions[0]}"
        program.write_bytes(PROGRAMS[language][verdict])
        assert main(["grade", str(program), "--problem", "E02", "--json"]) == 3
        headless[verdict] = json.loads(capsys.readouterr().out)["tests"]
        assert [test["verdict"] for test in headless[verdict]] == [verdict] * 6
    async with play() as player:
        workspace = player.screen.workspace
        workspace.choose_language(language)
        await player.open("E02")
        for verdict, tests in headless.items():
            _set_limits(monkeypatch, verdict, LIMITS[verdict])
            await player.write(PROGRAMS[language][verdict])
            await player.press("ctrl+t")
            await player.graded()
            latest = workspace.progress()["E02"].latest
            assert latest is not None
            assert latest.verdicts == (verdict,) * 6
            assert "✗ hidden tests 0/6" in player.lines()[0]
            shown = [line for line in player.lines(player.screen.results) if " steps" in line]
            assert verdict_mark(verdict)[0] in shown[0]
            assert VERDICT_WORDS[verdict] in shown[0]
            if verdict != "time_limit":  # how far a run gets in a time is not predictable
                assert latest.steps == sum(test["steps"] for test in tests)
                assert f"{tests[0]['steps']:,} steps" in shown[0]


def _set_limits(monkeypatch: pytest.MonkeyPatch, verdict: str, limits: Limits) -> None:
    monkeypatch.setattr(grader, "GRADING_LIMITS", limits)
    _set_time_limit(0.1 if verdict == "time_limit" else TIME_LIMIT)


def _set_time_limit(seconds: float) -> None:
    object.__setattr__(get_problem("E02"), "time_limit", seconds)  # problems are frozen


async def test_run_shows_the_number_of_tests(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, gone_on = Event(), Event()

    class Slow(GradingJob):
        def __init__(self, attempt: GradingRequest, progress: Callable[[int, int], None]) -> None:
            super().__init__(attempt, progress)
            self.tell = progress

        def run(self) -> None:
            begun.wait(300)
            self.tell(500, 1000)
            gone_on.wait(300)

    monkeypatch.setattr(test_runs, "GradingJob", Slow)
    async with play() as player:
        try:
            await player.open("E08")
            await player.press("ctrl+t")
            await player.until(lambda: "Esc stops" in player.text(player.screen.results))
            assert " of " not in player.text(player.screen.results)
            begun.set()
            await player.until(lambda: "500 of 1000" in player.text(player.screen.results))
            bar = player.text(player.screen.results)
            assert bar.count("▰") == bar.count("▱") == 10
            await player.press("escape")
            assert "stopped" in player.text(player.screen.results)
        finally:
            begun.set()
            gone_on.set()


async def test_the_dialect_in_which_a_program_passes_is_shown_with_the_reason(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grader, "GRADING_LIMITS", Limits(steps=100_000, output=1000))
    async with play() as player:
        player.screen.workspace.choose_language("befunge-98")
        await player.open("E02")
        await player.write(b"#@~,")
        await player.press("f5")
        await player.graded()
        assert player.screen.results.border_title == "E02 examples, standard"
        assert "passes in dialect standard, fails in benchmark" in player.text(
            player.screen.results
        )
        player.screen.workspace.dialect = "benchmark"
        for key, title in (
            ("f5", "E02 examples, benchmark"),
            ("ctrl+t", "E02 hidden tests, benchmark"),
        ):
            await player.press(key)
            await player.graded()
            results = player.screen.results
            assert results.border_title == title
            shown = " ".join(player.text(results).replace("│", " ").split())
            assert "passes in dialect standard, fails in benchmark, because" in shown
            assert "`~` at the end of input" in shown
            chosen = results.highlighted
            assert chosen is not None
            assert results.get_option_at_index(chosen).id == "0"  # the first test that failed
