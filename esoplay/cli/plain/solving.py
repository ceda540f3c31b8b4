"""Commands that write, run, test and debug the program in hand."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from esolangs.errors import ParseError
from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.cli.output import quoted, read_program
from esoplay.cli.plain.bench import Bench
from esoplay.cli.plain.commands import Command, Console
from esoplay.debugging.command_line import Line, unescape, whole
from esoplay.errors import EsoplayError, UsageError
from esoplay.grading.report import GradeReport, TestResult
from esoplay.running.worker import Cancelled
from esoplay.service import grading, programs
from esoplay.service.debugging import Debugger

STEPS = 100_000_000
"""Of ``run``, after which an endless program is given up."""
SHOWN = 10_000
"""Bytes of output that ``run`` says."""


def _show(bench: Bench, console: Console, line: Line) -> None:
    letters = _letters(bench)
    text = bench.source.decode("utf-8", "backslashreplace")
    if letters:
        text = "".join({" ": "S", "\t": "T", "\n": "L\n"}.get(each, each) for each in text)
    console.say(f"{_name(bench)}, {len(bench.source)} bytes")
    for number, each in enumerate(text.removesuffix("\n").split("\n"), 1):
        console.say(f"{number}: {each}")


def _letters(bench: Bench) -> dict[str, str]:
    """What is typed for each blank, in languages whose programs are blanks."""
    return dict(find_language(bench.store.language_id).editing().letters)


def _name(bench: Bench) -> str:
    buffer = bench.store.buffer
    return bench.store.language_id if buffer is None else buffer.path.name


def _edit(bench: Bench, console: Console, line: Line) -> None:
    _take(bench, console, console.edit(bench.source, _name(bench)))


def _type(bench: Bench, console: Console, line: Line) -> None:
    letters = _letters(bench)
    if letters:
        names = ", ".join(letters).upper()
        console.say(f"type {names} for the blanks, then a line with a single dot")
        typed = "".join(console.lines()).lower()
        _take(bench, console, "".join(letters.get(each, "") for each in typed).encode())
        return
    console.say("type the program, then a line with a single dot")
    text = "".join(f"{each}\n" for each in console.lines())
    _take(bench, console, text.encode("utf-8", "surrogateescape"))


def _load(bench: Bench, console: Console, line: Line) -> None:
    if not line.rest.strip():
        raise UsageError("load takes the name of a file")
    _take(bench, console, read_program(str(Path(line.rest.strip()).expanduser())))


def _take(bench: Bench, console: Console, source: bytes) -> None:
    """Take a text as the program, and say whether it is one."""
    before, bench_source = bench.source, source
    bench.put(bench_source)
    changed = "unchanged" if source == before else f"{len(source)} bytes"
    error = programs.check(bench.store.language_id, source, bench.store.dialect)
    console.say(f"{_name(bench)}: {changed}" + ("" if error is None else "; it does not parse"))
    if error is not None:
        console.say(_mistake(error))


def _mistake(error: ParseError) -> str:
    return f"line {error.line} column {error.column}: {error.message}"


def _run(bench: Bench, console: Console, line: Line) -> None:
    store = bench.store
    outcome = programs.run(
        store.language_id,
        bench.source,
        dialect=store.dialect,
        stdin=unescape(line.rest),
        limits=Limits(steps=STEPS),
        tick=lambda _step: not bench.interrupted,
    )
    console.say(f"printed: {quoted(outcome.stdout, SHOWN)}")
    ended = "stopped" if bench.interrupted else outcome.stderr
    console.say(ended or f"ended after {outcome.steps} steps")


def _test(hidden: bool, bench: Bench, console: Console, line: Line) -> None:
    store, problem = bench.store, bench.problem
    grade = grading.grade_source if hidden else grading.grade_examples
    what = "hidden tests" if hidden else "examples"
    try:
        report = grade(
            problem.id,
            store.language_id,
            bench.source,
            dialect=store.dialect,
            cancelled=lambda: bench.interrupted,
        )
    except (EsoplayError, Cancelled) as error:
        why = "stopped" if bench.interrupted else f"could not be graded: {error}"
        raise UsageError(f"{why}; nothing was counted") from None
    if hidden:
        store.record(report, bench.source)
    _say_report(report, what, console)


def _say_report(report: GradeReport, what: str, console: Console) -> None:
    solved = f"{report.problem} is solved: " if report.solved and what == "hidden tests" else ""
    console.say(f"{solved}{report.passed} of {report.total} {what} pass")
    for test in report.tests:
        _say_test(test, "hidden test" if what == "hidden tests" else "example", console)
    if not report.solved and what == "examples":
        failed = next(test for test in report.tests if not test.passed)
        console.say(f"debug {failed.index} steps through example {failed.index}")


def _say_test(test: TestResult, name: str, console: Console) -> None:
    console.say(f"{name} {test.index}: {test.verdict.replace('_', ' ')}, {test.steps} steps")
    detail = test.detail
    if detail is None or test.passed:
        return
    if detail.message:
        console.say(f"  {detail.message}")
    console.say(f"  input {quoted(detail.input)}")
    console.say(f"  wanted {quoted(detail.expected)}")
    console.say(f"  got {quoted(detail.got)}")


def _debug(bench: Bench, console: Console, line: Line) -> None:
    stdin, closed = _input(bench, line)
    store = bench.store
    try:
        debugger = Debugger.open(
            store.language_id, bench.source, stdin=stdin, closed=closed, dialect=store.dialect
        )
    except ParseError as error:
        raise UsageError(_mistake(error)) from None
    console.debug(debugger, "")


def _input(bench: Bench, line: Line) -> tuple[bytes, bool]:
    """What the program reads while it is debugged, and whether that is all."""
    word, _, text = line.rest.strip().partition(" ")
    if word == "input":
        return unescape(text.strip()), True
    problem = bench.store.problem
    if not word and problem is None:
        return b"", False
    number = whole(word, "the number of an example", 1) if word else 1
    examples = bench.problem.examples
    if number > len(examples):
        raise UsageError(f"there are {len(examples)} examples")
    return examples[number - 1].input, True


def _score(bench: Bench, console: Console, line: Line) -> None:
    progress = bench.store.progress()
    pack = bench.store.pack
    solved = [each for each in pack if each.id in progress and progress[each.id].solved]
    console.say(f"{bench.store.language_id}: {len(solved)} of {len(pack.problems)} solved")
    for problem in solved:
        best = progress[problem.id]
        console.say(f"  {problem.id} {problem.title}: {best.steps} steps, {best.size} bytes")


SOLVING_COMMANDS = (
    Command(("show",), "", "read the program in hand, line by line", _show),
    Command(("edit",), "", "give it to $EDITOR", _edit),
    Command(("type",), "", "type it here, up to a line with a single dot", _type),
    Command(("load",), "FILE", "take the contents of a file as the program", _load),
    Command(("run",), "[INPUT]", r"run it with an input, such as 5 7\n", _run),
    Command(("examples", "test"), "", "run the problem's examples", partial(_test, False)),
    Command(("submit",), "", "run its hidden tests; the result is kept", partial(_test, True)),
    Command(
        ("debug",),
        "[N | input TEXT]",
        "step through it with example N, or another input; quit comes back here",
        _debug,
    ),
    Command(("score",), "", "what is solved, with the best figures", _score),
)
