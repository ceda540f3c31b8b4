"""A temporary folder in which ``freeze.py`` uses esoplay as a user does, by its commands alone.

Nothing of esoplay is imported: commands, options and protocols are frozen themselves, so the
scripts keep working with later versions.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tui.terminal import Terminal

STANDS_FOR_ROOT = "/frozen-root"
"""Stored absolute paths begin so in fixtures; tests put their own temporary folder in its place."""

LANGUAGES = {
    "brainfuck": ".bf",
    "befunge-98": ".b98",
    "whitespace": ".ws",
    "unlambda": ".unl",
    "shakespeare": ".spl",
}
PROBLEMS = ("E01", "E02", "E03", "E08")
"""Problems of the shipped pack that have short solutions in every language."""

PATIENCE = 120.0
"""Seconds after which something that was waited for counts as never coming."""


class Workshop:
    """root: everything is below it.  home: the state folder.  checkout: the project's folder."""

    def __init__(self, root: Path, checkout: Path, output: Path) -> None:
        self.root, self.checkout, self.output = root, checkout, output
        self.home = root / "home"
        self.environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(root / "user"),
            "ESOPLAY_HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "TZ": "UTC",
            "TMPDIR": str(root / "tmp"),
        }
        for folder in (self.home, root / "user", root / "work", root / "tmp"):
            folder.mkdir(parents=True, mode=0o700)
        self.work = root / "work"
        self.programs = root / "programs"

    # Commands

    def run(
        self,
        *words: str | Path,
        stdin: bytes | str = b"",
        cwd: Path | None = None,
        status: int | None = 0,
        home: Path | None = None,
    ) -> str:
        """What ``esoplay WORDS`` prints; its exit status has to be ``status``, None for any."""
        done = subprocess.run(
            self.command(*words),
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=cwd or self.work,
            env=self.environment | ({} if home is None else {"ESOPLAY_HOME": str(home)}),
            timeout=600,
            check=False,
        )
        if status is not None and done.returncode != status:
            raise SystemExit(
                f"esoplay {' '.join(map(str, words))}: exit status {done.returncode}, expected "
                f"{status}\n{done.stdout.decode()}{done.stderr.decode()}"
            )
        return done.stdout.decode("utf-8", "surrogateescape")

    def script(self, file: Path) -> None:
        """Run a Python script that lies in a workspace, with the interpreter that is used here."""
        subprocess.run([sys.executable, file.name], cwd=file.parent, check=True)

    def json(self, *words: str | Path, **options: Any) -> Any:
        """The object that ``esoplay WORDS --json`` prints."""
        return json.loads(self.run(*words, "--json", **options))

    @staticmethod
    def command(*words: str | Path) -> list[str]:
        return [sys.executable, "-P", "-m", "esoplay", *map(str, words)]

    def terminal(self, *words: str | Path) -> Terminal:
        """A command of esoplay in a pseudo-terminal; use it in a ``with`` statement."""
        colours = {"COLORTERM": "truecolor"}
        command = ["env", "-C", str(self.work), *self.command(*words)]
        return Terminal(command, env=self.environment | colours)

    # Files

    def seed_file(self, name: str) -> Path:
        """A private file with a seed that depends on ``name`` alone."""
        file = self.root / "seeds" / f"{name}.seed"
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            file.write_text(hashlib.sha256(f"frozen {name}".encode()).hexdigest() + "\n")
            file.chmod(0o600)
        return file

    def program(self, problem: str, language: str) -> Path:
        """A solution of a problem of the shipped pack, made of its write-once source."""
        file = self.programs / language / f"{problem}{LANGUAGES[language]}"
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            (source,) = (self.checkout / "problems").glob(f"{problem}-*/source.py")
            self.run("generate", source, "--lang", language, "-o", file)
        return file

    def write(self, file: Path, text: str | bytes) -> Path:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def store(self, name: str, value: object) -> None:
        """Write a fixture: a text or bytes as they are, anything else as JSON."""
        if not isinstance(value, str | bytes):
            value = _line(value)
        self.write(self.output / name, value)

    def store_lines(self, name: str, lines: Iterable[object]) -> None:
        """Write a fixture with an object on each line."""
        self.store(name, "".join(_line(line) for line in lines))

    def store_tree(self, name: str, folder: Path, ignore: Sequence[str] = ()) -> None:
        """Copy a folder into the fixtures; later calls may copy further files into it."""
        ignored = shutil.ignore_patterns("__pycache__", "*.lock", ".lock", *ignore)
        shutil.copytree(folder, self.output / name, ignore=ignored, dirs_exist_ok=True)

    def finish(self) -> None:
        """Put ``STANDS_FOR_ROOT`` in the place of the temporary folder, and look for leaks."""
        own, neutral = str(self.root).encode(), STANDS_FOR_ROOT.encode()
        secrets = [str(self.checkout), str(Path.home()), socket.gethostname(), "/tmp/", "/opt/"]
        if (user := getpass.getuser()) != "root":
            secrets.append(user)
        for file in sorted(self.output.rglob("*")):
            if not file.is_file():
                continue
            data = file.read_bytes()
            if own in data:
                if data.startswith(b"SQLite format 3"):
                    raise SystemExit(f"{file} stores a path of this machine")
                data = data.replace(own, neutral)
                file.write_bytes(data)
            for secret in filter(None, secrets):
                end = b"" if secret.endswith("/") else rb"(?![\w-])"
                if re.search(rb"(?<![\w.-])" + re.escape(secret.encode()) + end, data):
                    raise SystemExit(f"{file} tells of this machine: {secret}")


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Ask ``true()`` again and again; SystemExit where it never is."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > deadline:
            raise SystemExit(f"never happened: {what}")
        time.sleep(0.02)
