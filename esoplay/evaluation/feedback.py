"""What a model is told about a program that it wrote: how it did on the public examples.

Hidden tests never come into this.  A program is tried on what everybody may see, and the last one
is judged by what nobody may see.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from esoplay.grading.report import GradeReport, TestResult

_MOST_SHOWN = 3  # examples that failed
_MOST_BYTES = 400
_PLACE = re.compile(r"line (\d+)(?:,? column (\d+))?")

_CLASSES = {
    "parse_error": "compile_error",
    "wrong_answer": "wrong_answer",
    "time_limit": "timeout",
}


class Miss(NamedTuple):
    """An example that was not passed, with as much as is told of it."""

    verdict: str
    input: str
    expected: str
    got: str
    message: str

    @property
    def in_words(self) -> str:
        told = f"- {self.verdict.replace('_', ' ')}: input {_quoted(self.input)}, expected "
        told += f"{_quoted(self.expected)}, printed {_quoted(self.got)}"
        return f"{told}; {self.message}" if self.message else told

    @property
    def as_diagnostic(self) -> str:
        """One JSON object: what kind of error, where as far as that is known, and the bytes."""
        place = _PLACE.search(self.message)
        return json.dumps(
            {
                "error_class": _CLASSES.get(self.verdict, "runtime_error"),
                "verdict": self.verdict,
                "message": self.message,
                "line": int(place[1]) if place else None,
                "column": int(place[2]) if place and place[2] else None,
                "input": self.input,
                "expected": self.expected,
                "actual": self.got,
            },
            ensure_ascii=False,
        )


class Tried(NamedTuple):
    """What became of a program on the public examples, or of an answer without one."""

    passed: int
    total: int
    misses: tuple[Miss, ...]

    @property
    def good(self) -> bool:
        return self.passed == self.total > 0

    @property
    def details(self) -> str:
        return "\n".join(miss.in_words for miss in self.misses)

    @property
    def diagnostics(self) -> str:
        return "\n".join(miss.as_diagnostic for miss in self.misses)

    @property
    def result(self) -> str:
        """The whole result in words."""
        told = f"it passed {self.passed} of {self.total} examples."
        return f"{told}\n\n{self.details}" if self.misses else told

    def as_json(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "total": self.total,
            "misses": [miss._asdict() for miss in self.misses],
        }


def tried_of(report: GradeReport) -> Tried:
    """What is told of a report on public examples."""
    missed = [_miss(test) for test in report.tests if not test.passed]
    return Tried(report.passed, report.total, tuple(missed[:_MOST_SHOWN]))


def tried_from(data: dict[str, Any]) -> Tried:
    """What :meth:`Tried.as_json` has written."""
    misses = tuple(Miss(**miss) for miss in data["misses"])
    return Tried(data["passed"], data["total"], misses)


def _miss(test: TestResult) -> Miss:
    detail = test.detail
    assert detail is not None, "everything is told of public examples"
    given, expected, got = map(_text, (detail.input, detail.expected, detail.got))
    return Miss(test.verdict, given, expected, got, detail.message[:_MOST_BYTES])


def _text(data: bytes) -> str:
    text = data[:_MOST_BYTES].decode("utf-8", "backslashreplace")
    return text if len(data) <= _MOST_BYTES else f"{text} … ({len(data)} bytes)"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
