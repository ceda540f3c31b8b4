"""Write the files of an evaluation: its terms (all settings), results, and summary in tables."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from esolangs.wording import join_names, plural
from esoplay.errors import UsageError
from esoplay.evaluation.results import (
    EvaluationLine,
    Price,
    ResultTable,
    compute_results,
    language_taxes,
)
from esoplay.evaluation.transcript import EvaluationTranscript, sync_to_disk
from esoplay.evaluation.trials import FORMAT_NAME, TrialTerms
from esoplay.grading.seeds import read_seed_file, write_seed_file
from esoplay.reporting.conditions import OPTIONAL_ERROR_CLASSES, TRIAL_ERRORS, trial_error
from esoplay.reporting.document import (
    Block,
    Document,
    Paragraph,
    ReportTable,
    Section,
    TableColumn,
    as_markdown,
    text_column,
)
from esoplay.reporting.sections.wording import (
    format_amount,
    format_points,
    in_percent,
    in_points,
    percent,
)

TERMS_FILE = "evaluation.json"
SEED_FILE = "seed"
RESULTS_FILE = "results.json"
SUMMARY_FILE = "summary.md"

_DEFAULTS: dict[str, Any] = {
    "time_limit": None,
    "examples": None,
    "feedback": "examples",
    "own_prompts": [],
    "limits": None,
    "requested_model": None,
}
"""Default values of settings that are missing in files of older evaluations."""


def read_saved_seed(folder: Path) -> bytes | None:
    """Return the random seed that is saved in ``folder``, or None."""
    path = folder / SEED_FILE
    return read_seed_file(path) if path.exists() else None


def start_or_resume(
    folder: Path, terms: TrialTerms, transcript: EvaluationTranscript, drawn_seed: bytes | None
) -> None:
    """Start an evaluation in ``folder``, or check that a started one has the same settings.

    If there are no answers yet, the new settings replace the old ones, for example after a mistyped
    address. drawn_seed: random seed to save, None if the user passed a seed. Raises UsageError,
    which names the difference, if the settings differ.
    """
    path, wanted = folder / TERMS_FILE, terms.as_json()
    try:
        kept = _read_terms(path)
    except FileNotFoundError:
        kept = None
    if kept is not None and "derived" in kept:
        raise UsageError(
            f"{folder} holds a rescored evaluation, which cannot be continued; choose another "
            "folder"
        )
    if kept is not None and transcript.answers:
        kept = {**_DEFAULTS, **kept}
        for name, value in wanted.items():
            if name not in kept or kept[name] != value:
                raise UsageError(
                    f"{folder} holds an evaluation with {_format_setting(name, kept.get(name))}, "
                    f"not {_format_setting(name, value)}; choose another folder"
                )
    if drawn_seed is not None and read_saved_seed(folder) != drawn_seed:
        write_seed_file(folder / SEED_FILE, drawn_seed)
        sync_to_disk(folder / SEED_FILE)
    if kept != wanted:
        replace_file(path, json.dumps(wanted, indent=1) + "\n")


def _read_terms(path: Path) -> dict[str, Any]:
    try:
        found: object = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        found = None
    kept = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    if kept.get("format") != FORMAT_NAME:
        raise UsageError(f"{path} is not a valid evaluation file; choose another folder")
    return kept


def save_results(
    folder: Path,
    terms: TrialTerms,
    transcript: EvaluationTranscript,
    tiers: Sequence[str],
    price: Price | None = None,
) -> ResultTable:
    """Compute the results of an evaluation, write them and a summary to files, and return them.

    terms: the settings of the evaluation. tiers: all tiers of the pack in order.
    """
    results = compute_results(terms.as_json(), transcript, price, tiers)
    write_results(folder, results)
    return results


def write_results(folder: Path, results: ResultTable) -> None:
    """Write the results as JSON and as a Markdown summary."""
    replace_file(folder / RESULTS_FILE, json.dumps(results_json(results), indent=1) + "\n")
    replace_file(folder / SUMMARY_FILE, as_markdown(summarize_results(results)))


def results_json(results: ResultTable) -> dict[str, Any]:
    """Return the contents of ``results.json``: the results and the language taxes."""
    taxes = [tax.as_json() for tax in language_taxes(results.lines)]
    return {**results.as_json(), "language_tax": taxes}


def replace_file(path: Path, text: str) -> None:
    """Replace a file atomically, even if the process or the machine crashes."""
    half = path.with_name(f".{path.name}.new")
    try:
        with half.open("w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    sync_to_disk(path.parent)


def _format_setting(name: str, value: object) -> str:
    return f"{name.replace('_', ' ')} {json.dumps(value)}"


# Tables of an evaluation, for the terminal and as Markdown.


def summarize_results(results: ResultTable) -> Document:
    """Return the tables of all results."""
    title = f"Evaluation of {results.terms['model']}"
    sentences = [terms_in_words(results.terms)]
    if results.toolchains:
        named = [f"{id} {', '.join(found)}" for id, found in results.toolchains.items()]
        sentences.append(f"Toolchains: {'; '.join(named)}.")
    solved = [Paragraph(" ".join(sentences)), *_solved_blocks(results)]
    return Document(title, [Section("Solved", solved), *_detail_sections(results)])


def terms_in_words(terms: dict[str, Any]) -> str:
    """Return sentences about the dialect and all settings that affect the results."""
    terms = {**_DEFAULTS, **terms}
    sentences = [f"Graded in the dialect {terms['dialect']}."]
    if terms["compare"] != "exact":
        sentences.append(f"Output is compared by the mode {terms['compare']}.")
    if terms["time_limit"] is not None:
        sentences.append(f"A run of a program has at most {terms['time_limit']:g} s.")
    if terms["examples"] is not None:
        most = plural(terms["examples"], "public example")
        shown = f"at most {most} of each problem" if terms["examples"] else "no examples"
        sentences.append(f"The model saw {shown}.")
    if terms["feedback"] == "scoring":
        sentences.append("Feedback came from the hidden tests, which also score the last program.")
    if terms.get("derived"):
        sentences.append(f"Rescored: {_rescoring_in_words(terms)}.")
    limits: dict[str, Any] = terms["limits"] or {}
    if any(limits.values()):
        sentences.append(f"A trial has at most {join_names(_limits_in_words(limits))}.")
    if terms["own_prompts"]:
        sentences.append(
            f"Prompt templates replaced by the user: {', '.join(terms['own_prompts'])}."
        )
    return " ".join(sentences)


def _rescoring_in_words(terms: dict[str, Any]) -> str:
    """Return a phrase about the original settings that rescoring changed."""
    before = terms["derived"]
    parts = [
        f"the original {name} was {before[member]}"
        for name, member in (("pack", "pack"), ("comparison", "compare"))
        if before[member] != terms[member]
    ]
    same_pack = before["pack"] == terms["pack"]
    if same_pack and before["seed_commitment"] != terms["seed_commitment"]:
        parts.append("the original seed was different")
    return ", ".join(parts) or "with the same settings"


def _limits_in_words(limits: dict[str, Any]) -> list[str]:
    words = {"turns": "answers", "output_tokens": "output tokens", "seconds": "s"}
    return [f"{limits[name]:,} {word}" for name, word in words.items() if limits.get(name)]


def _solved_blocks(results: ResultTable) -> Iterator[Block]:
    if not results.lines:
        yield Paragraph("No trial is finished yet.")
        return
    rows: list[list[str]] = []
    for line in results.lines:
        per_run = [solved for solved, _ in line.runs.values()]
        spread = f"{min(per_run)}–{max(per_run)}" if len(per_run) > 1 else "–"
        rows.append(
            [
                *_name_cells(line, results),
                str(line.solved),
                str(line.total),
                percent(line.solved / line.total),
                in_percent(line.interval),
                str(len(per_run)),
                spread,
            ]
        )
    yield ReportTable(
        "Solved, with Wilson's 95 % interval in percent",
        [
            *_name_columns(results),
            *map(TableColumn, ("solved", "of", "share", "interval", "runs", "each run")),
        ],
        rows,
        [line.solved / line.total for line in results.lines],
    )
    if results.unfinished:
        yield Paragraph(
            f"Unfinished and not counted: {plural(len(results.unfinished), 'trial')}. Run the "
            "command again to continue."
        )


def _detail_sections(results: ResultTable) -> Iterator[Section]:
    if not results.lines:
        return
    counts = [_errors(line) for line in results.lines]
    classes = [
        name
        for name in TRIAL_ERRORS
        if name not in OPTIONAL_ERROR_CLASSES or any(each[name] for each in counts)
    ]
    rows = [
        [*_name_cells(line, results), *(str(found[name]) for name in classes)]
        for line, found in zip(results.lines, counts, strict=True)
    ]
    heads = [*_name_columns(results), *map(TableColumn, classes)]
    yield Section("Errors", [ReportTable("Why trials failed", heads, rows)])
    if len(results.tiers) > 1:
        rows = [
            [
                *_name_cells(line, results),
                *("/".join(map(str, line.tiers.get(tier, (0, 0)))) for tier in results.tiers),
            ]
            for line in results.lines
        ]
        heads = [*_name_columns(results), *map(TableColumn, results.tiers)]
        yield Section("Tiers", [ReportTable("Solved by tier", heads, rows)])
    taxes = list(language_taxes(results.lines))
    if taxes:
        rows = [
            [
                tax.language,
                tax.regime,
                percent(tax.share),
                percent(tax.familiar_share),
                format_points(tax.tax),
                in_points(tax.interval),
                join_names(tax.familiar),
            ]
            for tax in taxes
        ]
        heads = [text_column("language"), text_column("regime")]
        heads += map(TableColumn, ("share", "familiar", "tax", "95 % interval"))
        caption = "Share solved minus the share in familiar languages, in percentage points"
        table = ReportTable(caption, [*heads, text_column("compared with")], rows)
        yield Section("Language tax", [table])
    yield Section("Spent", list(_token_blocks(results)))


def _token_blocks(results: ResultTable) -> Iterator[Block]:
    costs = [] if results.currency is None else [f"cost in {results.currency}"]
    heads = [
        *_name_columns(results),
        *map(TableColumn, ("answers", "tokens in", "tokens out", *costs)),
    ]
    rows = [
        [
            *_name_cells(line, results),
            f"{line.turns:,}",
            f"{line.tokens.input:,}",
            f"{line.tokens.output:,}",
            *([] if line.cost is None else [format_amount(float(line.cost), 4)]),
        ]
        for line in results.lines
    ]
    yield ReportTable("Answers, tokens and cost", heads, rows)
    if results.tokens.untold:
        yield Paragraph(f"{plural(results.tokens.untold, 'answer')} had no token counts.")
    if results.failures:
        yield Paragraph(f"Requests that failed and were retried: {results.failures:,}.")


def _errors(line: EvaluationLine) -> Counter[str]:
    """Count the failed trials of a row by class of error."""
    counts = Counter[str]()
    for verdict, count in line.verdicts.items():
        if verdict != "pass":
            counts[trial_error(verdict)] += count
    return counts


def _name_columns(results: ResultTable) -> list[TableColumn]:
    return [
        *([text_column("task")] if _has_several_tasks(results) else []),
        text_column("language"),
        text_column("regime"),
    ]


def _name_cells(line: EvaluationLine, results: ResultTable) -> list[str]:
    return [*([line.task] if _has_several_tasks(results) else []), line.language, line.regime]


def _has_several_tasks(results: ResultTable) -> bool:
    return len({line.task for line in results.lines}) > 1
