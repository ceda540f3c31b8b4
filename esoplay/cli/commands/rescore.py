"""``esoplay rescore``: grade the saved answers of an evaluation again, or check them."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from esoplay.evaluation.rescoring import RescoredRun
    from esoplay.evaluation.results import Price
    from esoplay.evaluation.saved_runs import SavedRun
    from esoplay.reporting.document import Document


SUMMARY = "grade the answers of an evaluation again, or check its results"
DESCRIPTION = """\
Grade the last program of each trial of `esoplay eval` with the tests of another seed or pack, or
with another comparison of output. No model is asked. The new folder has the same questions and
answers, the new verdicts, and the settings of the original; `esoplay report` accepts both folders.
Without -o only the differences are shown.
With --check, replay the evaluation with its saved answers: seed, questions, programs, feedback,
verdicts and results must all be the same.
Exit status: 0 done or checked, 1 the check found a difference, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay rescore runs/some-model --compare strip -o runs/some-model-strip
  esoplay rescore runs/some-model --fresh-seed -o runs/some-model-again
  esoplay rescore runs/some-model --pack esolang-dataset -o runs/some-model-published
  esoplay rescore runs/some-model --check
  esoplay rescore runs/some-model --check --seed-file revealed.seed --json
"""

_MAX_SHOWN_CHANGES = 20
_MAX_JOBS = 256


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli.output import add_seed_arguments
    from esoplay.grading.output_comparison import COMPARE_HELP, COMPARE_MODES

    parser.add_argument("run", metavar="RUN", help="folder of `esoplay eval` or of this command")
    parser.add_argument("-o", dest="output", metavar="DIR", help="new folder for the results")
    parser.add_argument(
        "--check",
        action="store_true",
        help="do not rescore; check that the results follow from the answers",
    )
    add_seed_arguments(parser)
    parser.add_argument(
        "--fresh-seed", action="store_true", help="derive the tests from a new random seed"
    )
    parser.add_argument(
        "--pack",
        metavar="P",
        help="grade with the problems of the same ids in this pack; with --check: the folder with "
        "the pack of the run, needed if that pack is not installed",
    )
    parser.add_argument(
        "--compare",
        choices=COMPARE_MODES,
        help=f"{COMPARE_HELP}the mode of the run, or of the pack given with --pack",
    )
    parser.add_argument(
        "--prompts", metavar="DIR", help="with --check: folder with the prompts of the run"
    )
    parser.add_argument("--prices", metavar="FILE", help="TOML file with prices per million tokens")
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="parallel processes; default: one per core"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    import os
    from pathlib import Path

    from esoplay.errors import UsageError
    from esoplay.evaluation.saved_runs import read_run

    jobs = args.jobs or os.cpu_count() or 1
    if not 1 <= jobs <= _MAX_JOBS:
        raise UsageError(f"--jobs must be an integer from 1 to {_MAX_JOBS}")
    if args.fresh_seed and (args.seed is not None or args.seed_file is not None):
        raise UsageError("--fresh-seed cannot be combined with --seed or --seed-file")
    saved = read_run(Path(args.run))
    return _check(saved, jobs, args) if args.check else _rescore(saved, jobs, args)


def _rescore(saved: SavedRun, jobs: int, args: argparse.Namespace) -> int:
    from pathlib import Path

    from esoplay.cli.output import print_json, print_stderr, seed_argument
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.evaluation.rescoring import (
        RescoreOptions,
        describe_left_out_trials,
        rescore,
        write_rescored,
    )
    from esoplay.grading.seeds import random_seed

    if args.prompts is not None:
        raise UsageError("--prompts requires --check; grading the programs again uses no prompts")
    given = seed_argument(args)
    seed = random_seed() if args.fresh_seed else given
    output = None if args.output is None else Path(args.output)
    if output is not None and output.resolve() == saved.folder.resolve():
        raise UsageError(f"-o: {args.output} is the run itself; choose another folder")
    price = _price(args, saved)
    options = RescoreOptions(seed, args.pack, args.compare)
    with _GradedCount() as bar:
        rescored = rescore(saved, options, jobs=jobs, progress=bar)
    results = (
        rescored.results(price)
        if output is None
        else write_rescored(rescored, output, price, with_seed=given is None)
    )
    if rescored.left_out:
        print_stderr(describe_left_out_trials(rescored))
    if args.json:
        print_json(
            {
                "run": args.run,
                "output": args.output,
                "terms": results.terms,
                "trials": len(rescored.finished),
                "changes": [change.as_json() for change in rescored.verdict_changes],
                "left_out": list(rescored.left_out),
                "lines": [line.as_json() for line in results.lines],
            }
        )
    else:
        from esoplay.cli.evaluations import print_document

        print_document(_document(rescored))
    return EXIT_PASSED


def _check(saved: SavedRun, jobs: int, args: argparse.Namespace) -> int:
    from pathlib import Path

    from esolangs.wording import plural
    from esoplay.cli.output import mark, print_json, seed_argument
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError
    from esoplay.evaluation.checking import check_run

    for value, option in (
        (args.output, "-o"),
        (args.compare, "--compare"),
        (args.fresh_seed or None, "--fresh-seed"),
        (args.prices, "--prices"),
    ):
        if value is not None:
            raise UsageError(f"{option} cannot be combined with --check")
    with _GradedCount() as bar:
        found = check_run(
            saved,
            seed_argument(args),
            pack=args.pack,
            prompts=None if args.prompts is None else Path(args.prompts),
            jobs=jobs,
            progress=bar,
        )
    trials = len(saved.trials)
    if args.json:
        findings = [finding.as_json() for finding in found]
        print_json({"run": args.run, "trials": trials, "checked": not found, "findings": findings})
    elif found:
        for finding in found:
            print(f"{mark(False)} {finding.where}: {finding.reason}")
        print(f"{plural(len(found), 'difference')} in {plural(trials, 'trial')}")
    else:
        how = "graded" if saved.is_derived else "played"
        print(f"{mark(True)} {plural(trials, 'trial')} {how} again: the same verdicts and results")
    return EXIT_FAILED if found else EXIT_PASSED


def _price(args: argparse.Namespace, saved: SavedRun) -> Price | None:
    if args.prices is None:
        return None
    from esoplay.cli.output import read_file
    from esoplay.evaluation.results import read_price

    return read_price(read_file(args.prices, 1 << 20), args.prices, saved.saved_terms.model)


def _document(rescored: RescoredRun) -> Document:
    """Return a document on what rescoring changed, by language and regime, and by trial."""
    from esolangs.wording import plural
    from esoplay.evaluation.reports import terms_in_words
    from esoplay.reporting.document import (
        Document,
        Paragraph,
        ReportTable,
        Section,
        TableColumn,
        text_column,
    )

    earlier = rescored.run.contents.finished
    rows: list[list[str]] = []
    for line in rescored.results().lines:
        before = sum(earlier[result.trial.id]["solved"] for result in line.results)
        counts = map(str, (before, line.solved, line.total))
        rows.append([line.language, line.regime, *counts])
    columns = [text_column("language"), text_column("regime")]
    columns += map(TableColumn, ("before", "now", "of"))
    changes = rescored.verdict_changes
    solved = [
        Paragraph(terms_in_words(rescored.terms)),
        ReportTable("Trials solved", columns, rows),
    ]
    summary = Paragraph(f"{plural(len(changes), 'verdict')} changed.")
    table = ReportTable(
        "Changed verdicts",
        [text_column(name) for name in ("trial", "before", "now")],
        [
            [change.trial.id, change.before.replace("_", " "), change.after.replace("_", " ")]
            for change in changes[:_MAX_SHOWN_CHANGES]
        ],
    )
    more = len(changes) - _MAX_SHOWN_CHANGES
    left_out = f"{plural(more, 'changed verdict')} left out of the table; list all with --json."
    rest = [Paragraph(left_out)] if more > 0 else []
    blocks = [summary, table, *rest] if changes else [summary]
    title = f"Rescored evaluation of {rescored.terms['model']}"
    return Document(title, [Section("Solved", solved), Section("Changes", blocks)])


class _GradedCount:
    """Progress line with the number of graded trials, which is erased at the end."""

    def __init__(self) -> None:
        import sys

        self._on_terminal = sys.stderr.isatty()

    def __enter__(self) -> Callable[[int, int], None]:
        return self._show

    def __exit__(self, *_: object) -> None:
        if self._on_terminal:
            from esoplay.cli.output import replace_line

            replace_line("")

    def _show(self, done: int, total: int) -> None:
        if self._on_terminal:
            from esoplay.cli.output import replace_line

            replace_line(f"{done} of {total} graded")
