"""A session on the screen while it is played."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from play_pilot import Player
from selection import slow_except

from esoplay.benchmark.exports import Event
from esoplay.benchmark.replay import Replay
from esoplay.benchmark.session_watch import SessionWatch
from esoplay.benchmark.sessions import Sessions
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport
from esoplay.grading.report import TestResult as Result
from esoplay.sessions.store import EventStore
from esoplay.sessions.vault import Vault
from esoplay.tui.dialogs import ChoiceDialog, ReadDialog
from esoplay.tui.replay.changes import ProgramReader
from esoplay.tui.replay.run_screen import RunApp
from esoplay.tui.replay.watch import CurrentProblemLine, WatchScreen, watch_app

pytestmark = pytest.mark.slow  # each test walks through several views

SIZES = [(80, 24), (120, 40), (200, 60)]


def grade_by_length(problem: Problem, language: str, source: bytes, **_: object) -> GradeReport:
    """As many tests pass as the program has bytes."""
    verdicts = ["pass" if index < len(source) else "wrong_answer" for index in range(6)]
    tests = tuple(
        Result(index, "a class", verdict, 42, 1, None)  # pyright: ignore[reportArgumentType]
        for index, verdict in enumerate(verdicts, 1)
    )
    return GradeReport(problem.id, language, "standard", tests, "a commitment")


class Watcher(Player):
    """Plays a session with one hand and watches it with the other."""

    def __init__(self, app: RunApp, pilot: object, sessions: Sessions, session: str) -> None:
        super().__init__(app, pilot)  # pyright: ignore[reportArgumentType]
        self.sessions = sessions
        self.session = session

    @property
    def seen(self) -> WatchScreen:
        screen = self.app.screen_stack[0]
        assert isinstance(screen, WatchScreen)
        return screen

    @property
    def now(self) -> str:
        return self.text(self.seen.query_one(CurrentProblemLine))

    @property
    def program(self) -> str:
        return self.text(self.seen.query_one(ProgramReader))

    async def until_shown(self, words: str) -> None:
        await self.until(lambda: words in self.text())


@pytest.fixture(autouse=True)
def _look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("esoplay.tui.replay.watch.POLL_SECONDS", 0.01)


@asynccontextmanager
async def watching(folder: Path, size: tuple[int, int] = (120, 40)) -> AsyncGenerator[Watcher]:
    home = Path(os.environ["ESOPLAY_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    vault = Vault(folder / "vault")
    store = folder / "store.sqlite"
    with Sessions(EventStore(store), vault=vault, grade=grade_by_length) as sessions:  # pyright: ignore[reportArgumentType]
        session = sessions.init("brainfuck", "practice", solver="somebody").session
        app = watch_app(SessionWatch(store, session, vault), home)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield Watcher(app, pilot, sessions, session)
        app.workspace.state.close()


@pytest.mark.parametrize("size", slow_except(SIZES, (80, 24)))
async def test_events_appear_as_they_happen(tmp_path: Path, size: tuple[int, int]) -> None:
    async with watching(tmp_path, size) as watcher:
        sessions, session = watcher.sessions, watcher.session
        assert "nothing was run or submitted" in watcher.text()
        assert "no problem fetched" in watcher.now
        sessions.fetch(session)
        solved = ", 0 of 80 problems solved" if size[0] > 80 else "  0:0"  # then the last event
        await watcher.until_shown(f"now E01 Print Hello World{solved}")
        sessions.run(session, b"+++.", b"in")
        await watcher.until_shown("E01  run       · ok")
        await watcher.until(lambda: "+++." in watcher.program)
        counts = size[0] > 80  # on a narrow screen the session's name comes first
        assert ("1 run, 0 submissions, 0 solved, open" in watcher.text()) == counts
        sessions.submit(session, "E01", b"++")
        await watcher.until_shown("submit 1  ✗ 2 of 6")
        sessions.submit(session, "E01", b"++++++")
        await watcher.until_shown("submit 2  ✓ 6 of 6, solved")
        await watcher.until(lambda: "++++++" in watcher.program)
        sessions.close_session(session)
        await watcher.until_shown("closed, 1 of 80 problems solved")
        assert ("1 run, 2 submissions, 1 solved, closed" in watcher.text()) == counts


@pytest.mark.slow
async def test_the_selection_follows_until_it_is_moved(tmp_path: Path) -> None:
    async with watching(tmp_path) as watcher:
        sessions, session = watcher.sessions, watcher.session

        def place() -> int:
            assert watcher.seen.items.selected_item is not None
            return watcher.seen.items.selected_item.index

        sessions.fetch(session)
        for number in range(3):
            sessions.run(session, b"+" * (number + 1))
            await watcher.until_shown(f"{number + 1}/{number + 1}")
            assert place() == number
        await watcher.press("k")
        sessions.submit(session, "E01", b"+")
        await watcher.until_shown("2/4")
        assert place() == 1
        await watcher.press("slash")
        assert "1/1" in watcher.text(watcher.seen.items)
        sessions.submit(session, "E01", b"++")
        await watcher.until_shown("2/2")
        assert place() == 4


@pytest.mark.slow
async def test_the_debugger_opens_with_inputs_that_a_solver_sees(tmp_path: Path) -> None:
    async with watching(tmp_path) as watcher:
        sessions, session = watcher.sessions, watcher.session
        sessions.fetch(session)
        sessions.run(session, b",.", b"own")
        await watcher.until_shown("1/1")
        await watcher.press("enter")  # at once
        target = watcher.seen.debugger.time.target
        assert target is not None
        assert target.debugger.recording.stdin == b"own"
        assert watcher.seen.is_debugging
        await watcher.press("escape", "M")
        assert isinstance(watcher.app.screen, ChoiceDialog)
        shown = watcher.text()
        assert "of this run" in shown
        assert "public example" in shown
        assert "hidden tests are not included" in " ".join(shown.replace("│", " ").split())
        await watcher.press("1")
        target = watcher.seen.debugger.time.target
        assert target is not None
        assert target.debugger.recording.stdin == b"own"
        await watcher.press("l")
        sessions.run(session, b"+")  # continues below the debugger
        await watcher.until(lambda: len(watcher.seen.items._all_items) == 2)  # pyright: ignore[reportPrivateUsage]
        assert watcher.seen.is_debugging
        assert watcher.seen.debugger.step == 1
        await watcher.press("escape")
        assert "2/2" in watcher.text()


async def test_key_shows_the_problem_of_the_selected_attempt(tmp_path: Path) -> None:
    async with watching(tmp_path, (80, 24)) as watcher:
        await watcher.press("I")
        assert "No problem has been fetched so far." in [
            note.message
            for note in watcher.app._notifications  # pyright: ignore[reportPrivateUsage]
        ]
        watcher.sessions.fetch(watcher.session)
        await watcher.until_shown("now E01")
        await watcher.press("I")
        assert isinstance(watcher.app.screen, ReadDialog)
        assert "E01 Print Hello World, easy" in watcher.text()
        assert "example 1" in watcher.text()
        await watcher.press("escape")
        assert "now E01" in watcher.text()


@pytest.mark.slow
async def test_a_narrow_screen_shows_the_last_event_and_all_keys(tmp_path: Path) -> None:
    async with watching(tmp_path, (80, 24)) as watcher:
        sessions, session = watcher.sessions, watcher.session
        sessions.fetch(session, "E01")
        sessions.run(session, b"+++.", b"an input of several words")
        await watcher.until_shown("1/1")
        assert watcher.now.startswith(" now E01 Print Hello World  ")
        assert "run: ok, 4 steps" in watcher.now
        footer = watcher.lines()[-1]
        assert "I Problem" in footer
        assert "M Input…" in footer
        assert "Enter Debug" in footer
        await watcher.press("M")
        assert isinstance(watcher.app.screen, ChoiceDialog)


async def test_solver_text_sends_no_escape_codes(tmp_path: Path) -> None:
    async with watching(tmp_path) as watcher:
        watcher.sessions.fetch(watcher.session)
        watcher.sessions.run(watcher.session, b"\x1b]0;a\x07+", b"\x1b[2J\x9b31m")
        await watcher.until_shown("input ␛[2J·31m")
        assert not any(
            ord(letter) < 32 or 127 <= ord(letter) < 160
            for line in watcher.lines()
            for letter in line
        )


@pytest.mark.slow
async def test_event_that_cannot_be_shown_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with watching(tmp_path) as watcher:
        known = Replay.extend

        def refuse(replay: Replay, events: Sequence[Event]) -> None:
            if any(event.kind == "program_run" for event in events):
                raise KeyError("its program")
            known(replay, events)

        monkeypatch.setattr(Replay, "extend", refuse)
        sessions, session = watcher.sessions, watcher.session
        sessions.fetch(session)
        sessions.run(session, b"+.", b"")
        await watcher.until_shown("not shown: KeyError: 'its program'")
        sessions.submit(session, "E01", b"++++++")
        await watcher.until_shown("submit 1  ✓ 6 of 6")
        await watcher.until(lambda: "not shown" not in watcher.now)


@pytest.mark.slow
async def test_unreadable_log_is_read_again(tmp_path: Path) -> None:
    async with watching(tmp_path) as watcher:
        store, away = tmp_path / "store.sqlite", tmp_path / "away"
        store.rename(away)
        await watcher.until_shown("cannot read the log: there is no session store")
        away.rename(store)
        await watcher.until_shown("no problem fetched")
