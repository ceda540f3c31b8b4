"""Learners without any knowledge follow each course, key by key and by ``esoplay learn``.

``tests/walks/learn-LANGUAGE.keys`` has the keys on the screen, one a line as in the other walks;
``paste lesson N`` pastes the solution of a lesson; ``-narrow`` is the walk at 80x24, where the text
of a lesson comes first. That walk includes the drills.
``learn-LANGUAGE.txt`` has the command lines, and the words with which each answer starts.
``ESOPLAY_WRITE_CASES=1`` writes these files.
"""

from __future__ import annotations

import itertools
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Play
from play_pilot import Player
from test_walks import FOLDER, keys_of, wait_for_effects

from esolangs.registry import find_language, language_ids
from esoplay.cli.main import main
from esoplay.learning.lessons import Course, Lesson, get_course
from esoplay.packs.catalogue import get_problem
from esoplay.tui.terminal import BytesPaste
from esoplay.tui.workspace import LaunchRequest

LANGUAGES = sorted(language_ids())
WIDE, NARROW = (120, 40), (80, 24)
ALL_WALKS = (
    pytest.mark.opt_in,
    pytest.mark.skipif(
        os.environ.get("ESOPLAY_WALKS") != "all", reason="takes minutes: ESOPLAY_WALKS=all"
    ),
)
WALKS = [
    *((language, WIDE) for language in LANGUAGES),
    ("brainfuck", NARROW),
    *(pytest.param(each, NARROW, marks=ALL_WALKS) for each in LANGUAGES if each != "brainfuck"),
]
each_language = pytest.mark.parametrize("language", LANGUAGES)


def medium_problem(course: Course) -> str:
    """The medium problem that the course leads to."""
    problems = [each.task.problem for each in course if each.task.problem is not None]
    return [id for id in problems if get_problem(id).tier == "medium"][-1]


# Key by key


def keys_of_task(lesson: Lesson, reads: bool) -> Iterator[str]:
    """The keys that complete a lesson or drill. ``reads``: its text covers its program."""
    task, step = lesson.task, lesson.solution.step
    asks = task.kind == "answer"
    if (reads and not asks) or (asks and not reads):
        yield "ctrl+l"
    if task.kind == "state":
        yield from (*str(step), "G")
    elif asks:
        yield from ("space" if each == " " else each for each in task.answers[0])
        yield "enter"
    else:
        if lesson.view == "debug":
            yield "f2"
        yield from ("f7", f"paste lesson {lesson.name}")
        yield "ctrl+t" if task.kind == "problem" else "f5"
        yield "escape"


def keys_of_course(course: Course, narrow: bool) -> Iterator[str]:
    """From ``esoplay play --lang LANGUAGE`` to the first problem after the course."""
    yield "ctrl+l          # the list of lessons"
    yield "enter           # the first lesson"
    for lesson in course:
        keys = list(keys_of_task(lesson, reads=narrow and lesson.number > 1))
        yield f"{keys[0]:16}# lesson {lesson.name}, {lesson.title}"
        yield from keys[1:]
        if not narrow:
            yield "enter"
            continue
        to_list = "tab" if lesson.task.kind == "answer" else "ctrl+l"
        yield f"{to_list:16}# its drills"
        yield "enter"
        for drill in lesson.drills:
            keys = list(keys_of_task(drill, reads=drill.drill_number > 1))
            yield f"{keys[0]:16}# drill {drill.name}"
            yield from (*keys[1:], "enter")


def bring_up_to_date(file: Path, text: str) -> None:
    if os.environ.get("ESOPLAY_WRITE_CASES"):
        file.write_text(text)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "size"), WALKS, ids=str)
async def test_a_learner_follows_the_course_on_the_screen(
    language: str, size: tuple[int, int], play: Play
) -> None:
    narrow = size == NARROW
    course, file = get_course(language), FOLDER / f"learn-{language}{'-narrow' * narrow}.keys"
    head = (
        f"# The course in {find_language(language).name}, from an empty profile to its problem.\n"
    )
    bring_up_to_date(file, head + "".join(f"{key}\n" for key in keys_of_course(course, narrow)))
    async with play(size=size, launch=LaunchRequest(language_id=language)) as player:
        workspace, lessons = player.screen.workspace, player.screen.lessons
        done: list[str] = []
        for key in keys_of(file):
            await press(player, course, key)
            lesson = lessons.current
            if lessons.is_finished and lesson is not None and lesson.name not in done:
                done.append(lesson.name)
        drills = [each for lesson in course for each in (lesson, *lesson.drills)]
        assert done == [each.name for each in (drills if narrow else course)]
        assert workspace.progress()[medium_problem(course)].solved
        assert workspace.lesson is None
        assert player.screen.view == "browse"


async def press(player: Player, course: Course, key: str) -> None:
    verb, _, number = key.rpartition(" ")
    if verb != "paste lesson":
        await player.press(key)
    else:
        program, focused = course.find_lesson(number).solution.program, player.app.focused
        assert program is not None
        assert focused is not None
        focused.post_message(BytesPaste(program))
        await player.pilot.pause()
    await wait_for_effects(player)


# By ``esoplay learn``


def commands_of(course: Course) -> Iterator[str]:
    yield f"$ learn {course.language_id}"
    yield f"1 {course.lesson(1).title}"
    for lesson in itertools.chain.from_iterable((each, *each.drills) for each in course):
        learn = f"learn {course.language_id} {lesson.name}"
        yield f"$ {learn}"
        yield f"{lesson.name} {lesson.title}"
        kind, answers = lesson.task.kind, lesson.task.answers
        check = {"state": f"--step {lesson.solution.step}"}.get(kind, f"--check {lesson.name}")
        yield f"$ {learn} {f'--answer {shlex.quote(answers[0])}' if kind == 'answer' else check}"
        yield "done"
    id = medium_problem(course)
    number = next(each.number for each in course if each.task.problem == id)
    yield f"$ grade {number} --lang {course.language_id} --problem {id}"
    yield f"{id} "


@pytest.mark.slow
@each_language
def test_a_learner_follows_the_course_by_commands(
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    course, file = get_course(language), FOLDER / f"learn-{language}.txt"
    bring_up_to_date(file, "".join(f"{line}\n" for line in commands_of(course)))
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    exercises = [each for lesson in course for each in (lesson, *lesson.drills)]
    for each in exercises:
        if each.solution.program is not None:
            (tmp_path / each.name).write_bytes(each.solution.program)
    lines = file.read_text().splitlines()
    assert sum(line == "done" for line in lines) == len(exercises)
    shown: list[str] = []
    for line in lines:
        if line.startswith("$ "):
            assert main(shlex.split(line.removeprefix("$ "))) == 0, line
            shown = [" ".join(each.split()) for each in capsys.readouterr().out.splitlines()]
        else:
            assert any(each.startswith(line.rstrip()) for each in shown), (line, shown)
