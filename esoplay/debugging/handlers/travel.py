"""Commands that move forwards or backwards through the steps of a run."""

from __future__ import annotations

from esolangs.stops import Slot
from esoplay.debugging.command_line import CommandLine, parse_whole_number
from esoplay.debugging.debugger import Granularity
from esoplay.debugging.locations import PLACE_USAGE, SMALLEST_WINDOW, parse_place, parse_state_place
from esoplay.debugging.provenance import Place, next_value_write, place_text, value_writes
from esoplay.debugging.session import BUDGET, DebugCommand, DebugSession, Handler, Reply
from esoplay.errors import UsageError


def _make_step(granularity: Granularity, *, reverse: bool = False) -> Handler:
    """Return the handler of a command that takes N steps of a granularity."""

    def step(session: DebugSession, line: CommandLine) -> Reply:
        count = _optional_number(line, "the count", 1)
        return session.move(
            lambda: session.debugger.step_by(
                count, reverse=reverse, granularity=granularity, budget=BUDGET, ticker=session.tick
            )
        )

    return step


def _make_continue(*, reverse: bool = False) -> Handler:
    """Return the handler of a command that continues to the next or previous breakpoint."""

    def resume(session: DebugSession, line: CommandLine) -> Reply:
        budget = _optional_number(line, "the number of steps", BUDGET)
        return session.move(
            lambda: session.debugger.resume(reverse=reverse, budget=budget, ticker=session.tick)
        )

    return resume


def _make_run_to(*, reverse: bool = False) -> Handler:
    """Return the handler of a command that continues to a location in the program."""

    def run_to(session: DebugSession, line: CommandLine) -> Reply:
        if not line.arguments:
            raise UsageError(
                "missing place: expected an offset such as 12, or a line and column such as 3:7"
            )
        spec = parse_place(session.debugger, line.rest.strip())
        ticker = session.ticker_within(BUDGET)
        return session.move(lambda: session.debugger.run_to(spec, reverse=reverse, ticker=ticker))

    return run_to


def _goto(session: DebugSession, line: CommandLine) -> Reply:
    if len(line.arguments) != 1:
        raise UsageError(
            "goto: expected a step number, or a percentage of the known history such as 50%"
        )
    where = line.arguments[0]
    if where.endswith("%"):
        try:
            part = float(where[:-1])
        except ValueError:
            part = -1.0
        if not 0 <= part <= 100:
            raise UsageError(f"expected a percentage between 0% and 100%, found {where!r}")
        step = round(session.debugger.known_steps * part / 100)
    else:
        step = parse_whole_number(where, "a step")
    return session.move(lambda: session.debugger.seek(step, ticker=session.tick))


def _start(session: DebugSession, line: CommandLine) -> Reply:
    return (
        _goto(session, line) if line.arguments else session.move(lambda: session.debugger.seek(0))
    )


def _end(session: DebugSession, line: CommandLine) -> Reply:
    if line.arguments:
        return _goto(session, line)
    end = session.debugger.end
    if end is not None:
        return session.move(lambda: session.debugger.seek(end, ticker=session.tick))
    reply = session.move(
        lambda: session.debugger.seek(session.debugger.known_steps + BUDGET, ticker=session.tick)
    )
    if session.debugger.view().status == "running" and not session.interrupted:
        reply.lines.insert(0, "end not reached; G continues")
    return reply


def _to_output(session: DebugSession, line: CommandLine) -> Reply:
    byte = _optional_number(
        line, "the number of an output byte", max(0, _output_length(session) - 1)
    )
    step = session.debugger.find_print_step(byte)
    if step is None:
        raise UsageError(f"output byte {byte} has not been printed in the history known so far")
    return session.move(lambda: session.debugger.seek(step, ticker=session.tick))


def _to_input(session: DebugSession, line: CommandLine) -> Reply:
    read = session.debugger.view().input_position
    byte = _optional_number(line, "the number of an input byte", max(0, read - 1))
    step = session.debugger.find_read_step(byte)
    if step is None:
        raise UsageError(f"input byte {byte} has not been read in the history known so far")
    return session.move(lambda: session.debugger.seek(step, ticker=session.tick))


def _previous_write(session: DebugSession, line: CommandLine) -> Reply:
    place = _place(session, line)
    before = session.debugger.step - 1  # skip a write by the last step
    found = session.run_query(
        lambda ticker: value_writes(session.debugger, place, before=before, ticker=ticker)
    )
    if not found:
        initial = "" if isinstance(place, Slot) else "; it had its initial value"
        raise UsageError(f"{_place_name(session, place)} has no earlier write{initial}")
    return session.move(lambda: session.debugger.seek(found[0].step, ticker=session.tick))


def _next_write(session: DebugSession, line: CommandLine) -> Reply:
    place = _place(session, line)
    here = session.debugger.step
    found = session.run_query(
        lambda ticker: next_value_write(session.debugger, place, here, ticker)
    )
    if found is None:
        named = _place_name(session, place)
        raise UsageError(f"{named} has no later write in the history known so far")
    return session.move(lambda: session.debugger.seek(found.step, ticker=session.tick))


def _optional_number(line: CommandLine, name: str, default: int) -> int:
    if len(line.arguments) > 1:
        raise UsageError(f"{line.word} accepts at most one argument, {name}")
    return parse_whole_number(line.arguments[0], name) if line.arguments else default


def _place(session: DebugSession, line: CommandLine) -> Place:
    if line.arguments:
        return parse_state_place(session.debugger, " ".join(line.arguments))
    return session.focused_place()


def _place_name(session: DebugSession, place: Place) -> str:
    return place_text(place, session.debugger.view(SMALLEST_WINDOW))


def _output_length(session: DebugSession) -> int:
    return session.debugger.view().output_length


def _run(session: DebugSession, line: CommandLine) -> Reply:
    session.debugger.seek(0)
    return session.move(lambda: session.debugger.resume(budget=BUDGET, ticker=session.tick))


def _until(session: DebugSession, line: CommandLine) -> Reply:
    command = _make_run_to() if line.arguments else _make_step("loop")
    return command(session, line)


def _checkpoint(session: DebugSession, line: CommandLine) -> Reply:
    number = max(session.checkpoints, default=0) + 1
    session.checkpoints[number] = session.debugger.step
    here = session.describe_position()
    data = {"checkpoint": number, "step": session.debugger.step}
    return Reply([f"checkpoint {number}: {here.lines[0]}"], data)


def list_checkpoints(session: DebugSession, line: CommandLine) -> Reply:
    """List the checkpoints to which ``restart`` can return."""
    rows = [{"checkpoint": id, "step": step} for id, step in session.checkpoints.items()]
    lines = [f"checkpoint {id}: step {step}" for id, step in session.checkpoints.items()]
    return Reply(lines or ["no checkpoints"], {"checkpoints": rows})


def _restart(session: DebugSession, line: CommandLine) -> Reply:
    if not line.arguments:
        return list_checkpoints(session, line)
    number = _optional_number(line, "the number of a checkpoint", 1)
    step = session.checkpoints.get(number)
    if step is None:
        known = ", ".join(map(str, session.checkpoints)) or "none"
        raise UsageError(f"no checkpoint {number}; checkpoints: {known}")
    return session.move(lambda: session.debugger.seek(step, ticker=session.tick))


def _move_command(
    names: tuple[str, ...],
    usage: str,
    help: str,
    handler: Handler,
    examples: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
) -> DebugCommand:
    return DebugCommand(names, usage, help, handler, examples, "move", aliases)


COMMANDS = (
    _move_command(
        ("step", "s"),
        "[N]",
        "step once, or N times",
        _make_step("instruction"),
        ("s", "200 s", "s 200"),
        aliases=("stepi", "si"),
    ),
    _move_command(
        ("back", "S"),
        "[N]",
        "step back once, or N times",
        _make_step("instruction", reverse=True),
        aliases=("reverse-step", "rs", "reverse-stepi", "rsi"),
    ),
    _move_command(
        ("next", "n"),
        "[N]",
        "step over the loop or call that begins here",
        _make_step("loop"),
        aliases=("nexti", "ni"),
    ),
    _move_command(
        ("rnext", "N"),
        "[N]",
        "step back over the loop or call that ends here",
        _make_step("loop", reverse=True),
        aliases=("reverse-next", "rn", "reverse-nexti", "rni"),
    ),
    _move_command(
        ("finish", "f"),
        "[N]",
        "run to the end of the current loop or call",
        _make_step("finish"),
        aliases=("fin",),
    ),
    _move_command(
        ("rfinish", "F"),
        "[N]",
        "run back to the start of the current loop or call",
        _make_step("finish", reverse=True),
        aliases=("reverse-finish",),
    ),
    _move_command(
        ("continue", "c"),
        "[STEPS]",
        f"run to the next breakpoint or the end, at most STEPS steps (default: {BUDGET:,})",
        _make_continue(),
        ("c", "c 1000000"),
        aliases=("cont",),
    ),
    _move_command(
        ("rcontinue", "C"),
        "[STEPS]",
        "run back to the previous breakpoint",
        _make_continue(reverse=True),
        aliases=("reverse-continue", "rc"),
    ),
    _move_command(
        ("run", "r"),
        "",
        "go to step 0 and run from there to the first breakpoint or the end",
        _run,
    ),
    _move_command(
        ("line",), "[N]", "run until the line changes (on a plane: the row)", _make_step("line")
    ),
    _move_command(
        ("rline",), "[N]", "run back until the line changes", _make_step("line", reverse=True)
    ),
    _move_command(
        ("to", "t"),
        "PLACE",
        "run to a place in the program",
        _make_run_to(),
        ("t 12", "t 3:7"),
        aliases=("advance",),
    ),
    _move_command(
        ("rto", "T"), "PLACE", "run back to a place in the program", _make_run_to(reverse=True)
    ),
    _move_command(
        ("until", "u"),
        "[PLACE]",
        "run to a place, as `to` does; without a place, the same as `next`",
        _until,
        ("until", "until 3:7"),
    ),
    _move_command(
        ("goto",),
        "STEP | N%",
        "go to a step, or to a percentage of the known history",
        _goto,
        ("goto 1000", "120 G", "50%", "1000", "+10", "-10"),
        aliases=("seek",),
    ),
    _move_command(
        ("start", "g"), "[STEP | N%]", "go to step 0; with an argument, like goto", _start
    ),
    _move_command(
        ("end", "G"), "[STEP | N%]", "go to the last step; with an argument, like goto", _end
    ),
    _move_command(
        ("to-output", "o"),
        "[BYTE]",
        "go to the step that printed an output byte (counted from 0; default: the last one "
        "printed)",
        _to_output,
        ("o 2",),
    ),
    _move_command(
        ("to-input", "i"),
        "[BYTE]",
        "go to the step that read an input byte (counted from 0; default: the last one read)",
        _to_input,
        ("i 0",),
    ),
    _move_command(
        ("previous-write", "w"),
        PLACE_USAGE,
        "go back to the last write of a cell (default: the pointer's cell), or the last push to a "
        "place on a stack",
        _previous_write,
        ("w 3", "w top", "w stack 0:5"),
    ),
    _move_command(
        ("next-write", "W"),
        PLACE_USAGE,
        "go to the next write of a cell, or the next push to a place on a stack",
        _next_write,
    ),
    DebugCommand(
        ("checkpoint",),
        "",
        "save this step as a numbered checkpoint, to which `restart` returns",
        _checkpoint,
        kind="change",
    ),
    _move_command(
        ("restart",), "[NUMBER]", "go to a checkpoint, or list the checkpoints", _restart
    ),
)
