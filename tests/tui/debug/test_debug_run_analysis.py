"""The pages ``why`` and ``compare``: keys, commands, clicks, and what opens automatically."""

from __future__ import annotations

from pathlib import Path

import pytest
from debug_app import MID, NARROW, WIDE, PaneApp, do, inside, program, settle
from textual.pilot import Pilot

from esoplay.debugging.analysis import ComparedRun, Diagnosis, RunComparison, RunDifference
from esoplay.timeline.diagnosis import DiagnosedStep, DiagnosisFinding
from esoplay.tui.debug.run_analysis import ComparePage, DiagnosisPage

ENDLESS = b"+[>+<]"
FOUND = Diagnosis(
    (
        DiagnosisFinding(
            "endless",
            "proved",
            "a sentence that is so long that it cannot stand on a single row of the page at all",
            "something",
            (DiagnosedStep(12, "the state"), DiagnosedStep(1_234, "the same state again")),
        ),
        DiagnosisFinding("ended", "observed", "it ended", ""),
    ),
    2_000,
    500,
)


async def type_command(pilot: Pilot[None], text: str) -> None:
    await pilot.press("colon")
    for char in text:
        await pilot.press({" ": "space", "\\": "backslash"}.get(char, char))
    await do(pilot, "enter")


async def test_page_wraps_sentences_and_leads_to_steps() -> None:
    page = DiagnosisPage()
    async with PaneApp(page).run_test(size=(50, 16)) as pilot:
        page.show(FOUND)
        await pilot.pause()
        rows = inside(page)
        assert rows[0].endswith("proved: a sentence that is so long that it")
        assert all(len(row) <= 48 for row in rows)
        assert "  @1,234  the same state again" in "\n".join(rows)
        shown = [" ".join(rows[i : i + 3]) for i in range(16)]
        assert any("does not prove that the run ends" in text for text in shown)
        assert page.steps[0] == 12
        page.show(None)
        assert "d: explain why" in inside(page)[0]


async def test_runs_are_shown_side_by_side() -> None:
    page = ComparePage()
    this = ComparedRun(5, "line 1, column 4", "[", "enter the loop", "step 5 read 'a'")
    other = ComparedRun(6, "line 1, column 9", "+", "increment", "step 6 read 'b'")
    comparison = RunComparison((RunDifference("input", this, other),), True, (9, 9), True)
    async with PaneApp(page).run_test(size=(90, 14)) as pilot:
        page.show(comparison, "input b")
        await pilot.pause()
        rows = inside(page)
        assert "this run @5" in rows[1]
        assert "the other run @6" in rows[1].partition("│")[2]
        assert "step 5 read 'a'" in rows[2].partition("│")[0]
        assert "step 6 read 'b'" in rows[2].partition("│")[2]
        assert page.steps[0] == 5


@pytest.mark.parametrize("size", [NARROW, MID])
async def test_d_proves_an_endless_run_and_o_goes_to_its_first_state(
    size: tuple[int, int],
) -> None:
    async with program(ENDLESS, b"", b"x", size) as (pilot, pane, _):
        await do(pilot, "5", "0", "l")
        assert pane.step == 50
        await do(pilot, "d")
        assert pane.widgets.diagnosis.display
        assert "proved: the run never ends" in inside(pane.widgets.diagnosis)[0]
        assert pane.has_focus_within
        assert pane.widgets.program.has_focus
        await do(pilot, "o")
        assert pane.step == 1


async def test_fault_opens_the_page_and_keeps_the_focus() -> None:
    async with program(b"+>+<<", b"", b"x") as (pilot, pane, _):
        assert not pane.widgets.diagnosis.display
        await do(pilot, "G")
        assert pane.widgets.diagnosis.display
        assert pane.widgets.program.has_focus
        told = " ".join(inside(pane.widgets.diagnosis))
        assert "the pointer moved left of cell 0" in told
        assert "try:" in told


@pytest.mark.slow
async def test_an_end_without_a_fault_opens_nothing() -> None:
    async with program(b"+.", b"", b"x") as (pilot, pane, _):
        await do(pilot, "G")
        assert not pane.widgets.diagnosis.display
        await do(pilot, "d")
        assert "ended by itself after 2 steps" in inside(pane.widgets.diagnosis)[0]


async def test_rows_of_the_page_go_to_their_steps() -> None:
    async with program(ENDLESS, size=WIDE) as (pilot, pane, _):
        await do(pilot, "d")
        page = pane.widgets.diagnosis
        page.focus()
        at = next(at for at, row in enumerate(inside(page)) if "the same state again" in row)
        await do(pilot, *["j"] * at, "enter")
        assert pane.step == 1_281


async def test_the_search_for_a_repetition_can_be_stopped() -> None:
    async with program(b"+[>+]") as (pilot, pane, _):
        pane.analysis.diagnose(90_000_000)
        assert pane.time.is_busy
        await do(pilot, "escape")
        assert "stopped diagnosing the run" in pane.time.notice
        assert pane.step == 0


async def test_a_run_is_compared_with_another_input() -> None:
    async with program(b",>,[.-]", b"ab", None) as (pilot, pane, _):
        await do(pilot, "D")
        assert pane.widgets.prompt.is_open
        for char in "ac":
            await pilot.press(char)
        await do(pilot, "enter")
        page = pane.widgets.compare
        assert page.display
        assert pane.step == 3
        assert "at step 3 the runs read different input" in inside(page)[0]
        assert "the runs read different input" in pane.time.notice


@pytest.mark.slow
async def test_run_before_a_change_can_be_reopened() -> None:
    async with program(b"+++.", b"", None) as (pilot, pane, _):
        await do(pilot, "l", "l")
        await type_command(pilot, "set 0 64")
        assert "`:compare other` opens the previous run" in pane.time.notice
        await type_command(pilot, "compare other")
        await settle(pilot)
        assert pane.step == 2
        assert pane.time.target is not None
        assert pane.time.target.debugger.timeline.machine.peek(0) == 2
        await type_command(pilot, "compare other")
        await settle(pilot)
        assert pane.time.target.debugger.timeline.machine.peek(0) == 64


@pytest.mark.slow
async def test_a_run_is_compared_with_a_file_and_the_other_run_can_be_debugged(
    tmp_path: Path,
) -> None:
    other = tmp_path / "other.bf"
    other.write_bytes(b"+++++.")
    async with program(b"+++.", b"", None) as (pilot, pane, _):
        await type_command(pilot, "compare other")
        assert "no other run yet" in pane.time.notice
        pane.analysis.compare_with("file", str(other))
        await settle(pilot)
        assert pane.step == 4
        await type_command(pilot, "compare other")
        assert "switched to the other run" in pane.time.notice
        await do(pilot, "G")
        assert pane.step == 6
        await type_command(pilot, "compare other")
        await do(pilot, "G")
        assert pane.step == 4


@pytest.mark.parametrize(
    ("command", "said"),
    [
        pytest.param("compare dialect x", "unknown dialect 'x'", marks=pytest.mark.slow),
        pytest.param("compare option x=1", "unknown option 'x'", marks=pytest.mark.slow),
        pytest.param("compare file nowhere", "cannot read nowhere", marks=pytest.mark.slow),
        ("compare", "compare: expected input TEXT"),
        ("why x", "a number of steps must be an integer"),
        pytest.param("compare input ab", "no difference", marks=pytest.mark.slow),
    ],
)
async def test_comparison_errors_are_reported(command: str, said: str) -> None:
    async with program(b",.", b"ab", None) as (pilot, pane, _):
        await type_command(pilot, command)
        assert said in pane.time.notice


async def test_opening_a_program_clears_the_findings() -> None:
    async with program(ENDLESS) as (pilot, pane, _):
        await do(pilot, "d")
        pane.open("brainfuck", b"+.", b"", b"x", "standard")
        await settle(pilot)
        assert pane.widgets.diagnosis.diagnosis is None


async def test_parse_error_suggests_a_fix() -> None:
    async with program(b"+.", b"", b"x") as (pilot, pane, app):
        pane.open("brainfuck", b"+[", b"", b"x", "standard")
        await settle(pilot)
        assert app.failed
        assert "close the loop with a ']'" in " ".join(inside(pane.widgets.diagnosis))
        await do(pilot, "l")
        assert "close the loop with a ']'" in " ".join(inside(pane.widgets.diagnosis))
        pane.open("brainfuck", b"+.+", b"", b"x", "standard")
        await settle(pilot)
        assert pane.widgets.diagnosis.diagnosis is None


async def test_empty_comparison_has_a_complete_frame() -> None:
    page = ComparePage()
    async with PaneApp(page).run_test(size=(90, 8)) as pilot:
        page.show(None, "")
        await pilot.pause()
        assert "─  ─" not in page.render_line(0).text
