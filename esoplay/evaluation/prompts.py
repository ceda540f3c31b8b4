"""Prompts for models: the templates in ``prompts/``, filled in."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from esoplay.evaluation.extraction import NamedLanguage, fenced
from esoplay.evaluation.model import Message
from esoplay.grading.predictions import Prediction
from esoplay.grading.problem import Example, Problem
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT
from esoplay.sessions.target import Target

_GAP = re.compile(r"\{\{([a-z]+)\}\}")
_FOLDER = "esoplay.evaluation"
MOST_QUOTED = 1 << 16
"""Maximum characters of an answer that are quoted in later requests."""


class Setting(NamedTuple):
    """The settings of all prompts of an evaluation in one language.

    card: whether to include the reference card.  bare: the whole answer is the program.
    """

    language: Target
    dialect: str
    options: Mapping[str, str]
    card: bool = True
    bare: bool = False


class Solved(NamedTuple):
    """A solved example, which is not part of a pack."""

    name: str
    title: str
    statement: str
    examples: tuple[Example, ...]
    program: bytes


def fill(name: str, **values: str) -> str:
    """Return the prompt ``name`` with its placeholders filled; values are not expanded again."""
    return _GAP.sub(lambda gap: values[gap[1]], _prompt(name)).strip("\n") + "\n"


def writer_prompt(setting: Setting) -> Message:
    """Return the system prompt of the role that writes programs."""
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


def role_prompt(name: str, setting: Setting) -> Message:
    """Return the system prompt of a role that reviews, plans or reads programs."""
    return Message("system", fill(name, language=setting.language.name, card=_card(setting)))


def task_of(problem: Problem | Solved) -> dict[str, str]:
    """Return the values of a task's placeholders."""
    return {
        "title": problem.title,
        "statement": problem.statement.strip("\n"),
        "examples": _examples(problem.examples),
    }


def program_answer(program: bytes, setting: Setting) -> str:
    """Return a program in the format of an answer."""
    text = bytes_as_text(program)
    return text if setting.bare else fenced(text)


def bytes_as_text(data: bytes) -> str:
    """Return bytes as text for a prompt."""
    return data.decode("utf-8", "backslashreplace")


def as_json_string(data: bytes) -> str:
    """Return bytes as a JSON string, so that spaces at the ends are visible."""
    return json.dumps(bytes_as_text(data), ensure_ascii=False)


def truncate(text: str) -> str:
    """Shorten a text that is too long to be quoted."""
    if len(text) <= MOST_QUOTED:
        return text
    return f"{text[:MOST_QUOTED]}\n{fill('cut', length=str(len(text)))}"


@lru_cache
def solved_examples(language: NamedLanguage) -> tuple[Solved, ...]:
    """Return the solved examples in a language: three, or none."""
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
    """Return the first digits of the SHA-256 of all prompts, which unfinished evaluations
    record."""
    digest = hashlib.sha256()
    folder = files(_FOLDER) / "prompts"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".md"):
            data = file.read_bytes()
            digest.update(f"{file.name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]


def _examples(examples: Sequence[Example]) -> str:
    rows = [
        f"- input {as_json_string(each.input)}, output {as_json_string(each.output)}"
        for each in examples
    ]
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
    """Return the step limit, or for a lane, which counts no steps, the time limit."""
    return f"{TIME_LIMIT:g} s" if language.lane else f"{GRADING_LIMITS.steps:,} steps"


@lru_cache
def _prompt(name: str) -> str:
    return (files(_FOLDER) / "prompts" / f"{name}.md").read_text("utf-8")


# Output prediction: a model sees a program with its input and predicts the output.

REGIMES = ("zero-shot", "few-shot")
"""The regimes for predictions: programs cannot be tried out, so there are no others."""


def question(item: Prediction, setting: Setting, regime: str) -> list[Message]:
    """Return the messages that ask for a prediction."""
    messages = [role_prompt("reader", setting)]
    if regime == "few-shot":
        for solved in solved_examples(setting.language):
            given, printed = solved.examples[0]
            messages += [
                _prediction_request(solved.program, given),
                Message("assistant", fenced(bytes_as_text(printed))),
            ]
    return [*messages, _prediction_request(item.program, item.input)]


def _prediction_request(program: bytes, stdin: bytes) -> Message:
    text = fill("prediction", program=fenced(bytes_as_text(program)), input=as_json_string(stdin))
    return Message("user", text)
