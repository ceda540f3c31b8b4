"""Solving a problem: a short celebration, figures against par, and what to try next."""

from __future__ import annotations

import pytest
from conftest import Play
from play_pilot import Player

from esoplay.cli.main import main
from esoplay.packs.catalogue import list_problems
from esoplay.progress.records import ProblemStanding
from esoplay.tui.score import celebration
from esoplay.tui.score.celebration import Celebration, SolvedProblem
from esoplay.tui.score.trends import solutions_over_time, solved_over_time, sparkline
from esoplay.tui.workspace import PracticeSubmission, SolvedProgramRecord

pytestmark = pytest.mark.slow  # each test walks through several views

ECHO = b"[a comment, which is free.] ,[.,]"

FRAME_COLUMNS = 6
"""Columns of the border and the padding of the box."""


async def solve(player: Player) -> None:
    await player.open("E02")
    await player.write(ECHO)
    await player.press("ctrl+t")
    await player.graded()


async def par_known(player: Player) -> None:
    for worker in list(player.app.workers):
        if worker.group == "par":
            await worker.wait()
    await player.pilot.pause()


async def test_solving_shows_figures_against_par_and_a_key_for_the_next(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await solve(player)
        await par_known(player)
        said = player.text(player.screen.results)
        assert "✓ solved: E02 Echo Line" in said
        assert "5 bytes (" in said
        assert "par" in said
        assert "next problem: E03 Hello Name (alt+n)" in said
        assert not player.screen.query(Celebration)  # no motion is wanted
        await player.press("alt+n")
        await player.pilot.pause()
        problem = player.screen.workspace.problem
        assert problem is not None
        assert problem.id == "E03"
        assert "solved: E02" not in player.text(player.screen.results)


def test_the_celebration_of_each_problem_fits_at_80_columns() -> None:
    problems = list_problems()
    for one, following in zip(problems, [*problems[1:], None], strict=True):
        submission = PracticeSubmission(one.id, ("pass",) * 6, 10_000_000, 10_000)
        lines = SolvedProblem(one, submission, following).lines()
        assert max(map(len, lines)) + FRAME_COLUMNS <= 80, lines


async def test_celebration_does_not_swallow_keys(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(celebration, "FRAMES", 10**9)  # it ends by the key alone
    async with play(size=(120, 40), motion=True) as player:
        await solve(player)
        await player.until(lambda: bool(player.screen.query(Celebration)))
        assert "solved: E02 Echo Line" in player.text(player.screen.query_one(Celebration))
        assert player.screen.program.editor.has_focus
        await player.press("ctrl+end", "x")
        assert player.screen.program.source == ECHO + b"x"
        await player.until(lambda: not player.screen.query(Celebration))
        assert "solved: E02" in player.text(player.screen.results)


@pytest.mark.slow
async def test_a_celebration_is_short_and_closes_itself(play: Play) -> None:
    assert celebration.FRAMES / celebration.FRAMES_PER_SECOND <= 1.5
    async with play(size=(80, 24), motion=True) as player:
        await solve(player)
        assert player.screen.celebrations.celebration is not None
        await player.until(lambda: not player.screen.query(Celebration))


async def test_no_animation_without_colour(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with play(size=(120, 40), motion=True) as player:
        await solve(player)
        assert not player.screen.query(Celebration)
        assert "solved: E02" in player.text(player.screen.results)


async def test_passing_the_examples_is_not_celebrated(play: Play) -> None:
    async with play(size=(120, 40), motion=True) as player:
        await player.open("E02")
        await player.write(ECHO)
        await player.press("f5")
        await player.graded()
        assert "solved: E02" not in player.text()


async def test_single_solution_has_no_chart(play: Play) -> None:
    async with play(size=(200, 60)) as player:
        await solve(player)
        assert "Plots appear here once" in player.text(player.screen.score)
        assert "of 1 solution" not in player.text(player.screen.score)
        await player.write(ECHO + b"+")
        await player.press("ctrl+t")
        await player.graded()
        assert "steps of 2 solutions" in player.text(player.screen.score)


def test_figures_are_compared_with_par() -> None:
    class Named:
        id, title = "E02", "Echo Line"

    problem: object = Named()
    submission = PracticeSubmission("E02", ("pass",), 1, 12, 1)
    here = SolvedProblem(problem, submission, None)  # pyright: ignore[reportArgumentType]
    assert here.lines()[1] == "1 step, 12 bytes"
    here = here._replace(par=SolvedProgramRecord(3, 10, None))
    assert here.lines()[1] == "1 step (better than par 3), 12 bytes (over par 10)"
    here = here._replace(par=SolvedProgramRecord(1, 12, None))
    assert here.lines()[1] == "1 step (exactly par 1), 12 bytes (exactly par 12)"
    assert here.lines()[2].startswith("all problems are solved")


def test_a_sparkline_is_as_long_as_its_values_and_keeps_the_last() -> None:
    assert sparkline([1000, 100, 10], 10) == "█▅▁"
    assert sparkline([5, 5], 10) == "▄▄"
    assert sparkline([1, 2, 1000, 10], 2) == "█▁"
    assert sparkline([], 10) == ""


def test_progress_over_time_needs_two_values() -> None:
    one = SolvedProgramRecord(1000, 30, None)
    assert solutions_over_time([one, SolvedProgramRecord(1, 1, None, "somebody")], 40) == []
    lines = [
        line.plain for line in solutions_over_time([one, SolvedProgramRecord(10, 20, None)], 40)
    ]
    assert lines[0] == "your 2 solutions, first to last"
    assert lines[1].split() == ["steps", "█▁", "1,000", "→", "10"]
    assert lines[2].split() == ["bytes", "█▁", "30", "→", "20"]


def test_solved_problems_are_counted_up_by_day() -> None:
    def solved_on(day: str) -> ProblemStanding:
        return ProblemStanding(1, 6, 6, True, solved_at=f"{day}T10:00:00Z")

    known = {
        "E01": solved_on("2026-11-01"),
        "E02": solved_on("2026-11-01"),
        "E03": ProblemStanding(),
    }
    assert solved_over_time(known, 60) == []
    known["E04"] = solved_on("2026-11-04")
    head, bars = (line.plain for line in solved_over_time(known, 60))
    assert head == "problems solved since 2026-11-01: 3"
    assert bars == "▅▅▅█  up to 2026-11-04"
    known["E05"] = solved_on("2029-11-04")
    assert len(solved_over_time(known, 40)[1].plain) <= 40


async def test_the_lists_of_problems_show_the_stars(
    play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    async with play(size=(120, 40)) as player:
        screen = player.screen
        await player.open("E02")
        await player.write(b"+-+-,[.,]")
        await player.press("ctrl+t")
        await player.graded()
        for worker in list(player.app.workers):
            if worker.group == "par":
                await worker.wait()
        await player.until(lambda: "★" in str(screen.problems.get_option("E02").prompt))
        assert str(screen.problems.get_option("E02").prompt).startswith("✓ E02 ★☆☆ Echo Line")
        assert "★" not in str(screen.problems.get_option("E03").prompt)
    assert main(["problems"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert next(line for line in lines if " E02 " in line).endswith("  brainfuck ★☆☆")
    assert not next(line for line in lines if " E03 " in line).endswith("☆")
