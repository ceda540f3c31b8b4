"""The shapes that docs/json-rpc.md promises: these members, and no others."""

from __future__ import annotations

from typing import Literal

import msgspec


class Shape(msgspec.Struct, forbid_unknown_fields=True):
    """An object with these members, and no others."""


class Capabilities(Shape):
    role: Literal["operator", "solver"]
    methods: list[str]
    notifications: list[str]
    max_line: int
    max_batch: int
    max_debuggers: int
    protocol_versions: list[str]
    session: str | None = None


class Initialized(Shape):
    name: str
    version: str
    protocol_version: str
    languages: list[str]
    protocols: list[str]
    capabilities: Capabilities


class Option(Shape):
    name: str
    default: str | int
    values: list[str | int]
    help: str


class Language(Shape):
    id: str
    name: str
    extensions: list[str]
    dialects: dict[str, dict[str, str | int]]
    options: list[Option]


class Languages(Shape):
    languages: list[Language]


class Card(Shape):
    language: str
    dialect: str
    card: str


class Pack(Shape):
    id: str
    version: str
    title: str


class ProblemRow(Shape):
    id: str
    title: str
    tier: str
    category: str


class Problems(Shape):
    pack: Pack
    problems: list[ProblemRow]


class Example(Shape):
    input: str
    output: str


class TestLimits(Shape):
    steps: int
    output: int
    memory: int


class Problem(ProblemRow):
    statement: str
    examples: list[Example]
    ranges: dict[str, tuple[int, int]]
    hints: list[str]
    limits: TestLimits


class Fault(Shape):
    kind: str
    message: str
    line: int
    column: int
    offset: int
    step: int


class Limit(Shape):
    kind: Literal["step", "output", "memory", "work", "time"]
    value: float


class Outcome(Shape):
    language: str
    dialect: str
    options: dict[str, str | int]
    status: Literal[
        "ok",
        "parse_error",
        "fault",
        "step_limit",
        "output_limit",
        "memory_limit",
        "work_limit",
        "time_limit",
    ]
    error_type: Literal["ok", "compile_error", "runtime_error", "timeout"]
    exit_code: Literal[0, 1, 3]
    stdout: str
    stderr: str
    steps: int
    input_used: int
    memory: int
    stdout_base64: str | None = None
    work: int | None = None
    fault: Fault | None = None
    limit: Limit | None = None
    warnings: list[str] | None = None
    advice: str | None = None


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


class HiddenTest(Shape):
    """A hidden test, whose result is withheld."""

    index: int
    verdict: Verdict
    steps: int


class ShownTest(HiddenTest):
    input: str
    expected: str
    got: str
    name: str = msgspec.field(name="class")
    got_base64: str | None = None
    message: str | None = None
    cause: dict[str, str] | None = None


class Grade(Shape):
    problem: str
    language: str
    dialect: str
    passed: int
    total: int
    solved: bool
    seed_commitment: str


class HiddenGrade(Grade):
    tests: list[HiddenTest]


class ShownGrade(Grade):
    tests: list[ShownTest]
    only_class: dict[str, str] | None = None
