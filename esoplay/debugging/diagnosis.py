"""Commands that ask why: the fault doctor, and the comparison of two runs."""

from __future__ import annotations

from pathlib import Path

from esolangs.errors import ParseError
from esoplay.debugging.command_line import Line, unescape, whole
from esoplay.debugging.session import Command, DebugSession, Reply
from esoplay.errors import UsageError
from esoplay.service.comparing import (
    Comparison,
    Side,
    compare,
    comparison_as_json,
    other_run,
    summary,
)
from esoplay.service.debugging import Debugger
from esoplay.service.doctor import FURTHER, MOST_STEPS, diagnose, diagnosis_as_json

_MOST_BYTES = 64 << 20  # of a program that is compared with; what is longer is another file
_OTHERS = "input TEXT, file PATH, dialect NAME, option NAME=VALUE, or other"


def _why(session: DebugSession, line: Line) -> Reply:
    words = line.arguments
    if words[:1] == ("go",):
        return _go(session, whole(words[1], "the number of a finding", 1) if words[1:] else 1)
    bound = whole(words[0], "a number of steps", 1) if words else None
    if len(words) > 1 or (bound or 0) > MOST_STEPS:
        raise UsageError(f"why takes a number of steps up to {MOST_STEPS}, or the word go")
    found = session.ask(lambda ticker: diagnose(session.debugger, bound=bound, ticker=ticker))
    lines: list[str] = []
    for number, finding in enumerate(found.findings, 1):
        lines.append(f"{number}. {finding.certainty}: {finding.text}")
        if finding.advice:
            lines.append(f"   try: {finding.advice}")
        steps = ", ".join(f"{each.step} ({each.what})" for each in finding.moments)
        if steps:
            lines.append(f"   see step {steps}; why go {number} goes there")
    if found.searched is not None:
        lines.append(FURTHER.format(steps=found.searched))
    return Reply(
        lines or [f"nothing remarkable in the {found.known} steps known so far"],
        diagnosis_as_json(found),
    )


def _go(session: DebugSession, number: int) -> Reply:
    found = session.ask(lambda ticker: diagnose(session.debugger, ticker=ticker))
    if number > len(found.findings):
        many = len(found.findings)
        there = "is one finding" if many == 1 else f"are {many} findings"
        raise UsageError(f"there {there}; why lists them")
    moments = found.findings[number - 1].moments
    if not moments:
        raise UsageError(f"finding {number} is about no step")
    return session.move(lambda: session.debugger.seek(moments[0].step, session.tick))


def _compare(session: DebugSession, line: Line) -> Reply:
    what, _, rest = line.rest.strip().partition(" ")
    if what == "other" and not rest:
        return _swap(session)
    other = compared_run(session.debugger, what, rest.strip())
    found = session.ask(lambda ticker: compare(session.debugger, other, ticker=ticker))
    session.other = other
    reply = Reply([summary(found), *_lines(found)], comparison_as_json(found))
    if not found.differences:
        return reply
    there = found.differences[0].this.step
    moved = session.move(lambda: session.debugger.seek(there, session.tick))
    return Reply([*reply.lines, *moved.lines], {**moved.data, **reply.data}, moved.stop)


def compared_run(debugger: Debugger, what: str, rest: str) -> Debugger:
    """The run that ``compare`` names, at step 0.  Raises UsageError."""
    if what == "input":
        return other_run(debugger, stdin=unescape(rest))
    if what == "dialect" and rest:
        return other_run(debugger, dialect=rest)
    if what == "option" and "=" in rest:
        name, _, value = rest.partition("=")
        return other_run(debugger, options={name: value})
    if what == "file" and rest:
        try:
            return other_run(debugger, source=_read_program(rest))
        except ParseError as error:
            where = f"line {error.line}, column {error.column}"
            raise UsageError(f"{rest}: {where}: {error.message}") from None
    raise UsageError(f"compare takes {_OTHERS}")


def _read_program(path: str) -> bytes:
    try:
        with Path(path).expanduser().open("rb") as file:
            source = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(f"cannot read {path}: {getattr(error, 'strerror', error)}") from None
    if len(source) > _MOST_BYTES:
        raise UsageError(f"{path} is no program: it is longer than {_MOST_BYTES} bytes")
    return source


def check_comparison(what: str, rest: str) -> None:
    """Raises UsageError for what ``compare`` does not take."""
    given = {"input": True, "other": not rest, "file": bool(rest), "dialect": bool(rest)}
    if not given.get(what, what == "option" and "=" in rest):
        raise UsageError(f"compare takes {_OTHERS}")


def _lines(found: Comparison) -> list[str]:
    lines: list[str] = []
    for each in found.differences:
        lines += [
            f"{each.kind}:",
            f"  this run: {_said(each.this)}",
            f"  the other: {_said(each.other)}",
        ]
    return lines


def _said(side: Side) -> str:
    after = f"{side.place}: {side.instruction}  " if side.instruction else ""
    return f"{side.what}; after step {side.step}, {after}{side.explanation}"


def _swap(session: DebugSession) -> Reply:
    if session.other is None:
        raise UsageError("there is no other run yet: compare with one first")
    texts, step = session.watches.texts, session.debugger.step
    session.debugger, session.other = session.other, session.debugger
    if session.debugger.known == 0:  # the run before a change, which has not moved yet
        session.move(lambda: session.debugger.seek(step, session.tick))
    session.watches.take_over(texts)
    here = session.here()
    return Reply(["this is the other run now; compare other goes back", *here.lines], here.data)


REASON_COMMANDS = (
    Command(
        ("why",),
        "[STEPS] | go [N]",
        "say why the run ended or whether it ever will, and what to try; go to where that began",
        _why,
        ("why", "why 1000000", "why go"),
        kind="move",
    ),
    Command(
        ("compare",),
        "input TEXT | file PATH | dialect NAME | option NAME=VALUE | other",
        "find where another run parts from this one, and go there; other: debug that one instead",
        _compare,
        (r"compare input 5 8\n", "compare file better.bf", "compare dialect benchmark"),
        kind="move",
    ),
)
