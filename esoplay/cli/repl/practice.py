"""Practice without a screen: all features of ``esoplay play`` as text commands.

The output has no drawings and no colors, for screen readers and simple terminals.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

from esolangs.errors import ParseError
from esolangs.limits import Limits
from esolangs.registry import find_language, language_ids
from esolangs.wording import format_count, suggest
from esoplay.cli.output import quote_bytes, read_program
from esoplay.cli.prose import plain_phrase, text_mode_lines
from esoplay.cli.repl import debugger as debugger_shell
from esoplay.cli.repl import loop
from esoplay.cli.repl.debugger import LessonSession
from esoplay.cli.repl.loop import LineShell
from esoplay.cli.repl.workbench import CommandConsole, PracticeCommand, Workbench
from esoplay.debugging.command_line import (
    CommandLine,
    parse_line,
    parse_whole_number,
    quote,
    unescape,
)
from esoplay.debugging.debugger import Debugger
from esoplay.errors import EsoplayError, UsageError
from esoplay.grading.limits import statement_with_limits
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport, TestResult
from esoplay.learning.checks import open_unsolved_debugger
from esoplay.learning.lessons import get_course
from esoplay.learning.path import get_path, next_path_step, path_lines
from esoplay.packs import grading
from esoplay.packs.par import comparison_lines, measure_par, own_approach
from esoplay.packs.stars import SolutionFigures, award_stars
from esoplay.programs import execution
from esoplay.running.run import OutputPrefix
from esoplay.running.worker import RunCancelled
from esoplay.temporary_folders import TemporaryFolder

# Commands that choose a problem, a language or a lesson


def _problems(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    wanted = line.rest.strip().lower()
    progress = bench.store.progress()
    found = [each for each in bench.store.pack if wanted in _problem_line(each).lower()]
    if not found:
        raise UsageError(f"no problem or tier matches {quote(wanted)}")
    for tier, problems in groupby(found, lambda each: each.tier):
        console.say(f"{tier}:")
        for each in problems:
            known = progress.get(each.id)
            state = "" if known is None else ", solved" if known.solved else ", tried"
            console.say(f"  {each.id} {each.title}{state}")


def _problem_line(problem: Problem) -> str:
    return f"{problem.id} {problem.title} {problem.tier} {problem.category}"


def _problem(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    if line.arguments:
        bench.open_problem(bench.store.pack.problem(line.rest.strip()))
    _print_problem(bench.problem, console)


def _print_problem(problem: Problem, console: CommandConsole) -> None:
    console.say(f"{problem.id} {problem.title}, {problem.tier}, {problem.category}")
    for text in text_mode_lines(statement_with_limits(problem)):
        console.say(text)
    for number, example in enumerate(problem.examples, 1):
        more = "".join(f", {name} {value}" for name, value in example.invocation.as_rows().items())
        console.say(f"example {number}: input {quote_bytes(example.input)}{more}")
        console.say(f"  output {quote_bytes(example.output)}")


def _hint(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    problem = bench.problem
    hints = bench.store.hints(problem)
    shown = bench.store.save_hint_shown(problem)
    console.say(f"hint {shown} of {len(hints)}: {plain_phrase(hints[shown - 1])}")


def _solution(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    source = bench.store.unlocked_solution(bench.problem)
    if source is None:
        raise UsageError("solve the problem first: `submit` runs the hidden tests")
    told = source.decode("utf-8", "replace")
    if line.arguments == ("source",):
        own = bench.problem.solution_source()
        if own is None:
            raise UsageError("no write-once source of this problem in this pack")
        told = own
    elif line.arguments:
        raise UsageError("expected solution, or solution source")
    for text in told.removesuffix("\n").split("\n"):
        console.say(text)
    _compare(bench, console)


def _compare(bench: Workbench, console: CommandConsole) -> None:
    """Compare the user's best results with the pack's solution, if both exist."""
    language_id = bench.store.language_id
    best = bench.store.best_figures(bench.problem, language_id)
    par = None if best is None else measure_par(bench.problem, language_id)
    if best is not None and par is not None:
        own = bench.store.best_solution(bench.problem, language_id)
        approach = None if own is None else own_approach(bench.problem, language_id, own.source)
        for text in comparison_lines(SolutionFigures(*best), par, approach=approach):
            console.say(text)


def _language(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    if line.arguments:
        wanted = line.rest.strip().lower()
        if wanted not in language_ids():
            raise UsageError(
                f"unknown language {quote(wanted)}; expected one of {', '.join(language_ids())}"
            )
        bench.store.choose_language(wanted)
        bench.open_problem(bench.store.problem or bench.store.last_problem())
    for id in language_ids():
        here = ", in use" if id == bench.store.language_id else ""
        console.say(f"{id}: {find_language(id).name}{here}")


def _card(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    store = bench.store
    for text in text_mode_lines(find_language(store.language_id).card(store.dialect)):
        console.say(text)


def _lessons(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    language_id = bench.store.language_id
    done = bench.lessons.done_slugs(language_id)
    course = get_course(language_id)
    if not course.lessons:
        console.say(f"there is no course in {language_id}")
    for lesson in course:
        state = ", done" if lesson.slug in done else ""
        console.say(f"{lesson.number}: {lesson.title}{state}")
    if get_path(language_id):
        console.say("`path` lists the problems after the course")


def _path(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    language_id = bench.store.language_id
    solved = {id for id, each in bench.store.progress().items() if each.solved}
    lines = path_lines(language_id, solved)
    for text in lines or [f"there are no problems after the course in {language_id}"]:
        console.say(text)
    following = next_path_step(language_id, solved)
    if following is not None:
        console.say(f"`problem {following.problem}` opens the next problem")


def _lesson(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    course = get_course(bench.store.language_id)
    if not line.arguments:
        done = bench.lessons.done_slugs(course.language_id)
        following = (each for each in course if each.slug not in done)
        lesson = next(following, None) or course.lesson(1)
    else:
        lesson = course.lesson(parse_whole_number(line.arguments[0], "the number of a lesson", 1))
    session = console.debug(open_unsolved_debugger(lesson), f"lesson {lesson.number}")
    if session.lesson is not None and session.task_done:
        bench.lessons.mark_done(session.lesson)
        console.say(f"lesson {session.lesson.number} is done")
        if course.next_lesson(session.lesson) is None:
            console.say("end of the course; `path` lists the problems after it")


CHOOSING_COMMANDS = (
    PracticeCommand(
        ("problems",), "[WORD]", "list all problems, or only problems that match WORD", _problems
    ),
    PracticeCommand(
        ("problem", "statement"), "[ID]", "open a problem, or show the current one", _problem
    ),
    PracticeCommand(("hint", "H"), "", "show the next hint", _hint),
    PracticeCommand(
        ("solution",),
        "[source]",
        "show the pack's solution of a solved problem, or, with `source`, its write-once source",
        _solution,
    ),
    PracticeCommand(
        ("language", "L"), "[NAME]", "list the languages, or use another one", _language
    ),
    PracticeCommand(("card",), "", "show the language's reference card", _card),
    PracticeCommand(("lessons", "learn"), "", "list the lessons of this language", _lessons),
    PracticeCommand(("path",), "", "list the problems after the course, easy to hard", _path),
    PracticeCommand(
        ("lesson",), "[N]", "open a lesson, by default the next one; quit returns here", _lesson
    ),
)


# Commands that write, run, test and debug the program

MAX_STEPS = 100_000_000
"""Step limit of the command ``run``."""
MAX_SHOWN_OUTPUT = 10_000
"""Maximum number of output bytes that the command ``run`` shows."""


def _show(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    letters = _typed_letters(bench)
    text = bench.source.decode("utf-8", "backslashreplace")
    if letters:
        text = "".join({" ": "S", "\t": "T", "\n": "L\n"}.get(each, each) for each in text)
    console.say(f"{_file_name(bench)}, {format_count(len(bench.source), 'byte')}")
    for number, each in enumerate(text.removesuffix("\n").split("\n"), 1):
        console.say(f"{number}: {each}")


_BLANK_NAMES = {" ": "space", "\t": "tab", "\n": "line feed"}


def _typed_letters(bench: Workbench) -> dict[str, str]:
    """Return the whitespace that each typed letter stands for; empty in most languages."""
    return dict(find_language(bench.store.language_id).editing().letters)


def _file_name(bench: Workbench) -> str:
    buffer = bench.store.buffer
    return bench.store.language_id if buffer is None else buffer.path.name


def _edit(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    _replace_program(bench, console, console.edit(bench.source, _file_name(bench)))


def _type(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    letters = _typed_letters(bench)
    if letters:
        names = ", ".join(
            f"{letter.upper()} for {_BLANK_NAMES[blank]}" for letter, blank in letters.items()
        )
        console.say(f"type the program ({names}), then a line with a single dot")
        typed = "".join(console.lines()).lower()
        _replace_program(bench, console, "".join(letters.get(each, "") for each in typed).encode())
        return
    console.say("type the program, then a line with a single dot")
    text = "".join(f"{each}\n" for each in console.lines())
    _replace_program(bench, console, text.encode("utf-8", "surrogateescape"))


def _load(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    if not line.rest.strip():
        raise UsageError("load requires the name of a file")
    _replace_program(bench, console, read_program(str(Path(line.rest.strip()).expanduser())))


def _replace_program(bench: Workbench, console: CommandConsole, source: bytes) -> None:
    """Replace the program with ``source``, and report a parse error."""
    before, bench_source = bench.source, source
    bench.set_program(bench_source)
    changed = "unchanged" if source == before else format_count(len(source), "byte")
    error = execution.check(bench.store.language_id, source, bench.store.dialect)
    console.say(
        f"{_file_name(bench)}: {changed}" + ("" if error is None else "; it does not parse")
    )
    if error is not None:
        console.say(_describe_error(error))


def _describe_error(error: ParseError) -> str:
    return f"line {error.line} column {error.column}: {error.message}"


def _run(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    store = bench.store
    head = OutputPrefix(MAX_SHOWN_OUTPUT)
    outcome = execution.run(
        store.language_id,
        bench.source,
        dialect=store.dialect,
        stdin=unescape(line.rest),
        limits=Limits(steps=MAX_STEPS),
        write=head.write,
        tick=lambda _step: not bench.interrupted,
    )
    more = (
        f" … ({format_count(head.size, 'byte')}; esoplay run shows them all)"
        if head.size > head.kept_size
        else ""
    )
    console.say(f"printed: {quote_bytes(head.shown_bytes, MAX_SHOWN_OUTPUT)}{more}")
    ended = "stopped" if bench.interrupted else outcome.stderr
    console.say(ended or f"ended after {format_count(outcome.steps, 'step')}")


def _test(hidden: bool, bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
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
            check_dialects=True,
            pack=problem.folder.parent,
        )
    except (EsoplayError, RunCancelled) as error:
        why = "stopped" if bench.interrupted else f"could not be graded: {error}"
        raise UsageError(f"{why}; no result was saved") from None
    if hidden:
        store.save_submission(report, bench.source)
    _print_report(report, what, console)
    if hidden and report.solved:
        best = store.best_figures(problem, store.language_id)
        par = None if best is None else measure_par(problem, store.language_id)
        if best is not None and par is not None:
            console.say(award_stars(SolutionFigures(*best), par.figures).describe())
            console.say("`solution` shows how the pack solves it")


def _print_report(report: GradeReport, tests_name: str, console: CommandConsole) -> None:
    solved = (
        f"{report.problem} is solved: " if report.solved and tests_name == "hidden tests" else ""
    )
    console.say(f"{solved}{report.passed} of {report.total} {tests_name} pass")
    console.say(f"dialect {report.dialect}")
    for test in report.tests:
        _print_test(test, "hidden test" if tests_name == "hidden tests" else "example", console)
    if report.only_class is not None:
        console.say(report.only_class_text)
    if report.other_dialect is not None:
        head, *causes = report.other_dialect.lines(report.dialect)
        for text in (head, *(f"  {cause}" for cause in causes)):
            console.say(text)
    if not report.solved and tests_name == "examples":
        failed = next(test for test in report.tests if not test.passed)
        console.say(f"try: `debug {failed.index}` steps through example {failed.index}")


def _print_test(test: TestResult, name: str, console: CommandConsole) -> None:
    console.say(
        f"{name} {test.index}: {test.verdict.replace('_', ' ')}, {format_count(test.steps, 'step')}"
    )
    detail = test.detail
    if detail is None or test.passed:
        return
    if detail.message:
        console.say(f"  {detail.message}")
    for name, value in detail.invocation.as_rows().items():
        console.say(f"  {name} {value}")
    console.say(f"  input {quote_bytes(detail.input)}")
    console.say(f"  expected {quote_bytes(detail.expected)}")
    console.say(f"  got {quote_bytes(detail.got)}")
    if test.cause is not None:
        console.say(f"  cause: {test.cause.text}")


def _debug(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    stdin, closed = _input(bench, line)
    store = bench.store
    try:
        debugger = Debugger.open(
            store.language_id, bench.source, stdin=stdin, closed=closed, dialect=store.dialect
        )
    except ParseError as error:
        raise UsageError(_describe_error(error)) from None
    console.debug(debugger, "")


def _input(bench: Workbench, line: CommandLine) -> tuple[bytes, bool]:
    """Return the input of the debugged program, and whether this input is complete."""
    word, _, text = line.rest.strip().partition(" ")
    if word == "input":
        return unescape(text.strip()), True
    problem = bench.store.problem
    if not word and problem is None:
        return b"", False
    number = parse_whole_number(word, "the number of an example", 1) if word else 1
    examples = bench.problem.examples
    if number > len(examples):
        raise UsageError(f"expected example 1 to {len(examples)}, not {number}")
    return examples[number - 1].input, True


def _score(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    progress = bench.store.progress()
    pack = bench.store.pack
    solved = [each for each in pack if each.id in progress and progress[each.id].solved]
    console.say(f"{bench.store.language_id}: {len(solved)} of {len(pack.problems)} solved")
    for problem in solved:
        best = progress[problem.id]
        steps, size = format_count(best.steps or 0, "step"), format_count(best.size or 0, "byte")
        console.say(f"  {problem.id} {problem.title}: {steps}, {size}")


SOLVING_COMMANDS = (
    PracticeCommand(("show",), "", "print the current program", _show),
    PracticeCommand(("edit",), "", "edit the program in $EDITOR", _edit),
    PracticeCommand(("type",), "", "type the program here, up to a line with a single dot", _type),
    PracticeCommand(("load",), "FILE", "load the program from a file", _load),
    PracticeCommand(("run",), "[INPUT]", r"run the program with an input, such as 5 7\n", _run),
    PracticeCommand(("examples", "test"), "", "run the problem's examples", partial(_test, False)),
    PracticeCommand(
        ("submit",), "", "run the problem's hidden tests; the result is saved", partial(_test, True)
    ),
    PracticeCommand(
        ("debug",),
        "[N | input TEXT]",
        "debug the program with example N, or another input; quit returns here",
        _debug,
    ),
    PracticeCommand(("score",), "", "show the solved problems and the best results", _score),
)


class PracticeShell(LineShell):
    """Shell that runs text mode commands on a workbench."""

    def __init__(self, bench: Workbench, console: CommandConsole) -> None:
        super().__init__(console.say)
        self._bench = bench
        self._console = console

    def greet(self) -> None:
        say, bench = self._console.say, self._bench
        problem, buffer = bench.store.problem, bench.store.buffer
        name = "" if buffer is None else buffer.path.name
        if problem is not None:
            name = f"{problem.id} {problem.title}"
        say(f"esoplay text mode: {name} in {bench.store.language_id}")
        if bench.notice:
            say(bench.notice)
        say("type `help` to list the commands, `problem` to read the task")

    def begin(self) -> None:
        self._bench.begin_command()

    def interrupt(self) -> None:
        self._bench.interrupt()

    def perform(self, text: str) -> None:
        line = parse_line(text)
        if line is None:
            return
        command = _BY_NAME.get(line.word)
        if command is None:
            meant = suggest(line.word, _BY_NAME) or "; type help to list the commands"
            raise UsageError(f"unknown command {quote(line.word)}{meant}")
        if line.arguments and not command.usage:
            raise UsageError(f"{line.word} accepts no arguments")
        self.is_exiting = command is _QUIT
        command.handler(self._bench, self._console, line)


def _help(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    for command in COMMANDS:
        usage = " ".join([", ".join(command.names), command.usage]).rstrip()
        console.say(f"{usage}: {command.help}")


def _quit(bench: Workbench, console: CommandConsole, line: CommandLine) -> None:
    """Do nothing, because the shell itself exits after this command."""


_QUIT = PracticeCommand(("quit", "q", "exit"), "", "leave; everything is saved", _quit)
COMMANDS = (
    *CHOOSING_COMMANDS,
    *SOLVING_COMMANDS,
    PracticeCommand(("help", "h", "?"), "", "list the commands", _help),
    _QUIT,
)
_BY_NAME = {name: command for command in COMMANDS for name in command.names}


# The terminal

PROMPT = "esoplay> "


def run_practice_shell(bench: Workbench) -> None:
    """Run commands until the input ends or a command exits.

    Ctrl-C interrupts the running command; the shell continues.
    """
    loop.run_shell(
        PracticeShell(
            bench,
            CommandConsole(loop.print_wrapped, _start_debugger, _start_editor, _lines_until_dot),
        ),
        PROMPT,
    )


def _start_debugger(debugger: Debugger, first_command: str) -> LessonSession:
    session = debugger_shell.run_debugger_shell(debugger, first_command=first_command)
    loop.print_wrapped("back in esoplay")
    return session


def _lines_until_dot() -> list[str]:
    return list(_read_until_dot(loop.read_typed_lines("")))


def _read_until_dot(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line == ".":
            return
        yield line


def _start_editor(source: bytes, name: str) -> bytes:
    """Open a text in the user's editor and return the result; raise UsageError if that fails."""
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not command:
        raise UsageError("$EDITOR is not set; use `type` or `load FILE` instead")
    with TemporaryFolder("edit") as folder:
        copy = folder / name
        copy.write_bytes(source)
        try:
            sys.stdout.flush()
            ended = subprocess.run([*shlex.split(command), str(copy)], check=False)
            after = copy.read_bytes()
        except (OSError, ValueError) as error:
            raise UsageError(
                f"cannot edit with {command}, the value of $VISUAL or $EDITOR: {error}"
            ) from None
    if ended.returncode:
        raise UsageError(
            f"{command} ended with exit status {ended.returncode}; the program is unchanged"
        )
    return after
