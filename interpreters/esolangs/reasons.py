"""The reasons for which ``run`` of a core returns: numbers that all cores share.

``reasons.pxd`` gives the same numbers to the C compiler.  A language's own reasons
begin at ``OWN``: requests that its machine serves, and faults.
"""

from __future__ import annotations

BUDGET = 0  # the steps asked for are done
STOP = 1  # a stop of the set being watched applies
ENDED = 2  # the program is over
NEEDS_INPUT = 3  # open input has no more bytes
MEMORY_FULL = 4
OUTPUT_FULL = 5
FLUSH = 6  # a buffer of the core is full and has to be taken over
PAUSE = 7  # nothing: much work has been done in few steps, and somebody may want to stop it
WORK_FULL = 8
OWN = 16

CHUNK = 4096
"""Number of entries in a core's buffers for printed bytes and reads."""
