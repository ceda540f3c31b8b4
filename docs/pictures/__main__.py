"""Makes the pictures of the documentation: ``make screenshot``."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from pictures.recording import animation
from pictures.scenes import PICTURES, RECORDING, record, take
from pictures.svg import picture

TITLE = "esoplay"
STILL = 1
"""The frame of the recording that is shown where nothing moves: before the wrong byte."""


async def make(folder: Path, names: list[str]) -> None:
    """Write the pictures named, or all."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in PICTURES:
        if not names or each.name in names:
            _write(folder / f"{each.name}.svg", picture(await take(each), TITLE))
    if not names or RECORDING.name in names:
        frames = await record(RECORDING)
        _write(folder / f"{RECORDING.name}.svg", animation(frames, TITLE, still=STILL))


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    print(f"{path}: {len(text.encode()) / 1000:.0f} kB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    known = [each.name for each in (*PICTURES, RECORDING)]
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    args = parser.parse_args()
    asyncio.run(make(args.folder, args.names))


if __name__ == "__main__":
    main()
