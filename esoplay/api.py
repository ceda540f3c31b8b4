"""Public API of ``import esoplay``; docs/api.md has examples.

Modules are loaded on first use, so ``import esoplay`` itself costs nothing.  A program is passed
as a string, as bytes, or as the :class:`~pathlib.Path` of a file; the extension of the file selects
the language unless ``language`` is passed.  An invalid call raises
:class:`esoplay.errors.UsageError`; a program that cannot be parsed raises
:class:`esolangs.errors.ParseError` where a parsed program is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from pathlib import Path

from esolangs.language import OptionValue, Program
from esolangs.limits import Limits
from esolangs.view import View, Window
from esoplay.benchmark.verification import Verification, verify_export
from esoplay.debugging.debugger import Debugger
from esoplay.errors import UsageError
from esoplay.grading.output_comparison import Compare
from esoplay.grading.seeds import read_seed_file
from esoplay.packs.grading import grade_examples, grade_source
from esoplay.programs.execution import language_for
from esoplay.programs.execution import run as run_program
from esoplay.programs.host_lanes import language_id_for

__all__ = [
    "CaseResult",
    "GradeResult",
    "RunResult",
    "Timeline",
    "Verification",
    "grade",
    "open_timeline",
    "parse",
    "run",
    "verify",
]

Source = str | bytes | Path
Options = Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of one run.

    status: ``"ok"``, ``"parse_error"``, ``"fault"``, or the limit that ended the run, such as
    ``"step_limit"``. stdout: all printed bytes, also before a fault or a limit. stderr: an error
    message of one line, empty without errors. steps: executed steps. input_used: number of bytes
    read. memory: bytes, by the cost model of the language. exit_code: set by the program, in
    languages that support it.
    """

    language: str
    status: str
    stdout: bytes
    stderr: str
    steps: int
    input_used: int
    memory: int
    exit_code: int | None = None

    @property
    def ok(self) -> bool:
        """Whether the program halted without a fault and within its limits."""
        return self.status == "ok"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Result of one test: its number from 1, ``"pass"`` or the failure, and the executed steps."""

    index: int
    verdict: str
    steps: int

    @property
    def passed(self) -> bool:
        return self.verdict == "pass"


@dataclass(frozen=True, slots=True)
class GradeResult:
    """Verdict on a program.  hidden: True for hidden tests, False for public examples."""

    problem: str
    language: str
    tests: tuple[CaseResult, ...]
    hidden: bool
    dialect: str = "standard"

    @property
    def passed(self) -> int:
        """Number of tests that passed."""
        return sum(test.passed for test in self.tests)

    @property
    def solved(self) -> bool:
        """Whether all tests passed."""
        return self.passed == len(self.tests) > 0


class Timeline:
    """Run that can be stepped and searched in both directions; see :func:`open_timeline`.

    A position is the number of executed steps, 0 at the start. Seeking starts from the nearest
    snapshot, so it takes milliseconds even in a run of millions of steps. Not thread-safe.
    """

    def __init__(self, debugger: Debugger):
        self._debugger = debugger

    @property
    def position(self) -> int:
        """Number of steps executed so far."""
        return self._debugger.step

    @property
    def status(self) -> str:
        """State of the run: "running", "halted", "needs_input", "faulted" or "limited"."""
        return self.view().status

    @property
    def output(self) -> bytes:
        """Bytes that the run has printed so far."""
        return self._debugger.output[: self.view().output_length]

    @property
    def registers(self) -> Mapping[str, int]:
        """Named numbers of the state; their names depend on the language."""
        return self._debugger.registers()

    def view(self, window: Window | None = None) -> View:
        """Return the state within a window: next instruction, memory, stacks."""
        return self._debugger.view(window)

    def step(self, count: int = 1) -> int:
        """Execute ``count`` steps, or undo them if ``count`` is negative; return the new position.

        Stops when it reaches the start or the end of the run.
        """
        count = index(count)
        self._debugger.step_by(abs(count), reverse=count < 0)
        return self.position

    def seek(self, step: int) -> int:
        """Go to a step, or to the end of a shorter run; return the new position."""
        self._debugger.seek(index(step))
        return self.position

    def step_of_output(
        self, byte_index: int | None = None, *, budget: int = 10_000_000, byte: int | None = None
    ) -> int | None:
        """Return the step that printed the output byte with this index, from 0. Does not move.

        Executes at most ``budget`` further steps to find it; returns None if it is not found.
        byte: the earlier name of ``byte_index``.
        """
        given = byte if byte_index is None else byte_index
        if given is None:
            raise TypeError("step_of_output requires byte_index, an integer")
        wanted = index(given)
        step, _ = self._debugger.find_ahead(lambda: self._debugger.find_print_step(wanted), budget)
        return step


def parse(
    source: Source,
    language: str | None = None,
    *,
    dialect: str = "standard",
    options: Options | None = None,
) -> Program:
    """Parse a program; return an immutable object with the span of each instruction.

    Raises ParseError, with line, column and offset, if the program is invalid, and UsageError for
    an unknown language.
    """
    chosen, text = _load(source, language)
    return Debugger.open(chosen, text, dialect=dialect, options=options).program


def run(
    source: Source,
    language: str | None = None,
    *,
    stdin: str | bytes = b"",
    dialect: str = "standard",
    options: Options | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    seconds: float | None = None,
) -> RunResult:
    """Run a program until it ends or reaches a limit.

    stdin: the complete input. seed: for languages with random choices. limits: exact limits on
    steps, and bytes of output and memory. seconds: wall time after which the program is killed; if
    given, the program runs in a separate process. A parse error is a status, not an exception.
    """
    chosen, text = _load(source, language)
    outcome = run_program(
        chosen,
        text,
        dialect=dialect,
        options=options,
        stdin=_bytes(stdin),
        limits=limits,
        seed=seed,
        time_limit=seconds,
    )
    return RunResult(
        outcome.language,
        outcome.status,
        outcome.stdout,
        outcome.stderr,
        outcome.steps,
        outcome.input_used,
        outcome.memory,
        outcome.program_exit_code,
    )


def open_timeline(
    source: Source,
    language: str | None = None,
    *,
    stdin: str | bytes = b"",
    dialect: str = "standard",
    options: Options | None = None,
    seed: int = 0,
    limits: Limits | None = None,
) -> Timeline:
    """Open a run for time travel, at step 0. Raise ParseError if the program is invalid."""
    chosen, text = _load(source, language)
    return Timeline(
        Debugger.open(
            chosen,
            text,
            stdin=_bytes(stdin),
            dialect=dialect,
            options=options,
            seed=seed,
            limits=limits,
        )
    )


def grade(
    problem: str,
    source: Source,
    language: str | None = None,
    *,
    seed_file: Path | None = None,
    pack: str | Path | None = None,
    dialect: str = "standard",
    options: Options | None = None,
    compare: Compare | None = None,
) -> GradeResult:
    """Grade a program on the public examples of a problem, or on hidden tests.

    seed_file: file of mode 600 with 64 hexadecimal digits, from which the hidden tests are derived.
    pack: the id of an installed pack or a folder; default: the included pack. compare: ``"exact"``
    compares all bytes; ``"newline"`` ignores a line break at the end of the output, and ``"strip"``
    whitespace at its start and end; ``"numeric"`` compares words, and numbers by value; default:
    the mode of the pack, usually ``"exact"``. Raises UnknownProblem if the pack does not contain
    the problem.
    """
    path, text = _read(source, language)
    chosen = language_id_for(path, language)
    if seed_file is None:
        report = grade_examples(
            problem, chosen, text, dialect=dialect, options=options, compare=compare, pack=pack
        )
    else:
        report = grade_source(
            problem,
            chosen,
            text,
            seed=read_seed_file(seed_file),
            dialect=dialect,
            options=options,
            compare=compare,
            pack=pack,
        )
    tests = tuple(CaseResult(test.index, test.verdict, test.steps) for test in report.tests)
    hidden = seed_file is not None
    return GradeResult(report.problem, report.language, tests, hidden, report.dialect)


def verify(
    export: bytes | Path,
    *,
    head: str | None = None,
    seed_file: Path | None = None,
    pack: str | Path | None = None,
    jobs: int = 1,
) -> Verification:
    """Verify that the export of a session is complete and unaltered.

    head: a head that the server acknowledged; the export must contain all events up to it.
    seed_file: file with the revealed seed; if given, ``jobs`` processes repeat every run and
    submission.
    """
    return verify_export(
        export if isinstance(export, bytes) else export.read_bytes(),
        head=head,
        seed=None if seed_file is None else read_seed_file(seed_file),
        pack=pack,
        jobs=jobs,
    )


def _load(source: Source, language: str | None) -> tuple[str, bytes]:
    """Return the language and the bytes of a program.

    Raises UsageError if the language is unknown.
    """
    path, text = _read(source, language)
    return language_for(path, language).id, text


def _read(source: Source, language: str | None) -> tuple[str, bytes]:
    """Return the path of a program (``-`` if it has none) and its bytes."""
    if isinstance(source, Path):
        return str(source), source.read_bytes()
    if language is None:
        raise UsageError("`language` must be passed unless the program is a Path")
    return "-", _bytes(source)


def _bytes(text: str | bytes) -> bytes:
    """Encode a text as UTF-8; raise UsageError if it contains a surrogate."""
    if not isinstance(text, str):
        return bytes(memoryview(text))  # raises TypeError for other types, such as int
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"text cannot be encoded as UTF-8: {error.reason} (character {error.start})"
        ) from None
