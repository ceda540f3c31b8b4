"""Code that prints: it writes bytes, and the step of each, to buffers in the module's memory."""

from __future__ import annotations

from esolangs.wasm import (
    BR_IF,
    END,
    I32,
    I32_ADD,
    I32_EQZ,
    I32_LOAD,
    I32_LOAD8_U,
    I32_LT_S,
    I32_LT_U,
    I32_SHL,
    I32_STORE8,
    I32_SUB,
    I32_WRAP_I64,
    I64,
    I64_DIV_U,
    I64_EQZ,
    I64_LT_S,
    I64_REM_U,
    I64_STORE,
    I64_SUB,
    IF,
    LOOP,
    RETURN,
    Function,
    get,
    i32,
    i64,
    put,
    tee,
    uleb128,
)

_MAX_NUMBER_BYTES = 24
"""Bytes needed to print a number: sign, digits and the byte after them, rounded up."""


class PrintBuffers:
    """Addresses of the memory in which compiled code stores what it prints.

    capacity: a word with the number of bytes that may be printed.  data, steps: buffers for the
    bytes and their steps.  scratch: 24 bytes for the digits of a number.
    """

    __slots__ = ("capacity", "data", "scratch", "steps")

    def __init__(self, capacity: int, data: int, steps: int, scratch: int):
        self.capacity = capacity
        self.data = data
        self.steps = steps
        self.scratch = scratch


def print_byte(buffers: PrintBuffers, count_local: int, byte: bytes, step: bytes) -> bytes:
    """Return code that prints a byte; when it runs, the buffers must have room for it.

    count_local: the local variable with the number of bytes printed.  byte, step: code that pushes
    an i32 and an i64.
    """
    count = get(count_local)
    out = count + byte + I32_STORE8 + uleb128(buffers.data)
    out += count + i32(3) + I32_SHL + step + I64_STORE + uleb128(buffers.steps)
    return out + count + i32(1) + I32_ADD + put(count_local)


def number_printer(buffers: PrintBuffers, suffix: bytes) -> Function:
    """Return a WebAssembly function that prints a number in decimal.

    Its parameters are the number, the current step and the number of bytes printed so far.  It
    returns the new number of bytes printed, or -1 if there is no room.  suffix: at most one byte to
    print after the number.
    """
    value, step, at = get(0), get(1), get(3)
    end = i32(buffers.scratch + _MAX_NUMBER_BYTES)

    def print_code(byte: bytes) -> bytes:
        return print_byte(buffers, 2, byte, step)

    capacity = i32(0) + I32_LOAD + uleb128(buffers.capacity)
    out = (
        capacity
        + get(2)
        + I32_SUB
        + i32(_MAX_NUMBER_BYTES)
        + I32_LT_S
        + IF
        + i32(-1)
        + RETURN
        + END
    )
    out += (
        value
        + i64(0)
        + I64_LT_S
        + IF
        + print_code(i32(45))
        + i64(0)
        + value
        + I64_SUB
        + put(0)
        + END
    )
    out += end + put(3) + LOOP + at + i32(1) + I32_SUB + tee(3)
    out += value + i64(10) + I64_REM_U + I32_WRAP_I64 + i32(48) + I32_ADD
    out += I32_STORE8 + uleb128(0)
    out += value + i64(10) + I64_DIV_U + tee(0) + I64_EQZ + I32_EQZ + BR_IF + uleb128(0) + END
    out += LOOP + print_code(at + I32_LOAD8_U + uleb128(0)) + at + i32(1) + I32_ADD + tee(3)
    out += end + I32_LT_U + BR_IF + uleb128(0) + END
    for byte in suffix:
        out += print_code(i32(byte))
    return Function([I64, I64, I32], [I32], [I32], out + get(2))
