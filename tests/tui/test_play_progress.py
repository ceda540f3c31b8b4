"""Progress on the screen: the list and its filter, all cells, ranked solutions, export."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from conftest import Play
from textual.app import App, ComposeResult

from esoplay.grading.problem import Pack
from esoplay.packs.catalogue import get_pack
from esoplay.programs.execution import languages
from esoplay.progress.exchange import export_text
from esoplay.progress.records import NO_PROGRESS, OwnSolution, PracticeSubmission, Streak
from esoplay.progress.store import ProgressStore
from esoplay.tui.browser.problems import HEADING_PREFIX, NOTHING_FOUND, ProblemList, matches
from esoplay.tui.frame import MATRIX_NAME
from esoplay.tui.languages import language_letters
from esoplay.tui.score.screens import (
    Matrix,
    MatrixData,
    MatrixScreen,
    SelectedCell,
    SolutionAction,
    SolutionsScreen,
    abbreviate,
)
from esoplay.tui.themes import variable_defaults

pytestmark = pytest.mark.slow  # each test walks through several views

PASS, FAIL = ("pass",) * 6, (*("pass",) * 2, *("fault",) * 4)
SOLVED = NO_PROGRESS.with_submission(
    PracticeSubmission("", PASS, 1_234_567, 890), "2026-01-02T03:04:05+00:00"
)
TRIED = NO_PROGRESS.with_submission(PracticeSubmission("", FAIL, 5, 5), "2026-01-02T03:04:05+00:00")
SIZES = [(80, 24), (120, 40), (200, 60)]
REVERSE, LONGER = b">,[>,]<[.<]", b"longer >,[>,]<[.<]"


class Bare(App[object]):
    """Shows one widget or screen, and stores the result of dismissing it."""

    def __init__(self, widget: ProblemList | None = None) -> None:
        super().__init__()
        self.widget = widget
        self.answer: object = "none yet"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def compose(self) -> ComposeResult:
        if self.widget is not None:
            yield self.widget


def text(app: App[Any]) -> str:
    return "\n".join(line.text for line in app.screen._compositor.render_strips())  # pyright: ignore[reportPrivateUsage]


def ids(shown: ProblemList) -> list[str]:
    return [str(each.id) for each in shown.options if not str(each.id).startswith(HEADING_PREFIX)]


def pack() -> Pack:
    return get_pack()


# The list


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("e08", {"E08"}),
        ("REV str", {"E08"}),
        ("solved", {"E08"}),
        ("tried", {"E02"}),
        ("hello untried", {"E01", "E03"}),
        ("unsolved echo", {"E02"}),
        ("no such thing", set[str]()),
    ],
)
def test_a_filter_finds_problems_by_id_words_and_state(typed: str, expected: set[str]) -> None:
    states = {"E08": SOLVED, "E02": TRIED}
    found = {
        each.id
        for each in pack()
        if each.tier == "easy" and matches(each, states.get(each.id, NO_PROGRESS), typed)
    }
    assert found == expected


def test_filter_matches_tiers_and_categories() -> None:
    for problem in pack():
        assert matches(problem, NO_PROGRESS, problem.tier)
        assert matches(problem, NO_PROGRESS, problem.category.upper())
        assert matches(problem, NO_PROGRESS, "")


async def test_the_list_marks_the_language_in_use_and_names_others() -> None:
    shown = ProblemList(pack())
    cells = {"brainfuck": {"E08": SOLVED, "E02": TRIED}, "whitespace": {"E02": SOLVED}}
    async with Bare(shown).run_test(size=(40, 24)) as pilot:
        shown.show(cells, "brainfuck", language_letters(), "E08")
        await pilot.pause()
        lines = [line.strip("│ ▁▂▃▄▅▆▇█") for line in text(shown.app).splitlines()]
        easy = sum(each.tier == "easy" for each in pack())
        assert f"easy: 1 of {easy} solved" in lines
        assert "✓ E08 Reverse String" in lines
        assert "◐ E02 Echo Line  solved in whitespace" in lines
        cells["unlambda"] = {"E02": SOLVED}
        shown.show(cells, "brainfuck", language_letters(), "E08")
        await pilot.pause()
        assert "◐ E02 Echo Line  solved in 2 others" in text(shown.app)
        await pilot.resize_terminal(30, 24)
        await pilot.pause()
        assert "◐ E02 Echo Line" in text(shown.app)
        assert "solved in" not in text(shown.app)
        assert "sol…" not in text(shown.app)
        await pilot.resize_terminal(40, 24)
        await pilot.pause()
        assert "◐ E02 Echo Line  solved in 2 others" in text(shown.app)
        assert f"1 of {len(pack().problems)} solved" in text(shown.app)
        assert ids(shown) == [problem.id for problem in pack()]


@pytest.mark.slow
async def test_typing_only_narrows_the_list(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        player.screen.show_view("browse")
        shown = player.screen.query_one(ProblemList)
        await player.press("slash", *"echo")
        assert ids(shown) == ["E02"]
        assert shown.highlighted_option is not None
        assert shown.highlighted_option.id == "E02"
        assert "/echo▏" in player.text(shown)
        assert f"1 of {len(pack().problems)} shown" in player.text(shown)
        assert player.screen.view == "browse"
        await player.press("backspace", *"z[mH")
        assert NOTHING_FOUND[:20] in player.text(shown)
        assert player.screen.view == "browse"
        await player.press("enter")
        assert player.screen.workspace.problem is not None
        assert player.screen.workspace.problem.id == "E08"
        await player.press("escape")
        assert ids(shown) == [problem.id for problem in pack()]
        await player.press("slash", *"largest")
        await player.press("enter")
        assert player.screen.workspace.problem.id in ids(shown)
        assert "argest" in player.screen.workspace.problem.title
        assert player.screen.view == "edit"
        player.screen.show_view("browse")
        await player.press("escape")
        assert len(ids(shown)) == len(pack().problems)


async def test_a_click_on_the_frame_begins_a_filter(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("browse")
        await player.pilot.pause()
        await player.pilot.click(ProblemList, offset=(4, 0))
        await player.press(*"rev")
        assert player.screen.query_one(ProblemList).filter == "rev"


@pytest.mark.slow
async def test_g_n_opens_the_next_unsolved_problem(play: Play) -> None:
    async with play() as player:
        workspace = player.screen.workspace
        for id in ("E02", "E03"):
            workspace.state.save_submission(
                workspace.pack.id, "brainfuck", "standard", PracticeSubmission(id, PASS, 1, 1)
            )
        await player.open("E01")
        player.screen.show_view("browse")
        await player.press("g", "n")
        assert workspace.problem is not None
        assert workspace.problem.id == "E04"
        assert player.screen.view == "browse"
        player.screen.show_view("score")
        await player.press("g", "n")
        assert workspace.problem.id == "E05"
        assert player.screen.view == "edit"
        player.screen.show_view("learn")
        await player.press("g", "n")
        assert workspace.problem.id == "E05"


# All cells


def everything(language: str = "brainfuck") -> MatrixData:
    names = {each.id: each.name for each in languages()}
    cells = {"brainfuck": {"E08": SOLVED}, "whitespace": {"E08": TRIED}}
    return MatrixData(pack(), names, cells, Streak(2, 5, False), language, pack().problem("E08"))


@pytest.mark.parametrize("size", SIZES)
async def test_the_matrix_shows_every_cell(size: tuple[int, int]) -> None:
    app = Bare()
    async with app.run_test(size=size) as pilot:
        app.push_screen(MatrixScreen(everything()))
        await pilot.pause()
        await pilot.pause()
        lines = text(app).splitlines()
        head = next(line for line in lines if "Befunge-98" in line)
        assert "▸Brainfuck" in head
        row = next(line for line in lines if "E08 " in line)
        column, other = head.index("▸Brainfuck"), head.index("Whitespace") - 1
        figures = ["1,234,567", "890"] if size[0] > 120 else ["1.2M", "890"]
        assert row[column : column + 20].split()[:3] == ["▸✓", *figures]
        assert row[other : other + 8].split() == ["◐", "2/6"]
        assert any("all" in line and f"1/{len(pack().problems)}" in line for line in lines)
        assert f"1 of {5 * len(pack().problems)} solved" in lines[0]
        assert "2 days in a row, nothing solved yet today (longest 5 days)" in lines[-2]
        assert "E08 Reverse String in Brainfuck: solved, 1 try" in text(app)
        assert "best 1,234,567 steps (2026-01-02), 890 bytes (2026-01-02)" in text(app)
        await pilot.press("end")
        await pilot.pause()
        assert app.screen.query_one(Matrix).cell == SelectedCell(
            pack().problems[-1].id, "brainfuck"
        )
        assert pack().problems[-1].id in text(app)


@pytest.mark.slow
async def test_keys_and_clicks_choose_a_cell() -> None:
    app = Bare()

    def answered(cell: SelectedCell | None) -> None:
        app.answer = cell

    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(MatrixScreen(everything()), answered)
        await pilot.pause()
        await pilot.press("k", "right", "right", "enter")
        await pilot.pause()
        assert app.answer == SelectedCell("E07", "unlambda")
        app.push_screen(MatrixScreen(everything()), answered)
        await pilot.pause()
        await pilot.press("left", "left", "tab", "escape")
        await pilot.pause()
        assert app.answer is None
        app.push_screen(MatrixScreen(everything()), answered)
        await pilot.pause()
        await pilot.pause()
        lines = text(app).splitlines()
        y = next(at for at, line in enumerate(lines) if "E05 " in line)
        x = next(line.index("Shakespeare") for line in lines if "Shakespeare" in line)
        await pilot.click(offset=(x, y))
        await pilot.pause()
        assert app.answer == SelectedCell("E05", "shakespeare")


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (9_999, "9999"),
        (10_000, "10k"),
        (999_999, "999k"),
        (1_000_000, "1.0M"),
        (12_345_678, "12M"),
        (60_000_000_000, "60G"),
        (10**30, "9.9P"),
    ],
)
def test_numbers_are_shortened_to_four_characters(number: int, shown: str) -> None:
    assert abbreviate(number) == shown


@pytest.mark.slow
async def test_cell_of_another_language_opens_its_program(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.open("E08")
        await player.write(b"+")
        player.screen.show_view("score")
        await player.press("g", "m")
        assert isinstance(player.app.screen, MatrixScreen)
        await player.press("j", "left", "enter")
        workspace = player.screen.workspace
        await player.until(
            lambda: workspace.language_id == "befunge-98" and player.screen.view == "edit"
        )
        assert workspace.problem is not None
        assert workspace.problem.id == "E09"
        assert player.screen.program.source == workspace.problem.starter("befunge-98")
        workspace.choose_language("brainfuck")
        await player.open("E08")
        assert player.screen.program.source == b"+"


# The user's solutions


async def test_ranking_marks_best_and_undominated_solutions() -> None:
    def own(steps: int, size: int, digest: str | None) -> OwnSolution:
        return OwnSolution("2026-01-02T03:04:05+00:00", "standard", steps, size, 7, digest)

    app = Bare()

    def answered(picked: SolutionAction | None) -> None:
        app.answer = picked

    solutions = [own(10, 90, "a"), own(20, 20, "b"), own(30, 30, "c"), own(90, 10, None)]
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(SolutionsScreen("mine", solutions), answered)
        await pilot.pause()
        rows = [line.strip("│ ").split() for line in text(app).splitlines() if "2026-" in line]
        assert [row[:4] for row in rows] == [
            ["1", "◆", "★10", "90"],
            ["2", "◆", "20", "20"],
            ["3", "30", "30", "7"],
            ["4", "◆", "90", "★10"],
        ]
        assert rows[-1][-2:] == ["not", "saved"]
        await pilot.press("R")
        await pilot.pause()
        rows = [line.strip("│ ").split() for line in text(app).splitlines() if "2026-" in line]
        assert [row[2] for row in rows] == ["90", "20", "30", "★10"]
        await pilot.press("space", "k", "D")
        await pilot.pause()
        assert app.answer == SolutionAction("c", "a")


async def test_a_long_ranking_scrolls_and_its_legend_stays() -> None:
    at = "2026-01-02T03:04:05+00:00"
    many = [OwnSolution(at, "standard", 100 + n, 10, None, f"{n}") for n in range(50)]
    app = Bare()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(SolutionsScreen("mine", many))
        await pilot.pause()
        await pilot.press("end")
        await pilot.pause()
        assert "   50 " in text(app)
        assert "★ least" in text(app)
        assert "Esc closes" in text(app)


@pytest.mark.slow
async def test_solution_opens_in_the_editor_and_two_can_be_compared(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        await player.press("escape")
        player.screen.action_solutions()
        await player.pilot.pause()
        assert not isinstance(player.app.screen, SolutionsScreen)
        for source in (REVERSE, LONGER):
            await player.write(source)
            await player.press("ctrl+t")
            await player.graded()
        await player.write(b"something else")
        player.screen.show_view("score")
        await player.press("g", "s")
        assert isinstance(player.app.screen, SolutionsScreen)
        await player.press("enter")
        await player.until(lambda: player.screen.program.source == REVERSE)
        assert player.screen.view == "edit"
        player.screen.program.editor.undo()
        assert player.screen.program.source == b"something else"
        player.screen.show_view("score")
        await player.press("g", "s", "space", "j", "D")
        await player.until(lambda: player.screen.view == "debug")
        assert player.screen.program.source == LONGER
        told = "no difference: both runs are equal up to the end"
        await player.until(lambda: told in player.text(player.screen.debugger))


# Export and import


async def test_progress_is_exported_and_imported(play: Play, tmp_path: Path, home: Path) -> None:
    (tmp_path / "other").mkdir()
    other = ProgressStore(tmp_path / "other", lambda: datetime(2026, 1, 2, tzinfo=UTC))
    other.save_submission(
        "esoplay-80", "brainfuck", "standard", PracticeSubmission("E09", PASS, 7, 1), b"+"
    )
    theirs, mine = tmp_path / "theirs.json", tmp_path / "mine.json"
    theirs.write_text(export_text(other))
    other.close()
    async with play() as player:
        await player.open("E08")
        pages, notices = player.screen.progress_pages, player.app._notifications  # pyright: ignore[reportPrivateUsage]
        pages.merge(theirs)
        await player.pilot.pause()
        assert "theirs.json: 1 submission imported" in [each.message for each in notices]
        assert player.screen.workspace.progress()["E09"].solved
        assert f"1 of {len(pack().problems)} solved" in player.text()
        pages.export(mine)
        assert len(json.loads(mine.read_text())["submissions"]) == 1
        before = mine.read_bytes()
        pages.export(mine)
        pages.merge(tmp_path / "missing.json")
        pages.merge(home)
        await player.pilot.pause()
        said = [each.message for each in notices]
        assert any("exists already" in each for each in said)
        assert any(each.startswith("missing.json: ") for each in said)
        assert mine.read_bytes() == before


async def test_palette_and_keys_run_the_same_actions(play: Play) -> None:
    async with play() as player:
        commands = {each.title: each for each in player.app.get_system_commands(player.app.screen)}
        wanted = {"Export progress…", "Import progress…", MATRIX_NAME, "Next unsolved problem"}
        assert wanted <= commands.keys()
        commands[MATRIX_NAME].callback()
        await player.pilot.pause()
        assert isinstance(player.app.screen, MatrixScreen)
        await player.press("escape")
        commands["Export progress…"].callback()
        await player.pilot.pause()
        assert "Export progress" in player.text()
