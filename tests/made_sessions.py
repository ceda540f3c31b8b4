"""Exports of sessions that never were: as many attempts as a test wants, at no cost."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from typing import Any

START = 1_767_225_600_000
"""The first event of a made session: the beginning of 2026, in milliseconds."""


class MadeSession:
    """Collects events, a second apart; ``export`` is what a user would have in a file."""

    def __init__(self, language: str = "brainfuck"):
        self._language = language
        self._events: list[dict[str, Any]] = []
        self._programs: dict[str, str] = {}
        self._inputs: dict[str, str] = {}
        self._reports: dict[str, str] = {}
        self._submissions = 0
        self._add("session_started", {})

    def run(
        self, problem: str | None, program: bytes, stdin: bytes = b"", status: str = "ok"
    ) -> None:
        body = {
            "problem": problem,
            "program": _keep(self._programs, program),
            "stdin": _keep(self._inputs, stdin),
            "status": status,
            "steps": 10 * len(program),
            "stdout": sha256(b"").hexdigest(),
            "stdout_length": 0,
        }
        self._add("program_run", body)

    def submit(
        self, problem: str, program: bytes, passed: int | None, tests: list[Any] | None = None
    ) -> None:
        """``passed`` of six; None for a submission that was voided."""
        self._submissions += 1
        number = {"number": self._submissions, "problem": problem}
        named = {**number, "program": _keep(self._programs, program), "request_id": None}
        self._add("submission_reserved", named)
        if passed is None:
            self._add("submission_voided", {**number, "reason": "the worker vanished"})
            return
        text = json.dumps({"nonce": "00", "tests": tests or []})
        report = sha256(text.encode()).hexdigest()
        if tests is not None:
            self._reports[report] = text
        status = "solved" if passed == 6 else "active"
        verdict = {"passed": passed, "total": 6, "status": status, "submissions_left": 2}
        self._add("submission_graded", {**number, **verdict, "report": report})

    def export(self) -> dict[str, Any]:
        return {
            "format": "esoplay-session",
            "format_version": 1,
            "session": "0123456789ab",
            "solver": "somebody",
            "language": self._language,
            "dialect": "benchmark",
            "protocol": {"id": "primary"},
            "pack": {"id": "a pack of long ago", "version": "0"},
            "closed": False,
            "head": "0" * 64,
            "events": self._events,
            "programs": self._programs,
            "inputs": self._inputs,
            "reports": self._reports,
        }

    def _add(self, kind: str, body: dict[str, Any]) -> None:
        seq = len(self._events) + 1
        time_ms = START + 1000 * (seq - 1)
        event = {"seq": seq, "time_ms": time_ms, "kind": kind, "body": body, "head": f"{seq:064}"}
        self._events.append(event)


def _keep(blobs: dict[str, str], data: bytes) -> str:
    name = sha256(data).hexdigest()
    blobs[name] = b64encode(data).decode()
    return name


def some_session() -> MadeSession:
    """Three runs and three submissions on two problems."""
    session = MadeSession()
    session.run("E01", b"+++\n[.-]", b"one")
    session.run("E01", b"++++\n[.-]", b"two")
    session.run("E02", b",[.,]", b"abc")
    session.submit("E01", b"++++\n[.-]>", 3)
    session.submit("E02", b",[.,]", 6)
    session.submit("E01", b"[", 0)
    return session
