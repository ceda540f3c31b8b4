"""Every place shows its way out in the last line, from 80×24 up.

A place is a widget that can have the focus, a page over the screen, or a state in which the next
key has another meaning (a prompt, a count, a running test).
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from conftest import Play
from made_sessions import some_session
from play_pilot import Player
from test_viewer import viewing
from test_watch import watching
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, TextArea

import esoplay.tui
from esolangs.registry import find_language, language_ids
from esoplay.benchmark.exports import SessionExport
from esoplay.benchmark.replay import Replay
from esoplay.tui import test_runs
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.debug.state.column import FieldsPanel
from esoplay.tui.dialogs import DiffScreen
from esoplay.tui.keys import KeyProvider
from esoplay.tui.replay.screen import replay_app
from esoplay.tui.test_runs import GradingJob
from esoplay.tui.workspace import LaunchRequest

pytestmark = pytest.mark.slow

PAGES: tuple[type, ...] = (KeyProvider, Screen)
OTHER_PANELS = {FieldsPanel}
"""Boxes for the state of languages that are not installed here."""
ESCAPE = r"Esc [A-Za-z].*"
SOURCE = b"""\
from esoplay.codegen.source import getc, print_int


def main() -> None:
    n = 0
    while getc() != 0:
        n += 1
    print_int(n)
"""
TURTLE = b'"TRUT"4($$1P5Fa9*R@'
VIEWS = "plcde"


def all_places() -> set[type[Widget]]:
    """Return each class of the screen that can have the focus, declares keys, or is a page."""
    names = {module.name for module in pkgutil.walk_packages(esoplay.tui.__path__, "esoplay.tui.")}
    for name in names:
        importlib.import_module(name)
    # Other tests may have added classes in modules of their own.
    ours = {each for each in subclasses(Widget) if each.__module__ in names}
    return {
        each
        for each in ours
        if (each.can_focus or issubclass(each, PAGES)) and ours.isdisjoint(subclasses(each))
    }


def subclasses(of: type[Widget]) -> Iterator[type[Widget]]:
    for each in of.__subclasses__():
        yield each
        yield from subclasses(each)


class Walker:
    """Goes from place to place and reads the last line in each."""

    def __init__(self, player: Player, seen: set[type]) -> None:
        self.player = player
        self.seen = seen

    async def look(self, expected: str = "") -> None:
        """Read the last line here; ``expected`` is an expression for its end."""
        screen = self.player.app.screen
        here = screen.focused or screen
        self.seen |= {type(node) for node in (*here.ancestors_with_self, screen)}
        wanted = re.compile(f"(^| )({expected or self._way_out(here)})$")
        for _ in range(40):
            if wanted.search(self._last_line):
                return
            await self.player.pilot.pause(0.02)
        pytest.fail(f"{here!r}: {self._last_line!r} does not end in {wanted.pattern!r}")

    @property
    def _last_line(self) -> str:
        return self.player.lines()[-1].rstrip()

    def _way_out(self, here: Widget) -> str:
        if isinstance(self.player.app.screen, ModalScreen):
            return ESCAPE
        if isinstance(here, TextArea | Input):  # where letters are typed, Esc comes first
            return r"Esc [A-Za-z].*\^q Quit|" + ESCAPE
        if any(isinstance(node, DebugPane) for node in here.ancestors_with_self):
            return r"f2 leave \? help|Esc (leave|back to the output) \? help"
        return r"\^q Quit"

    async def look_everywhere(self) -> None:
        """Focus each visible pane of the screen."""
        for each in self.player.app.screen.focus_chain:
            if each.is_on_screen and each.region.area:
                each.focus()
                await self.player.pilot.pause()
                await self.look()

    async def look_after(self, *keys: str, expected: str = ESCAPE, leave: str = "escape") -> None:
        """Press keys that open something, read the last line, and close it."""
        await self.player.press(*keys)
        await self.look(expected)
        await self.player.press(leave)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
async def test_each_screen_shows_how_to_leave_it(
    play: Play, size: tuple[int, int], tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[type] = set()
    async with play(size=size) as player:
        walker = Walker(player, seen)
        await look_at_views(walker)
        await look_at_modes(walker)
        await look_at_pages(walker)
        await look_while_tests_run(walker, monkeypatch)
        await look_at_states(walker)
        await look_at_sources(walker)
    await look_at_other_screens(play, size, tmp_path, home, seen)
    assert all_places() - seen == OTHER_PANELS


async def look_at_views(walker: Walker) -> None:
    """The start page, and each view with a problem and in a lesson."""
    player = walker.player
    await walker.look_everywhere()
    for lesson in (None, player.screen.lessons.course.lesson(1)):
        if lesson is None:
            await player.open("E08")
        else:
            await player.screen.lessons.open_task(lesson)
        for key in VIEWS:
            await player.press("escape", "alt+g", key)
            await walker.look_everywhere()
    player.screen.workspace.choose_language("unlambda")
    question = player.screen.lessons.course.lesson(3)
    await player.screen.lessons.open_task(question)
    await player.press("ctrl+l")
    assert player.screen.lessons.pane.answer.has_focus
    await walker.look_everywhere()
    player.screen.workspace.choose_language("brainfuck")


async def look_at_modes(walker: Walker) -> None:
    """Prompts, counts and lists in the editor, the debugger and the list of problems."""
    player = walker.player
    await player.open("E08")
    player.screen.program.editor.focus()
    await walker.look_after("ctrl+f")
    await walker.look_after("ctrl+f", "ctrl+f")
    await player.press("escape", "g", "p")
    await walker.look_after("slash")
    await player.write(b",[.,]")
    await player.press("g", "d")
    for keys in (["colon"], ["slash"], ["B"], ["u"], ["a"], ["E"], ["D"], ["ctrl+g"]):
        await walker.look_after(*keys)
    for key in ("m", "apostrophe"):
        await walker.look_after(key)
    await walker.look_after("1", "6", expected=r"Esc clear \? help")
    await player.press("P", "p")
    await walker.look()
    debugger = player.screen.debugger
    for name in debugger.widgets.pages:
        debugger.widgets.open_page(name)
        debugger.widgets.pages[name].focus()
        await player.pilot.pause()
        await walker.look()


async def look_at_pages(walker: Walker) -> None:
    """Pages over the screen."""
    player = walker.player
    await player.open("E08")
    await player.write(b">,[>,]<[.<]")
    await player.press("ctrl+t")
    await player.graded()
    await player.press("escape")
    for keys in (["g"], ["g", "m"], ["g", "s"], ["g", "r"], ["ctrl+o"], ["f1"], ["ctrl+p"], ["f8"]):
        await walker.look_after(*keys)
    await player.press("g", "h")
    await walker.look_after("end", "enter")  # the last choice asks for a file
    await player.open("E08")
    await walker.look_after("ctrl+g")  # go to a line
    player.app.push_screen(DiffScreen(b"+", b"-"))
    await player.pilot.pause()
    await walker.look_after()
    await player.press("f2")
    await walker.look_after("H")  # the hint in a dialog


async def look_while_tests_run(walker: Walker, monkeypatch: pytest.MonkeyPatch) -> None:
    player, finish = walker.player, Event()

    class SlowJob(GradingJob):
        def run(self) -> None:
            finish.wait(300)

    await player.open("E08")
    with monkeypatch.context() as patch:
        patch.setattr(test_runs, "GradingJob", SlowJob)
        await player.press("f5")
        try:
            await walker.look(r"Esc Stop the tests .*\^q Quit")
        finally:
            finish.set()
        await player.graded()


async def look_at_states(walker: Walker) -> None:
    """The boxes of every language's state, and runs that take time."""
    player = walker.player
    workspace = player.screen.workspace
    for id in language_ids():
        workspace.choose_language(id)
        await player.open("E08")
        programs = [find_language(id).sample(), *([TURTLE] if id == "befunge-98" else [])]
        for program in programs:
            await player.write(program)
            await player.press("f2", "4", "0", "l")
            await walker.look_everywhere()
            await player.press("f2")
    workspace.choose_language("brainfuck")
    await player.open("E08")
    await player.write(b"+[]")
    await player.press("f2")
    await walker.look_after("space", expected="Esc stop")  # it plays
    await walker.look_after("G", expected="Esc stop")  # it runs without end


async def look_at_sources(walker: Walker) -> None:
    """A source, its generated program, and the debugger by its lines."""
    player = walker.player
    await player.open("E07")
    await player.screen.sources.set_write_once(True)
    await player.write(SOURCE)
    await player.until(lambda: player.screen.compiler.is_current)
    await walker.look_everywhere()
    await player.press("f2")
    debugger = player.screen.debugger
    await player.until(lambda: debugger.has_source_map and not debugger.time.is_busy)
    await walker.look_everywhere()
    await player.press("y")
    await walker.look_everywhere()
    await player.press("Y")
    await walker.look_everywhere()


async def look_at_other_screens(
    play: Play, size: tuple[int, int], tmp_path: Path, home: Path, seen: set[type]
) -> None:
    """A folder, a file, a session that is replayed, a run, and a session that is watched."""
    (tmp_path / "mine.bf").write_bytes(b"+.")
    async with play(size=size, launch=LaunchRequest(folder=tmp_path)) as player:
        await Walker(player, seen).look_everywhere()
    own = tmp_path / "own.bf"
    own.write_bytes(b",.")
    async with play(size=size, launch=LaunchRequest(own, debug=True)) as player:
        walker = Walker(player, seen)
        await player.press("G")  # it waits for input
        await walker.look()
        await walker.look_after("enter")
    app = replay_app(Replay(SessionExport(some_session().export())), home)
    async with app.run_test(size=size) as pilot:
        await look_at_session(Walker(Player(app, pilot), seen))
    app.workspace.state.close()
    async with viewing(size) as (viewer, _):
        await Walker(viewer, seen).look_everywhere()
    async with watching(tmp_path, size) as watcher:
        watcher.sessions.fetch(watcher.session)
        watcher.sessions.run(watcher.session, b"+.", b"in")
        await watcher.until_shown("E01  run")
        walker = Walker(watcher, seen)
        await look_at_session(walker)
        for key in ("I", "M"):
            await walker.look_after(key)
        await watcher.press("enter")
        await walker.look_everywhere()


async def look_at_session(walker: Walker) -> None:
    """The list, program and changes of a session; the debugger; dialogs."""
    player = walker.player
    await player.pilot.pause()
    await walker.look_everywhere()
    await player.press("D")
    await walker.look_everywhere()
    await player.press("escape")
    await walker.look_after("f1")
    await walker.look_after("ctrl+p")
    await walker.look_after("slash", expected=r"\^q Quit")
