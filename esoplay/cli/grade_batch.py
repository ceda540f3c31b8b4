"""``esoplay grade --batch``: many submissions, a line of result each."""

from __future__ import annotations

import os
import sys
import time

from esoplay.cli.output import repaint

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from esoplay.service.batch.grading import Progress, Summary

_BAR = 24  # characters
_PAINT = 0.1  # seconds between two paintings of the bar


def add_batch_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that only a batch has."""
    parser.add_argument(
        "--batch",
        metavar="F",
        help="grade a file of submissions, one JSON object a line; - is stdin",
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        help="with --batch: the results, a line each; what is there already is gone on with; "
        "default: stdout",
    )
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="with --batch: processes; default: one per core"
    )
    parser.add_argument(
        "--cluster",
        metavar="C",
        help="with --batch: grade on a cluster, by the address of a Dask scheduler or ray",
    )


def check_single(args: argparse.Namespace) -> None:
    """Refuse what has no meaning without ``--batch``; raises UsageError."""
    from esoplay.errors import UsageError

    for value, option in (
        (args.output, "-o"),
        (args.jobs, "--jobs"),
        (args.cluster, "--cluster"),
    ):
        if value is not None:
            raise UsageError(f"{option} has a meaning with --batch only")
    if args.file is None or args.problem is None:
        raise UsageError("name a FILE and a --problem, or a file of submissions with --batch")


def run_batch(args: argparse.Namespace, seed: bytes) -> int:
    """Grade a batch by ``seed`` and say on stderr what came of it."""
    from pathlib import Path

    from esoplay.cli.output import narrate, print_json
    from esoplay.service.batch.grading import Terms, grade_batch

    _check_batch(args)
    source: str = args.batch
    folder = str(Path.cwd() if source == "-" else Path(source).parent.resolve())
    terms = Terms(seed, args.dialect, args.compare, args.pack, folder)
    to_file = args.output not in (None, "-")
    bar = _Bar() if sys.stderr.isatty() else None
    began = time.monotonic()
    with _opened(source) as submissions:
        try:
            summary = grade_batch(
                submissions.fileno(),
                Path(args.output) if to_file else _writer(),
                terms,
                jobs=args.jobs or os.cpu_count() or 1,
                cluster=args.cluster,
                progress=bar and bar.show,
            )
        except KeyboardInterrupt:
            if bar is not None:
                bar.clear()
            if to_file:
                narrate(f"interrupted; the same command goes on where {args.output} ends")
            raise
        finally:
            if bar is not None:
                bar.clear()
    narrate(_told(summary, time.monotonic() - began))
    if args.json:
        print_json(summary.as_json())
    return summary.exit_code


def _check_batch(args: argparse.Namespace) -> None:
    from esoplay.errors import UsageError

    if args.file is not None or args.problem is not None:
        raise UsageError("with --batch every submission names its own program and problem")
    if args.lang is not None or args.settings:
        raise UsageError("with --batch every submission names its own language and options")
    if args.jobs is not None and args.cluster is not None:
        raise UsageError("a cluster has processes of its own, so --jobs has no meaning with it")
    if args.jobs is not None and args.jobs < 1:
        raise UsageError("--jobs takes a number from 1")
    if args.json and args.output in (None, "-"):
        raise UsageError("--json prints a summary to stdout, so the results need a file: -o FILE")


def _opened(path: str):
    from esoplay.errors import UsageError

    try:
        return open(0 if path == "-" else path, "rb", buffering=0)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def _writer() -> Callable[[bytes], None]:
    """Writes to what is stdout now, whatever a library puts in its place later."""
    out = sys.stdout.buffer

    def write(line: bytes) -> None:
        out.write(line.replace(b"\x7f", b"\\u007f"))  # the one control that JSON leaves as it is
        out.flush()

    return write


def _told(summary: Summary, seconds: float) -> str:
    graded = summary.solved + summary.unsolved
    parts = [f"{graded} graded, {summary.solved} of them solved"]
    parts += [f"{summary.invalid} invalid"] if summary.invalid else []
    parts += [f"{summary.voided} voided"] if summary.voided else []
    parts += [f"{summary.before} were there already"] if summary.before else []
    rate = f", {summary.done / seconds:,.0f} a second" if summary.done else ""
    return "; ".join(parts) + f" ({_clock(seconds)}{rate})"


class _Bar:
    """One line on the terminal that is rewritten, and gone at the end."""

    def __init__(self) -> None:
        self._painted = 0.0

    def show(self, progress: Progress) -> None:
        if progress.seconds - self._painted < _PAINT:
            return
        self._painted = progress.seconds
        summary = progress.summary
        parts = [f"{summary.before + summary.done:,} done"]
        parts.append(f"{summary.done / progress.seconds:,.0f}/s")
        if progress.share is not None and progress.fresh:
            filled = int(_BAR * progress.share)
            left = progress.seconds / progress.fresh - progress.seconds
            parts.insert(0, f"[{'#' * filled}{'-' * (_BAR - filled)}] {progress.share:4.0%}")
            parts.append(f"{_clock(left)} left")
        parts += [f"{summary.invalid:,} invalid"] if summary.invalid else []
        parts += [f"{summary.voided:,} voided"] if summary.voided else []
        repaint("  ".join(parts))

    def clear(self) -> None:
        if self._painted:
            repaint("")
            self._painted = 0.0


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
