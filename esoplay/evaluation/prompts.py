"""What models are asked: the data files in ``prompts/``, filled in."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from esoplay.evaluation.extraction import Spoken, fenced
from esoplay.evaluation.model import Message
from esoplay.grading.predictions import Prediction
from esoplay.grading.problem import Example, Problem
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT
from esoplay.sessions.target import Target

_GAP = re.compile(r"\{\{([a-z]+)\}\}")
_FOLDER = "esoplay.evaluation"
MOST_QUOTED = 1 << 16
"""Characters of an answer that are quoted in later requests."""


class Setting(NamedTuple):
    """What holds for all prompts of an evaluation in one language.

    card: whether to include the reference card.  bare: the whole answer is the program.
    """

    language: Target
    dialect: str
    options: Mapping[str, str]
    card: bool = True
    bare: bool = False


class Solved(NamedTuple):
    """A solved example, which belongs to no pack."""

    name: str
    title: str
    statement: str
    examples: tuple[Example, ...]
    program: bytes


def fill(name: str, **values: str) -> str:
    """The prompt ``name`` with its gaps filled; what is put in is not looked into again."""
    return _GAP.sub(lambda gap: values[gap[1]], _prompt(name)).strip("\n") + "\n"


def writer(setting: Setting) -> Message:
    """Who writes programs."""
    answer = _prompt("bare" if setting.bare else "fenced")
    if setting.language.id == "whitespace" and "notation" not in setting.options:
        answer += _prompt("note-whitespace")
    return Message(
        "system",
        fill(
            "writer",
            language=setting.language.name,
            limit=_limit(setting.language),
            answer=answer,
            card=_card(setting),
        ),
    )


def other(name: str, setting: Setting) -> Message:
    """Who reviews, plans or reads programs, by the name of the prompt."""
    return Message("system", fill(name, language=setting.language.name, card=_card(setting)))


def task_of(problem: Problem | Solved) -> dict[str, str]:
    """The gaps that a task fills."""
    return {
        "title": problem.title,
        "statement": problem.statement.strip("\n"),
        "examples": _examples(problem.examples),
    }


def handed_in(program: bytes, setting: Setting) -> str:
    """A program as an answer spells it."""
    text = shown(program)
    return text if setting.bare else fenced(text)


def shown(data: bytes) -> str:
    """Bytes as text for a prompt."""
    return data.decode("utf-8", "backslashreplace")


def in_json(data: bytes) -> str:
    """Bytes as a JSON string, so that spaces at the ends can be seen."""
    return json.dumps(shown(data), ensure_ascii=False)


def cut(text: str) -> str:
    """A text, the beginning of it where it is too long to be quoted."""
    if len(text) <= MOST_QUOTED:
        return text
    return f"{text[:MOST_QUOTED]}\n{fill('cut', length=str(len(text)))}"


@lru_cache
def solved_examples(language: Spoken) -> tuple[Solved, ...]:
    """The three solved examples in a language, none if there are none for it."""
    folder = files(_FOLDER) / "examples"
    found: list[Solved] = []
    for task in tomllib.loads((folder / "tasks.toml").read_text("utf-8"))["tasks"]:
        for ending in language.extensions:
            program = folder / f"{task['name']}{ending}"
            if program.is_file():
                pairs = (Example(given.encode(), out.encode()) for given, out in task["examples"])
                statement: str = task["statement"]
                found.append(
                    Solved(
                        task["name"],
                        task["title"],
                        statement.strip("\n"),
                        tuple(pairs),
                        program.read_bytes(),
                    )
                )
                break
    return tuple(found)


@lru_cache
def prompts_digest() -> str:
    """The first digits of a SHA-256 of all prompts; unfinished evaluations are bound to it."""
    digest = hashlib.sha256()
    folder = files(_FOLDER) / "prompts"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".md"):
            data = file.read_bytes()
            digest.update(f"{file.name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]


def _examples(examples: Sequence[Example]) -> str:
    rows = [f"- input {in_json(each.input)}, output {in_json(each.output)}" for each in examples]
    return "\n".join(["Examples, as JSON strings:", "", *rows]) if rows else ""


def _card(setting: Setting) -> str:
    if not setting.card:
        return ""
    settings = "" if setting.language.lane else f" The dialect is `{setting.dialect}`."
    changed = ", ".join(f"`{name}={value}`" for name, value in sorted(setting.options.items()))
    if changed:
        settings += f" These options are changed: {changed}."
    return "\n" + fill("card", settings=settings, card=setting.language.card.strip("\n"))


def _limit(language: Target) -> str:
    """A lane counts no steps, so time has to do."""
    return f"{TIME_LIMIT:g} s" if language.lane else f"{GRADING_LIMITS.steps:,} steps"


@lru_cache
def _prompt(name: str) -> str:
    return (files(_FOLDER) / "prompts" / f"{name}.md").read_text("utf-8")


# Output prediction: a model is shown a program and its input, and says what that prints.

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
