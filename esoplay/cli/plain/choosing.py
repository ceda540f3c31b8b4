"""Commands that choose what to work on: a problem, a language, a lesson."""

from __future__ import annotations

from itertools import groupby

from esolangs.registry import find_language, language_ids
from esoplay.cli.output import quoted
from esoplay.cli.plain.bench import Bench
from esoplay.cli.plain.commands import Command, Console
from esoplay.cli.prose import plain_lines, plain_phrase
from esoplay.debugging.command_line import Line, quote, whole
from esoplay.errors import UsageError
from esoplay.grading.problem import Problem
from esoplay.service.debugging import Debugger
from esoplay.service.lessons import get_course


def _problems(bench: Bench, console: Console, line: Line) -> None:
    wanted = line.rest.strip().lower()
    progress = bench.store.progress()
    found = [each for each in bench.store.pack if wanted in _line(each).lower()]
    if not found:
        raise UsageError(f"no problem is called so, or of that tier: {quote(wanted)}")
    for tier, problems in groupby(found, lambda each: each.tier):
        console.say(f"{tier}:")
        for each in problems:
            known = progress.get(each.id)
            state = "" if known is None else ", solved" if known.solved else ", tried"
            console.say(f"  {each.id} {each.title}{state}")


def _line(problem: Problem) -> str:
    return f"{problem.id} {problem.title} {problem.tier} {problem.category}"


def _problem(bench: Bench, console: Console, line: Line) -> None:
    if line.arguments:
        bench.open_problem(bench.store.pack.problem(line.rest.strip()))
    _say_problem(bench.problem, console)


def _say_problem(problem: Problem, console: Console) -> None:
    console.say(f"{problem.id} {problem.title}, {problem.tier}, {problem.category}")
    for text in plain_lines(problem.statement):
        console.say(text)
    for number, example in enumerate(problem.examples, 1):
        console.say(f"example {number}: input {quoted(example.input)}")
        console.say(f"  output {quoted(example.output)}")


def _hint(bench: Bench, console: Console, line: Line) -> None:
    problem = bench.problem
    shown = bench.store.show_next_hint(problem)
    console.say(f"hint {shown} of {len(problem.hints)}: {plain_phrase(problem.hints[shown - 1])}")


def _solution(bench: Bench, console: Console, line: Line) -> None:
    source = bench.store.unlocked_solution(bench.problem)
    if source is None:
        raise UsageError("solve it first: submit runs the hidden tests")
    told = source.decode("utf-8", "replace")
    if line.arguments == ("source",):
        own = bench.problem.source()
        if own is None:
            raise UsageError("the pack has no source of this problem")
        told = own
    elif line.arguments:
        raise UsageError("solution, or solution source")
    for text in told.removesuffix("\n").split("\n"):
        console.say(text)


def _language(bench: Bench, console: Console, line: Line) -> None:
    if line.arguments:
        wanted = line.rest.strip().lower()
        if wanted not in language_ids():
            raise UsageError(f"there is no language {quote(wanted)}: {', '.join(language_ids())}")
        bench.store.choose_language(wanted)
        bench.open_problem(bench.store.problem or bench.store.last_problem())
    for id in language_ids():
        here = ", in use" if id == bench.store.language_id else ""
        console.say(f"{id}: {find_language(id).name}{here}")


def _card(bench: Bench, console: Console, line: Line) -> None:
    store = bench.store
    for text in plain_lines(find_language(store.language_id).card(store.dialect)):
        console.say(text)


def _lessons(bench: Bench, console: Console, line: Line) -> None:
    language_id = bench.store.language_id
    done = bench.lessons.done(language_id)
    course = get_course(language_id)
    if not course.lessons:
        console.say(f"there is no course in {language_id}")
    for lesson in course:
        state = ", done" if lesson.slug in done else ""
        console.say(f"{lesson.number}: {lesson.title}{state}")


def _lesson(bench: Bench, console: Console, line: Line) -> None:
    course = get_course(bench.store.language_id)
    if not line.arguments:
        done = bench.lessons.done(course.language_id)
        following = (each for each in course if each.slug not in done)
        lesson = next(following, None) or course.lesson(1)
    else:
        lesson = course.lesson(whole(line.arguments[0], "the number of a lesson", 1))
    blank = Debugger.open(lesson.language_id, b"" if lesson.broken else lesson.program)
    session = console.debug(blank, f"lesson {lesson.number}")
    if session.lesson is not None and session.task_done:
        bench.lessons.mark_done(session.lesson)
        console.say(f"lesson {session.lesson.number} is done")


CHOOSING_COMMANDS = (
    Command(("problems",), "[WORD]", "list the problems, or those with a word", _problems),
    Command(
        ("problem", "statement"), "[ID]", "work on a problem, or read the one in hand", _problem
    ),
    Command(("hint", "H"), "", "the next hint", _hint),
    Command(
        ("solution",),
        "[source]",
        "how the pack solves it, once you have; the source for every language",
        _solution,
    ),
    Command(("language", "L"), "[NAME]", "list the languages, or use another one", _language),
    Command(("card",), "", "the language's reference card", _card),
    Command(("lessons", "learn"), "", "list the lessons of this language", _lessons),
    Command(("lesson",), "[N]", "take a lesson, else the next one; quit comes back here", _lesson),
)
