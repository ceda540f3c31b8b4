"""Commands about the source of a generator: its lines, and what its variables hold."""

from __future__ import annotations

from esolangs.numbers import shown
from esoplay.debugging.command_line import Line, read_value, whole
from esoplay.debugging.session import BUDGET, Command, DebugSession, Handler, Reply
from esoplay.errors import UsageError

_DEFAULT_LINES = 11
_MOST_LINES = 1_000
_MOST_VARIABLES = 200
_LONGEST = 200  # characters of a line that are said


def _stepper(*, reverse: bool = False) -> Handler:
    def step(session: DebugSession, line: Line) -> Reply:
        if len(line.arguments) > 1:
            raise UsageError(f"{line.word} takes the count and nothing else")
        count = whole(line.arguments[0], "the count") if line.arguments else 1
        return session.move(
            lambda: session.debugger.step_by(
                count, reverse=reverse, granularity="source", budget=BUDGET, ticker=session.tick
            )
        )

    return step


def show_source(session: DebugSession, line: Line) -> Reply:
    """The lines of the source around one."""
    from esoplay.service.source_maps import last_line

    source_map = session.debugger.source_map
    if source_map is None:
        raise UsageError("no source map is open; esoplay debug --map FILE opens one")
    if len(line.arguments) > 2:
        raise UsageError("source takes a line and a number of lines")
    rows, here = source_map.text.split("\n"), last_line(session.debugger)
    if rows and not rows[-1]:
        del rows[-1]
    numbers = [whole(text, "a line", 1) for text in line.arguments]
    count = min(numbers[1] if len(numbers) > 1 else _DEFAULT_LINES, _MOST_LINES)
    middle = numbers[0] if numbers else here or 1
    first = max(1, min(middle - count // 2, len(rows) - count + 1))
    stops = {
        each.spec.source_line for each in session.debugger.breakpoints if each.spec.source_line
    }
    told = [f"{source_map.name}, {_where(here)}:"]
    for number in range(first, min(first + count, len(rows) + 1)):
        marks = (">" if number == here else " ") + ("*" if number in stops else " ")
        text = rows[number - 1].expandtabs()[:_LONGEST]
        told.append(f"{marks}{number:4}  {text}".rstrip())
    if len(told) == 1:
        told.append(f"the source has {len(rows)} lines" if rows else "the map has no text of it")
    listed = [
        {"line": at + first, "text": text} for at, text in enumerate(rows[first - 1 :][:count])
    ]
    return Reply(told, {"name": source_map.name, "line": here, "lines": listed})


def _where(line: int | None) -> str:
    return "no line was begun so far" if line is None else f"at line {line}"


def list_variables(session: DebugSession, line: Line) -> Reply:
    """The variables of the source, or those whose names begin so."""
    from esoplay.service.source_maps import source_as_json, variables, why_no_variables

    wanted = line.rest.strip()
    if session.debugger.source_map is None:
        raise UsageError("no source map is open, so there are no variables by name")
    found = [each for each in variables(session.debugger) if each.name.startswith(wanted)]
    lines = [f"{each.name} is {each.text}" for each in found[:_MOST_VARIABLES]]
    if len(found) > _MOST_VARIABLES:
        lines.append(
            f"and {len(found) - _MOST_VARIABLES} more; vars NAME lists those that begin so"
        )
    if not found:
        reason = why_no_variables(session.debugger)
        lines = [reason or f"there is no variable whose name begins with {wanted!r}"]
    return Reply(lines, source_as_json(session.debugger, found, _MOST_VARIABLES))


def set_variable(session: DebugSession, text: str) -> Reply | None:
    """What ``NAME = VALUE`` or ``NAME VALUE`` does; None where the map names no such variable.

    The equals sign must stand where the name is none.
    """
    source_map = session.debugger.source_map
    name, equals, value = text.partition("=")
    if not equals:
        name, _, value = text.strip().rpartition(" ")
    name, value = name.strip(), value.strip()
    if source_map is None or (name not in source_map.variables and not equals):
        return None
    from esoplay.service import source_maps

    number = read_value(value)
    former = session.debugger.anew()
    reply = session.move(lambda: source_maps.set_variable(session.debugger, name, number))
    session.other = former
    return reply


def heat(session: DebugSession, limit: int, *, everything: bool) -> Reply:
    """The lines of the source executed most often."""
    from esoplay.service import source_maps

    counted = session.ask(
        lambda ticker: source_maps.line_heat(session.debugger, everything=everything, ticker=ticker)
    )
    ranked = sorted(counted.lines, key=lambda row: (-row.count, row.line))
    lines = [
        f"  {row.level}  line {row.line}: {shown(row.count)} step{'' if row.count == 1 else 's'}, "
        f"last at step {row.last}"
        for row in ranked[:limit]
        if row.count
    ]
    source_map = session.debugger.source_map
    name = source_map.name if source_map else ""
    head = f"the most executed lines of {name} up to step {counted.step}:"
    told = [head, *lines] if lines else ["no line was executed so far"]
    return Reply(told, source_maps.heat_as_json(counted, limit))


def coverage(session: DebugSession, limit: int, *, everything: bool) -> Reply:
    """How many lines of the source were executed, and which never."""
    from esoplay.service import source_maps

    counted = session.ask(
        lambda ticker: source_maps.line_heat(session.debugger, everything=everything, ticker=ticker)
    )
    executed = len(counted.lines) - len(counted.never)
    words = (
        f"{executed} of {len(counted.lines)} lines executed ({counted.percent} %) "
        f"up to step {counted.step}"
    )
    if counted.never:
        more = len(counted.never) - limit
        words += "; never: " + " ".join(str(line) for line in counted.never[:limit])
        words += f" and {more} more" if more > 0 else ""
    return Reply([words], source_maps.coverage_as_json(counted, limit))


SOURCE_COMMANDS = (
    Command(
        ("sline", "sl"),
        "[N]",
        "run to where the next line of the generator's source is begun, or N lines on",
        _stepper(),
        ("sl", "5 sl"),
        kind="move",
    ),
    Command(("rsline", "SL"), "[N]", "the same backwards", _stepper(reverse=True), kind="move"),
    Command(
        ("source",),
        "[LINE [COUNT]]",
        "list the generator's source around the line we are at, or around LINE",
        show_source,
        ("source", "source 7", "source 1 40"),
    ),
    Command(
        ("vars",),
        "[NAME]",
        "say what the source's variables hold, or those whose names begin so",
        list_variables,
        ("vars", "vars total"),
    ),
)
