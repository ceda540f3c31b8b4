"""The tools of the time-travel debugger."""

from __future__ import annotations

from esoplay.rpc.mcp.schemas import (
    DIALECT,
    LANGUAGE,
    NUMBER,
    OPTIONS,
    PROGRAM,
    STDIN,
    anything,
    flag,
    many,
    record,
    text,
    whole,
    whole_or_none,
    words,
)
from esoplay.rpc.mcp.state_schemas import (
    BREAKPOINT,
    BUDGET,
    CELL,
    DEBUG,
    LOGS,
    SLOT,
    STEP,
    STOP,
    VIEW,
    VIEW_AT_TIMES,
    VIEW_PARTS,
    WINDOW,
    WRITE,
)
from esoplay.rpc.mcp.tool import Tool
from esoplay.service.encoding import VIEW_FIELDS

DEBUGGING = (
    Tool(
        "debug_open",
        "debug.open",
        "Open the debugger",
        "Open a program at step 0. Close it when you are done: few can be open at a time.",
        required=LANGUAGE,
        optional={
            **PROGRAM,
            **STDIN,
            "closed": flag("whether the input ends there; true unless said, else debug_set feeds"),
            **DIALECT,
            **OPTIONS,
            "seed": whole("for languages with chance"),
            "source_map": anything("the map back to the generator"),
        },
        answer={**DEBUG, **VIEW},
    ),
    Tool(
        "debug_step",
        "debug.step",
        "Step",
        "Steps of a size, on or back in time.",
        required=DEBUG,
        optional={
            "count": whole("how many", 1),
            "reverse": flag("back in time"),
            "granularity": words(
                "instruction",
                "loop",
                "finish",
                "line",
                "source",
                description="one step; over a construct; out of one; a line; a line of the "
                "generator, where there is a source map",
            ),
            **BUDGET,
        },
        answer=STOP,
        at_times=LOGS,
    ),
    Tool(
        "debug_continue",
        "debug.continue",
        "Continue",
        "Go on, or back, to the next stop: a breakpoint, one of the conditions given here, or the "
        "end of history.",
        required=DEBUG,
        optional={"reverse": flag("back in time"), "until": many(BREAKPOINT), **BUDGET},
        answer=STOP,
        at_times=LOGS,
    ),
    Tool(
        "debug_seek",
        "debug.seek",
        "Go to a step",
        "Go to any step, past or to come, or as near as the run gets.",
        required={**DEBUG, "step": whole("steps executed")},
        answer=STOP,
        at_times=LOGS,
        repeats=True,
    ),
    Tool(
        "debug_view",
        "debug.view",
        "Look at the state",
        "The state at the present step, bounded by a window; with fields those alone, such as "
        "output and registers, which are told only when asked for.",
        required=DEBUG,
        optional={"window": WINDOW, "fields": many(words(*VIEW_FIELDS))},
        answer=DEBUG,
        at_times={**VIEW_PARTS, **VIEW_AT_TIMES},
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_breakpoints",
        "debug.breakpoints",
        "Breakpoints",
        "Replace all breakpoints by a list, or tell them.",
        required=DEBUG,
        optional={"set": many(BREAKPOINT)},
        answer={
            **DEBUG,
            "breakpoints": many(
                record({"id": whole(), "hits": whole(), "enabled": flag()}),
                "as they were set, and how often each stopped a run or logged",
            ),
        },
        repeats=True,
    ),
    Tool(
        "debug_printed",
        "debug.printed",
        "Who printed a byte",
        "The step that printed a byte of the output, in the history run so far.",
        required={**DEBUG, "byte": whole("its number, from 0")},
        answer={**DEBUG, "step": whole_or_none("null if none has, so far")},
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_writes",
        "debug.writes",
        "Who wrote a cell",
        "The last steps that put a value into a cell or a place on a stack, newest first.",
        required=DEBUG,
        optional={
            "cell": CELL,
            "slot": SLOT,
            "before": whole("up to this step; to here unless said"),
            "limit": whole("how many; 1 unless said", 1),
        },
        answer={**DEBUG, "writes": many(WRITE)},
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_set",
        "debug.set",
        "Change the state or the input",
        "Change a cell, a variable of the generator, or what the program reads. What came after "
        "is forgotten.",
        required=DEBUG,
        optional={
            "cell": CELL,
            "variable": text("a variable of the source map"),
            "value": {"type": "integer", "description": "of the cell or the variable"},
            "stdin": text("all of the input anew"),
            "feed": text("more input, where it is open"),
            "close_input": flag("the input ends with what there is"),
        },
        answer={**DEBUG, **STEP, **VIEW},
    ),
    Tool(
        "debug_variables",
        "debug.variables",
        "Variables of the generator",
        "The variables of the source by name, where there is a source map.",
        required=DEBUG,
        optional={
            "names": text("how the names wanted begin"),
            "limit": whole("how many; 1000 unless said", 1),
        },
        answer={
            **DEBUG,
            **STEP,
            "name": text("of the source"),
            "line": whole_or_none("that was begun last"),
            "variables": many(
                record(
                    {
                        "name": text(),
                        "value": NUMBER,
                        "text": text("for people"),
                        "cells": many(text(), "where it is, as conditions name it"),
                    }
                )
            ),
            "more": whole("variables that are not told"),
        },
        at_times={"reason": text("why there are none")},
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_why",
        "debug.diagnose",
        "Why the run ended, or does not",
        "Facts on how the run ended, or why it goes on for ever, and what to try.",
        required=DEBUG,
        optional={"bound": whole("steps within which to look for an endless run", 1)},
        answer={
            **DEBUG,
            "known": whole("steps of the history"),
            "searched": whole_or_none("steps within which no state came again"),
            "findings": many(
                record(
                    {
                        "kind": text(),
                        "certainty": words("proved", "observed", "possible"),
                        "text": text(),
                        "advice": text(),
                        "steps": many(record({"step": whole(), "what": text()}), "where to look"),
                    }
                ),
                "the gravest first",
            ),
        },
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_close",
        "debug.close",
        "Close a debugger",
        "Forget a debugger and its history.",
        required=DEBUG,
        answer={**DEBUG, "closed": flag()},
        repeats=True,
    ),
)
