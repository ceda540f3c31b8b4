"""MCP tools for a session's solver, for practice and for the debugger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from esoplay.debugging.descriptions import VIEW_FIELDS
from esoplay.rpc.mcp.schemas import (
    BREAKPOINT,
    BUDGET,
    CAUSE,
    CELL,
    DEBUG,
    DIALECT,
    FAILS_IN_DIALECT,
    LANGUAGE,
    LOGS,
    NUMBER,
    ONLY_CLASS,
    OPTIONS,
    OTHER_DIALECT,
    OUTCOME,
    OUTCOME_AT_TIMES,
    PROBLEM,
    PROGRAM,
    SHOWN,
    SHOWN_OUTPUT,
    SLOT,
    STDIN,
    STEP,
    STOP,
    TRUNCATION,
    VIEW,
    VIEW_AT_TIMES,
    VIEW_PARTS,
    WINDOW,
    WRITE,
    Schema,
    Tool,
    anything,
    flag,
    many,
    record,
    taken,
    text,
    text_or_none,
    whole,
    whole_or_none,
    words,
)
from esoplay.rpc.methods.travel import DEFAULT_SECONDS, DEFAULT_STEPS

# The tools of the time-travel debugger.

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
            "limits": taken(
                {
                    "steps": whole(),
                    "output": whole("bytes"),
                    "memory": whole("bytes"),
                    "work": whole("units of work on large numbers and many cells"),
                },
                "where the run ends, below the usual limits",
            ),
            "source_map": anything("the map back to the generator"),
        },
        answer={**DEBUG, **VIEW},
    ),
    Tool(
        "debug_step",
        "debug.step",
        "Step",
        "Steps of a size, on or back in time. Without a budget it ends after 100,000,000 steps or "
        "10 seconds (steps of one instruction: 10 seconds).",
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
        "Continue, on or back, to the next stop: a breakpoint, one of the conditions given here, "
        "or the end of history. Without a budget it ends after 100,000,000 steps or 10 seconds; "
        "call it again to continue.",
        required=DEBUG,
        optional={"reverse": flag("back in time"), "until": many(BREAKPOINT), **BUDGET},
        answer=STOP,
        at_times=LOGS,
    ),
    Tool(
        "debug_seek",
        "debug.seek",
        "Go to a step",
        "Go to any step, past or to come, or as near as the run gets. Without a budget it ends "
        "after 10 seconds; call it again to continue.",
        required={**DEBUG, "step": whole("steps executed")},
        optional=BUDGET,
        answer=STOP,
        at_times=LOGS,
        repeats=True,
    ),
    Tool(
        "debug_view",
        "debug.view",
        "Look at the state",
        "The state at the current step, bounded by a window.  fields selects single fields; some, "
        "such as output and registers, are returned only when selected.",
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
        "Replace all breakpoints with a list, or return them.",
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
            "stdin": text("the whole input, replacing the old one"),
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
            "line": whole_or_none("the line that was started last"),
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
            "more": whole("number of variables left out"),
        },
        at_times={"reason": text("why there are none")},
        reads=True,
        repeats=True,
    ),
    Tool(
        "debug_why",
        "debug.diagnose",
        "Why the run ended, or does not",
        "How the run ended or why it never ends, and what to try.",
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


# Tools for practice without a session, and the reference card

_ROW: Schema = {"id": text(), "title": text(), "tier": text(), "category": text()}
_LIMITS = taken(
    {
        "steps": whole(),
        "output": whole("bytes"),
        "memory": whole("bytes"),
        "work": whole("units of work on large numbers and many cells"),
        "time": {"type": "number", "exclusiveMinimum": 0, "description": "seconds"},
    },
    "where to stop it; without steps and time, after 100,000,000 steps or 10 seconds",
)

CARD = Tool(
    "card",
    "language.card",
    "Reference card",
    "What a language means: commands, memory model, patterns, pitfalls.",
    required=LANGUAGE,
    answer={"language": text(), "dialect": text(), "card": text("in Markdown")},
    reads=True,
    repeats=True,
)

PRACTISING = (
    Tool(
        "list_problems",
        "problem.list",
        "All problems",
        "The problems with ids, titles and tiers.",
        answer={
            "pack": record({"id": text(), "version": text(), "title": text()}),
            "problems": many(record(_ROW)),
        },
        reads=True,
        repeats=True,
    ),
    Tool(
        "get_problem",
        "problem.get",
        "One problem",
        "Statement, examples and hints of a problem; with a language also the hints on it.",
        required=PROBLEM,
        optional=LANGUAGE,
        answer={
            **PROBLEM,
            **_ROW,
            "statement": text("in Markdown"),
            "examples": many(record({"input": text(), "output": text()}), "public tests"),
            "ranges": anything("the numbers of the input, by name, from and to"),
            "hints": many(text()),
            "limits": record(
                {
                    "steps": whole("steps"),
                    "output": whole("bytes of output"),
                    "memory": whole("bytes of memory"),
                }
            ),
        },
        reads=True,
        repeats=True,
    ),
    Tool(
        "run",
        "run",
        "Run a program",
        "Run a program; its output, steps and how it ended.",
        required=LANGUAGE,
        optional={
            **PROGRAM,
            **STDIN,
            **DIALECT,
            **OPTIONS,
            "seed": whole("for languages with chance"),
            "limits": _LIMITS,
            **SHOWN_OUTPUT,
        },
        answer=OUTCOME,
        at_times=OUTCOME_AT_TIMES,
        reads=True,
        repeats=True,
        budget={"steps": DEFAULT_STEPS, "time": DEFAULT_SECONDS},
        shown=SHOWN,
    ),
    Tool(
        "grade",
        "grade",
        "Grade a solution",
        "What the practice tests of a problem say of a program, test by test.",
        required={**PROBLEM, **LANGUAGE},
        optional={**PROGRAM, **DIALECT, **OPTIONS, **SHOWN_OUTPUT},
        answer={
            **PROBLEM,
            "language": text(),
            "dialect": text("the one that it was graded in"),
            "passed": whole("tests that it passed"),
            "total": whole("tests"),
            "solved": flag("whether it passed all"),
            "tests": many(
                record(
                    {"index": whole(), "verdict": text(), "steps": whole()},
                    at_times={
                        "class": text("what the test is about"),
                        "input": text(),
                        "expected": text(),
                        "got": text(),
                        "got_base64": text("the output, where it is not UTF-8"),
                        **TRUNCATION,
                        "message": text("what went wrong"),
                        "cause": CAUSE,
                    },
                )
            ),
            "seed_commitment": text("of the seed that the tests were derived from"),
        },
        at_times={
            "fixed_tests": flag("whether the tests come from a file"),
            "other_dialect": OTHER_DIALECT,
            "fails_in_dialect": FAILS_IN_DIALECT,
            "only_class": ONLY_CLASS,
        },
        shown=SHOWN,
        reads=True,
        repeats=True,
    ),
)


# The tools of a session's solver.

_SESSION: Schema = {
    "session": text("the session's id; may be left out, as the server is for one session")
}
_REQUEST_ID: Schema = {
    "request_id": text("a name of your own: asking again by the same one gives the same answer")
}
_HEAD: Schema = {"head": text("the digest of the session's log up to here")}
_STATUS = words("pending", "active", "solved", "failed", "skipped", description="the problem's")
_SUBMISSIONS = whole_or_none("submissions left for the problem; null where they are not counted")
_RUNS = whole_or_none("local runs left for the problem; null where they are not counted")
_COUNTS = anything("how many problems are pending, active, solved, failed and skipped")

SOLVING = (
    Tool(
        "fetch",
        "session.fetch",
        "Fetch the next problem",
        "The next problem of the session: statement, examples and what is left. While a problem "
        "is active, returns that problem again.",
        optional={**_SESSION, "problem": text("a problem by its id, where the rules allow that")},
        answer={
            "session": text(),
            "problem": text("its id, which submit takes"),
            "title": text(),
            "tier": text(),
            "statement": text("in Markdown"),
            "submissions_left": _SUBMISSIONS,
            "runs_left": _RUNS,
            **_HEAD,
        },
        at_times={
            "examples": many(record({"input": text(), "output": text()}), "public tests"),
        },
        repeats=True,
    ),
    Tool(
        "run",
        "session.run",
        "Run a program",
        "Run a program on an input of your own, under the limits of the session. It may count as "
        "a local run.",
        optional={**_SESSION, **PROGRAM, **STDIN, **_REQUEST_ID, **SHOWN_OUTPUT},
        answer={
            "session": text(),
            **OUTCOME,
            "problem": text_or_none("for which it counts"),
            "runs_left": _RUNS,
            **_HEAD,
        },
        at_times=OUTCOME_AT_TIMES,
        shown=SHOWN,
    ),
    Tool(
        "submit",
        "session.submit",
        "Submit a solution",
        "Have the hidden tests grade a program. Submissions are counted; look at what is left.",
        required={"problem": text("the id of the active problem")},
        optional={**_SESSION, **PROGRAM, **_REQUEST_ID},
        answer={
            "session": text(),
            **PROBLEM,
            "passed": whole("hidden tests that it passed"),
            "total": whole("hidden tests"),
            "solved": flag("whether it passed all"),
            "submissions_left": _SUBMISSIONS,
            "status": _STATUS,
            **_HEAD,
            "dialect": text("the one that it was graded in"),
        },
        at_times={
            "tests": many(
                record({"index": whole(), "verdict": text()}),
                "each test, as far as the rules let one know",
            ),
            "violation": text("the rule on workspaces that was broken"),
            "other_dialect": OTHER_DIALECT,
        },
    ),
    Tool(
        "status",
        "session.status",
        "How the session stands",
        "What was solved, what is active and what is left.",
        optional=_SESSION,
        answer={
            "session": text(),
            "protocol": text(),
            "language": text("the language to solve the problems in"),
            "dialect": text(),
            "closed": flag("whether the session is over"),
            "current": text_or_none("the id of the active problem"),
            "grading": flag("whether a submission is being graded"),
            "counts": _COUNTS,
            "tiers": anything("the same for each tier"),
            "problems": many(
                record(
                    {
                        **PROBLEM,
                        "status": _STATUS,
                        "runs": whole(),
                        "runs_left": _RUNS,
                        "submissions": whole(),
                        "submissions_left": _SUBMISSIONS,
                    }
                )
            ),
            **_HEAD,
        },
        reads=True,
        repeats=True,
    ),
    Tool(
        "skip",
        "session.skip",
        "Skip the active problem",
        "Give the active problem up for good, where the rules allow that.",
        optional=_SESSION,
        answer={"session": text(), **PROBLEM, "status": _STATUS, **_HEAD},
        final=True,
    ),
)


Role = Literal["solver", "learner"]


def tools_of(role: Role) -> Sequence[Tool]:
    """Return the tools of a role: a session's solver, or practice without a session."""
    return (*(SOLVING if role == "solver" else PRACTISING), CARD, *DEBUGGING)
