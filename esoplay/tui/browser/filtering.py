"""Which problems a filter lets through: every word of it must be somewhere in what is known."""

from __future__ import annotations

from esoplay.grading.problem import Problem
from esoplay.service.progress import Progress

_WORDS = {"solved": ("solved",), "tried": ("tried", "unsolved"), "untried": ("untried", "unsolved")}
"""What a problem may be called by its status in the language in use."""


def matches(problem: Problem, progress: Progress, text: str) -> bool:
    """Whether each word is a part of id, title, tier or category, or begins the status."""
    known = f"{problem.id} {problem.title} {problem.tier} {problem.category}".casefold()
    states = _WORDS[progress.status]
    return all(
        word in known or any(state.startswith(word) for state in states)
        for word in text.casefold().split()
    )
