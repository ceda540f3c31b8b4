"""The application as a player sees it: views, problems, tests, files, saved state."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Play
from selection import slow_except
from shell import esoplay

from esolangs.errors import ParseError
from esoplay.packs.grading import grade_source
from esoplay.tui.browser.solution import SolutionScreen
from esoplay.tui.browser.statement import StatementPane
from esoplay.tui.editor.pane import DiagnosticLine
from esoplay.tui.frame import TipLine, TooSmallNotice
from esoplay.tui.score.results import VERDICT_WORDS
from esoplay.tui.workspace import FILE_NAME, LaunchRequest

ECHO = b",[.,]"
REVERSE = b">,[>,]<[.<]"
SIZES = [(80, 24), (120, 40), (200, 60)]


async def test_first_run_shows_the_step_key(play: Play) -> None:
    async with play() as player:
        assert "press l to step" not in player.text()  # on the start page
        player.screen.show_view("debug")
        await player.pilot.pause()
        assert player.screen.debugger.step == 0
        assert player.screen.query_one(TipLine).display
        assert "press l to step" in player.text()
        assert "^l lesson, g go to" in player.text()
        await player.press("l")
        assert player.screen.debugger.step == 1
        assert not player.screen.query_one(TipLine).display
    async with play() as player:
        assert "press l to step" not in player.text()


async def test_tip_is_shown_only_beside_the_debugger(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("edit")
        await player.pilot.pause()
        assert not player.screen.query_one(TipLine).display
        player.screen.show_view("debug")
        await player.pilot.pause()
        assert player.screen.query_one(TipLine).display


@pytest.mark.slow
async def test_own_program_is_debugged_with_the_problems_example(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("edit")
        await player.write(b"+++.")
        player.screen.show_view("debug")
        await player.pilot.pause()
        assert "no expected output" not in player.text()


@pytest.mark.slow
async def test_other_views_open_despite_a_parse_error(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("edit")
        await player.open("E08")
        await player.write(b"[")
        await player.press("escape")
        await player.press("ctrl+pagedown")
        assert player.screen.view == "score"
        await player.press("ctrl+pageup")
        assert player.screen.view == "edit"


@pytest.mark.parametrize("size", slow_except(SIZES, (80, 24)))
async def test_each_view_fits_each_terminal_size(play: Play, size: tuple[int, int]) -> None:
    async with play(size=size) as player:
        await player.open("E08")
        for view in ("browse", "edit", "debug", "score"):
            player.screen.show_view(view)
            await player.pilot.pause()
            focused = player.screen.focused
            assert focused is not None
            assert focused.region.area > 0
            assert "E08 Reverse String" in player.text()
        shown = {child.id for child in player.screen.query("#body > *") if child.region.area}
        if size[0] < 110:
            assert shown == {"score"}
        else:
            assert {"problems", "score"} <= shown
            assert ("statement" in shown) == (size[0] >= 180)
        player.screen.show_view("debug")
        await player.pilot.pause()
        beside = {child.id for child in player.screen.query("#body > *") if child.region.area}
        if size[0] >= 180:
            assert {"problems", "score"} <= beside
        else:
            assert beside == {"debug"}  # the sidebar starts hidden while debugging
        for child in player.screen.query("#body > *"):
            assert player.screen.region.contains_region(child.region)


@pytest.mark.slow
async def test_keys_and_clicks_change_the_view(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        player.screen.show_view("debug")
        await player.press("ctrl+pagedown")
        assert player.screen.view == "score"
        await player.press("ctrl+pagedown")
        assert player.screen.view == "learn"
        await player.press("ctrl+pagedown")
        assert player.screen.view == "browse"
        await player.press(*["ctrl+pageup"] * 3)
        assert player.screen.view == "debug"
        source = player.screen.program.source
        await player.press("left_square_bracket", "left_square_bracket")
        assert player.screen.view == "debug"
        assert player.screen.program.source == source
        await player.pilot.click("#tab-browse")
        assert player.screen.view == "browse"


@pytest.mark.slow
async def test_small_terminal_shows_a_message(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        assert not player.screen.query_one(TooSmallNotice).display
        await player.pilot.resize_terminal(50, 12)
        await player.pilot.pause()
        assert "needs 60 × 16" in player.text()
        assert "50 × 12" in player.text()
        await player.pilot.resize_terminal(60, 16)
        await player.pilot.pause()
        assert not player.screen.query_one(TooSmallNotice).display


async def test_choosing_a_problem_opens_its_starter_and_its_statement(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("browse")
        await player.press("j", "j", "enter")
        assert player.screen.workspace.problem is not None
        assert player.screen.workspace.problem.id == "E03"
        assert player.screen.program.editor.has_focus
        starter = player.screen.workspace.problem.starter("brainfuck")
        assert player.screen.program.source == starter
        assert "Greet somebody by name" in player.text()


@pytest.mark.slow
async def test_programs_are_saved_automatically(play: Play, home: Path) -> None:
    async with play() as player:
        await player.open("E08")
        await player.write(b"+\xff\r\n")
        await player.open("E02")
        await player.open("E08")
        assert player.screen.program.source == b"+\xff\r\n"
        await player.press("-")
        await player.press("ctrl+q")
    assert player.app.return_value == 0
    async with play() as player:
        assert player.screen.program.source == b"-+\xff\r\n"
    kept = {path.name for path in home.glob("programs/*/brainfuck/*")}
    assert kept == {"E08.bf"}  # the starter of E02 was not edited


async def test_only_a_submission_counts_and_examples_do_not(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        await player.write(ECHO)
        await player.press("f5")
        await player.graded()
        assert "examples" in player.text(player.screen.results)
        assert "✗" in player.text(player.screen.results)
        assert player.screen.workspace.progress() == {}  # examples do not count as a submission

        await player.press("ctrl+t")
        await player.graded()
        report = grade_source("E08", "brainfuck", ECHO)
        assert f"{report.passed} of 6 passed" in player.text()
        assert f"✗ hidden tests {report.passed}/6" in player.lines()[0]

        await player.write(REVERSE)
        await player.press("ctrl+t")
        await player.graded()
        assert "✓ solved 6/6" in player.lines()[0]
        best = player.screen.workspace.progress()["E08"]
        assert (best.solved, best.tries, best.size) == (True, 2, len(REVERSE))
        solved = f"1 of {len(player.screen.workspace.pack.problems)} solved"
        assert solved in player.text()
    async with play() as player:
        assert solved in player.text()


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        pytest.param(ECHO, "pass", marks=pytest.mark.slow),
        (ECHO + b"+.", "wrong_answer"),
        pytest.param(b",[", "parse_error", marks=pytest.mark.slow),
        pytest.param(b"<", "fault", marks=pytest.mark.slow),
        (b"+[]", "step_limit"),
        pytest.param(b"+[.]", "output_limit", marks=pytest.mark.slow),
    ],
)
async def test_verdict_equals_the_command_lines(
    source: bytes, kind: str, play: Play, tmp_path: Path
) -> None:
    program = tmp_path / "own.bf"
    program.write_bytes(source)
    headless = esoplay("grade", program, "--problem", "E02", "--json")
    tests = json.loads(headless.stdout)["tests"]
    verdicts = [test["verdict"] for test in tests]
    assert kind in verdicts
    async with play() as player:
        await player.open("E02")
        await player.write(program.read_bytes())
        await player.press("ctrl+t")
        await player.graded()
        latest = player.screen.workspace.progress()["E02"].latest
        assert latest is not None
        assert list(latest.verdicts) == verdicts
        passed = verdicts.count("pass")
        told = "✓ solved 6/6" if passed == 6 else f"✗ hidden tests {passed}/6"
        assert told in player.lines()[0]
        first = next(line for line in player.lines(player.screen.results) if " 1  " in line)
        assert VERDICT_WORDS[verdicts[0]] in first
        assert f"{tests[0]['steps']:,} step" in first


async def test_a_failing_test_opens_in_the_debugger(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        await player.write(ECHO)
        await player.press("ctrl+t")
        await player.graded()
        await player.press("escape")
        assert player.screen.results.has_focus
        row = player.screen.results.highlighted
        assert row is not None
        report = grade_source("E08", "brainfuck", ECHO)
        failing = next(test for test in report.tests if not test.passed)
        assert row == failing.index - 1
        await player.press("enter")
        assert player.screen.view == "debug"
        assert failing.detail is not None
        wanted = failing.detail.expected.decode().replace(" ", "␠")
        assert wanted in player.text(player.screen.debugger).replace("[", "").replace("]", "")


async def test_escape_stops_an_endless_program(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        await player.write(b"+[>+]" + b"+" * 10)
        await player.press("f5")
        assert player.screen.test_runner.is_running
        await player.press("escape")
        assert not player.screen.test_runner.is_running
        assert "no result was saved" in player.text()
        await player.graded()
        assert player.screen.workspace.progress() == {}


async def test_parse_error_is_shown_at_its_position(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("edit")
        await player.open("E02")
        await player.write(b"+\n+]")
        await player.until(lambda: "line 2, column 2" in player.text())
        await player.press("f2")
        await player.until(lambda: player.screen.program.editor.cursor_location == (1, 1))
        assert player.screen.view == "edit"
        await player.write(b"+\n+")
        await player.until(lambda: player.screen.program.error is None)


async def test_parse_error_location_is_shown_once_and_first(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        complaint = player.screen.program.query_one(DiagnosticLine)
        await player.write(b"+\n+]")
        await player.until(lambda: "✗ line 2, column 2: " in player.text(complaint))
        message = "'`' at line 1, column 2 has no argument: the program ends before it"
        player.screen.program.show_error(ParseError(message, b"``r", (1, 2)))
        await player.pilot.pause()
        assert player.text(complaint).count("line 1, column 2") == 1


async def test_title_is_shortened_for_the_result(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.open("E08")
        title = player.lines()[0]
        assert "Reverse String" in title
        await player.write(b"+")
        await player.press("f5")
        await player.graded()
        assert "✗ examples 1/4" in player.lines()[0]
        assert player.lines()[0].lstrip().startswith("E08")
        assert "brainfuck" in player.lines()[0]


@pytest.mark.slow
async def test_text_of_programs_is_never_markup(play: Play) -> None:
    nasty = b"[/] [red]x[/red] [bold"
    async with play() as player:
        await player.open("E02")
        await player.write(nasty + b"]")
        assert "[red]x[/red]" in player.text()
        await player.write(b"[/" + nasty)
        await player.until(lambda: player.screen.program.error is not None)
        await player.write(b"[-]" + b"+" * 91 + b".[.-]")
        await player.press("f5")
        await player.graded()
        assert "[[ZYX" in player.text(player.screen.results)


@pytest.mark.slow
async def test_hints_are_shown_one_by_one_and_stay(play: Play) -> None:
    async with play() as player:
        problem = player.screen.workspace.pack.problem("E01")
        player.screen.show_view("browse")
        await player.press("H")
        assert player.screen.workspace.shown_hint_count(problem) == 1
        every = len(player.screen.workspace.hints(problem))
        assert every > len(problem.hints)
        await player.press(*"H" * every)
        assert player.screen.workspace.shown_hint_count(problem) == every
    async with play() as player:
        assert player.screen.workspace.shown_hint_count(problem) == every


async def test_statement_pane_explains_files_without_a_problem(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "own.bf"
    file.write_bytes(b"+.")
    async with play(size=(200, 60), launch=LaunchRequest(file=file)) as player:
        await player.press("alt+s")
        assert "This program is your own file" in player.text(
            player.screen.query_one(StatementPane)
        )
        await player.open("E01")
        assert "This program is your own file" not in player.text(
            player.screen.query_one(StatementPane)
        )


@pytest.mark.slow
async def test_enter_without_a_target_stays_in_the_debugger(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        player.screen.show_view("debug")
        await player.press("enter")
        assert player.screen.view == "debug"
        assert "F2 opens the editor" in player.text()


@pytest.mark.slow
async def test_programs_survive_a_damaged_state_file(play: Play, home: Path) -> None:
    async with play() as player:
        await player.open("E08")
        await player.write(b"+++")
    (home / FILE_NAME).write_bytes(b"rubbish")
    async with play() as player:
        notices = [notice.message for notice in player.app._notifications]
        assert any("your programs are safe" in notice for notice in notices)
        await player.open("E08")
        assert player.screen.program.source == b"+++"


@pytest.mark.slow
async def test_no_color_keeps_the_symbols(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with play() as player:
        await player.open("E02")
        await player.write(ECHO)
        await player.press("ctrl+t")
        await player.graded()
        assert "✓ solved 6/6" in player.lines()[0]
        colours = {
            segment.style.color.name
            for strip in player.app.screen._compositor.render_strips()
            for segment in strip.apply_filter(
                player.app._filters[0], player.app.screen.styles.background
            )
            if segment.style is not None and segment.style.color is not None
        }
        for name in colours:
            assert len({name[1:3], name[3:5], name[5:7]}) == 1, f"{name} is no grey"


@pytest.mark.slow
async def test_a_solution_is_unlocked_by_solving(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        statement = player.screen.query_one(StatementPane)
        statement.focus()
        await player.press("g", "r")
        assert not isinstance(player.app.screen, SolutionScreen)
        assert "solved: g r" not in player.text()
        await player.write(REVERSE)
        await player.press("ctrl+t")
        await player.graded()
        statement.focus()
        statement.scroll_end(animate=False)
        await player.pilot.pause()
        assert "solved: g r" in player.text()
        await player.press("g", "r")
        assert isinstance(player.app.screen, SolutionScreen)
        await player.pilot.pause()
        assert "E08 Reverse String: the pack's solution" in player.text()
        await player.until(lambda: "steps on the hidden tests" in player.text())
        before = player.text()
        await player.press("x", "delete")
        assert player.text() == before
        await player.press("escape")
        await player.open("E09")
        assert not statement.query_one("#statement-solution").display
