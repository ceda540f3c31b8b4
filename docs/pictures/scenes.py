"""The scenes of the documentation's pictures; each is made by using the application."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot

from esolangs.registry import find_language
from esoplay.progress.code_sizes import CodeSizes
from esoplay.tui.app import EsoplayApp
from esoplay.tui.browser.pack_solutions import Debuggee
from esoplay.tui.workspace import PracticeSubmission
from pictures.cells import Run, Shot, shoot
from pictures.counting import counting
from pictures.recording import Frame

REVERSE = b"""read into cell 1 and on
>,[>,]

back to cell 0 and print
<[.<]
"""
PLANE = b"""0v    the 0 lies below all characters
 >#v~
   >:#,_@    print down to the 0
"""
MISTAKEN = b"""++++++++[>+++++++++<-]>.    H
<++++[>+++++++<-]>+.        e
+++++++..+++.               l l o
>++++[>++++++++<-]>.        a blank
<<------------------------. W
+++++++++++++++++++++++++.  o
+++.------.--------.        r l d
>>+.                        !
"""
"""A program that should print a greeting, with one plus too many."""

PRACTICE = (
    ("brainfuck", "E01", 6, 912, 106),
    ("brainfuck", "E08", 2, 4_410, 19),
    ("befunge-98", "E01", 6, 174, 22),
    ("brainfuck", "E08", 6, 30_588, 14),
    ("brainfuck", "E08", 6, 1_020, 19),
    ("whitespace", "E02", 6, 5_120, 81),
    ("unlambda", "E01", 6, 64, 71),
    ("shakespeare", "E01", 3, 1_230_000, 4_321),
    ("brainfuck", "E08", 6, 1_530, 13),
    ("befunge-98", "E08", 6, 12_345_678, 31),
    ("brainfuck", "E08", 6, 2_040, 17),
)
"""Language, problem, tests passed, steps and bytes of submissions, three a day."""

MISTAKE = MISTAKEN.index(b"  o\n") - 2


class Stage:
    """The application, its simulated user, and the recorded frames."""

    def __init__(self, app: EsoplayApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot
        self.frames: list[Frame] = []

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def write(self, problem: str, program: bytes, language: str = "brainfuck") -> None:
        """Open a problem, and write a program."""
        screen = self.app.play_screen
        screen.workspace.choose_language(language)
        await screen.open_problem(screen.workspace.pack.problem(problem))
        screen.show_view("edit")
        screen.program.editor.replace_source(program)
        await self.pilot.pause()

    async def submit(self) -> None:
        await self.press("ctrl+t")
        await self.graded()

    async def graded(self) -> None:
        """Wait for tests under way."""
        for worker in list(self.app.workers):
            if worker.group in ("grading", "par"):
                await worker.wait()
        await self.pilot.pause()

    async def show(self, view: str) -> None:
        """Open a view as a click does."""
        await self.pilot.click(f"#tab-{view}")
        await self.pilot.pause()

    async def settled(self) -> None:
        """Wait for moves in time under way."""
        await self.pilot.pause()
        for worker in list(self.app.workers):
            if worker.group == "debugger":
                await worker.wait()
        await self.pilot.pause()

    def film(self, seconds: float, key: str = "", words: str = "") -> None:
        """Record this screen for some seconds, with the pressed keys written below it."""
        shot = shoot(self.app)
        variables = self.app.theme_variables
        front, back = variables["foreground"], shot.back
        blank = Run(0, shot.columns, " " * shot.columns, front, back)
        shown = f" {key} "
        text = f"  {words}".ljust(shot.columns - len(shown))
        caption = (
            Run(0, len(shown), shown, back, variables["primary"] if key else back, bold=True),
            Run(len(shown), len(text), text, front, back),
        )
        self.frames.append(Frame(shot._replace(rows=(*shot.rows, (blank,), caption)), seconds))


@asynccontextmanager
async def stage(size: tuple[int, int], theme: str) -> AsyncGenerator[Stage]:
    """The application at its first start."""
    with tempfile.TemporaryDirectory() as folder:
        app = EsoplayApp(Path(folder))
        app.animation_level = "none"
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            app.theme = theme
            await pilot.pause()
            yield Stage(app, pilot)
        app.workspace.state.close()


async def debugger(on: Stage) -> None:
    """E08 solved, at the step that printed the third byte."""
    await on.write("E08", REVERSE)
    await on.submit()
    await on.show("debug")
    await on.press("G", "colon", *"o 2", "enter")


async def grid(on: Stage) -> None:
    """Befunge's plane in the middle of a run, with its trail."""
    await on.write("E08", PLANE, "befunge-98")
    await on.submit()
    await on.show("debug")
    await on.press("G", "colon", *"o 1", "enter")
    await on.settled()


async def listing(on: Stage) -> None:
    """A Whitespace program as a disassembly, inside a call, with a breakpoint."""
    program = find_language("whitespace").sample()
    await on.write("E01", program, "whitespace")
    await on.show("debug")
    for key in ("colon", *"b 12:1", "enter", "c", "l"):
        await on.press(key)
        await on.settled()


async def source(on: Stage) -> None:
    """A program by the lines of its generator, with variables and heat."""
    on.app.play_screen.workspace.choose_language("brainfuck")
    await on.write("E07", b"")
    screen = on.app.play_screen
    program, source_map = counting()
    screen.pack_solutions.debugged_solution = Debuggee(
        Path("count.bf"), "brainfuck", program, b"hello", b"5", "standard", source_map
    )
    screen.show_view("debug")
    await on.settled()
    for key in ("y", "colon", *"b line 7", "enter", "c", "c", "c", "e"):
        await on.press(key)
        await on.settled()


async def lesson(on: Stage) -> None:
    """The first lesson, two steps into its program."""
    await on.show("learn")
    await on.press("enter")
    await on.press("l", "l")


async def score(on: Stage) -> None:
    """Solutions of one problem, compared."""
    for source in (REVERSE, b",[>,]<[.<]", b">,[>,]<[.<]", b">,[>,]<[.[-]<]"):
        await on.write("E08", source)
        await on.submit()
    await on.show("score")
    await on.graded()


def practise(on: Stage) -> None:
    """Record some days of practice in several languages."""
    workspace = on.app.workspace
    state, pack = workspace.state, workspace.pack.id
    state.clock = partial(_fixed_time, datetime(2026, 1, 1, tzinfo=UTC))
    workspace.sizes = CodeSizes(state)
    workspace.sizes.save_rules_start()
    for number, (language, problem, passed, steps, size) in enumerate(PRACTICE):
        now = datetime(2026, 1, 2 + number // 3, 12, tzinfo=UTC)
        state.clock = partial(_fixed_time, now)
        verdicts = ("pass",) * passed + ("wrong_answer",) * (6 - passed)
        state.save_submission(
            pack, language, "standard", PracticeSubmission(problem, verdicts, steps, size, 98)
        )
    on.app.play_screen.refresh_score()


def _fixed_time(now: datetime) -> datetime:
    """Return a fixed time."""
    return now


async def problems(on: Stage) -> None:
    """The list of problems, narrowed by what is typed."""
    practise(on)
    await on.show("browse")
    await on.press("slash", *"string")


async def cells(on: Stage) -> None:
    """All problems in all languages."""
    practise(on)
    await on.write("E08", REVERSE)
    await on.show("score")
    await on.press("g", "m")
    await on.pilot.pause()


async def solutions(on: Stage) -> None:
    """Solutions of one problem, ranked."""
    practise(on)
    await on.write("E08", REVERSE)
    await on.show("score")
    await on.press("g", "s")


async def hunt(on: Stage) -> None:
    """A failed test, the wrong byte, the steps back, the edit, the verdict."""
    await on.write("E01", MISTAKEN)
    await on.press("escape")
    await on.press("f5")
    await on.graded()
    on.film(2.5, "F5", "The test fails: the program greets the Wpsme")
    on.app.play_screen.results.focus()
    await on.press("o")
    await on.settled()
    on.film(2.5, "o", "One key: the step that prints the first wrong byte")
    await on.press("w")
    await on.settled()
    on.film(1.5, "w", "The last write to that cell. How did it get there?")
    for number in range(25):
        await on.press("h")
        on.film(0.08 if number < 24 else 0.5, "h", "Run backwards, step by step")
    on.film(2, "h", "25 times + from W to p. From W to o it is 24")
    await on.press("f2")
    editor = on.app.play_screen.program.editor
    editor.go_to_offset(MISTAKE)
    await on.press("delete")
    on.film(1.5, "Del", "Remove one + in the editor")
    await on.press("ctrl+t")
    await on.graded()
    on.film(3, "^t", "All hidden tests pass: solved")


Scene = Callable[[Stage], Awaitable[None]]


class Picture(NamedTuple):
    """A file of the documentation."""

    name: str
    scene: Scene
    size: tuple[int, int]
    theme: str = "midnight"


PICTURES = (
    Picture("debug", debugger, (120, 36)),
    Picture("debug-light", debugger, (120, 36), "paper"),
    Picture("wide", debugger, (200, 60)),
    Picture("narrow", debugger, (80, 24), "phosphor"),
    Picture("befunge", grid, (120, 36), "dusk"),
    Picture("source", source, (120, 36)),
    Picture("lesson", lesson, (120, 36)),
    Picture("score", score, (120, 36), "paper"),
    Picture("cells", cells, (120, 36)),
)
RECORDING = Picture("hunt", hunt, (100, 28))


async def take(picture: Picture) -> Shot:
    """The last moment of a scene."""
    async with stage(picture.size, picture.theme) as on:
        await picture.scene(on)
        return shoot(on.app)


async def record(picture: Picture) -> list[Frame]:
    """All recorded frames of a scene."""
    async with stage(picture.size, picture.theme) as on:
        await picture.scene(on)
        return on.frames
