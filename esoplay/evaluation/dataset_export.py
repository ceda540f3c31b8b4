"""Export evaluations and sessions as a data set: tables, and a manifest that describes them.

The rows of a table have the same columns in the same order. Hidden tests are not exported:
questions and answers that may repeat them are null.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from esolangs.wording import plural
from esoplay.benchmark.exports import SessionExport
from esoplay.benchmark.replay import Replay
from esoplay.errors import UsageError
from esoplay.evaluation.results import TrialResult, trial_results
from esoplay.evaluation.saved_runs import SavedRun, last_program
from esoplay.running.run import bytes_as_json
from esoplay.version import VERSION

FORMAT = "esoplay-dataset"
FORMAT_VERSION = 1
MANIFEST_FILE = "manifest.json"
README_FILE = "README.md"

ColumnKind = Literal["string", "integer", "number", "boolean"]

_RUN_COLUMNS: dict[str, ColumnKind] = {"source": "string", "model": "string", "trial": "string"}
TABLES: Mapping[str, Mapping[str, ColumnKind]] = {
    "trials": {
        **_RUN_COLUMNS,
        "task": "string",
        "language": "string",
        "dialect": "string",
        "regime": "string",
        "problem": "string",
        "run": "integer",
        "tier": "string",
        "solved": "boolean",
        "verdict": "string",
        "passed": "integer",
        "total": "integer",
        "attempts": "integer",
        "turns": "integer",
        "seconds": "number",
        "input_tokens": "integer",
        "output_tokens": "integer",
        "program_sha256": "string",
        "program_size": "integer",
        "program": "string",
        "program_base64": "string",
    },
    "turns": {
        **_RUN_COLUMNS,
        "turn": "integer",
        "role": "string",
        "messages": "string",
        "answer": "string",
        "declined": "string",
        "finish": "string",
        "seconds": "number",
        "input_tokens": "integer",
        "output_tokens": "integer",
        "examples_passed": "integer",
        "examples_total": "integer",
    },
    "attempts": {
        "source": "string",
        "solver": "string",
        "session": "string",
        "language": "string",
        "dialect": "string",
        "protocol": "string",
        "attempt": "integer",
        "time": "string",
        "elapsed_ms": "integer",
        "kind": "string",
        "problem": "string",
        "number": "integer",
        "outcome": "string",
        "steps": "integer",
        "program_sha256": "string",
        "program_size": "integer",
        "program": "string",
        "program_base64": "string",
        "input": "string",
        "input_base64": "string",
    },
}
"""Columns of each table; every value except ``source`` may be null."""


class DatasetSource(NamedTuple):
    """Run or session in a data set.  name: name of the folder or file."""

    name: str
    run: SavedRun | None = None
    export: SessionExport | None = None
    sha256: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the entry of the source in the manifest."""
        if self.run is not None:
            about = self.run.saved_terms
            return {
                "name": self.name,
                "kind": "evaluation",
                "model": about.model,
                "terms": self.run.terms,
                "transcript_sha256": self.run.digest,
            }
        assert self.export is not None
        export = self.export
        return {
            "name": self.name,
            "kind": "session",
            "session": export.session,
            "solver": export.solver,
            "pack": export.pack_id,
            "pack_version": export.pack_version,
            "seed_commitment": export.seed_commitment,
            "export_sha256": self.sha256,
        }


def table_rows(sources: Sequence[DatasetSource], table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table; each row has all columns."""
    for source in sources:
        if source.run is not None and table == "trials":
            rows = _trials(source.name, source.run)
        elif source.run is not None and table == "turns":
            rows = _turns(source.name, source.run)
        elif source.export is not None and table == "attempts":
            rows = _attempts(source.name, source.export)
        else:
            continue
        for row in rows:
            yield {name: row.get(name) for name in TABLES[table]}


def _trials(name: str, run: SavedRun) -> Iterator[dict[str, Any]]:
    for result in sorted(trial_results(run.contents, None), key=lambda each: each.trial.id):
        has_counts = result.tokens.untold == 0
        program = last_program(run, result.trial)
        yield {
            "source": name,
            "model": run.saved_terms.model,
            "trial": result.trial.id,
            "dialect": run.saved_terms.dialect,
            "problem": result.trial.item,
            **_trial_members(result),
            "input_tokens": result.tokens.input if has_counts else None,
            "output_tokens": result.tokens.output if has_counts else None,
            **({} if program is None else bytes_as_json("program", program)),
        }


def _trial_members(result: TrialResult) -> dict[str, Any]:
    data = result.as_json()
    names = ("task", "language", "regime", "run", "tier", "solved", "verdict", "passed", "total")
    more = ("attempts", "turns", "seconds", "program_sha256", "program_size")
    return {name: data.get(name) for name in (*names, *more)}


def _turns(name: str, run: SavedRun) -> Iterator[dict[str, Any]]:
    """Yield a row for each turn (a question and its answer) of the trials of a run.

    A question that was sent more than once has only one row.  name: the value of ``source`` in
    each row.
    """
    hides = run.saved_terms.feedback == "scoring"
    turns: dict[str, dict[int, dict[str, Any]]] = {}
    current: dict[str, int] = {}
    for record in run.records:
        trial, kind = record["trial"], record["kind"]
        rows = turns.setdefault(trial, {})
        if kind == "asked":
            turn = current[trial] = record["turn"]
            rows[turn] = {
                "source": name,
                "model": run.saved_terms.model,
                "trial": trial,
                "turn": turn,
                "role": record.get("role"),
                "messages": None if hides and turn > 1 else json.dumps(record.get("messages", [])),
            }
        elif kind in ("answered", "declined"):
            shown = {"answer": record.get("text"), "declined": record.get("reason")}
            copied = ("finish", "seconds", "input_tokens", "output_tokens")
            rows.setdefault(record["turn"], {}).update(
                {} if hides and record["turn"] > 1 else shown,
                **{member: record.get(member) for member in copied},
            )
        elif kind == "tried" and trial in current:
            rows[current[trial]] |= {
                "examples_passed": record["passed"],
                "examples_total": record["total"],
            }
    for trial in sorted(turns):
        for _, row in sorted(turns[trial].items()):
            yield row


def _attempts(name: str, export: SessionExport) -> Iterator[dict[str, Any]]:
    replay = Replay(export)
    for attempt in replay.attempts:
        given = None if attempt.input is None else export.input(attempt.input)
        yield {
            **attempt.as_json(),
            "source": name,
            "solver": export.solver,
            "session": export.session,
            "language": export.language,
            "dialect": export.dialect,
            "protocol": export.protocol,
            **bytes_as_json("program", replay.program(attempt)),
            **({} if given is None else bytes_as_json("input", given)),
        }


# Files


def write_dataset(
    sources: Sequence[DatasetSource], folder: Path, licence: str, *, parquet: bool
) -> dict[str, Any]:
    """Write the tables, a README page and the manifest; return the manifest.

    Raises UsageError if a file cannot be written, or if Parquet needs a package that is not
    installed.
    """
    writer = parquet_writer() if parquet else None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty; choose another folder")
        files: list[dict[str, Any]] = []
        for table, columns in TABLES.items():
            rows = list(table_rows(sources, table))
            if rows:
                path = folder / f"{table}.jsonl"
                lines = (json.dumps(row) + "\n" for row in rows)
                path.write_text("".join(lines), "ascii")
                files.append(_describe_table(path, table, len(rows), columns))
                if writer is not None:
                    path = path.with_suffix(".parquet")
                    writer(rows, columns, path)
                    files.append(_describe_table(path, table, len(rows), columns))
        manifest = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "esoplay": VERSION,
            "licence": licence,
            "hidden_tests": False,
            "sources": [source.as_json() for source in sources],
            "files": files,
        }
        (folder / README_FILE).write_text(_readme(manifest), "utf-8")
        (folder / MANIFEST_FILE).write_text(json.dumps(manifest, indent=1) + "\n", "ascii")
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or folder}: {error.strerror}") from None
    return manifest


def _describe_table(
    path: Path, table: str, rows: int, columns: Mapping[str, ColumnKind]
) -> dict[str, Any]:
    data = path.read_bytes()
    return {
        "name": path.name,
        "table": table,
        "rows": rows,
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "columns": dict(columns),
    }


def _readme(manifest: dict[str, Any]) -> str:
    """Return the README page of the data set, in Markdown."""
    kinds = Counter(source["kind"] for source in manifest["sources"])
    contents = " and ".join(plural(count, kind) for kind, count in sorted(kinds.items()))
    lines = [
        "# Data set of esoplay",
        "",
        f"{contents}, written by esoplay {manifest['esoplay']}. Licence: {manifest['licence']}.",
        "Hidden tests are not included. `manifest.json` has the terms of each source, the columns,",
        "and the SHA-256 of each file.",
        "",
        "| file | rows | bytes |",
        "|-|-|-|",
        *(
            f"| `{file['name']}` | {file['rows']:,} | {file['bytes']:,} |"
            for file in manifest["files"]
        ),
        "",
        "| source | kind | by | pack |",
        "|-|-|-|-|",
    ]
    for source in manifest["sources"]:
        terms = source.get("terms", source)
        by = source.get("model") or source.get("solver") or "–"
        cells = (source["name"], source["kind"], by, f"{terms['pack']} {terms['pack_version']}")
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def parquet_writer() -> Any:
    """Return a function that writes a Parquet file; raise UsageError without pyarrow."""
    try:
        # No complete stubs exist.
        import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
        import pyarrow.parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        raise UsageError(
            "--parquet needs the extra parquet: pip install 'esoplay[parquet]'"
        ) from None
    arrow: Any = pyarrow
    kinds: dict[ColumnKind, Any] = {
        "string": arrow.string(),
        "integer": arrow.int64(),
        "number": arrow.float64(),
        "boolean": arrow.bool_(),
    }

    def write(
        rows: Sequence[dict[str, Any]], columns: Mapping[str, ColumnKind], path: Path
    ) -> None:
        schema = arrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
        data = [{name: _escape_surrogates(value) for name, value in row.items()} for row in rows]
        arrow.parquet.write_table(arrow.Table.from_pylist(data, schema=schema), str(path))

    return write


def _escape_surrogates(value: Any) -> Any:
    """Escape lone surrogates, which Parquet cannot store."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return value
