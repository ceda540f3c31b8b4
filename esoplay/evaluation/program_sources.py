"""Read programs from folders, evaluations and exports of sessions, to grade them again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from esoplay.benchmark.exports import MAX_EXPORT_BYTES, read_export
from esoplay.benchmark.replay import Replay
from esoplay.errors import UsageError
from esoplay.evaluation.reports import TERMS_FILE
from esoplay.evaluation.saved_runs import last_program, read_run
from esoplay.packs.comparison import ComparedProgram
from esoplay.programs.host_lanes import language_id_for

MAX_PROGRAM_BYTES = 64 << 20


def read_programs(path: Path) -> list[ComparedProgram]:
    """Return the programs in a file or folder; raise UsageError if none is found.

    The name of a file, or of its folder, starts with the id of its problem: ``E08.bf``,
    ``E08-short.bf``, ``E08-reverse-string/brainfuck.bf``. An evaluation provides the last program
    of each trial, and a session each submission.
    """
    if path.is_dir():
        in_run = (path / TERMS_FILE).is_file()
        found = list(_read_evaluation(path) if in_run else _read_folder(path))
    else:
        found = list(_read_session(path))
    if not found:
        raise UsageError(
            f"{path}: no program found; expected files such as E08.bf, a folder of `esoplay eval`, "
            "or an export of a session"
        )
    return found


def _read_folder(folder: Path) -> Iterator[ComparedProgram]:
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name.startswith("."):
            continue
        try:
            language = language_id_for(str(path), None)
        except UsageError:
            continue  # not a program
        with path.open("rb") as file:
            source = file.read(MAX_PROGRAM_BYTES + 1)
        if len(source) > MAX_PROGRAM_BYTES:
            raise UsageError(f"{path}: a program cannot be longer than {MAX_PROGRAM_BYTES} bytes")
        name = path.relative_to(folder)
        yield ComparedProgram(str(name), _problem_id(name), language, source)


def _problem_id(name: Path) -> str:
    """Return the id of the problem that a path names, or the file's stem if no id is found.

    The id is the start of a name up to a hyphen, and contains a digit. The file's name is searched
    first, then its folders, innermost first.
    """
    for part in (name.stem, *reversed(name.parts[:-1])):
        word = part.partition("-")[0]
        if any(character.isdigit() for character in word):
            return word
    return name.stem


def _read_evaluation(folder: Path) -> Iterator[ComparedProgram]:
    run = read_run(folder)
    for trial in run.trials:
        if trial.task == "solve" and (program := last_program(run, trial)) is not None:
            name = f"{folder.name}: {trial.id}"
            yield ComparedProgram(
                name, trial.item, trial.language, program, run.saved_terms.dialect
            )


def _read_session(path: Path) -> Iterator[ComparedProgram]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    try:
        replay = Replay(read_export(data[: MAX_EXPORT_BYTES + 1]))
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    export = replay.export
    for attempt in replay.attempts:
        if attempt.kind == "submission" and attempt.problem is not None:
            name = f"{path.name}: submission {attempt.number}"
            source = replay.program(attempt)
            yield ComparedProgram(name, attempt.problem, export.language, source, export.dialect)
