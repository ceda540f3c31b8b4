"""``esoplay agents``: agents by themselves, in grids of sessions."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SUMMARY = "have agents play grids of benchmark sessions, and report on them"
DESCRIPTION = """\
A grid is a file that names solvers (commands), languages, protocols and a number of sessions.
`run` plays every combination: each agent in a workspace and a home of its own, isolated by
bubblewrap, with limits of time and moves; each session is exported and verified at the end.
Finished sessions are not played again.
`status` shows how a run stands, `report` what it came to, `grid` prints grids to begin with."""
EXAMPLES = """\
examples:
  esoplay agents grid main > main.toml        and fill a solver in
  esoplay agents run main.toml --dry-run
  esoplay agents run main.toml --jobs 4
  esoplay agents status main.runs
  esoplay agents report main.runs -o report
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli.agents.looking import add_views
    from esoplay.cli.agents.run import add_run
    from esoplay.cli.session.shared import Actions

    actions = Actions(parser)
    add_run(actions)
    add_views(actions)


def run(args: argparse.Namespace) -> int:
    return args.perform(args)
