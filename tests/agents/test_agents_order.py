"""In which order sessions of a grid are played, with agents that only report their start."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from esoplay.agents import grid_run
from esoplay.agents.attempt import OutcomeNotSaved, PlannedSession, StopSignal
from esoplay.agents.grid import read_grid
from esoplay.agents.grid_run import RunEvent, list_cells, run_grid
from esoplay.agents.isolation import RunAsUser
from esoplay.agents.notes import create_attempt_folder, write_result, write_start
from esoplay.agents.records import AttemptOutcome, AttemptStart
from esoplay.errors import StoreError

GRID = """\
languages = ["brainfuck"]
sessions = 2
[[solvers]]
name = "fox"
user = "one"
command = ["true"]
[[solvers]]
name = "vixen"
user = "one-by-another-name"
command = ["true"]
[[solvers]]
name = "hen"
command = ["true"]
"""


def run_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, jobs: int = 3, retry: tuple[str, ...] = ()
) -> list[tuple[str, str, int, AttemptOutcome | None]]:
    """A run of a grid whose users are one; with the events that it reported."""
    file = tmp_path / "grid.toml"
    file.write_text(GRID, "utf-8")
    monkeypatch.setattr(grid_run, "check_solver", lambda _solver: None)
    monkeypatch.setattr(grid_run, "find_user", lambda _user: RunAsUser(1, 1))
    steps: list[RunEvent] = []
    stop = StopSignal()
    run_grid(
        *(read_grid(file), tmp_path / "run"),
        jobs=jobs,
        retry=retry,
        stop=stop,
        notify=steps.append,
        accept_visible_processes=True,
    )
    return [(step.kind, step.cell.solver, step.cell.number, step.result) for step in steps]


def test_sessions_of_one_user_are_never_played_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, at_work, most = threading.Lock(), list[str](), dict[str, int]()
    hens = threading.Barrier(2)  # sessions of the operator's own user run at once

    def play(planned: PlannedSession, _run: Path, _lock: int, _stop: StopSignal) -> AttemptOutcome:
        group = planned.solver.user or "own"
        group = group.partition("-")[0]
        with lock:
            at_work.append(group)
            most[group] = max(most.get(group, 0), at_work.count(group))
        if group == "own":
            hens.wait(300)
        with lock:
            at_work.remove(group)
        return AttemptOutcome("a", "complete")

    monkeypatch.setattr(grid_run, "play", play)
    told = run_of(tmp_path, monkeypatch)
    assert most == {"one": 1, "own": 2}
    assert len([one for one in told if one[0] == "ended"]) == 6


def test_an_unrecorded_session_is_reported_and_the_others_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(planned: PlannedSession, _run: Path, _lock: int, _stop: StopSignal) -> AttemptOutcome:
        if planned.solver.name == "fox":
            raise OutcomeNotSaved("no space left")
        if planned.solver.name == "vixen":
            raise StoreError("cannot make a folder")
        return AttemptOutcome("a", "complete")

    monkeypatch.setattr(grid_run, "play", play)
    told = run_of(tmp_path, monkeypatch, jobs=1)
    ends = [(name, number, result.end) for kind, name, number, result in told if result]
    assert ends == [
        (name, number, end)
        for number in (1, 2)
        for name, end in (("fox", "interrupted"), ("vixen", "not started"), ("hen", "complete"))
    ]


def test_nothing_starts_after_a_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(_planned: PlannedSession, _run: Path, _lock: int, stop: StopSignal) -> AttemptOutcome:
        stop.set()
        return AttemptOutcome("a", "interrupted")

    monkeypatch.setattr(grid_run, "play", play)
    told = run_of(tmp_path, monkeypatch, jobs=1)
    assert [one[:3] for one in told] == [("started", "fox", 1), ("ended", "fox", 1)]


def test_a_solved_session_that_was_killed_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(planned: PlannedSession, _run: Path, _lock: int, _stop: StopSignal) -> AttemptOutcome:
        result = AttemptOutcome("b", "complete", solved=1)
        write_result(create_attempt_folder(tmp_path / "run" / planned.cell.folder), result)
        return result

    (tmp_path / "grid.toml").write_text(GRID, "utf-8")
    grid = read_grid(tmp_path / "grid.toml")
    ends = {cell: "complete" if cell.number == 1 else "interrupted" for cell in list_cells(grid)}
    for cell in ends:
        solver = next(one for one in grid.solvers if one.name == cell.solver)
        definition = grid.definition_digest(solver, grid.protocols[0][1])
        attempt = create_attempt_folder(tmp_path / "run" / cell.folder)
        write_start(attempt, AttemptStart(str(cell), definition, 1, "/nowhere"))
    by_name = {str(cell): end for cell, end in ends.items()}
    monkeypatch.setattr(grid_run, "has_session", lambda _attempt, _session: True)
    monkeypatch.setattr(grid_run, "play", play)
    monkeypatch.setattr(
        grid_run,
        "finalize_attempt",
        lambda _attempt, session, *_, **__: AttemptOutcome(session, by_name[session]),
    )
    told = run_of(tmp_path, monkeypatch, jobs=1, retry=("interrupted",))
    kinds = [(kind, number) for kind, _, number, _ in told]
    assert kinds == [("finalized", number) for number in (1, 1, 1, 2, 2, 2)] + [
        *(("started", 2), ("ended", 2)) * 3
    ]
