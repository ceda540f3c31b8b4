"""The most that a debugged program prints, and that each byte of it knows its step."""

from __future__ import annotations

from esolangs.limits import MEBIBYTE
from esoplay.debugging.debugger import Debugger
from esoplay.running.run import GRADING_LIMITS
from esoplay.timeline.timeline import DEBUG_LIMITS

PRINTS = 64
LOOP = PRINTS + 2
"""Commands of a round: the prints and both brackets."""


def step_of(byte: int) -> int:
    """Two commands come before the first of ``+[....]``, with the bracket that opens."""
    return 3 + byte // PRINTS * LOOP + byte % PRINTS


def test_output_ends_at_two_mebibytes_and_every_byte_leads_to_its_step() -> None:
    most = DEBUG_LIMITS.output
    assert most == 2 * MEBIBYTE == 2 * GRADING_LIMITS.output
    debugger = Debugger.open("brainfuck", b"+[" + b"." * PRINTS + b"]")
    debugger.seek(10**9)
    assert debugger.output == b"\x01" * most
    last = step_of(most - 1)
    view = debugger.view()
    assert view.status == "limited"
    assert debugger.end == debugger.step == last + 2  # with the brackets after the last byte
    for byte in (0, 1, PRINTS, GRADING_LIMITS.output, most - 1):
        assert debugger.find_print_step(byte) == step_of(byte)
        debugger.seek(step_of(byte) - 1)
        assert debugger.view().output_length == byte
        debugger.step_by(1)
        assert debugger.view().output_length == byte + 1
    assert debugger.find_print_step(most) is None
    assert debugger.find_read_step(0) is None
