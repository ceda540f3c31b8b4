"""Saved progress in lessons: completed lessons, and hints shown."""

from __future__ import annotations

from typing import cast

from esoplay.errors import EsoplayError
from esoplay.learning.lessons import Lesson, get_course
from esoplay.tui.workspace import PlayState


def finished_lessons(state: PlayState, language_id: str) -> frozenset[str]:
    """Return the slugs of a language's completed lessons and drills.

    Lessons that were completed under former slugs are included under their current slugs too.
    """
    stored = state.setting(f"lessons done {language_id}", [])
    listed = cast("list[object]", stored) if isinstance(stored, list) else []
    slugs = {slug for slug in listed if isinstance(slug, str)}
    try:
        course = get_course(language_id)
    except EsoplayError:  # the screen reports this error when it shows the course
        return frozenset(slugs)
    for lesson in course:
        for each in (lesson, *lesson.drills):
            if not slugs.isdisjoint(each.former_names):
                slugs.add(each.slug)
    return frozenset(slugs)


def mark_done(state: PlayState, lesson: Lesson) -> None:
    """Save that a lesson is done. Raises StoreError if it cannot be saved."""
    slugs = finished_lessons(state, lesson.language_id) | {lesson.slug}
    state.set_setting(f"lessons done {lesson.language_id}", sorted(slugs))


def shown_hint_count(state: PlayState, lesson: Lesson) -> int:
    """Return how many hints of a lesson were shown."""
    shown = state.setting(_hints_setting(lesson), 0)
    return min(shown, len(lesson.task.hints)) if isinstance(shown, int) else 0


def save_hint_shown(state: PlayState, lesson: Lesson) -> None:
    """Save that one more hint was shown. Raises StoreError if it cannot be saved."""
    shown = min(shown_hint_count(state, lesson) + 1, len(lesson.task.hints))
    state.set_setting(_hints_setting(lesson), shown)


def _hints_setting(lesson: Lesson) -> str:
    return f"lesson hints {lesson.language_id} {lesson.slug}"
