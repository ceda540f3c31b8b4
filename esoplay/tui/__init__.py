"""The terminal application."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal

    from esoplay.codegen.source_map import SourceMap
    from esoplay.grading.problem import Pack


def launch(
    file: Path | None = None,
    *,
    debug: bool = False,
    stdin: bytes = b"",
    language: str | None = None,
    dialect: str = "standard",
    problem: str | None = None,
    source_map: SourceMap | Literal[False] | None = None,
    folder: Path | None = None,
    step: int = 0,
    play: bool = False,
    pack: Pack | None = None,
) -> int:
    """Run the application in this terminal and return the exit code.

    Without ``file``, open ``problem``, ``language``, or the program of the last session.
    debug: open ``file`` in the debugger instead of the editor, with ``stdin`` as its complete
    input. problem: the problem to open, or the problem of ``file``. folder: a folder whose
    programs are listed. source_map, pack: as in ``LaunchRequest``. step: the step to which
    the debugger moves first. play: whether it then plays. Raises UsageError if the file cannot be
    opened, UnknownLanguage, UnknownProblem, and StoreError if state cannot be saved.
    """
    gc.disable()  # Garbage collection takes 10% of the start-up time, and imports are never freed.
    from esoplay.tui.app import EsoplayApp
    from esoplay.tui.workspace import LaunchRequest

    if folder is not None:
        from esoplay.tui.browser.folder import check_folder

        check_folder(folder)
    request = None
    if file or language or problem or folder or pack:
        request = LaunchRequest(
            file, language, dialect, stdin, debug, problem, source_map, folder, step, play, pack
        )
    return EsoplayApp(request=request).run_until_exit()
