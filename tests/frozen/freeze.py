"""Write what this version of esoplay stores, as fixtures that later versions must read.

    python tests/frozen/freeze.py OUTPUT_FOLDER

Run it with the interpreter in whose environment the version is installed (an editable install of a
checkout at the commit that is frozen), with OUTPUT_FOLDER ``tests/frozen/data/COMMIT``.  The tests
in this folder find each folder below ``data`` by themselves; docs/formats.md says when that is due.

Seeds, programs and requests are the same each time; session ids, salts, nonces, times, and so the
heads of logs, are drawn by esoplay and differ.  Everything is made in a temporary folder, for which
the stored paths say ``/frozen-root``; a fixture that tells of this machine otherwise is an error.
It needs Linux, a POSIX shell, Python as a host lane, and the extra ``llm``.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # for ``tui.terminal``

import freeze_conversations
import freeze_derived
import freeze_programs
import freeze_runs
import freeze_sessions
import freeze_state
from workshop import Workshop

# Later parts use what earlier ones left in the state folder.
PARTS = {
    "sessions": freeze_sessions.freeze,
    "state": freeze_state.freeze,
    "programs": freeze_programs.freeze,
    "runs": freeze_runs.freeze,
    "derived": freeze_derived.freeze,
    "conversations": freeze_conversations.freeze,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("output", type=Path, metavar="OUTPUT_FOLDER", help="not there yet")
    parser.add_argument(
        "--only",
        choices=["derived"],
        help="freeze one part that needs no other, for formats that are new since the last time",
    )
    args = parser.parse_args()
    output: Path = args.output.resolve()
    if output.exists():
        parser.error(f"{output} exists")
    ask = "import esoplay; print(esoplay.__file__)"
    package = subprocess.run(
        [sys.executable, "-P", "-c", ask], capture_output=True, text=True, check=True
    )
    checkout = Path(package.stdout.strip()).parents[1]
    root = Path(tempfile.mkdtemp(prefix="frozen-"))
    try:
        shop = Workshop(root, checkout, root / "output")
        for name, part in PARTS.items():
            if args.only in (None, name):
                print(name, flush=True)
                part(shop)
        if args.only is None:
            shop.store_tree("home", shop.home, ignore=["cache"])
            shop.store_tree("seeds", shop.root / "seeds")
        words = ["git", "-C", str(checkout), "rev-parse", "--short", "HEAD"]
        commit = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
        version = shop.run("--version").split()[1]
        shop.store("about.json", {"commit": commit, "esoplay": version})
        shop.finish()
        shutil.move(root / "output", output)
    finally:
        shutil.rmtree(root)
    size = sum(file.stat().st_size for file in output.rglob("*") if file.is_file())
    print(json.dumps({"files": sum(1 for _ in output.rglob("*")), "bytes": size}))


if __name__ == "__main__":
    main()
