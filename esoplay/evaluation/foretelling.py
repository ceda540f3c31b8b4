"""Output prediction: a model is shown a program and its input, and says what that prints."""

from __future__ import annotations

from esoplay.evaluation.extraction import fenced
from esoplay.evaluation.models.asking import Message
from esoplay.evaluation.prompts import Setting, fill, in_json, other, shown, solved_examples
from esoplay.grading.predictions import Prediction

REGIMES = ("zero-shot", "few-shot")
"""Nothing can be tried out, so there are no others."""


def question(item: Prediction, setting: Setting, regime: str) -> list[Message]:
    """What the model is asked."""
    messages = [other("reader", setting)]
    if regime == "few-shot":
        for solved in solved_examples(setting.language):
            given, printed = solved.examples[0]
            messages += [_ask(solved.program, given), Message("assistant", fenced(shown(printed)))]
    return [*messages, _ask(item.program, item.input)]


def _ask(program: bytes, given: bytes) -> Message:
    text = fill("prediction", program=fenced(shown(program)), input=in_json(given))
    return Message("user", text)
