"""The part of the binary format of WebAssembly 1.0 that a native tier needs.

Instructions are bytes, so that code is made by concatenation.  Functions such as ``get`` return an
instruction or a few.  Numbers come from the specification
(https://www.w3.org/TR/wasm-core-1/#binary-format).
"""

from __future__ import annotations

from functools import lru_cache
from struct import pack

I32, I64 = 0x7F, 0x7E

# Control.  A label is the number of blocks between the instruction and the block that it leaves.
BLOCK, LOOP, IF, ELSE, END = b"\x02\x40", b"\x03\x40", b"\x04\x40", b"\x05", b"\x0b"
IF_I32, IF_I64 = b"\x04\x7f", b"\x04\x7e"  # push a value
BR, BR_IF, BR_TABLE, RETURN, CALL = b"\x0c", b"\x0d", b"\x0e", b"\x0f", b"\x10"
SELECT = b"\x1b"

I32_EQZ, I32_EQ, I32_NE, I32_LT_U, I32_GE_U = b"\x45", b"\x46", b"\x47", b"\x49", b"\x4f"
I32_LT_S, I32_GT_U, I32_LE_U = b"\x48", b"\x4b", b"\x4d"
I32_ADD, I32_SUB, I32_MUL, I32_AND = b"\x6a", b"\x6b", b"\x6c", b"\x71"
I32_OR, I32_SHL, I32_SHR_U = b"\x72", b"\x74", b"\x76"
I64_EQZ, I64_EQ, I64_NE, I64_LT_S, I64_LT_U = b"\x50", b"\x51", b"\x52", b"\x53", b"\x54"
I64_GT_S, I64_GT_U, I64_GE_S, I64_GE_U = b"\x55", b"\x56", b"\x59", b"\x5a"
I64_ADD, I64_SUB, I64_MUL, I64_DIV_S = b"\x7c", b"\x7d", b"\x7e", b"\x7f"
I64_DIV_U, I64_REM_S, I64_REM_U, I64_AND, I64_XOR = b"\x80", b"\x81", b"\x82", b"\x83", b"\x85"
I64_OR, I64_SHR_S, I64_SHR_U = b"\x84", b"\x87", b"\x88"
I32_DIV_U, I32_REM_U = b"\x6e", b"\x70"
I32_WRAP_I64, I64_EXTEND_I32_U = b"\xa7", b"\xad"
F64_LT, F64_ABS, F64_MUL, F64_SQRT = b"\x63", b"\x99", b"\xa2", b"\x9f"
F64_CONVERT_I64_S, I64_TRUNC_F64_S = b"\xb9", b"\xb0"

# These include the alignment, as a power of 2.  Append the offset of the address in LEB128.
I32_LOAD, I64_LOAD, I32_LOAD8_U, I32_LOAD16_U = b"\x28\x02", b"\x29\x03", b"\x2d\x00", b"\x2f\x01"
I32_STORE, I64_STORE, I32_STORE8, I32_STORE16 = b"\x36\x02", b"\x37\x03", b"\x3a\x00", b"\x3b\x01"

PAGE_BYTES = 1 << 16
"""Size of a page of memory in bytes."""

_cache = lru_cache(1 << 12)  # a translation asks for the same instructions again and again


@_cache
def uleb128(number: int) -> bytes:
    """Return a nonnegative number in unsigned LEB128."""
    if number < 128:
        return bytes((number,))
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    digits.append(number)
    return bytes(digits)


def sleb128(number: int) -> bytes:
    """Return a number in signed LEB128."""
    digits = bytearray()
    while not -64 <= number < 64:
        digits.append(number & 127 | 128)
        number >>= 7
    digits.append(number & 127)
    return bytes(digits)


@_cache
def i32(number: int) -> bytes:
    """Return code that pushes a constant of 32 bits; ``number`` may be signed or unsigned."""
    return b"\x41" + sleb128(number - (1 << 32) if number >> 31 > 0 else number)


@_cache
def i64(number: int) -> bytes:
    """Return code that pushes a constant of 64 bits."""
    return b"\x42" + sleb128(number)


def f64(number: float) -> bytes:
    """Return code that pushes a 64-bit floating-point constant."""
    return b"\x44" + pack("<d", number)


@_cache
def get(local: int) -> bytes:
    """Return code that pushes a local variable."""
    return b"\x20" + uleb128(local)


@_cache
def put(local: int) -> bytes:
    """Return code that pops a value into a local variable."""
    return b"\x21" + uleb128(local)


def tee(local: int) -> bytes:
    """Return code that copies the top of the stack to a local variable."""
    return b"\x22" + uleb128(local)


def load_i64(address: int) -> bytes:
    """Return code that pushes the word of 64 bits at a fixed address."""
    return i32(0) + I64_LOAD + uleb128(address)


def load_i32(address: int) -> bytes:
    """Return code that pushes the lower 32 bits of the word at a fixed address."""
    return i32(0) + I32_LOAD + uleb128(address)


class Function:
    """A function: the types of its parameters, results and local variables, and its code.

    Local variables are numbered after the parameters.
    """

    def __init__(
        self, parameters: list[int], results: list[int], local_types: list[int], code: bytes
    ):
        self.parameters = parameters
        self.results = results
        self.local_types = local_types
        self.code = code

    @property
    def type(self) -> bytes:
        return (
            b"\x60"
            + _vector([bytes((kind,)) for kind in self.parameters])
            + _vector([bytes((kind,)) for kind in self.results])
        )

    @property
    def body(self) -> bytes:
        body = _vector([bytes((1, kind)) for kind in self.local_types]) + self.code + END
        return uleb128(len(body)) + body


def build_simple_module(code: bytes, local_types: list[int], pages: int) -> bytes:
    """Return a module that exports a memory ``m`` of ``pages`` pages and a function ``r``.

    The function has no parameters and returns an i32.  ``local_types`` are the types of its local
    variables.
    """
    return build_module([Function([], [I32], local_types, code)], pages)


def build_module(functions: list[Function], pages: int) -> bytes:
    """Return a module that exports a memory ``m`` and the first function as ``r``."""
    return b"\0asm\1\0\0\0" + b"".join(
        (
            _section(1, _vector([function.type for function in functions])),
            _section(3, _vector([uleb128(at) for at in range(len(functions))])),
            _section(5, b"\x01\x00" + uleb128(pages)),
            _section(7, b"\x02\x01m\x02\x00\x01r\x00\x00"),
            _section(10, _vector([function.body for function in functions])),
        )
    )


def _vector(items: list[bytes]) -> bytes:
    return uleb128(len(items)) + b"".join(items)


def _section(number: int, content: bytes) -> bytes:
    return bytes((number,)) + uleb128(len(content)) + content
