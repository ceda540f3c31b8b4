"""``esoplay verify``: prove that references pass, starters fail and tests catch mistakes."""

from __future__ import annotations

from esolangs.wording import noun

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.grading.proof import ProofCell
    from esoplay.packs.proofs import VerifyReport

SUMMARY = "prove that references pass, starters fail and tests catch mistakes"
DESCRIPTION = """\
Compile every problem's source to every language. Run these programs, and those written by hand, on
the public examples, on the practice tests and on the tests of ten random seeds, in the dialects
standard and benchmark. Check that the starter of each problem fails, and that its tests catch each
known mistake under each of 1,000 seeds.
Exit status: 0 all proved, 1 a check failed, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay verify
  esoplay verify --lang brainfuck --problem E08
  esoplay verify --lang python         the references of a host lane
  esoplay verify --verbose             every program and dialect, and the missing references
  esoplay verify --jobs 4 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lang", metavar="L", help="one language or host lane; default: all installed languages"
    )
    parser.add_argument("--problem", metavar="ID", help="one problem; default: all")
    parser.add_argument("--pack", metavar="P", help="an installed pack's id, or a folder")
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="parallel processes; default: one per core"
    )
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="list every program and dialect; default for a single problem",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    import os
    import sys

    from esoplay.cli.output import print_json
    from esoplay.errors import UsageError
    from esoplay.packs.proofs import verify

    if args.jobs is not None and args.jobs < 1:
        raise UsageError("--jobs must be an integer, 1 or more")
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
        _print_report(report, args.verbose or args.problem is not None)
    return report.exit_code


def _show_progress(done: int, total: int, label: str) -> None:
    """Show progress on one terminal line, which is erased at the end."""
    from esoplay.cli.output import replace_line

    replace_line(f"{done} of {total}  {label}" if done < total else "")


def _print_report(report: VerifyReport, verbose: bool) -> None:
    from esoplay.cli.output import mark, paint

    for cell in report:
        if verbose or not cell.solved:
            _print_cell(cell)
    for fault in report.starter_faults:
        print(f"{mark(False)} {paint(fault.problem, 'accent')}  {fault.language}  {fault.dialect}")
        print(f"       {fault.complaint}")
    for escape in report.escapes:
        print(f"{mark(False)} {paint(escape.problem, 'accent')}  mistake {escape.mistake}")
        print(f"       passes the tests of seed {escape.seed.hex()}")
    for language, problems in report.missing_by_language().items():
        if verbose:
            words = f"no reference program for {' '.join(problems)}"
        else:
            plural = "s" if len(problems) > 1 else ""
            words = f"no reference program for {len(problems)} problem{plural}"
        print(f"- {language:11}  {paint(words, 'dim')}")
    for lane in report.unavailable:
        print(f"- {lane:11}  {paint('not installed: its references are not proved', 'dim')}")
    _print_totals(report)


def _print_cell(cell: ProofCell) -> None:
    from esoplay.cli.output import mark, paint

    origin = paint("  by hand", "dim") if cell.by_hand else ""
    print(
        f"{mark(cell.solved)} {paint(cell.problem, 'accent')}  {cell.language:11}"
        f"  {cell.dialect:9}  {cell.steps:>10,} {noun(cell.steps, 'step'):5}"
        f"  {cell.size:>7,} {noun(cell.size, 'byte'):5}{origin}"
    )
    for complaint in cell.complaints:
        print(f"       {complaint}")


def _print_totals(report: VerifyReport) -> None:
    from esoplay.cli.output import paint

    if report.starter_count:
        failed = report.starter_count - len(report.starter_faults)
        style = "bad" if report.starter_faults else "good"
        print(
            paint(
                f"{failed} of {report.starter_count} starters without a reference fail; all "
                "must fail",
                style,
            )
        )
    if report.mistake_count:
        caught = report.mistake_count - len(report.escapes)
        style = "bad" if report.escapes else "good"
        mistakes = f"{caught} of {report.mistake_count} mistakes"
        text = f"{mistakes} caught under each of {report.seed_count:,} seeds"
        print(paint(text, style))
    style = "good" if report.solved == report.total > 0 else "bad"
    dialects = {cell.dialect for cell in report.cells}
    where = ", in both dialects" if len(dialects) > 1 else ""
    print(paint(f"{report.solved}/{report.total} proved{where}", style))
