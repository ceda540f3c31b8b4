"""``run``, ``grade``, ``generate``, ``problem.*`` and ``lesson.*``: methods outside sessions."""

from __future__ import annotations

from math import inf
from typing import Any

from esolangs.limits import DEFAULT_WORK, UNLIMITED, Limits
from esoplay.grading.limits import limits_as_json
from esoplay.grading.output_comparison import COMPARE_MODES
from esoplay.grading.seeds import parse_seed
from esoplay.learning.checks import check_answer, check_program, check_state, open_debugger
from esoplay.learning.lessons import Lesson, get_course, get_drill, get_lesson
from esoplay.packs.catalogue import get_installed_pack
from esoplay.packs.grading import grade_source
from esoplay.packs.hints import all_hints
from esoplay.programs.execution import outcome_as_json
from esoplay.programs.execution import run as run_program
from esoplay.programs.host_lanes import check_language_id
from esoplay.rpc.answers import Base64, LazyText, Spool, StoredBytes, is_utf8
from esoplay.rpc.connection import Call
from esoplay.rpc.methods.travel import DEFAULT_SECONDS
from esoplay.rpc.parameters import Parameter, boolean, bounded_integer, one_of, text
from esoplay.rpc.protocol import cancelled_error, domain_error, invalid_params
from esoplay.rpc.table import (
    DIALECT_AND_OPTIONS,
    LANGUAGE,
    LIMITS,
    MAX_OUTPUT,
    PACK,
    PROBLEM,
    PROGRAM,
    SEED,
    SHOWN_OUTPUT,
    STDIN,
    Method,
    read_program,
    stdin_from_parameters,
)
from esoplay.running.run import SHOWN_IN_TEST, OutputPrefix, trim_incomplete_character
from esoplay.running.run import SHOWN_OUTPUT as SHOWN_OF_RUN


def run(
    call: Call,
    *,
    language: str,
    program: bytes | None = None,
    program_base64: bytes | None = None,
    path: str | None = None,
    stdin: bytes | None = None,
    stdin_base64: bytes | None = None,
    dialect: str = "standard",
    options: dict[str, str | int] | None = None,
    seed: int = 0,
    limits: dict[str, Any] | None = None,
    shown_output: int | None = None,
) -> dict[str, Any]:
    """Run a program until it ends, is cancelled or reaches the limits of the request."""
    source = read_program(call, program, program_base64, path)
    asked = limits or {}
    steps = asked.get("steps")
    printed = Spool()
    usual = min(asked.get("output", SHOWN_OF_RUN), MAX_OUTPUT)
    head = OutputPrefix(usual if shown_output is None else shown_output, printed.write)
    outcome = run_program(
        language,
        source,
        dialect=dialect,
        options=options,
        stdin=stdin_from_parameters(stdin, stdin_base64),
        limits=Limits(
            steps=UNLIMITED if steps is None else steps,
            output=asked.get("output", UNLIMITED),
            memory=asked.get("memory", Limits().memory),
            work=asked.get("work", DEFAULT_WORK),
        ),
        seed=seed,
        time_limit=asked.get("time", inf),
        write=head.write,
        worker=call.connection.worker,
        progress=lambda done: call.progress(done, steps),
        cancelled=lambda: call.is_cancelled,
    )
    shown = StoredBytes(printed)
    if head.size > head.kept_size:
        tail = printed.read(max(0, printed.size - 4), 4)
        shown = StoredBytes(
            printed, 0, printed.size - len(tail) + len(trim_incomplete_character(tail))
        )
    outcome.hidden_bytes = head.size - shown.size
    result = outcome_as_json(outcome) | {"stdout": LazyText(shown)}
    if "output_bytes" in result:
        result["output_bytes"] = head.size
    if is_utf8(shown):
        return result
    members = list(result.items())
    after = list(result).index("memory") + 1  # same position as in ``Outcome.as_json``
    return dict([*members[:after], ("stdout_base64", Base64(shown)), *members[after:]])


def grade(
    call: Call,
    *,
    problem: str,
    language: str,
    program: bytes | None = None,
    program_base64: bytes | None = None,
    path: str | None = None,
    dialect: str = "standard",
    options: dict[str, str | int] | None = None,
    compare: Any = None,
    seed: str | None = None,
    pack: str | None = None,
    shown_output: int = SHOWN_IN_TEST,
) -> dict[str, Any]:
    """Grade a program; the default seed is the practice seed."""
    get_installed_pack(pack)  # installed packs only, not folders
    report = grade_source(
        problem,
        language,
        read_program(call, program, program_base64, path),
        seed=None if seed is None else parse_seed(seed),
        dialect=dialect,
        options=options,
        compare=compare,
        pack=pack,
        worker=call.connection.worker,
        progress=call.progress,
        cancelled=lambda: call.is_cancelled,
        check_dialects=True,
    )
    return report.as_json(shown_output)


def generate(
    call: Call, *, source: str, language: str, name: str = "source", comments: bool = False
) -> dict[str, Any]:
    """Return the program compiled from a source in a subset of Python, with its source map."""
    from esoplay.programs.generation import (
        generate as generate_program,
    )  # imported late: no other method needs the compiler

    return generate_program(source, language, name=name, comments=comments).as_json()


PROGRAM_METHODS = (
    Method(
        "run",
        run,
        (
            LANGUAGE,
            *PROGRAM,
            *STDIN,
            *DIALECT_AND_OPTIONS,
            SEED,
            LIMITS,
            SHOWN_OUTPUT,
        ),
        compact_part="known",
    ),
    Method(
        "grade",
        grade,
        (
            PROBLEM,
            LANGUAGE,
            *PROGRAM,
            *DIALECT_AND_OPTIONS,
            Parameter("compare", one_of(*COMPARE_MODES)),
            Parameter("seed", text),
            PACK,
            SHOWN_OUTPUT,
        ),
    ),
    Method(
        "generate",
        generate,
        (
            Parameter("source", text, required=True),
            LANGUAGE,
            Parameter("name", text),
            Parameter("comments", boolean),
        ),
    ),
)


# ``problem.*``: statements and public examples, as in practice.


def list_problems(call: Call, *, pack: str | None = None) -> dict[str, Any]:
    """Return all problems by tier."""
    found = get_installed_pack(pack)
    return {
        "pack": found.as_json_head(),
        "problems": [problem.as_json_row() for problem in found],
    }


def get_problem(
    call: Call, *, problem: str, language: str | None = None, pack: str | None = None
) -> dict[str, Any]:
    """Return a problem: statement, examples, limits, hints, and hints for ``language`` if given."""
    found = get_installed_pack(pack).problem(problem)
    result = found.as_json() | {"limits": limits_as_json(found)}
    if language is not None:
        result["hints"] = list(all_hints(found, check_language_id(language)))
    return result


PROBLEM_METHODS = (
    Method("problem.list", list_problems, (PACK,)),
    Method("problem.get", get_problem, (PROBLEM, Parameter("language", text), PACK)),
)


# ``lesson.*``: courses; not available to solvers.


def list_lessons(call: Call, *, language: str) -> dict[str, Any]:
    """Return the lessons of a language in order."""
    course = get_course(language)
    return {
        "language": course.language_id,
        "lessons": [lesson.as_json_row() for lesson in course],
    }


def show_lesson(
    call: Call, *, language: str, lesson: int, drill: int | None = None
) -> dict[str, Any]:
    """Return a lesson or one of its drills: text, program, task, hints."""
    return _lesson_or_drill(language, lesson, drill).as_json()


def _lesson_or_drill(language: str, lesson: int, drill: int | None) -> Lesson:
    return get_lesson(language, lesson) if drill is None else get_drill(language, lesson, drill)


def check_lesson(
    call: Call,
    *,
    language: str,
    lesson: int,
    drill: int | None = None,
    program: bytes | None = None,
    program_base64: bytes | None = None,
    path: str | None = None,
    debug: str | None = None,
    step: int | None = None,
    answer: str | None = None,
) -> dict[str, Any]:
    """Return whether a program, debugger, step or answer completes the task of a lesson."""
    found = _lesson_or_drill(language, lesson, drill)
    sources = (program, program_base64, path)
    ways = [any(each is not None for each in sources)]
    ways += [each is not None for each in (debug, step, answer)]
    if sum(ways) != 1:
        raise invalid_params("expected exactly one of a program, `debug`, `step` and `answer`")
    if answer is not None:
        report = check_answer(found, answer)
    elif debug is not None:
        report = check_state(found, call.connection.debuggers.get(debug))
    elif step is not None:
        debugger = open_debugger(found)
        stop = debugger.seek(step, call.tick, seconds=DEFAULT_SECONDS)
        call.raise_if_cancelled()
        if stop.reasons[0].kind == "budget":
            message = f"step {step} was not reached within {DEFAULT_SECONDS:g} seconds"
            raise domain_error("limit", message)
        report = check_state(found, debugger)
    else:
        report = check_program(
            found,
            read_program(call, program, program_base64, path),
            worker=call.connection.worker,
            cancelled=lambda: call.is_cancelled,
        )
    if report is None:
        raise cancelled_error()
    data = report.as_json()
    return {**data, "learnt": found.task.done_text} if report.done else data


LESSON = Parameter("lesson", bounded_integer(1), required=True)
DRILL = Parameter("drill", bounded_integer(1))

LESSON_METHODS = (
    Method("lesson.list", list_lessons, (LANGUAGE,)),
    Method("lesson.get", show_lesson, (LANGUAGE, LESSON, DRILL)),
    Method(
        "lesson.check",
        check_lesson,
        (
            LANGUAGE,
            LESSON,
            DRILL,
            *PROGRAM,
            Parameter("debug", text),
            Parameter("step", bounded_integer()),
            Parameter("answer", text),
        ),
    ),
)
"""Lesson methods, which solvers may not call: sessions measure solvers without instruction."""
