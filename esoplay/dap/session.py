"""One launched program: what requests do with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

from esoplay.dap import moves
from esoplay.dap.breakpoints import Breakpoints
from esoplay.dap.console import Completion, Console
from esoplay.dap.launch import Counting, Launch, Sources
from esoplay.dap.moves import Direction, Ended
from esoplay.dap.protocol import (
    Arguments,
    RequestError,
)
from esoplay.dap.variables import Frames, Variables
from esoplay.debugging.commands import Invocation
from esoplay.debugging.debugger import Granularity, Reason, Stop
from esoplay.debugging.provenance import location_of_step
from esoplay.debugging.source_maps import SourceMap, find_map, parse_map, read_map
from esoplay.errors import EXIT_FAILED, EXIT_LIMIT, EXIT_PASSED, EsoplayError

Send = Callable[[str, dict[str, Any]], None]
"""Sends an event: its name and its body."""

Move = Callable[[], tuple[Ended, Stop]]

THREAD = 1
"""The number of the one thread that there is, whatever IPs a program has."""


class Session:
    """A program under debugging.

    afterwards: takes what is to be done once the present request was answered.
    """

    def __init__(
        self,
        launched: Launch,
        arguments: Arguments,
        counting: Counting,
        ids: Iterator[int],
        send: Send,
        waits: Callable[[], bool],
        afterwards: Callable[[Callable[[], None]], None],
    ):
        """Raises MapError for a source map that the launch names and that cannot be used."""
        self.launched = launched
        self.counting = counting
        self.debugger = launched.debugger
        self._send = send
        self._waits = waits
        self.afterwards = afterwards
        source_map = _map_of(launched, arguments)
        if source_map is not None:
            self.debugger.use_map(source_map)
        self.sources = Sources(launched.path, source_map, counting)
        self.breakpoints = Breakpoints(launched, self.sources, ids)
        self.frames = Frames(launched, self.sources)
        self.variables = Variables(self.debugger)
        self._output = OutputEvents(launched, self.sources, send)
        self._move: Move | None = None
        self._moved = ""
        self._of_console = False
        self._console = Console(self.debugger, waits)
        self._by_source = source_map is not None

    @property
    def going(self) -> bool:
        """Whether the run goes on as soon as no message waits."""
        return self._move is not None

    def begin(self) -> None:
        """The client has said all that there is to say before the first step."""
        if self.launched.stop_on_entry:
            self._stopped("entry", "before the first step")
        else:
            self.resume("on")

    # Moves.

    def resume(self, direction: Direction) -> None:
        """Go on, or back, until something stops the run."""
        if direction == "on" and self._ended():
            self._end()
        else:
            told = self._output.catch_up
            self._moved, self._of_console = "continue", False
            self._move = lambda: moves.run(self.debugger, direction, self._waits, told)

    def proceed(self) -> None:
        """Carry the move on until it ends, or until a message waits."""
        assert self._move is not None
        ended, stop = self._move()
        self._output.catch_up()
        self._note(stop)
        if ended == "stopped":
            if not self._of_console:
                self._say(self._console.answered(stop))
            self._arrived(stop)
            self._move = None

    def pause(self) -> None:
        """Stop where the run stands."""
        if self._move is not None:
            self._move = None
            self._stopped("pause", f"paused at step {self.debugger.step:,}")

    def halt(self, reason: str) -> None:
        """Stop a move that cannot go on."""
        if self._move is not None:
            self._move = None
            self._stopped("pause", reason, text=reason)

    def step(self, granularity: Granularity, direction: Direction, wanted: str | None) -> None:
        """One step, by the lines of the generator unless ``wanted`` is ``instruction``."""
        if direction == "on" and self._ended():
            self._end()
            return
        if granularity != "finish":
            if wanted != "instruction" and self._by_source:
                granularity = "source"
            elif wanted == "line":
                granularity = "line"
        # At once: clients may send the next step before they hear of the end of this one.
        self._moved, self._of_console = "step", False
        self._move = partial(moves.Step(self.debugger, granularity, direction), self._waits)
        self.proceed()

    # Commands of the console.

    def command(self, text: str) -> str:
        """Run a command; what comes of a move follows its answer.  Raises EsoplayError."""
        invocation = self._console.read(text)
        kind = invocation.command.kind
        if kind != "look" and self.going:
            raise RequestError("the program is running: pause it first")
        reply = self._console.run(invocation)
        if reply is None:
            self.afterwards(partial(self._carry_on, invocation))
            return "this takes a while; pause ends it"
        if kind == "change":
            self.afterwards(partial(self._after_change, changed=reply.stop is not None))
        elif reply.stop is not None:
            self.afterwards(partial(self._after_move, reply.stop))
        return "\n".join(reply.lines)

    def completions(self, text: str) -> tuple[str, list[Completion]]:
        """The last word of what was typed in the console, and what it may become."""
        return self._console.complete(text)

    def _after_move(self, stop: Stop) -> None:
        self._moved = "goto"
        self._output.catch_up()
        self._note(stop)
        self._arrived(stop)

    def _after_change(self, *, changed: bool) -> None:
        if changed:
            self.changed()
        for entry in self.breakpoints.forget_deleted():
            self._send("breakpoint", {"reason": "changed", "breakpoint": entry.as_json()})

    def _carry_on(self, invocation: Invocation) -> None:
        """Make a long move of the console, with its answer as output."""

        def move() -> tuple[Ended, Stop]:
            reply = self._console.resume(invocation)
            if reply is None:
                return "interrupted", Stop(self.debugger.step, ())
            self._say(reply.lines)
            stop = reply.stop or Stop(self.debugger.step, (Reason("step", reply.lines[0]),))
            return "stopped", stop

        self._moved, self._move, self._of_console = "goto", move, True
        self.proceed()

    def _say(self, lines: list[str]) -> None:
        for line in lines:
            self._send("output", {"category": "console", "output": f"{line}\n"})

    def changed(self) -> None:
        """The state was changed by hand."""
        self._output.changed()
        self.variables.forget()
        self._send("invalidated", {"areas": ["all"]})

    # What a stop tells.

    def _ended(self) -> bool:
        return self.debugger.step == self.debugger.end

    def _arrived(self, stop: Stop) -> None:
        """Say why the run stands here."""
        kinds = {reason.kind: reason.text for reason in stop.reasons}
        for kind in ("fault", "limit"):
            if kind in kinds:
                self._at_the_end("exception", kinds[kind])
                return
        if "end" in kinds:
            self._at_the_end("pause", kinds["end"])
            return
        reached = self.breakpoints.reached(stop.reasons)
        text = "; ".join(reason.text for reason in stop.reasons)
        if reached:
            # The numbers that the debugger counts by are none of the client's.
            own = {each.breakpoint: each.text.partition(": ")[2] for each in stop.reasons}
            told = dict.fromkeys(entry.where or own[entry.own] for entry in reached)
            more = {"hitBreakpointIds": [entry.id for entry in reached]}
            self._stopped(reached[0].kind, "; ".join(told), **more)
        elif any((reason.breakpoint or 0) > 0 for reason in stop.reasons):
            self._stopped("breakpoint", text)
        elif "start" in kinds:
            self._stopped("entry", kinds["start"])
        elif "needs_input" in kinds:
            self._stopped("pause", "the program waits for input: type :feed TEXT, or :eof")
        else:
            reason = "goto" if self._moved == "goto" else "step"
            self._stopped(reason, text or f"at step {self.debugger.step:,}")

    def _at_the_end(self, reason: str, text: str) -> None:
        if not self.launched.stop_at_end:
            if reason == "exception":
                self._output.went_wrong(text)
            self._end()
            return
        self._stopped(reason, text, text=text)

    def _stopped(self, reason: str, description: str, **more: Any) -> None:
        self.variables.forget()
        body = {"reason": reason, "description": description, "threadId": THREAD}
        self._send("stopped", {**body, "allThreadsStopped": True, **more})

    def _end(self) -> None:
        self._move = None
        self._send("exited", {"exitCode": self.exit_code})
        self._send("terminated", {})

    @property
    def exit_code(self) -> int:
        """As ``esoplay run`` ends: 0 passed, 1 a fault, 3 a limit."""
        view = self.debugger.view()
        if view.fault is not None:
            return EXIT_FAILED
        return EXIT_LIMIT if view.limit is not None else EXIT_PASSED

    def fault(self) -> dict[str, Any]:
        """What ``exceptionInfo`` tells of the state."""
        view = self.debugger.view()
        if view.fault is not None:
            kind, message = view.fault.kind, view.fault.message
        elif view.limit is not None:
            kind, message = "limit", f"the {view.limit} limit was reached"
        else:
            raise RequestError("nothing went wrong in this state")
        return {"exceptionId": kind, "description": message, "breakMode": "always"}

    def _note(self, stop: Stop) -> None:
        for line in stop.logs:
            self._send("output", {"category": "console", "output": f"{line}\n"})


def _map_of(launched: Launch, arguments: Arguments) -> SourceMap | None:
    """The map that the launch names, else that beside the program; ``false`` wants none."""
    wanted: Any = arguments.get("sourceMap")
    if wanted is False:
        return None
    if isinstance(wanted, dict):
        return parse_map(cast("object", wanted))
    if isinstance(wanted, str):
        return read_map(launched.path.parent / wanted)
    if wanted not in (None, True):
        raise RequestError("sourceMap is a file, an object, or false")
    found = find_map(launched.path)
    if found is None:
        return None
    try:
        found.check(launched.debugger.program.source)
    except EsoplayError:
        return None
    return found


# Output events: what the program prints, with the place of the instruction that printed it.

_PLACED = 50
"""Lines of one move whose places are looked up; of more, the others come as one."""


class OutputEvents:
    """Sends what was printed, once: going back and on again prints nothing anew."""

    def __init__(
        self, launched: Launch, sources: Sources, send: Callable[[str, dict[str, Any]], None]
    ):
        self._debugger = launched.debugger
        self._places = launched.places
        self._sources = sources
        self._send = send
        self._told = 0

    def catch_up(self) -> None:
        """Tell what is out by now and was not told; a character once it is whole."""
        printed = self._debugger.view().output_length
        if self._debugger.step != self._debugger.end:
            printed = _whole(self._debugger.output, printed)
        if printed <= self._told:
            return
        for start, end, placed in self._pieces(self._told, printed):
            text = self._debugger.output[start:end].decode("utf-8", "backslashreplace")
            place = self._place(start) if placed else {}
            self._send("output", {"category": "stdout", "output": text, **place})
        self._told = printed

    def went_wrong(self, text: str) -> None:
        """Tell of a fault or a limit that nobody stays to look at."""
        line, column = self._places.place(self._debugger.view().location.span[0])
        place = {"source": self._sources.program, "line": line, "column": column}
        self._send("output", {"category": "stderr", "output": f"{text}\n", **place})

    def changed(self) -> None:
        """The state was changed by hand: what comes from here on may be other output."""
        self._told = min(self._told, self._debugger.view().output_length)

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """The lines, each with its break; the last piece holds all that are too many."""
        output = self._debugger.output
        for _ in range(_PLACED):
            if start == end:
                return
            newline = output.find(b"\n", start, end)
            stop = end if newline < 0 else newline + 1
            yield start, stop, True
            start = stop
        if start < end:
            yield start, end, False

    def _place(self, byte: int) -> dict[str, Any]:
        step = self._debugger.printed(byte)
        if step is None:
            return {}
        line, column = self._places.place(location_of_step(self._debugger, step).span[0])
        told = {"step": step, "byte": byte}
        return {"source": self._sources.program, "line": line, "column": column, "data": told}


def _whole(output: bytes, end: int) -> int:
    """Where the last character begins that is not whole at ``end``, else ``end`` (RFC 3629, 3)."""
    for first in range(end - 1, max(end - 4, -1), -1):
        byte = output[first]
        if byte & 0xC0 != 0x80:
            size = 1 + (byte >= 0xC2) + (byte >= 0xE0) + (byte >= 0xF0)
            return first if byte < 0xF5 and first + size > end else end
    return end
