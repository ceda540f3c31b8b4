"""Taking lessons: each kind of task, at each size, saved between runs."""

from __future__ import annotations

import pytest
from conftest import Play
from play_pilot import Player
from selection import slow_except

from esolangs.registry import language_ids
from esoplay.learning import checks, lessons
from esoplay.learning.lessons import Course, Lesson, get_course
from esoplay.tui.help import JumpScreen
from esoplay.tui.learn import lesson_progress
from esoplay.tui.learn.panes import LessonLine, LessonList, LessonPane

pytestmark = pytest.mark.slow  # each test walks through several views

SIZES = [(80, 24), (120, 40), (200, 60)]
COURSE = get_course("brainfuck")
ANSWERED = next(
    lesson
    for language in language_ids()
    for lesson in get_course(language)
    if lesson.task.kind == "answer"
)


def of_kind(kind: str) -> Lesson:
    return next(lesson for lesson in COURSE if lesson.task.kind == kind)


async def take(player: Player, lesson: Lesson) -> None:
    await player.screen.lessons.open(lesson)
    player.screen.show_view(lesson.view)
    await player.pilot.pause()
    await player.pilot.pause()


async def settle(player: Player) -> None:
    """Let the program be checked that was typed."""
    player.screen.idle_checker._check_after_pause()  # pyright: ignore[reportPrivateUsage]
    await player.graded()


def done(player: Player, lesson: Lesson) -> bool:
    return lesson.slug in lesson_progress.finished_lessons(
        player.screen.workspace.state, lesson.language_id
    )


def mentions(player: Player, text: str) -> bool:
    """Return whether the start of a text is on the screen, wherever its lines break."""
    shown = " ".join(player.text().replace("│", " ").replace("█", " ").split())
    return " ".join(text.split()[:4]).replace("`", "").replace("*", "") in shown


async def test_first_lesson_is_offered_initially(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        assert "Start lesson 1" in player.text()
        await player.press("ctrl+l")
        await player.pilot.pause()
        assert player.screen.view == "learn"
        assert COURSE.lesson(1).title in player.text()
        await player.press("enter")
        assert player.screen.workspace.lesson is COURSE.lesson(1)
        assert player.screen.view == "debug"
        assert player.screen.debugger.step == 0


@pytest.mark.parametrize("size", slow_except(SIZES, (80, 24)))
async def test_a_state_task_is_detected_after_the_move(play: Play, size: tuple[int, int]) -> None:
    lesson = of_kind("state")
    async with play(size=size) as player:
        await take(player, lesson)
        assert mentions(player, lesson.task.say)
        assert lesson.solution.step is not None
        for _ in range(lesson.solution.step):
            assert not done(player, lesson)
            await player.press("l")
        assert done(player, lesson)
        assert mentions(player, lesson.task.done_text)
        await player.press("h")
        assert player.screen.lessons.is_finished
        await player.press("enter")
        await player.pilot.pause()
        following = COURSE.next_lesson(lesson)
        assert following is not None
        assert player.screen.workspace.lesson is following
        assert mentions(player, following.title)
        assert player.screen.view == ("learn" if size[0] < 110 else following.view)


@pytest.mark.parametrize("size", slow_except(SIZES, (80, 24)))
async def test_lesson_text_stays_visible_on_large_screens(
    play: Play, size: tuple[int, int]
) -> None:
    lesson = of_kind("program")
    async with play(size=size) as player:
        await take(player, lesson)
        for view in ("edit", "debug"):
            player.screen.show_view(view)
            await player.pilot.pause()
            assert mentions(player, lesson.task.say)
            assert mentions(player, lesson.text) == (size[0] >= 110)
            player.screen.action_lesson()
            await player.pilot.pause()
            assert mentions(player, lesson.text)
            player.screen.action_lesson()
            assert player.screen.view == view


@pytest.mark.slow
async def test_program_is_checked_after_a_typing_pause(play: Play) -> None:
    lesson = of_kind("program")
    assert lesson.solution.program is not None
    async with play() as player:
        await take(player, lesson)
        await player.write(lesson.program + b" ")
        await settle(player)
        assert not done(player, lesson)
        assert "wrong answer" in player.text(player.screen.results)
        await player.write(lesson.solution.program)
        await settle(player)
        assert done(player, lesson)
        assert "1 of 1 passed" in player.text(player.screen.results)
        await player.press("escape", "enter")
        await player.pilot.pause()
        assert player.screen.workspace.lesson is COURSE.next_lesson(lesson)


async def test_f5_checks_a_program_and_lists_missing_requirements(play: Play) -> None:
    lesson = next(each for each in COURSE if each.task.most_bytes)
    assert lesson.solution.program is not None
    assert lesson.task.most_bytes is not None
    async with play() as player:
        await take(player, lesson)
        await player.write(lesson.solution.program.ljust(lesson.task.most_bytes + 3))
        await player.press("f5")
        await player.graded()
        assert not done(player, lesson)
        assert mentions(player, f"{lesson.task.most_bytes + 3} bytes; the task")
        await player.write(lesson.solution.program)
        await player.press("f5")
        await player.graded()
        assert done(player, lesson)


@pytest.mark.slow
async def test_escape_cancels_the_check_of_an_endless_program(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "MAX_STEPS", 10**15)
    lesson = of_kind("program")
    async with play() as player:
        await take(player, lesson)
        await player.write(b"+[]")
        await player.press("f5")
        assert player.screen.lessons.is_checking
        await player.press("escape")
        assert not player.screen.lessons.is_checking
        await player.graded()
        assert not done(player, lesson)


@pytest.mark.parametrize("size", slow_except(SIZES, (80, 24)))
async def test_a_question_is_answered_beside_its_text(play: Play, size: tuple[int, int]) -> None:
    async with play(size=size) as player:
        player.screen.workspace.choose_language(ANSWERED.language_id)
        await take(player, ANSWERED)
        await player.press("ctrl+l")
        await player.pilot.pause()
        pane = player.screen.lessons.pane
        assert pane.answer.has_focus
        await player.until(lambda: player.lines()[-1].startswith("Esc Leave Enter Answer "))
        await player.press("escape")
        assert pane.has_focus
        await player.press("tab")
        assert pane.answer.has_focus
        await player.press(*"nonsense", "enter")
        assert mentions(player, "wrong answer")
        player.screen.lessons.pane.answer.value = ANSWERED.task.answers[0].upper()
        await player.press("enter")
        assert done(player, ANSWERED)
        assert mentions(player, ANSWERED.task.done_text)


@pytest.mark.slow
async def test_predicted_output_is_hidden_until_printed(play: Play) -> None:
    async with play() as player:
        player.screen.workspace.choose_language(ANSWERED.language_id)
        await take(player, ANSWERED)
        player.screen.show_view("debug")
        await player.pilot.pause()
        output = player.screen.debugger.widgets.output
        assert ANSWERED.task.answers[0] not in player.text(output)
        assert "nothing printed yet" in player.text(output)
        await player.press("G")
        assert ANSWERED.task.answers[0] in player.text(output)


@pytest.mark.slow
async def test_the_last_lesson_is_a_problem_and_counts_as_solved(play: Play) -> None:
    lesson = COURSE.lessons[-1]
    assert lesson.solution.program is not None
    async with play() as player:
        await take(player, lesson)
        await player.write(lesson.solution.program)
        await player.press("f5")
        await player.graded()
        assert not done(player, lesson)
        await player.press("ctrl+t")
        await player.graded()
        assert done(player, lesson)
        problem = lesson.task.problem
        assert problem is not None
        assert player.screen.workspace.progress()[problem].solved
        await player.press("escape", "enter")
        assert player.screen.view == "browse"


@pytest.mark.slow
async def test_hints_come_one_by_one_and_are_remembered(play: Play) -> None:
    lesson = COURSE.lesson(1)
    async with play() as player:
        await take(player, lesson)
        assert not mentions(player, lesson.task.hints[0])
        await player.press("H")
        assert mentions(player, lesson.task.hints[0])
        assert not mentions(player, lesson.task.hints[1])
    async with play() as player:
        await player.pilot.pause()
        assert player.screen.workspace.lesson is lesson
        assert mentions(player, lesson.task.hints[0])


@pytest.mark.slow
async def test_lesson_program_is_separate_and_restored(play: Play) -> None:
    lesson = of_kind("program")
    async with play() as player:
        await player.open("E02")
        await player.write(b",[.,] mine")
        await take(player, lesson)
        assert player.screen.program.source == lesson.program
        await player.write(b"+++ half done")
        await player.open("E02")
        assert player.screen.program.source == b",[.,] mine"
        assert player.screen.workspace.lesson is None
        await take(player, lesson)
        assert player.screen.program.source == b"+++ half done"
    async with play() as player:
        assert player.screen.workspace.lesson is lesson
        assert player.screen.program.source == b"+++ half done"
        from esoplay.tui.palette import start_over

        start_over(player.screen)
        assert player.screen.program.source == lesson.program
        await player.press("ctrl+z")
        assert player.screen.program.source == b"+++ half done"


@pytest.mark.slow
async def test_finished_lesson_is_marked_and_the_next_is_offered(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await take(player, COURSE.lesson(1))
        await player.press("6", "l")
        assert done(player, COURSE.lesson(1))
        await player.open("E01")
        player.screen.show_view("learn")
        await player.pilot.pause()
        rows = player.lines(player.screen.lessons.list)
        assert rows[1].startswith("│✓  1 ")
        drills = len(COURSE.lesson(1).drills)
        assert all(row.startswith("│   · drill ") for row in rows[2 : 2 + drills])
        assert rows[2 + drills].startswith("│·  2 ")
        assert player.screen.lessons.list.highlighted == 0 or mentions(
            player, COURSE.lesson(2).text
        )


@pytest.mark.slow
async def test_lesson_view_opens_like_other_views(play: Play) -> None:
    async with play() as player:
        await player.open("E01")
        await player.press("escape", "ctrl+pageup", "ctrl+pageup")
        assert player.screen.view == "learn"
        await player.pilot.pause()
        await player.press("ctrl+o")
        assert isinstance(player.app.screen, JumpScreen)
        await player.press("escape")
        await player.press("ctrl+pagedown")
        assert player.screen.view == "browse"
        await player.pilot.click("#tab-learn")
        assert player.screen.view == "learn"


@pytest.mark.slow
async def test_lesson_text_leads_to_the_view_of_its_task(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        player.screen.show_view("edit")
        course = player.screen.lessons.course
        await player.screen.lessons.open(course.lesson(1))
        player.screen.show_view("learn")
        await player.press("ctrl+l")
        assert player.screen.view == course.lesson(1).view == "debug"


async def test_language_without_a_course_is_reported(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    def empty_course(language: str) -> Course:
        return Course(language, ())

    monkeypatch.setattr(lessons, "load_course", empty_course)
    async with play() as player:
        await player.press("ctrl+l")
        await player.pilot.pause()
        assert "no course in Brainfuck yet" in player.text()
        await player.press("enter")
        assert player.screen.workspace.lesson is None


@pytest.mark.slow
async def test_lesson_text_returns_the_focus_to_the_list(play: Play) -> None:
    async with play() as player:
        await player.press("ctrl+l", "enter", "ctrl+l")
        await settle(player)
        assert isinstance(player.screen.focused, LessonPane)
        await player.press("left", "down")
        assert isinstance(player.screen.focused, LessonList)
        assert player.screen.focused.highlighted == 1


async def test_lesson_text_scrolls_from_the_list(play: Play) -> None:
    async with play(size=(80, 20)) as player:
        await player.press("ctrl+l")
        await player.pilot.pause()
        assert player.screen.lessons.list.has_focus
        assert not mentions(player, "Enter starts the lesson")
        await player.press("right", "right")
        assert mentions(player, "Enter starts the lesson")
        await player.press("left", "left")
        assert mentions(player, COURSE.lesson(1).text)


@pytest.mark.parametrize(
    "language",
    slow_except([each for each in language_ids() if len(get_course(each))]),
)
async def test_first_lessons_of_a_course_can_be_completed(play: Play, language: str) -> None:
    async with play(size=(80, 24)) as player:
        screen = player.screen
        screen.workspace.choose_language(language)
        player.screen.show_view("learn")
        await player.pilot.pause()
        for lesson in get_course(language).lessons[:3]:
            await player.press("enter")
            await player.pilot.pause()
            assert screen.workspace.lesson is lesson
            assert screen.view == lesson.view
            line = screen.query_one(LessonLine)
            assert line.region.height <= 3
            assert ("alt+h hint" in str(line.content)) == (lesson.view == "edit")
            solution = lesson.solution
            match lesson.task.kind:
                case "state":
                    await player.press(*f"{solution.step}l")
                case "answer":
                    await player.press("ctrl+l")
                    await player.pilot.pause()
                    await player.press(*lesson.task.answers[0], "enter")
                case _:
                    screen.show_view("edit")
                    await player.write(solution.program or b"")
                    await player.press("ctrl+t")
                    await player.graded()
            assert done(player, lesson), lesson.slug
            if lesson.task.kind in ("program", "problem"):
                await player.press("escape")
            await player.press("enter")
            await player.pilot.pause()
            assert screen.view == "learn"


async def test_drills_are_listed_below_their_lesson_and_open_like_lessons(play: Play) -> None:
    lesson = COURSE.lesson(4)
    first, second = lesson.drills[:2]
    async with play(size=(120, 40)) as player:
        await take(player, lesson)
        await player.press("ctrl+l")
        listed = player.screen.lessons.list
        listed.focus()
        await player.press("j", "enter")
        await player.pilot.pause()
        assert player.screen.workspace.lesson is first
        assert "drill 1" in player.text()
        assert mentions(player, first.task.say)
        await player.write(b",.,.")
        await settle(player)
        assert not done(player, first)
        assert mentions(player, first.task.replies[0].say)
        await player.write(first.solution.program or b"")
        await settle(player)
        assert done(player, first)
        await player.press("escape", "enter")
        await player.pilot.pause()
        assert player.screen.workspace.lesson is second


async def test_a_program_written_under_an_earlier_name_of_a_lesson_is_found(play: Play) -> None:
    lesson = next(each for each in get_course("shakespeare") if each.former_names)
    async with play() as player:
        buffers = player.screen.workspace.buffers
        path = buffers.for_lesson(lesson.language_id, lesson.former_names[0]).path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b",. mine")
        await take(player, lesson)
        assert player.screen.program.source == b",. mine"
