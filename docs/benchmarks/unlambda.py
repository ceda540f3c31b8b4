"""Applications a second, memory and parsing: the engine, the plain engine, Debian's unlambda."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from types import SimpleNamespace

import lists
from measure import Row, WrongAnswerError, cpu_seconds, in_turns

from esolangs.unlambda import LANGUAGE, _core, _core_tree
from esolangs.unlambda.program import UnlambdaProgram

PLAIN = SimpleNamespace(name="plain", Core=_core.Core, Tree=_core_tree.Tree)
WITHOUT_END = 1 << 62
MUST, AIM = 1, 2  # times Debian's unlambda
MOST_PARSE_SECONDS = 0.1
SUCCESSOR = "``s``s`ksk"


def numeral(n: int) -> str:
    """The Church numeral of an integer from 1."""
    return SUCCESSOR * (n - 1) + "i"


def church(exponent: int) -> bytes:
    """Applies `i` ten to the ``exponent`` times and prints a star: three steps a time."""
    return f"`.*```{numeral(exponent)}{numeral(10)}ii".encode()


def growing(exponent: int) -> bytes:
    """Makes the numerals up to two to the ``exponent``, one out of the other."""
    return f"`.*```{numeral(exponent)}{numeral(2)}`s{SUCCESSOR[2:]}i".encode()


def rows(quick: bool) -> Iterator[Row]:
    """The rows of this benchmark; ``quick`` takes shorter loops once."""
    rounds = 1 if quick else 5
    peer = shutil.which("unlambda")
    yield _against_peer("a Church numeral", church(5 if quick else 7), peer, rounds, judged=True)
    yield _against_peer("growing numerals", growing(12 if quick else 20), peer, rounds)
    yield _against_peer("reversed lists", lists.reversals(8 if quick else 17, 4), peer, rounds)
    yield _against_plain(rounds, church(4 if quick else 5))
    yield _for_ever(10**6 if quick else 10**8)
    yield _parsing(rounds)


def _run(program: UnlambdaProgram) -> tuple[int, float]:
    """Steps and CPU seconds of a run to the end, which prints one star."""
    machine = program.start()
    seconds = cpu_seconds(lambda: machine.run(WITHOUT_END))
    if machine.take_output() != b"*":
        raise WrongAnswerError("a loop that ends with a star prints something else")
    return machine.steps, seconds


def _against_peer(
    name: str, source: bytes, peer: str | None, rounds: int, judged: bool = False
) -> Row:
    """The engine's run beside the peer's whole process, less what it takes for one star."""
    program = LANGUAGE.parse(source)
    steps = 0

    def ours() -> float:
        nonlocal steps
        steps, seconds = _run(program)
        return seconds

    def whole() -> float:
        assert peer is not None
        return _peer_seconds(peer, source)

    def empty() -> float:
        assert peer is not None
        return _peer_seconds(peer, b"`.*i")

    mine, *theirs = in_turns(rounds, ours, *((whole, empty) if peer else ()))
    speed = steps / mine / 1e6
    shown = f"{speed:.0f} M applications/s ({steps / 1e6:.1f} M applications)"
    figures: dict[str, float | int | str] = {"steps": steps, "mega_steps_per_second": speed}
    if not theirs:
        return Row(
            f"speed: {name}", f"{shown}; Debian's unlambda is not installed", "", None, figures
        )
    ratio = (theirs[0] - theirs[1]) / mine
    figures["times_debian_unlambda"] = ratio
    target = f"≥ {MUST} ×, aim {AIM} ×" if judged else ""
    return Row(
        f"speed: {name}",
        f"{shown}, {ratio:.1f} × Debian's unlambda",
        target,
        ratio >= MUST if judged else None,
        figures,
    )


def _against_plain(rounds: int, source: bytes) -> Row:
    ours = LANGUAGE.parse(source)
    plain = UnlambdaProgram(LANGUAGE, source, LANGUAGE.configure(), PLAIN)
    steps, _ = _run(ours)
    fast, slow = in_turns(
        rounds,
        lambda: sum(_run(ours)[1] for _ in range(20)) / 20,
        lambda: _run(plain)[1],
    )
    return Row(
        "speed: plain engine, Unlambda",
        f"{steps / slow / 1e6:.2f} M applications/s; "
        f"the {ours.engine} one is {slow / fast:.0f} × that",
        figures={"mega_steps_per_second": steps / slow / 1e6, "times_plain": slow / fast},
    )


def _for_ever(steps: int) -> Row:
    """A loop that makes garbage all the time: what the process grows by."""
    machine = LANGUAGE.parse(b"```s`d``ki`kki``s`d``ki`kki").start()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = cpu_seconds(lambda: machine.run(steps))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return Row(
        "memory: a loop that makes garbage",
        f"{steps / seconds / 1e6:.0f} M applications/s, {grown} KiB more after {steps / 1e6:.0f} M",
        figures={"kibibytes": grown, "steps": steps},
    )


def _parsing(rounds: int) -> Row:
    source = b"`.x`k\n" * 16_667 + b"i"
    (seconds,) = in_turns(rounds, lambda: cpu_seconds(lambda: LANGUAGE.parse(source)))
    return Row(
        f"parsing: {len(source) // 1000} kB of Unlambda",
        f"{1000 * seconds:.1f} ms",
        f"≤ {1000 * MOST_PARSE_SECONDS:.0f} ms",
        seconds <= MOST_PARSE_SECONDS,
        {"milliseconds": 1000 * seconds},
    )


def _peer_seconds(peer: str, source: bytes) -> float:
    """CPU seconds of the whole process."""
    before = os.times()
    done = subprocess.run([peer], input=source, check=True, capture_output=True)
    if done.stdout != b"*":
        raise WrongAnswerError("Debian's unlambda prints something else")
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system
