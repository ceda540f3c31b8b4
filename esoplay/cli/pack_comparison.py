"""Action ``compare`` of ``esoplay problems``: the same programs graded with two packs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from esoplay.grading.report import GradeReport
    from esoplay.packs.comparison import PackComparison, ProgramVerdicts
    from esoplay.reporting.document import Document, ReportTable


COMPARE_DESCRIPTION = """\
Grade the same programs with two packs. Show how far the packs agree; which programs only one of
them accepts, and the test that fails in the other pack; how hard each problem is in either pack;
and which known mistakes the tests of each pack miss. Problems are paired by id, or by title with
--match title.
Programs come from folders of files (E08.bf, or E08-reverse/brainfuck.bf), runs of `esoplay eval`
(the last program of each trial) and exports of sessions (each submission).
Inputs of tests are shown only if the tests are fixed, or come from the practice seed.
Exit status: 0 done, 2 usage, 4 internal error."""
COMPARE_EXAMPLES = """\
examples:
  esoplay problems compare esoplay-80 esolang-dataset --programs runs/some-model
  esoplay problems compare esoplay-80 esolang-dataset --programs programs/ --match title
  esoplay problems compare esoplay-80 ./mine --programs session.json --csv > verdicts.csv
"""

_MAX_ROWS = 40


def add_arguments(group: Any) -> None:
    """Add the arguments of ``compare``, except the packs and the seed."""
    from esoplay.grading.output_comparison import COMPARE_HELP, COMPARE_MODES

    group.add_argument(
        "--programs",
        action="append",
        default=[],
        metavar="PATH",
        help="a folder of programs, a run or an export; may be repeated",
    )
    group.add_argument(
        "--match",
        choices=["id", "title"],
        default="id",
        help="property by which to pair the problems of the two packs; default: id",
    )
    group.add_argument(
        "--compare", choices=COMPARE_MODES, help=f"{COMPARE_HELP}the mode of each pack"
    )
    group.add_argument(
        "--dialect",
        default="benchmark",
        metavar="D",
        help="dialect of program files; default: benchmark",
    )
    group.add_argument("--csv", action="store_true", help="print one CSV row for each program")
    group.add_argument(
        "--jobs", type=int, metavar="N", help="parallel processes; default: one per core"
    )


def run_compare(args: argparse.Namespace) -> int:
    import os
    from pathlib import Path

    from esoplay.cli.output import print_json, seed_argument
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.evaluation.program_sources import read_programs
    from esoplay.grading.seeds import PRACTICE_SEED
    from esoplay.packs.comparison import compare_packs

    if len(args.names) != 2:
        raise UsageError("compare requires two packs: ids or folders")
    if args.csv and args.json:
        raise UsageError("--csv and --json cannot be combined")
    if args.pack is not None:
        raise UsageError("compare requires two packs as arguments, without --pack")
    jobs = args.jobs or os.cpu_count() or 1
    if not 1 <= jobs <= 256:
        raise UsageError("--jobs must be an integer from 1 to 256")
    programs = [program for path in args.programs for program in read_programs(Path(path))]
    found = compare_packs(
        args.names[0],
        args.names[1],
        programs,
        seed=seed_argument(args) or PRACTICE_SEED,
        match=args.match,
        compare=args.compare,
        dialect=args.dialect,
        jobs=jobs,
    )
    if args.json:
        print_json(found.as_json())
    elif args.csv:
        _print_csv(found)
    else:
        _print(_document(found))
    return EXIT_PASSED


def _print_csv(comparison: PackComparison) -> None:
    import csv
    import sys

    writer = csv.writer(sys.stdout, lineterminator="\n")
    sides = [
        f"{name}_{side}"
        for side in ("first", "second")
        for name in ("accepted", "passed", "total", "failed_test", "verdict")
    ]
    writer.writerow(["program", "language", "problem", "problem_in_second", *sides])
    for each in comparison.verdicts:
        writer.writerow(
            [
                each.program.name,
                each.program.language,
                each.pair.first.id,
                each.pair.second.id,
                *_csv_cells(each.first),
                *_csv_cells(each.second),
            ]
        )


def _csv_cells(report: GradeReport) -> list[object]:
    from esoplay.packs.comparison import first_failed_test

    failed = first_failed_test(report)
    test, verdict = ("", "pass") if failed is None else (failed.index, failed.verdict)
    return [str(report.solved).lower(), report.passed, report.total, test, verdict]


def _document(comparison: PackComparison) -> Document:
    from esolangs.wording import plural
    from esoplay.reporting.document import Document, Paragraph, Section

    first, second = comparison.first, comparison.second
    names = f"{first.id} {first.version} and {second.id} {second.version}"
    sections: list[Section] = []
    if comparison.verdicts:
        sections.append(Section("Agreement", _agreement(comparison)))
        sections.append(Section("Problems", [_problems(comparison)]))
    if comparison.unmatched:
        count = plural(len(comparison.unmatched), "program")
        ids = ", ".join(sorted({each.problem for each in comparison.unmatched})[:_MAX_ROWS])
        text = f"{count} left out, for problems that are not in both packs: {ids}."
        sections.append(Section("Left out", [Paragraph(text)]))
    if comparison.mistakes:
        sections.append(Section("Mistakes", _mistakes(comparison)))
    return Document(f"Packs {names}", sections)


def _agreement(comparison: PackComparison) -> list[Any]:
    from esolangs.wording import plural
    from esoplay.reporting.document import Paragraph, ReportTable, TableColumn, text_column
    from esoplay.reporting.sections.wording import in_percent, percent
    from esoplay.reporting.statistics import mcnemar, wilson

    counts, total = comparison.table, len(comparison.verdicts)
    agreed = counts["both"] + counts["neither"]
    kappa = "not defined" if comparison.kappa is None else f"{comparison.kappa:.2f}"
    p = mcnemar(counts["only_first"], counts["only_second"])
    text = (
        f"Both packs agree on {agreed} of {plural(total, 'program')}: {percent(agreed / total)}, "
        f"95 % interval {in_percent(wilson(agreed, total))}. Cohen's kappa: {kappa}. "
        f"McNemar's exact p of the disagreements: {p:.3f}."
    )
    table = ReportTable(
        "Programs accepted",
        list(map(TableColumn, ("both", "only first", "only second", "neither"))),
        [[str(counts[name]) for name in ("both", "only_first", "only_second", "neither")]],
    )
    blocks: list[Any] = [Paragraph(text), table]
    for side, accepted, other in (
        ("first", comparison.first.id, comparison.second.id),
        ("second", comparison.second.id, comparison.first.id),
    ):
        rows = [
            _disagreement(each, side)
            for each in comparison.verdicts
            if _is_solved_only_by(each, side)
        ]
        if rows:
            heads = [text_column(name) for name in ("program", "problem", "test", "why")]
            caption = f"Accepted by {accepted} only, with the first test of {other} that fails"
            blocks.append(ReportTable(caption, heads, rows[:_MAX_ROWS]))
            if len(rows) > _MAX_ROWS:
                more = plural(len(rows) - _MAX_ROWS, "program")
                text = f"{more} left out of the table; list all with --json or --csv."
                blocks.append(Paragraph(text))
    return blocks


def _is_solved_only_by(program: ProgramVerdicts, side: str) -> bool:
    accepted, other = (program.first, program.second)[:: 1 if side == "first" else -1]
    return accepted.solved and not other.solved


def _disagreement(program: ProgramVerdicts, side: str) -> list[str]:
    from esoplay.cli.output import quote_bytes
    from esoplay.packs.comparison import first_failed_test

    failed = first_failed_test(program.second if side == "first" else program.first)
    assert failed is not None, "a rejected program fails at least one test"
    why = failed.verdict.replace("_", " ")
    if failed.detail is not None:
        given, expected, got = (quote_bytes(data, 24) for data in failed.detail[:3])
        why += f": input {given}, expected {expected}, printed {got}"
    kind = f" {failed.edge_class}" if failed.edge_class else ""
    return [program.program.name, program.pair.first.id, f"{failed.index}{kind}", why]


def _problems(comparison: PackComparison) -> ReportTable:
    from esoplay.reporting.document import ReportTable, TableColumn, text_column
    from esoplay.reporting.sections.wording import percent

    rows: list[list[str]] = []
    for each in comparison.problems:
        other = "" if each.pair.same_title else f" / {each.pair.second.title}"
        rows.append(
            [
                each.pair.first.id,
                f"{each.pair.first.title}{other}",
                str(each.programs),
                percent(each.accepted_by_first / each.programs),
                percent(each.accepted_by_second / each.programs),
                str(each.only_first),
                str(each.only_second),
            ]
        )
    heads = [text_column("problem"), text_column("title")]
    names = ("programs", "first", "second", "only first", "only second")
    heads += map(TableColumn, names)
    return ReportTable("Share of programs accepted by each pack", heads, rows)


def _mistakes(comparison: PackComparison) -> list[Any]:
    from esolangs.wording import plural
    from esoplay.reporting.document import Paragraph, ReportTable, TableColumn, text_column

    total = sum(each.mistake_count for each in comparison.mistakes)
    caught = [
        total - sum(len(getattr(each, f"missed_by_{side}")) for each in comparison.mistakes)
        for side in ("first", "second")
    ]
    text = (
        f"Of {plural(total, 'known mistake')}, the tests of {comparison.first.id} catch "
        f"{caught[0]}, and the tests of {comparison.second.id} {caught[1]}."
    )
    rows = [
        [
            each.pair.first.id,
            str(each.mistake_count),
            str(len(each.missed_by_first)),
            str(len(each.missed_by_second)),
            ", ".join(each.missed_by_first + each.missed_by_second)[:200],
        ]
        for each in comparison.mistakes
        if each.missed_by_first or each.missed_by_second
    ]
    heads = [text_column("problem")]
    heads += map(TableColumn, ("mistakes", "missed by first pack", "missed by second pack"))
    table = ReportTable(
        "Mistakes that pass all tests", [*heads, text_column("missed mistakes")], rows
    )
    return [Paragraph(text), *([table] if rows else [])]


def _print(document: Document) -> None:
    import shutil
    import sys
    from functools import partial

    from esoplay.cli.output import paint, supports_unicode
    from esoplay.reporting.document import as_text

    width = min(160, shutil.get_terminal_size((100, 24)).columns)
    text = as_text(
        document,
        max(40, width),
        bold=partial(paint, style="bold"),
        show_bars=supports_unicode(sys.stdout),
    )
    print(text, end="")
