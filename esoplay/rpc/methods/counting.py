"""``debug.coverage heat``: how often instructions were executed."""

from __future__ import annotations

from typing import Any

from esoplay.rpc.connection import Call
from esoplay.rpc.methods.shared import DEBUG
from esoplay.rpc.parameters import Parameter, flag, one_of, whole
from esoplay.rpc.table import Method
from esoplay.service import heat as service
from esoplay.service import source_maps

_MAX_ROWS = 10_000
_DEFAULT_ROWS = 100


def coverage(
    call: Call,
    *,
    debug: str,
    all: bool = False,
    by: str = "instruction",
    limit: int = _DEFAULT_ROWS,
) -> dict[str, Any]:
    """What was executed up to here or in all known history, and the first that was not."""
    debugger = call.connection.debuggers.get(debug)
    if by == "source":
        counted = source_maps.line_heat(debugger, everything=all, ticker=call.tick)
        return source_maps.coverage_as_json(counted, limit)
    told = service.coverage(debugger, limit, everything=all, ticker=call.tick)
    return service.coverage_as_json(told)


def heat(
    call: Call,
    *,
    debug: str,
    all: bool = False,
    by: str = "instruction",
    limit: int = _DEFAULT_ROWS,
) -> dict[str, Any]:
    """The instructions or lines that were executed most often."""
    debugger = call.connection.debuggers.get(debug)
    if by == "source":
        counted = source_maps.line_heat(debugger, everything=all, ticker=call.tick)
        return source_maps.heat_as_json(counted, limit)
    counts = service.heat(debugger, everything=all, ticker=call.tick)
    data: dict[str, Any] = {"step": counts.step, "most": counts.most}
    if by == "line":
        rows = service.by_line(counts, debugger.program, limit)
        return {**data, "lines": [service.line_as_json(row) for row in rows]}
    spots = service.hottest(counts, debugger.program, limit)
    return {**data, "instructions": [service.spot_as_json(spot, counts) for spot in spots]}


_ALL = Parameter("all", flag)
_LIMIT = Parameter("limit", whole(0, _MAX_ROWS))

COUNT_METHODS = (
    Method(
        "debug.coverage",
        coverage,
        (DEBUG, _ALL, Parameter("by", one_of("instruction", "source")), _LIMIT),
        solver=True,
    ),
    Method(
        "debug.heat",
        heat,
        (DEBUG, _ALL, Parameter("by", one_of("instruction", "line", "source")), _LIMIT),
        solver=True,
    ),
)
