"""What is asked of a model, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol

Role = Literal["system", "user", "assistant"]

MOST_ANSWER = 16 << 20
"""Bytes of an answer; what is longer was not meant as one."""


class Message(NamedTuple):
    """One part of a conversation; ``assistant`` is the model itself."""

    role: Role
    text: str

    def as_json(self) -> dict[str, Any]:
        return {"role": self.role, "content": self.text}


class Answer(NamedTuple):
    """What a model said.

    text: bytes that are no UTF-8 are in it as ``surrogateescape`` has them.
    input_tokens: of the whole request, ``cached_tokens`` of them at a lower price;
    output_tokens: reasoning included.  None where nobody told.
    finish: why it ended, in the endpoint's own word.
    """

    text: str
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    finish: str | None = None


class Model(Protocol):
    """Somebody who answers.  May be asked from several threads at a time."""

    def ask(self, messages: Sequence[Message], seed: int | None) -> Answer:
        """One answer.

        Raises Unavailable where asking again may help, Declined where it will not, and
        UsageError where every other request would be refused as well.
        """
        ...

    def close(self) -> None:
        """Give up what is under way, as far as that can be done."""
        ...


class Unavailable(Exception):
    """No answer this time.  wait: seconds that the endpoint asked for, if it did."""

    def __init__(self, reason: str, wait: float | None = None):
        super().__init__(reason)
        self.wait = wait


class Declined(Exception):
    """No answer to this request, however often it is made."""


def to_bytes(text: str) -> bytes:
    """The bytes that a text stands for; lone surrogates that stand for none are spelt as such."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
