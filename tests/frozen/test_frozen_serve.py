"""Conversations with ``esoplay serve`` at earlier versions, held again word for word.

The rule: every answer of then is a subset of the answer of now.  An object may have gained members;
nothing may be missing, and lists have the same elements.  Not compared are texts for people
(``message``, ``explanation``, statements, hints, cards, titles), versions, and what is drawn or
measured (session ids, heads, times, memory); of these only the type counts.  Lists of what there is
(methods, languages, protocols, lanes, problems) may have gained elements.  Answers to requests that
were sent together may come in any order.  See ``frozen_data.differences``.

Courses and the pack that ships are contents and no format: of answers about them only the shape is
compared, that is members and types.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from conversation import hold, read_conversation
from frozen_data import (
    STANDS_FOR_ROOT,
    Restore,
    differences,
    each_version,
    environment,
    server_command,
    shape_of,
)

FAST = frozenset(
    {
        *("operator", "errors", "solver-primary", "solver-may-debug"),
        *("recording-brainfuck", "source-map"),
    }
)
"""One conversation of each kind; the others are held again by ``make test-all``."""


SHAPES = frozenset({"lessons", "shipped-pack"})
"""Conversations about contents that may change."""


def by_id(messages: list[Any]) -> dict[str, Any]:
    """Messages by their ids; batches and answers to what has none by their order."""
    return {
        f"batch {number}" if isinstance(message, list) else json.dumps(message["id"]): message
        for number, message in enumerate(messages)
    }


@pytest.mark.parametrize("conversation", each_version("serve/*.jsonl", fast=FAST))
def test_a_server_answers_like_earlier_versions(conversation: Path, restore: Restore) -> None:
    restored = restore(conversation)
    text = conversation.read_text("utf-8").replace(STANDS_FOR_ROOT, os.fspath(restored.root))
    arguments, turns, frozen = read_conversation(text)
    held = hold(server_command(*arguments), turns, environment(restored.home), restored.work)
    found: list[str] = []
    for number, (before, now) in enumerate(zip(frozen, held, strict=True), 2):
        answers = by_id(before), by_id(now.messages)
        if conversation.stem in SHAPES:
            answers = shape_of(answers[0]), shape_of(answers[1])
        told = differences(*answers)
        found += [f"line {number}, {str(now.lines)[:300]}: {each}" for each in told]
    assert found == []
