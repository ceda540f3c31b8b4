"""The JSON and TOML formats of docs/formats.md, as types from which schemas are made.

For most formats these are the types that esoplay reads the files with.  The types defined here are
for files that esoplay only writes, or reads without a struct.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, Union

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, field

from docs.schemas.reports import CombinedReport, Digest, EvaluationReport, PackId, Report
from docs.schemas.results import Breakpoint, Note, Point, ProtocolRow, Result, SessionLimits
from esoplay.agents.grid import GridTable
from esoplay.agents.manifest import ManifestTable
from esoplay.agents.records import AttemptOutcome as AttemptResult
from esoplay.agents.records import AttemptStart
from esoplay.batch.submissions import SubmissionLine
from esoplay.benchmark.exports import FIELDS as EVENT_FIELDS
from esoplay.codegen.generated import PlaceKind
from esoplay.evaluation.rosters import RosterTable
from esoplay.evaluation.transcript import RECORDS, TranscriptRecord
from esoplay.grading.output_comparison import Compare
from esoplay.grading.packs import CompiledPack, ExampleTable, PackTable, ProblemTable
from esoplay.grading.report import Verdict
from esoplay.learning.course import LessonTable
from esoplay.progress.exchange import ProgressTable
from esoplay.reporting.saved_evaluations import SavedTokens, SavedTrial
from esoplay.reporting.usage import UsageLine
from esoplay.running.host.lanes import LaneTable
from esoplay.sessions import events
from esoplay.sessions.protocols import ProtocolTable


class Format(NamedTuple):
    """A format: its title, the files of it, and the type of one file, or of one line of it."""

    title: str
    files: str
    kind: Any


# Sessions

_EVENTS = (
    events.SessionStarted,
    events.ProblemFetched,
    events.ProgramRun,
    events.SubmissionReserved,
    events.SubmissionGraded,
    events.SubmissionVoided,
    events.ProblemSkipped,
    events.VisibleProcessesAccepted,
    events.SessionClosed,
)


class LoggedEvent(Struct, tag_field="kind", kw_only=True):
    """One event of a log.  head: the digest of the log up to here."""

    seq: int
    time_ms: int
    head: Digest


_LOG_EVENTS = [
    defstruct(
        f"{event.__name__}Record",
        [("body", event)],
        bases=(LoggedEvent,),
        tag_field="kind",
        tag=event.kind,
        kw_only=True,
        module=__name__,
    )
    for event in _EVENTS
]


class ExportMembers(Struct, kw_only=True):
    """An export of a session.  Programs, inputs and inventories are base64, by SHA-256."""

    format: Literal["esoplay-session"]
    format_version: Literal[1, 2, 3]
    session: str
    solver: str | None
    language: str
    dialect: str
    protocol: ProtocolRow
    pack: PackId
    limits: SessionLimits
    seed_commitment: str
    versions: dict[str, str]
    closed: bool
    head: Digest
    programs: dict[Digest, str]
    inputs: dict[Digest, str]
    inventories: dict[Digest, str] | UnsetType = UNSET
    reports: dict[Digest, str] | UnsetType = UNSET


SessionExport = defstruct(
    "SessionExport",
    [("events", list[Union[tuple(_LOG_EVENTS)]])],  # noqa: UP007 (computed)
    bases=(ExportMembers,),
    kw_only=True,
    module=__name__,
)

EventLine = defstruct(
    "EventLine",
    [(name, Any) for name in EVENT_FIELDS],
    kw_only=True,
    module=__name__,
)

# Evaluations


class EarlierTerms(Struct, kw_only=True):
    """The terms of a run before it was rescored."""

    compare: Compare
    pack: str
    pack_version: str
    seed_commitment: str
    esoplay: str
    derived: dict[str, Any] | UnsetType = UNSET
    transcript_sha256: Digest
    left_out: list[str]


class Terms(Struct, kw_only=True):
    """What an evaluation was started with."""

    format: Literal["esoplay-evaluation"]
    format_version: Literal[1]
    model: str
    asked: str
    temperature: float | None
    max_tokens: int | None
    sampling_seed: int | None
    extra: dict[str, Any]
    dialect: str
    options: dict[str, int | str]
    compare: Compare
    time_limit: float | UnsetType | None = UNSET
    pack: str
    pack_version: str
    items: str | None
    seed_commitment: str
    card: bool
    bare: bool
    attempts: int
    examples: int | UnsetType | None = UNSET
    feedback: Literal["examples", "scoring"] | UnsetType = UNSET
    prompts: str
    own_prompts: list[str] | UnsetType = UNSET
    limits: dict[str, float | None] | UnsetType | None = UNSET
    requested_model: str | UnsetType | None = UNSET
    esoplay: str
    derived: EarlierTerms | UnsetType = UNSET


class TrialResult(SavedTrial, kw_only=True):
    """A finished trial."""

    passed: int | UnsetType = UNSET
    total: int | UnsetType = UNSET
    tests: list[dict[str, Any]] | UnsetType = UNSET
    time_limit: float | UnsetType = UNSET
    limit: Literal["turns", "output_tokens", "seconds"] | UnsetType = UNSET
    program_sha256: Digest | UnsetType = UNSET
    program_size: int | UnsetType = UNSET


class EvaluationResults(Struct, kw_only=True):
    format: Literal["esoplay-evaluation-results"]
    format_version: Literal[1]
    terms: Terms
    lines: list[dict[str, Any]]
    left: list[str]
    failed_requests: int
    tokens: SavedTokens
    cost: float | None
    currency: str | None
    trials: list[TrialResult]
    toolchains: dict[str, list[str]] | UnsetType = UNSET
    language_tax: list[dict[str, Any]] | UnsetType = UNSET


class BoardLanguage(Struct, kw_only=True):
    solved: int
    total: int
    wilson_95: tuple[float, float]


class BoardRow(Struct, kw_only=True):
    """A model or agent under one regime or protocol.

    mean: of the shares in its languages. sources: the status of each submission by name.
    """

    kind: Literal["evaluation", "session"]
    name: str
    mode: str
    pack: str
    mean: float
    checked: bool
    sources: dict[str, str]
    languages: dict[str, BoardLanguage]


class BoardSubmission(Struct, kw_only=True):
    name: str
    kind: Literal["evaluation", "session"]
    status: Literal["checked", "not checked", "refused"]
    reason: str | None


class LeaderboardFile(Struct, kw_only=True):
    """A leaderboard, the best entry first."""

    format: Literal["esoplay-leaderboard"]
    format_version: Literal[1]
    esoplay: str
    title: str
    entries: list[BoardRow]
    sources: list[BoardSubmission]


class DatasetFile(Struct, kw_only=True):
    """A file of a data set; the columns of a row, by name."""

    name: str
    table: Literal["trials", "turns", "attempts"]
    rows: Annotated[int, Meta(ge=1)]
    bytes: Annotated[int, Meta(ge=1)]
    sha256: Digest
    columns: dict[str, Literal["string", "integer", "number", "boolean"]]


class EvaluationInDataset(Struct, kw_only=True, tag_field="kind", tag="evaluation"):
    name: str
    model: str
    terms: Terms
    transcript_sha256: Digest


class SessionInDataset(Struct, kw_only=True, tag_field="kind", tag="session"):
    name: str
    session: str
    solver: str | None
    pack: str
    pack_version: str
    seed_commitment: str
    export_sha256: Digest


class DatasetManifest(Struct, kw_only=True):
    """The description of a data set."""

    format: Literal["esoplay-dataset"]
    format_version: Literal[1]
    esoplay: str
    licence: str
    hidden_tests: Literal[False]
    sources: list[EvaluationInDataset | SessionInDataset]
    files: list[DatasetFile]


# What commands print with --json


class VerdictChange(Struct):
    trial: str
    before: str
    after: str


class Rescored(Struct, kw_only=True):
    """What ``esoplay rescore --json`` prints; ``output`` is the new folder."""

    run: str
    output: str | None
    terms: Terms
    trials: int
    changes: list[VerdictChange]
    left_out: list[str]
    lines: list[dict[str, Any]]


class RunFinding(Struct):
    """What is wrong.  where: a trial or a file."""

    where: str
    reason: str


class RunCheck(Struct):
    """What ``esoplay rescore --check --json`` prints."""

    run: str
    trials: int
    checked: bool
    findings: list[RunFinding]


class ViewedSection(Struct):
    kind: Literal["prompt", "text", "program", "result", "note"]
    title: str
    text: str


class ViewedEntry(Struct, kw_only=True):
    """A question with its answer, or an attempt of a session; ``labels`` belong to ``columns``."""

    number: Annotated[int, Meta(ge=1)]
    group: str
    labels: list[str]
    outcome: str
    last: bool
    language: str
    problem: str | None
    sections: list[ViewedSection]


class View(Struct):
    """What ``esoplay view --json`` prints."""

    title: str
    columns: list[str]
    facts: dict[str, str]
    entries: list[ViewedEntry]


class ProgramCounts(Struct):
    both: int
    only_first: int
    only_second: int
    neither: int
    total: int


class PackVerdict(Struct):
    """``first_failed``: the first test that the program failed, with its input and output."""

    accepted: bool
    passed: int
    total: int
    first_failed: dict[str, Any] | None


class ComparedProgram(Struct):
    program: str
    program_sha256: Digest
    language: str
    problem: str
    problem_in_second: str
    first: PackVerdict
    second: PackVerdict


class ComparedProblem(Struct):
    problem: str
    problem_in_second: str
    title: str
    same_title: bool
    programs: int
    accepted_by_first: int
    accepted_by_second: int
    only_first: int
    only_second: int


class ComparedMistakes(Struct):
    problem: str
    of: Literal["first", "second"]
    mistakes: int
    missed_by_first: list[str]
    missed_by_second: list[str]


class UnmatchedProgram(Struct):
    program: str
    problem: str
    language: str


class PackComparison(Struct, kw_only=True):
    """What ``esoplay problems compare --json`` prints."""

    format: Literal["esoplay-pack-comparison"]
    format_version: Literal[1]
    first: PackId
    second: PackId
    compare: Compare | None
    programs: ProgramCounts
    agreement: float | None
    kappa: float | None
    problems: list[ComparedProblem]
    mistakes: list[ComparedMistakes]
    verdicts: list[ComparedProgram]
    unmatched: list[UnmatchedProgram]


TranscriptLine = Union[  # noqa: UP007 (computed)
    tuple(
        defstruct(
            f"{kind.__name__}Line",
            [],
            bases=(kind,),
            tag_field="kind",
            tag=name,
            module=__name__,
        )
        for name, kind in RECORDS.items()
    )
]
assert all(issubclass(kind, TranscriptRecord) for kind in RECORDS.values())


class ModelPrices(Result, kw_only=True):
    input: Annotated[float, Meta(ge=0, lt=10**6)]
    cached_input: Annotated[float, Meta(ge=0, lt=10**6)] | UnsetType = UNSET
    output: Annotated[float, Meta(ge=0, lt=10**6)]


class Prices(Result):
    """Prices for a million tokens, by model."""

    models: dict[str, ModelPrices]
    currency: str = "USD"


class ExternalFigures(Result):
    """Scores by solver or model, and sizes of corpora by language, each by the name of a table."""

    scores: dict[str, dict[str, float]] | UnsetType = UNSET
    corpora: dict[str, dict[str, Annotated[float, Meta(gt=0)]]] | UnsetType = UNSET


# Batches and agents


class GradedTest(Struct):
    index: int
    verdict: Verdict
    steps: int


class BatchError(Struct):
    kind: str
    message: str


class BatchResult(Struct, kw_only=True):
    """The result of a line of submissions."""

    line: int
    submission: str
    terms: str
    status: str
    id: int | str | UnsetType = UNSET
    program_sha256: Digest | UnsetType = UNSET
    program_size: int | UnsetType = UNSET
    dialect: str | UnsetType = UNSET
    problem: str | UnsetType = UNSET
    language: str | UnsetType = UNSET
    passed: int | UnsetType = UNSET
    total: int | UnsetType = UNSET
    solved: bool | UnsetType = UNSET
    tests: list[GradedTest] | UnsetType = UNSET
    seed_commitment: str | UnsetType = UNSET
    fixed_tests: bool | UnsetType = UNSET
    error: BatchError | UnsetType = UNSET


class AgentRun(Struct):
    """A run of agents; a cell is solver, language, protocol and number."""

    title: str
    pack: str | None
    cells: list[tuple[str, str, str, int]]


class CallLine(Struct):
    """A tool call in an agent's log.  time_ms: Unix time.  text: a command, or names of files."""

    time_ms: int | None
    tool: str
    kind: Literal["shell", "edit", "other"]
    text: str


# Programs


class MapSource(Struct):
    name: str
    text: str


class MapPlace(Struct, kw_only=True):
    kind: PlaceKind
    cells: Annotated[list[str], Meta(min_length=1, max_length=256)]
    offset: int = 0
    base: Annotated[int, Meta(ge=2, le=1 << 32)] = 10
    unset: int | None = None


class SourceMap(Struct, kw_only=True):
    """A span is start, end, line and label; then the statement's number, and whether it is once."""

    format: Literal["esoplay-source-map"]
    version: Literal[1]
    program_sha256: Digest
    source: MapSource
    spans: list[Annotated[list[int | str | bool], Meta(min_length=4, max_length=6)]]
    variables: dict[str, MapPlace] = field(default_factory=dict)
    begins: int | Point | None = None


class ExportedTasks(Struct, kw_only=True):
    """The file ``export.json`` of tasks for another framework."""

    format: Literal[1]
    framework: str
    esoplay: str
    pack: dict[str, str]
    pack_included: bool
    dialect: str
    languages: list[str]
    problems: list[str]
    tasks: int
    seed_commitment: str
    kind: Literal["problems", "sessions"] = "problems"
    protocol: str = "primary"
    changes: dict[str, bool | int | str | list[str]] = field(default_factory=dict)


class Message(Struct):
    role: str
    content: str


class Sample(Struct, kw_only=True):
    id: str
    problem: str
    language: str
    title: str
    tier: str
    category: str
    messages: list[Message]


class SessionSampleProblem(Struct):
    id: str
    tier: str


class SessionSample(Struct, kw_only=True):
    id: str
    title: str
    language: str
    protocol: str
    problems: list[SessionSampleProblem]
    messages: list[Message]


# What users write, and the state folder


AnsiName = Literal[
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    "bright_black", "bright_red", "bright_green", "bright_yellow",
    "bright_blue", "bright_magenta", "bright_cyan", "bright_white",
]  # fmt: skip


class Theme(Result, kw_only=True):
    """Colours as Textual writes them; ``variables`` may set the colours of esoplay.

    ``colours-256`` and ``colours-16`` choose colours for terminals that do not show exact ones.
    """

    name: str
    primary: str
    secondary: str | UnsetType = UNSET
    warning: str | UnsetType = UNSET
    error: str | UnsetType = UNSET
    success: str | UnsetType = UNSET
    accent: str | UnsetType = UNSET
    foreground: str | UnsetType = UNSET
    background: str | UnsetType = UNSET
    surface: str | UnsetType = UNSET
    panel: str | UnsetType = UNSET
    boost: str | UnsetType = UNSET
    dark: bool = True
    luminosity_spread: float = 0.15
    text_alpha: float = 0.95
    variables: dict[str, str] = field(default_factory=dict)
    ansi: bool = False
    colours_256: dict[str, Annotated[int, Meta(ge=16, le=255)]] = field(
        default_factory=dict, name="colours-256"
    )
    colours_16: dict[str, AnsiName] = field(default_factory=dict, name="colours-16")


Keys = dict[str, str | dict[str, str | dict[str, str]]]
"""Keys by action id, separated by commas; tables and dots mean the same."""


class ProgressFile(ProgressTable, kw_only=True):
    format: Literal["esoplay-progress"]
    format_version: Literal[1]


class NotebookFile(Struct):
    format: Literal[1]
    language: str
    notes: list[Note]


class OutputBytes(Struct):
    hex: str


class SavedBreakpoint(Breakpoint, kw_only=True):
    """A breakpoint as it was set, without number and hits."""

    id: int | UnsetType = UNSET
    hits: int | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET
    output: int | str | OutputBytes | UnsetType = UNSET


class SavedBreakpoints(Struct):
    format: Literal[1]
    language: str
    breakpoints: list[SavedBreakpoint]
    watches: list[str]


class ClientState(Struct):
    """What the thin client keeps in a workspace."""

    session: str
    pending: dict[str, str]
    heads: list[str]


class RosterRunResult(Struct):
    """A model in a regime; ``folder`` is relative to the file."""

    name: str
    regime: str
    folder: str
    state: Literal["not started", "unfinished", "finished"]
    solved: int
    total: int
    left: int
    input_tokens: int
    output_tokens: int
    cost: float | None


class RosterResults(Struct):
    format: Literal["esoplay-roster"]
    format_version: Literal[1]
    title: str
    runs: list[RosterRunResult]


FORMATS: dict[str, Format] = {
    "session-export": Format("Export of a session", "session.json", SessionExport),
    "event-line": Format("A line of `esoplay session events`", "*.jsonl", EventLine),
    "report": Format("Report on sessions", "report.json", Report),
    "evaluation-report": Format("Report on evaluations", "report.json", EvaluationReport),
    "combined-report": Format("Report on evaluations and sessions", "report.json", CombinedReport),
    "evaluation": Format("Terms of an evaluation", "evaluation.json", Terms),
    "evaluation-results": Format("Results of an evaluation", "results.json", EvaluationResults),
    "leaderboard": Format("A leaderboard", "leaderboard.json", LeaderboardFile),
    "rescored": Format("A rescored evaluation", "rescore --json", Rescored),
    "run-check": Format("The check of an evaluation", "rescore --check --json", RunCheck),
    "view": Format("Entries of a run", "view --json", View),
    "pack-comparison": Format("Comparison of two packs", "problems compare --json", PackComparison),
    "dataset": Format("The manifest of a data set", "manifest.json", DatasetManifest),
    "transcript-line": Format(
        "A line of an evaluation's transcript", "transcript.jsonl", TranscriptLine
    ),
    "submission-line": Format("A line of a batch", "submissions.jsonl", SubmissionLine),
    "result-line": Format("A line of a batch's results", "results.jsonl", BatchResult),
    "usage-line": Format("A line of a token report", "usage.jsonl", UsageLine),
    "agents-run": Format("Run of agents", "run.json", AgentRun),
    "agents-begun": Format("Attempt of an agent, when started", "begun.json", AttemptStart),
    "agents-result": Format("Attempt of an agent, when over", "result.json", AttemptResult),
    "agents-call-line": Format("A tool call of an agent", "calls.jsonl", CallLine),
    "source-map": Format("Source map", "*.map.json", SourceMap),
    "pack": Format("Head of a problem pack", "pack.toml", PackTable),
    "problem": Format("Problem", "problem.toml", ProblemTable),
    "pack-compiled": Format("Problem pack in one file", "pack.json", CompiledPack),
    "fixed-tests": Format(
        "Fixed tests of a problem",
        "tests.json",
        Annotated[list[ExampleTable], Meta(min_length=1)],
    ),
    "task-export": Format("Tasks for another framework", "export.json", ExportedTasks),
    "task-samples": Format("Samples of exported tasks", "samples.json", list[Sample]),
    "task-sessions": Format("Samples of exported sessions", "samples.json", list[SessionSample]),
    "protocol": Format("Protocol", "*.toml", ProtocolTable),
    "grid": Format("Grid of agents", "*.toml", GridTable),
    "agent-manifest": Format("Manifest of an agent", "*.toml", ManifestTable),
    "host-lane": Format("Host lane", "*.toml", LaneTable),
    "lesson": Format("Lesson", "*.toml", LessonTable),
    "theme": Format("Theme", "*.toml", Theme),
    "keys": Format("Keys", "keys.toml", Keys),
    "prices": Format("Prices of models", "*.toml", Prices),
    "roster": Format("Roster of models", "*.toml", RosterTable),
    "roster-results": Format("Results of a roster", "roster.json", RosterResults),
    "external-figures": Format("Figures from elsewhere", "*.toml", ExternalFigures),
    "progress": Format("Progress", "*.json", ProgressFile),
    "notebook": Format("Notes on a program", "notes/SHA256.json", NotebookFile),
    "saved-breakpoints": Format(
        "Breakpoints and watches of a program", "kept/SHA256.json", SavedBreakpoints
    ),
    "client-state": Format("State of the thin client", ".esoplay-client", ClientState),
}
"""Every format that is JSON or TOML, by the name of its schema."""
