"""Regimes (ways of asking a model), each as a function of a context.

From EsoLang-Bench (arXiv 2603.09678): zero-shot, few-shot, self-scaffolding, textual
self-scaffolding and ReAct. From the AgentLang Index: one-shot and agent-loop. When an evaluation is
resumed, a regime is replayed from the transcript, so it may depend only on what the methods of its
context return.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from esolangs.wording import format_count
from esoplay.evaluation.extraction import replace_blocks
from esoplay.evaluation.model import Message
from esoplay.evaluation.prompts import (
    PromptSettings,
    program_answer,
    role_prompt,
    solved_examples,
    task_values,
    truncate,
    writer_prompt,
)
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport, TestResult
from esoplay.running.invocation import ProgramInvocation

# Feedback on a program that the model wrote: its result on the public examples. Models see results
# of hidden tests only with the option `--feedback scoring`. The last program is graded with the
# hidden tests.

_MAX_SHOWN = 3  # maximum number of failed examples that are shown
_MAX_BYTES = 400
_PLACE = re.compile(r"line (\d+)(?:,? column (\d+))?")

_MEMBERS = {"exit": "expected_exit", "stderr": "expected_stderr"}
_CLASSES = {
    "parse_error": "compile_error",
    "wrong_answer": "wrong_answer",
    "time_limit": "timeout",
}


class FailedExample(NamedTuple):
    """A failed example, with the details that the model sees.

    conditions: differences from an ordinary run, as in ``ProgramInvocation.as_json``.
    """

    verdict: str
    input: str
    expected: str
    got: str
    message: str
    conditions: Mapping[str, Any] = MappingProxyType({})

    @property
    def in_words(self) -> str:
        line = f"- {self.verdict.replace('_', ' ')}: {self._conditions_in_words}"
        line += f"input {_quote(self.input)}, expected "
        line += f"{_quote(self.expected)}, printed {_quote(self.got)}"
        return f"{line}; {self.message}" if self.message else line

    @property
    def diagnostic_json(self) -> str:
        """Return one JSON object: kind of error, position if known, input and output."""
        place = _PLACE.search(self.message)
        return json.dumps(
            {
                "error_class": _CLASSES.get(self.verdict, "runtime_error"),
                "verdict": self.verdict,
                "message": self.message,
                "line": int(place[1]) if place else None,
                "column": int(place[2]) if place and place[2] else None,
                "input": self.input,
                **{_MEMBERS.get(name, name): value for name, value in self.conditions.items()},
                "expected": self.expected,
                "actual": self.got,
            },
            ensure_ascii=False,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the example as JSON for a transcript; ``conditions`` is omitted if empty."""
        saved = self._asdict()
        del saved["conditions"]
        return {**saved, "conditions": dict(self.conditions)} if self.conditions else saved

    @property
    def _conditions_in_words(self) -> str:
        found = ProgramInvocation(
            tuple(self.conditions.get("arguments", ())),
            self.conditions.get("exit", 0),
            self.conditions.get("stderr", "").encode(),
        )
        return "".join(f"{name} {value}, " for name, value in found.as_rows().items())


class ExampleOutcome(NamedTuple):
    """Result of a program on the tests for feedback."""

    passed: int
    total: int
    misses: tuple[FailedExample, ...]

    @property
    def is_passed(self) -> bool:
        return self.passed == self.total > 0

    @property
    def details(self) -> str:
        return "\n".join(miss.in_words for miss in self.misses)

    @property
    def diagnostics(self) -> str:
        return "\n".join(miss.diagnostic_json for miss in self.misses)

    def in_words(self, tests_name: str) -> str:
        """Return a sentence with the number of passed tests, and the details of failed ones.

        tests_name: name of the tests in the sentence.
        """
        summary = f"it passed {self.passed} of {self.total} {tests_name}."
        return f"{summary}\n\n{self.details}" if self.misses else summary

    def as_json(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "total": self.total,
            "misses": [miss.as_json() for miss in self.misses],
        }


def outcome_of_report(report: GradeReport) -> ExampleOutcome:
    """Convert a report, which must contain the details of its tests, to an outcome."""
    missed = [_failed_example(test) for test in report.tests if not test.passed]
    return ExampleOutcome(report.passed, report.total, tuple(missed[:_MAX_SHOWN]))


def outcome_from_json(data: dict[str, Any]) -> ExampleOutcome:
    """Convert the JSON object of :meth:`ExampleOutcome.as_json` back to an outcome."""
    misses = tuple(FailedExample(**miss) for miss in data["misses"])
    return ExampleOutcome(data["passed"], data["total"], misses)


def _failed_example(test: TestResult) -> FailedExample:
    detail = test.detail
    assert detail is not None, "tests that give feedback have details"
    given, expected, got = map(_text, (detail.input, detail.expected, detail.got))
    conditions = detail.invocation.as_json()
    message = detail.message[:_MAX_BYTES]
    return FailedExample(test.verdict, given, expected, got, message, conditions)


def _text(data: bytes) -> str:
    text = data[:_MAX_BYTES].decode("utf-8", "backslashreplace")
    return text if len(data) <= _MAX_BYTES else f"{text} … ({format_count(len(data), 'byte')})"


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


class RegimeContext(Protocol):
    """Context of a regime: one problem in one language, and a model."""

    @property
    def prompt_settings(self) -> PromptSettings: ...
    @property
    def problem(self) -> Problem: ...
    @property
    def attempts(self) -> int:
        """Maximum number of programs, for regimes that may try several."""
        ...

    @property
    def tests_name(self) -> str:
        """Name of the tests for feedback, such as ``public examples``."""
        ...

    def ask(self, role: str, messages: list[Message]) -> str:
        """Send a request to the model in the role ``role`` and return its answer."""
        ...

    def program(self, answer: str) -> bytes | None:
        """Return the program in an answer, or None."""
        ...

    def try_out(self, program: bytes) -> ExampleOutcome:
        """Run a program on the tests for feedback and return the result."""
        ...


Play = Callable[[RegimeContext], bytes | None]


class Regime(NamedTuple):
    """A method of getting a program from a model, such as zero-shot or few-shot prompts.

    play: function that returns the last program, if any.  tries_several: whether the regime may try
    several programs.
    """

    title: str
    play: Play
    tries_several: bool


def _zero_shot(context: RegimeContext) -> bytes | None:
    return context.program(
        context.ask("coder", [writer_prompt(context.prompt_settings), _task(context)])
    )


def _few_shot(context: RegimeContext) -> bytes | None:
    shots: list[Message] = []
    for solved in solved_examples(context.prompt_settings.language):
        shots.append(Message("user", context.prompt_settings.fill("task", **task_values(solved))))
        shots.append(Message("assistant", program_answer(solved.program, context.prompt_settings)))
    return context.program(
        context.ask("coder", [writer_prompt(context.prompt_settings), *shots, _task(context)])
    )


def _self_scaffolding(context: RegimeContext) -> bytes | None:
    return _repair(
        context, _task(context), context.attempts, lambda tried, _: _result(context, tried)
    )


def _textual_self_scaffolding(context: RegimeContext) -> bytes | None:
    def advice(outcome: ExampleOutcome, program: bytes) -> str:
        review = context.ask(
            "critic",
            [
                role_prompt("critic", context.prompt_settings),
                Message(
                    "user",
                    context.prompt_settings.fill(
                        "review",
                        **task_values(context.problem),
                        program=_quoted_program(program, context),
                        result=outcome.in_words(context.tests_name),
                    ),
                ),
            ],
        )
        return context.prompt_settings.fill(
            "advice",
            passed=str(outcome.passed),
            total=str(outcome.total),
            advice=_without_code(review, context),
        )

    return _repair(context, _task(context), context.attempts, advice)


def _react(context: RegimeContext) -> bytes | None:
    task, prompt_settings = task_values(context.problem), context.prompt_settings
    observations: list[str] = []
    last: bytes | None = None
    for number in range(1, context.attempts + 1):
        seen = "\n".join(observations or [prompt_settings.fill("nothing-tried")]).strip("\n")
        planner = [
            role_prompt("planner", context.prompt_settings),
            Message("user", prompt_settings.fill("plan", **task, observations=seen)),
        ]
        plan = _without_code(context.ask("planner", planner), context)
        coder = [
            writer_prompt(context.prompt_settings),
            Message("user", prompt_settings.fill("act", **task, observations=seen, plan=plan)),
        ]
        program = context.program(context.ask("coder", coder))
        if program is None:
            observations.append(prompt_settings.fill("no-program"))
            continue
        last = program
        tried = context.try_out(program)
        if tried.is_passed or number == context.attempts:
            break
        written = _quoted_program(program, context)
        critic = [
            role_prompt("critic", context.prompt_settings),
            Message(
                "user",
                prompt_settings.fill(
                    "observe",
                    **task,
                    plan=plan,
                    program=written,
                    result=tried.in_words(context.tests_name),
                ),
            ),
        ]
        observations.append(
            prompt_settings.fill(
                "observation",
                number=str(number),
                program=written,
                passed=str(tried.passed),
                total=str(tried.total),
                thought=_without_code(context.ask("critic", critic), context),
            )
        )
    return last


def _one_shot(context: RegimeContext) -> bytes | None:
    return context.program(
        context.ask(
            "coder", [writer_prompt(context.prompt_settings), _file_request(context, "file")]
        )
    )


def _agent_loop(context: RegimeContext) -> bytes | None:
    def diagnostics(outcome: ExampleOutcome, _: bytes) -> str:
        failed = str(outcome.total - outcome.passed)
        return context.prompt_settings.fill(
            "diagnostics", failed=failed, total=str(outcome.total), details=outcome.diagnostics
        )

    first = _file_request(context, "file-to-repair", repairs=str(context.attempts))
    return _repair(context, first, context.attempts + 1, diagnostics)


REGIMES: Mapping[str, Regime] = MappingProxyType(
    {
        "zero-shot": Regime("Zero-shot", _zero_shot, False),
        "few-shot": Regime("Few-shot", _few_shot, False),
        "self-scaffolding": Regime("Self-scaffolding", _self_scaffolding, True),
        "textual-self-scaffolding": Regime(
            "Textual self-scaffolding", _textual_self_scaffolding, True
        ),
        "react": Regime("ReAct", _react, True),
        "one-shot": Regime("One-shot", _one_shot, False),
        "agent-loop": Regime("Agent loop", _agent_loop, True),
    }
)


def _repair(
    context: RegimeContext,
    first: Message,
    attempts: int,
    reply: Callable[[ExampleOutcome, bytes], str],
) -> bytes | None:
    """Ask for up to ``attempts`` programs in one conversation, until one passes the tests.

    reply: returns the next message to the model after a failed program.

    Returns the last program, even if later answers contained none.
    """
    messages = [writer_prompt(context.prompt_settings), first]
    last: bytes | None = None
    for number in range(1, attempts + 1):
        answer = context.ask("coder", messages)
        program = context.program(answer)
        if program is None:
            feedback = context.prompt_settings.fill("no-program")
        else:
            last = program
            tried = context.try_out(program)
            if tried.is_passed or number == attempts:
                break
            feedback = reply(tried, program)
        messages = [
            *messages,
            Message("assistant", truncate(answer, context.prompt_settings)),
            Message("user", feedback),
        ]
    return last


def _task(context: RegimeContext) -> Message:
    return Message("user", context.prompt_settings.fill("task", **task_values(context.problem)))


def _file_request(context: RegimeContext, prompt: str, **values: str) -> Message:
    language = context.prompt_settings.language
    return Message(
        "user",
        context.prompt_settings.fill(
            prompt,
            **task_values(context.problem),
            **values,
            file=f"solution{language.extensions[0]}",
            starter=program_answer(context.problem.starter(language.id), context.prompt_settings),
        ),
    )


def _result(context: RegimeContext, outcome: ExampleOutcome) -> str:
    return context.prompt_settings.fill(
        "result", passed=str(outcome.passed), total=str(outcome.total), details=outcome.details
    )


def _quoted_program(program: bytes, context: RegimeContext) -> str:
    return truncate(program_answer(program, context.prompt_settings), context.prompt_settings)


def _without_code(text: str, context: RegimeContext) -> str:
    """Return a truncated answer with a note in place of each fenced block.

    For roles that advise or plan, so that no code of theirs gets into a later request.
    """
    left_out = context.prompt_settings.fill("left-out").strip("\n")
    return truncate(replace_blocks(text, left_out), context.prompt_settings).strip("\n")
