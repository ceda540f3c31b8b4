"""Large buffers of zeros that grow without copying and use memory only where written."""

from __future__ import annotations

import sys
from array import array

TYPE_CHECKING = False

if TYPE_CHECKING:
    from mmap import mmap
    from typing import Any, Literal

    Code = Literal["B", "H", "I", "i", "q"]

PART_BYTES = 1 << 20
"""Maximum bytes added to an array at a time, and default of ``max_array_bytes``."""

RESERVED_BYTES = 1 << 30
"""Bytes of address space reserved for a large buffer that may grow, if limits allow it."""

_MAX_BYTES = 1 << 46  # bytes: half of what a process can address


def lazy_zeros(size: int, code: Code) -> memoryview[int] | None:
    """Return ``size`` zero bytes as a buffer with items of the ``array`` type ``code``, or None.

    The system allocates a page when it is first touched, so creating and extending the buffer is
    fast.  Return None where reserved pages count as used: under a limit of the address space, and
    on systems that commit memory in advance.
    """
    if sys.platform == "win32" or sys.platform == "emscripten" or size > _MAX_BYTES:
        return None
    import mmap
    import resource

    for limit in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        if resource.getrlimit(limit)[0] != resource.RLIM_INFINITY:
            return None
    try:
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError:
        return None
    return memoryview(pages).cast(code)


def extend_with_zeros(
    buffer: Any, size: int, max_size: int, max_array_bytes: int | None = None
) -> Any:
    """Return ``buffer``, extended with zeros to ``size`` entries; no view of it may be in use.

    An array grows in place.  An array of more than ``max_array_bytes``, by default ``PART_BYTES``,
    becomes a ``memoryview`` of a buffer with room for at most ``max_size`` entries, which later
    calls extend without copying.
    """
    width: int = buffer.itemsize
    lazy = not hasattr(buffer, "typecode")
    code: Code = buffer.format if lazy else buffer.typecode
    if lazy:
        mapping: mmap = buffer.obj
        whole = memoryview(mapping).cast(code)
        if size <= len(whole):
            return whole[:size]
    if size * width > (PART_BYTES if max_array_bytes is None else max_array_bytes):
        reserved = min(max_size, max(2 * size, RESERVED_BYTES // width))
        room = lazy_zeros(max(size, reserved) * width, code)
        if room is not None:
            room[: len(buffer)] = memoryview(buffer)
            return room[:size]
    if lazy:
        buffer = array(code, buffer)
    zeros = bytes(min(PART_BYTES, (size - len(buffer)) * width))
    while (size - len(buffer)) * width > PART_BYTES:
        buffer.frombytes(zeros)
    buffer.frombytes(zeros[: (size - len(buffer)) * width])
    return buffer
