"""Commands about history: origins and writes of values, execution counts, diagnosis, comparison."""

from __future__ import annotations

import re
from pathlib import Path

from esolangs.errors import ParseError
from esolangs.stops import Slot
from esolangs.view import View, Window, as_json
from esolangs.wording import format_count, plural
from esoplay.debugging import heat as execution_heat
from esoplay.debugging import output_chain, provenance
from esoplay.debugging.analysis import (
    MAX_STEPS,
    NO_REPEAT_FOUND,
    ComparedRun,
    RunComparison,
    compare,
    comparison_as_json,
    diagnose,
    diagnosis_as_json,
    other_run,
    summary,
)
from esoplay.debugging.command_line import CommandLine, parse_whole_number, unescape
from esoplay.debugging.debugger import Debugger, address_text
from esoplay.debugging.descriptions import (
    cell_write_as_json,
    cell_write_line,
    count_text,
    instruction_text,
)
from esoplay.debugging.handlers import inspection as source
from esoplay.debugging.locations import PLACE_USAGE, SMALLEST_WINDOW, parse_state_place
from esoplay.debugging.provenance import (
    Place,
    TermCreation,
    TermOrigin,
    ValueOrigin,
    ValueWrite,
    current_term,
    origin_of_output,
    origin_of_part,
    place_text,
    term_origin_as_json,
    value_writes,
)
from esoplay.debugging.session import DebugCommand, DebugSession, Reply
from esoplay.errors import UsageError

_WINDOW = Window()
_MAX_PART_LENGTH = 60  # maximum characters of a part
_NOTHING_EXECUTED = "nothing has been executed so far"


def _term(session: DebugSession, line: CommandLine) -> Reply:
    term = current_term(session.debugger, _WINDOW)
    lines = [f"{term.name}: {term.text or 'nothing is left'}"]
    around: list[tuple[int, int]] = []  # numbers and ends of the enclosing terms
    for part, (start, end) in enumerate(term.parts):
        while around and start >= around[-1][1]:
            around.pop()
        text = term.text[start:end]
        text = text if len(text) <= _MAX_PART_LENGTH else text[: _MAX_PART_LENGTH - 1] + "…"
        inside = f", in {around[-1][0]}" if around else ""
        next_ = ", reduced next" if (start, end) == term.redex else ""
        lines.append(f"{'  ' * (len(around) + 1)}{part}{inside}{next_}: {text}")
        around.append((part, end))
    return Reply(lines, as_json(term))


def show_part_origin(session: DebugSession, words: tuple[str, ...]) -> Reply:
    """Show the function applications that created a part of the current term, newest first."""
    if len(words) != 1:
        raise UsageError("origin part: expected the number of a part; `term` lists them")
    part = parse_whole_number(words[0], "the number of a part of the term")
    found = session.run_query(
        lambda ticker: origin_of_part(session.debugger, part, _WINDOW, ticker)
    )
    applications = [f"  {_creation_line(each)}" for each in found.links]
    if len(applications) > _MAX_LISTED:
        half = _MAX_LISTED // 2
        applications[half:-half] = [
            f"  … {format_count(len(applications) - 2 * half, 'more application')} …"
        ]
    head = f"part {part} is {found.text}"
    lines = [f"{head}; its origin, newest step first:", *applications] if applications else [head]
    return Reply([*lines, _end_line(found)], term_origin_as_json(found))


def show_byte_origin(session: DebugSession, words: tuple[str, ...]) -> Reply:
    """Show the origin of an output byte: the step that printed it, and earlier steps."""
    if len(words) > 1:
        raise UsageError("origin output: expected only the number of an output byte")
    debugger = session.debugger
    last = max(0, debugger.view(SMALLEST_WINDOW).output_length - 1)
    index = parse_whole_number(words[0], "the number of an output byte") if words else last
    found = session.run_query(lambda ticker: origin_of_output(debugger, index, ticker))
    links = output_chain.chain_links(debugger, found, debugger.view(SMALLEST_WINDOW))
    byte = output_chain.byte_text(debugger.output, index)
    head = f"byte {index} is {byte}; its origin, newest step first:"
    lines = [head, *(f"  {link.text}" for link in links)]
    return Reply(lines, output_chain.output_origin_as_json(found))


def _creation_line(creation: TermCreation) -> str:
    at = creation.span[0]
    name = instruction_text(creation.instruction)
    return f"step {creation.step}: {name} at byte {at}, applied in {creation.application}"


def _end_line(origin: TermOrigin) -> str:
    if origin.end == "more":
        before = origin.links[-1].step
        return f"older applications are not listed: go to step {before} and repeat the command"
    at = f"line {origin.line} column {origin.column}"
    return f"{'that application' if origin.links else 'it'} is written in the program, {at}"


_MAX_WRITES = 1_000
_NUMBER = re.compile(r"-?[\d_]+")  # any other word is part of a name
_MAX_LISTED = 20  # maximum links to list: half the newest, half the oldest


def _origin(session: DebugSession, line: CommandLine) -> Reply:
    if line.arguments[:1] == ("part",):
        return show_part_origin(session, line.arguments[1:])
    if line.arguments[:1] == ("output",):
        return show_byte_origin(session, line.arguments[1:])
    place = _place(session, line.arguments)
    found = session.run_query(lambda ticker: provenance.origin(session.debugger, place, ticker))
    lines = _origin_lines(place, found, session.debugger.view(SMALLEST_WINDOW))
    return Reply(lines, provenance.origin_as_json(found))


def _origin_lines(place: Place, origin: ValueOrigin, view: View) -> list[str]:
    value = "" if origin.value is None else f" holds {origin.value}"
    lines = [f"{place_text(place, view)}{value}; its origin, newest step first:"]
    copies = [f"  {_value_write_line(each, view)}" for each in origin.links]
    if len(copies) > _MAX_LISTED:
        half = _MAX_LISTED // 2
        copies[half:-half] = [f"  … {len(copies) - 2 * half} more copies …"]
    return [*(lines + copies if copies else ()), provenance.end_text(origin, view)]


def _value_write_line(write: ValueWrite, view: View) -> str:
    at = write.location if isinstance(write.location, tuple) else write.span[0]
    value = "a value" if write.value is None else str(write.value)
    source = (
        "" if write.copied_from is None else f", copied from {place_text(write.copied_from, view)}"
    )
    return (
        f"step {write.step}: {value} to {place_text(write.place, view)} by "
        f"{instruction_text(write.readable_instruction)} at {address_text(at)}{source}"
    )


def _writes(session: DebugSession, line: CommandLine) -> Reply:
    words = line.arguments
    place, limit = _parse_place_and_limit(session, words)
    if not 1 <= limit <= _MAX_WRITES:
        raise UsageError(f"the number of writes must be from 1 to {_MAX_WRITES}")
    if isinstance(place, Slot):
        return _pushes(session, place, limit)
    found = session.run_query(
        lambda ticker: session.debugger.writes(place, limit=limit, ticker=ticker)
    )
    name = address_text(place)
    lines = [f"cell {name}, newest write first:", *(f"  {cell_write_line(each)}" for each in found)]
    return Reply(
        lines if found else [f"cell {name} has not been written: it has its initial value"],
        {
            "cell": as_json(place),
            "writes": [cell_write_as_json(each) for each in found],
        },
    )


def _pushes(session: DebugSession, slot: Slot, limit: int) -> Reply:
    found = session.run_query(
        lambda ticker: value_writes(session.debugger, slot, limit=limit, ticker=ticker)
    )
    view = session.debugger.view(SMALLEST_WINDOW)
    name = place_text(slot, view)
    lines = [
        f"{name}, newest push first:",
        *(f"  {_value_write_line(each, view)}" for each in found),
    ]
    return Reply(
        lines if found else [f"nothing was pushed to {name} so far"],
        {
            "slot": as_json(slot),
            "writes": [provenance.value_write_as_json(each) for each in found],
        },
    )


def _parse_place_and_limit(session: DebugSession, words: tuple[str, ...]) -> tuple[Place, int]:
    """Parse a place and an optional limit: ``3 20``, ``top 2 20``, ``stack 0:5 20``."""
    least = 2 if words[:1] in (("top",), ("stack",)) else 1
    if len(words) > least and _NUMBER.fullmatch(words[-1]):
        return _place(session, words[:-1]), parse_whole_number(
            words[-1], "the number of writes to list"
        )
    return _place(session, words), 10


def _place(session: DebugSession, words: tuple[str, ...]) -> Place:
    if not words:
        return session.focused_place()
    return parse_state_place(session.debugger, " ".join(words))


_PLACES_OR_PART = "[CELL | top [N] | stack KEY:LEVEL | part N | output [BYTE]]"


_DEFAULT_ROWS = 10
_MAX_ROWS = 1_000
_MAX_NAMED_PLACES = 12


def _heat(session: DebugSession, line: CommandLine) -> Reply:
    words, limit = _parse_words_and_rows(line, ("all", "lines", "source"))
    whole_history, lines = "all" in words, "lines" in words
    if "source" in words:
        return source.show_heat(session, limit, whole_history=whole_history)
    counts = session.run_query(
        lambda ticker: execution_heat.heat(
            session.debugger, whole_history=whole_history, ticker=ticker
        )
    )
    program = session.debugger.program
    head = (
        f"the most executed instructions up to step {counts.step}, with levels from 1 to 9 "
        "(9: most often):"
    )
    if lines:
        rows = execution_heat.hottest_lines(counts, program, limit)
        rows_text = [
            f"  line {row.line}: {count_text(row.count)}, last at step {row.last}, "
            f"{row.executed} of {row.instructions} instructions"
            for row in rows
            if row.count
        ]
        data = {"step": counts.step, "lines": [execution_heat.line_as_json(row) for row in rows]}
        head = f"the most executed lines up to step {counts.step}:"
        return Reply([head, *rows_text] if rows_text else [_NOTHING_EXECUTED], data)
    spots = execution_heat.hottest_instructions(counts, program, limit)
    rows_text = [
        f"  level {counts.level(spot.count)}: {' '.join(spot.instruction.split())} at "
        f"{spot.place}, {count_text(spot.count)}, last at step {spot.last}"
        for spot in spots
    ]
    data = {
        "step": counts.step,
        "most": counts.max_count,
        "instructions": [execution_heat.instruction_as_json(spot, counts) for spot in spots],
    }
    return Reply([head, *rows_text] if rows_text else [_NOTHING_EXECUTED], data)


def _coverage(session: DebugSession, line: CommandLine) -> Reply:
    words, limit = _parse_words_and_rows(line, ("all", "source"), _MAX_NAMED_PLACES)
    whole_history = "all" in words
    if "source" in words:
        return source.show_coverage(session, limit, whole_history=whole_history)
    covered = session.run_query(
        lambda ticker: execution_heat.coverage(
            session.debugger, limit, whole_history=whole_history, ticker=ticker
        )
    )
    return Reply([execution_heat.coverage_text(covered)], execution_heat.coverage_as_json(covered))


def _parse_words_and_rows(
    line: CommandLine, words: tuple[str, ...], default: int = _DEFAULT_ROWS
) -> tuple[set[str], int]:
    """Return which of ``words`` the arguments contain, and the number of rows to show."""
    found = {word for word in line.arguments if word in words}
    numbers = [word for word in line.arguments if word not in words]
    if len(numbers) > 1:
        raise UsageError(f"{line.word} accepts {', '.join(words)} and a number of rows")
    limit = parse_whole_number(numbers[0], "the number of rows", 1) if numbers else default
    return found, min(limit, _MAX_ROWS)


COMMANDS = (
    DebugCommand(
        ("term",),
        "",
        "list the numbered parts of the current Unlambda term; a part marked `in N` is inside "
        "part N",
        _term,
    ),
    DebugCommand(
        ("origin", "p"),
        _PLACES_OR_PART,
        "show the origin of a value in a cell or on a stack, traced through all copies; of a part "
        "of the term; or of an output byte (counted from 0; default: the last one printed)",
        _origin,
        (
            "origin 3",
            "origin top",
            "origin top 2",
            "origin stack 0:5",
            "origin part 4",
            "origin output 5",
        ),
    ),
    DebugCommand(
        ("writes", "v"),
        f"{PLACE_USAGE} [N]",
        "list the last N writes of a cell, or pushes to a place on a stack",
        _writes,
        ("writes 3 20", "writes top", "writes top 0 20", "writes stack 0:5"),
    ),
)

COUNT_COMMANDS = (
    DebugCommand(
        ("heat",),
        "[all] [lines | source] [N]",
        "list the instructions (or lines of the program, or lines of the generator's source) "
        "executed most often up to here, or with `all` in the whole history known so far",
        _heat,
        ("heat", "heat all 20", "heat lines", "heat source"),
    ),
    DebugCommand(
        ("coverage",),
        "[all] [source] [N]",
        "show how many instructions (or source lines) were executed up to here, and which were "
        "never executed",
        _coverage,
        ("coverage", "coverage all", "coverage source"),
    ),
)


# Why a run ended, and where two runs differ

_MAX_BYTES = 64 << 20  # maximum size of a program to compare with
_RUN_KINDS = "input TEXT, file PATH, dialect NAME, option NAME=VALUE, or `other`"


def _why(session: DebugSession, line: CommandLine) -> Reply:
    words = line.arguments
    if len(words) in (1, 2) and words[0] == "go":
        number = parse_whole_number(words[-1], "the number of a finding", 1) if words[1:] else 1
        return _go_to_finding(session, number)
    bound = parse_whole_number(words[0], "a number of steps", 1) if len(words) == 1 else None
    if len(words) > 1 or (bound or 0) > MAX_STEPS:
        raise UsageError(
            f"why: expected a number of steps up to {MAX_STEPS}, "
            "or `go` and perhaps the number of a finding"
        )
    found = session.run_query(lambda ticker: diagnose(session.debugger, bound=bound, ticker=ticker))
    lines: list[str] = []
    for number, finding in enumerate(found.findings, 1):
        lines.append(f"{number}. {finding.certainty}: {finding.text}")
        if finding.advice:
            lines.append(f"   try: {finding.advice}")
        steps = ", ".join(f"{each.step} ({each.description})" for each in finding.moments)
        if steps:
            lines.append(
                f"   see step {steps}; `why go {number}` goes to step {finding.moments[0].step}"
            )
    if found.searched is not None:
        lines.append(NO_REPEAT_FOUND.format(steps=plural(found.searched, "step")))
    return Reply(
        lines or [f"no findings in the {format_count(found.known_steps, 'step')} known so far"],
        diagnosis_as_json(found),
    )


def _go_to_finding(session: DebugSession, number: int) -> Reply:
    found = session.run_query(lambda ticker: diagnose(session.debugger, ticker=ticker))
    if number > len(found.findings):
        listed = format_count(len(found.findings), "finding")
        raise UsageError(f"no finding {number}; `why` lists {listed}")
    moments = found.findings[number - 1].moments
    if not moments:
        raise UsageError(f"finding {number} does not refer to a step")
    return session.move(lambda: session.debugger.seek(moments[0].step, session.tick))


def _compare(session: DebugSession, line: CommandLine) -> Reply:
    what, _, rest = line.rest.strip().partition(" ")
    if what == "other" and not rest:
        return swap_runs(session)
    return compare_with(session, what, rest.strip())[1]


def compare_with(session: DebugSession, kind: str, argument: str) -> tuple[RunComparison, Reply]:
    """Compare with another run, and move to the first difference.

    Raises UsageError if the arguments are invalid.
    """
    other = compared_run(session.debugger, kind, argument)
    found = session.run_query(lambda ticker: compare(session.debugger, other, ticker=ticker))
    session.other_run = other
    reply = Reply([summary(found), *_comparison_lines(found)], comparison_as_json(found))
    if not found.differences:
        return found, reply
    there = found.differences[0].this.step
    moved = session.move(lambda: session.debugger.seek(there, session.tick))
    lines, data = [*reply.lines, *moved.lines], {**moved.data, **reply.data}
    return found, Reply(lines, data, moved.stop)


def compared_run(debugger: Debugger, kind: str, argument: str) -> Debugger:
    """Return the run described by the arguments of ``compare``, at step 0.

    Raises UsageError if the arguments are invalid.
    """
    if kind == "input":
        return other_run(debugger, stdin=unescape(argument))
    if kind == "dialect" and argument:
        return other_run(debugger, dialect=argument)
    if kind == "option" and "=" in argument:
        name, _, value = argument.partition("=")
        return other_run(debugger, options={name: value})
    if kind == "file" and argument:
        try:
            return other_run(
                debugger, source=_read_program(argument), file=Path(argument).expanduser()
            )
        except ParseError as error:
            where = f"line {error.line}, column {error.column}"
            raise UsageError(f"{argument}: {where}: {error.message}") from None
    raise UsageError(f"compare: expected {_RUN_KINDS}")


def _read_program(path: str) -> bytes:
    try:
        with Path(path).expanduser().open("rb") as file:
            source = file.read(_MAX_BYTES + 1)
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(f"cannot read {path}: {getattr(error, 'strerror', error)}") from None
    if len(source) > _MAX_BYTES:
        raise UsageError(f"{path} is longer than {_MAX_BYTES} bytes")
    return source


def check_comparison(kind: str, argument: str) -> None:
    """Raise UsageError if the arguments of ``compare`` are invalid."""
    given = {
        "input": True,
        "other": not argument,
        "file": bool(argument),
        "dialect": bool(argument),
    }
    if not given.get(kind, kind == "option" and "=" in argument):
        raise UsageError(f"compare: expected {_RUN_KINDS}")


def _comparison_lines(comparison: RunComparison) -> list[str]:
    lines: list[str] = []
    for each in comparison.differences:
        lines += [
            f"{each.kind}:",
            f"  this run: {_compared_run_text(each.this)}",
            f"  the other: {_compared_run_text(each.other)}",
        ]
    return lines


def _compared_run_text(run: ComparedRun) -> str:
    after = f"{run.place}: {run.instruction}  " if run.instruction else ""
    return f"{run.what}; after step {run.step}, {after}{run.explanation}"


def swap_runs(session: DebugSession) -> Reply:
    """Switch to the other run; the current run becomes the other run.

    If no step of the other run was executed yet, that run first moves to the step of the current
    run. If this move is interrupted, the runs are not swapped, and the next call resumes the move.
    Raises UsageError if there is no other run.
    """
    this, other = session.debugger, session.other_run
    if other is None:
        raise UsageError("no other run yet; start one, for example with: compare input TEXT")
    texts = session.watches.texts
    session.debugger, session.other_run = other, this
    if other.known_steps == 0 or session.interrupted_swap is other:
        session.interrupted_swap = other
        session.move(lambda: other.seek(this.step, session.tick))
        if session.interrupted:
            session.debugger, session.other_run = this, other
            raise UsageError("interrupted")
        session.interrupted_swap = None
    session.watches.restore(texts)
    here = session.describe_position()
    return Reply(
        ["switched to the other run; `compare other` switches back", *here.lines], here.data
    )


REASON_COMMANDS = (
    DebugCommand(
        ("why",),
        "[STEPS] | go [N]",
        "explain why the run ended or loops forever, and what to try, in numbered findings; "
        "`why go N`: go to the first step that finding N names (default: finding 1)",
        _why,
        ("why", "why 1000000", "why go"),
        kind="move",
    ),
    DebugCommand(
        ("compare",),
        "input TEXT | file PATH | dialect NAME | option NAME=VALUE | other",
        "find where another run diverges, and go there; `compare other`: debug that run instead",
        _compare,
        (r"compare input 5 8\n", "compare file better.bf", "compare dialect benchmark"),
        kind="move",
    ),
)
