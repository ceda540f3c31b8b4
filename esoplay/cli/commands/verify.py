"""``esoplay verify``: the problems prove themselves."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.grading.proof import Cell
    from esoplay.service.grading import VerifyReport

SUMMARY = "prove that every reference passes and every starter fails"
DESCRIPTION = """\
Run the reference of every problem on its public examples, on the practice tests and on the tests
of three fresh random seeds, in the dialects standard and benchmark; check that its starter fails.
Exit status: 0 all proved, 1 not, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay verify
  esoplay verify --lang brainfuck --problem E08
  esoplay verify --jobs 4 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", metavar="L", help="one language; default: all installed ones")
    parser.add_argument("--problem", metavar="ID", help="one problem; default: all")
    parser.add_argument("--pack", metavar="FOLDER", help="a problem pack other than the own one")
    parser.add_argument("--jobs", type=int, metavar="N", help="default: one per core")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    import os
    import sys

    from esoplay.cli.output import print_json
    from esoplay.errors import UsageError
    from esoplay.service.grading import verify

    if args.jobs is not None and args.jobs < 1:
        raise UsageError("--jobs takes a number from 1")
    report = verify(
        args.lang and args.lang.lower(),
        args.problem,
        pack=args.pack,
        jobs=args.jobs or os.cpu_count() or 1,
        progress=_show_progress if sys.stderr.isatty() else None,
    )
    if args.json:
        print_json(report.as_json())
    else:
        _print_report(report)
    return report.exit_code


def _show_progress(done: int, total: int, cell: Cell) -> None:
    """One line on the terminal that is rewritten, and gone at the end."""
    import sys

    text = f"{done} of {total}  {cell.problem} {cell.language} {cell.dialect}"
    print(f"\r\x1b[K{text if done < total else ''}", end="", file=sys.stderr, flush=True)


def _print_report(report: VerifyReport) -> None:
    from esoplay.cli.style import mark, styled

    for cell in report.cells:
        print(
            f"{mark(cell.solved)} {styled(cell.problem, 'accent')}  {cell.language}"
            f"  {cell.dialect:9}  {cell.steps:>10,} steps  {cell.size:>7,} bytes"
        )
        for complaint in cell.complaints:
            print(f"       {complaint}")
    for problem, language in report.missing:
        print(f"- {styled(problem, 'accent')}  {language}  {styled('no reference', 'dim')}")
    style = "good" if report.exit_code == 0 else "bad"
    print(styled(f"{report.solved} of {report.total} proved", style))
