"""Diagnostics for Befunge-98: keys that identify states, and advice for faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from esolangs.diagnosis import PARSE_ERROR, Diagnostics, Store, UnexpectedEffect

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from esolangs.befunge_98._core import IP, Core
    from esolangs.befunge_98.program import BefungeMachine
    from esolangs.language import Options
    from esolangs.machine import Machine
    from esolangs.stops import Step

_JUMPS = frozenset({*b"jk", *range(ord("A"), ord("Z") + 1)})
"""Instructions that can move the IP backwards, against its delta, without crossing an edge.

After any other instruction, an IP that moved backwards has wrapped around an edge.
"""


class BefungeDiagnostics(Diagnostics):
    """The diagnostics of Befunge-98; see :class:`esolangs.diagnosis.Diagnostics`."""

    advice: Mapping[str, str] = {
        "empty_path": (
            "put an instruction, such as '@' to end the IP, on its row or column; often an arrow "
            "is missing earlier"
        ),
        "stack_underflow": (
            "push the operands before the IP enters this path; ':' duplicates a value that is "
            "needed again, and underflow=0 pops zeros, as the specification does"
        ),
        "zero_division": (
            "test the divisor with '!' and '_' or '|' first; by-zero=0 gives 0, as the "
            "specification does"
        ),
        "unknown_instruction": (
            "check that the IP should be here: often an arrow is missing earlier; the benchmark "
            "dialect has fewer instructions and no fingerprints; in the standard dialect, a "
            "capital letter needs a fingerprint that defines it, loaded with '('"
        ),
        "no_number": (
            "give more numbers as input, or stop reading earlier; number-eof=reflect reverses "
            "the IP at the end of input"
        ),
        PARSE_ERROR: "shorten the source; any text within the size limit is a Befunge program",
    }
    unexpected_effects: Mapping[str, tuple[str, str]] = {
        "edge": (
            "the IP wrapped around an edge",
            (
                "if this is unintended, an arrow is missing on the row or column along which "
                "the IP reached the edge"
            ),
        )
    }

    def key(self, machine: Machine) -> Hashable:
        core = _core(machine)
        plane = tuple(core.plane) if core.unbounded else core.plane.tobytes()
        window = core.left, core.top, core.width, core.height
        time = core.turn, core.last_id, core.lost, core.ended, core.exit_code, core.random
        ips = tuple(_ip_state(ip) for ip in core.ips)
        return plane, window, frozenset(core.far.items()), time, _states(core.states), ips

    def partial_key(self, machine: Machine) -> Hashable:
        core = _core(machine)
        ip = core.ip
        top = ip.buffer[ip.depth - 1] if ip.depth else 0
        return (
            ip.x,
            ip.y,
            ip.dx,
            ip.dy,
            ip.id,
            ip.in_string,
            ip.depth,
            top,
            len(ip.below),
            core.random,
        )

    def describe_end_of_input(self, options: Options) -> str:
        character = "reverses the IP" if options["eof"] == "reflect" else "pushes -1"
        number = {"reflect": "reverses the IP", "-1": "pushes -1", "fault": "is a fault"}
        return f"~ {character} and & {number[str(options['number-eof'])]}"

    def underflowed_store(self, machine: Machine) -> Store | None:
        if machine.fault is None or machine.fault.kind != "stack_underflow":
            return None
        return Store(_core(machine).ip.id, "the stack")

    def value_count(self, machine: Machine, store: Store) -> int:
        return next((ip.depth for ip in _core(machine).ips if ip.id == store.number), 0)

    def unexpected_effect(self, machine: Machine, step: Step) -> UnexpectedEffect | None:
        core = _core(machine)
        if len(core.ips) != 1 or core.ended or not isinstance(step.location, tuple):
            return None
        ip = core.ip
        x, y = step.location
        if ip.repeats or core.get(x, y) in _JUMPS:
            return None
        if (ip.x - x) * ip.dx > 0 or (ip.y - y) * ip.dy > 0:
            return None
        return UnexpectedEffect(
            "edge", f"the IP wrapped around an edge from ({x}, {y}) to ({ip.x}, {ip.y})"
        )


DIAGNOSTICS = BefungeDiagnostics()


def _core(machine: Machine) -> Core:
    return cast("BefungeMachine", machine).core


def _ip_state(ip: IP) -> Hashable:
    spaced = ip.in_string and ip.after_space  # relevant only in strings
    numbers = ip.id, ip.x, ip.y, ip.dx, ip.dy, ip.ox, ip.oy, ip.in_string, spaced, ip.modes
    stacks = (
        _stack_values(ip.buffer, ip.depth),
        *(_stack_values(buffer, used) for buffer, used in ip.below),
    )
    letters = tuple(sorted((at, tuple(names)) for at, names in ip.semantics.items() if names))
    return numbers, stacks, tuple(ip.repeats), letters, _states(ip.states)


def _states(states: Mapping[str, tuple[Any, int]]) -> Hashable:
    """Return the saved states of fingerprints, as immutable values."""
    return frozenset((name, value) for name, (value, _) in states.items())


def _stack_values(buffer: Any, depth: int) -> Hashable:
    cells = buffer[:depth]
    return cells.tobytes() if hasattr(cells, "tobytes") else tuple(cells)
