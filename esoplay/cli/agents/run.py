"""``agents run``: play what is left of a grid."""

from __future__ import annotations

from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Generator
    from pathlib import Path
    from types import FrameType

    from esoplay.agents.grid import Grid
    from esoplay.agents.playing import Stop
    from esoplay.agents.records import Standing
    from esoplay.agents.running import Step
    from esoplay.cli.session.shared import Actions

_RUN_EXAMPLES = """\
examples:
  esoplay agents run main.toml --dry-run
  esoplay agents run main.toml --jobs 4
  esoplay agents run main.toml -o results --retry interrupted --retry 'timed out'
  esoplay agents run main.toml --accept-visible-processes      without bubblewrap
exit status: 0 every session is complete and verified, 1 one is not, 2 usage, 130 after Ctrl-C
"""


def add_run(actions: Actions) -> None:
    from esoplay.agents.records import AGAIN

    run = actions.add(
        "run",
        "play what is left of a grid of sessions",
        _run,
        in_session=False,
        in_store=False,
        examples=_RUN_EXAMPLES,
    )
    run.add_argument("grid", metavar="GRID.toml", help="solvers, languages, protocols, sessions")
    run.add_argument(
        "-o", dest="output", metavar="DIR", help="the run's folder; default: GRID.runs, here"
    )
    run.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="sessions at a time; default: 1"
    )
    run.add_argument(
        "--retry",
        action="append",
        default=[],
        choices=AGAIN,
        help="play again what stands so; the earlier attempt is kept; may be repeated",
    )
    run.add_argument(
        "--accept-visible-processes",
        action="store_true",
        help="where bubblewrap is missing, play although solvers see the machine's processes",
    )
    run.add_argument(
        "--dry-run", action="store_true", help="list the sessions and how they stand, play none"
    )


def _run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esoplay.agents.grid import read_grid
    from esoplay.cli.agents.shared import folder_of, print_table, summary_of
    from esoplay.cli.output import narrate, print_json
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError

    if not 1 <= args.jobs <= 1000:
        raise UsageError("--jobs takes a number from 1 to 1000")
    grid = read_grid(Path(args.grid))
    folder = folder_of(f"{Path(args.grid).stem}.toml") if args.output is None else Path(args.output)
    found = _list(grid, folder, args.retry) if args.dry_run else _play(grid, folder, args)
    if args.json:
        print_json({"run": str(folder), "sessions": [one.as_json() for one in found]})
    else:
        print_table(found)
    narrate(f"{folder}: {summary_of(found)}")
    if args.dry_run:
        return EXIT_PASSED
    return EXIT_PASSED if all(one.good for one in found) else EXIT_FAILED


def _list(grid: Grid, folder: Path, retry: list[str]) -> list[Standing]:
    """All sessions; it also refuses what a run would refuse."""
    from esoplay.agents.desk import check_solver
    from esoplay.agents.running import Bubblewraps, cells_of, left_of, standings
    from esoplay.cli.output import narrate

    for solver in grid.solvers:
        check_solver(solver)
    cells, orders = cells_of(grid), left_of(grid, folder, retry)
    narrate(f"{len(orders)} of {len(cells)} sessions would be played")
    if obstacle := Bubblewraps().obstacle(orders):
        narrate(obstacle.advice())
    return standings(folder, cells)


def _play(grid: Grid, folder: Path, args: argparse.Namespace) -> list[Standing]:
    from esoplay.agents.playing import Stop
    from esoplay.agents.running import run_grid
    from esoplay.cli.output import narrate

    stop = Stop()
    with _told_by_signals(stop):
        found = run_grid(
            *(grid, folder),
            jobs=args.jobs,
            retry=args.retry,
            stop=stop,
            tell=_tell,
            accept_visible_processes=args.accept_visible_processes,
        )
    if stop.is_set():
        narrate("interrupted; what was at work is cut and stored, the same command plays the rest")
        raise KeyboardInterrupt
    return found


@contextmanager
def _told_by_signals(stop: Stop) -> Generator[None]:
    """Ctrl-C, SIGTERM, or a terminal that goes away: a first time what is at work is cut and
    stored, a second time this process ends at once, and the next run does that."""
    import os
    import signal

    def heed(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(128 + number)
        stop.set()
        with suppress(OSError):  # a terminal that went away
            os.write(2, b"ending what is at work; once more to end without waiting for that\n")

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    heeded = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, heed) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell(step: Step) -> None:
    from esoplay.cli.agents.shared import told
    from esoplay.cli.output import narrate

    what = step.kind if step.result is None else told(step.result)
    left_over = "left by an earlier run: " if step.kind == "settled" else ""
    narrate(f"[{step.number}/{step.of}] {step.cell}: {left_over}{what}")
