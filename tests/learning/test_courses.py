"""Every lesson that ships keeps its contract."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from esolangs.registry import language_ids
from esoplay.learning.checks import find_lesson_defects
from esoplay.learning.lessons import Course, Lesson, get_course
from esoplay.packs.catalogue import get_problem
from esoplay.packs.grading import grade_source
from esoplay.running.worker import Worker

COURSES = [course for language in language_ids() if (course := get_course(language)).lessons]
LESSONS = [lesson for course in COURSES for lesson in course]

each_course = pytest.mark.parametrize("course", COURSES, ids=lambda course: course.language_id)
each_lesson = pytest.mark.parametrize(
    "lesson", LESSONS, ids=lambda lesson: f"{lesson.language_id}-{lesson.slug}"
)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


@each_course
def test_a_course_has_twelve_to_twenty_lessons(course: Course) -> None:
    assert 12 <= len(course) <= 20


@each_course
def test_a_course_begins_by_looking_and_ends_with_a_problem(course: Course) -> None:
    assert course.lessons[0].view == "debug"
    assert course.lessons[-1].task.kind == "problem"


@each_course
def test_a_course_ends_with_a_medium_problem_solved_in_both_dialects(
    course: Course, worker: Worker
) -> None:
    last = course.lessons[-1]
    solution = last.solution.program if last.solution else None
    assert last.task.problem
    assert solution
    assert get_problem(last.task.problem).tier == "medium"
    for dialect in ("standard", "benchmark"):
        report = grade_source(
            last.task.problem, course.language_id, solution, dialect=dialect, worker=worker
        )
        assert report.solved, dialect


@each_course
def test_a_course_has_state_and_program_tasks_and_numbered_lessons(course: Course) -> None:
    assert {"state", "program"} <= {lesson.task.kind for lesson in course}
    assert [lesson.slug[:3] for lesson in course] == [f"{lesson.number:02}-" for lesson in course]
    assert len({lesson.title for lesson in course}) == len(course)


@each_lesson
def test_a_lesson_has_no_defect(lesson: Lesson, worker: Worker) -> None:
    assert find_lesson_defects(lesson, worker) == []


@each_lesson
def test_a_lesson_is_short_enough_to_be_read(lesson: Lesson) -> None:
    words = len(lesson.text.split())
    assert 40 <= words <= 190, words
    assert len(lesson.task.say) <= 200
    assert all(len(line) <= 78 for line in lesson.program.decode().split("\n"))
    assert lesson.program.count(b"\n") <= 40
    assert len(set(lesson.task.hints)) == len(lesson.task.hints)


@each_lesson
def test_every_task_but_a_problem_replies_to_a_mistake(lesson: Lesson) -> None:
    """Of a problem the failing test is shown, with its cause."""
    for each in (lesson, *lesson.drills):
        assert each.task.replies or each.task.kind == "problem", each.name


@each_lesson
def test_lessons_step_with_the_keys_that_the_footer_shows(lesson: Lesson) -> None:
    assert not re.search(r"(?i:press|step with) `[sS]`|`S`", lesson.text)


_SPAN = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)(?P<after>\S*)", re.DOTALL)
"""Code between backticks, and what follows it up to the next space."""


def test_backticks_that_are_code_are_not_read_as_marks() -> None:
    for each in [*LESSONS, *(drill for lesson in LESSONS for drill in lesson.drills)]:
        task = each.task
        for text in (task.say, *task.hints, task.done_text, *(reply.say for reply in task.replies)):
            for span in _SPAN.finditer(text):
                assert not re.match(r"[.?|@]?\w", span["after"]), (each.name, text)
