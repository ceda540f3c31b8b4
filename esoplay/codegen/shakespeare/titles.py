"""What acts and scenes are called."""

from __future__ import annotations

SETTINGS = (
    *("A hall in the castle", "A street", "The forest", "Another part of the forest"),
    *("Before the gates", "A garden", "The same", "A room in the palace", "A heath"),
)
_WORDS = (("!=", "is not"), ("==", "is"), (">=", "is at least"), ("<", "is below"))


def in_question(text: str) -> str:
    """A condition, or a statement that begins with one, in words."""
    text = text.removeprefix("while ").removeprefix("if ")
    for sign, words in _WORDS:
        text = text.replace(f" {sign} ", f" {words} ")
    return f"whether {text}"


def title(text: str) -> str:
    """What a statement does, as a title."""
    text = text.replace("!=", "is not").replace("==", "is")
    return f"In which it goes on {text}" if text.startswith("while") else f"Concerning {text}"
