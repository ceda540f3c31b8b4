"""``esoplay play``: open the terminal application."""

from __future__ import annotations

import sys

from esoplay.cli.output import add_colours, apply_colours, has_screen, is_plain

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from esoplay.grading.problem import Pack


SUMMARY = "open the terminal application"
DESCRIPTION = """\
Open the terminal application: problems to solve, an editor, a debugger that goes back in
time, and tests.  With FILE it opens that program instead, and reads it again when it changes;
with --problem as well, the problem's examples are run again each time.  With a folder it lists
the programs in it, each in its language.
"""
EXAMPLES = """\
examples:
  esoplay                    where you left off
  esoplay play --problem E08 with a problem, in the language used last
  esoplay play --lang befunge-98
                             with the problem used last, in another language
  esoplay play --pack basics with the problems of another pack
  esoplay play hello.bf      with a file of your own
  esoplay play programs/     with a list of the programs in a folder
  esoplay play sort.py       with a write-once source (Python for any language)
  esoplay play rev.bf --problem E08
                             a file, tested with a problem's examples whenever it is saved
  esoplay play --plain       as lines of text, for screen readers and for terminals that cannot draw
"""

NO_TERMINAL_MESSAGE = """\
esoplay: the terminal application needs a terminal. Everything works without one as \
well: `esoplay run FILE` runs a program, `esoplay debug --repl FILE` steps through it, \
`esoplay problems` lists the problems, `esoplay grade FILE --problem E01` tests a solution, \
`esoplay session` and `esoplay serve` are for agents and scripts. `esoplay --help` lists all \
commands."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a program or a folder to open")
    parser.add_argument(
        "--problem",
        metavar="ID",
        help="problem to solve, such as E08; with FILE, the problem to test it with",
    )
    parser.add_argument(
        "--pack",
        metavar="P",
        help="an installed pack's id, or a folder; default: the built-in pack",
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help="print lines of text; the default if TERM is dumb or ESOPLAY_PLAIN is set",
    )
    parser.add_argument(
        "--lang", metavar="L", help="language to program in, or the language of FILE"
    )
    add_colours(parser)


def run(args: argparse.Namespace) -> int:
    return play(
        args.file,
        args.lang,
        args.problem,
        plain=args.plain,
        colours=args.colours,
        pack=args.pack,
    )


def play(
    name: str | None = None,
    language: str | None = None,
    problem: str | None = None,
    *,
    plain: bool = False,
    colours: str | None = None,
    pack: str | None = None,
) -> int:
    """Open the application, or the text mode if ``plain`` is set; return the exit status.

    name: the path of the file or folder to open, or None.
    """
    from esoplay.errors import EXIT_USAGE, UsageError

    if not has_screen():
        print(NO_TERMINAL_MESSAGE, file=sys.stderr)
        return EXIT_USAGE
    from pathlib import Path

    if name == "":
        raise UsageError("the name of the file is empty")
    file = Path(name) if name else None
    folder = file.expanduser() if file is not None and file.expanduser().is_dir() else None
    plain = is_plain(plain)
    if folder is not None:
        file = None
        if language or problem:
            raise UsageError(f"--lang and --problem cannot be combined with a folder: {folder}")
        if plain:
            raise UsageError(f"{folder} is a folder; the text mode needs one program")
    problems = None
    if pack is not None:
        from esoplay.packs.catalogue import get_pack

        problems = get_pack(pack)
    if plain:
        return _play_as_text(file, language, problem, problems)
    from esoplay.tui import launch

    apply_colours(colours)
    return launch(file, language=language, problem=problem, folder=folder, pack=problems)


def _play_as_text(
    file: Path | None, language: str | None, problem: str | None, pack: Pack | None
) -> int:
    from functools import partial

    from esoplay.cli.repl.practice import run_practice_shell
    from esoplay.cli.repl.workbench import LessonProgress, Workbench
    from esoplay.errors import EXIT_PASSED
    from esoplay.paths import state_folder
    from esoplay.temporary_folders import remove_leftovers
    from esoplay.tui.learn import lesson_progress
    from esoplay.tui.workspace import LaunchRequest, Workspace

    remove_leftovers()
    request = None
    if file or language or problem or pack:
        request = LaunchRequest(file, language, problem_id=problem, pack=pack)
    workspace = Workspace(state_folder(), request=request)
    state = workspace.state
    try:
        for notice in state.notices:
            print(notice)
        lessons = LessonProgress(
            partial(lesson_progress.finished_lessons, state),
            partial(lesson_progress.mark_done, state),
        )
        run_practice_shell(Workbench(workspace, lessons))
    finally:
        state.close()
    return EXIT_PASSED
