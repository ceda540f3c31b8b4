"""The score panel: figures, par, plots of whole solutions, imported sessions."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from conftest import Play
from hypothesis import given
from hypothesis import strategies as st
from play_pilot import Player
from textual.app import App, ComposeResult
from textual.widgets import Static

from esoplay.benchmark.exports import read_solutions
from esoplay.errors import UsageError
from esoplay.packs.catalogue import get_pack
from esoplay.packs.grading import grade_source
from esoplay.programs.execution import code_size
from esoplay.progress.store import ProgressStore
from esoplay.tui.score.panel import (
    LATEST,
    OTHER,
    OWN,
    PAR,
    ScoreData,
    ScorePanel,
    histogram,
    scatter_plot,
)
from esoplay.tui.themes import variable_defaults
from esoplay.tui.workspace import PracticeSubmission, SolvedProgramRecord

pytestmark = pytest.mark.slow  # each test walks through several views

REVERSE = b">,[>,]<[.<]"
ECHO = b",[.,]"

FIGURES = st.integers(0, 10**12)
SOLUTIONS = st.builds(
    SolvedProgramRecord, FIGURES, FIGURES, FIGURES, st.sampled_from(["", "somebody"])
)


@given(
    st.lists(FIGURES, min_size=1, max_size=40),
    st.lists(FIGURES, max_size=40),
    st.none() | FIGURES,
    st.integers(28, 70),
)
def test_histogram_counts_all_solutions(
    own: list[int], others: list[int], par: int | None, width: int
) -> None:
    lines = [line.plain for line in histogram("steps", own, others, par, width=width)]
    assert {len(line) for line in lines[1:-1]} == {width}
    bars = "".join(lines[1:-3])
    assert OWN in bars
    assert (OTHER in bars or OWN in bars) if others else OTHER not in bars
    assert lines[-2].count(LATEST) == 1
    assert PAR not in lines[-2] if par is None else lines[-2].strip()
    every = [*own, *others, *([] if par is None else [par])]
    assert f"{min(every):,}" in lines[-1]
    assert f"{max(every):,}" in lines[-1]


def test_bar_height_is_the_number_of_solutions() -> None:
    lines = [line.plain for line in histogram("bytes", [10, 10, 10], [1000], None, height=4)]
    assert [line[0] for line in lines[1:5]] == [" ", OWN, OWN, OWN]
    assert [line[-1] for line in lines[1:5]] == [" ", " ", " ", OTHER]


@given(st.lists(SOLUTIONS, min_size=1, max_size=30), st.none() | SOLUTIONS)
def test_points_stay_inside_the_plot(
    solutions: list[SolvedProgramRecord], par: SolvedProgramRecord | None
) -> None:
    lines = [line.plain for line in scatter_plot(solutions, par, width=40, height=8)]
    assert len(lines) == 11
    field = [line.split("│", 1)[1] for line in lines[1:9]]
    assert {len(row) for row in field} == {40}
    assert any(row.strip() for row in field)


def test_each_solution_is_one_point_of_the_plot() -> None:
    few_steps, few_bytes = SolvedProgramRecord(10, 1000, None), SolvedProgramRecord(1000, 10, None)
    field = [line.plain for line in scatter_plot([few_steps, few_bytes], width=20, height=5)]
    assert field[1].endswith("│•" + " " * 19)
    assert field[5].endswith("│" + " " * 19 + "●")


@pytest.mark.parametrize(
    ("dialect", "columns", "named"),
    [
        ("standard", 80, True),
        ("benchmark", 80, True),
        ("standard", 30, False),
        ("benchmark", 40, True),
    ],
)
async def test_the_panel_names_the_dialect_of_the_latest_submission(
    tmp_path: Path, dialect: str, columns: int, named: bool
) -> None:
    pack = get_pack()
    state = ProgressStore(tmp_path)
    for each in ("eof-255", dialect):
        submission = PracticeSubmission("E08", ("pass",), 1, 1, 1)
        state.save_submission(pack.id, "brainfuck", each, submission, REVERSE)
    assert state.latest_dialect(pack.id, "brainfuck", "E02") == ""
    standing = ScoreData(
        "Brainfuck",
        state.progress(pack.id, "brainfuck"),
        pack.problem("E08"),
        dialect=state.latest_dialect(pack.id, "brainfuck", "E08"),
    )
    panel = ScorePanel(pack)
    async with PanelApp(panel).run_test(size=(columns, 24)) as pilot:
        panel.show(standing)
        await pilot.pause()
        text = str(panel.query_one("#score-text", Static).visual)
    assert (f"graded in the dialect {dialect}" in text) == named


class PanelApp(App[None]):
    def __init__(self, panel: ScorePanel) -> None:
        super().__init__()
        self._panel = panel

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def compose(self) -> ComposeResult:
        yield self._panel


async def solve(player: Player, source: bytes) -> None:
    await player.open("E08")
    await player.write(source)
    await player.press("ctrl+t")
    await player.graded()


async def wait_for_workers(player: Player, group: str) -> None:
    for worker in list(player.app.workers):
        if worker.group == group:
            await worker.wait()
    await player.pilot.pause()


@pytest.mark.slow
async def test_the_score_shows_steps_bytes_and_memory_of_latest_best_and_par(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await solve(player, REVERSE)
        await solve(player, b"comment " + REVERSE + b"+")
        await wait_for_workers(player, "par")
        player.screen.show_view("score")
        panel = player.screen.query_one("#score")
        await player.until(lambda: "steps of 2 solutions" in player.text(panel))
        text = player.text(panel)
        mine = grade_source("E08", "brainfuck", REVERSE)
        latest = grade_source("E08", "brainfuck", REVERSE + b"+")
        problem = player.screen.workspace.pack.problem("E08")
        reference = problem.reference("brainfuck")
        assert reference is not None
        pars = grade_source("E08", "brainfuck", reference)
        lines = (line.strip("│▁▂▃▄▅▆▇█ ").split() for line in text.splitlines())
        rows = {line[0]: line[1:4] for line in lines if len(line) == 4}
        steps = [f"{sum(test.steps for test in each.tests):,}" for each in (latest, mine, pars)]
        assert rows["steps"] == steps
        assert rows["bytes"] == ["12", "11", f"{code_size('brainfuck', reference):,}"]
        most = [f"{max(test.memory for test in each.tests):,}" for each in (latest, mine, pars)]
        assert rows["memory"] == most
        assert "◆" in text
    async with play(size=(80, 24)) as player:
        player.screen.show_view("score")
        again = player.screen.query_one("#score")
        await player.until(lambda: "par" in player.text(again))
        assert not [each for each in player.app.workers if each.group == "par"]


@pytest.mark.slow
async def test_table_shows_all_languages(play: Play) -> None:
    async with play(size=(200, 60)) as player:
        await solve(player, REVERSE)
        player.screen.show_view("score")
        await wait_for_workers(player, "par")
        panel = player.screen.query_one("#score")
        await player.until(lambda: "Shakespeare" in player.text(panel))
        lines = player.text(panel).splitlines()
        row = next(line for line in lines if "Brainfuck" in line)
        assert row.count("✓") == 1
        total = sum(each.tier == "easy" for each in player.screen.workspace.pack)
        assert f"1/{total}" in row
        assert f"0/{total}" in next(line for line in lines if "Shakespeare" in line)
        heads = {line.strip("│ ").split(" ")[0] for line in lines}
        assert set(player.screen.workspace.pack.tiers) <= heads


@pytest.mark.slow
async def test_histograms_are_below_the_statement_if_there_is_room(play: Play) -> None:
    async with play(size=(200, 60)) as player:
        await solve(player, REVERSE)
        await solve(player, REVERSE + b"+")
        panel, statement = player.screen.query_one("#score"), player.screen.query_one("#statement")
        for view in ("edit", "debug"):
            player.screen.show_view(view)
            await player.pilot.pause()
            assert panel.region.x == statement.region.x
            assert panel.region.y == statement.region.bottom
            await player.until(lambda: "steps of 2 solutions" in player.text(panel))
            assert "▲ your latest" in player.text(panel)
            assert not panel.show_vertical_scrollbar


def export(*programs: tuple[str, bytes, int]) -> dict[str, Any]:
    """What a session exports in which these were submitted: problem, program, tests passed."""
    names = [sha256(source).hexdigest() for _, source, _ in programs]
    events: list[dict[str, Any]] = []
    for number, ((problem, _, passed), name) in enumerate(zip(programs, names, strict=True), 1):
        reserved = {"number": number, "problem": problem, "program": name}
        graded = {"number": number, "problem": problem, "passed": passed, "total": 6}
        events.append({"kind": "submission_reserved", "body": reserved})
        events.append({"kind": "submission_graded", "body": graded})
    return {
        "format": "esoplay-session",
        "solver": "somebody",
        "language": "brainfuck",
        "dialect": "standard",
        "pack": {"id": "esoplay-80"},
        "events": events,
        "programs": {
            name: b64encode(source).decode()
            for name, (_, source, _) in zip(names, programs, strict=True)
        },
    }


def test_only_programs_that_solved_are_read() -> None:
    data = json.dumps(export(("E08", REVERSE, 6), ("E02", ECHO, 5), ("E08", REVERSE, 6)))
    found = read_solutions(data.encode())
    assert [(each.problem, each.source, each.solver) for each in found] == [
        ("E08", REVERSE, "somebody")
    ]


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff", b"[]", b"{}", b'{"format": "esoplay-session"}', b'{"format": "other"}'],
)
def test_invalid_export_is_reported(data: bytes) -> None:
    with pytest.raises(UsageError, match="not an export of a session"):
        read_solutions(data)


def test_program_with_a_wrong_digest_is_rejected() -> None:
    data = export(("E08", REVERSE, 6))
    data["programs"] = dict.fromkeys(data["programs"], b64encode(ECHO).decode())
    with pytest.raises(UsageError, match="does not match its digest"):
        read_solutions(json.dumps(data).encode())


@pytest.mark.slow
async def test_imported_session_is_included_in_the_plots(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    lies = ("E08", ECHO, 6)  # says it passed, and does not
    path.write_text(json.dumps(export(("E08", REVERSE, 6), lies)))
    async with play() as player:
        await solve(player, b"+-" + REVERSE)
        player.screen.show_view("score")
        await player.pilot.pause()
        player.screen.score_model.import_session(path)
        await wait_for_workers(player, "import")
        panel = player.screen.query_one("#score")
        await player.until(lambda: "steps of 2 solutions" in player.text(panel))
        assert "imported" in player.text(panel)
        assert "1 of 2 solutions imported" in player.text(player.screen.title_bar)
        problem_progress = player.screen.workspace.progress()["E08"]
        assert problem_progress.tries == 1
        assert problem_progress.size == 13
    async with play() as player:
        assert len(player.screen.score_model.data().solutions) == 2


@pytest.mark.slow
async def test_two_imported_sessions_are_included_in_the_plots(play: Play, tmp_path: Path) -> None:
    fewer, more = b">,[>,]<[.<]", b"+- >,[>,]<[.<]"
    paths: list[Path] = []
    for solver, programs in (
        ("ada", [("E08", fewer, 6), ("E02", ECHO, 6)]),
        ("bob", [("E08", more, 6), ("E08", ECHO, 2), ("E02", ECHO, 6)]),
    ):
        paths.append(tmp_path / f"{solver}.json")
        paths[-1].write_text(json.dumps({**export(*programs), "solver": solver}))
    async with play() as player:
        await player.open("E08")
        for path in (*paths, paths[0]):
            player.screen.score_model.import_session(path)
            await wait_for_workers(player, "import")
        workspace = player.screen.workspace
        found = {
            problem.id: [(each.solver, each.size) for each in solutions]
            for problem in workspace.pack
            if (
                solutions := workspace.state.imported_solutions(
                    workspace.pack.id, "brainfuck", problem.id
                )
            )
        }
        assert {id: sorted(each) for id, each in found.items()} == {
            "E02": [("ada", 5), ("bob", 5)],
            "E08": [("ada", 11), ("bob", 13)],
        }
        assert workspace.progress() == {}
        player.screen.show_view("score")
        panel = player.screen.query_one("#score")
        await player.until(lambda: "steps of 2 solutions" in player.text(panel))


def tiers_of(player: Player) -> list[str]:
    """The rows inside the score panel."""
    return [row.strip("│ ") for row in player.lines(player.screen.query_one("#score"))[1:-1]]


@pytest.mark.parametrize(
    ("size", "signs"),
    [
        ((120, 40), ["······[·]·············"]),
        ((120, 30), []),
        ((200, 60), ["· · · · · ·[·] · · ·"]),
    ],
)
async def test_sidebar_shows_all_tiers_without_scrolling(
    play: Play, size: tuple[int, int], signs: list[str]
) -> None:
    async with play(size=size) as player:
        await player.open("H07")
        panel = player.screen.query_one("#score")
        await player.until(lambda: "H07" in player.text(panel))
        await player.pilot.pause()
        assert panel.max_scroll_y == 0
        text = " ".join(tiers_of(player))
        for tier in player.screen.workspace.pack.tiers:
            total = sum(each.tier == tier for each in player.screen.workspace.pack)
            assert f"{tier} 0/{total}" in text
        assert [row for row in tiers_of(player) if "[·]" in row] == signs


async def test_sidebar_shows_figures_of_a_problem_instead_of_tiers(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await solve(player, REVERSE)
        await wait_for_workers(player, "par")
        panel = player.screen.query_one("#score")
        await player.until(lambda: "memory" in player.text(panel))
        await player.pilot.pause()
        assert panel.max_scroll_y == 0
        text = " ".join(tiers_of(player))
        assert "easy 1/20" in text
        assert "extra-hard 0/20" in text
        await player.open("E01")
        await player.until(lambda: "not submitted" in player.text(panel))
        await player.pilot.pause()
        assert "[·]······✓············" in tiers_of(player)
