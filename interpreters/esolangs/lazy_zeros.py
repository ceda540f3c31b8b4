"""Large buffers of zeros that take memory only where they are written."""

from __future__ import annotations

import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Literal

_MOST = 1 << 46  # bytes: half of what a process can address


def lazy_zeros(size: int, code: Literal["B", "H", "I", "q"]) -> memoryview[int] | None:
    """A buffer of ``size`` bytes as numbers of the ``array`` type ``code``; None if unavailable.

    The system hands out its pages when they are first touched, so that neither the buffer nor its
    growth into unused room takes time or memory.  Not available under a limit of the address space,
    where reserved room counts, nor on systems that commit it.
    """
    if sys.platform == "win32" or sys.platform == "emscripten" or size > _MOST:
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
