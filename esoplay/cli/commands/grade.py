"""``esoplay grade``: grade a program with hidden tests."""

from __future__ import annotations

import os
import sys
import time

from esolangs.wording import noun
from esoplay.cli.output import replace_line

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from esoplay.batch.grading import BatchProgress, BatchSummary
    from esoplay.grading.report import GradeReport, TestResult


SUMMARY = "grade a program with the hidden tests of a problem"
DESCRIPTION = """\
Run a program on six hidden tests, derived from a seed. The default is the public practice seed,
which shows every input and output; any other seed shows only verdicts.
A program that fails is also graded in the other dialect: if it passes there, the message names the
differences that matter. With a secret seed, this check uses the public examples.
Programs in ordinary languages are graded the same way, in host lanes: see esoplay lanes.
An imported pack has fixed tests, so a seed determines only whether the tests are shown.
With --batch, grade a file of submissions; docs/batch-grading.md describes its lines.
Exit status: 0 solved, 1 not solved, 2 usage, 3 not solved because of limits, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay grade reverse.bf --problem E08
  esoplay grade reverse.bf --problem E08 --dialect benchmark --seed-file ~/seed --json
  esoplay grade reverse.py --problem E08           in the host lane python
  esoplay grade - --lang brainfuck --problem E02 < echo.bf
  esoplay grade --batch submissions.jsonl -o results.jsonl --jobs 2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli.output import add_seed_arguments
    from esoplay.grading.output_comparison import COMPARE_HELP, COMPARE_MODES

    parser.add_argument("file", nargs="?", metavar="FILE", help="the program; - is stdin")
    parser.add_argument("--problem", metavar="ID", help="the problem, such as E08")
    parser.add_argument(
        "--lang", metavar="L", help="language or host lane; default: by the file's extension"
    )
    parser.add_argument("--dialect", default="standard", metavar="D", help="default: standard")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="K=V",
        help="set one option of the dialect, such as eof=-1",
    )
    parser.add_argument(
        "--pack",
        metavar="P",
        help="an installed pack's id, or a folder; default: the built-in pack",
    )
    add_seed_arguments(parser)
    parser.add_argument(
        "--compare",
        choices=COMPARE_MODES,
        help=COMPARE_HELP + "the pack's",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--full-output",
        action="store_true",
        help="with --json or --batch: show all of a test's output, not only the first 64 KiB",
    )
    add_batch_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from esoplay.cli.output import parse_settings, print_json, read_program, seed_argument
    from esoplay.grading.seeds import PRACTICE_SEED
    from esoplay.packs.catalogue import get_problem
    from esoplay.packs.grading import grade_source
    from esoplay.programs.host_lanes import language_id_for
    from esoplay.running.run import SHOWN_IN_TEST

    if args.batch is not None:
        return run_batch(args, seed_argument(args) or PRACTICE_SEED)
    check_single(args)
    problem = get_problem(args.problem, args.pack)
    language_id = language_id_for(args.file, args.lang)
    report = grade_source(
        problem.id,
        language_id,
        read_program(args.file),
        seed=seed_argument(args),
        dialect=args.dialect,
        options=parse_settings(args.settings),
        compare=args.compare,
        pack=args.pack,
        check_dialects=True,
    )
    if args.json:
        print_json(report.as_json(None if args.full_output else SHOWN_IN_TEST))
    else:
        _print_report(report, problem.title)
    return report.exit_code


def _print_report(report: GradeReport, title: str) -> None:
    from esoplay.cli.output import paint

    print(paint(report.problem, "accent"), paint(title, "bold"), end="  ")
    print(paint(f"{report.language}, {report.dialect}", "dim"))
    counted = any(test.steps for test in report.tests)
    for test in report.tests:
        _print_test(test, counted)
    if any(_is_truncated(test) for test in report.tests):
        print("  some bytes are not shown; try: --json --full-output")
    verdict = paint("solved", "good") if report.solved else paint("not solved", "bad")
    fixed = "fixed " if report.has_fixed_tests else ""
    print(f"{report.passed} of {report.total} {fixed}tests passed: {verdict}")
    if report.only_class is not None:
        print(report.only_class_text)
    if report.other_dialect is not None:
        head, *causes = report.other_dialect.lines(report.dialect)
        print(paint(head, "bold"))
        for cause in causes:
            print(f"  {cause}")


def _is_truncated(test: TestResult) -> bool:
    """Return whether the details of a failed test were truncated to fit on a line."""
    from esoplay.cli.output import MAX_QUOTED_BYTES

    return (
        test.detail is not None
        and not test.passed
        and max(map(len, test.detail[:3])) > MAX_QUOTED_BYTES
    )


def _print_test(test: TestResult, with_steps: bool) -> None:
    """Print a test on one line, with details if it failed.  with_steps: also print the steps."""
    from esoplay.cli.output import mark, paint, quote_bytes

    words = test.verdict.replace("_", " ")
    kind = f"  {test.edge_class}" if test.edge_class else ""
    steps = f"  {test.steps:>10,} {noun(test.steps, 'step'):5}" if with_steps else ""
    print(f"  {mark(test.passed)} {test.index}  {words:12}{steps}{kind}")
    if test.detail is None or test.passed:
        return
    rows = {"input": test.detail.input, "expected": test.detail.expected, "got": test.detail.got}
    for label, text in test.detail.invocation.as_rows().items():
        print(f"       {paint(f'{label:8}', 'dim')}  {text}")
    for label, data in rows.items():
        print(f"       {paint(f'{label:8}', 'dim')}  {quote_bytes(data)}")
    if test.detail.message:
        print(f"       {paint('because ', 'dim')}  {test.detail.message}")
    if test.cause is not None:
        print(f"       {paint('cause   ', 'dim')}  {test.cause.text}")


# ``esoplay grade --batch``: grade many submissions, one line per result

_BAR_WIDTH = 24  # characters
_REFRESH_SECONDS = 0.1  # seconds between two updates of the bar


def add_batch_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for batches."""
    parser.add_argument(
        "--batch",
        metavar="F",
        help="grade a file of submissions, one JSON object per line; - is stdin",
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        help="with --batch: file for the results, one line each; an existing file is continued; "
        "default: stdout",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="with --batch: parallel processes; default: one per core",
    )
    parser.add_argument(
        "--cluster",
        metavar="C",
        help="with --batch: grade on a cluster; the address of a Dask scheduler, or ray",
    )


def check_single(args: argparse.Namespace) -> None:
    """Check the arguments for grading one program.

    Raises UsageError if an option requires ``--batch``, or if FILE or ``--problem`` is missing.
    """
    from esoplay.errors import UsageError

    for value, option in (
        (args.output, "-o"),
        (args.jobs, "--jobs"),
        (args.cluster, "--cluster"),
    ):
        if value is not None:
            raise UsageError(f"{option} requires --batch")
    if args.file is None or args.problem is None:
        raise UsageError("expected FILE and --problem, or --batch with a file of submissions")


def run_batch(args: argparse.Namespace, seed: bytes) -> int:
    """Grade a batch with ``seed`` and print a summary on stderr."""
    from pathlib import Path

    from esoplay.batch.grading import BatchTerms, grade_batch
    from esoplay.cli.output import print_json, print_stderr

    _check_batch(args)
    source: str = args.batch
    folder = str(Path.cwd() if source == "-" else Path(source).parent.resolve())
    terms = BatchTerms(seed, args.dialect, args.compare, args.pack, folder, args.full_output)
    to_file = args.output not in (None, "-")
    bar = _Bar() if sys.stderr.isatty() else None
    start_time = time.monotonic()
    with _open_batch(source) as submissions:
        try:
            summary = grade_batch(
                submissions.fileno(),
                Path(args.output) if to_file else _make_writer(),
                terms,
                jobs=args.jobs or os.cpu_count() or 1,
                cluster=args.cluster,
                progress=bar and bar.show,
            )
        except KeyboardInterrupt:
            if bar is not None:
                bar.clear()
            if to_file:
                print_stderr(
                    f"interrupted; run the same command again to resume at the end of {args.output}"
                )
            raise
        finally:
            if bar is not None:
                bar.clear()
    print_stderr(_summary_line(summary, time.monotonic() - start_time, args.dialect))
    if args.json:
        print_json(summary.as_json())
    return summary.exit_code


def _check_batch(args: argparse.Namespace) -> None:
    from esoplay.errors import UsageError

    if args.file is not None or args.problem is not None:
        raise UsageError(
            "FILE and --problem cannot be combined with --batch; "
            "each submission names its own program and problem"
        )
    if args.lang is not None or args.settings:
        raise UsageError(
            "--lang and --set cannot be combined with --batch; "
            "each submission names its own language and options"
        )
    if args.jobs is not None and args.cluster is not None:
        raise UsageError(
            "--jobs cannot be combined with --cluster; a cluster has its own processes"
        )
    if args.jobs is not None and args.jobs < 1:
        raise UsageError("--jobs must be an integer, 1 or more")
    if args.json and args.output in (None, "-"):
        raise UsageError("--json prints a summary to stdout and requires -o FILE for the results")


def _open_batch(path: str):
    from esoplay.errors import UsageError

    try:
        return open(0 if path == "-" else path, "rb", buffering=0)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def _make_writer() -> Callable[[bytes], None]:
    """Return a function that writes a line to stdout, even if a library replaces ``sys.stdout``."""
    out = sys.stdout.buffer

    def write(line: bytes) -> None:
        out.write(
            line.replace(b"\x7f", b"\\u007f")
        )  # the only control character that JSON does not escape
        out.flush()

    return write


def _summary_line(summary: BatchSummary, seconds: float, dialect: str) -> str:
    """Summarize a batch on one line.  dialect: the default dialect of submissions."""
    graded = summary.solved + summary.unsolved
    parts = [f"{graded} graded, {summary.solved} of them solved"]
    parts += [f"{summary.invalid} invalid"] if summary.invalid else []
    parts += [f"{summary.voided} voided"] if summary.voided else []
    parts += [f"{summary.before} done earlier"] if summary.before else []
    rate = f", {summary.graded_count / seconds:,.0f} a second" if summary.graded_count else ""
    return "; ".join(parts) + f" ({_format_duration(seconds)}{rate}; dialect {dialect})"


class _Bar:
    """Progress bar on one terminal line, which is erased at the end."""

    def __init__(self) -> None:
        self._painted_at = 0.0

    def show(self, progress: BatchProgress) -> None:
        if progress.seconds - self._painted_at < _REFRESH_SECONDS:
            return
        self._painted_at = progress.seconds
        summary = progress.summary
        parts = [f"{summary.before + summary.graded_count:,} done"]
        parts.append(f"{summary.graded_count / progress.seconds:,.0f}/s")
        if progress.share is not None and progress.share_since_start:
            filled = int(_BAR_WIDTH * progress.share)
            left = progress.seconds / progress.share_since_start - progress.seconds
            parts.insert(0, f"[{'#' * filled}{'-' * (_BAR_WIDTH - filled)}] {progress.share:4.0%}")
            parts.append(f"{_format_duration(left)} left")
        parts += [f"{summary.invalid:,} invalid"] if summary.invalid else []
        parts += [f"{summary.voided:,} voided"] if summary.voided else []
        replace_line("  ".join(parts))

    def clear(self) -> None:
        if self._painted_at:
            replace_line("")
            self._painted_at = 0.0


def _format_duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
