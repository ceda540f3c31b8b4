"""Compute the results of an evaluation: verdicts, attempts, tokens, cost and language tax."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from esoplay.decoding import DecodingError, FileWording, StrictTable, decode, decode_toml
from esoplay.errors import UsageError
from esoplay.evaluation.regimes import REGIMES
from esoplay.evaluation.transcript import SavedAnswer, TranscriptContents
from esoplay.evaluation.trials import Trial, parse_trial_id
from esoplay.reporting.comparison import loss
from esoplay.reporting.statistics import (
    ConfidenceInterval,
    SeriesSummary,
    arithmetic_mean,
    summarize,
    wilson,
)
from esoplay.running.host.lanes import is_lane

_ORDER = list(REGIMES)


class TokenTotals(NamedTuple):
    """Sums of the tokens of answers.

    cached: part of input.  reasoning: part of output.  untold: number of answers without counts.
    """

    input: int = 0
    cached: int = 0
    output: int = 0
    untold: int = 0
    reasoning: int = 0

    def plus(self, other: TokenTotals) -> TokenTotals:
        return TokenTotals(*(one + two for one, two in zip(self, other, strict=True)))


@dataclass(frozen=True, slots=True)
class TrialResult:
    """Result of a finished trial.

    attempts: number of programs that were run. turns: number of answers. seconds: time spent
    waiting for answers. cost: None without prices. record: the transcript's record of the finished
    trial.
    """

    trial: Trial
    tier: str
    solved: bool
    verdict: str
    attempts: int
    turns: int
    seconds: float
    tokens: TokenTotals
    cost: Decimal | None
    record: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        names = (
            *("passed", "total", "tests", "time_limit", "limit", "reason", "toolchain"),
            *("program_sha256", "program_size"),
        )
        return {
            "id": self.trial.id,
            **self.trial._asdict(),
            "tier": self.tier,
            "solved": self.solved,
            "verdict": self.verdict,
            "attempts": self.attempts,
            "turns": self.turns,
            "seconds": round(self.seconds, 3),
            "tokens": self.tokens._asdict(),
            "cost": None if self.cost is None else float(self.cost),
            **{name: self.record[name] for name in names if name in self.record},
        }


@dataclass(frozen=True, slots=True)
class EvaluationLine:
    """Row of the results: all trials of one task, language and regime."""

    task: str
    language: str
    regime: str
    results: tuple[TrialResult, ...]

    @property
    def solved(self) -> int:
        return sum(result.solved for result in self.results)

    @property
    def total(self) -> int:
        return len(self.results)

    @property
    def toolchains(self) -> list[str]:
        """Versions of the host lane's toolchain with which programs were graded."""
        found = [one.record["toolchain"] for one in self.results if "toolchain" in one.record]
        return list(dict.fromkeys(found))

    @property
    def interval(self) -> ConfidenceInterval:
        """The confidence interval of the solved share."""
        return wilson(self.solved, self.total)

    @property
    def runs(self) -> dict[int, tuple[int, int]]:
        """Return the numbers of solved and of all trials, by run."""
        found: dict[int, tuple[int, int]] = {}
        for result in self.results:
            solved, total = found.get(result.trial.run, (0, 0))
            found[result.trial.run] = solved + result.solved, total + 1
        return dict(sorted(found.items()))

    @property
    def solved_per_run(self) -> SeriesSummary:
        """Return summary statistics of the solved shares of the runs."""
        return summarize([solved / total for solved, total in self.runs.values()])

    @property
    def verdicts(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for result in self.results:
            counts[result.verdict] = counts.get(result.verdict, 0) + 1
        return dict(sorted(counts.items()))

    @property
    def tiers(self) -> dict[str, tuple[int, int]]:
        """Return the numbers of solved and of all trials, by tier in order of appearance."""
        found: dict[str, tuple[int, int]] = {}
        for result in self.results:
            solved, total = found.get(result.tier, (0, 0))
            found[result.tier] = solved + result.solved, total + 1
        return found

    @property
    def turns(self) -> int:
        return sum(result.turns for result in self.results)

    @property
    def tokens(self) -> TokenTotals:
        return _sum_tokens(result.tokens for result in self.results)

    @property
    def cost(self) -> Decimal | None:
        return _sum_costs(result.cost for result in self.results)

    def as_json(self) -> dict[str, Any]:
        interval, runs = self.interval, self.solved_per_run
        return {
            "task": self.task,
            "language": self.language,
            "regime": self.regime,
            "solved": self.solved,
            "total": self.total,
            "share": self.solved / self.total,
            "wilson_95": list(interval),
            "runs": [
                {"run": run, "solved": solved, "total": total}
                for run, (solved, total) in self.runs.items()
            ],
            "mean_of_runs": runs.mean,
            "deviation_of_runs": runs.deviation,
            "tiers": {
                tier: {"solved": solved, "total": total}
                for tier, (solved, total) in self.tiers.items()
            },
            "verdicts": self.verdicts,
            "turns": self.turns,
            "tokens": self.tokens._asdict(),
            "cost": None if self.cost is None else float(self.cost),
        }


@dataclass(frozen=True, slots=True)
class ResultTable:
    """All rows of the results of an evaluation.

    tiers: tiers of all rows in the order of the pack. unfinished: ids of started trials that are
    not finished. tokens, cost: sums over all answers, also of unfinished trials.
    """

    terms: dict[str, Any]
    lines: tuple[EvaluationLine, ...]
    tiers: tuple[str, ...]
    unfinished: tuple[str, ...]
    failures: int
    tokens: TokenTotals
    cost: Decimal | None
    currency: str | None

    @property
    def toolchains(self) -> dict[str, list[str]]:
        """Versions of the toolchains with which programs were graded, by host lane."""
        found: dict[str, list[str]] = {}
        for line in self.lines:
            for version in line.toolchains:
                known = found.setdefault(line.language, [])
                if version not in known:
                    known.append(version)
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the object in ``results.json`` without its member ``language_tax``."""
        return {
            "format": "esoplay-evaluation-results",
            "format_version": 1,
            "terms": self.terms,
            "lines": [line.as_json() for line in self.lines],
            "left": list(self.unfinished),
            "failed_requests": self.failures,
            "tokens": self.tokens._asdict(),
            "cost": None if self.cost is None else float(self.cost),
            "currency": self.currency,
            "trials": [result.as_json() for line in self.lines for result in line.results],
            **({"toolchains": self.toolchains} if self.toolchains else {}),
        }


def compute_results(
    terms: dict[str, Any],
    transcript: TranscriptContents,
    price: Price | None,
    tiers: Sequence[str],
) -> ResultTable:
    """Compute the results of a whole transcript, which several commands may have extended.

    tiers: all tiers of the pack, in its order.
    """
    found = sorted(trial_results(transcript, price), key=_sort_key)
    lines = tuple(
        EvaluationLine(*names, tuple(results)) for names, results in groupby(found, key=_line_key)
    )
    answers = [one for turns in transcript.answers.values() for one in turns.values()]
    tokens = _sum_tokens(map(_tokens, answers))
    started = set(transcript.question_counts) - set(transcript.finished)
    return ResultTable(
        terms,
        lines,
        tuple(tier for tier in tiers if any(tier in line.tiers for line in lines)),
        tuple(sorted(started)),
        sum(transcript.failures.values()),
        tokens,
        None if price is None else price.cost(tokens.input, tokens.cached, tokens.output),
        None if price is None else price.currency,
    )


def trial_results(transcript: TranscriptContents, price: Price | None) -> Iterator[TrialResult]:
    """Yield the result of each finished trial."""
    for id, record in transcript.finished.items():
        answers = transcript.answers.get(id, {}).values()
        tokens = _sum_tokens(map(_tokens, answers))
        yield TrialResult(
            parse_trial_id(id),
            record["tier"],
            record["solved"],
            record["verdict"],
            record["attempts"],
            len(answers),
            sum(answer.seconds for answer in answers),
            tokens,
            None if price is None else price.cost(tokens.input, tokens.cached, tokens.output),
            record,
        )


def _tokens(saved_answer: SavedAnswer) -> TokenTotals:
    answer = saved_answer.answer
    if answer.input_tokens is None and answer.output_tokens is None:
        return TokenTotals(untold=1)
    return TokenTotals(
        answer.input_tokens or 0,
        answer.cached_tokens or 0,
        answer.output_tokens or 0,
        reasoning=answer.reasoning_tokens or 0,
    )


def _sum_tokens(tokens: Iterable[TokenTotals]) -> TokenTotals:
    total = TokenTotals()
    for each in tokens:
        total = total.plus(each)
    return total


def _sum_costs(costs: Iterable[Decimal | None]) -> Decimal | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known, Decimal(0)) if known else None


def _line_key(result: TrialResult) -> tuple[str, str, str]:
    return result.trial.task, result.trial.language, result.trial.regime


def _sort_key(result: TrialResult) -> tuple[str, str, int, int, str]:
    trial = result.trial
    return trial.task, trial.language, _ORDER.index(trial.regime), trial.run, trial.item


# The language tax is the share that a model solves in an unfamiliar language, minus the average
# share solved in the host lanes under the same regime on the same problems, as in reports on
# sessions (``reporting.comparison``). A negative tax is a loss.


class LanguageTax(NamedTuple):
    """The share solved in an esoteric language, compared with the share in ordinary languages.

    All shares are from the same regime. share: share solved in the language. familiar: ids of the
    host lanes, the ordinary languages that it is compared with.
    familiar_share: average share solved in them. tax: ``share`` minus ``familiar_share``. interval:
    bootstrap interval of ``tax`` over problems.
    """

    language: str
    regime: str
    familiar: tuple[str, ...]
    share: float
    familiar_share: float
    tax: float
    interval: ConfidenceInterval

    def as_json(self) -> dict[str, Any]:
        return {
            **self._asdict(),
            "familiar": list(self.familiar),
            "interval": list(self.interval),
        }


def language_taxes(lines: Sequence[EvaluationLine]) -> Iterator[LanguageTax]:
    """Compare each row of an esoteric language with rows of ordinary languages (host lanes).

    Two rows can be compared if they have the same regime and the same problems. A row that cannot
    be compared with any other is left out.
    """
    shares = [(line, _shares(line)) for line in lines if line.task == "solve"]
    for line, here in shares:
        if is_lane(line.language):
            continue
        others = [
            (other.language, there)
            for other, there in shares
            if is_lane(other.language) and other.regime == line.regime and set(there) == set(here)
        ]
        if not others:
            continue
        familiar = [[there[item] for item in here] for _, there in others]
        languages = tuple(language for language, _ in others)
        found = loss([list(here.values())], familiar)
        yield LanguageTax(line.language, line.regime, languages, *found)


def _shares(line: EvaluationLine) -> dict[str, float]:
    """Return the share of runs that solved a problem, by problem id."""
    found: dict[str, list[float]] = {}
    for result in line.results:
        found.setdefault(result.trial.item, []).append(float(result.solved))
    return {item: arithmetic_mean(each) for item, each in found.items()}


# Prices of tokens, from a file of the user.
#
# TOML with a table for each model, prices in the user's currency for a million tokens::
#
#     currency = "USD"
#
#     [models."some-model"]
#     input = 3.00
#     cached_input = 0.30
#     output = 15.00

_MILLION = 1_000_000
_CONTENTS = "only `currency` and tables [models.NAME]"


class Price(NamedTuple):
    """Prices of a million tokens, in a user's currency."""

    currency: str
    input: Decimal
    cached_input: Decimal
    output: Decimal

    def cost(self, input_tokens: int, cached_tokens: int, output_tokens: int) -> Decimal:
        """Return the cost of answers; ``input_tokens`` include ``cached_tokens``."""
        fresh = max(0, input_tokens - cached_tokens)
        cached = input_tokens - fresh
        return (
            fresh * self.input + cached * self.cached_input + output_tokens * self.output
        ) / _MILLION


class PricesTable(StrictTable):
    """Price file; only the table of the model that was evaluated is checked."""

    models: Annotated[dict[str, Any], Meta(extra={"expected": _CONTENTS})]
    currency: Annotated[str, Meta(extra={"expected": "a short string such as USD"})] = "USD"

    def __post_init__(self) -> None:
        if not self.currency.isprintable() or not 0 < len(self.currency) < 9:
            raise DecodingError("currency", "expected a short string such as USD")


TokenPrice = Annotated[
    int | Decimal, Meta(extra={"expected": "a price per million tokens, 0 or more"})
]


class PriceTable(StrictTable, kw_only=True):
    """The prices of a model per million tokens; ``cached_input`` is ``input`` by default."""

    input: TokenPrice
    cached_input: TokenPrice | None = None
    output: TokenPrice

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            finite = value is None or Decimal(value).is_finite()
            if not finite or not 0 <= (value or 0) < _MILLION:
                raise DecodingError(name, "expected a price per million tokens, 0 or more")


_WORDING = FileWording(
    missing="expected a price per million tokens",
    unknown="expected {known}",
    expected="expected {expected}",
)
_FILE_WORDING = FileWording(
    missing=f"expected {_CONTENTS}",
    unknown=f"expected {_CONTENTS}",
    expected="expected {expected}",
    unknown_before_missing=True,
)


def read_price(data: bytes, name: str, model: str) -> Price:
    """Read the prices of ``model`` from the file ``name``; raise UsageError with file and key."""
    try:
        table = decode_toml(data, PricesTable, _FILE_WORDING, parse_float=Decimal)
        path = f'models."{model}"'
        if not isinstance(table.models.get(model), dict):
            raise DecodingError(path, "expected a table with the prices of this model")
        price = decode(table.models[model], PriceTable, _WORDING, path)
    except DecodingError as mistake:
        said = f"not valid TOML: {mistake}" if mistake.__cause__ else str(mistake)
        raise UsageError(f"{name}: {said}") from None
    cached = price.input if price.cached_input is None else price.cached_input
    return Price(table.currency, Decimal(price.input), Decimal(cached), Decimal(price.output))
