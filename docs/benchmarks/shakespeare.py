"""Sentences per second and parsing: the engine, the plain engine, shakespearelang, the native tier.

The tier, if wasmtime is installed, is compared with a direct translation to C.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import shakespeare_to_c
from measure import (
    FOLDER,
    MAX_TIMES_C,
    Row,
    WrongAnswerError,
    compile_c,
    cpu_seconds,
    in_turns,
    tier_row,
)

from esolangs.shakespeare import LANGUAGE, _core, _core_tokens, _parser, _sentences
from esolangs.shakespeare.program import ShakespeareProgram

PLAIN = SimpleNamespace(
    name="plain",
    Core=_core.Core,
    Play=_parser.Play,
    Sentences=_sentences.Sentences,
    tokens=_core_tokens.tokens,
)
WITHOUT_END = 1 << 62
MUST, AIM = 50, 100  # M sentences/s
MOST_PARSE_SECONDS = 0.020
AIM_TIMES_PEER = 20

_FRAME = """\
A Benchmark.

Romeo, who counts.
Juliet, who is counted.

Act I: The only one.

Scene I: The beginning.

[Enter Romeo and Juliet]
"""
_COUNT = """\
Romeo: You are {start}.
Juliet: You are {end}.

Scene II: Again.

Romeo:
 You are as good as the sum of yourself and a rose.
 Are you better than me? If not, let us return to scene II.
 Open your heart.
"""
_SCENE = """\

Scene {numeral}: Much is said.

Juliet:
 You are as lovely as the sum of yourself and a big blue happy summer's day.
 Are you not more vile than the square root of the product of me and a fine
 honest hamster? If so, let us proceed to scene {numeral}.

Romeo:
 You stinking cowardly coward! Remember the difference between me and thyself.
 Recall how sorry you were. Thou art as fair as the quotient between twice the
 cube of Juliet and the remainder of the quotient between me and a golden pony!
"""


def rows(quick: bool) -> Iterator[Row]:
    """The rows of this benchmark; ``quick`` takes shorter loops and plays once."""
    rounds = 1 if quick else 5
    loops = 10**5 if quick else 10**7
    yield _loop(loops, rounds)
    yield _large(10**4 if quick else 3 * 10**5, rounds)
    yield _against_plain(rounds)
    yield from _tier(quick, rounds)
    peer = shutil.which("shakespeare")
    if peer is None:
        yield Row("speed: shakespearelang", "skipped: shakespearelang is not installed")
    else:
        yield _against_peer(peer, 10**2 if quick else 10**4, 1 if quick else 3)
    yield _parsing(peer, rounds, 2_000 if quick else 24_000)


def counting(rounds: int, start: int = 0) -> bytes:
    """A play whose loop of three sentences goes round that often, and prints the end."""
    text = _COUNT.format(start=_value(start), end=_value(start + rounds - 1))
    return (_FRAME + text).encode()


def long_play(size: int) -> bytes:
    """A play of many scenes, of ``size`` bytes or a little more."""
    parts, length = [_FRAME], len(_FRAME)
    number = 2
    while length < size:
        parts.append(_SCENE.format(numeral=_roman(number)))
        length += len(parts[-1])
        number += 1
    return "".join(parts).encode()


def program(name: str, **values: int) -> bytes:
    """The play in a file of programs, with numbers filled in."""
    text = (FOLDER / "programs" / f"{name}.spl").read_text(encoding="ascii")
    for word, value in values.items():
        text = text.replace(word, _value(value))
    return text.encode()


def primes(limit: int) -> tuple[bytes, bytes]:
    """A play that counts the primes below ``limit`` by trial division, and what it prints."""
    marks = bytearray([1]) * limit
    for n in range(2, int(limit**0.5) + 1):
        if marks[n]:
            marks[n * n :: n] = bytes(len(range(n * n, limit, n)))
    return program("primes", LIMIT=limit), b"%d" % sum(marks[2:])


def collatz(limit: int) -> tuple[bytes, bytes]:
    """A play that finds the longest Collatz sequence below ``limit``, and what it prints."""
    lengths = {1: 0}
    for start in range(2, limit):
        path: list[int] = []
        n = start
        while n not in lengths:
            path.append(n)
            n = n // 2 if n % 2 == 0 else 3 * n + 1
        for steps, number in enumerate(reversed(path), lengths[n] + 1):
            lengths[number] = steps
    return program("collatz", LIMIT=limit), b"%d" % max(lengths[n] for n in range(1, limit))


def sort(count: int) -> tuple[bytes, bytes]:
    """A play that sorts pseudo-random numbers with two stacks, and what it prints: the smallest."""
    factor, addend, modulus = 1_103_515_245, 12_345, 1 << 31
    numbers = [addend]
    while len(numbers) < count:
        numbers.append((addend + factor * numbers[-1]) % modulus)
    words = {"ADDEND": addend, "FACTOR": factor, "MODULUS": modulus}
    return program("sort", BOTTOM=1 << 40, COUNT=count, **words), b"%d" % min(numbers)


def _value(number: int) -> str:
    """A number in words: powers of two, added up."""
    bits = [bit for bit in range(number.bit_length()) if number >> bit & 1]
    words = [f"a {'big ' * bit}tree" for bit in bits] or ["nothing"]
    text = words[0]
    for word in words[1:]:
        text = f"the sum of {word} and {text}"
    return text


def _roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    hundreds, tens = divmod(tens, 10)
    signs = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    higher = str.maketrans("IVX", "XLC")
    highest = str.maketrans("IVX", "CDM")
    return signs[hundreds].translate(highest) + signs[tens].translate(higher) + signs[ones]


def _run(program: ShakespeareProgram, output: bytes) -> tuple[int, float]:
    """Steps and CPU seconds of a run to the end, which must print ``output``."""
    machine = program.start()
    seconds = cpu_seconds(lambda: machine.run(WITHOUT_END))
    if machine.take_output() != output:
        raise WrongAnswerError("a counting play prints something else")
    return machine.steps, seconds


def _loop(loops: int, rounds: int) -> Row:
    program = LANGUAGE.parse(counting(loops))
    steps = 0

    def once() -> float:
        nonlocal steps
        steps, seconds = _run(program, b"%d" % loops)
        return seconds

    (seconds,) = in_turns(rounds, once)
    speed = steps / seconds / 1e6
    return Row(
        "speed: a loop of three sentences",
        f"{speed:.0f} M sentences/s ({steps / 1e6:.1f} M sentences)",
        f"≥ {MUST} M, aim {AIM} M",
        speed >= MUST,
        {"steps": steps, "mega_sentences_per_second": speed},
    )


def _large(loops: int, rounds: int) -> Row:
    start = 1 << 80
    program = LANGUAGE.parse(counting(loops, start))
    steps = 0

    def once() -> float:
        nonlocal steps
        steps, seconds = _run(program, b"%d" % (start + loops))
        return seconds

    (seconds,) = in_turns(rounds, once)
    speed = steps / seconds / 1e6
    return Row(
        "speed: the same with numbers of 81 bits",
        f"{speed:.2f} M sentences/s",
        figures={"steps": steps, "mega_sentences_per_second": speed},
    )


def _against_plain(rounds: int) -> Row:
    source, fast_loops, slow_loops = counting(10**6), 10**6, 10**4
    ours = LANGUAGE.parse(source)
    plain = ShakespeareProgram(LANGUAGE, counting(slow_loops), LANGUAGE.configure(), PLAIN)
    fast, slow = in_turns(
        rounds,
        lambda: _run(ours, b"%d" % fast_loops)[1] / fast_loops,
        lambda: _run(plain, b"%d" % slow_loops)[1] / slow_loops,
    )
    return Row(
        "speed: plain engine, Shakespeare",
        f"{3e-6 / slow:.2f} M sentences/s; the {ours.engine} one is {slow / fast:.0f} × that",
        figures={"mega_sentences_per_second": 3e-6 / slow, "times_plain": slow / fast},
    )


def _tier(quick: bool, rounds: int) -> Iterator[Row]:
    """Run plays in the native tier, compiled each time, and as programs in C."""
    if find_spec("wasmtime") is None:
        yield Row("speed: native tier, Shakespeare", "skipped: wasmtime is not installed")
        return
    plays = {"trial division to 60000": primes(60_000)}
    if not quick:
        plays = {
            "trial division to 400000": primes(400_000),
            "trial division to 2000000": primes(2_000_000),
            "Collatz sequences below 1000000": collatz(1_000_000),
            "sorting 12000 numbers": sort(12_000),
        }
    with tempfile.TemporaryDirectory() as name:
        for title, (source, output) in plays.items():
            path = None
            if not quick:
                path = compile_c(Path(name), shakespeare_to_c.translate(LANGUAGE.parse(source)))

            def run(source: bytes = source, output: bytes = output) -> tuple[int, float]:
                return _run(LANGUAGE.parse(source), output)

            target = None if title.startswith("sorting") else MAX_TIMES_C
            yield tier_row(title, "sentences", run, path, output, rounds, target)


def _against_peer(peer: str, loops: int, rounds: int) -> Row:
    """Both in whole processes' terms: theirs less what an empty play takes."""
    program = LANGUAGE.parse(counting(loops))
    ours, whole, empty = in_turns(
        rounds,
        lambda: _run(program, b"%d" % loops)[1],
        lambda: _peer_seconds(peer, counting(loops), b"%d" % loops),
        lambda: _peer_seconds(peer, b"Nothing.", b""),
    )
    theirs = whole - empty
    return Row(
        "speed: shakespearelang",
        f"{3 * loops / theirs / 1e6:.2f} M sentences/s; ours is {theirs / ours:.0f} × that",
        figures={"times_shakespearelang": theirs / ours},
    )


def _parsing(peer: str | None, rounds: int, size: int) -> Row:
    source = long_play(size)
    measures = [lambda: cpu_seconds(lambda: LANGUAGE.parse(source))]
    if peer is not None:
        ended = source.replace(b"Scene II:", b"Scene II: End.\n[Exeunt]\n\nScene D:", 1)
        bare = ended[: ended.index(b"Scene D:")]
        # A play that is parsed and goes wrong at its first sentence, and one that ends there.
        measures += [
            lambda: _peer_seconds(peer, ended, b""),
            lambda: _peer_seconds(peer, bare, b""),
        ]
    ours, *theirs = in_turns(rounds, *measures)
    figures: dict[str, float | int | str] = {"seconds": ours, "bytes": len(source)}
    ratio = ""
    if theirs:
        times = (theirs[0] - theirs[1]) / ours
        figures["times_shakespearelang"] = times
        ratio = f", {times:.0f} × as fast as shakespearelang (aim {AIM_TIMES_PEER})"
    return Row(
        f"parse a play of {len(source) // 1000} kB",
        f"{ours * 1e3:.1f} ms{ratio}",
        f"≤ {MOST_PARSE_SECONDS * 1e3:.0f} ms",
        ours <= MOST_PARSE_SECONDS,
        figures,
    )


def _peer_seconds(peer: str, source: bytes, output: bytes) -> float:
    """CPU seconds of the whole process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "play.spl"
        file.write_bytes(source)
        before = os.times()
        done = subprocess.run([peer, "run", str(file)], capture_output=True, check=False)
        after = os.times()
    if done.stdout != output:
        raise WrongAnswerError("shakespearelang prints something else")
    return (after.children_user + after.children_system) - (
        before.children_user + before.children_system
    )
