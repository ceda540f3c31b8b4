"""``esoplay leaderboard``: static pages from a folder of evaluations and sessions."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping
    from pathlib import Path


SUMMARY = "check submissions and write a static leaderboard"
DESCRIPTION = """\
Find runs of `esoplay eval` and exports of sessions below a folder, check each that has a revealed
seed by replaying it, and write a leaderboard: an index, a page for each model or agent, and
leaderboard.json. The pages load nothing and run no script. A submission that fails its check is
refused; one without a seed is marked as not checked. See docs/leaderboard.md.
Exit status: 0 done, 1 a submission was refused, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay leaderboard submissions -o site
  esoplay leaderboard submissions --json | jq '.entries[] | [.name, .mode, .mean]'
  esoplay leaderboard submissions --no-check -o preview
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="folder with submissions, at any depth")
    parser.add_argument("-o", dest="output", metavar="SITE", help="folder for the pages")
    parser.add_argument(
        "--title", default="Leaderboard", metavar="T", help="title of the index page"
    )
    parser.add_argument(
        "--no-check",
        action="store_true",
        help="do not replay submissions; mark them as not checked",
    )
    parser.add_argument(
        "--require-check",
        action="store_true",
        help="refuse submissions that cannot be checked, for example without a seed",
    )
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="parallel processes; default: one per core"
    )
    parser.add_argument("--json", action="store_true", help="print leaderboard.json")


def run(args: argparse.Namespace) -> int:
    import os
    import sys
    from pathlib import Path

    from esolangs.wording import plural
    from esoplay.cli.output import mark, print_stderr, replace_line
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError
    from esoplay.evaluation.leaderboard import leaderboard_files, make_leaderboard
    from esoplay.evaluation.reports import replace_file

    jobs = args.jobs or os.cpu_count() or 1
    if not 1 <= jobs <= 256:
        raise UsageError("--jobs must be an integer from 1 to 256")
    if not args.title.isprintable():
        raise UsageError("--title must be one line of printable characters")
    if args.no_check and args.require_check:
        raise UsageError("--no-check and --require-check cannot be combined")
    folder = Path(args.folder)
    if not folder.is_dir():
        raise UsageError(f"{args.folder} is not a folder")
    watched = sys.stderr.isatty()
    board = make_leaderboard(
        folder,
        check=not args.no_check,
        require_check=args.require_check,
        jobs=jobs,
        progress=(lambda name: replace_line(f"checking {name}")) if watched else None,
    )
    if watched:
        replace_line("")
    files = leaderboard_files(board, args.title)
    if args.output is not None:
        for name, text in files.items():
            path = Path(args.output) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, text)
        _remove_earlier_pages(Path(args.output), files)
        models = plural(len(files) - 2, "model page", "model pages")
        print_stderr(f"{args.output}: index.html, leaderboard.json, {models}")
    if args.json:
        print(files["leaderboard.json"], end="")
    else:
        for source in board.sources:
            reason = f": {source.reason}" if source.reason else ""
            print(f"{mark(source.status == 'checked')} {source.name}  {source.status}{reason}")
    return EXIT_FAILED if board.refused_sources else EXIT_PASSED


def _remove_earlier_pages(folder: Path, files: Mapping[str, str]) -> None:
    """Remove the pages of models of an earlier leaderboard, except those in ``files``.

    folder: the output folder of both leaderboards.  files: the new files by path in the folder.
    """
    for path in (folder / "models").glob("*.html"):
        name = f"models/{path.name}"
        if name not in files and b'name="generator" content="esoplay' in path.read_bytes()[:1000]:
            path.unlink()
