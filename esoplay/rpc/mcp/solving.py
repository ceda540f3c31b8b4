"""The tools of a session's solver."""

from __future__ import annotations

from esoplay.rpc.mcp.schemas import (
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
    text,
    text_or_none,
    whole,
    whole_or_none,
    words,
)
from esoplay.rpc.mcp.tool import Tool

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
