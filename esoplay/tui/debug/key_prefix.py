"""What is typed ahead of a key or after it: the digits of a count, the letter of a mark."""

from __future__ import annotations

from typing import Literal

from esoplay.tui.debug.time_travel import TimeTravel
from esoplay.tui.debug.visible import grouped

MOST_DIGITS = 15


class KeyPrefix:
    """Collects a count, and sets marks or goes to them."""

    def __init__(self, time: TimeTravel) -> None:
        self._time = time
        self.count = ""
        self._awaited: Literal["set", "go"] | None = None

    def take_count(self, default: int = 1) -> int:
        """The count for the key that was pressed; it is used up."""
        count, self.count = self.count, ""
        return int(count) if count else default

    def await_mark(self, what: Literal["set", "go"]) -> None:
        """Let the next key name a mark."""
        self._awaited = what
        self._time.say("which mark? press a letter")

    def type(self, character: str) -> bool:
        """Take a key that is not an action by itself; whether it was one of those."""
        if self._awaited is not None:
            awaited, self._awaited = self._awaited, None
            if character.isalpha():
                self._use_mark(awaited, character)
            else:
                self._time.say("a mark is a letter")
            return True
        if character.isdecimal() and character.isascii() and (self.count or character != "0"):
            self.count = (self.count + character)[:MOST_DIGITS]
            self._time.say("")
            return True
        return False

    def _use_mark(self, what: Literal["set", "go"], name: str) -> None:
        travel, target = self._time, self._time.target
        if target is None:
            return
        if what == "set":
            target.marks[name] = target.moment.step
            travel.notice = f"mark {name} is step {grouped(target.moment.step)}"
            travel.refresh()
        elif name in target.marks:
            travel.seek(target.marks[name])
        else:
            travel.say(f"there is no mark {name}")
