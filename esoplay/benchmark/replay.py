"""Replay of a session: its runs and submissions, and the changes between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from esoplay.benchmark.exports import Event, SessionSource, iso_time
from esoplay.errors import UsageError
from esoplay.grading.grader import revealed_tests
from esoplay.grading.seeds import commitment_holds
from esoplay.packs.catalogue import get_installed_pack, get_pack

# Differences between two versions of a program, by line and within lines.
#
# The work is bounded for all programs: common prefixes and suffixes are removed first. If the rest
# is too large for matching line by line, the whole rest counts as replaced.

MAX_PAIRS = 20_000
"""The maximum number of pairs of equal lines for which a difference is computed line by line.

A pair is a line of the old program and an equal line of the new one, at any position. With more
pairs, everything between the common start and the common end counts as replaced. The same
limit applies to pairs of equal bytes when two lines are compared.
"""

CONTEXT = 3
"""The number of equal lines shown before and after each difference."""

Range = tuple[int, int]


class DiffLine(NamedTuple):
    """A line of one version: its number from 1, its bytes, and the ranges of changed bytes."""

    number: int
    text: bytes
    changed: tuple[Range, ...] = ()


class DiffPair(NamedTuple):
    """An old line and the corresponding new line; None for a line that was added or removed."""

    old: DiffLine | None
    new: DiffLine | None
    same: bool


class OmittedLines(NamedTuple):
    """The number of equal lines that are left out of a comparison at one place."""

    lines: int


DiffRow = DiffPair | OmittedLines


class ProgramDiff(NamedTuple):
    """The differences between two versions of a program, line by line.

    removed: the number of lines only in the old version.  added: the number of lines only in the
    new version.  A changed line counts in both.
    """

    rows: tuple[DiffRow, ...]
    removed: int
    added: int

    @property
    def is_equal(self) -> bool:
        return not self.removed and not self.added


def compare_programs(old: bytes, new: bytes) -> ProgramDiff:
    """Compare two versions of a program."""
    before, after = old.split(b"\n"), new.split(b"\n")
    pairs = list(_pairs(before, after))
    removed = sum(not pair.same and pair.old is not None for pair in pairs)
    added = sum(not pair.same and pair.new is not None for pair in pairs)
    return ProgramDiff(tuple(_omit_equal_lines(pairs)), removed, added)


def _pairs(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[DiffPair]:
    for tag, low, high, start, end in _blocks(old, new):
        if tag == "equal":
            for i, j in zip(range(low, high), range(start, end), strict=True):
                yield DiffPair(DiffLine(i + 1, old[i]), DiffLine(j + 1, new[j]), True)
            continue
        for i, j in zip_longest(range(low, high), range(start, end)):
            if i is None or j is None:
                left = None if i is None else DiffLine(i + 1, old[i])
                yield DiffPair(left, None if j is None else DiffLine(j + 1, new[j]), False)
            else:
                old_ranges, new_ranges = _changed_ranges(old[i], new[j])
                yield DiffPair(
                    DiffLine(i + 1, old[i], old_ranges), DiffLine(j + 1, new[j], new_ranges), False
                )


def _changed_ranges(old: bytes, new: bytes) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """Return the ranges of bytes that differ between two lines: in ``old``, and in ``new``."""
    old_ranges: list[Range] = []
    new_ranges: list[Range] = []
    for tag, low, high, start, end in _blocks(old, new):
        if tag != "equal":
            old_ranges += [(low, high)] if low < high else []
            new_ranges += [(start, end)] if start < end else []
    return tuple(old_ranges), tuple(new_ranges)


def _blocks(
    old: Sequence[bytes] | bytes, new: Sequence[bytes] | bytes
) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield the changes from ``old`` to ``new`` like difflib's opcodes, in bounded time.

    A tuple ``(tag, low, high, start, end)`` relates ``old[low:high]`` to ``new[start:end]``.
    """
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    rest = most - head
    tail = next((at for at in range(rest) if old[-1 - at] != new[-1 - at]), rest)
    if head:
        yield "equal", 0, head, 0, head
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    counts = Counter(right)
    if sum(counts[each] for each in left) <= MAX_PAIRS:
        matcher = SequenceMatcher(None, left, right, autojunk=False)
        for tag, low, high, start, end in matcher.get_opcodes():
            yield tag, low + head, high + head, start + head, end + head
    else:
        yield "replace", head, len(old) - tail, head, len(new) - tail
    if tail:
        yield "equal", len(old) - tail, len(old), len(new) - tail, len(new)


def _omit_equal_lines(pairs: Sequence[DiffPair]) -> Iterator[DiffRow]:
    """Replace equal lines outside the context of any difference with ``OmittedLines``."""
    near: set[int] = set()
    for at, pair in enumerate(pairs):
        if not pair.same:
            near.update(range(at - CONTEXT, at + CONTEXT + 1))
    skipped = 0
    for at, pair in enumerate(pairs):
        if at not in near:
            skipped += 1
            continue
        if skipped:
            yield OmittedLines(skipped)
            skipped = 0
        yield pair
    if skipped:
        yield OmittedLines(skipped)


AttemptKind = Literal["run", "debug", "submission"]
Tone = Literal["good", "bad", "calm"]

_MAX_CACHED = 32  # cached differences


class UsedInput(NamedTuple):
    """An input that the solver used, and the attempts that used it, as zero-based indices.

    expected: the expected output of a hidden test or a public example, otherwise None.  For a
    hidden test, ``attempts`` are the attempts whose reports showed it.  is_example: whether it is
    a public example.
    """

    data: bytes
    attempts: tuple[int, ...]
    expected: bytes | None = None
    is_example: bool = False


@dataclass(frozen=True, slots=True)
class ReplayAttempt:
    """A program that was run or submitted.

    index: the index among all attempts.  seq: the number of its event.  elapsed_ms: the
    milliseconds since the session started.  number: the number of a submission.  outcome: the
    result in a short text.  steps: the steps of a run, or the maximum over the tests of an open
    report.  arguments: the command-line arguments of a run.  previous: the index of the previous
    attempt at the same problem, or None.
    """

    index: int
    seq: int
    time_ms: int
    elapsed_ms: int
    kind: AttemptKind
    problem: str | None
    number: int | None
    program: str
    size: int
    input: str | None
    outcome: str
    tone: Tone
    steps: int | None
    previous: int | None
    arguments: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the attempt as a row of ``esoplay session replay --list --json``."""
        row: dict[str, Any] = {
            "attempt": self.index + 1,
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
        return {**row, "arguments": list(self.arguments)} if self.arguments else row


class Replay:
    """The attempts of one session with their programs, inputs and differences."""

    def __init__(self, export: SessionSource):
        """Collect the attempts.  Raises UsageError for a missing program or an invalid log."""
        self.export = export
        self._reports: dict[int, str] = {}
        self._revealed: Callable[[str], tuple[tuple[bytes, bytes], ...]] | None = None
        self._attempts: list[ReplayAttempt] = []
        self._began: int | None = None
        self._last: dict[object, int] = {}
        self._verdicts: dict[object, Event] = {}
        self._index_by_number: dict[object, int] = {}
        self.extend(export.events)
        self._difference = lru_cache(_MAX_CACHED)(self._compare)

    @property
    def attempts(self) -> Sequence[ReplayAttempt]:
        """The attempts in chronological order; an attempt is replaced when its verdict arrives."""
        return self._attempts

    def extend(self, events: Sequence[Event]) -> None:
        """Add the next events of the log.

        Raises UsageError if a program is missing or the log is invalid.
        """
        for event in events:
            if event.kind not in ("submission_graded", "submission_voided"):
                continue
            number = event.body.get("number")
            self._verdicts[number] = event
            index = self._index_by_number.get(number)
            if index is not None:
                outcome, tone = _verdict(event)
                self._attempts[index] = replace(
                    self._attempts[index],
                    outcome=outcome,
                    tone=tone,
                    steps=self._record_report(index, event),
                )
        for event in events:
            self._add_attempt(event)

    @property
    def solved_count(self) -> int:
        """The number of solved problems."""
        good = (each for each in self.attempts if each.kind == "submission")
        return len({each.problem for each in good if each.tone == "good"})

    def reveal(self, seed: bytes, pack: str | Path | None = None) -> None:
        """Add the hidden tests to the inputs.

        pack: the id of an installed pack, or a folder; by default the pack that the export names.
        Raises UsageError if the session is not closed, the seed is wrong, or the pack is not
        available.
        """
        export = self.export
        if not export.closed:
            raise UsageError("hidden tests can be shown only after the session is closed")
        # An export must not name a folder: its judges would be executed.
        found = get_installed_pack(export.pack_id) if pack is None else get_pack(pack)
        if (found.id, found.version) != (export.pack_id, export.pack_version):
            raise UsageError(
                f"the session was played with pack {export.pack_id} {export.pack_version}; "
                f"found {found.id} {found.version}; choose the right one with --pack"
            )
        if not commitment_holds(export.seed_commitment, seed, found):
            raise UsageError("the seed does not match the session")
        self._revealed = lambda problem: revealed_tests(found.problem(problem), seed)

    def program(self, attempt: ReplayAttempt) -> bytes:
        """Return the program of an attempt."""
        return self.export.program(attempt.program)

    def difference(self, attempt: ReplayAttempt) -> ProgramDiff | None:
        """Return the changes since the previous attempt at the problem; None for the first one."""
        return None if attempt.previous is None else self._difference(attempt.index)

    def inputs(self, attempt: ReplayAttempt) -> list[UsedInput]:
        """Return the inputs of attempts at the same problem or with the same program, and of tests.

        The order is: the input of this run, other inputs of the same program, all other inputs with
        the latest first, the known public examples, and the hidden tests if the protocol showed
        them or the seed was revealed.
        """
        used: dict[str, list[int]] = {}
        for each in self.attempts:
            if each.input is None:
                continue
            if each.program == attempt.program or each.problem == attempt.problem:
                used.setdefault(each.input, []).append(each.index)
        same = {each.input for each in self.attempts if each.program == attempt.program}
        order = sorted(
            used, key=lambda name: (name != attempt.input, name not in same, -used[name][-1])
        )
        found = [UsedInput(self.export.input(name), tuple(used[name])) for name in order]
        examples = () if attempt.problem is None else self.export.examples(attempt.problem)
        found += [UsedInput(data, (), expected, is_example=True) for data, expected in examples]
        return found + list(self._shown_tests(attempt))

    def _shown_tests(self, attempt: ReplayAttempt) -> Iterator[UsedInput]:
        if self._revealed is not None and attempt.problem is not None:
            for data, expected in self._revealed(attempt.problem):
                yield UsedInput(data, (), expected)
            return
        for test in self.export.tests(self._reports.get(attempt.index, "")):
            data, expected = test.get("input"), test.get("expected")
            if isinstance(data, str) and isinstance(expected, str):
                yield UsedInput(_bytes(data), (attempt.index,), _bytes(expected))

    def _compare(self, index: int) -> ProgramDiff:
        attempt = self.attempts[index]
        assert attempt.previous is not None, (
            "the first attempt at a problem has no previous attempt"
        )
        return compare_programs(
            self.program(self.attempts[attempt.previous]), self.program(attempt)
        )

    def _add_attempt(self, event: Event) -> None:
        """Add the attempt that an event records, if any."""
        export, body, index = self.export, event.body, len(self._attempts)
        if self._began is None:
            self._began = event.time_ms
        if event.kind == "program_run":
            outcome = str(body.get("status"))
            tone: Tone = "calm" if outcome == "ok" else "bad"
            kind: AttemptKind = "debug" if body.get("debug") else "run"
            steps, number = body.get("steps"), None
        elif event.kind == "submission_reserved":
            number = body.get("number")
            verdict = self._verdicts.get(number)
            kind, steps = "submission", self._record_report(index, verdict)
            outcome, tone = _verdict(verdict)
            self._index_by_number[number] = index
        else:
            return
        program = str(body.get("program"))
        problem = body.get("problem")
        stdin = body.get("stdin")
        arguments = cast("Sequence[object]", body.get("arguments") or ())
        attempt = ReplayAttempt(
            index=index,
            seq=event.seq,
            time_ms=event.time_ms,
            elapsed_ms=event.time_ms - self._began,
            kind=kind,
            problem=problem if isinstance(problem, str) else None,
            number=number if isinstance(number, int) else None,
            program=program,
            size=export.program_size(program),
            input=stdin if isinstance(stdin, str) else None,
            outcome=outcome,
            tone=tone,
            steps=steps if isinstance(steps, int) else None,
            previous=self._last.get(problem),
            arguments=tuple(map(str, arguments)),
        )
        self._last[problem] = index
        self._attempts.append(attempt)

    def _record_report(self, index: int, verdict: Event | None) -> int | None:
        """Save the report of a graded submission; return the maximum steps of its tests, if any."""
        if verdict is None or verdict.kind != "submission_graded":
            return None
        report = str(verdict.body.get("report"))
        self._reports[index] = report
        steps = [test.get("steps") for test in self.export.tests(report)]
        return max((each for each in steps if isinstance(each, int)), default=None)


def _bytes(text: str) -> bytes:
    """Encode text of a report as UTF-8; unpaired surrogates are escaped."""
    return text.encode("utf-8", "backslashreplace")


def _verdict(event: Event | None) -> tuple[str, Tone]:
    """Return the result of a submission as text, and its style: "good", "bad" or "calm"."""
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


def clock_text(milliseconds: int) -> str:
    """Return the time since the start of the session as ``1:02:03``."""
    seconds = milliseconds // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
