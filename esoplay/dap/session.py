"""The session of one launched program; its methods execute the client's requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from typing import Any, NamedTuple, cast

from esoplay.dap import moves
from esoplay.dap.breakpoints import BreakpointRequests, ClientBreakpoint
from esoplay.dap.console import ConsoleCompletion, DapConsole
from esoplay.dap.launch import Launch, LineNumbering
from esoplay.dap.moves import MoveResult
from esoplay.dap.protocol import Arguments, RequestError
from esoplay.dap.runs import Send, ShownRun
from esoplay.debugging.commands import ParsedCommand
from esoplay.debugging.debugger import Debugger, Direction, Granularity, Reason, Stop
from esoplay.debugging.source_maps import SourceMap, find_map, parse_map, read_map
from esoplay.errors import EXIT_FAILED, EXIT_LIMIT, EXIT_PASSED, EsoplayError

Move = Callable[[], tuple[MoveResult, Stop]]

THREAD = 1
"""The id of the only thread; instruction pointers of a program are not threads."""


class ClientLink(NamedTuple):
    """The functions and properties of the client that a session uses.

    send: sends an event. has_message: returns whether a message of the client waits or its stream
    has ended. run_later: calls a function after the current response. supports_invalidated: whether
    the client supports the event ``invalidated``.
    """

    send: Send
    has_message: Callable[[], bool]
    run_later: Callable[[Callable[[], None]], None]
    supports_invalidated: bool = False


class Session:
    """A program in the debugger and a second run to compare with; the client sees one at a time."""

    def __init__(
        self,
        launch: Launch,
        arguments: Arguments,
        numbering: LineNumbering,
        requests: BreakpointRequests,
        client: ClientLink,
    ):
        """Open a session.

        requests: the client's breakpoint requests, including those before the launch. Raises
        MapError if the source map that the launch names cannot be used.
        """
        self.launch = launch
        self.numbering = numbering
        self._send = client.send
        self._client = client
        self._requests = requests
        source_map = _find_map(launch, arguments)
        if source_map is not None:
            launch.debugger.use_map(source_map)
        self._references = count(1)
        self.run = self._new_run(launch.debugger)
        """The run that the client sees."""
        self._hidden_run: ShownRun | None = None
        """The run that the client saw before, if the client can switch back to it."""
        self._move: Move | None = None
        self._move_kind = ""
        self._is_console_move = False
        self._console = DapConsole(launch.debugger, client.has_message)

    def _new_run(self, debugger: Debugger) -> ShownRun:
        return ShownRun(debugger, self.numbering, self._send, self._requests.ids, self._references)

    @property
    def is_running(self) -> bool:
        """Whether a move is in progress; it continues while no message from the client waits."""
        return self._move is not None

    def begin(self) -> None:
        """Start the program, once the client has finished its configuration."""
        if self.launch.stop_on_entry:
            self._send_stopped("entry", "before the first step")
        else:
            self.resume("forwards")

    # Moves.

    def resume(self, direction: Direction) -> None:
        """Continue in a direction until the run stops."""
        if direction == "forwards" and self._is_finished():
            self._end()
        else:
            run, has_message = self.run, self._client.has_message
            self._move_kind, self._is_console_move = "continue", False
            self._move = lambda: moves.run(
                run.debugger, direction, has_message, run.output.catch_up
            )

    def proceed(self) -> None:
        """Continue the current move until it ends or a message waits."""
        assert self._move is not None
        ended, stop = self._move()
        if self._has_switched:
            self._move = None
            self._show_other()
            return
        self.run.output.catch_up()
        self._print_logs(stop)
        if ended == "stopped":
            if not self._is_console_move:
                self._print(self._console.breakpoint_replies(stop))
            self._report_stop(stop)
            self._move = None

    def pause(self) -> None:
        """Pause the current move."""
        if self._move is not None:
            self._move = None
            self._send_stopped("pause", f"paused at step {self.run.debugger.step:,}")

    def halt(self, reason: str) -> None:
        """End the current move after an error; report ``reason`` to the client."""
        if self._move is not None:
            self._move = None
            self._send_stopped("pause", reason, text=reason)

    def step(self, granularity: Granularity, direction: Direction, unit: str | None) -> None:
        """Make one step in a direction; ``granularity`` and ``unit`` determine its size.

        With a source map, a step is a line of the generator's source unless ``unit`` is
        ``instruction``.  Without a source map, ``unit`` can be ``line`` for a line of the program.
        A step out of a loop or call ignores ``unit``.
        """
        if direction == "forwards" and self._is_finished():
            self._end()
            return
        if granularity != "finish":
            if unit != "instruction" and self.run.debugger.source_map is not None:
                granularity = "source"
            elif unit == "line":
                granularity = "line"
        # Run at once: clients may send the next step before they receive the end of this one.
        self._move_kind, self._is_console_move = "step", False
        step = moves.GranularStep(self.run.debugger, granularity, direction)
        self._move = partial(step, self._client.has_message)
        self.proceed()

    # Commands of the console.

    def command(self, text: str) -> str:
        """Run a console command and return its reply; the events of a move follow the reply.

        Raises EsoplayError if the command fails.
        """
        invocation = self._console.parse(text)
        kind = invocation.command.kind
        if kind != "look" and self.is_running:
            raise RequestError("the program is running; pause it first")
        reply = self._console.run(invocation)
        afterwards = self._client.run_later
        if reply is None:
            afterwards(partial(self._run_move, invocation))
            return "this may take a while; press pause to stop it"
        if self._has_switched:
            afterwards(self._show_other)
        elif kind == "change":
            afterwards(partial(self._after_change, changed=reply.stop is not None))
        elif reply.stop is not None:
            afterwards(partial(self._after_move, reply.stop))
        return "\n".join(reply.lines)

    def completions(self, text: str) -> tuple[str, list[ConsoleCompletion]]:
        """Return the last word in the console and its completions."""
        return self._console.complete(text)

    def _after_move(self, stop: Stop) -> None:
        self._send_continued()
        self._move_kind = "goto"
        self.run.output.catch_up()
        self._print_logs(stop)
        self._report_stop(stop)

    def _after_change(self, *, changed: bool) -> None:
        if changed:
            self.send_changed_state()
        self._report_breakpoints(self.run.breakpoints.mark_deleted())

    def _run_move(self, invocation: ParsedCommand) -> None:
        """Run a long console move and send its reply as output."""

        def move() -> tuple[MoveResult, Stop]:
            reply = self._console.resume(invocation)
            step = self.run.debugger.step
            if reply is None:
                return "interrupted", Stop(step, ())
            self._print(reply.lines)
            return "stopped", reply.stop or Stop(step, (Reason("step", reply.lines[0]),))

        self._send_continued()
        self._move_kind, self._move, self._is_console_move = "goto", move, True
        self.proceed()

    def _print(self, lines: list[str]) -> None:
        for line in lines:
            self._send("output", {"category": "console", "output": f"{line}\n"})

    def send_changed_state(self) -> None:
        """Send the changed state to the client."""
        self.run.output.handle_change()
        self.run.variables.forget()
        self._redraw()

    def _redraw(self) -> None:
        if self._client.supports_invalidated:
            self._send("invalidated", {"areas": ["all"]})

    # The other run.

    @property
    def _has_switched(self) -> bool:
        """Whether a console command switched to a run other than the one that the client shows."""
        return self._console.session.debugger is not self.run.debugger

    def _show_other(self) -> None:
        """Show the run that a command switched to."""
        debugger, before = self._console.session.debugger, self.run
        if self._hidden_run is not None and self._hidden_run.debugger is debugger:
            self.run = self._hidden_run
        else:
            self.run = self._new_run(debugger)
            if debugger.program.source == before.debugger.program.source:
                self.run.breakpoints.copy_from(before.breakpoints)
        self._hidden_run = before
        before.variables.forget()
        self.set_breakpoints()
        self._print([f"now debugging: {self.run.description}"])
        self.run.output.catch_up()
        self._redraw()
        view = debugger.view()
        wrong = view.fault is not None or view.limit is not None
        text = self.fault()["description"] if wrong else f"the other run, at step {view.step:,}"
        self._send_stopped(
            "exception" if wrong else "goto", text, **({"text": text} if wrong else {})
        )

    def set_breakpoints(self) -> None:
        """Set the client's breakpoints in the current run, and report the results."""
        self._report_breakpoints(self._requests.set_all(self.run.breakpoints))

    def _report_breakpoints(self, entries: Iterable[ClientBreakpoint]) -> None:
        for entry in entries:
            self._send("breakpoint", {"reason": "changed", "breakpoint": entry.as_json()})

    # Reports of stops.

    def _is_finished(self) -> bool:
        return self.run.debugger.step == self.run.debugger.end

    def _report_stop(self, stop: Stop) -> None:
        """Report why the run stopped."""
        kinds = {reason.kind: reason.text for reason in stop.reasons}
        for kind in ("fault", "limit"):
            if kind in kinds:
                self._report_end("exception", kinds[kind])
                return
        if "end" in kinds:
            self._report_end("pause", kinds["end"])
            return
        reached = self.run.breakpoints.find_reached(stop.reasons)
        text = "; ".join(reason.text for reason in stop.reasons)
        if reached:
            # The client does not know the debugger's own breakpoint ids.
            own = {each.breakpoint: each.text.partition(": ")[2] for each in stop.reasons}
            details = dict.fromkeys(
                entry.position_text or own[entry.debugger_id] for entry in reached
            )
            more = {"hitBreakpointIds": [entry.id for entry in reached]}
            self._send_stopped(reached[0].kind, "; ".join(details), **more)
        elif any((reason.breakpoint or 0) > 0 for reason in stop.reasons):
            self._send_stopped("breakpoint", text)
        elif "start" in kinds:
            self._send_stopped("entry", kinds["start"])
        elif "needs_input" in kinds:
            self._send_stopped("pause", "the program is waiting for input; type :feed TEXT or :eof")
        else:
            reason = "goto" if self._move_kind == "goto" else "step"
            self._send_stopped(reason, text or f"at step {self.run.debugger.step:,}")

    def _report_end(self, reason: str, text: str) -> None:
        if not self.launch.stop_at_end:
            if reason == "exception":
                self.run.output.report_failure(text)
            self._end()
            return
        self._send_stopped(reason, text, text=text)

    def _send_stopped(self, reason: str, description: str, **more: Any) -> None:
        self.run.variables.forget()
        body = {"reason": reason, "description": description, "threadId": THREAD}
        self._send("stopped", {**body, "allThreadsStopped": True, **more})

    def _send_continued(self) -> None:
        """Send the event for a move that a console command such as ``:goto`` made."""
        self._send("continued", {"threadId": THREAD, "allThreadsContinued": True})

    def _end(self) -> None:
        self._move = None
        self._send("exited", {"exitCode": self.exit_code})
        self._send("terminated", {})

    @property
    def exit_code(self) -> int:
        """The exit code that ``esoplay run`` has: 0 for success, 1 for a fault, 3 for a limit."""
        view = self.run.debugger.view()
        if view.fault is not None:
            return EXIT_FAILED
        return EXIT_LIMIT if view.limit is not None else EXIT_PASSED

    def fault(self) -> dict[str, Any]:
        """Return the body of the response to ``exceptionInfo`` for the current state."""
        view = self.run.debugger.view()
        if view.fault is not None:
            kind, message = view.fault.kind, view.fault.message
        elif view.limit is not None:
            limits = self.run.debugger.recording.limits
            kind, message = "limit", limits.reached_message(view.limit)
        else:
            raise RequestError("the program has not failed in this state")
        return {"exceptionId": kind, "description": message, "breakMode": "always"}

    def _print_logs(self, stop: Stop) -> None:
        for line in stop.logs:
            self._send("output", {"category": "console", "output": f"{line}\n"})


def _find_map(launch: Launch, arguments: Arguments) -> SourceMap | None:
    """Return the source map that the launch names, or else a valid one in the program's folder.

    None if no such map is found, or if the launch has ``false`` instead of a map.
    """
    wanted: Any = arguments.get("sourceMap")
    if wanted is False:
        return None
    if isinstance(wanted, dict):
        return parse_map(cast("object", wanted))
    if isinstance(wanted, str):
        return read_map(launch.path.parent / wanted)
    if wanted not in (None, True):
        raise RequestError("sourceMap must be a file name, an object or false")
    found = find_map(launch.path)
    if found is None:
        return None
    try:
        found.check(launch.debugger.program.source)
    except EsoplayError:
        return None
    return found
