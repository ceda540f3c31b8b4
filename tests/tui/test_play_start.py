"""Start-up: work that is delayed for the first frame is done after it."""

from __future__ import annotations

import gc

from conftest import Play


async def test_garbage_is_collected_again_after_the_first_frame(play: Play) -> None:
    gc.disable()
    try:
        async with play() as player:
            await player.until(gc.isenabled)
            assert gc.get_freeze_count()
    finally:
        gc.enable()
        gc.unfreeze()
