"""A whole ``esoplay run`` in a fresh process, against an interpreter that does nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from measure import ROOT, Row, WrongAnswerError, in_turns

from esolangs.registry import find_language, language_ids

# What an installer writes as the command `esoplay`.
SCRIPT = """\
import sys
from esoplay.__main__ import main
if __name__ == "__main__":
    sys.exit(main())
"""
STEPS = 10_000_000
MOST = 2.0  # times a bare Python
RUNAWAY_SECONDS = 0.5


def rows(quick: bool) -> Iterator[Row]:
    """The rows of this benchmark; ``quick`` measures a few times only."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script, tiny = folder / "esoplay", folder / "tiny.bf"
        script.write_text(SCRIPT, encoding="utf-8")
        tiny.write_bytes(b"+[]")
        env = _environment(folder)
        bare = [sys.executable, "-c", "pass"]
        for hello in _hellos(folder):
            run = [sys.executable, str(script), "run", str(hello)]
            _check(run, env, exit_code=0)
            nothing, ours = in_turns(
                3 if quick else 21,
                lambda: _seconds(bare, env),
                lambda run=run: _seconds(run, env),
            )
            bare_ms = f"({nothing * 1e3:.1f} ms)"
            yield Row(
                f"start-up: esoplay run {hello.name}",
                f"{ours * 1e3:.1f} ms, {ours / nothing:.2f} × python -c pass {bare_ms}",
                f"≤ {MOST:g} ×",
                ours <= MOST * nothing,
                {"seconds": ours, "times_bare_python": ours / nothing},
            )
        limited = ["--json", "--max-steps", str(STEPS), str(tiny)]
        runaway = [sys.executable, str(script), "run", *limited]
        _check(runaway, env, exit_code=3, shows=b'"step_limit"')
        (seconds,) = in_turns(1 if quick else 5, lambda: _seconds(runaway, env))
        yield Row(
            "start-up: +[] up to 10⁷ steps, --json",
            f"{seconds * 1e3:.0f} ms",
            f"≤ {RUNAWAY_SECONDS * 1e3:.0f} ms",
            seconds <= RUNAWAY_SECONDS,
            {"seconds": seconds},
        )


def _hellos(folder: Path) -> Iterator[Path]:
    """A small program of every language: the hello world of its cases, else its sample."""
    for id in language_ids():
        language = find_language(id)
        cases = sorted((ROOT / "tests" / "programs" / id).glob("*hello*.src"))
        path = folder / f"hello{language.extensions[0]}"
        path.write_bytes(cases[0].read_bytes() if cases else language.sample())
        yield path


def _seconds(command: list[str], env: dict[str, str]) -> float:
    """The time that a whole process takes, from its start to its end."""
    began = time.perf_counter()
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=env, check=False)
    return time.perf_counter() - began


def _environment(folder: Path) -> dict[str, str]:
    """As for an installed package: modules are compiled to byte code, in a place of our own."""
    env = dict(os.environ)
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPROFILEIMPORTTIME"):
        env.pop(name, None)
    env["PYTHONPYCACHEPREFIX"] = str(folder / "pycache")
    env["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if _is_ours(path))
    return env


def _is_ours(path: str) -> bool:
    """Whether the checkout is used from there (an installed package needs no path)."""
    return any(Path(path, name).is_dir() for name in ("esoplay", "esolangs")) and (
        "site-packages" not in path
    )


def _check(command: list[str], env: dict[str, str], *, exit_code: int, shows: bytes = b"") -> None:
    """The first run, which also compiles the byte code."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, env=env, check=False
    )
    if done.returncode != exit_code or not done.stdout or shows not in done.stdout:
        text = (done.stdout + done.stderr).decode(errors="replace")
        raise WrongAnswerError(f"{command} exits with {done.returncode}: {text}")
