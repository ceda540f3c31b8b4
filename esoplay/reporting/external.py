"""Figures from elsewhere: scores of other benchmarks and sizes of corpora, and correlations.

The scores and sizes come from a TOML file::

    [scores."Another benchmark"]
    some-model = 80.8

    [corpora."Repositories"]
    brainfuck = 5000
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import isfinite, log10
from typing import Any, Literal, NamedTuple, cast

from esoplay.errors import UsageError
from esoplay.reporting.correlations import Coefficient, pearson, spearman
from esoplay.reporting.statistics import arithmetic_mean

TableKind = Literal["scores", "corpora"]
KINDS: tuple[TableKind, ...] = ("scores", "corpora")
_NAMES = {"scores": "solver or model", "corpora": "language"}

ExternalTables = Mapping[TableKind, Mapping[str, Mapping[str, float]]]
"""Tables by kind and title; a table maps names to values."""


class ScoredShare(NamedTuple):
    """The share that a solver or model solved in a language under a protocol or regime."""

    name: str
    condition: str
    language: str
    share: float


class ExternalPoint(NamedTuple):
    """A solver, model or language: its value in an external table, and a share of problems.

    share: the mean share of problems that the solver or model solved, or, for a language, the mean
    share of problems that were solved in it.
    """

    name: str
    value: float
    share: float


class ExternalCorrelation(NamedTuple):
    """The correlation of shares solved with the values of an external table.

    condition: the protocol or regime; for corpora ``NAME, CONDITION``, where NAME is the solver or
    model, or ``ALL_CONDITIONS`` for the means over all of them. over: the languages (for scores) or
    solvers (for corpora) over which each share is a mean. pearson: for corpora, the coefficient of
    the base-10 logarithms of their sizes. Coefficients are None with fewer than three points, or if
    all values or all shares are equal. unused: names in the table without results.
    """

    kind: TableKind
    table: str
    condition: str
    over: tuple[str, ...]
    points: tuple[ExternalPoint, ...]
    pearson: Coefficient | None
    spearman: Coefficient | None
    unused: tuple[str, ...]


ALL_CONDITIONS = "all together"


def read_external(file: str, data: bytes) -> ExternalTables:
    """Read the file of external figures; raise UsageError, with a position, if it is invalid."""
    try:
        text = data.decode("utf-8")
        found = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise UsageError(f"{file}:{line}:{column}: not UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(_syntax_error(file, data, str(error))) from None
    tables: dict[TableKind, dict[str, dict[str, float]]] = {"scores": {}, "corpora": {}}
    for path, value in _find_values(found):
        problem = _value_error(path, value)
        if problem:
            line, column = _place(text, path)
            raise UsageError(f"{file}:{line}:{column}: {'.'.join(path)}: {problem}")
        kind, title, name = path
        tables[cast("TableKind", kind)].setdefault(title, {})[name] = float(value)
    if not any(tables.values()):
        raise UsageError(f"{file}:1:1: no scores or sizes; expected tables such as [scores.NAME]")
    return tables


def _syntax_error(file: str, data: bytes, message: str) -> str:
    found = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if found:
        return f"{file}:{found[1]}:{found[2]}: not valid TOML: {message[: found.start()]}"
    lines = data.decode("utf-8").split("\n")
    return f"{file}:{len(lines)}:{len(lines[-1]) + 1}: not valid TOML: {message}"


def _value_error(path: Sequence[str], value: object) -> str:
    """Describe the error in a value; return '' if it is valid."""
    kind = path[0]
    if kind not in KINDS:
        return "unknown table; expected [scores.NAME] or [corpora.NAME]"
    if len(path) != 3:
        return f"expected a table [{kind}.NAME] with one number for each {_NAMES[kind]}"
    if not all(part.isprintable() and 0 < len(part) <= 100 for part in path):
        return "expected a name of at most 100 printable characters"
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        return "expected a number"
    if kind == "corpora" and value <= 0:
        return "expected a size above 0"
    return ""


def _find_values(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[Any, Any]]:
    for name, value in table.items():
        if isinstance(value, dict) and value:
            yield from _find_values(cast("dict[str, Any]", value), (*path, name))
        elif not isinstance(value, dict) or len(path) != 1:
            yield (*path, name), value


def _place(text: str, path: Sequence[str]) -> tuple[int, int]:
    """Return line and column of the value at a path, or of the nearest table around it."""
    header: tuple[str, ...] = ()
    place = (1, 1)
    for number, line in enumerate(text.split("\n"), 1):
        written = line.strip()
        try:
            found = tomllib.loads(written)
        except tomllib.TOMLDecodeError:
            continue
        if not found:
            continue
        keys = _first_path(found)
        if written.startswith("["):
            header = keys
            here = header
        else:
            here = (*header, *keys)
        if tuple(path[: len(here)]) == here:
            start = len(line) - len(line.lstrip())
            value = re.search(r"=\s*", line) if not written.startswith("[") else None
            place = number, (value.end() if value else start) + 1
    return place


def _first_path(table: Mapping[str, Any]) -> tuple[str, ...]:
    name, below = next(iter(table.items()))
    if isinstance(below, dict) and below:
        return (name, *_first_path(cast("dict[str, Any]", below)))
    return (name,)


def correlations(
    tables: ExternalTables,
    shares: Sequence[ScoredShare],
    familiar: Collection[str] = (),
    seed: int = 0,
) -> list[ExternalCorrelation]:
    """Return, for each condition, the correlations of the external tables with the shares solved.

    Scores of solvers or models are compared with their mean shares over the unfamiliar languages in
    which all of them have results or, without such languages, over the ``familiar`` ones. Sizes of
    corpora are compared, language by language, with the shares of each solver or model, and with
    the mean shares of all of them in the languages in which all have results.
    """
    conditions = list(dict.fromkeys(one.condition for one in shares))
    found: list[ExternalCorrelation] = []
    for condition in conditions:
        some = [one for one in shares if one.condition == condition]
        for title, values in tables["scores"].items():
            found += _correlate_scores(title, values, condition, some, familiar, seed)
        for title, values in tables["corpora"].items():
            found += _correlate_corpora(title, values, condition, some, seed)
    return found


def _correlate_scores(
    title: str,
    values: Mapping[str, float],
    condition: str,
    shares: Sequence[ScoredShare],
    familiar: Collection[str],
    seed: int,
) -> Iterator[ExternalCorrelation]:
    by_name: dict[str, dict[str, float]] = {}
    for one in shares:
        if _name_in_table(one.name, values) is not None:
            by_name.setdefault(one.name, {})[one.language] = one.share
    common = _common_names(list(by_name.values()))
    languages = [name for name in common if name not in familiar] or common
    if not languages:
        return
    points = [
        ExternalPoint(
            name,
            values[_name_in_table(name, values) or name],
            arithmetic_mean([own[language] for language in languages]),
        )
        for name, own in by_name.items()
    ]
    used = {_name_in_table(name, values) for name in by_name}
    unused = tuple(name for name in values if name not in used)
    yield _correlation("scores", title, condition, languages, points, unused, seed)


def _name_in_table(name: str, values: Mapping[str, float]) -> str | None:
    """Return the key of ``values`` for a solver or a model, or None.

    The name of a model may end with its settings in brackets, which the key may omit.
    """
    for known in (name, name.partition(" (")[0]):
        if known in values:
            return known
    return None


def _common_names(tables: Sequence[Mapping[str, float]]) -> list[str]:
    """Return the names that all tables have, in the order of the first."""
    if not tables:
        return []
    return [name for name in tables[0] if all(name in other for other in tables)]


def _correlate_corpora(
    title: str,
    values: Mapping[str, float],
    condition: str,
    shares: Sequence[ScoredShare],
    seed: int,
) -> Iterator[ExternalCorrelation]:
    by_name: dict[str, dict[str, float]] = {}
    for one in shares:
        if one.language in values:
            by_name.setdefault(one.name, {})[one.language] = one.share
    for name, own in by_name.items():
        yield _correlate_languages(title, values, f"{name}, {condition}", [name], own, seed)
    common = _common_names(list(by_name.values()))
    if len(by_name) > 1 and common:
        means = {
            language: arithmetic_mean([own[language] for own in by_name.values()])
            for language in common
        }
        yield _correlate_languages(
            title, values, f"{ALL_CONDITIONS}, {condition}", list(by_name), means, seed
        )


def _correlate_languages(
    title: str,
    values: Mapping[str, float],
    condition: str,
    names: Sequence[str],
    shares: Mapping[str, float],
    seed: int,
) -> ExternalCorrelation:
    points = [ExternalPoint(name, values[name], share) for name, share in shares.items()]
    unused = tuple(name for name in values if name not in shares)
    return _correlation("corpora", title, condition, names, points, unused, seed)


def _correlation(
    kind: TableKind,
    title: str,
    condition: str,
    over: Sequence[str],
    points: Sequence[ExternalPoint],
    unused: tuple[str, ...],
    seed: int,
) -> ExternalCorrelation:
    ordered = sorted(points, key=lambda point: (point.value, point.name))
    xs = [log10(one.value) if kind == "corpora" else one.value for one in ordered]
    ys = [one.share for one in ordered]
    return ExternalCorrelation(
        kind,
        title,
        condition,
        tuple(over),
        tuple(ordered),
        pearson(xs, ys, seed),
        spearman(xs, ys, seed),
        unused,
    )
