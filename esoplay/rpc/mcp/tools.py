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
    any_record,
    array,
    boolean,
    enumeration,
    input_record,
    integer,
    integer_or_null,
    record,
    text,
    text_or_null,
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
            "closed": boolean(
                "whether the input ends there; true unless said, else debug_set feeds"
            ),
            **DIALECT,
            **OPTIONS,
            "seed": integer("for languages with chance"),
            "limits": input_record(
                {
                    "steps": integer(),
                    "output": integer("bytes"),
                    "memory": integer("bytes"),
                    "work": integer("units of work on large numbers and many cells"),
                },
                "where the run ends, below the usual limits",
            ),
            "source_map": any_record("the map back to the generator"),
        },
        result={**DEBUG, **VIEW},
    ),
    Tool(
        "debug_step",
        "debug.step",
        "Step",
        "Steps of a size, on or back in time. Without a budget it ends after 100,000,000 steps or "
        "10 seconds (steps of one instruction: 10 seconds).",
        required=DEBUG,
        optional={
            "count": integer("how many", 1),
            "reverse": boolean("back in time"),
            "granularity": enumeration(
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
        result=STOP,
        optional_result=LOGS,
    ),
    Tool(
        "debug_continue",
        "debug.continue",
        "Continue",
        "Continue, on or back, to the next stop: a breakpoint, one of the conditions given here, "
        "or the end of history. Without a budget it ends after 100,000,000 steps or 10 seconds; "
        "call it again to continue.",
        required=DEBUG,
        optional={"reverse": boolean("back in time"), "until": array(BREAKPOINT), **BUDGET},
        result=STOP,
        optional_result=LOGS,
    ),
    Tool(
        "debug_seek",
        "debug.seek",
        "Go to a step",
        "Go to any step, past or to come, or as near as the run gets. Without a budget it ends "
        "after 10 seconds; call it again to continue.",
        required={**DEBUG, "step": integer("steps executed")},
        optional=BUDGET,
        result=STOP,
        optional_result=LOGS,
        is_idempotent=True,
    ),
    Tool(
        "debug_view",
        "debug.view",
        "Look at the state",
        "The state at the current step, bounded by a window.  fields selects single fields; some, "
        "such as output and registers, are returned only when selected.",
        required=DEBUG,
        optional={"window": WINDOW, "fields": array(enumeration(*VIEW_FIELDS))},
        result=DEBUG,
        optional_result={**VIEW_PARTS, **VIEW_AT_TIMES},
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "debug_breakpoints",
        "debug.breakpoints",
        "Breakpoints",
        "Replace all breakpoints with a list, or return them.",
        required=DEBUG,
        optional={"set": array(BREAKPOINT)},
        result={
            **DEBUG,
            "breakpoints": array(
                record({"id": integer(), "hits": integer(), "enabled": boolean()}),
                "as they were set, and how often each stopped a run or logged",
            ),
        },
        is_idempotent=True,
    ),
    Tool(
        "debug_printed",
        "debug.printed",
        "Who printed a byte",
        "The step that printed a byte of the output, in the history run so far.",
        required={**DEBUG, "byte": integer("its number, from 0")},
        result={**DEBUG, "step": integer_or_null("null if none has, so far")},
        is_read_only=True,
        is_idempotent=True,
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
            "before": integer("up to this step; to here unless said"),
            "limit": integer("how many; 1 unless said", 1),
        },
        result={**DEBUG, "writes": array(WRITE)},
        is_read_only=True,
        is_idempotent=True,
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
            "close_input": boolean("the input ends with what there is"),
        },
        result={**DEBUG, **STEP, **VIEW},
    ),
    Tool(
        "debug_variables",
        "debug.variables",
        "Variables of the generator",
        "The variables of the source by name, where there is a source map.",
        required=DEBUG,
        optional={
            "names": text("how the names wanted begin"),
            "limit": integer("how many; 1000 unless said", 1),
        },
        result={
            **DEBUG,
            **STEP,
            "name": text("of the source"),
            "line": integer_or_null("the line that was started last"),
            "variables": array(
                record(
                    {
                        "name": text(),
                        "value": NUMBER,
                        "text": text("for people"),
                        "cells": array(text(), "where it is, as conditions name it"),
                    }
                )
            ),
            "more": integer("number of variables left out"),
        },
        optional_result={"reason": text("why there are none")},
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "debug_why",
        "debug.diagnose",
        "Why the run ended, or does not",
        "How the run ended or why it never ends, and what to try.",
        required=DEBUG,
        optional={"bound": integer("steps within which to look for an endless run", 1)},
        result={
            **DEBUG,
            "known": integer("steps of the history"),
            "searched": integer_or_null("steps within which no state came again"),
            "findings": array(
                record(
                    {
                        "kind": text(),
                        "certainty": enumeration("proved", "observed", "possible"),
                        "text": text(),
                        "advice": text(),
                        "steps": array(
                            record({"step": integer(), "what": text()}), "where to look"
                        ),
                    }
                ),
                "the gravest first",
            ),
        },
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "debug_close",
        "debug.close",
        "Close a debugger",
        "Forget a debugger and its history.",
        required=DEBUG,
        result={**DEBUG, "closed": boolean()},
        is_idempotent=True,
    ),
)


# Tools for practice without a session, and the reference card

_ROW: Schema = {"id": text(), "title": text(), "tier": text(), "category": text()}
_LIMITS = input_record(
    {
        "steps": integer(),
        "output": integer("bytes"),
        "memory": integer("bytes"),
        "work": integer("units of work on large numbers and many cells"),
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
    result={"language": text(), "dialect": text(), "card": text("in Markdown")},
    is_read_only=True,
    is_idempotent=True,
)

PRACTISING = (
    Tool(
        "list_problems",
        "problem.list",
        "All problems",
        "The problems with ids, titles and tiers.",
        result={
            "pack": record({"id": text(), "version": text(), "title": text()}),
            "problems": array(record(_ROW)),
        },
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "get_problem",
        "problem.get",
        "One problem",
        "Statement, examples and hints of a problem; with a language also the hints on it.",
        required=PROBLEM,
        optional=LANGUAGE,
        result={
            **PROBLEM,
            **_ROW,
            "statement": text("in Markdown"),
            "examples": array(record({"input": text(), "output": text()}), "public tests"),
            "ranges": any_record("the numbers of the input, by name, from and to"),
            "hints": array(text()),
            "limits": record(
                {
                    "steps": integer("steps"),
                    "output": integer("bytes of output"),
                    "memory": integer("bytes of memory"),
                }
            ),
        },
        is_read_only=True,
        is_idempotent=True,
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
            "seed": integer("for languages with chance"),
            "limits": _LIMITS,
            **SHOWN_OUTPUT,
        },
        result=OUTCOME,
        optional_result=OUTCOME_AT_TIMES,
        is_read_only=True,
        is_idempotent=True,
        budget={"steps": DEFAULT_STEPS, "time": DEFAULT_SECONDS},
        default_shown_output=SHOWN,
    ),
    Tool(
        "grade",
        "grade",
        "Grade a solution",
        "What the practice tests of a problem say of a program, test by test.",
        required={**PROBLEM, **LANGUAGE},
        optional={**PROGRAM, **DIALECT, **OPTIONS, **SHOWN_OUTPUT},
        result={
            **PROBLEM,
            "language": text(),
            "dialect": text("the one that it was graded in"),
            "passed": integer("tests that it passed"),
            "total": integer("tests"),
            "solved": boolean("whether it passed all"),
            "tests": array(
                record(
                    {"index": integer(), "verdict": text(), "steps": integer()},
                    optional={
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
        optional_result={
            "fixed_tests": boolean("whether the tests come from a file"),
            "other_dialect": OTHER_DIALECT,
            "fails_in_dialect": FAILS_IN_DIALECT,
            "only_class": ONLY_CLASS,
        },
        default_shown_output=SHOWN,
        is_read_only=True,
        is_idempotent=True,
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
_STATUS = enumeration(
    "pending", "active", "solved", "failed", "skipped", description="the problem's"
)
_SUBMISSIONS = integer_or_null("submissions left for the problem; null where they are not counted")
_RUNS = integer_or_null("local runs left for the problem; null where they are not counted")
_COUNTS = any_record("how many problems are pending, active, solved, failed and skipped")

SOLVING = (
    Tool(
        "fetch",
        "session.fetch",
        "Fetch the next problem",
        "The next problem of the session: statement, examples and what is left. While a problem "
        "is active, returns that problem again.",
        optional={**_SESSION, "problem": text("a problem by its id, where the rules allow that")},
        result={
            "session": text(),
            "problem": text("its id, which submit takes"),
            "title": text(),
            "tier": text(),
            "statement": text("in Markdown"),
            "submissions_left": _SUBMISSIONS,
            "runs_left": _RUNS,
            **_HEAD,
        },
        optional_result={
            "examples": array(record({"input": text(), "output": text()}), "public tests"),
        },
        is_idempotent=True,
    ),
    Tool(
        "run",
        "session.run",
        "Run a program",
        "Run a program on an input of your own, under the limits of the session. It may count as "
        "a local run.",
        optional={**_SESSION, **PROGRAM, **STDIN, **_REQUEST_ID, **SHOWN_OUTPUT},
        result={
            "session": text(),
            **OUTCOME,
            "problem": text_or_null("for which it counts"),
            "runs_left": _RUNS,
            **_HEAD,
        },
        optional_result=OUTCOME_AT_TIMES,
        default_shown_output=SHOWN,
    ),
    Tool(
        "submit",
        "session.submit",
        "Submit a solution",
        "Have the hidden tests grade a program. Submissions are counted; look at what is left.",
        required={"problem": text("the id of the active problem")},
        optional={**_SESSION, **PROGRAM, **_REQUEST_ID},
        result={
            "session": text(),
            **PROBLEM,
            "passed": integer("hidden tests that it passed"),
            "total": integer("hidden tests"),
            "solved": boolean("whether it passed all"),
            "submissions_left": _SUBMISSIONS,
            "status": _STATUS,
            **_HEAD,
            "dialect": text("the one that it was graded in"),
        },
        optional_result={
            "tests": array(
                record({"index": integer(), "verdict": text()}),
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
        result={
            "session": text(),
            "protocol": text(),
            "language": text("the language to solve the problems in"),
            "dialect": text(),
            "closed": boolean("whether the session is over"),
            "current": text_or_null("the id of the active problem"),
            "grading": boolean("whether a submission is being graded"),
            "counts": _COUNTS,
            "tiers": any_record("the same for each tier"),
            "problems": array(
                record(
                    {
                        **PROBLEM,
                        "status": _STATUS,
                        "runs": integer(),
                        "runs_left": _RUNS,
                        "submissions": integer(),
                        "submissions_left": _SUBMISSIONS,
                    }
                )
            ),
            **_HEAD,
        },
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "skip",
        "session.skip",
        "Skip the active problem",
        "Give the active problem up for good, where the rules allow that.",
        optional=_SESSION,
        result={"session": text(), **PROBLEM, "status": _STATUS, **_HEAD},
        is_irreversible=True,
    ),
)


Role = Literal["solver", "learner"]


def tools_of(role: Role) -> Sequence[Tool]:
    """Return the tools of a role: a session's solver, or practice without a session."""
    return (*(SOLVING if role == "solver" else PRACTISING), CARD, *DEBUGGING)
