"""``esoplay view``: show the questions, answers, programs and verdicts of a run."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esoplay.evaluation.saved_runs import SavedRun
    from esoplay.evaluation.viewing import RevealedTests
    from esoplay.reporting.viewer import ViewerRun
    from esoplay.tui.viewer.source import ViewerSource


SUMMARY = "look at the questions, answers, programs and verdicts of a run"
DESCRIPTION = """\
Show a run of `esoplay eval` or an exported session: the questions, the answers, the programs and
their results. On the screen, Enter opens any program in the debugger. With -o, write one HTML
page that loads nothing and runs no script.
Hidden tests are shown only with --reveal and the seed of the run.
Exit status: 0 done, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay view runs/some-model
  esoplay view runs/some-model -o some-model.html
  esoplay view runs/some-model --only '*/E08/*' --plain
  esoplay view runs/some-model --failed --list
  esoplay view session.json -o session.html
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli.output import add_seed_arguments

    parser.add_argument(
        "run", metavar="RUN", help="folder of `esoplay eval`, or file of `esoplay session export`"
    )
    parser.add_argument("-o", dest="output", metavar="FILE", help="write one HTML page")
    parser.add_argument(
        "--only",
        metavar="PATTERN",
        help="trials whose id matches, such as '*/E08/*' or 'solve/unlambda/*'",
    )
    parser.add_argument("--failed", action="store_true", help="only trials that failed")
    parser.add_argument("--solved", action="store_true", help="only trials that were solved")
    parser.add_argument(
        "--reveal", action="store_true", help="show hidden tests; needs the seed of the run"
    )
    add_seed_arguments(parser)
    parser.add_argument(
        "--pack", metavar="P", help="folder of the run's pack, if it is not installed"
    )
    parser.add_argument("--list", action="store_true", help="print one line for each entry")
    parser.add_argument(
        "--plain",
        action="store_true",
        help="print all entries as text instead of opening the screen",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esoplay.errors import UsageError

    if args.failed and args.solved:
        raise UsageError("--failed and --solved cannot be combined")
    if not args.reveal and (args.seed is not None or args.seed_file is not None):
        raise UsageError("--seed and --seed-file require --reveal")
    return _view_run(args) if Path(args.run).is_dir() else _view_session(args)


def _view_run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esoplay.cli.output import seed_argument
    from esoplay.evaluation.saved_runs import find_run_seed, read_run
    from esoplay.evaluation.viewing import RevealedTests, ViewFilter, make_view

    saved = read_run(Path(args.run))
    tests = None
    if args.reveal:
        tests = RevealedTests(
            saved, find_run_seed(saved, seed_argument(args), args.pack), args.pack
        )
    view = make_view(saved, tests, ViewFilter(args.only, args.failed, args.solved))
    if _print_run(view, args):
        return 0
    from esoplay.tui.viewer import launch_viewer

    return launch_viewer(_source(saved, view, tests, args.pack))


def _source(
    saved: SavedRun, view: ViewerRun, tests: RevealedTests | None, pack: str | None
) -> ViewerSource:
    """Return the data of the viewer: a run, with the examples and revealed tests as inputs."""
    from collections.abc import Sequence

    from esoplay.evaluation.saved_runs import find_run_pack
    from esoplay.packs.catalogue import get_problem
    from esoplay.reporting.viewer import ViewerEntry
    from esoplay.tui.viewer.source import DebugInput, ViewerSource

    class RunSource(ViewerSource):
        def inputs(self, entry: ViewerEntry) -> Sequence[DebugInput]:
            if entry.problem is None:
                return ()
            problem = get_problem(entry.problem, find_run_pack(saved, pack))
            found = [
                DebugInput("public example", one.input, one.output) for one in problem.examples
            ]
            hidden = () if tests is None else tests.for_problem(problem.id)
            return [*found, *(DebugInput("hidden test", *test) for test in hidden)]

    return RunSource(view, saved.saved_terms.dialect, saved.saved_terms.options)


def _view_session(args: argparse.Namespace) -> int:
    from esoplay.benchmark.replay import Replay
    from esoplay.benchmark.session_view import session_view
    from esoplay.cli.output import seed_argument
    from esoplay.cli.session.exports import load
    from esoplay.errors import UsageError

    if args.only is not None or args.failed or args.solved:
        raise UsageError("--only, --failed and --solved are for runs of `esoplay eval`")
    replay = Replay(load(args.run))
    if args.reveal:
        seed = seed_argument(args)
        if seed is None:
            raise UsageError("--reveal requires --seed or --seed-file for a session")
        replay.reveal(seed, args.pack)
    if _print_run(session_view(replay), args):
        return 0
    from esoplay.tui.replay import launch

    return launch(replay)


def _print_run(view: ViewerRun, args: argparse.Namespace) -> bool:
    """Write or print the run; return False if it must be shown on a screen instead."""
    from esolangs.wording import plural
    from esoplay.cli.output import has_screen, is_plain, print_json, print_stderr, write_file
    from esoplay.reporting.viewer import entry_line, entry_text, viewer_page

    if args.output is not None:
        write_file(args.output, viewer_page(view), private=False)
        print_stderr(f"{plural(len(view.entries), 'entry', 'entries')} written to {args.output}")
    elif args.json:
        print_json(view.as_json())
    elif args.list:
        for entry in view.entries:
            print(entry_line(entry))
    elif is_plain(args.plain) or not has_screen():
        for entry in view.entries:
            print(entry_line(entry).strip(), end="\n\n")
            for line in entry_text(entry):
                print(line)
    else:
        return False
    return True
