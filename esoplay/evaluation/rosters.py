"""Read rosters: TOML files with models, endpoints and regimes, and limits for each regime.

A roster is a list of evaluations, one for each model and regime, each in a separate folder.
Errors are reported when the file is read, with file, line, column, key and expected value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

from msgspec import UNSET, Meta, UnsetType, field

from esoplay.decoding import DecodingError, StrictTable, Text, decode_toml
from esoplay.errors import EsoplayError, UsageError
from esoplay.evaluation.regimes import REGIMES
from esoplay.evaluation.results import Price
from esoplay.evaluation.runs import DEFAULT_ATTEMPTS, EvaluationOptions, make_plan
from esoplay.evaluation.trials import Feedback, TaskName, TrialLimits
from esoplay.grading.output_comparison import Compare
from esoplay.grading.packs import RunSeconds
from esoplay.toml_positions import locate

MAX_BYTES = 1 << 20
"""Maximum size of a roster in bytes."""

ALL = "all"
"""Name of the table with default limits for all regimes; in ``regimes``, it means all regimes."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_SYNTAX = re.compile(r" \(at line \d+, column \d+\)$")
_NAMES = "a folder name of at most 80 letters, digits, dots, hyphens and underscores"

Count = Annotated[int, Meta(ge=1, le=10**9, extra={"expected": "an integer, 1 or more"})]
Names = Annotated[
    tuple[Text, ...], Meta(min_length=1, extra={"expected": "a list of at least one string"})
]


class TrialLimitsTable(StrictTable, kw_only=True):
    """Table with limits of a trial; see ``TrialLimits``. tokens: maximum tokens of one answer."""

    attempts: Annotated[int, Meta(ge=1, le=100)] | None = None
    tokens: Count | None = None
    trial_tokens: Count | None = None
    turns: Count | None = None
    seconds: Annotated[float, Meta(gt=0, extra={"expected": "seconds above 0"})] | None = None


TokenPrice = Annotated[
    float, Meta(ge=0, lt=10**6, extra={"expected": "a price per million tokens, 0 or more"})
]


class RosterPriceTable(StrictTable, kw_only=True):
    """Prices of a model per million tokens."""

    input: TokenPrice
    cached_input: TokenPrice | None = None
    output: TokenPrice


class ModelTable(StrictTable, kw_only=True):
    """Table of a model in a roster."""

    name: Text
    base_url: Text | None = None
    command: Text | None = None
    model: Text | None = None
    key_env: Text | None = None
    temperature: Annotated[float, Meta(ge=0, le=10)] | None = None
    sampling_seed: int | None = None
    extra: dict[str, Any] = field(default_factory=dict[str, Any])
    timeout: Annotated[float, Meta(gt=0, le=86_400)] = 600
    languages: Names | None = None
    regimes: Names | None = None
    price: RosterPriceTable | None = None
    limits: dict[str, TrialLimitsTable] = field(default_factory=dict[str, TrialLimitsTable])

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise DecodingError("name", expected=_NAMES, found=self.name)
        if (self.base_url is None) == (self.command is None):
            raise DecodingError("name", f"{self.name} needs exactly one of base_url and command")
        if self.command is not None:
            for name, value in (("key_env", self.key_env), ("extra", self.extra)):
                if value:
                    raise DecodingError(name, "requires base_url")
        for name in ("model", "messages", "stream", "n"):
            if name in self.extra:
                raise DecodingError(
                    f"extra.{name}", "this member cannot be set; remove it from extra"
                )
        check_limits(self.limits)


class RosterTable(StrictTable, kw_only=True):
    """Roster file."""

    languages: Names
    regimes: Names
    models: Annotated[
        tuple[ModelTable, ...],
        Meta(min_length=1, extra={"expected": "a list of at least one table"}),
    ]
    title: Text | None = None
    task: TaskName = "solve"
    problems: Names | None = None
    runs: Annotated[int, Meta(ge=1, le=1000)] = 1
    pack: Text | None = None
    dialect: Text = "benchmark"
    compare: Compare | None = None
    time_limit: RunSeconds | None = None
    examples: Annotated[int, Meta(ge=0, le=999)] | Literal["none"] | UnsetType = UNSET
    feedback: Feedback = "examples"
    card: bool = True
    prompts: Text | None = None
    currency: Annotated[str, Meta(min_length=1, max_length=8)] = "USD"
    limits: dict[str, TrialLimitsTable] = field(default_factory=dict[str, TrialLimitsTable])

    def __post_init__(self) -> None:
        check_limits(self.limits)
        names = [model.name.casefold() for model in self.models]
        for at, name in enumerate(names):
            if name in names[:at]:
                raise DecodingError(f"models[{at}].name", f"duplicate name {self.models[at].name}")


def check_limits(limits: Mapping[str, TrialLimitsTable]) -> None:
    """Raise DecodingError if limits are set for an unknown regime."""
    for name in limits:
        if name != ALL and name not in REGIMES:
            expected = " | ".join([ALL, *REGIMES])
            raise DecodingError(f"limits.{name}", expected=expected, found=name)


@dataclass(frozen=True, slots=True)
class RosterRun:
    """Evaluation of a roster: one model in one regime.

    folder: path relative to the folder for results.
    """

    model: ModelTable
    regime: str
    options: EvaluationOptions
    price: Price | None

    @property
    def folder(self) -> Path:
        return Path(self.model.name, self.regime)


@dataclass(frozen=True, slots=True)
class Roster:
    """Roster with its runs, ordered by regime and then by model."""

    file: str
    title: str
    runs: tuple[RosterRun, ...]


def read_roster(file: Path, seed: bytes) -> Roster:
    """Read and check a roster; raise UsageError if it is unreadable or invalid.

    seed: seed of the hidden tests, which the check of languages, problems and regimes needs.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read the roster {file}: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise UsageError(f"{file}: a roster has at most {MAX_BYTES:,} bytes")
    text = data.decode("utf-8", "replace")
    try:
        table = decode_toml(data, RosterTable)
        runs = [
            _make_run(table, at, regime, file.parent)
            for regime in _regimes_of_all(table)
            for at, model in enumerate(table.models)
            if regime in _regimes(table, model)
        ]
        for run in runs:
            at = table.models.index(run.model)
            try:
                make_plan(run.options, seed)
            except EsoplayError as error:
                raise DecodingError(_guess_key(table, at, str(error)), str(error)) from None
    except DecodingError as mistake:
        _raise_usage_error(file, text, mistake)
    return Roster(str(file), table.title or file.stem, tuple(runs))


def _raise_usage_error(file: Path, text: str, mistake: DecodingError) -> NoReturn:
    """Raise UsageError with the position of an error in the file."""
    place = locate(file, text, mistake.path, mistake.message)
    words = str(mistake) if mistake.path else _SYNTAX.sub("", mistake.message)
    raise UsageError(f"{place}: {words}") from None


def _guess_key(table: RosterTable, index: int, message: str) -> str:
    """Guess which key of a roster made ``make_plan`` fail, from the error's message."""
    model = table.models[index]
    own = f"models[{index}]."
    for name in ("regimes", "languages"):
        if f"--{name[:-1]}" in message or (name == "regimes" and "few-shot" in message):
            return own + name if getattr(model, name) is not None else name
    if any(f"'{problem}'" in message for problem in table.problems or ()):
        return "problems"
    for name in ("pack", "prompts"):
        if getattr(table, name) is not None and getattr(table, name) in message:
            return name
    return own + "languages" if model.languages is not None else "languages"


def _regimes(table: RosterTable, model: ModelTable) -> Sequence[str]:
    named = model.regimes or table.regimes
    return list(REGIMES) if list(named) == [ALL] else named


def _regimes_of_all(table: RosterTable) -> list[str]:
    """Return the regimes of all models without duplicates, in the order of the roster.

    Raises DecodingError if a name is unknown.
    """
    for path, names in (
        ("regimes", table.regimes),
        *((f"models[{at}].regimes", each.regimes) for at, each in enumerate(table.models)),
    ):
        for at, name in enumerate(names or ()):
            if name not in REGIMES and tuple(names or ()) != (ALL,):
                expected = " | ".join([ALL, *REGIMES])
                raise DecodingError(f"{path}[{at}]", expected=expected, found=name)
    return list(dict.fromkeys(one for model in table.models for one in _regimes(table, model)))


def _make_run(table: RosterTable, index: int, regime: str, folder: Path) -> RosterRun:
    model = table.models[index]
    chosen = _limits(table, model, regime)
    extra = model.extra
    options = EvaluationOptions(
        model=model.name,
        asked=model.base_url or model.command or "",
        languages=model.languages or table.languages,
        regimes=[regime],
        task=table.task,
        problems=table.problems,
        runs=table.runs,
        attempts=chosen.attempts or DEFAULT_ATTEMPTS,
        temperature=model.temperature,
        max_tokens=chosen.tokens,
        sampling_seed=model.sampling_seed,
        extra=extra or None,
        dialect=table.dialect,
        compare=table.compare,
        time_limit=table.time_limit,
        pack=_pack_path(table.pack, folder),
        card=table.card,
        examples=None if table.examples is UNSET else _parse_example_count(table.examples),
        feedback=table.feedback,
        prompts=None if table.prompts is None else folder / table.prompts,
        limits=TrialLimits(chosen.turns, chosen.trial_tokens, chosen.seconds),
        requested_model=model.model,
    )
    price = None if model.price is None else _price(model.price, table.currency)
    return RosterRun(model, regime, options, price)


def _parse_example_count(examples: int | Literal["none"]) -> int:
    return 0 if examples == "none" else examples


def _pack_path(pack: str | None, folder: Path) -> str | None:
    """Return the id or path of a pack; a path is relative to the folder of the roster file."""
    if pack is None:
        return None
    beside = (folder / pack).expanduser()
    return str(beside) if beside.is_dir() else pack


def _limits(table: RosterTable, model: ModelTable, regime: str) -> TrialLimitsTable:
    """Return the limits of a model in a regime; for each key, the most specific table wins."""
    tables = [
        model.limits.get(regime),
        model.limits.get(ALL),
        table.limits.get(regime),
        table.limits.get(ALL),
    ]
    found: dict[str, Any] = {}
    for each in tables:
        for name in TrialLimitsTable.__struct_fields__:
            value = None if each is None else getattr(each, name)
            if value is not None:
                found.setdefault(name, value)
    return TrialLimitsTable(**found)


def _price(table: RosterPriceTable, currency: str) -> Price:
    cached = table.input if table.cached_input is None else table.cached_input
    return Price(
        currency, Decimal(str(table.input)), Decimal(str(cached)), Decimal(str(table.output))
    )
