"""Chat completions as endpoints spell them, which is not always as OpenAI does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from esoplay.evaluation.models.asking import Answer, Unavailable

_MOST_TOLD = 300  # characters of what an endpoint says of an error
_MOST_TOKENS = 10**12


def answer_in(data: bytes) -> Answer:
    """The answer in the body of a response; raises Unavailable where there is none."""
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        raise Unavailable("the answer is no JSON") from None
    body = _members(found)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise Unavailable(f"the answer has no choices: {message_in(data)}")
    choice = _members(cast("list[object]", choices)[0])
    message = _members(choice.get("message"))
    usage = _members(body.get("usage"))
    finish = choice.get("finish_reason")
    return Answer(
        _content(message.get("content")),
        _count(usage, "prompt_tokens"),
        _count(_members(usage.get("prompt_tokens_details")), "cached_tokens"),
        _count(usage, "completion_tokens"),
        finish if isinstance(finish, str) else None,
    )


def message_in(data: bytes) -> str:
    """The message of an error object, or the beginning of what else there is, on one line."""
    text = data.decode("utf-8", "replace")
    try:
        error = _members(json.loads(text)).get("error")
    except (ValueError, RecursionError):
        error = None
    message = _members(error).get("message", error)
    text = message if isinstance(message, str) else text
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return text if len(text) <= _MOST_TOLD else f"{text[:_MOST_TOLD]} …"


def _content(content: object) -> str:
    """A text, or the texts of its parts; a refusal has none."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (_members(part).get("text") for part in cast("list[object]", content))
    return "".join(part for part in parts if isinstance(part, str))


def _members(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _count(usage: Mapping[str, object], name: str) -> int | None:
    value = usage.get(name)
    return value if type(value) is int and 0 <= value < _MOST_TOKENS else None
