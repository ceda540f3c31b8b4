"""Text debugger: its shell and its lessons."""

from __future__ import annotations

import re
import sys
from typing import Any

from esolangs.errors import EngineError
from esolangs.wording import format_count
from esoplay.cli.output import json_line, read_program
from esoplay.cli.prose import plain_phrase, text_mode_lines
from esoplay.cli.repl import loop
from esoplay.cli.repl.loop import LineShell, Pager, PrintLine
from esoplay.debugging.command_line import CommandLine, parse_whole_number
from esoplay.debugging.commands import Chapter, CommandTable
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.session import DebugCommand, DebugSession, Reply
from esoplay.errors import EsoplayError, UsageError
from esoplay.grading.limits import statement_with_limits
from esoplay.learning.checks import (
    TaskReport,
    check_answer,
    check_program,
    check_state,
    open_debugger,
    open_unsolved_debugger,
)
from esoplay.learning.lessons import Lesson, get_course, visible_program
from esoplay.packs.catalogue import get_problem
from esoplay.timeline.places import bytes_text

# Lessons


class LessonSession(DebugSession):
    """Debugging session with an optional current lesson, whose program is open."""

    lesson: Lesson | None = None
    hints_shown = 0
    task_done = False

    def start_lesson(self, lesson: Lesson, debugger: Debugger) -> None:
        """Switch to a lesson, and to a debugger that runs the lesson's program."""
        self.lesson, self.debugger, self.other_run = lesson, debugger, None
        self.hints_shown, self.task_done = 0, False
        self.saves_watches = False

    def extend_reply(self, lines: list[str], data: dict[str, Any]) -> None:
        """Add a line to a reply when the task of the lesson is done, once per lesson."""
        lesson = self.lesson
        if lesson is None or self.task_done or lesson.task.kind != "state":
            return
        self.task_done = check_state(lesson, self.debugger).done
        if self.task_done:
            lines.append(_task_done_line(lesson))
            data["task_done"] = True


def _lesson(session: DebugSession, line: CommandLine) -> Reply:
    language_id = session.debugger.program.language.id
    course = get_course(language_id)
    if not line.arguments:
        lines = [f"{lesson.number}: {lesson.title}" for lesson in course]
        rows = [lesson.as_json_row() for lesson in course]
        return Reply(lines or [f"there is no course in {language_id}"], {"lessons": rows})
    number, dot, drill = line.arguments[0].partition(".")
    lesson = course.lesson(parse_whole_number(number, "the number of a lesson", 1))
    if dot:
        lesson = course.drill(lesson.number, parse_whole_number(drill, "the number of a drill", 1))
    unparsed = ""
    try:
        debugger = open_debugger(lesson)  # first, because it raises an error for a broken program
    except EngineError as error:
        if not lesson.broken:
            raise
        debugger, unparsed = open_unsolved_debugger(lesson), str(error)
    if not isinstance(session, LessonSession):
        raise UsageError("lessons require esoplay debug --repl")
    session.start_lesson(lesson, debugger)
    text = (
        [] if lesson.drill_number else lesson_lines(lesson.text)
    )  # a drill consists of its task only
    lines = [f"lesson {lesson.name}: {lesson.title}", *text]
    lines.append(f"task: {lesson_phrase(lesson.task.say)}")
    if lesson.drill_number:
        lines += [f"{bytes_text(run[0])} prints {bytes_text(run[1])}" for run in lesson.task.runs]
    if lesson.task.problem is not None:
        statement = statement_with_limits(get_problem(lesson.task.problem))
        lines += text_mode_lines(statement)
    if lesson.task.kind in ("program", "problem"):
        lines.append(
            "type `check FILE` to test a program; F2, F5 and ^t work in `esoplay play`, not here"
        )
    elif lesson.task.kind == "answer":
        lines.append("type `answer TEXT` to answer")
        if _SCREEN.search(lesson.text):
            lines.append("the program is already open; F2 and ^l work in `esoplay play`, not here")
    if lesson.drills:
        names = ", ".join(f"lesson {drill.name}" for drill in lesson.drills)
        lines.append(f"drills: {names}")
    here = session.describe_position()
    if unparsed:
        program = visible_program(lesson).rstrip("\n").split("\n")
        lines += ["program:", *program, f"parse error: {unparsed}"]
        return Reply(lines, {"lesson": lesson.as_json(), **here.data})
    return Reply(
        [*lines, *here.lines],
        {"lesson": lesson.as_json(), **here.data},
    )


def _task(session: DebugSession, line: CommandLine) -> Reply:
    taken, lesson = _current_lesson(session)
    lines = [f"task: {lesson_phrase(lesson.task.say)}"]
    if not taken.task_done and lesson.task.kind == "state":
        reply = check_state(lesson, taken.debugger).reply
        lines += [] if reply is None else [lesson_phrase(reply)]
    lines.append("done" if taken.task_done else "not done yet")
    return Reply(lines, {"done": taken.task_done})


def _hint(session: DebugSession, line: CommandLine) -> Reply:
    taken, lesson = _current_lesson(session)
    hints = lesson.task.hints
    taken.hints_shown = min(taken.hints_shown + 1, len(hints))
    if not hints:
        raise UsageError("there are no hints")
    text = hints[taken.hints_shown - 1]
    words = f"hint {taken.hints_shown} of {len(hints)}: {lesson_phrase(text)}"
    return Reply([words], {"hint": taken.hints_shown, "of": len(hints), "text": text})


def _answer(session: DebugSession, line: CommandLine) -> Reply:
    taken, lesson = _current_lesson(session)
    return _task_reply(taken, check_answer(lesson, line.rest), lesson)


def _check(session: DebugSession, line: CommandLine) -> Reply:
    taken, lesson = _current_lesson(session)
    if not line.rest.strip():
        raise UsageError("check requires a program: check FILE")
    report = check_program(
        lesson, read_program(line.rest.strip()), cancelled=lambda: session.interrupted
    )
    if report is None:
        raise UsageError("interrupted")
    return _task_reply(taken, report, lesson)


def _task_reply(session: LessonSession, report: TaskReport, lesson: Lesson) -> Reply:
    lines = [lesson_phrase(each) if each == report.reply else each for each in report.reasons]
    for test in report.tests:
        lines.append(f"run {test.index}: {test.verdict.replace('_', ' ')}")
        if test.detail is not None and not test.passed:
            lines.append(
                f"  input {bytes_text(test.detail.input)}, "
                f"expected {bytes_text(test.detail.expected)}, "
                f"got {bytes_text(test.detail.got)}"
            )
            lines += [f"  cause: {test.cause.text}"] if test.cause is not None else []
    session.task_done = session.task_done or report.done
    lines.append(_task_done_line(lesson) if report.done else "not done yet")
    return Reply(lines, report.as_json())


def _task_done_line(lesson: Lesson) -> str:
    return (
        f"task done: {lesson_phrase(lesson.task.done_text)}"
        if lesson.task.done_text
        else "task done"
    )


def _current_lesson(session: DebugSession) -> tuple[LessonSession, Lesson]:
    if not isinstance(session, LessonSession) or session.lesson is None:
        raise UsageError("no lesson is open; `lesson 1` opens the first")
    return session, session.lesson


# Lesson texts as plain text, with commands instead of keys

_KEYS = re.compile(
    r"`(\d*)([lh]|Home)`|(?<=[Pp]ress )([lh])\b|`:d (\d+)`|(?<![^\s`]):(?=(?:b|cell|o|w)\s)"
)
"""Keys of the full-screen debugger in lessons; the text debugger replaces them with commands."""
_SCREEN = re.compile(r"\bF2\b|`\^l`")
_COMMAND = {"l": "s", "h": "S", "Home": "g"}


def lesson_lines(text: str) -> list[str]:
    """Format a text of a lesson as lines; replace its keys by commands of the debugger."""
    return text_mode_lines(_replace_keys(text))


def lesson_phrase(text: str) -> str:
    """Format a paragraph of a lesson as one line; replace its keys by commands of the debugger."""
    return plain_phrase(_replace_keys(text))


def _replace_keys(text: str) -> str:
    def command(match: re.Match[str]) -> str:
        if match[0] == ":":
            return ""
        count, key, bare, number = match.groups()
        if number is not None:
            return f"`d {number}`"
        if bare is not None:
            return _COMMAND[bare]
        return f"`{f'{count} ' if count else ''}{_COMMAND[key]}`"

    return _KEYS.sub(command, text)


LESSON_COMMANDS = (
    DebugCommand(
        ("lesson",),
        "[N]",
        "open a lesson or drill of this language, and its program; without N, list the lessons",
        _lesson,
        ("lesson", "lesson 1", "lesson 3.1"),
        kind="change",
    ),
    DebugCommand(("task",), "", "show the task of the lesson, and whether it is done", _task),
    DebugCommand(("hint",), "", "show the next hint of the lesson", _hint, kind="change"),
    DebugCommand(
        ("answer",), "TEXT", "answer the question of the lesson", _answer, ("answer 9",), "change"
    ),
    DebugCommand(
        ("check",),
        "FILE",
        "check a program against the task of the lesson",
        _check,
        ("check mine.bf",),
    ),
)


# The shell

PROMPT = "> "
HISTORY = "debugger_history"
"""File in the state folder with the history of typed lines."""


def run_debugger_shell(
    debugger: Debugger, *, as_json: bool = False, first_command: str = "", strict: bool = False
) -> LessonSession:
    """Run commands from stdin until it ends or a command exits; return the session.

    first_command: run before the lines of stdin. strict: raise ScriptError at the first failing
    line. On a terminal the shell has a prompt, completion, history and paging.
    """
    reconfigure = getattr(sys.stdin, "reconfigure", None)  # a replaced stream may not have it
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")  # scripts may contain invalid UTF-8
    interactive = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
    # Scripts start without saved watches, so that they do not depend on earlier runs.
    session = LessonSession(debugger, saves_notes=True, saves_watches=interactive)
    if not interactive:
        say = loop.print_unwrapped if as_json else loop.print_wrapped
        shell = DebuggerShell(session, say, as_json=as_json, strict=strict)
        shell.greet()
        shell.run_line(first_command)
        shell.run(sys.stdin)
        return session
    pager = Pager()
    shell = DebuggerShell(session, pager.print_line, strict=strict, repeat_moves=True)
    loop.run_shell(
        shell,
        PROMPT,
        first_command=first_command,
        pager=pager,
        history=HISTORY,
        complete=shell.complete,
    )
    return session


def _quit(session: DebugSession, line: CommandLine) -> Reply:
    return Reply([], {})


_QUIT = DebugCommand(("quit", "q", "exit"), "", "leave", _quit)
_BLOCK = "commands"
"""Command that accepts a block of lines up to ``end``."""


def repl_table() -> CommandTable:
    """Return the table of all commands of the text debugger."""
    return CommandTable(Chapter("learn", LESSON_COMMANDS), last_commands=(_QUIT,))


COMMANDS = repl_table().commands


class ScriptError(EsoplayError):
    """Raised when a line of a script fails; ends the script."""


class DebuggerShell(LineShell):
    """Shell that runs debugger commands in a session.

    as_json: print one JSON object per command instead of text. strict: raise ScriptError at the
    first error. repeat_moves: whether a blank line repeats the last move.
    """

    def __init__(
        self,
        session: LessonSession,
        say: PrintLine,
        *,
        as_json: bool = False,
        strict: bool = False,
        repeat_moves: bool = False,
    ):
        super().__init__(say)
        self.session = session
        self.table = repl_table()
        self._as_json = as_json
        self._strict = strict
        self._repeat_moves = repeat_moves
        self._text = self._word = ""  # the current line and command
        self._last_move = ""
        self._block: tuple[str, list[str]] | None = None

    def greet(self) -> None:
        program = self.session.debugger.program
        reply = self.session.describe_position()
        name = program.language.name
        size = format_count(len(program.spans()), "instruction")
        lines = [f"{name}, {size}; type help for the commands"]
        lines += [f"warning: {text}" for text in program.warnings]
        data = {"language": program.language.id, "warnings": list(program.warnings), **reply.data}
        self._answer("open", Reply([*lines, *reply.lines], data))

    def begin(self) -> None:
        self.session.begin_command(None)

    def interrupt(self) -> None:
        self.session.interrupt()

    def complete(self, text: str) -> list[str]:
        """Return the completions of the last word of a line."""
        return self.table.complete(self.session, text)

    def perform(self, text: str) -> None:
        if self._block is not None:
            first, collected = self._block
            if text.strip() != "end":
                collected.append(text.strip())
                return
            self._block, text = None, f"{first} {'; '.join(collected) or 'none'}"
        elif self._repeat_moves and not text.strip():
            text = self._last_move
        self._text, self._word = text, "".join(text.split(maxsplit=1)[:1])
        invocation = self.table.parse(text)
        if invocation is None:
            return
        command, line = invocation
        self._word = command.name
        if command.name == _BLOCK and len(line.arguments) == 1 and not self._as_json:
            self._block = text.strip(), []
            return
        self._last_move = text if command.kind == "move" else ""
        self.is_exiting = command is _QUIT
        self._answer(command.name, self.table.run(self.session, invocation))

    def report_error(self, error: EsoplayError | EngineError) -> None:
        """Report the error of a line; if strict, raise ScriptError as well."""
        if self._as_json:
            kind = error.kind if isinstance(error, EsoplayError) else "usage"
            details = {"kind": kind, "message": str(error)}
            self._print_json({"command": self._word, "ok": False, "error": details})
        else:
            super().report_error(error)
        if self._strict:
            place = f"stdin:{self.line_number}: " if self.line_number else ""
            raise ScriptError(f"{place}{self._text.strip()}: {error}") from None

    def _answer(self, name: str, reply: Reply) -> None:
        if self._as_json:
            self._print_json({"command": name, "ok": True, **reply.data})
        else:
            for line in reply.lines:
                self.say(line)

    def _print_json(self, value: dict[str, Any]) -> None:
        self.say(json_line(value))
