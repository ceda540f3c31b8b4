"""Measure what a hostile program leaks to an observer who sees no process (opt-in).

    ESOPLAY_SIDE_CHANNELS=20 python -m pytest tests/trust/test_trust_side_channels.py -s

plays 20 submissions over each channel (``1`` means 20) and prints bits per submission.  The
programs know random hidden inputs and send them; the observer is an unused user in a PID
namespace of its own, as a solver of `esoplay agents run` is, and reads what is global there:
``/proc/loadavg`` (running and existing tasks), ``/proc/meminfo``, and the response time.

Estimators, both lower bounds of the mutual information between what was sent and what was seen:

- Slots: a program sends ``BITS`` bits in each of six tests, one in a slot of ``SLOT`` seconds.
  With the share e of wrong bits, a message that was not found counting as half wrong, a
  submission leaks ``6 * BITS * (1 - h(e))`` bits, h being the binary entropy.
- Response time: the time is regressed on the sum of what six programs were to wait.  With the
  range R of that time and the standard deviation s of the residuals, a submission leaks at
  least ``log2(R / (s * sqrt(2 * pi * e)))`` bits, as no noise of deviation s has more entropy
  than normal noise.

Other load on the machine is noise, so figures hold for the machine and the load that are printed.
"""

from __future__ import annotations

import math
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from esoplay.grading.grader import grade
from esoplay.grading.hidden import HiddenTest
from esoplay.grading.seeds import RunOrder
from esoplay.packs.catalogue import get_pack
from esoplay.running.worker import Worker

ASKED = os.environ.get("ESOPLAY_SIDE_CHANNELS", "")
SUBMISSIONS = 20 if ASKED in ("", "1") else int(ASKED)
TESTS = 6
BITS = 8
SLOT = 0.1
PREAMBLE = (0, 1, 0, 1)
FRAME = (len(PREAMBLE) + BITS) * SLOT
"""Seconds of a message; frames begin at multiples of it."""

pytestmark = [
    pytest.mark.opt_in,
    pytest.mark.needs("linux", "root", "bubblewrap"),
    pytest.mark.skipif(not ASKED, reason="set ESOPLAY_SIDE_CHANNELS to a number of submissions"),
    pytest.mark.timeout(1800),
]

OBSERVER = """\
import os, sys, time
uid = int(sys.argv[1])
os.setgroups([]); os.setresgid(uid, uid, uid); os.setresuid(uid, uid, uid)
load, memory = (os.open("/proc/" + name, os.O_RDONLY) for name in ("loadavg", "meminfo"))
print("ready", flush=True)
while True:
    now = time.time()
    running, tasks = os.pread(load, 64, 0).split()[3].split(b"/")
    words = os.pread(memory, 4096, 0).split()
    anonymous = words[words.index(b"AnonPages:") + 1]  # MemFree lags: freed pages are kept a while
    print(now, int(running), int(tasks), int(anonymous), flush=True)
    time.sleep(0.001)
"""

SENDER = """\
import os, sys, time
SLOT, FRAME, BITS, PREAMBLE = {slot}, {frame}, {bits}, {preamble}
value = int(sys.stdin.read())
slots = [*PREAMBLE, *(value >> place & 1 for place in range(BITS))]
start = (time.time() // FRAME + 1) * FRAME
def until(moment):
    while (left := moment - time.time()) > 0:
        time.sleep(left)
for place, bit in enumerate(slots):
    until(start + place * SLOT)
    end = start + (place + 0.8) * SLOT
    if bit:
{send}
"""
FORK = """\
for _ in range({count}):
    if os.fork() == 0:
        {work}
        os._exit(0)
for _ in range({count}):
    os.wait()"""
SENDERS = {
    # column of the observer's samples, what a bit that is 1 adds to it, and how
    "running tasks (/proc/loadavg)": (
        0,
        12,
        FORK.format(count=12, work="while time.time() < end: pass"),
    ),
    "existing tasks (/proc/loadavg)": (1, 12, FORK.format(count=12, work="until(end)")),
    "memory (/proc/meminfo)": (
        2,
        48 << 10,
        "kept = bytearray(b'x') * (48 << 20); until(end); del kept",
    ),
}

SLEEPER = b"import sys, time\ntime.sleep(int(sys.stdin.read()) / 1000)\n"


def whitespace_burner() -> bytes:
    """A program that reads a byte and executes about 30,000 steps for each unit of it."""

    def push(number: int) -> str:
        return "   " + "".join("\t" if bit == "1" else " " for bit in f"{number:b}") + "\n"

    get, put, subtract = "\t\t\t", "\t\t ", "\t  \t"

    def count_down(cell: int) -> str:
        return push(cell) + push(cell) + get + push(1) + subtract + put

    outer, inner, done, leave = ("\t", "\t\t", "\t ", "\t  ")
    return (
        push(0) + "\t\n\t "  # the byte that is read, into cell 0
        f"\n  {outer}\n" + push(0) + get + f"\n\t {leave}\n" + count_down(0)
        + push(1) + push(2700) + put
        + f"\n  {inner}\n" + push(1) + get + f"\n\t {done}\n" + count_down(1)
        + f"\n \n{inner}\n"
        f"\n  {done}\n\n \n{outer}\n"
        f"\n  {leave}\n\n\n\n"
    ).encode()  # fmt: skip


class Sample(NamedTuple):
    """What the observer saw at one moment, in Unix time: running and existing tasks, kilobytes."""

    time: float
    seen: tuple[float, float, float]


class Sent(NamedTuple):
    """One submission: the values of its tests in the order of running, and when it was graded."""

    values: list[int]
    began: float
    ended: float


class Inputs:
    """Random hidden tests that replace the tests of a problem."""

    def __init__(self, most: int, encode: Callable[[int], bytes]):
        self._most = most
        self._encode = encode
        self.values: list[int] = []

    def get(self, *_: object) -> tuple[HiddenTest, ...]:
        self.values = [random.randrange(self._most + 1) for _ in range(TESTS)]
        return tuple(HiddenTest("any", self._encode(value), b"?") for value in self.values)


def submit(language: str, program: bytes, most: int, encode: Callable[[int], bytes]) -> list[Sent]:
    """Grade a program by hidden inputs that are drawn for each submission."""
    inputs: Any = Inputs(most, encode)
    problem, seed = get_pack().problem("E01"), os.urandom(32)
    sent: list[Sent] = []
    with Worker() as worker:
        for number in range(SUBMISSIONS + 1):
            order, began = RunOrder("side", number), time.time()
            grade(
                problem, language, program, seed=seed, test_cache=inputs, order=order, worker=worker
            )
            values = [inputs.values[place] for place in order.permutation(seed, problem.id, TESTS)]
            sent.append(Sent(values, began, time.time()))
    return sent[1:]  # the first one waits for processes and compilers to start


@contextmanager
def observing(uid: int) -> Iterator[list[Sample]]:
    """Samples of an unused user in a PID namespace of its own."""
    observer = subprocess.Popen(
        [
            *("bwrap", "--unshare-pid", "--die-with-parent", "--ro-bind", "/", "/"),
            *("--proc", "/proc", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"),
            *(sys.executable, "-I", "-S", "-c", OBSERVER, str(uid)),
        ],
        stdout=subprocess.PIPE,
    )
    assert observer.stdout is not None
    assert observer.stdout.readline() == b"ready\n"
    samples: list[Sample] = []

    def read() -> None:
        assert observer.stdout is not None
        for line in observer.stdout:
            now, running, tasks, anonymous = map(float, line.split())
            samples.append(Sample(now, (running, tasks, anonymous)))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield samples
    finally:
        os.kill(observer.pid, signal.SIGKILL)
        observer.wait()
        reader.join()
        observer.stdout.close()


def decode(samples: list[Sample], column: int, step: float, sent: Sent) -> list[int]:
    """The six frames of a submission that look most like messages, in their order.

    step: what a bit that is 1 adds to the column.
    """
    times = [sample.time for sample in samples]

    def level(start: float, place: int) -> float:
        low = bisect_left(times, start + (place + 0.3) * SLOT)
        high = bisect_left(times, start + (place + 0.75) * SLOT)
        return statistics.fmean(one.seen[column] for one in samples[low : max(high, low + 1)])

    frames: list[tuple[float, float, int]] = []
    start = (sent.began // FRAME) * FRAME
    while start < sent.ended and start + FRAME < times[-1]:
        levels = [level(start, place) for place in range(len(PREAMBLE) + BITS)]
        base = (levels[0] + levels[2]) / 2
        found = max((levels[1] + levels[3]) / 2 - base, step / 4)
        bits = [one - base > found / 2 for one in levels]
        misfit = sum(
            abs(one - base - found * bit) / found
            for one, bit in zip(levels, [*PREAMBLE, *bits[len(PREAMBLE) :]], strict=True)
        )
        value = sum(bit << place for place, bit in enumerate(bits[len(PREAMBLE) :]))
        frames.append((misfit, start, value))
        start += FRAME
    return [value for _, _, value in sorted(sorted(frames)[:TESTS], key=lambda frame: frame[1])]


def entropy(share: float) -> float:
    if share in (0.0, 1.0):
        return 0.0
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)


def machine() -> str:
    load = ", ".join(f"{one:.2f}" for one in os.getloadavg())
    return f"{os.cpu_count()} cores, load {load}, {SUBMISSIONS} submissions"


@pytest.mark.parametrize("channel", list(SENDERS))
def test_bits_that_a_side_channel_of_a_host_lane_carries_are_measured(
    channel: str, unused_uid: int
) -> None:
    column, step, send = SENDERS[channel]
    indented = "\n".join(f"        {line}" for line in send.split("\n"))
    program = SENDER.format(
        slot=SLOT, frame=FRAME, bits=BITS, preamble=PREAMBLE, send=indented
    ).encode()
    most = (1 << BITS) - 1
    with observing(unused_uid) as samples:
        sent = submit("python", program, most, lambda value: str(value).encode())
        time.sleep(2 * FRAME)
    wrong, whole = 0.0, 0
    for one in sent:
        found = decode(samples, column, step, one)
        whole += (Counter(one.values) & Counter(found)).total()
        for value, seen in zip(one.values, found, strict=False):
            wrong += (value ^ seen).bit_count()
        wrong += (TESTS - len(found)) * BITS / 2
    share = wrong / (len(sent) * TESTS * BITS)
    told = TESTS * BITS * (1 - entropy(min(share, 0.5)))
    print(
        f"\nhost lane, {channel}: {told:.1f} bits per submission of {TESTS * BITS} sent in "
        f"{statistics.fmean(one.ended - one.began for one in sent):.1f} s; "
        f"{100 * share:.1f} % of bits wrong, {whole} of {TESTS * len(sent)} hidden inputs "
        f"were read whole ({machine()})"
    )


@pytest.mark.parametrize(
    ("language", "program", "most", "encode"),
    [
        ("whitespace", whitespace_burner(), 200, lambda value: bytes([value])),
        ("python", SLEEPER, 200, lambda value: str(value).encode()),
    ],
    ids=["engine", "host lane"],
)
def test_bits_that_the_response_time_carries_are_measured(
    language: str, program: bytes, most: int, encode: Callable[[int], bytes]
) -> None:
    sent = submit(language, program, most, encode)
    waited = [float(sum(one.values)) for one in sent]
    times = [one.ended - one.began for one in sent]
    slope, base = statistics.linear_regression(waited, times)
    residuals = [seen - base - slope * value for value, seen in zip(waited, times, strict=True)]
    deviation = math.sqrt(sum(one * one for one in residuals) / (len(residuals) - 2))
    longest = max(0.0, slope * TESTS * most)
    told = math.log2(max(1.0, longest / (deviation * math.sqrt(2 * math.pi * math.e))))
    print(
        f"\n{language}, response time: {told:.1f} bits per submission by delays of up to "
        f"{longest:.2f} s, known to {1000 * deviation:.1f} ms ({machine()})"
    )
