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
    DEFAULT_SHOWN_BYTES,
    DIALECT,
    FAILING_CLASS,
    FAILS_IN_DIALECT,
    LANGUAGE,
    LANGUAGE_ID,
    LOGS,
    NUMBER,
    OPTIONAL_OUTCOME,
    OPTIONAL_VIEW,
    OPTIONS,
    OTHER_DIALECT,
    OUTCOME,
    PROBLEM,
    PROGRAM,
    SHOWN_OUTPUT,
    SHOWN_VIEW,
    SLOT,
    STDIN,
    STEP,
    STOP,
    TRUNCATION,
    VIEW,
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

DEBUG_TOOLS = (
    Tool(
        "debug_open",
        "debug.open",
        "Open a program at step 0. Close it when done: few debuggers can be open at a time.",
        required=LANGUAGE,
        optional={
            **PROGRAM,
            **STDIN,
            "closed": boolean("default: true; false: debug_set adds more input"),
            **DIALECT,
            **OPTIONS,
            "seed": integer(),
            "limits": any_record("lower limits for steps, output, memory, work"),
            "source_map": any_record("the source map"),
        },
        result={**DEBUG, **VIEW},
    ),
    Tool(
        "debug_step",
        "debug.step",
        "Step forwards or backwards. window, fields: as in debug_view.",
        required=DEBUG,
        optional={
            "count": integer("default: 1", 1),
            "reverse": boolean("step or run backwards"),
            "granularity": enumeration(
                "instruction",
                "loop",
                "finish",
                "line",
                "source",
                description="one step; over a loop or call; out of it; to another program line; "
                "to another source line",
            ),
            **BUDGET,
            **SHOWN_VIEW,
        },
        result=STOP,
        optional_result=LOGS,
    ),
    Tool(
        "debug_continue",
        "debug.continue",
        "Continue forwards or backwards to the next stop: a breakpoint, a condition in `until`, "
        "or the start or end of the run. Call it again if the budget is used up.",
        required=DEBUG,
        optional={
            "reverse": boolean("step or run backwards"),
            "until": array(any_record(""), "extra stops for this call"),
            **BUDGET,
            **SHOWN_VIEW,
        },
        result=STOP,
        optional_result=LOGS,
    ),
    Tool(
        "debug_seek",
        "debug.seek",
        "Go to an earlier or later step, or as close as the run gets.",
        required={**DEBUG, "step": integer("step number")},
        optional={**BUDGET, **SHOWN_VIEW},
        result=STOP,
        optional_result=LOGS,
        is_idempotent=True,
    ),
    Tool(
        "debug_view",
        "debug.view",
        "Return the state. Output, input, registers and places are included only if fields names "
        "them.",
        required=DEBUG,
        optional={"window": WINDOW, "fields": array(enumeration(*VIEW_FIELDS))},
        result=DEBUG,
        optional_result={**VIEW_PARTS, **OPTIONAL_VIEW},
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "debug_breakpoints",
        "debug.breakpoints",
        "Return all breakpoints; `set` replaces them first.",
        required=DEBUG,
        optional={"set": array(BREAKPOINT)},
        result={
            **DEBUG,
            "breakpoints": array(
                record({"id": integer(), "hits": integer(), "enabled": boolean()}),
                "the breakpoints, with the number of hits",
            ),
        },
        is_idempotent=True,
    ),
    Tool(
        "debug_printed",
        "debug.printed",
        "Return the step that prints a byte; runs the program if necessary.",
        required={**DEBUG, "byte": integer("from 0")},
        result={**DEBUG, "step": integer_or_null("null if the byte was not found")},
        optional_result={"stopped": array(any_record(""), "why the byte was not found")},
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "debug_writes",
        "debug.writes",
        "Return the last steps that wrote a cell or a stack entry, newest first.",
        required=DEBUG,
        optional={
            "cell": CELL,
            "slot": SLOT,
            "before": integer("last step to search; default: the current step"),
            "limit": integer("default: 1", 1),
        },
        result={**DEBUG, "writes": array(WRITE)},
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "debug_origin",
        "debug.origin",
        "Follow a value back to the step that computed or read it.",
        required=DEBUG,
        optional={"cell": CELL, "slot": SLOT, "part": integer("number of a part")},
        result={**DEBUG, "links": array(any_record(""), "one entry for each step, newest first")},
        optional_result={
            "value": NUMBER,
            "part": integer(),
            "text": text("the part of the term"),
            "end": {"type": ["object", "null"], "description": "where the chain ends"},
        },
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "debug_coverage",
        "debug.coverage",
        "Return the share of the program executed so far and the parts never executed.",
        required=DEBUG,
        optional={
            "all": boolean("count all known history"),
            "by": enumeration("instruction", "source"),
            "limit": integer("default: 100", 1),
        },
        result={
            **DEBUG,
            **STEP,
            "executed": integer(),
            "percent": {"type": ["number", "null"]},
            "never": array(
                {"type": ["object", "integer"]}, "instructions or source lines never executed"
            ),
            "more": integer("number of places left out"),
        },
        optional_result={"instructions": integer(), "lines": integer()},
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "debug_compare",
        "debug.compare",
        "Return the first difference from a run with another program, input, dialect or options.",
        required=DEBUG,
        optional={**PROGRAM, **STDIN, **DIALECT, **OPTIONS, **BUDGET},
        result={
            **DEBUG,
            "differences": array(
                record({"kind": text(), "this": any_record(""), "other": any_record("")})
            ),
            "same_program": boolean(),
            "steps": record({"this": integer(), "other": integer()}),
            "complete": boolean("whether both runs were compared up to their ends"),
            "exact": boolean(),
        },
        is_idempotent=True,
    ),
    Tool(
        "debug_set",
        "debug.set",
        "Change a cell, a source variable or the input. The history after the current step is "
        "deleted.",
        required=DEBUG,
        optional={
            "cell": CELL,
            "variable": text("a variable of the source map"),
            "value": {"type": "integer", "description": "new value of the cell or variable"},
            "stdin": text("the whole new input"),
            "feed": text("more input, if the input is open"),
            "close_input": boolean("close the input"),
        },
        result={**DEBUG, **STEP, **VIEW},
    ),
    Tool(
        "debug_variables",
        "debug.variables",
        "Return the variables of the source by name. Requires a source map.",
        required=DEBUG,
        optional={
            "names": text("prefix of the names to return"),
            "limit": integer("default: 1000", 1),
        },
        result={
            **DEBUG,
            **STEP,
            "name": text("file name of the source"),
            "line": integer_or_null("the source line that was started last"),
            "variables": array(
                record(
                    {
                        "name": text(),
                        "value": NUMBER,
                        "text": text("the value as text"),
                        "cells": array(text(), "cells of the variable, as conditions name them"),
                    }
                )
            ),
            "more": integer("number of variables left out"),
        },
        optional_result={"reason": text("why there are no variables")},
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "debug_why",
        "debug.diagnose",
        "Explain how the run ended or why it never ends, and what to try.",
        required=DEBUG,
        optional={"bound": integer("number of steps to search for an infinite loop", 1)},
        result={
            **DEBUG,
            "known": integer("number of steps in the history"),
            "searched": integer_or_null("number of steps searched without a repeated state"),
            "findings": array(
                record(
                    {
                        "kind": text(),
                        "certainty": enumeration("proved", "observed", "possible"),
                        "text": text(),
                        "advice": text(),
                        "steps": array(
                            record({"step": integer(), "what": text()}), "steps to look at"
                        ),
                    }
                ),
                "most severe first",
            ),
        },
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "debug_close",
        "debug.close",
        "Close a debugger and delete its history.",
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
    "default: 100,000,000 steps and 10 seconds",
)

CARD = Tool(
    "card",
    "language.card",
    "Return the reference card of a language: commands, memory model, patterns, pitfalls.",
    optional=LANGUAGE,
    result={"language": text(), "dialect": text(), "card": text("in Markdown")},
    is_read_only=True,
    is_idempotent=True,
)

PRACTICE_TOOLS = (
    Tool(
        "list_problems",
        "problem.list",
        "List all problems with ids, titles and tiers.",
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
        "Return statement, examples and hints of a problem; `language` adds its hints.",
        required=PROBLEM,
        optional=LANGUAGE_ID,
        result={
            **PROBLEM,
            **_ROW,
            "statement": text("in Markdown"),
            "examples": array(record({"input": text(), "output": text()}), "public tests"),
            "ranges": any_record("ranges of the numbers in the input, by name"),
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
        "Run a program and return its output, steps and outcome.",
        required=LANGUAGE,
        optional={
            **PROGRAM,
            **STDIN,
            **DIALECT,
            **OPTIONS,
            "seed": integer(),
            "limits": _LIMITS,
            **SHOWN_OUTPUT,
        },
        result=OUTCOME,
        optional_result=OPTIONAL_OUTCOME,
        is_read_only=True,
        is_idempotent=True,
        budget={"steps": DEFAULT_STEPS, "time": DEFAULT_SECONDS},
        default_shown_output=DEFAULT_SHOWN_BYTES,
    ),
    Tool(
        "generate",
        "generate",
        "Compile a source in a small subset of Python to a program.",
        required={"source": text(), **LANGUAGE_ID},
        optional={"comments": boolean()},
        result={
            "language": text(),
            "size": integer("bytes"),
            "source_map": any_record("for debug_open"),
        },
        optional_result=PROGRAM,
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        "grade",
        "grade",
        "Grade a program with the practice tests of a problem.",
        required={**PROBLEM, **LANGUAGE_ID},
        optional={**PROGRAM, **DIALECT, **OPTIONS, **SHOWN_OUTPUT},
        result={
            **PROBLEM,
            "language": text(),
            "dialect": text("dialect used for grading"),
            "passed": integer("number of passed tests"),
            "total": integer("number of tests"),
            "solved": boolean("whether all tests passed"),
            "tests": array(
                record(
                    {"index": integer(), "verdict": text(), "steps": integer()},
                    optional={
                        "class": text("class of the test"),
                        "input": text(),
                        "expected": text(),
                        "got": text(),
                        "got_base64": text("the output in base64, if it is not UTF-8"),
                        **TRUNCATION,
                        "message": text("the error"),
                        "cause": CAUSE,
                    },
                )
            ),
            "seed_commitment": text("commitment to the seed of the tests"),
        },
        optional_result={
            "fixed_tests": boolean("true if the pack has fixed tests"),
            "other_dialect": OTHER_DIALECT,
            "fails_in_dialect": FAILS_IN_DIALECT,
            "only_class": FAILING_CLASS,
        },
        default_shown_output=DEFAULT_SHOWN_BYTES,
        is_read_only=True,
        is_idempotent=True,
    ),
)


# The tools of a session's solver.

_SESSION: Schema = {"session": text("optional: the server has one session")}
_REQUEST_ID: Schema = {
    "request_id": text("an id you choose; a repeated request with the same id gets the same answer")
}
_ARGUMENTS: Schema = {
    "arguments": array(text(), "arguments of the command line, in host lanes only")
}
_HEAD: Schema = {"head": text("digest of the session log so far")}
_STATUS = enumeration(
    "pending", "active", "solved", "failed", "skipped", description="status of the problem"
)
_SUBMISSIONS = integer_or_null("submissions left for the problem; null if unlimited")
_RUNS = integer_or_null("local runs left for the problem; null if unlimited")
_COUNTS = any_record("number of pending, active, solved, failed and skipped problems")

SOLVER_TOOLS = (
    Tool(
        "fetch",
        "session.fetch",
        "Return the next problem of the session: statement, examples, submissions left. While a "
        "problem is active, return that problem again. When no problem is left, `ended` is true.",
        optional={
            **_SESSION,
            "problem": text("id of the problem to fetch, if the rules allow a choice"),
        },
        result={"session": text(), **_HEAD},
        optional_result={
            "problem": text("id of the problem, for submit"),
            "title": text(),
            "tier": text(),
            "statement": text("in Markdown"),
            "submissions_left": _SUBMISSIONS,
            "runs_left": _RUNS,
            "ended": boolean("true if no problem is left"),
            "closed": boolean("whether the session is closed"),
            "counts": _COUNTS,
            "examples": array(record({"input": text(), "output": text()}), "public tests"),
        },
        is_idempotent=True,
    ),
    Tool(
        "run",
        "session.run",
        "Run a program on an input of your own, under the limits of the session. It may count as "
        "a local run.",
        optional={**_SESSION, **PROGRAM, **STDIN, **_ARGUMENTS, **_REQUEST_ID, **SHOWN_OUTPUT},
        result={
            "session": text(),
            **OUTCOME,
            "problem": text_or_null("problem that the run counts for"),
            "runs_left": _RUNS,
            **_HEAD,
        },
        optional_result=OPTIONAL_OUTCOME,
        default_shown_output=DEFAULT_SHOWN_BYTES,
    ),
    Tool(
        "submit",
        "session.submit",
        "Grade a program with the hidden tests. Submissions are limited; see submissions_left.",
        required={"problem": text("the id of the active problem")},
        optional={**_SESSION, **PROGRAM, **_REQUEST_ID},
        result={
            "session": text(),
            **PROBLEM,
            "passed": integer("number of passed hidden tests"),
            "total": integer("number of hidden tests"),
            "solved": boolean("whether all tests passed"),
            "submissions_left": _SUBMISSIONS,
            "status": _STATUS,
            **_HEAD,
            "dialect": text("dialect used for grading"),
        },
        optional_result={
            "tests": array(
                record({"index": integer(), "verdict": text()}),
                "results per test, if the rules allow feedback",
            ),
            "violation": text("the workspace rule that was violated"),
            "other_dialect": OTHER_DIALECT,
        },
    ),
    Tool(
        "status",
        "session.status",
        "Return how many problems are solved, active and left.",
        optional={**_SESSION, "details": boolean("whether the text lists every problem")},
        result={
            "session": text(),
            "protocol": text(),
            "language": text("the language to solve the problems in"),
            "dialect": text(),
            "closed": boolean("whether the session is closed"),
            "current": text_or_null("the id of the active problem"),
            "grading": boolean("whether a submission is being graded"),
            "counts": _COUNTS,
            "tiers": any_record("the same counts for each tier"),
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
        "Give up the active problem permanently, if the rules allow it.",
        optional=_SESSION,
        result={"session": text(), **PROBLEM, "status": _STATUS, **_HEAD},
        is_irreversible=True,
    ),
)


Role = Literal["solver", "learner"]


def role_tools(role: Role) -> Sequence[Tool]:
    """Return the tools of a role: a session's solver, or a learner without a session."""
    return (*(SOLVER_TOOLS if role == "solver" else PRACTICE_TOOLS), CARD, *DEBUG_TOOLS)
