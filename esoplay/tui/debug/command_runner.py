"""Carrying out what was typed behind ``:``."""

from __future__ import annotations

from collections.abc import Callable

from esoplay.errors import ConditionError, EsoplayError
from esoplay.service.debugging import Debugger, address_text
from esoplay.tui.debug import commands
from esoplay.tui.debug.breakpoint_text import BreakpointTextError, read_spec, write_spec
from esoplay.tui.debug.coverage import tell_coverage
from esoplay.tui.debug.driver import Driver
from esoplay.tui.debug.moment import slot_of
from esoplay.tui.debug.navigator import Navigator
from esoplay.tui.debug.place_text import place_text
from esoplay.tui.debug.visible import plural

FORMER = ":compare other goes to the run as it was"

NEVER_NAMED = 10
"""Instructions that ``:coverage`` names of those that were never executed."""


class CommandRunner:
    """Runs commands on the program that a navigator travels in."""

    def __init__(self, navigator: Navigator, keep_former: Callable[[Debugger], None]) -> None:
        """``keep_former`` is handed the run as it was when a command changes it."""
        self._navigator = navigator
        self._keep_former = keep_former

    def run(self, text: str, cursor: int) -> None:
        """Carry out a line; what is wrong with it is said, never raised.

        cursor: offset of the program's byte that ``:b`` is about.
        """
        driver = self._navigator.driver
        if driver is None or not text.strip():
            return
        try:
            command = commands.read_command(text)
        except commands.CommandError as error:
            self._navigator.say(str(error))
            return
        self._navigator.when_free(lambda: self._try(driver, command, cursor))

    def _try(self, driver: Driver, command: commands.Command, cursor: int) -> None:
        try:
            self._carry_out(driver, command, cursor)
        except ConditionError as error:
            self._navigator.say(f"condition: {error}")
        except (EsoplayError, BreakpointTextError) as error:
            self._navigator.say(str(error))

    def _carry_out(self, driver: Driver, command: commands.Command, cursor: int) -> None:
        navigator = self._navigator
        step = driver.moment.step
        match command:
            case commands.GoTo(step=wanted):
                navigator.go(driver.seek(wanted))
            case commands.GoBy(steps=steps):
                navigator.go(driver.seek(max(0, step + steps)))
            case commands.GoToShare(percent=percent):
                navigator.go(driver.seek(round(driver.moment.known * percent / 100)))
            case commands.Break(text=text):
                self._set_breakpoint(driver, text, cursor)
            case commands.Delete(id=id):
                driver.debugger.remove_breakpoint(id)
                self._say(f"breakpoint {id} removed")
            case commands.Printed(byte=byte):
                self.go_to_printed(driver, byte)
            case commands.ReadBy(byte=byte):
                self.go_to_read(driver, byte)
            case commands.SelectCell(cell=cell):
                driver.select(cell)
                self._say(f"{place_text(cell, driver.moment.view)} selected")
            case commands.SelectSlot(stack=stack, level=level):
                slot = slot_of(driver.moment.view, stack, level)
                driver.select_slot(slot)
                self._say(f"{place_text(slot, driver.moment.view)} selected")
            case commands.SetCell(cell=cell, value=value):
                former = driver.debugger.anew()
                driver.arrive(driver.debugger.set_cell(cell, value))
                self._keep_former(former)
                name = f"cell {address_text(cell)}"
                driver.log_line(f"{name} set to {value}: another future from here")
                self._say(f"{name} is now {value}; {FORMER}")
            case commands.SetVariable(name=name, value=value):
                from esoplay.service.source_maps import set_variable

                former = driver.debugger.anew()
                stop = set_variable(driver.debugger, name, value)
                driver.arrive(stop)
                self._keep_former(former)
                driver.log_line(f"{name} set to {value}: another future from here")
                self._say(f"{name} is now {value}; {FORMER}")
            case commands.SetInput(data=data):
                former = driver.debugger.anew()
                driver.arrive(driver.debugger.set_stdin(data))
                self._keep_former(former)
                driver.log_line(f"input replaced by {len(data)} bytes")
                self._say(f"the input is another now; {FORMER}")
            case commands.Feed(data=data):
                navigator.feed(data)
            case commands.Speed(steps_per_second=speed):
                navigator.set_speed(speed)
            case commands.Coverage(everything=everything):
                navigator.go(tell_coverage(driver, everything=everything, named=NEVER_NAMED))
            case _:
                pass  # the rest is the pane's business

    def go_to_printed(self, driver: Driver, byte: int) -> None:
        """Go to the step that printed an output byte."""
        step = driver.debugger.printed(byte)
        if step is None:
            self._navigator.say(f"output byte {byte} has not been printed in known history")
        else:
            self._navigator.go(driver.seek(step))

    def go_to_read(self, driver: Driver, byte: int) -> None:
        """Go to the step that read an input byte."""
        step = driver.debugger.read_by(byte)
        if step is None:
            self._navigator.say(f"input byte {byte} has not been read in known history")
        else:
            self._navigator.go(driver.seek(step))

    def _set_breakpoint(self, driver: Driver, text: str, cursor: int) -> None:
        if not text:
            self._say(driver.breakpoints.toggle_at(cursor, cursor + 1))
            return
        program = driver.debugger.program
        added = driver.breakpoints.put(read_spec(text, program))
        places = (
            f" ({plural(len(added.locations or ()), 'place')})" if added.spec.instruction else ""
        )
        self._say(f"breakpoint {added.id}: {write_spec(added.spec, program.source)}{places}")

    def _say(self, text: str) -> None:
        self._navigator.notice = text
        self._navigator.refresh()
