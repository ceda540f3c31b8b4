"""The application in a pseudo-terminal: its first frame, what a step repaints, key to paint.

Measured from the outside, as a user would: a key is sent, and its time ends with the last byte
that the application writes before it rests.  What pyte makes of the bytes is drawn afterwards,
so it costs nothing here, but the terminal and the application share the machine.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from measure import ROOT, Row, WrongAnswerError, percentile, power_of_ten
from workloads import ENDLESS

from esolangs.registry import find_language, language_ids

sys.path.append(str(ROOT / "tests" / "tui"))

from terminal import ESCAPE, Terminal  # the tests' terminal

SIZES = ((80, 24), (120, 40))
SIZE = (120, 40)
QUIET = 0.12
"""Seconds without a byte after which the application rests."""
HISTORY = 10_000_000
MOST_FIRST_FRAME = 0.400
MOST_KEY_SECONDS = 0.050
MOST_HELP_SECONDS = 0.100
MOST_STEP_BYTES = 2048
MOST_BACK_SECONDS = 2.0
FIRST_WORDS = "Start lesson 1"
"""What a new user reads on the first screen."""
HELP_WORDS = "keys here"
"""The title of the list of keys on the help page."""
F1 = "\x1bOP"
STDIN = "12 345\n" * 40
"""For samples that read."""


@dataclass(frozen=True, slots=True)
class Paint:
    """What one key caused.  seconds: until the last byte came.  size: bytes."""

    seconds: float
    size: int


class Watched(Terminal):
    """A terminal that times what it is sent.  opened: the seconds until the program was there."""

    opened = 0.0

    @property
    def cpu_seconds(self) -> float:
        """CPU time that the application has used; 0 where the system does not report it."""
        try:
            stat = Path(f"/proc/{self.pid}/stat").read_text("ascii", "replace")
        except OSError:
            return 0.0
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def press(self, keys: str, quiet: float = QUIET) -> Paint:
        """Type, and wait until the application rests."""
        began = last = time.monotonic()
        parts: list[bytes] = []
        self.send(keys)
        while data := self.receive(time.monotonic() + (1.0 if not parts else quiet)):
            last = time.monotonic()
            parts.append(data)
        self.draw(b"".join(parts))
        return Paint(last - began, sum(map(len, parts)))

    def press_until(self, keys: str, shown: str) -> float:
        """Type ``keys``, and return the seconds until ``shown`` appears."""
        began = time.monotonic()
        self.send(keys)
        self.wait_for(shown)
        return time.monotonic() - began

    def rest(self) -> None:
        """Wait until nothing more comes."""
        while data := self.receive(time.monotonic() + 4 * QUIET):
            self.draw(data)


def rows(quick: bool) -> Iterator[Row]:
    """The rows of this benchmark; ``quick`` measures one language, and a few times only."""
    count = 6 if quick else 40
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield _first_frame(folder, 1 if quick else 9)
        yield from _help_rows(folder, 3 if quick else 15)
        for id in language_ids()[:1] if quick else language_ids():
            yield from _steps(folder, id, count)
        yield from _long_history(folder, HISTORY // (100 if quick else 1), 3 if quick else 24)
        scale = 50 if quick else 1
        for big in _large(scale):
            yield _fluid(folder, big, count)


# The first frame


def _first_frame(folder: Path, rounds: int) -> Row:
    """Measure the time from the start of the process to the last byte of the first screen."""
    seconds: list[float] = []
    cpu: list[float] = []
    bare: list[float] = []
    for turn in range(rounds + 1):
        shutil.rmtree(folder / "home", ignore_errors=True)  # each time as for a new user
        began = time.monotonic()
        with _started(folder) as terminal:
            taken = 0.0
            while FIRST_WORDS not in terminal.text:
                data = terminal.receive(began + 30)
                taken = time.monotonic() - began
                if not data:
                    raise WrongAnswerError("the application does not come up")
                terminal.draw(data)
            used = terminal.cpu_seconds
        began = time.monotonic()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        if turn:  # the first start also compiles byte code
            seconds.append(taken)
            cpu.append(used)
            bare.append(time.monotonic() - began)
    median, python = statistics.median(seconds), statistics.median(bare)
    return Row(
        "screen: first frame at 120×40",
        f"{median * 1e3:.0f} ms, best {min(seconds) * 1e3:.0f} ms, "
        f"CPU {statistics.median(cpu) * 1e3:.0f} ms, {median / python:.0f} × python -c pass",
        f"≤ {MOST_FIRST_FRAME * 1e3:.0f} ms",
        median <= MOST_FIRST_FRAME,
        {
            "median": median,
            "best": min(seconds),
            "cpu": statistics.median(cpu),
            "bare_python": python,
        },
    )


# Help


def _help_rows(folder: Path, count: int) -> Iterator[Row]:
    """From the key to the painted list of keys: on the first screen, and in the debugger."""
    for turn in range(2):
        with _started(folder) as terminal:
            terminal.wait_for(FIRST_WORDS)
            terminal.rest()
            if turn:
                yield _help_row("on the first screen", terminal, count)
            else:  # the first start also compiles byte code, of help too
                terminal.press_until(F1, HELP_WORDS)
                terminal.rest()
    language = find_language("brainfuck")
    with _debugging(folder, language.sample(), ".bf", SIZE) as terminal:
        yield _help_row("in the debugger", terminal, count)


def _help_row(place: str, terminal: Watched, count: int) -> Row:
    """Open and close help; the first opening also imports and parses."""
    seconds: list[float] = []
    for _ in range(count):
        seconds.append(terminal.press_until(F1, HELP_WORDS))
        terminal.rest()
        terminal.press(ESCAPE)
    first, median = seconds[0], statistics.median(seconds)
    return Row(
        f"screen: help opens {place}",
        f"median {median * 1e3:.0f} ms, first {first * 1e3:.0f} ms, "
        f"slowest {max(seconds) * 1e3:.0f} ms",
        f"slowest ≤ {MOST_HELP_SECONDS * 1e3:.0f} ms",
        max(seconds) <= MOST_HELP_SECONDS,
        {"median": median, "first": first, "max": max(seconds), "openings": count},
    )


# Single steps


def _steps(folder: Path, id: str, count: int) -> Iterator[Row]:
    """Single steps through the sample of a language, forth and back."""
    language = find_language(id)
    for size in SIZES:
        with _debugging(folder, language.sample(), language.extensions[0], size) as terminal:
            terminal.press("20l")
            before = terminal.cpu_seconds
            paints = [terminal.press("l") for _ in range(count)]
            paints += [terminal.press("h") for _ in range(count // 2)]
            cpu = (terminal.cpu_seconds - before) / len(paints)
            _expect(terminal, f"step {20 + count - count // 2}/")
        sizes = [paint.size for paint in paints]
        yield Row(
            f"screen: a step at {size[0]}×{size[1]}: {language.name}",
            f"median {statistics.median(sizes):,.0f} bytes, most {max(sizes):,}",
            f"≤ {MOST_STEP_BYTES:,}",
            max(sizes) <= MOST_STEP_BYTES,
            {"median": statistics.median(sizes), "max": max(sizes), "steps": len(sizes)},
        )
        if size == SIZE:
            yield _keys_row(f"screen: key to paint: {language.name}", paints, cpu)


def _keys_row(name: str, paints: Sequence[Paint], cpu: float) -> Row:
    """cpu: seconds per key."""
    seconds = [paint.seconds for paint in paints]
    p50, p95 = percentile(seconds, 50), percentile(seconds, 95)
    return Row(
        name,
        f"median {p50 * 1e3:.0f} ms, 95 % {p95 * 1e3:.0f} ms, slowest {max(seconds) * 1e3:.0f} ms, "
        f"CPU {cpu * 1e3:.0f} ms",
        f"95 % ≤ {MOST_KEY_SECONDS * 1e3:.0f} ms",
        p95 <= MOST_KEY_SECONDS,
        {"p50": p50, "p95": p95, "max": max(seconds), "cpu": cpu, "keys": len(seconds)},
    )


# A long history


def _long_history(folder: Path, steps: int, count: int) -> Iterator[Row]:
    """Measure long jumps, and running back to a breakpoint that stopped once, near the start."""
    source = b"++[->+<]\n" + ENDLESS["brainfuck"]
    with _debugging(folder, source, ".bf", SIZE) as terminal:
        terminal.press(f"{steps}G")
        _expect(terminal, f"step {steps:,}")
        paints: list[Paint] = []
        before = terminal.cpu_seconds
        for number in range(count):
            target = steps * (number * 7919 % count) // count + number + 1
            for digit in str(target):
                terminal.press(digit)
            paints.append(terminal.press("G"))
            _expect(terminal, f"step {target:,}")
        cpu = (terminal.cpu_seconds - before) / count
        yield _keys_row(f"screen: seek in {power_of_ten(steps)} steps", paints, cpu)

        terminal.press(":b at 1:6 if cell[1] == 1\r")
        seconds: list[float] = []
        for _ in range(max(1, count // 8)):
            terminal.press_until(f"{steps}G", f"step {steps:,}")
            terminal.rest()
            seconds.append(terminal.press_until("C", "step 11/"))
            _expect(terminal, "breakpoint 1")
        median = statistics.median(seconds)
        yield Row(
            f"screen: reverse-continue over {power_of_ten(steps)} steps",
            f"{median * 1e3:.0f} ms to one that hit @11",
            f"≤ {MOST_BACK_SECONDS:g} s",
            median <= MOST_BACK_SECONDS,
            {"seconds": median},
        )
        yield _cancelled(terminal, steps)


def _cancelled(terminal: Watched, steps: int) -> Row:
    """Cancel a long move."""
    terminal.press(":d 1\r")
    terminal.press(":b cell[0] == 999\r")
    terminal.press_until(f"{steps}G", f"step {steps:,}")
    terminal.press_until("c", "Esc stop")
    seconds = terminal.press_until(ESCAPE, "PAUSED")
    return Row(
        "screen: Esc calls off a search",
        f"{seconds * 1e3:.0f} ms",
        "≤ 200 ms",
        seconds <= 0.2,
        {"seconds": seconds},
    )


# Large programs and states


@dataclass(frozen=True, slots=True)
class Large:
    """A large program, and the step at which the program or its state is large."""

    name: str
    source: bytes
    extension: str
    step: int


def _large(scale: int) -> Iterator[Large]:
    """Yield large programs and states, their sizes divided by ``scale``."""
    megabyte = 1_000_000 // scale
    line = b"+>-<" * 24 + b"+>-\n"
    yield Large("1 MB of Brainfuck", line * (megabyte // 100), ".bf", megabyte // 2)
    yield Large("1 MB in one line", b"+>-<" * (megabyte // 4), ".bf", megabyte // 2)
    side = 1000 // scale
    yield Large(f"{side}×{side} cells", _winding(side), ".b98", side * side // 2)
    cells = 100_000 // scale
    yield Large(f"a tape of {cells:,} cells", b"+[>+]", ".bf", 3 * cells)


def _winding(side: int) -> bytes:
    """A plane on which the instruction pointer goes along every row, to and fro."""
    inner = (b"1+" * side)[: side - 2]
    rows = [b">" + inner + b"v", b"v" + inner + b"<"] * (side // 2)
    return b"\n".join(rows) + b"\n"


def _fluid(folder: Path, large: Large, count: int) -> Row:
    """Measure steps forward and back in the middle of a long run."""
    with _debugging(folder, large.source, large.extension, SIZE) as terminal:
        opened = terminal.opened
        terminal.press_until(f"{large.step}G", f"step {large.step:,}")
        terminal.rest()
        before = terminal.cpu_seconds
        paints = [terminal.press("l") for _ in range(count)]
        paints += [terminal.press("h") for _ in range(count)]
        cpu = (terminal.cpu_seconds - before) / len(paints)
        _expect(terminal, f"step {large.step:,}")
        row = _keys_row(f"screen: key to paint: {large.name}", paints, cpu)
    sizes = [paint.size for paint in paints]
    return Row(
        row.name,
        f"{row.measured}, {max(sizes):,} bytes at most, opened in {opened:.1f} s",
        row.target,
        row.met,
        {**row.figures, "bytes": max(sizes), "opened": opened},
    )


# The application


@contextmanager
def _started(folder: Path, *arguments: str, size: tuple[int, int] = SIZE) -> Iterator[Watched]:
    """Start esoplay with its own state folder."""
    left_out = {"COLUMNS", "LINES", "NO_COLOR", "PYTHONDONTWRITEBYTECODE"}
    env = {name: value for name, value in os.environ.items() if name not in left_out}
    env |= {
        "ESOPLAY_HOME": str(folder / "home"),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "interpreters")]),
        "PYTHONPYCACHEPREFIX": str(folder / "pycache"),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
    }
    command = [sys.executable, "-m", "esoplay", *arguments]
    with Watched(command, env=env, size=size) as terminal:
        yield terminal


@contextmanager
def _debugging(
    folder: Path, source: bytes, extension: str, size: tuple[int, int]
) -> Iterator[Watched]:
    """A program in the debugger, at rest."""
    file = folder / f"program{extension}"
    file.write_bytes(source)
    began = time.monotonic()
    with _started(folder, "debug", str(file), "--input", STDIN, size=size) as terminal:
        terminal.wait_for("PAUSED")
        terminal.opened = time.monotonic() - began
        terminal.rest()
        yield terminal


def _expect(terminal: Terminal, text: str) -> None:
    if text not in terminal.text:
        raise WrongAnswerError(f"{text!r} is not on the screen:\n{terminal.text}")
