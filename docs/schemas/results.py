"""The result of every method of ``esoplay serve``, as types from which schemas are made.

A member that may be missing has ``UNSET``.  docs/json-rpc.md says what the members mean.
"""

from __future__ import annotations

import re
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import UNSET, Struct, UnsetType, defstruct, field

from esolangs import view
from esolangs.errors import Fault as EngineFault
from esoplay.grading.report import Verdict
from esoplay.sessions.protocols import (
    Feedback,
    Files,
    Material,
    ProblemOrder,
    Revisit,
    RowCompare,
    Skip,
)
from esoplay.sessions.tool_profiles import ToolProfile

Number = int | str
"""A number; as text where it has more than 256 bits."""
Point = tuple[int, int]
Span = tuple[int, int]
Options = dict[str, int | str]


class Result(Struct, forbid_unknown_fields=True, kw_only=True):
    """An object with these members; a later version may have more."""


# Panels and views: the engines' own values


@cache
def shape_of(kind: type) -> Any:
    """A struct with the fields of a NamedTuple of ``esolangs.view``; panels have their tag."""
    if kind is EngineFault:
        return Fault
    hints = get_type_hints(kind)
    tag = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()
    panels = get_args(view.Panel)
    return defstruct(
        kind.__name__,
        [
            (name, _shape_of_hint(hint), *_OPTIONAL.get((kind, name), ()))
            for name, hint in hints.items()
        ],
        bases=(Result,),
        kw_only=True,
        module=__name__,
        **({"tag_field": "panel", "tag": tag} if kind in panels else {}),
    )


_OPTIONAL = {(view.Location, "words"): ("",)}
"""Members that are left out where they have this value."""


def _shape_of_hint(hint: Any) -> Any:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return Union[tuple(_shape_of_hint(part) for part in parts)]  # noqa: UP007 (computed)
    if origin is tuple and parts[-1] is ...:
        return list[_shape_of_hint(parts[0])]  # pyright: ignore
    if isinstance(hint, type) and (hasattr(hint, "_fields") or hint is EngineFault):
        return shape_of(hint)
    return hint


class Fault(Result, kw_only=True):
    kind: str
    message: str
    line: int
    column: int
    offset: int
    step: int


class Source(Result, kw_only=True):
    """The line of the generator's source that made the next instruction."""

    name: str
    line: int | None
    label: str


_VIEW = [
    (name, _shape_of_hint(hint))
    for name, hint in get_type_hints(
        view.View, {**vars(view), "Status": str, "LimitKind": str}
    ).items()
]
View = defstruct(
    "View",
    [
        *(
            (name, Literal["running", "stopped", "halted", "needs_input", "faulted", "limited"])
            if name == "status"
            else (name, hint)
            for name, hint in _VIEW
        ),
        ("source", Source | UnsetType, UNSET),
    ],
    bases=(Result,),
    kw_only=True,
    module=__name__,
)
PartOfView = defstruct(
    "PartOfView",
    [
        *((name, hint | UnsetType, UNSET) for name, hint in _VIEW),
        ("source", Source | UnsetType, UNSET),
        *((name, str | UnsetType, UNSET) for name in ("output", "output_base64")),
        ("output_truncated", Literal[True] | UnsetType, UNSET),
        ("output_bytes", int | UnsetType, UNSET),
        *((name, str | UnsetType, UNSET) for name in ("input", "input_base64")),
        ("registers", dict[str, Number] | UnsetType, UNSET),
        ("places", dict[str, int | Point] | UnsetType, UNSET),
    ],
    bases=(Result,),
    kw_only=True,
    module=__name__,
)
"""The members of a view that ``fields`` asked for; all members where it asked for none."""


# What is there


class Capabilities(Result, kw_only=True):
    role: Literal["operator", "solver"]
    methods: list[str]
    notifications: list[str]
    max_line: int
    max_batch: int
    max_debuggers: int
    protocol_versions: list[str] | UnsetType = UNSET
    session: str | UnsetType = UNSET


class Initialized(Result, kw_only=True):
    name: str
    version: str
    protocol_version: str
    languages: list[str]
    protocols: list[str]
    capabilities: Capabilities


class LanguageOption(Result, kw_only=True):
    name: str
    default: str | int
    values: list[str | int]
    help: str


class Language(Result, kw_only=True):
    id: str
    name: str
    extensions: list[str]
    dialects: dict[str, Options]
    options: list[LanguageOption]


class Languages(Result, kw_only=True):
    languages: list[Language]


class Lane(Struct, kw_only=True):
    """A host lane; what holds it depends on the machine."""

    id: str
    name: str
    extensions: list[str]


class Lanes(Result, kw_only=True):
    lanes: list[Lane]


class Card(Result, kw_only=True):
    language: str
    dialect: str
    card: str


class PackHead(Result, kw_only=True):
    id: str
    version: str
    title: str


class ProblemRow(Result, kw_only=True):
    id: str
    title: str
    tier: str
    category: str


class Problems(Result, kw_only=True):
    pack: PackHead
    problems: list[ProblemRow]


class Example(Result, kw_only=True):
    """A public test.  arguments, exit, stderr: only in problems for host lanes."""

    input: str
    output: str
    arguments: list[str] | UnsetType = UNSET
    exit: int | UnsetType = UNSET
    stderr: str | UnsetType = UNSET


class TestLimits(Result, kw_only=True):
    steps: int
    output: int
    memory: int


class Problem(ProblemRow, kw_only=True):
    statement: str
    examples: list[Example]
    ranges: dict[str, tuple[int, int]]
    hints: list[str]
    limits: TestLimits | UnsetType = UNSET


class LessonRow(Result, kw_only=True):
    number: int
    slug: str
    title: str
    task: Literal["state", "program", "answer", "problem"]


class Lessons(Result, kw_only=True):
    language: str
    lessons: list[LessonRow]


class DrillRow(Result, kw_only=True):
    number: int
    say: str


class Lesson(LessonRow, kw_only=True):
    language: str
    text: str
    view: Literal["debug", "edit"]
    program: str
    stdin: str
    say: str
    hints: list[str]
    when: str | UnsetType = UNSET
    runs: list[Example] | UnsetType = UNSET
    problem: str | UnsetType = UNSET
    most_bytes: int | UnsetType = UNSET
    most_steps: int | UnsetType = UNSET
    must_use: list[str] | UnsetType = UNSET
    at_most_once: list[str] | UnsetType = UNSET
    drill: int | UnsetType = UNSET
    drills: list[DrillRow] | UnsetType = UNSET


# Runs and verdicts


class ReachedLimit(Result, kw_only=True):
    kind: Literal["step", "output", "memory", "work", "time"]
    value: int | float


class Outcome(Result, kw_only=True):
    language: str
    dialect: str
    options: Options
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
    exit_code: int
    stdout: str
    stderr: str
    steps: int
    input_used: int
    memory: int
    stdout_base64: str | UnsetType = UNSET
    work: int | UnsetType = UNSET
    fault: Fault | UnsetType = UNSET
    limit: ReachedLimit | UnsetType = UNSET
    program_exit_code: Number | UnsetType = UNSET
    warnings: list[str] | UnsetType = UNSET
    advice: str | UnsetType = UNSET
    output_truncated: Literal[True] | UnsetType = UNSET
    output_bytes: int | UnsetType = UNSET


class Cause(Result, kw_only=True):
    """What differs from the expected output, and what usually causes it."""

    kind: str
    text: str


class TestCase(Result, kw_only=True):
    """A test, with as much as the seed or the protocol allows to show."""

    index: int
    verdict: Verdict
    steps: int | UnsetType = UNSET
    edge_class: str | UnsetType = field(name="class", default=UNSET)
    input: str | UnsetType = UNSET
    expected: str | UnsetType = UNSET
    got: str | UnsetType = UNSET
    got_base64: str | UnsetType = UNSET
    arguments: list[str] | UnsetType = UNSET
    exit: int | UnsetType = UNSET
    stderr: str | UnsetType = UNSET
    message: str | UnsetType = UNSET
    cause: Cause | UnsetType = UNSET
    output_truncated: Literal[True] | UnsetType = UNSET
    output_bytes: int | UnsetType = UNSET


class DialectCause(Result, kw_only=True):
    option: str
    text: str


class OtherDialect(Result, kw_only=True):
    dialect: str
    tests: Literal["tests", "examples"]
    causes: list[DialectCause]
    message: str


class OnlyClass(Result, kw_only=True):
    """The class of inputs whose tests are the only ones to fail."""

    name: str
    description: str
    message: str


class Generated(Result, kw_only=True):
    language: str
    program: str | UnsetType = UNSET
    program_base64: str | UnsetType = UNSET
    size: int
    source_map: dict[str, Any]


class Grade(Result, kw_only=True):
    problem: str
    language: str
    dialect: str | UnsetType = UNSET
    passed: int
    total: int
    solved: bool
    tests: list[TestCase]
    seed_commitment: str | UnsetType = UNSET
    fixed_tests: bool | UnsetType = UNSET
    other_dialect: OtherDialect | UnsetType = UNSET
    fails_in_dialect: OtherDialect | UnsetType = UNSET
    only_class: OnlyClass | UnsetType = UNSET


class LessonVerdict(Result, kw_only=True):
    done: bool
    dialect: str | UnsetType = UNSET
    tests: list[TestCase]
    reasons: list[str]
    learnt: str | UnsetType = UNSET


# Sessions

ProblemStatus = Literal["pending", "active", "solved", "failed", "skipped"]


class SessionLimits(Result, kw_only=True):
    steps: int
    output: int
    memory: int
    time: int | float


class RuleFields(Result, kw_only=True):
    dialect: str
    runs: int | None
    submissions: int | None
    skip: Skip
    order: ProblemOrder
    feedback: Feedback
    examples: bool
    revisit: Revisit
    debug: bool
    shell: bool
    generators: list[str] | None
    files: Files
    material: Material
    base: str | None
    compare: RowCompare | UnsetType = UNSET
    tools: ToolProfile | UnsetType | None = UNSET


class Rules(RuleFields, kw_only=True):
    limits: SessionLimits
    text: str


class ProtocolRow(RuleFields, kw_only=True):
    id: str
    purpose: str
    public_seed: bool


class Protocols(Result, kw_only=True):
    protocols: list[ProtocolRow]


class SessionStarted(Result, kw_only=True):
    session: str
    protocol: str
    rules: Rules
    problems: list[str]
    head: str
    workspace: str | UnsetType = UNSET


class SessionRow(Result, kw_only=True):
    session: str
    language: str | UnsetType = UNSET
    protocol: str | UnsetType = UNSET
    pack: str | UnsetType = UNSET
    solver: str | UnsetType | None = UNSET
    solved: int | UnsetType = UNSET
    total: int | UnsetType = UNSET
    closed: bool | UnsetType = UNSET
    current: str | UnsetType | None = UNSET
    time_ms: int | UnsetType = UNSET
    error: str | UnsetType = UNSET


class SessionRows(Result, kw_only=True):
    sessions: list[SessionRow]


class Statement(Result, kw_only=True):
    problem: str
    title: str
    tier: str
    statement: str
    submissions_left: int | None
    runs_left: int | None
    head: str
    examples: list[Example] | UnsetType = UNSET


class SessionRun(Outcome, kw_only=True):
    problem: str | None
    runs_left: int | None
    head: str


class Submitted(Result, kw_only=True):
    passed: int
    total: int
    solved: bool
    submissions_left: int | None
    status: ProblemStatus
    head: str
    dialect: str | UnsetType = UNSET
    tests: list[TestCase] | UnsetType = UNSET
    violation: str | UnsetType = UNSET
    other_dialect: OtherDialect | UnsetType = UNSET


class ProblemProgress(Result, kw_only=True):
    problem: str
    status: ProblemStatus
    runs: int
    runs_left: int | None
    submissions: int
    submissions_left: int | None


class SessionStatus(Result, kw_only=True):
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
    visible_processes: str | UnsetType | None = UNSET


class Skipped(Result, kw_only=True):
    problem: str
    status: Literal["skipped"]
    head: str


# Debugging


class Opened(Result, kw_only=True):
    debug: str
    view: View


class Reason(Result, kw_only=True):
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
    breakpoint: int | UnsetType = UNSET
    until: int | UnsetType = UNSET


class Moved(Result, kw_only=True):
    step: int
    view: View
    stopped: list[Reason]
    logs: list[str] | UnsetType = UNSET


class Changed(Result, kw_only=True):
    step: int
    view: View


class Slot(Result, kw_only=True):
    stack: int
    level: int


class Place(Result, kw_only=True):
    cell: int | Point | UnsetType = UNSET
    slot: Slot | UnsetType = UNSET


class Breakpoint(Place, kw_only=True):
    id: int
    hits: int
    enabled: bool
    offset: int | UnsetType = UNSET
    position: Point | UnsetType = UNSET
    place: str | UnsetType = UNSET
    instruction: str | UnsetType = UNSET
    output: int | str | UnsetType = UNSET
    condition: str | UnsetType = UNSET
    effect: Literal["write", "output", "input"] | UnsetType = UNSET
    log: str | UnsetType = UNSET
    step: int | UnsetType = UNSET
    every: int | UnsetType = UNSET
    new: bool | UnsetType = UNSET
    direction: Literal["forwards", "backwards"] | UnsetType = UNSET
    source_line: int | UnsetType = UNSET
    read: int | Point | UnsetType = UNSET
    moved_from: int | UnsetType = UNSET
    """The offset asked for, in a comment; the breakpoint is at the next instruction."""


class Breakpoints(Result, kw_only=True):
    breakpoints: list[Breakpoint]


class StepOfByte(Result, kw_only=True):
    step: int | None


class Write(Place, kw_only=True, rename={"source": "from"}):
    """A write of a cell has ``old`` and ``new``; one of a slot is a link."""

    step: int
    span: Span
    old: Number | UnsetType = UNSET
    new: Number | UnsetType = UNSET
    value: Number | UnsetType | None = UNSET
    instruction: str | UnsetType = UNSET
    position: Point | UnsetType = UNSET
    source: Place | UnsetType | None = UNSET


class Writes(Result, kw_only=True):
    writes: list[Write]


class OriginLink(Place, kw_only=True, rename={"source": "from"}):
    """Of a part of a term: ``application`` instead of place, value and source."""

    step: int
    instruction: str
    span: Span
    value: Number | UnsetType | None = UNSET
    source: Place | UnsetType | None = UNSET
    position: Point | UnsetType = UNSET
    application: str | UnsetType = UNSET


class OriginEnd(Place, kw_only=True):
    kind: Literal["computed", "read", "edited", "initial", "more", "source"]
    step: int | UnsetType = UNSET
    span: Span | UnsetType = UNSET
    line: int | UnsetType = UNSET
    column: int | UnsetType = UNSET


class Origin(Result, kw_only=True):
    links: list[OriginLink]
    end: OriginEnd
    value: Number | UnsetType | None = UNSET
    part: int | UnsetType = UNSET
    text: str | UnsetType = UNSET


class Spot(Result, kw_only=True):
    span: Span
    line: int
    column: int
    instruction: str
    position: Point | UnsetType = UNSET
    count: int | UnsetType = UNSET
    last: int | UnsetType = UNSET
    level: int | UnsetType = UNSET


class Coverage(Result, kw_only=True):
    """By source there are ``lines`` instead of ``instructions``, and ``never`` has lines."""

    step: int
    executed: int
    percent: int
    never: list[Spot | int]
    more: int
    instructions: int | UnsetType = UNSET
    lines: int | UnsetType = UNSET


class HotLine(Result, kw_only=True):
    line: int
    count: int
    executed: int
    instructions: int
    last: int
    level: int | UnsetType = UNSET


class Heat(Result, kw_only=True):
    step: int
    most: int
    instructions: list[Spot] | UnsetType = UNSET
    lines: list[HotLine] | UnsetType = UNSET


class Note(Result, kw_only=True):
    id: int
    step: int
    place: str
    instruction: str
    next: str
    output: str
    input: str
    value: str
    line: int
    excerpt: str
    caret: int
    words: str


class Noted(Result, kw_only=True):
    note: Note


class Notebook(Result, kw_only=True):
    notes: list[Note]
    markdown: str | UnsetType = UNSET
    written: str | UnsetType = UNSET


class Watched(Result, kw_only=True):
    id: int
    expression: str
    value: Number | UnsetType = UNSET
    missing: str | UnsetType = UNSET
    error: str | UnsetType = UNSET


class Watches(Result, kw_only=True):
    step: int
    watches: list[Watched]


class Variable(Result, kw_only=True):
    name: str
    value: Number | None
    text: str
    cells: list[str]


class Variables(Result, kw_only=True):
    step: int
    name: str
    line: int | None
    variables: list[Variable]
    more: int
    reason: str | UnsetType = UNSET


class Moment(Result, kw_only=True):
    step: int
    what: str


class Finding(Result, kw_only=True):
    kind: str
    certainty: Literal["proved", "observed", "possible"]
    text: str
    advice: str
    steps: list[Moment]


class Diagnosis(Result, kw_only=True):
    findings: list[Finding]
    known: int
    searched: int | None


class Side(Result, kw_only=True):
    step: int
    place: str
    instruction: str
    explanation: str
    what: str


class Difference(Result, kw_only=True):
    kind: Literal["input", "state", "path", "output", "end"]
    this: Side
    other: Side


class StepsOfBoth(Result, kw_only=True):
    this: int
    other: int


class Comparison(Result, kw_only=True):
    differences: list[Difference]
    same_program: bool
    steps: StepsOfBoth
    complete: bool
    exact: bool
    other: str | UnsetType = UNSET


class Closed(Result, kw_only=True):
    closed: Literal[True]


class Cancelled(Result, kw_only=True):
    cancelled: bool


RESULTS: dict[str, Any] = {
    "initialize": Initialized,
    "language.list": Languages,
    "lane.list": Lanes,
    "language.card": Card,
    "problem.list": Problems,
    "problem.get": Problem,
    "lesson.list": Lessons,
    "lesson.get": Lesson,
    "lesson.check": LessonVerdict,
    "run": Outcome,
    "grade": Grade,
    "generate": Generated,
    "session.init": SessionStarted,
    "session.list": SessionRows,
    "session.protocols": Protocols,
    "session.fetch": Statement,
    "session.run": SessionRun,
    "session.submit": Submitted,
    "session.status": SessionStatus,
    "session.skip": Skipped,
    "session.export": dict[str, Any],
    "debug.open": Opened,
    "debug.step": Moved,
    "debug.continue": Moved,
    "debug.seek": Moved,
    "debug.view": PartOfView,
    "debug.variables": Variables,
    "debug.breakpoints": Breakpoints,
    "debug.writes": Writes,
    "debug.origin": Origin,
    "debug.coverage": Coverage,
    "debug.heat": Heat,
    "debug.note": Noted,
    "debug.notebook": Notebook,
    "debug.watch": Watches,
    "debug.printed": StepOfByte,
    "debug.read": StepOfByte,
    "debug.diagnose": Diagnosis,
    "debug.compare": Comparison,
    "debug.set": Changed,
    "debug.fork": Opened,
    "debug.close": Closed,
    "cancel": Cancelled,
}
"""The type of the result by method; the export of a session has a schema of its own."""
