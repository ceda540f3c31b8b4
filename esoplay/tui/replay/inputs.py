"""Which input an attempt is debugged with: one of those that the solver used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from esoplay.service.replay import Attempt, Replay, UsedInput
from esoplay.tui.debug.visible import plural, reveal
from esoplay.tui.dialogs import Choice, ChoiceDialog

if TYPE_CHECKING:
    from textual.app import App

MOST = 200
"""Inputs that are offered."""

_KEYS = "123456789abcdefghilmopqrstuvwxyz"
_WORDS = 60  # bytes of an input that are shown

EMPTY = UsedInput(b"", ())


def ask_input(
    app: App[None],
    replay: Replay,
    attempt: Attempt,
    inputs: Sequence[UsedInput],
    answered: Callable[[UsedInput | None], None],
) -> None:
    """Ask which input to debug an attempt with, where there is more than one."""
    offered = list(inputs[:MOST])
    if all(each.data or each.expected is not None for each in offered):
        offered.append(EMPTY)
    if len(offered) == 1:
        answered(offered[0])
        return
    choices = [
        Choice(str(at), _KEYS[at] if at < len(_KEYS) else " ", *_told(replay, attempt, each))
        for at, each in enumerate(offered)
    ]

    def chosen(id: str | None) -> None:
        answered(None if id is None else offered[int(id)])

    text = "Inputs that the solver used; hidden tests are not among them."
    if any(each.expected is not None for each in inputs):
        text = "Inputs that the solver used, and hidden tests."
    app.push_screen(ChoiceDialog("Debug with input", text, choices), chosen)


def _told(replay: Replay, attempt: Attempt, used: UsedInput) -> tuple[str, str]:
    """When an input was used, and what it is."""
    shown = reveal(used.data[:_WORDS]) + ("…" if len(used.data) > _WORDS else "")
    words = shown if used.data else "empty"
    if used.expected is not None:
        return "hidden test", words
    if not used.attempts:
        return "none of them", words
    if attempt.place in used.attempts:
        return "of this run", words
    last = replay.attempts[used.attempts[-1]]
    times = plural(len(used.attempts), "run")
    same = "this program" if last.program == attempt.program else f"#{last.place + 1}"
    return f"{times}, {same}", words
