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


class Problem(ProblemRow):
    statement: str
    examples: list[Example]
    ranges: dict[str, tuple[int, int]]
    hints: list[str]


class Fault(Shape):
    kind: str
    message: str
    line: int
    column: int
    offset: int
    step: int


class Limit(Shape):
    kind: Literal["step", "output", "memory", "time"]
    value: float


class Outcome(Shape):
    language: str
    dialect: str
    options: dict[str, str | int]
    status: Literal[
        "ok", "parse_error", "fault", "step_limit", "output_limit", "memory_limit", "time_limit"
    ]
    error_type: Literal["ok", "compile_error", "runtime_error", "timeout"]
    exit_code: Literal[0, 1, 3]
    stdout: str
    stderr: str
    steps: int
    input_used: int
    memory: int
    stdout_base64: str | None = None
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
    "time_limit",
]


class HiddenTest(Shape):
    """A test of which nothing is told."""

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


class Grade(Shape):
    problem: str
    language: str
    passed: int
    total: int
    solved: bool
    seed_commitment: str


class HiddenGrade(Grade):
    tests: list[HiddenTest]


class ShownGrade(Grade):
    tests: list[ShownTest]


class SessionLimits(Shape):
    steps: int
    output: int
    memory: int
    time: float


class RuleFields(Shape):
    dialect: str
    runs: int | None
    submissions: int | None
    skip: str
    order: str
    feedback: str
    examples: bool
    revisit: str
    debug: bool
    shell: bool
    generators: list[str] | None
    files: str
    material: str
    base: str | None


class Rules(RuleFields):
    limits: SessionLimits
    text: str


class Started(Shape):
    session: str
    protocol: str
    rules: Rules
    problems: list[str]
    head: str


class Statement(Shape):
    problem: str
    title: str
    tier: str
    statement: str
    submissions_left: int | None
    runs_left: int | None
    head: str
    examples: list[Example] | None = None


class SessionRun(Outcome, kw_only=True):
    problem: str | None
    runs_left: int | None
    head: str


ProblemStatus = Literal["pending", "active", "solved", "failed", "skipped"]


class Submitted(Shape):
    """An answer that says nothing about single tests."""

    passed: int
    total: int
    solved: bool
    submissions_left: int | None
    status: ProblemStatus
    head: str


class ExplainedSubmission(Submitted):
    tests: list[ShownTest]


class ProblemProgress(Shape):
    problem: str
    status: ProblemStatus
    runs: int
    runs_left: int | None
    submissions: int
    submissions_left: int | None


class SessionStatus(Shape):
    session: str
    protocol: str
    language: str
    dialect: str
    closed: bool
    current: str | None
    grading: bool
    counts: dict[ProblemStatus, int]
    tiers: dict[str, dict[ProblemStatus, int]]
    problems: list[ProblemProgress]
    head: str


class Skipped(Shape):
    problem: str
    status: Literal["skipped"]
    head: str


Span = tuple[int, int]


class Location(Shape):
    offset: int
    line: int
    column: int
    span: Span
    instruction: str
    explanation: str
    address: int | tuple[int, int]


class Tape(Shape, tag_field="panel", tag="tape"):
    name: str
    first: int
    cells: list[int]
    pointer: int
    low: int
    high: int
    bits: int


class Frame(Shape):
    label: str
    span: Span
    line: int
    column: int
    times: int


class CallStack(Shape, tag_field="panel", tag="call_stack"):
    name: str
    frames: list[Frame]
    depth: int


class View(Shape):
    step: int
    status: Literal["running", "halted", "needs_input", "faulted", "limited"]
    location: Location
    panels: list[Tape | CallStack]
    output_length: int
    input_position: int
    memory: int
    fault: Fault | None
    limit: Literal["steps", "output", "memory"] | None
    source: Source | None = None


class Source(Shape):
    name: str
    line: int | None
    label: str


class Opened(Shape):
    debug: str
    view: View


class Reason(Shape):
    kind: Literal[
        "step",
        "breakpoint",
        "start",
        "end",
        "fault",
        "limit",
        "needs_input",
        "budget",
        "cancelled",
    ]
    text: str
    breakpoint: int | None = None
    until: int | None = None


class Moved(Shape):
    step: int
    view: View
    stopped: list[Reason]
    logs: list[str] | None = None


class Breakpoint(Shape):
    id: int
    hits: int
    enabled: bool
    offset: int | None = None
    position: tuple[int, int] | None = None
    place: str | None = None
    instruction: str | None = None
    cell: int | tuple[int, int] | None = None
    output: int | str | None = None
    condition: str | None = None
    effect: Literal["write", "output", "input"] | None = None
    log: str | None = None
    step: int | None = None
    every: int | None = None
    new: bool = False
    direction: Literal["forwards", "backwards"] | None = None
    source_line: int | None = None
    read: int | tuple[int, int] | None = None


class Breakpoints(Shape):
    breakpoints: list[Breakpoint]


class CellWrite(Shape):
    step: int
    old: int | str
    new: int | str
    span: Span
    position: tuple[int, int] | None = None


class Writes(Shape):
    writes: list[CellWrite]


class Printed(Shape):
    step: int | None


class Changed(Shape):
    step: int
    view: View


class Closed(Shape):
    closed: Literal[True]
