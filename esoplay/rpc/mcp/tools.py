"""The tools of a session's solver, and those of somebody who practises without a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from esoplay.rpc.mcp.debugging import DEBUGGING
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

# The tools of somebody who practises without a session, and the reference card.

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
        "The next problem of the session: statement, examples and what is left. The problem that "
        "is active is told again.",
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
        optional={**_SESSION, **PROGRAM, **STDIN, **_REQUEST_ID},
        answer={
            "session": text(),
            **OUTCOME,
            "problem": text_or_none("for which it counts"),
            "runs_left": _RUNS,
            **_HEAD,
        },
        at_times=OUTCOME_AT_TIMES,
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
        },
        at_times={
            "tests": many(
                record({"index": whole(), "verdict": text()}),
                "each test, as far as the rules let one know",
            ),
            "violation": text("the rule on workspaces that was broken"),
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
    """What a role may use: the session's solver, or somebody who practises without one."""
    return (*(SOLVING if role == "solver" else PRACTISING), CARD, *DEBUGGING)
