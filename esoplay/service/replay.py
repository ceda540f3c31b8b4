"""Looking through a session from its export: every run and submission, in the order of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from esoplay.errors import UsageError
from esoplay.grading.grader import revealed_tests
from esoplay.grading.seeds import commitment_holds
from esoplay.service.event_lines import iso_time
from esoplay.service.exports import Event, SessionExport
from esoplay.service.problems import get_installed, get_pack
from esoplay.service.program_diff import ProgramDiff, compare_programs

Kind = Literal["run", "debug", "submission"]
Mood = Literal["good", "bad", "calm"]

_KEPT = 32  # differences that are remembered


class UsedInput(NamedTuple):
    """An input that the solver used, and in which attempts: by their places, from 0.

    expected: what a hidden test wanted, if it is one; ``attempts`` then has who was shown it.
    """

    data: bytes
    attempts: tuple[int, ...]
    expected: bytes | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """A program that was run or handed in.

    place: among all attempts, from 0.  seq: of its event.  elapsed_ms: since the session began.
    number: of a submission.  outcome: in a few words.  steps: of a run; of a submission the most
    that one test took, where its report is open.  previous: the place of the attempt before on the
    same problem, or None.
    """

    place: int
    seq: int
    time_ms: int
    elapsed_ms: int
    kind: Kind
    problem: str | None
    number: int | None
    program: str
    size: int
    input: str | None
    outcome: str
    mood: Mood
    steps: int | None
    previous: int | None

    def as_json(self) -> dict[str, Any]:
        """A row of ``esoplay session replay --list --json``."""
        return {
            "attempt": self.place + 1,
            "seq": self.seq,
            "time": iso_time(self.time_ms),
            "elapsed_ms": self.elapsed_ms,
            "kind": self.kind,
            "problem": self.problem,
            "number": self.number,
            "outcome": self.outcome,
            "steps": self.steps,
            "program_sha256": self.program,
            "program_size": self.size,
            "input_sha256": self.input,
            "previous": None if self.previous is None else self.previous + 1,
        }


class Replay:
    """The attempts of one session, their programs, inputs and differences."""

    def __init__(self, export: SessionExport):
        """Raises UsageError where the export lacks a program or is no log of a session."""
        self.export = export
        self._tests: dict[int, str] = {}
        self._revealed: Callable[[str], tuple[tuple[bytes, bytes], ...]] | None = None
        self.attempts = tuple(self._read())
        self._difference = lru_cache(_KEPT)(self._compare)

    @property
    def solved(self) -> int:
        """How many problems were solved."""
        good = (each for each in self.attempts if each.kind == "submission")
        return len({each.problem for each in good if each.mood == "good"})

    def reveal(self, seed: bytes, pack: str | Path | None = None) -> None:
        """Offer the hidden tests as inputs from now on.

        pack: an installed one or a folder, else what the export names.  Raises UsageError where
        the session is not over, the seed is another one, or its pack is not at hand.
        """
        export = self.export
        if not export.closed:
            raise UsageError("the session is not closed: its hidden tests are nobody's to see")
        # An export must not choose a folder: the judges in it are code that is run.
        found = get_installed(export.pack_id) if pack is None else get_pack(pack)
        if (found.id, found.version) != (export.pack_id, export.pack_version):
            raise UsageError(
                f"the session was played with pack {export.pack_id} {export.pack_version}; at hand "
                f"is {found.id} {found.version}: name the right one with --pack"
            )
        if not commitment_holds(export.seed_commitment, seed, found):
            raise UsageError("this is not the seed that the session was played with")
        self._revealed = lambda problem: revealed_tests(found.problem(problem), seed)

    def program(self, attempt: Attempt) -> bytes:
        """The program as it was run or handed in."""
        return self.export.program(attempt.program)

    def difference(self, attempt: Attempt) -> ProgramDiff | None:
        """What changed since the attempt before on the same problem; None for the first."""
        return None if attempt.previous is None else self._difference(attempt.place)

    def inputs(self, attempt: Attempt) -> list[UsedInput]:
        """The inputs that the solver used for this problem, or with this program.

        First that of this very run, then those of the same program, then others, the latest
        first; then hidden tests, where the protocol showed them or the seed was revealed.
        """
        used: dict[str, list[int]] = {}
        for each in self.attempts:
            if each.input is None:
                continue
            if each.program == attempt.program or each.problem == attempt.problem:
                used.setdefault(each.input, []).append(each.place)
        same = {each.input for each in self.attempts if each.program == attempt.program}
        order = sorted(
            used, key=lambda name: (name != attempt.input, name not in same, -used[name][-1])
        )
        found = [UsedInput(self.export.input(name), tuple(used[name])) for name in order]
        return found + list(self._shown_tests(attempt))

    def _shown_tests(self, attempt: Attempt) -> Iterator[UsedInput]:
        if self._revealed is not None and attempt.problem is not None:
            for data, expected in self._revealed(attempt.problem):
                yield UsedInput(data, (), expected)
            return
        for test in self.export.tests(self._tests.get(attempt.place, "")):
            data, expected = test.get("input"), test.get("expected")
            if isinstance(data, str) and isinstance(expected, str):
                yield UsedInput(_bytes(data), (attempt.place,), _bytes(expected))

    def _compare(self, place: int) -> ProgramDiff:
        attempt = self.attempts[place]
        assert attempt.previous is not None, "the first of a problem has nothing before it"
        return compare_programs(
            self.program(self.attempts[attempt.previous]), self.program(attempt)
        )

    def _read(self) -> Iterator[Attempt]:
        export = self.export
        verdicts = {
            event.body.get("number"): event
            for event in export.events
            if event.kind in ("submission_graded", "submission_voided")
        }
        began = export.events[0].time_ms if export.events else 0
        last: dict[object, int] = {}
        place = 0
        for event in export.events:
            body = event.body
            if event.kind == "program_run":
                outcome = str(body.get("status"))
                mood: Mood = "calm" if outcome == "ok" else "bad"
                kind: Kind = "debug" if body.get("debug") else "run"
                steps, number = body.get("steps"), None
            elif event.kind == "submission_reserved":
                number = body.get("number")
                verdict = verdicts.get(number)
                kind, steps = "submission", self._steps(place, verdict)
                outcome, mood = _verdict(verdict)
            else:
                continue
            program = str(body.get("program"))
            problem = body.get("problem")
            stdin = body.get("stdin")
            yield Attempt(
                place=place,
                seq=event.seq,
                time_ms=event.time_ms,
                elapsed_ms=event.time_ms - began,
                kind=kind,
                problem=problem if isinstance(problem, str) else None,
                number=number if isinstance(number, int) else None,
                program=program,
                size=len(export.program(program)),
                input=stdin if isinstance(stdin, str) else None,
                outcome=outcome,
                mood=mood,
                steps=steps if isinstance(steps, int) else None,
                previous=last.get(problem),
            )
            last[problem] = place
            place += 1

    def _steps(self, place: int, verdict: Event | None) -> int | None:
        if verdict is None or verdict.kind != "submission_graded":
            return None
        report = str(verdict.body.get("report"))
        self._tests[place] = report
        steps = [test.get("steps") for test in self.export.tests(report)]
        return max((each for each in steps if isinstance(each, int)), default=None)


def _bytes(text: str) -> bytes:
    """A text of a report; what no writer of reports spells, half a surrogate pair, as an escape."""
    return text.encode("utf-8", "backslashreplace")


def _verdict(event: Event | None) -> tuple[str, Mood]:
    """What became of a submission, in words."""
    if event is None:
        return "not graded", "calm"
    body = event.body
    if event.kind == "submission_voided":
        return "voided", "calm"
    passed, total = body.get("passed"), body.get("total")
    words = f"{passed} of {total}"
    if body.get("violation") is not None:
        return f"{words}, rule broken", "bad"
    return (f"{words}, solved", "good") if passed == total else (words, "bad")


def clock(milliseconds: int) -> str:
    """A time since the session began as ``1:02:03``."""
    seconds = milliseconds // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
