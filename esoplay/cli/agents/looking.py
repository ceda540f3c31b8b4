"""``agents status | report | grid``: how a run stands, what it came to, grids to begin with."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from esoplay.agents.records import Cell
    from esoplay.cli.session.shared import Actions

_REPORT_EXAMPLES = """\
examples:
  esoplay agents report main.runs
  esoplay agents report main.runs -o report
  esoplay agents report direct.toml --by protocol --json | jq .comparison
exit status: 0 done, 1 an export was refused, 2 usage
"""


def add_views(actions: Actions) -> None:
    from esoplay.agents.ready import GRIDS
    from esoplay.cli.commands import report as reporting

    status = actions.add(
        "status",
        "show how every session of a run stands",
        _status,
        in_session=False,
        in_store=False,
        examples="examples:\n  esoplay agents status main.runs\n"
        "  esoplay agents status main.toml --json\n"
        "exit status: 0 every session is complete and verified, 1 one is not, 2 usage",
    )
    status.add_argument("run", metavar="RUN", help="a run's folder, or the grid of GRID.runs")

    report = actions.add(
        "report",
        "tables and pictures of a run, from its exports",
        _report,
        in_session=False,
        in_store=False,
        examples=_REPORT_EXAMPLES,
        json=False,
    )
    report.add_argument("run", metavar="RUN", help="a run's folder, or the grid of GRID.runs")
    reporting.add_options(report)

    grid = actions.add(
        "grid",
        "print a grid that a solver can be filled into",
        _grid,
        in_session=False,
        in_store=False,
        examples="examples:\n  esoplay agents grid\n  esoplay agents grid main > main.toml",
    )
    grid.add_argument(
        "name", nargs="?", choices=GRIDS, help="default: list them with what they are for"
    )


def _status(args: argparse.Namespace) -> int:
    from esoplay.agents.running import standings
    from esoplay.cli.agents.shared import print_table, run_in, summary_of
    from esoplay.cli.output import narrate, print_json
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED

    folder, note = run_in(args.run)
    found = standings(folder, note.cells)
    if args.json:
        print_json({"run": str(folder), "sessions": [one.as_json() for one in found]})
    else:
        print_table(found)
    narrate(f"{folder}: {summary_of(found)}")
    return EXIT_PASSED if all(one.good for one in found) else EXIT_FAILED


def _report(args: argparse.Namespace) -> int:
    from esoplay.agents.exports import exports_of, usage_of
    from esoplay.cli.agents.shared import run_in
    from esoplay.cli.commands.report import report_from
    from esoplay.cli.output import narrate
    from esoplay.errors import UsageError

    folder, note = run_in(args.run)
    exports = exports_of(folder, note)
    if not exports:
        raise UsageError(f"{folder} has no export yet")
    open_sessions = [str(cell) for cell in note.cells if _was_open(folder, cell)]
    if open_sessions:
        narrate(
            f"{len(open_sessions)} of {len(note.cells)} sessions were played by solvers that were "
            f"not isolated, first: {open_sessions[0]}"
        )
    usage = usage_of(folder, note)
    for file in usage.altered:
        narrate(f"{file}: was altered after it was noted; its tokens are left out")
    args.usage = [*args.usage, *map(str, usage.whole)]
    args.pack = args.pack or note.pack
    args.title = args.title or note.title
    return report_from(exports, args)


def _was_open(folder: Path, cell: Cell) -> bool:
    """Whether a session was played by a solver that was not isolated."""
    from esoplay.agents.notes import standing_of

    result = standing_of(folder, cell).result
    return result is not None and result.isolated is False


def _grid(args: argparse.Namespace) -> int:
    from esoplay.agents.ready import GRIDS, grid_text, purpose_of
    from esoplay.cli.output import print_json

    if args.json:
        names = GRIDS if args.name is None else (args.name,)
        print_json({"grids": {name: grid_text(name) for name in names}})
    elif args.name is None:
        for name in GRIDS:
            print(f"{name:12} {purpose_of(name)}")
    else:
        print(grid_text(args.name), end="")
    return 0
