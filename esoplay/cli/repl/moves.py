"""Commands that travel in time."""

from __future__ import annotations

from esolangs.stops import Slot
from esoplay.cli.repl.desk import BUDGET, Command, Desk, Handler, Reply
from esoplay.cli.repl.places import PLACES, SMALLEST, read_place, read_state_place
from esoplay.cli.repl.syntax import Line, whole
from esoplay.errors import UsageError
from esoplay.service.debugging import Granularity
from esoplay.service.provenance import place_text
from esoplay.service.puts import Place, next_put, puts


def _stepper(granularity: Granularity, *, reverse: bool = False) -> Handler:
    """A command that makes N steps of one size."""

    def step(desk: Desk, line: Line) -> Reply:
        count = _optional(line, "the count", 1)
        return desk.move(
            lambda: desk.debugger.step_by(
                count, reverse=reverse, granularity=granularity, budget=BUDGET, ticker=desk.tick
            )
        )

    return step


def _resumer(*, reverse: bool = False) -> Handler:
    """A command that goes on to the next breakpoint."""

    def resume(desk: Desk, line: Line) -> Reply:
        budget = _optional(line, "the number of steps", BUDGET)
        return desk.move(
            lambda: desk.debugger.resume(reverse=reverse, budget=budget, ticker=desk.tick)
        )

    return resume


def _runner(*, reverse: bool = False) -> Handler:
    """A command that goes on to a place in the program."""

    def run_to(desk: Desk, line: Line) -> Reply:
        if not line.arguments:
            raise UsageError("say where to: an offset such as 12, or a line and column such as 3:7")
        spec = read_place(desk.debugger, line.rest.strip())
        ticker = desk.tick_within(BUDGET)
        return desk.move(lambda: desk.debugger.run_to(spec, reverse=reverse, ticker=ticker))

    return run_to


def _goto(desk: Desk, line: Line) -> Reply:
    if len(line.arguments) != 1:
        raise UsageError("goto takes a step number, or a part of the known history such as 50%")
    where = line.arguments[0]
    if where.endswith("%"):
        try:
            part = float(where[:-1])
        except ValueError:
            part = -1.0
        if not 0 <= part <= 100:
            raise UsageError(f"a part lies between 0% and 100%, not {where!r}")
        step = round(desk.debugger.known * part / 100)
    else:
        step = whole(where, "a step")
    return desk.move(lambda: desk.debugger.seek(step, ticker=desk.tick))


def _start(desk: Desk, line: Line) -> Reply:
    return _goto(desk, line) if line.arguments else desk.move(lambda: desk.debugger.seek(0))


def _end(desk: Desk, line: Line) -> Reply:
    if line.arguments:
        return _goto(desk, line)
    end = desk.debugger.end
    if end is not None:
        return desk.move(lambda: desk.debugger.seek(end, ticker=desk.tick))
    reply = desk.move(lambda: desk.debugger.seek(desk.debugger.known + BUDGET, ticker=desk.tick))
    if desk.debugger.view().status == "running" and not desk.interrupted:
        reply.lines.insert(0, "the end is not in sight; G goes on")
    return reply


def _to_output(desk: Desk, line: Line) -> Reply:
    byte = _optional(line, "the number of an output byte", max(0, _printed(desk) - 1))
    step = desk.debugger.printed(byte)
    if step is None:
        raise UsageError(f"output byte {byte} has not been printed in the history known so far")
    return desk.move(lambda: desk.debugger.seek(step, ticker=desk.tick))


def _to_input(desk: Desk, line: Line) -> Reply:
    read = desk.debugger.view().input_position
    byte = _optional(line, "the number of an input byte", max(0, read - 1))
    step = desk.debugger.read_by(byte)
    if step is None:
        raise UsageError(f"input byte {byte} has not been read in the history known so far")
    return desk.move(lambda: desk.debugger.seek(step, ticker=desk.tick))


def _previous_write(desk: Desk, line: Line) -> Reply:
    place = _place(desk, line)
    before = desk.debugger.step - 1  # where we are may be a write itself
    found = desk.ask(lambda ticker: puts(desk.debugger, place, before=before, ticker=ticker))
    if not found:
        initial = "" if isinstance(place, Slot) else "; it had its initial value"
        raise UsageError(f"{_named(desk, place)} was not written before{initial}")
    return desk.move(lambda: desk.debugger.seek(found[0].step, ticker=desk.tick))


def _next_write(desk: Desk, line: Line) -> Reply:
    place = _place(desk, line)
    here = desk.debugger.step
    found = desk.ask(lambda ticker: next_put(desk.debugger, place, here, ticker))
    if found is None:
        named = _named(desk, place)
        raise UsageError(f"{named} is not written later in the history known so far")
    return desk.move(lambda: desk.debugger.seek(found.step, ticker=desk.tick))


def _optional(line: Line, what: str, default: int) -> int:
    if len(line.arguments) > 1:
        raise UsageError(f"{line.word} takes {what} and nothing else")
    return whole(line.arguments[0], what) if line.arguments else default


def _place(desk: Desk, line: Line) -> Place:
    if line.arguments:
        return read_state_place(desk.debugger, " ".join(line.arguments))
    return desk.cell_in_focus()


def _named(desk: Desk, place: Place) -> str:
    return place_text(place, desk.debugger.view(SMALLEST))


def _printed(desk: Desk) -> int:
    return desk.debugger.view().output_length


COMMANDS = (
    Command(
        ("step", "s"),
        "[N]",
        "make one step, or N",
        _stepper("instruction"),
        ("s", "200 s", "s 200"),
    ),
    Command(
        ("back", "S"), "[N]", "take one step back, or N", _stepper("instruction", reverse=True)
    ),
    Command(
        ("next", "n"),
        "[N]",
        "step, but over the whole loop or call that begins here",
        _stepper("loop"),
    ),
    Command(("rnext", "N"), "[N]", "the same backwards", _stepper("loop", reverse=True)),
    Command(("finish", "f"), "[N]", "run out of the loop or call we are in", _stepper("finish")),
    Command(("rfinish", "F"), "[N]", "back to where that began", _stepper("finish", reverse=True)),
    Command(
        ("continue", "c"),
        "[STEPS]",
        f"run to the next breakpoint or the end, at most STEPS (else {BUDGET:_})",
        _resumer(),
        ("c", "c 1000000"),
    ),
    Command(
        ("rcontinue", "C"), "[STEPS]", "run back to the breakpoint before", _resumer(reverse=True)
    ),
    Command(("line",), "[N]", "run to another line (a row, on a plane)", _stepper("line")),
    Command(("rline",), "[N]", "the same backwards", _stepper("line", reverse=True)),
    Command(("to", "t"), "PLACE", "run to a place in the program", _runner(), ("t 12", "t 3:7")),
    Command(("rto", "T"), "PLACE", "run back to a place in the program", _runner(reverse=True)),
    Command(
        ("goto",),
        "STEP | PART%",
        "go to a step, or to a part of the known history",
        _goto,
        ("goto 1000", "120 G", "50%"),
    ),
    Command(("start", "g"), "[STEP | PART%]", "go to step 0, or as goto", _start),
    Command(("end", "G"), "[STEP | PART%]", "go to the last step, or as goto", _end),
    Command(
        ("to-output", "o"),
        "[BYTE]",
        "go to the step that printed an output byte (from 0; else the last one printed)",
        _to_output,
        ("o 2",),
    ),
    Command(
        ("to-input", "i"),
        "[BYTE]",
        "go to the step that read an input byte (from 0; else the last one read)",
        _to_input,
        ("i 0",),
    ),
    Command(
        ("previous-write", "w"),
        PLACES,
        "go back to the last write of a cell (else the pointer's), or push to a place on a stack",
        _previous_write,
        ("w 3", "w top", "w stack 0:5"),
    ),
    Command(("next-write", "W"), PLACES, "go on to the next one", _next_write),
)
