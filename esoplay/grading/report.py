"""Data classes for the results of grading, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from esoplay.errors import EXIT_FAILED, EXIT_LIMIT, EXIT_PASSED
from esoplay.running.invocation import PLAIN, ProgramInvocation
from esoplay.running.run import SHOWN_IN_TEST, first_bytes, truncation_fields

if TYPE_CHECKING:
    from esoplay.grading.differences import OutputDifference
    from esoplay.grading.problem import EdgeClass


Verdict = Literal[
    "pass",
    "wrong_answer",
    "parse_error",
    "fault",
    "step_limit",
    "output_limit",
    "memory_limit",
    "work_limit",
    "time_limit",
]
LIMIT_VERDICTS = frozenset(
    {"step_limit", "output_limit", "memory_limit", "work_limit", "time_limit"}
)


class TestDetail(NamedTuple):
    """Input and output of a test. message: description of a failed run's end, or empty."""

    input: bytes
    expected: bytes
    got: bytes
    message: str = ""
    invocation: ProgramInvocation = PLAIN

    def as_json(self, max_bytes: int | None = None) -> dict[str, Any]:
        """Return the details as JSON; ``got_base64`` is added if ``got`` is not UTF-8.

        max_bytes: maximum bytes of ``got`` in the JSON; None for all.
        """
        got = first_bytes(self.got, max_bytes)
        data: dict[str, Any] = {
            "input": self.input.decode("utf-8", "replace"),
            "expected": self.expected.decode("utf-8", "replace"),
            "got": got.decode("utf-8", "replace"),
            **self.invocation.as_json(),
        }
        try:
            got.decode("utf-8")
        except UnicodeDecodeError:
            from base64 import b64encode

            data["got_base64"] = b64encode(got).decode("ascii")
        if len(got) < len(self.got):
            data |= truncation_fields(len(self.got))
        if self.message:
            data["message"] = self.message
        return data


def truncate_test_output(test: Mapping[str, Any], max_bytes: int) -> dict[str, Any]:
    """Truncate the printed output in the JSON of a ``TestResult`` to ``max_bytes`` bytes."""
    if "got" not in test:
        return dict(test)
    from base64 import b64decode

    encoded = test.get("got_base64")
    got = test["got"].encode() if encoded is None else b64decode(encoded)
    if len(got) <= max_bytes:
        return dict(test)
    cut = TestDetail(b"", b"", got).as_json(max_bytes)
    kept = {name: value for name, value in test.items() if name not in ("got", "got_base64")}
    return kept | {name: cut[name] for name in cut if name not in ("input", "expected")}


@dataclass(frozen=True, slots=True)
class TestResult:
    """Result of one test.  index: number from 1.  memory: bytes by the cost model.

    cause: difference between outputs of a failed test.  ``edge_class``, ``detail`` and ``cause``
    are None for hidden tests.
    """

    index: int
    edge_class: str | None
    verdict: Verdict
    steps: int
    memory: int
    detail: TestDetail | None = None
    cause: OutputDifference | None = None

    @property
    def passed(self) -> bool:
        return self.verdict == "pass"

    def as_json(self, max_bytes: int | None = None) -> dict[str, Any]:
        """Return the result as JSON; ``max_bytes``: see ``TestDetail.as_json``."""
        data: dict[str, Any] = {"index": self.index}
        if self.edge_class is not None:
            data["class"] = self.edge_class
        data |= {"verdict": self.verdict, "steps": self.steps}
        if self.detail is None:
            return data
        data |= self.detail.as_json(max_bytes)
        return data if self.cause is None else data | {"cause": self.cause.as_json()}


class DialectCause(NamedTuple):
    """Option that differs between dialects and determines whether a program passes."""

    option: str
    text: str


@dataclass(frozen=True, slots=True)
class OtherDialect:
    """Dialect in which a program gets the opposite verdict.

    tests: whether the same tests or the public examples were run again.  causes: differences that
    make the program fail, each alone or, if none does, all together; empty if the budget was too
    small to find any.  passes: whether the program passes in ``dialect``; otherwise it passes in
    the graded dialect.
    """

    dialect: str
    tests: Literal["tests", "examples"]
    causes: tuple[DialectCause, ...]
    passes: bool = True

    def lines(self, graded_dialect: str) -> list[str]:
        """Return a line about the verdicts in both dialects, and a line for each cause.

        graded_dialect: the dialect in which the program was graded.
        """
        where = "" if self.tests == "tests" else "on the public examples: "
        passing, failing = (
            (self.dialect, graded_dialect) if self.passes else (graded_dialect, self.dialect)
        )
        head = f"{where}passes in dialect {passing}, fails in {failing}"
        return [f"{head}, because" if self.causes else head, *(each.text for each in self.causes)]

    def as_json(self, graded_dialect: str) -> dict[str, Any]:
        """Return the comparison of dialects as JSON.

        Its member ``message`` contains the text that the method ``lines`` returns, on one line.
        """
        head, *causes = self.lines(graded_dialect)
        return {
            "dialect": self.dialect,
            "tests": self.tests,
            "causes": [each._asdict() for each in self.causes],
            "message": f"{head} {'; '.join(causes)}".rstrip(),
        }


@dataclass(frozen=True, slots=True)
class GradeReport:
    """Report on one submission, which is solved if every test passed.

    seed_commitment: None for public examples, which have no seed.  has_fixed_tests: whether the
    tests are the same for every seed.  other_dialect: dialect with the opposite verdict, None if
    none is known.  only_class: the only edge class whose tests fail, if the tests are public;
    otherwise None.
    """

    problem: str
    language: str
    dialect: str
    tests: tuple[TestResult, ...]
    seed_commitment: str | None = None
    has_fixed_tests: bool = False
    other_dialect: OtherDialect | None = None
    only_class: EdgeClass | None = None

    @property
    def only_class_text(self) -> str:
        """Return a sentence about the only edge class that fails, or an empty string."""
        if self.only_class is None:
            return ""
        name, description = self.only_class
        return f"only tests of class {name} fail: {description}"

    @property
    def total_steps(self) -> int:
        """Sum of the steps of all tests."""
        return sum(test.steps for test in self.tests)

    @property
    def passed(self) -> int:
        return sum(test.passed for test in self.tests)

    @property
    def total(self) -> int:
        return len(self.tests)

    @property
    def solved(self) -> bool:
        return self.passed == self.total > 0

    @property
    def exit_code(self) -> int:
        """Exit code: 0 if solved, 3 if all failed tests reached limits, otherwise 1."""
        if self.solved:
            return EXIT_PASSED
        failed = {test.verdict for test in self.tests if not test.passed}
        return EXIT_LIMIT if failed and failed <= LIMIT_VERDICTS else EXIT_FAILED

    def as_json(self, max_bytes: int | None = SHOWN_IN_TEST) -> dict[str, Any]:
        """Return the JSON of ``esoplay grade --json``. max_bytes: see ``TestDetail.as_json``."""
        data: dict[str, Any] = {
            "problem": self.problem,
            "language": self.language,
            "dialect": self.dialect,
            "passed": self.passed,
            "total": self.total,
            "solved": self.solved,
            "tests": [test.as_json(max_bytes) for test in self.tests],
        }
        if self.seed_commitment is not None:
            data["seed_commitment"] = self.seed_commitment
        if self.has_fixed_tests:
            data["fixed_tests"] = True
        if self.only_class is not None:
            data["only_class"] = {**self.only_class._asdict(), "message": self.only_class_text}
        if self.other_dialect is not None:
            name = "other_dialect" if self.other_dialect.passes else "fails_in_dialect"
            data[name] = self.other_dialect.as_json(self.dialect)
        return data
