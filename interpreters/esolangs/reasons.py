"""The reasons why ``run`` of a core returns, as numbers that all cores share.

``reasons.pxd`` defines the same numbers for the C compiler.  Reasons of a single language begin at
``OWN``: requests that its machine serves, and faults.
"""

from __future__ import annotations

BUDGET = 0  # the requested steps are done
STOP = 1  # one of the watched stops applies
ENDED = 2  # the program is over
NEEDS_INPUT = 3  # open input has no more bytes
MEMORY_FULL = 4
OUTPUT_FULL = 5
FLUSH = 6  # a buffer of the core is full and must be emptied
PAUSE = 7  # the last steps took long; the caller may stop the run
WORK_FULL = 8
OWN = 16

CHUNK = 4096
"""Number of entries in a core's buffers for printed bytes and reads."""
