"""Progress in lessons survives that a lesson gets another number."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from esoplay.learning.course import Course
from esoplay.learning.lessons import get_course
from esoplay.tui.learn import lesson_progress
from esoplay.tui.workspace import PlayState


def test_a_lesson_stays_done_under_its_earlier_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = get_course("brainfuck").lesson(3)
    moved = replace(lesson, slug="05-moved", former_names=(lesson.slug,))
    state = PlayState(tmp_path)
    lesson_progress.mark_done(state, lesson)

    def course_of(_language_id: str) -> Course:
        return Course("brainfuck", (moved,))

    monkeypatch.setattr(lesson_progress, "get_course", course_of)
    assert "05-moved" in lesson_progress.finished_lessons(state, "brainfuck")
    state.close()
