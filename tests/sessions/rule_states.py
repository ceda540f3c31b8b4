"""States of a session that commands alone have led to: no store, no grader."""

from __future__ import annotations

from esoplay.sessions import events, machine
from esoplay.sessions.events import RunLimits
from esoplay.sessions.machine import Command, decide
from esoplay.sessions.protocols import Protocol
from esoplay.sessions.state import SessionState, evolve

PROBLEMS = ("E01", "E02", "E03")
CLEAN = events.Inspection(True, files=1, complete=True)
RUN = machine.RecordRun("p", "i", "ok", 1, "o", 0)


def start(protocol: Protocol) -> machine.Start:
    return machine.Start(
        session="s",
        language="brainfuck",
        protocol=protocol,
        pack="fake",
        pack_version="1",
        problems=PROBLEMS,
        limits=RunLimits(1, 2, 3, 4.0),
        seed_commitment="promise",
        versions={"esoplay": "0"},
    )


def apply(state: SessionState | None, command: Command) -> SessionState:
    for event in decide(state, command):
        state = evolve(state, event)
    assert state is not None
    return state


def state_after(protocol: Protocol, *moves: Command) -> SessionState:
    state = apply(None, start(protocol))
    for move in moves:
        state = apply(state, move)
    return state


def state_after_verdict(
    state: SessionState, problem: str, passed: int, request_id: str | None = None
) -> SessionState:
    """The state after a whole submission."""
    state = apply(state, machine.Submit(problem, f"program {passed}", request_id))
    return apply(state, machine.RecordVerdict(state.submission_count, passed, 6, "report"))
