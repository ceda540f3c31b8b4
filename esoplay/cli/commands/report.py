"""``esoplay report``: create tables and pictures from sessions and evaluations."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from esoplay.agents.notes import RunNote
    from esoplay.benchmark.reports import FinishedReport, Progress
    from esoplay.reporting.comparison import Axis
    from esoplay.reporting.condition_figures import ConditionOptions
    from esoplay.reporting.document import Document
    from esoplay.reporting.external import ExternalTables
    from esoplay.reporting.report import ReportOptions

    Source = tuple[str, Callable[[], bytes]]
    """Name of a file, and the function that loads its contents."""


SUMMARY = "create tables and pictures from exports of sessions or results of eval"
DESCRIPTION = """\
Summarize exports of sessions, results of evaluations, or both together: solve rates with intervals,
by tier and category; errors, attempts, time, tokens and cost; comparisons of conditions; the
language tax; for sessions also local runs and generators. The report is text, Markdown, or with -o
one HTML file with pictures, and all tables as CSV and LaTeX.
An export that fails verification is refused.
Exit status: 0 done, 1 an export was refused, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay report session.json
  esoplay report runs/*.json -o report
                                       report.html, report.md, report.json and pictures/
  esoplay report runs/*.json -o paper --pdf
                                       the pictures also as PDF, and report.tex with them
  esoplay report runs/*.json --by protocol --json | jq .comparison
  esoplay report runs/*.json --familiar whitespace,befunge-98 --markdown > report.md
  esoplay report runs/*.json --usage tokens.jsonl --keep-going
  esoplay report runs/model-a runs/model-b --by model --baseline model-a -o report
                                       folders of esoplay eval
  esoplay report runs/model-a agents.runs --baseline "agent session" -o report
                                       an evaluation, and the sessions of esoplay agents run
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "exports",
        nargs="+",
        metavar="EXPORT",
        help="files of `esoplay session export`, folders of `esoplay agents run`, folders or "
        "results of `esoplay eval`, in any order; - is stdin",
    )
    add_options(parser)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``report`` to a parser, without the positional argument for exports."""
    parser.set_defaults(regraded=False, agents=(), recorded=())
    parser.add_argument(
        "-o",
        dest="output",
        metavar="DIR",
        help="folder for the HTML page, Markdown, LaTeX, JSON, tables and pictures",
    )
    parser.add_argument(
        "--pdf",
        action="store_true",
        help="with -o: write the pictures also as PDF and include them in report.tex; needs "
        "the extra pdf: pip install 'esoplay[pdf]'",
    )
    parser.add_argument(
        "--by",
        choices=("protocol", "solver", "language", "tools", "regime", "model"),
        help="what to compare: protocol, solver, language or tools in a report of sessions only; "
        "regime, model or language in a report that includes evaluations; default: the first of "
        "these with values that can be compared",
    )
    parser.add_argument(
        "--baseline",
        metavar="NAME",
        help="compare the other conditions only with this condition; p values are corrected for "
        "these comparisons alone",
    )
    parser.add_argument(
        "--familiar",
        metavar="L,…",
        help="familiar languages; the language tax of another language is its share solved minus "
        "the share in these; default: all languages that are not esoteric",
    )
    parser.add_argument(
        "--usage",
        action="append",
        default=[],
        metavar="FILE",
        help="JSON lines with tokens and cost of sessions; may be repeated",
    )
    parser.add_argument(
        "--external",
        metavar="FILE",
        help="TOML file with scores of other benchmarks and sizes of corpora, for correlations",
    )
    parser.add_argument(
        "--overlap",
        type=int,
        metavar="N",
        help="find sequences of N tokens that occur both in programs of sessions and in reference "
        "programs of the pack",
    )
    parser.add_argument(
        "--pack",
        metavar="P",
        help="folder of the pack with the titles and tiers of the problems, if the pack is not "
        "installed",
    )
    parser.add_argument(
        "--categories",
        metavar="NAME",
        help="set of categories to use; published has categories of the same sizes as "
        "EsoLang-Bench; default: the pack's own",
    )
    parser.add_argument("--title", metavar="T", help="title of the report")
    parser.add_argument(
        "--keep-going",
        action="store_true",
        help="continue with the other exports if one is refused",
    )
    parser.add_argument(
        "--resamples",
        type=int,
        default=2_000,
        metavar="N",
        help="bootstrap resamples; default: 2000",
    )
    parser.add_argument(
        "--bootstrap-seed",
        type=int,
        default=0,
        metavar="N",
        help="seed of the bootstrap; default: 0",
    )
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="also print the tables that are collapsed in the HTML page",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print Markdown")
    form.add_argument("--json", action="store_true", help="print all results as one JSON object")


def run(args: argparse.Namespace) -> int:
    from functools import partial
    from pathlib import Path

    from esoplay.benchmark.evaluation_reports import is_results, may_be_evaluation
    from esoplay.benchmark.reports import MAX_EXPORT_BYTES
    from esoplay.cli.output import read_file, read_input
    from esoplay.errors import UsageError

    if args.exports.count("-") > 1:
        raise UsageError("stdin (-) can be named only once")
    most = MAX_EXPORT_BYTES + 1
    evaluations: list[Source] = []
    exports: list[Source] = []
    regraded: list[bool] = []
    for file in (file for each in args.exports for file in _find_runs(each)):
        note = _read_note(file)
        if note is not None:
            exports += add_run(args, Path(file), note, f"{_display_name(file)}/")
            regraded.append(args.regraded)
        elif file == "-":
            stdin = read_input("-", most)
            found = evaluations if is_results(stdin) else exports
            found.append((file, partial(bytes, stdin)))
        elif may_be_evaluation(Path(file)):
            file = _find_results(file)
            evaluations.append(
                (_display_name(file), partial(read_file, file, MAX_EXPORT_BYTES + 1))
            )
        else:
            exports.append((_display_name(file), partial(read_file, file, MAX_EXPORT_BYTES + 1)))
            regraded.append(False)
    args.regraded = all(regraded)
    return run_report(exports, args, evaluations)


def _read_note(file: str) -> RunNote | None:
    """Return the ``RunNote`` of a folder of ``esoplay agents run``; None for any other file."""
    from pathlib import Path

    from esoplay.benchmark.evaluation_reports import RESULTS_FILE

    folder = Path(file)
    if file == "-" or not folder.is_dir() or (folder / RESULTS_FILE).exists():
        return None
    from esoplay.agents.notes import read_run_note

    return read_run_note(folder)


def add_run(
    args: argparse.Namespace, folder: Path, note: RunNote, prefix: str = ""
) -> list[Source]:
    """Return the exports of a run of agents; add its other data to ``args`` for the report.

    The other data are the files with token counts, the agents, the pack, and whether all sessions
    are verified.  folder: the run's folder.  note: the record of the run.  prefix: a text that is
    put before the name of each export.
    """
    from esolangs.wording import format_count
    from esoplay.agents.notes import (
        export_loaders,
        is_fully_verified,
        load_usage,
        read_standing,
        summarize_agents,
    )
    from esoplay.benchmark.report_packs import RecordedPack
    from esoplay.cli.output import print_stderr

    exports = export_loaders(folder, note, prefix)
    results = [(cell, read_standing(folder, cell).result) for cell in note.cells]
    exposed = [str(cell) for cell, result in results if result and result.isolated is False]
    if exposed and exports:
        print_stderr(
            f"solvers were not isolated in {len(exposed)} of "
            f"{format_count(len(note.cells), 'session')}; the first of these sessions: {exposed[0]}"
        )
    usage = load_usage(folder, note)
    for file in usage.altered:
        print_stderr(f"{file}: altered after it was recorded; its tokens are left out")
    args.usage = [*args.usage, *map(str, usage.unaltered)]
    args.regraded = is_fully_verified(folder, note)
    args.agents = (*args.agents, *summarize_agents(folder, note))
    names = [name for name, _load in exports]
    args.recorded = (*args.recorded, RecordedPack(_display_name(str(folder)), names, note.pack))
    return exports


def _find_runs(file: str) -> list[str]:
    """Return the folders of a roster's evaluations that have results.

    Returns ``[file]`` if ``file`` is not the folder of a roster.
    """
    import json
    from pathlib import Path

    from esoplay.benchmark.evaluation_reports import RESULTS_FILE
    from esoplay.errors import UsageError
    from esoplay.reporting.saved_evaluations import ROSTER_FILE

    roster = Path(file, ROSTER_FILE)
    if not roster.is_file():
        return [file]
    try:
        folders = [
            str(Path(file, run["folder"])) for run in json.loads(roster.read_bytes())["runs"]
        ]
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise UsageError(
            f"{roster}: cannot read the runs of the roster ({error}); expected a file that "
            "`esoplay eval --roster` wrote"
        ) from None
    found = [folder for folder in folders if Path(folder, RESULTS_FILE).exists()]
    if not found:
        raise UsageError(f"{file}: no run of this roster has results yet")
    return found


def _find_results(file: str) -> str:
    """Return the results file of an evaluation, given this file or the evaluation's folder."""
    from pathlib import Path

    from esoplay.benchmark.evaluation_reports import RESULTS_FILE
    from esoplay.errors import UsageError

    path = Path(file)
    if not path.is_dir():
        return file
    if not (path / RESULTS_FILE).exists():
        raise UsageError(
            f"{file}: no {RESULTS_FILE} in this folder; expected a folder of `esoplay eval` or "
            "`esoplay agents run`"
        )
    return str(path / RESULTS_FILE)


def run_report(
    exports: Sequence[Source], args: argparse.Namespace, evaluations: Sequence[Source] = ()
) -> int:
    """Create a report, and write or print it as ``args`` says; return the exit code."""
    from esoplay.cli.output import print_json
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED

    _check_options(args, bool(exports), bool(evaluations))
    report = _make_report(exports, evaluations, args)
    if args.output is not None:
        _write(report.files(args.title, args.pdf), args)
    elif args.json:
        print_json(report.figures())
    else:
        _print(report.write(args.title or report.title), args)
    return EXIT_FAILED if report.refused else EXIT_PASSED


_EVALUATION_AXES = {"protocol": "regime", "solver": "model", "tools": "regime"}
"""For each axis of a report on sessions, the corresponding axis of a report with evaluations."""


def _check_options(args: argparse.Namespace, sessions: bool, evaluations: bool) -> None:
    from esoplay.errors import UsageError
    from esoplay.reporting.overlap import MAX_TOKENS, MIN_TOKENS

    if not 100 <= args.resamples <= 1_000_000:
        raise UsageError("--resamples must be an integer from 100 to 1000000")
    if args.overlap is not None and not MIN_TOKENS <= args.overlap <= MAX_TOKENS:
        raise UsageError(f"--overlap must be an integer from {MIN_TOKENS} to {MAX_TOKENS}")
    if args.pdf and args.output is None:
        raise UsageError("--pdf requires -o DIR")
    if args.title is not None and not args.title.isprintable():
        raise UsageError("--title must be one line of printable characters")
    if args.output is not None:
        _check_folder(args.output)
    if evaluations and args.by in _EVALUATION_AXES:
        beside = " and sessions reported with them" if sessions else ""
        raise UsageError(
            f"--by {args.by} is for sessions; compare evaluations{beside} by regime, model or "
            "language\n"
            f"try: --by {_EVALUATION_AXES[args.by]}"
        )
    if not evaluations and args.by in ("regime", "model"):
        raise UsageError(
            f"--by {args.by} is for evaluations; compare sessions by protocol, solver, language or "
            "tools"
        )
    if not sessions and args.overlap is not None:
        raise UsageError(
            "--overlap is for sessions; result files of evaluations contain no programs"
        )
    if not sessions and args.usage:
        raise UsageError(
            "--usage is for sessions; the results of evaluations already contain their tokens"
        )


def _check_folder(output: str) -> None:
    """Raise UsageError if the value of -o names a file."""
    from pathlib import Path

    from esoplay.errors import UsageError

    path = Path(output)
    page = path.suffix.lower() in (".html", ".md", ".tex", ".json", ".csv", ".pdf", ".svg")
    if path.is_file() or (page and not path.exists()):
        named = "is a file" if path.is_file() else "looks like a file"
        raise UsageError(
            f"-o must be a folder, and {output} {named}; report.html and the other files are "
            f"written into the folder\ntry: -o {path.with_suffix('') if page else f'{path}-report'}"
        )


def _external_tables(args: argparse.Namespace) -> ExternalTables | None:
    from esoplay.cli.output import read_file
    from esoplay.reporting.external import read_external

    if args.external is None:
        return None
    return read_external(_display_name(args.external), read_file(args.external, 1 << 20))


def _make_report(
    exports: Sequence[Source], evaluations: Sequence[Source], args: argparse.Namespace
) -> FinishedReport:
    import sys

    from esoplay.cli.output import replace_line

    watched = bool(exports) and sys.stderr.isatty()
    progress = _show_progress if watched else None
    try:
        return _finish(exports, evaluations, args, progress)
    finally:
        if watched:  # erase the line also after errors and Ctrl-C
            replace_line("")


def _finish(
    exports: Sequence[Source],
    evaluations: Sequence[Source],
    args: argparse.Namespace,
    progress: Progress | None,
) -> FinishedReport:
    from esoplay.benchmark.evaluation_reports import evaluation_report
    from esoplay.benchmark.report_packs import PackSources
    from esoplay.benchmark.reports import MAX_EXPORT_BYTES, finish_report, report_exports
    from esoplay.cli.output import print_stderr, read_file, replace_line

    def notify(message: str) -> None:
        if progress is not None:
            replace_line("")
        print_stderr(message)

    packs = PackSources(args.pack, args.recorded, notify)
    external = _external_tables(args)
    usage = {_display_name(file): read_file(file, MAX_EXPORT_BYTES) for file in args.usage}
    familiar = None if args.familiar is None else args.familiar.lower().split(",")
    if not evaluations:
        return finish_report(
            report_exports(
                exports,
                _session_options(args, external, args.by, args.baseline),
                familiar=familiar,
                usage=usage,
                packs=packs,
                keep_going=args.keep_going,
                progress=progress,
            )
        )
    return evaluation_report(
        evaluations,
        _condition_options(args, external),
        exports=exports,
        session_options=_session_options(args),
        usage=usage,
        familiar=familiar,
        packs=packs,
        keep_going=args.keep_going,
        progress=progress,
    )


def _session_options(
    args: argparse.Namespace,
    external: ExternalTables | None = None,
    axis: Axis | None = None,
    baseline: str | None = None,
) -> ReportOptions:
    from esoplay.reporting.report import ReportOptions

    return ReportOptions(
        axis=axis,
        baseline=baseline,
        resamples=args.resamples,
        seed=args.bootstrap_seed,
        regraded=args.regraded,
        agents=args.agents,
        external=external,
        overlap=args.overlap,
        categories=args.categories,
    )


def _condition_options(
    args: argparse.Namespace, external: ExternalTables | None
) -> ConditionOptions:
    from esoplay.reporting.condition_figures import ConditionOptions

    return ConditionOptions(
        axis=args.by,
        baseline=args.baseline,
        resamples=args.resamples,
        seed=args.bootstrap_seed,
        external=external,
        categories=args.categories,
    )


def _display_name(file: str) -> str:
    from esoplay.terminal_text import escape_line

    return escape_line(file)


def _show_progress(done: int, total: int) -> None:
    """Show progress on one terminal line."""
    from esoplay.cli.output import replace_line

    more = ", computing the statistics" if done == total else ""
    replace_line(f"{done} of {total} exports audited{more}")


def _print(document: Document, args: argparse.Namespace) -> None:
    import shutil
    import sys
    from functools import partial

    from esoplay.cli.output import paint, supports_unicode
    from esoplay.reporting.document import as_markdown, as_text

    if args.markdown:
        print(as_markdown(document), end="")
        return
    text = as_text(
        document,
        min(160, shutil.get_terminal_size((100, 24)).columns),
        bold=partial(paint, style="bold"),
        show_folded=args.verbose,
        show_bars=supports_unicode(sys.stdout),
    )
    print(text, end="")


def _write(files: Mapping[str, str | bytes], args: argparse.Namespace) -> None:
    """Write the whole report into a folder; replace each existing file atomically.

    Deletes pictures and tables of an earlier report that this report does not contain.
    """
    from pathlib import Path

    from esolangs.wording import plural
    from esoplay.benchmark.reports import find_included_files
    from esoplay.cli.output import print_json, print_stderr
    from esoplay.errors import UsageError

    folder = Path(args.output)
    try:
        earlier = find_included_files(
            _read_text(folder / "report.md"), _read_text(folder / "report.tex")
        )
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            half = path.with_name(f".{path.name}.half")
            half.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
            half.replace(path)
        for name in earlier - files.keys():
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or folder}: {error.strerror}") from None
    if args.json:
        print_json({"folder": str(folder), "files": list(files)})
    else:
        pictures = sum(name.endswith(".svg") for name in files)
        tables = sum(name.endswith(".csv") for name in files)
        print_stderr(
            f"wrote {folder / 'report.html'}; beside it report.md, report.tex, report.json, "
            f"{plural(pictures, 'picture')} and {plural(tables, 'table')}"
        )


def _read_text(path: Path) -> str:
    return path.read_text("utf-8", "replace") if path.is_file() else ""
