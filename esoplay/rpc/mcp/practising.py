"""The tools of somebody who practises without a session, and the reference card."""

from __future__ import annotations

from esoplay.rpc.mcp.schemas import (
    DIALECT,
    LANGUAGE,
    OPTIONS,
    OUTCOME,
    OUTCOME_AT_TIMES,
    PROBLEM,
    PROGRAM,
    STDIN,
    Schema,
    anything,
    flag,
    many,
    record,
    taken,
    text,
    whole,
)
from esoplay.rpc.mcp.tool import Tool

_ROW: Schema = {"id": text(), "title": text(), "tier": text(), "category": text()}
_LIMITS = taken(
    {
        "steps": whole(),
        "output": whole("bytes"),
        "memory": whole("bytes"),
        "time": {"type": "number", "exclusiveMinimum": 0, "description": "seconds"},
    },
    "where to stop it; without steps and time an endless program runs until the call is cancelled",
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
        "Statement and examples of a problem.",
        required=PROBLEM,
        answer={
            **PROBLEM,
            **_ROW,
            "statement": text("in Markdown"),
            "examples": many(record({"input": text(), "output": text()}), "public tests"),
            "ranges": anything("the numbers of the input, by name, from and to"),
            "hints": many(text()),
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
        },
        answer=OUTCOME,
        at_times=OUTCOME_AT_TIMES,
        reads=True,
        repeats=True,
    ),
    Tool(
        "grade",
        "grade",
        "Grade a solution",
        "What the practice tests of a problem say of a program, test by test.",
        required={**PROBLEM, **LANGUAGE},
        optional={**PROGRAM, **DIALECT, **OPTIONS},
        answer={
            **PROBLEM,
            "language": text(),
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
                        "got_base64": text("where it is no UTF-8"),
                        "message": text("what went wrong"),
                    },
                )
            ),
            "seed_commitment": text("of the seed that the tests were derived from"),
        },
        at_times={"fixed_tests": flag("whether the tests are those of a file")},
        reads=True,
        repeats=True,
    ),
)
