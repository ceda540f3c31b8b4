"""The shapes that docs/json-rpc.md promises of sessions."""

from __future__ import annotations

from typing import Literal

from rpc_shapes import Example, Outcome, Shape, ShownTest


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
    compare: str
    tools: str | None


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
    dialect: str


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
