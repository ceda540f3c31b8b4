"""Instructions a second of Befunge-98 on a prime sieve, its set-up and far cells included."""

from __future__ import annotations

from collections.abc import Iterator

from measure import FOLDER, Row, WrongAnswerError, cpu_seconds, in_turns

from esolangs.befunge_98 import LANGUAGE

WITHOUT_END = 1 << 62


def rows(quick: bool) -> Iterator[Row]:
    """The sieve below 10^5, sixteen times over; ``quick`` stops it after 10^7 instructions."""
    program = LANGUAGE.parse((FOLDER / "programs" / "sieve.b98").read_bytes())
    steps = 0

    def engine() -> float:
        nonlocal steps
        machine = program.start()
        seconds = cpu_seconds(lambda: machine.run(10**7 if quick else WITHOUT_END))
        if not quick and machine.take_output() != b"9592 ":
            raise WrongAnswerError("the sieve counts the primes below 10^5 wrongly")
        steps = machine.steps
        return seconds

    (ours,) = in_turns(1 if quick else 3, engine)
    speed = steps / ours / 1e6
    yield Row(
        "befunge-98: sieve",
        f"{speed:.0f} M instructions/s ({steps / 1e6:.0f} M)",
        "≥ 100 M, aim 120 M",
        None if quick else speed >= 100,
        {"steps": steps, "mega_steps_per_second": speed},
    )
