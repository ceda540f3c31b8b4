"""A picture of the application in a real state: ``python -m esoplay.tui.screenshot OUT.svg``.

The state is made by using the application: E08 is opened, a solution written, submitted, and
the debugger taken to the step that printed the third byte.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from pathlib import Path

from textual.pilot import Pilot

from esoplay.tui.app import EsoplayApp

PROBLEM = "E08"
PROGRAM = b"""read into cell 1 and on
>,[>,]

back to cell 0 and print
<[.<]
"""

_FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts that the picture would load from elsewhere; any monospace font does."""


async def take(out: Path, size: tuple[int, int], theme: str | None, view: str) -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        app = EsoplayApp(Path(folder))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            if theme is not None:
                app.theme = theme
            await _play(app, pilot, view)
            picture = app.export_screenshot(title="esoplay")
            out.write_text(_FONT_FACE.sub("", picture), "utf-8")
        app.desk.state.close()


async def _play(app: EsoplayApp, pilot: Pilot[int], view: str) -> None:
    screen = app.play_screen
    problem = screen.desk.pack.problem(PROBLEM)
    await screen.open_problem(problem)
    screen.show_view("edit")
    screen.program.editor.replace_source(PROGRAM)
    await pilot.press("ctrl+t")
    for worker in list(app.workers):
        if worker.group == "grading":
            await worker.wait()
    await pilot.pause()
    if view == "debug":
        screen.show_view("debug")
        await pilot.press("G", "colon", *"o 2", "enter")
    await pilot.pause()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT.svg")
    parser.add_argument("--size", default="120x40", help="columns x rows, such as 80x24")
    parser.add_argument("--theme", help="the name of a theme")
    parser.add_argument("--view", choices=("edit", "debug"), default="debug")
    args = parser.parse_args()
    columns, _, rows = args.size.partition("x")
    asyncio.run(take(args.out, (int(columns), int(rows)), args.theme, args.view))


if __name__ == "__main__":
    main()
