"""What ends a command early."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


@contextmanager
def ended_like_ctrl_c() -> Generator[None]:
    """SIGTERM means what Ctrl-C means."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
