"""``esoplay agents``: let agents play grids of sessions, and report the results."""

from __future__ import annotations

from contextlib import contextmanager, suppress

from esolangs.wording import format_count, plural

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Generator, Sequence
    from pathlib import Path
    from types import FrameType

    from esoplay.agents.attempt import StopSignal
    from esoplay.agents.grid import SessionGrid
    from esoplay.agents.grid_run import RunEvent
    from esoplay.agents.records import AttemptOutcome, CellStanding, RunNote
    from esoplay.cli.session import Actions


SUMMARY = "let agents play grids of benchmark sessions, and report results"
DESCRIPTION = """\
A grid is a file that names solvers (commands), languages, protocols and a number of sessions.
`run` plays every combination: each agent in a workspace and a home of its own, isolated by
bubblewrap, with time and move limits; each session is exported and verified at the end.
Finished sessions are not repeated.
`status` shows the state of a run, `report` shows its results, `grid` prints templates of grids, and
`manifest` prints how known agents are started."""
EXAMPLES = """\
examples:
  esoplay agents grid main > main.toml        then add a solver
  esoplay agents run main.toml --dry-run
  esoplay agents run main.toml --jobs 4
  esoplay agents status main.runs
  esoplay agents report main.runs -o report
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli.session import Actions

    actions = Actions(parser)
    add_run(actions)
    add_views(actions)


def run(args: argparse.Namespace) -> int:
    return args.perform(args)


# agents run

_RUN_EXAMPLES = """\
examples:
  esoplay agents run main.toml --dry-run
  esoplay agents run main.toml --jobs 4
  esoplay agents run main.toml -o results --retry interrupted --retry 'timed out'
  esoplay agents run main.toml -o pilot --problems E01-E05 --sessions 1
  esoplay agents run main.toml --accept-visible-processes      without bubblewrap
exit status: 0 every session is complete and verified, 1 some are not, 2 usage, 130 after Ctrl-C
"""


def add_run(actions: Actions) -> None:
    from esoplay.agents.records import RETRYABLE_STANDINGS

    run = actions.add(
        "run",
        "play the remaining sessions of a grid",
        _run,
        needs_session=False,
        needs_store=False,
        examples=_RUN_EXAMPLES,
    )
    run.add_argument(
        "grid", metavar="GRID.toml", help="file with solvers, languages, protocols, sessions"
    )
    run.add_argument(
        "-o",
        dest="output",
        metavar="DIR",
        help="the run's folder; default: GRID.runs in the current folder",
    )
    run.add_argument("--pack", metavar="P", help="play this pack instead of the pack in GRID.toml")
    run.add_argument(
        "--problems",
        metavar="ID,…",
        help="play only these problems: ids, ranges such as E01-E05, tiers",
    )
    run.add_argument(
        "--sessions",
        type=int,
        metavar="N",
        help="sessions of each combination of solver, language and protocol; default: as in "
        "GRID.toml",
    )
    run.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="parallel sessions; default: 1"
    )
    run.add_argument(
        "--retry",
        action="append",
        default=[],
        choices=RETRYABLE_STANDINGS,
        help="play sessions in this state again; earlier attempts are saved; the option may be "
        "repeated",
    )
    run.add_argument(
        "--accept-visible-processes",
        action="store_true",
        help="play even if bubblewrap cannot hide other processes from the solvers",
    )
    run.add_argument(
        "--dry-run", action="store_true", help="list the sessions and their states without playing"
    )


def _run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esoplay.agents.grid import GridOverrides, read_grid
    from esoplay.cli.output import print_json, print_stderr
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError

    for option in ("jobs", "sessions"):
        number = getattr(args, option)
        if number is not None and not 1 <= number <= 1000:
            raise UsageError(f"--{option} must be an integer from 1 to 1000")
    problems = None if args.problems is None else tuple(args.problems.split(","))
    grid = read_grid(Path(args.grid), GridOverrides(args.pack, problems, args.sessions))
    folder = (
        run_folder(f"{Path(args.grid).stem}.toml") if args.output is None else Path(args.output)
    )
    found = _list(grid, folder, args.retry) if args.dry_run else _play(grid, folder, args)
    if args.json:
        print_json({"run": str(folder), "sessions": [one.as_json() for one in found]})
    else:
        print_table(found)
    print_stderr(f"{folder}: {summarize_standings(found)}")
    if args.dry_run:
        return EXIT_PASSED
    return EXIT_PASSED if all(one.is_valid for one in found) else EXIT_FAILED


def _list(grid: SessionGrid, folder: Path, retry: list[str]) -> list[CellStanding]:
    """Return the standings of all sessions without playing any; report what would prevent a run."""
    from esoplay.agents.agent_workspace import check_solver
    from esoplay.agents.grid_run import (
        BubblewrapCache,
        find_first_shell_obstacle,
        list_cells,
        read_standings,
        remaining_sessions,
    )
    from esoplay.cli.output import print_stderr

    for solver in grid.solvers:
        check_solver(solver)
    cells, planned_sessions = list_cells(grid), remaining_sessions(grid, folder, retry)
    print_stderr(f"{len(planned_sessions)} of {len(cells)} sessions would be played")
    if obstacle := BubblewrapCache().find_unusable(planned_sessions):
        print_stderr(obstacle.advice())
    if shell := find_first_shell_obstacle(grid, planned_sessions):
        print_stderr(shell)
    return read_standings(folder, cells)


def _play(grid: SessionGrid, folder: Path, args: argparse.Namespace) -> list[CellStanding]:
    from esoplay.agents.attempt import StopSignal
    from esoplay.agents.grid_run import run_grid
    from esoplay.cli.output import print_stderr

    stop = StopSignal()
    with _stop_on_signals(stop):
        found = run_grid(
            *(grid, folder),
            jobs=args.jobs,
            retry=args.retry,
            stop=stop,
            notify=_report_event,
            accept_visible_processes=args.accept_visible_processes,
        )
    if stop.is_set():
        print_stderr(
            "interrupted; the sessions in progress were stopped and saved; "
            "run the same command again to play the remaining sessions"
        )
        raise KeyboardInterrupt
    return found


@contextmanager
def _stop_on_signals(stop: StopSignal) -> Generator[None]:
    """Set ``stop`` on Ctrl-C, SIGTERM or SIGHUP, so that running sessions are stopped and saved.

    A second signal ends the process immediately; the next run then saves these sessions.
    """
    import os
    import signal

    def handle_signal(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(128 + number)
        stop.set()
        with suppress(OSError):  # the terminal was closed
            os.write(2, b"stopping the running sessions; a second signal exits without waiting\n")

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    heeded = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handle_signal) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _report_event(event: RunEvent) -> None:
    from esoplay.cli.output import print_stderr

    what = event.kind if event.result is None else result_line(event.result)
    left_over = "left by an earlier run: " if event.kind == "finalized" else ""
    print_stderr(f"[{event.number}/{event.total}] {event.cell}: {left_over}{what}")


# agents status | report | grid

_REPORT_EXAMPLES = """\
examples:
  esoplay agents report main.runs
  esoplay agents report main.runs -o report
  esoplay agents report direct.toml --by protocol --json | jq .comparison
exit status: 0 done, 1 an export was refused, 2 usage
"""


def add_views(actions: Actions) -> None:
    from esoplay.agents.templates import GRIDS, manifest_names
    from esoplay.cli.commands import report as reporting

    status = actions.add(
        "status",
        "show the state of every session of a run",
        _status,
        needs_session=False,
        needs_store=False,
        examples="examples:\n  esoplay agents status main.runs\n"
        "  esoplay agents status main.toml --json\n"
        "exit status: 0 every session is complete and verified, 1 some are not, 2 usage",
    )
    status.add_argument(
        "run",
        metavar="RUN",
        help="folder of a run; or GRID.toml, if the run is in the default folder GRID.runs",
    )

    report = actions.add(
        "report",
        "create tables and pictures from the exports of a run",
        _report,
        needs_session=False,
        needs_store=False,
        examples=_REPORT_EXAMPLES,
        json=False,
    )
    report.add_argument(
        "run",
        metavar="RUN",
        help="folder of a run; or GRID.toml, if the run is in the default folder GRID.runs",
    )
    reporting.add_options(report)

    grid = actions.add(
        "grid",
        "print a template grid",
        _grid,
        needs_session=False,
        needs_store=False,
        examples="examples:\n  esoplay agents grid\n  esoplay agents grid main > main.toml",
    )
    grid.add_argument(
        "name", nargs="?", choices=GRIDS, help="name of a template; default: list all templates"
    )

    manifest = actions.add(
        "manifest",
        "print the manifest of a known agent: how to start it and read its log",
        _manifest,
        needs_session=False,
        needs_store=False,
        examples="examples:\n  esoplay agents manifest\n"
        '  esoplay agents manifest codex > mine.toml  # in GRID.toml: agent = "mine.toml"',
    )
    manifest.add_argument(
        "name",
        nargs="?",
        choices=manifest_names(),
        help="name of a manifest; default: list all manifests",
    )


def _manifest(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esoplay.agents.manifest import read_manifest
    from esoplay.agents.templates import manifest_names, read_manifest_text
    from esoplay.cli.output import print_json

    if args.json:
        names = manifest_names() if args.name is None else (args.name,)
        print_json({"manifests": {name: read_manifest_text(name) for name in names}})
    elif args.name is None:
        for name in manifest_names():
            print(f"{name:16} {read_manifest(name, Path()).table.title}")
    else:
        print(read_manifest_text(args.name), end="")
    return 0


def _status(args: argparse.Namespace) -> int:
    from esoplay.agents.grid_run import read_standings
    from esoplay.cli.output import print_json, print_stderr
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED

    folder, note = load_run(args.run)
    found = read_standings(folder, note.cells)
    if args.json:
        print_json({"run": str(folder), "sessions": [one.as_json() for one in found]})
    else:
        print_table(found)
    print_stderr(f"{folder}: {summarize_standings(found)}")
    return EXIT_PASSED if all(one.is_valid for one in found) else EXIT_FAILED


def _report(args: argparse.Namespace) -> int:
    from esoplay.cli.commands.report import add_run, run_report
    from esoplay.errors import UsageError

    folder, note = load_run(args.run)
    exports = add_run(args, folder, note)
    if not exports:
        raise UsageError(f"no exports in {folder} yet")
    args.title = args.title or note.title
    return run_report(exports, args)


def _grid(args: argparse.Namespace) -> int:
    from esoplay.agents.templates import GRIDS, grid_title, read_grid_template
    from esoplay.cli.output import print_json

    if args.json:
        names = GRIDS if args.name is None else (args.name,)
        print_json({"grids": {name: read_grid_template(name) for name in names}})
    elif args.name is None:
        for name in GRIDS:
            print(f"{name:12} {grid_title(name)}")
    else:
        print(read_grid_template(args.name), end="")
    return 0


# The folder of a run, and its table

RUN_SUFFIX = ".runs"
_GOOD_STATES = {"complete"}
_UNSTYLED_STATES = {"not begun", "begun"}


def run_folder(text: str) -> Path:
    """Return the folder of a run: ``text`` itself, or the default folder of a grid file."""
    from pathlib import Path

    path = Path(text)
    return Path(path.stem + RUN_SUFFIX) if path.suffix == ".toml" else path


def load_run(text: str) -> tuple[Path, RunNote]:
    """Return the folder of a run and its ``RunNote``; raise UsageError if it does not exist."""
    from esoplay.agents.notes import read_run_note
    from esoplay.errors import UsageError

    folder = run_folder(text)
    note = read_run_note(folder)
    if note is None:
        raise UsageError(f"{folder} does not contain a run; start one with: esoplay agents run")
    return folder, note


def print_table(standings: Sequence[CellStanding]) -> None:
    """Print one line per session."""
    from esoplay.cli.output import paint

    rows = [_row(standing) for standing in standings]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for standing, row in zip(standings, rows, strict=True):
        line = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        if standing.description not in _UNSTYLED_STATES:
            line[4] = paint(line[4], "good" if standing.description in _GOOD_STATES else "bad")
        print("  ".join(line).rstrip())


def summarize_standings(standings: Sequence[CellStanding]) -> str:
    """Return a line with the number of sessions in each state."""
    counts: dict[str, int] = {}
    for standing in standings:
        counts[standing.description] = counts.get(standing.description, 0) + 1
    states = ", ".join(f"{count} {word}" for word, count in counts.items())
    return f"{format_count(len(standings), 'session')}: {states}"


def result_line(result: AttemptOutcome) -> str:
    """Describe the result of an attempt in one line."""
    from esoplay.terminal_text import escape_line

    parts = [result.end if not result.findings else "forged"]
    parts[0] += f" ({result.why})" if result.why else ""
    if result.problems:
        parts.append(f"{result.solved} of {result.problems} solved")
    if result.sha256 is not None:
        checked = "verified" if result.repeated else "log verified without regrading"
        if not result.verified:
            checked = (
                f"verification failed: {result.findings[0]}" if result.findings else "not verified"
            )
        parts.append(checked)
    if result.tokens is not None:
        parts.append(plural(result.tokens, "token"))
    if result.isolated is False:
        parts.append("not isolated")
    if result.violations:
        parts.append(f"submissions that violate the rules: {result.violations}")
    return escape_line(", ".join(parts))


def _row(standing: CellStanding) -> tuple[str, ...]:
    from esoplay.agents.verdicts import read_progress
    from esoplay.terminal_text import escape_line

    cell = standing.cell
    so_far = standing.result or read_progress(standing)
    solved = f"{so_far.solved}/{so_far.problems}" if so_far and so_far.problems else ""
    minutes = "" if so_far is None else _format_duration(so_far.seconds)
    note = escape_line("; ".join(_remarks(standing)))
    kind = (cell.solver, cell.language, cell.protocol, str(cell.number))
    return (*kind, standing.description, solved, minutes, note)


def _remarks(standing: CellStanding) -> tuple[str, ...]:
    result = standing.result
    if standing.damage is not None:
        return (standing.damage,)
    if standing.altered:
        return ("the export changed after it was verified",)
    if result is None:
        return ()
    isolation = ("not isolated",) if result.isolated is False else ()
    why = (result.why,) if result.why else ()
    return (*why, *result.findings[:1], *isolation, *result.notes)


def _format_duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
