"""Build prompts from templates: built-in ones in ``prompts/``, or the user's."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from esolangs.wording import suggest
from esoplay.errors import UsageError
from esoplay.evaluation.extraction import NamedLanguage, add_fence
from esoplay.evaluation.model import Message
from esoplay.grading.predictions import Prediction
from esoplay.grading.problem import Example, Problem
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT
from esoplay.sessions.target import Target

_PLACEHOLDER = re.compile(r"\{\{([a-z]+)\}\}")
_MISSPELT_PLACEHOLDER = re.compile(r"\{\{[ \t]*([A-Za-z]+)[ \t]*\}\}")
_FOLDER = "esoplay.evaluation"
_MAX_TEMPLATE_BYTES = 1 << 20  # bytes

_TASK_PLACEHOLDERS = ("title", "statement", "examples")
PLACEHOLDERS: Mapping[str, tuple[str, ...]] = {
    "act": (*_TASK_PLACEHOLDERS, "observations", "plan"),
    "advice": ("passed", "total", "advice"),
    "bare": (),
    "card": ("settings", "card"),
    "critic": ("card",),
    "cut": ("length",),
    "diagnostics": ("failed", "total", "details"),
    "fenced": (),
    "file": (*_TASK_PLACEHOLDERS, "file", "starter"),
    "file-to-repair": (*_TASK_PLACEHOLDERS, "file", "starter", "repairs"),
    "left-out": (),
    "no-program": (),
    "note-whitespace": (),
    "nothing-tried": (),
    "observation": ("number", "program", "passed", "total", "thought"),
    "observe": (*_TASK_PLACEHOLDERS, "plan", "program", "result"),
    "plan": (*_TASK_PLACEHOLDERS, "observations"),
    "planner": ("card",),
    "prediction": ("program", "input"),
    "reader": ("card",),
    "result": ("passed", "total", "details"),
    "review": (*_TASK_PLACEHOLDERS, "program", "result"),
    "task": _TASK_PLACEHOLDERS,
    "writer": ("limit", "answer", "card"),
}
"""Placeholders of each prompt; all prompts also have ``language``."""

MAX_QUOTED_LENGTH = 1 << 16
"""Maximum characters quoted from an answer in later requests."""


@dataclass(frozen=True, slots=True)
class PromptTemplates:
    """Templates of an evaluation: the user's, otherwise the built-in ones.

    custom: the user's templates by name. scoring: whether feedback comes from the tests that score
    programs; some built-in templates mention this.
    """

    custom: Mapping[str, str] = field(default_factory=dict[str, str])
    scoring: bool = False

    def fill(self, name: str, **values: str) -> str:
        """Replace the placeholders of a prompt; placeholders in values are not replaced."""
        return _PLACEHOLDER.sub(lambda found: values[found[1]], self.text(name)).strip("\n") + "\n"

    def text(self, name: str) -> str:
        """Return a template by name."""
        if name in self.custom:
            return self.custom[name]
        return _built_in(name, self.scoring)

    @property
    def digest(self) -> str:
        """Return the start of the SHA-256 of all templates; each evaluation saves this digest."""
        digest = hashlib.sha256()
        for name in sorted(f"{name}.md" for name in PLACEHOLDERS):
            data = self.text(name.removesuffix(".md")).encode()
            digest.update(f"{name} {len(data)}\n".encode() + data)
        return digest.hexdigest()[:16]


BUILT_IN = PromptTemplates()


def read_templates(folder: Path, *, scoring: bool = False) -> PromptTemplates:
    """Read the user's templates from files with the names of built-in ones.

    Raises UsageError for a file ``*.md`` with another name, or an unknown placeholder.
    """
    own: dict[str, str] = {}
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".md")
        for path in paths:
            own[path.stem] = _read_template(path)
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: {error.strerror}") from None
    if not own:
        raise UsageError(
            f"{folder}: expected files of prompts, such as task.md\n"
            f"try: copy files from {Path(__file__).with_suffix('')}"
        )
    return PromptTemplates(own, scoring)


def _read_template(path: Path) -> str:
    if path.stem not in PLACEHOLDERS:
        names = [f"{name}.md" for name in PLACEHOLDERS]
        raise UsageError(f"{path}: no prompt has this name{suggest(path.name, names)}")
    with path.open("rb") as file:
        data = file.read(_MAX_TEMPLATE_BYTES + 1)
    if len(data) > _MAX_TEMPLATE_BYTES:
        raise UsageError(f"{path}: longer than {_MAX_TEMPLATE_BYTES} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: byte {error.start} is not valid UTF-8") from None
    known = ("language", *PLACEHOLDERS[path.stem])
    for number, line in enumerate(text.splitlines(), 1):
        for found in _PLACEHOLDER.finditer(line):
            if found[1] not in known:
                raise UsageError(
                    f"{path}: line {number}, column {found.start() + 1}: unknown placeholder "
                    f"{found[0]}; expected {', '.join(f'{{{{{name}}}}}' for name in known)}"
                )
        for found in _MISSPELT_PLACEHOLDER.finditer(line):
            name = found[1].lower()
            if name in known and found[0] != f"{{{{{name}}}}}":
                raise UsageError(
                    f"{path}: line {number}, column {found.start() + 1}: {found[0]} is not a "
                    f"placeholder; expected {{{{{name}}}}}"
                )
    return text


class PromptSettings(NamedTuple):
    """Settings of all prompts of an evaluation in one language.

    card: whether to include the reference card.  bare: whether the whole answer is the program,
    without a fenced block.  time_limit: maximum seconds of one run.
    """

    language: Target
    dialect: str
    options: Mapping[str, str]
    card: bool = True
    bare: bool = False
    templates: PromptTemplates = BUILT_IN
    time_limit: float = TIME_LIMIT

    def fill(self, name: str, **values: str) -> str:
        """Return a prompt with its placeholders replaced."""
        return self.templates.fill(name, language=self.language.name, **values)

    def part(self, name: str) -> str:
        """Return a template to insert in another prompt; keep line breaks at its start and end."""
        return self.templates.text(name).replace("{{language}}", self.language.name)


class SolvedExample(NamedTuple):
    """Solved example for few-shot prompts, which is not part of a pack."""

    name: str
    title: str
    statement: str
    examples: tuple[Example, ...]
    program: bytes


def writer_prompt(settings: PromptSettings) -> Message:
    """Return the system prompt of the role that writes programs."""
    answer = settings.part("bare" if settings.bare else "fenced")
    if settings.language.id == "whitespace" and "notation" not in settings.options:
        answer += settings.part("note-whitespace")
    return Message(
        "system",
        settings.fill("writer", limit=_limit(settings), answer=answer, card=_card(settings)),
    )


def role_prompt(name: str, settings: PromptSettings) -> Message:
    """Return the system prompt of a role that reviews, plans or reads programs."""
    return Message("system", settings.fill(name, card=_card(settings)))


def task_values(problem: Problem | SolvedExample) -> dict[str, str]:
    """Return the values of the placeholders for a task."""
    return {
        "title": problem.title,
        "statement": problem.statement.strip("\n"),
        "examples": _examples(problem.examples),
    }


def program_answer(program: bytes, settings: PromptSettings) -> str:
    """Return a program in the format that answers must have."""
    text = bytes_as_text(program)
    return text if settings.bare else add_fence(text)


def bytes_as_text(data: bytes) -> str:
    """Return bytes as text for a prompt."""
    return data.decode("utf-8", "backslashreplace")


def as_json_string(data: bytes) -> str:
    """Return bytes as a JSON string, so that whitespace at the ends is visible."""
    return json.dumps(bytes_as_text(data), ensure_ascii=False)


def truncate(text: str, settings: PromptSettings) -> str:
    """Truncate a text that is too long to be quoted."""
    if len(text) <= MAX_QUOTED_LENGTH:
        return text
    return f"{text[:MAX_QUOTED_LENGTH]}\n{settings.fill('cut', length=str(len(text)))}"


@lru_cache
def solved_examples(language: NamedLanguage) -> tuple[SolvedExample, ...]:
    """Return the three solved examples in a language, or an empty tuple."""
    folder = files(_FOLDER) / "examples"
    found: list[SolvedExample] = []
    for task in tomllib.loads((folder / "tasks.toml").read_text("utf-8"))["tasks"]:
        for ending in language.extensions:
            program = folder / f"{task['name']}{ending}"
            if program.is_file():
                pairs = (Example(given.encode(), out.encode()) for given, out in task["examples"])
                statement: str = task["statement"]
                found.append(
                    SolvedExample(
                        task["name"],
                        task["title"],
                        statement.strip("\n"),
                        tuple(pairs),
                        program.read_bytes(),
                    )
                )
                break
    return tuple(found)


def _examples(examples: Sequence[Example]) -> str:
    rows = [
        "".join(f"{name} {value}, " for name, value in each.invocation.as_rows().items())
        + f"input {as_json_string(each.input)}, output {as_json_string(each.output)}"
        for each in examples
    ]
    rows = [f"- {row}" for row in rows]
    return "\n".join(["Examples, as JSON strings:", "", *rows]) if rows else ""


def _card(settings: PromptSettings) -> str:
    if not settings.card:
        return ""
    terms = "" if settings.language.is_lane else f" The dialect is `{settings.dialect}`."
    changed = ", ".join(f"`{name}={value}`" for name, value in sorted(settings.options.items()))
    if changed:
        terms += f" These options are changed: {changed}."
    return "\n" + settings.fill("card", settings=terms, card=settings.language.card.strip("\n"))


def _limit(settings: PromptSettings) -> str:
    """Return the limits of one run in words; a lane has only a time limit."""
    seconds = f"{settings.time_limit:g} s"
    if settings.language.is_lane:
        return seconds
    steps = f"{GRADING_LIMITS.steps:,} steps"
    return steps if settings.time_limit == TIME_LIMIT else f"{steps} and {seconds}"


@lru_cache
def _built_in(name: str, scoring: bool) -> str:
    folder = files(_FOLDER) / "prompts"
    variant = folder / "scoring" / f"{name}.md"
    file = variant if scoring and variant.is_file() else folder / f"{name}.md"
    return file.read_text("utf-8")


# Output prediction: a model sees a program with its input and predicts the output.

PREDICTION_REGIMES = ("zero-shot", "few-shot")
"""Regimes for output predictions; the other regimes are only for problems."""


def prediction_question(item: Prediction, settings: PromptSettings, regime: str) -> list[Message]:
    """Return the messages of a request for a prediction."""
    messages = [role_prompt("reader", settings)]
    if regime == "few-shot":
        for solved in solved_examples(settings.language):
            given, printed, _ = solved.examples[0]
            messages += [
                _prediction_request(solved.program, given, settings),
                Message("assistant", add_fence(bytes_as_text(printed))),
            ]
    return [*messages, _prediction_request(item.program, item.input, settings)]


def _prediction_request(program: bytes, stdin: bytes, settings: PromptSettings) -> Message:
    text = settings.fill(
        "prediction", program=add_fence(bytes_as_text(program)), input=as_json_string(stdin)
    )
    return Message("user", text)
