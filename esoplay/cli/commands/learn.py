"""``esoplay learn``: read and check lessons without the terminal application."""

from __future__ import annotations

import re

from esolangs.wording import format_count, plural

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esoplay.learning.checks import TaskReport
    from esoplay.learning.lessons import Course, Lesson


SUMMARY = "list, read and check the lessons of a language"
DESCRIPTION = """\
List the courses or the lessons of a course, or show a lesson; with --check, --step or --answer,
check whether the task of the lesson is done. The view "learn" of the terminal application has the
same lessons; only tasks done in the application count as progress."""
_KEYS = re.compile(r"\b(F\d|press)\b|`\^[a-z]`|\(g p\)")
"""Pattern for keys of the full-screen application, to find lessons that mention them."""
EXAMPLES = """\
examples:
  esoplay learn                             the languages with a course
  esoplay learn brainfuck                   the lessons of a course
  esoplay learn brainfuck 3                 text and task of a lesson
  esoplay learn brainfuck 3 --program       only the program that the lesson starts with
  esoplay learn brainfuck 3 --check a.bf    is the task done by this program?
  esoplay learn brainfuck 3 --drill 1       the first of its short exercises, also as 3.1
  esoplay learn brainfuck 3.1 --check mine.bf
  esoplay learn whitespace 3 --check mine.wsa --set notation=assembly
  esoplay learn whitespace 3 --program --set notation=assembly > mine.wsa
  esoplay learn brainfuck 1 --repl          open the lesson in the text debugger
  esoplay learn brainfuck 1 --step 6        is the task done at this step of the program?
  esoplay learn brainfuck --prove           check that all its lessons can be done, for authors
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("language", nargs="?", metavar="LANGUAGE", help="such as brainfuck")
    parser.add_argument(
        "number",
        nargs="?",
        type=_lesson_number,
        metavar="N",
        help="lesson number, from 1; 3.1 is drill 1 of lesson 3",
    )
    parser.add_argument(
        "--drill",
        type=int,
        metavar="N",
        help="number of a drill, a short exercise of the lesson, from 1",
    )
    parser.add_argument("--hints", type=int, default=0, metavar="N", help="show the first N hints")
    parser.add_argument("--program", action="store_true", help="print only the lesson's program")
    checks = parser.add_mutually_exclusive_group()
    checks.add_argument("--check", metavar="FILE", help="check a program, - for stdin")
    checks.add_argument(
        "--step", type=int, metavar="STEP", help="check whether the task is done at this step"
    )
    checks.add_argument("--answer", metavar="TEXT", help="check an answer")
    checks.add_argument(
        "--prove", action="store_true", help="check that all lessons can be completed"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="K=V",
        help="with --check or --program: how the program is written, such as notation=assembly",
    )
    parser.add_argument("--repl", action="store_true", help="open the lesson in the text debugger")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--full-output",
        action="store_true",
        help="with --json: show the whole output of a test, not only the first 64 KiB",
    )


def _lesson_number(text: str) -> tuple[int, int | None]:
    """Parse the number of a lesson, such as ``3``, or of a drill, such as ``3.1``."""
    from argparse import ArgumentTypeError

    number, dot, drill = text.partition(".")
    if not (number.isdecimal() and (drill.isdecimal() or not dot)):
        raise ArgumentTypeError(f"{text!r} is not a lesson number such as 3, or 3.1 for a drill")
    return int(number), int(drill) if dot else None


def run(args: argparse.Namespace) -> int:
    from esoplay.cli.output import print_json
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.learning.lessons import get_course

    if args.settings and args.check is None and not args.program:
        raise UsageError("--set requires --check or --program")
    number, drill = args.number or (None, None)
    if drill is not None and args.drill not in (None, drill):
        raise UsageError(f"lesson {number}.{drill} and --drill {args.drill} name different drills")
    drill = args.drill if drill is None else drill
    checking = any(each is not None for each in (args.check, args.step, args.answer))
    if args.language is None:
        if checking or args.prove or args.program or drill is not None:
            raise UsageError("expected a lesson; for example: esoplay learn brainfuck 3")
        return _list_courses(args.json)
    course = get_course(args.language.lower())
    if args.prove:
        return _prove(course, number, args.json)
    if number is None:
        if checking or args.program or drill is not None:
            raise UsageError(
                f"expected a lesson; for example: esoplay learn {course.language_id} 3"
            )
        if args.json:
            from esoplay.learning.path import get_path

            rows = [lesson.as_json_row() for lesson in course]
            solved = _solved_problems(course.language_id)
            path = [step.as_json(solved) for step in get_path(course.language_id)]
            print_json({"language": course.language_id, "lessons": rows, "path": path})
        else:
            _print_course(course)
        return EXIT_PASSED
    lesson = course.lesson(number) if drill is None else course.drill(number, drill)
    if checking:
        return _check(lesson, args)
    if args.repl:
        from esoplay.cli.repl.debugger import run_debugger_shell
        from esoplay.learning.checks import open_unsolved_debugger

        run_debugger_shell(
            open_unsolved_debugger(lesson), as_json=args.json, first_command=f"lesson {lesson.name}"
        )
        return EXIT_PASSED
    if args.json:
        print_json(lesson.as_json())
    elif args.program:
        from esolangs.registry import find_language
        from esoplay.cli.output import print_program

        notation = _notation(lesson, args.settings).get("notation", "")
        editing = find_language(lesson.language_id).editing()
        print_program(editing.in_notation(lesson.program, notation))
    else:
        _print_lesson(lesson, len(course), args.hints)
    return EXIT_PASSED


def _list_courses(as_json: bool) -> int:
    from esoplay.cli.output import print_json
    from esoplay.errors import EXIT_PASSED
    from esoplay.learning.lessons import get_course
    from esoplay.programs.execution import languages

    courses = [(language, get_course(language.id)) for language in languages()]
    if as_json:
        rows = [{"language": language.id, "lessons": len(course)} for language, course in courses]
        print_json({"courses": rows})
        return EXIT_PASSED
    for language, course in courses:
        count = format_count(len(course), "lesson") if course.lessons else "no course"
        print(f"  {language.id:12}  {count}")
    return EXIT_PASSED


def _print_course(course: Course) -> None:
    from esoplay.cli.output import paint
    from esoplay.learning.path import get_path

    if not course.lessons:
        print(f"there is no course in {course.language_id}")
    for lesson in course:
        print(f"  {paint(f'{lesson.number:>2}', 'accent')}  {lesson.title}")
    solved = _solved_problems(course.language_id)
    steps = get_path(course.language_id)
    if steps:
        done = sum(step.problem in solved for step in steps)
        print(f"\n  problems after the course, from easy to hard: {done} of {len(steps)} solved")
    for step in steps:
        mark = "✓" if step.problem in solved else "·"
        needed = ", ".join(str(lesson.number) for lesson in step.lessons)
        words = paint(f"{step.tier}, lesson{'s' * (len(step.lessons) > 1)} {needed}", "dim")
        print(f"  {mark} {paint(step.problem, 'accent')} {step.title}  {words}")


def _solved_problems(language_id: str) -> set[str]:
    """Return the solved problems of the default pack in a language.

    Does not create the file of progress if it is missing.
    """
    from esoplay.packs.catalogue import BUILT_IN
    from esoplay.paths import state_folder
    from esoplay.progress.store import FILE_NAME, ProgressStore

    folder = state_folder()
    if not (folder / FILE_NAME).is_file():
        return set()
    store = ProgressStore(folder)
    try:
        progress = store.progress(BUILT_IN, language_id)
    finally:
        store.close()
    return {id for id, each in progress.items() if each.solved}


def _print_lesson(lesson: Lesson, count: int, hints: int) -> None:
    import textwrap

    from esoplay.cli.output import paint, quote_bytes
    from esoplay.cli.prose import columns, plain_lines, plain_phrase
    from esoplay.learning.lessons import visible_program

    print(paint(f"{lesson.name} {lesson.title}", "bold"), end="  ")
    print(paint(f"{lesson.language_id}, lesson {lesson.number} of {count}", "dim"))
    print()
    if not lesson.drill_number:  # a drill consists of its task only
        print(*plain_lines(lesson.text), "", sep="\n")
    if lesson.task.problem is not None:
        from esoplay.grading.limits import statement_with_limits
        from esoplay.packs.catalogue import get_problem

        problem = get_problem(lesson.task.problem)
        print(*plain_lines(statement_with_limits(problem)), "", sep="\n")
    if lesson.program:
        print(paint("Program", "bold"))
        print(textwrap.indent(visible_program(lesson).strip("\n"), "  "), end="\n\n")
    if lesson.stdin:
        print(f"{paint('Input', 'bold')}  {quote_bytes(lesson.stdin)}\n")
    print(f"{paint('Task', 'bold')}  {plain_phrase(lesson.task.say)}")
    for given, wanted in _shown_runs(lesson):
        print(f"  {quote_bytes(given)} prints {quote_bytes(wanted)}")
    for number, hint in enumerate(lesson.task.hints[: max(hints, 0)], 1):
        print(f"\n{paint(f'Hint {number}', 'bold')}")
        print(textwrap.indent("\n".join(plain_lines(hint, columns() - 2)), "  "))
    option = {"state": "--step STEP", "answer": "--answer='TEXT'"}.get(lesson.task.kind)
    command = f"esoplay learn {lesson.language_id} {lesson.number}"
    if lesson.drill_number:
        command = f"{command} --drill {lesson.drill_number}"
    print()
    if lesson.task.kind == "state":
        print(f"Debug: {command} --repl")
    elif lesson.task.kind != "answer" and lesson.program:
        print(f"Start: {command} --program > FILE")
    print(f"Check: {command} {option or '--check FILE'}")
    if lesson.task.hints[max(hints, 0) :]:
        print(f"Hint:  {command} --hints {max(hints, 0) + 1}")
    if lesson.view == "debug" or _KEYS.search(" ".join((lesson.text, *lesson.task.hints))):
        print("The keys above are for the terminal application; --repl opens the text debugger.")
    for drill in lesson.drills:
        print(f"Drill {drill.drill_number}: {command} --drill {drill.drill_number}")


def _shown_runs(lesson: Lesson) -> list[tuple[bytes, bytes]]:
    """Return the inputs and outputs that the task shows, or the examples of its problem."""
    if lesson.task.problem is None:
        return [(run.input, run.output) for run in lesson.task.runs]
    from esoplay.packs.catalogue import get_problem

    return [(each.input, each.output) for each in get_problem(lesson.task.problem).examples]


def _check(lesson: Lesson, args: argparse.Namespace) -> int:
    from esoplay.cli.output import paint, print_json
    from esoplay.cli.prose import plain_lines, plain_phrase
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED
    from esoplay.running.run import SHOWN_IN_TEST

    report = _report(lesson, args)
    code = EXIT_PASSED if report.done else EXIT_FAILED
    if args.json:
        done = {"learnt": lesson.task.done_text} if report.done else {}
        print_json({**report.as_json(None if args.full_output else SHOWN_IN_TEST), **done})
        return code
    _print_runs(report)
    for reason in report.reasons:
        print(plain_phrase(reason) if reason == report.reply else reason)
    verdict = paint("done", "good") if report.done else paint("not done yet", "bad")
    print(f"{verdict}, dialect {report.dialect}" if report.tests else verdict)
    if report.done:
        from esoplay.learning.lessons import get_course

        if lesson.task.done_text:
            print("", *plain_lines(lesson.task.done_text), sep="\n")
        course = get_course(lesson.language_id)
        following = (*lesson.drills[:1], course.next_lesson(lesson))[0]
        if following is None:
            print(
                f"\nEnd of the course. esoplay learn {lesson.language_id} lists the next problems."
            )
        else:
            print(f"\nNext: esoplay learn {lesson.language_id} {following.name}")
    return code


def _report(lesson: Lesson, args: argparse.Namespace) -> TaskReport:
    from esoplay.learning.checks import check_answer, check_program, check_state, open_debugger

    if args.answer is not None:
        return check_answer(lesson, args.answer)
    if args.step is not None:
        debugger = open_debugger(lesson)
        debugger.seek(args.step)
        return check_state(lesson, debugger)
    from esolangs.registry import find_language
    from esoplay.cli.output import read_program

    source, notation = read_program(args.check), _notation(lesson, args.settings)
    report = check_program(lesson, source, options=notation)
    assert report is not None, "checks are never cancelled here"
    if report.done or notation:
        return report
    why = find_language(lesson.language_id).editing().misreading_hint(source)
    return report._replace(reasons=(*report.reasons, why)) if why else report


def _notation(lesson: Lesson, settings: list[str]) -> dict[str, str]:
    """Return the options of ``--set``; raise UsageError for options other than ``notation``."""
    from esolangs.errors import EngineError
    from esolangs.registry import find_language
    from esoplay.cli.output import parse_settings
    from esoplay.errors import UsageError

    options = parse_settings(settings)
    if options.keys() - {"notation"}:
        raise UsageError(
            "lessons are checked in the dialect `standard`; --set accepts only notation=NAME"
        )
    try:
        find_language(lesson.language_id).configure("standard", options)
    except EngineError as error:
        raise UsageError(str(error)) from None
    return options


def _print_runs(report: TaskReport) -> None:
    from esoplay.cli.output import quote_bytes

    for test in report.tests:
        print(f"run {test.index}: {test.verdict.replace('_', ' ')}, {plural(test.steps, 'step')}")
        if test.detail is not None and not test.passed:
            print(f"  input     {quote_bytes(test.detail.input)}")
            print(f"  expected  {quote_bytes(test.detail.expected)}")
            print(f"  got       {quote_bytes(test.detail.got)}")
            if test.detail.message:
                print(f"  {test.detail.message}")
            if test.cause is not None:
                print(f"  cause     {test.cause.text}")


def _prove(course: Course, number: int | None, as_json: bool) -> int:
    from esoplay.cli.output import print_json
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED
    from esoplay.learning.checks import find_lesson_defects
    from esoplay.running.worker import Worker

    lessons = course.lessons if number is None else (course.lesson(number),)
    with Worker() as worker:
        found = {lesson.slug: find_lesson_defects(lesson, worker) for lesson in lessons}
    if as_json:
        print_json({"language": course.language_id, "lessons": found})
    else:
        for slug, wrong in found.items():
            print(f"  {slug:40}  {'; '.join(wrong) or 'proved'}")
    return EXIT_FAILED if any(found.values()) else EXIT_PASSED
