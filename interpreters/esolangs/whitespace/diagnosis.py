"""Diagnostics for Whitespace: keys that identify states, and advice for faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from esolangs.diagnosis import PARSE_ERROR, Diagnostics, Store

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from esolangs.language import Options
    from esolangs.machine import Machine
    from esolangs.whitespace._core import Core
    from esolangs.whitespace.program import WhitespaceMachine

_STORES = {
    "stack_underflow": Store(0, "the stack"),
    "call_stack_underflow": Store(1, "the call stack"),
}
_AT_END = {
    "-1": "readc and readn store -1",
    "0": "readc and readn store 0",
    "error": "readc and readn are faults",
    "unchanged": "readc and readn leave the cell unchanged",
}


class WhitespaceDiagnostics(Diagnostics):
    """The diagnostics of Whitespace; see :class:`esolangs.diagnosis.Diagnostics`."""

    advice: Mapping[str, str] = {
        "stack_underflow": (
            "follow the depth of the stack back from here: `jz`, `jn`, `store`, `printc` and "
            "`printn` pop their operands, so copy a value that is needed again with `dup`"
        ),
        "division_by_zero": "copy the divisor with `dup` and test it with `jz` before dividing",
        "missing_label": (
            "mark the label, or correct its spelling: two labels match only if all their "
            "spaces and tabs are the same, including leading ones"
        ),
        "call_stack_underflow": (
            "put `end` after the main program, before its subroutines: the main program ran on "
            "into a subroutine, or jumped to one instead of calling it"
        ),
        "bad_character": (
            "print a number with `printn`; `printc` prints a character by its code point, 0 to "
            "1114111 without surrogates"
        ),
        "bad_number": (
            "check the input: `readn` reads a line with one integer (with number=token, only a "
            "sign and digits); `readc` reads a character"
        ),
        "end_of_input": "read less, or test for the end: eof=-1 stores -1 at the end of input",
        PARSE_ERROR: (
            "make the whitespace visible and check the code before this place: often an "
            "editor has changed tabs to spaces or cut spaces at the ends of lines"
        ),
    }

    def key(self, machine: Machine) -> Hashable:
        from esolangs.pages import copy_memory

        core = _core(machine)
        ip, _, stack, _, _, frames, _, _, heap, *_ = core.save(copy_memory)
        large = tuple([tuple(sorted(numbers.items())) for numbers in core.large_numbers()])
        others = frozenset((at, value) for at, value in core.far_cells().items() if value)
        return ip, stack, frames, _trim(heap), large, others

    def partial_key(self, machine: Machine) -> Hashable:
        core = _core(machine)
        depth = core.depth()
        return core.ip, depth, core.calls, core.value(depth - 1) if depth > 0 else 0

    def describe_end_of_input(self, options: Options) -> str:
        return _AT_END[str(options["eof"])]

    def parse_error_advice(self, message: str) -> str:
        if "was marked before" in message:
            return "rename one of the two labels, or set labels=first"
        invisible = "does not begin an instruction" in message or "inside an instruction" in message
        # Messages of assembly already list the instructions.
        return self.advice[PARSE_ERROR] if invisible else ""

    def underflowed_store(self, machine: Machine) -> Store | None:
        return None if machine.fault is None else _STORES.get(machine.fault.kind)

    def value_count(self, machine: Machine, store: Store) -> int:
        core = _core(machine)
        return core.calls if store.number else core.depth()


DIAGNOSTICS = WhitespaceDiagnostics()


def _core(machine: Machine) -> Core:
    return cast("WhitespaceMachine", machine).core


def _trim(heap: bytes) -> bytes:
    """Return the heap without the zero cells at its end, which do not affect a program."""
    cells = (len(heap.rstrip(b"\0")) + 7) // 8
    return heap[: 8 * cells]
