"""Models behind a command: the prompt on its stdin, the answer on its stdout."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from tempfile import TemporaryFile
from threading import Lock

from esoplay.errors import UsageError
from esoplay.evaluation.models.asking import (
    MOST_ANSWER,
    Answer,
    Declined,
    Message,
    Unavailable,
    to_bytes,
)

_SHORTEST_LOOK, _LONGEST_LOOK = 0.001, 0.05  # seconds between two looks at a process
_MOST_TOLD = 300  # bytes of what a command says on stderr

_SPEAKERS = {"assistant": "Your answer", "user": "Then"}


class Command:
    """Each request starts the command anew, without a shell, and ends all that it has started.

    timeout: seconds for one answer.  told: variables that are added to its environment.
    """

    def __init__(self, command: str, *, told: Mapping[str, str], timeout: float = 600.0):
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"--command: {error}") from None
        if not self._words:
            raise UsageError("--command takes a program and its arguments")
        if shutil.which(self._words[0]) is None:
            raise UsageError(f"--command: {self._words[0]} is no program that can be started")
        self._environment = {**os.environ, **told}
        self._timeout = timeout
        self._running: set[int] = set()
        self._lock = Lock()
        self._closed = False

    def ask(self, messages: Sequence[Message], seed: int | None) -> Answer:
        """See :class:`Model`."""
        environment = dict(self._environment)
        if seed is not None:
            environment["ESOPLAY_SAMPLING_SEED"] = str(seed)
        # Files and no pipes, so that neither side ever waits for the other.
        with TemporaryFile() as prompt, TemporaryFile() as said, TemporaryFile() as complaints:
            prompt.write(to_bytes(as_prompt(messages)))
            prompt.seek(0)
            with self._lock:
                if self._closed:
                    raise Unavailable("called off")
                try:
                    process = subprocess.Popen(
                        self._words,
                        stdin=prompt,
                        stdout=said,
                        stderr=complaints,
                        env=environment,
                        start_new_session=True,
                    )
                except (OSError, ValueError) as error:
                    reason = getattr(error, "strerror", None) or str(error)
                    raise UsageError(f"cannot start {self._words[0]}: {reason}") from None
                self._running.add(process.pid)
            try:
                self._wait(process, said.fileno())
            finally:
                self._end(process)
            if process.returncode:
                complaints.seek(0, os.SEEK_END)
                complaints.seek(max(0, complaints.tell() - _MOST_TOLD))
                raise Unavailable(_failure(process.returncode, complaints.read()))
            said.seek(0)
            return Answer(said.read(MOST_ANSWER).decode("utf-8", "surrogateescape"))

    def close(self) -> None:
        """See :class:`Model`."""
        with self._lock:
            self._closed = True
            for pid in self._running:
                _kill(pid)

    def _wait(self, process: subprocess.Popen[bytes], said: int) -> None:
        deadline = time.monotonic() + self._timeout
        pause = _SHORTEST_LOOK
        while not _ended(process):
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_LOOK)
            if os.fstat(said).st_size > MOST_ANSWER:
                break
            if time.monotonic() > deadline:
                raise Unavailable(f"no answer within {self._timeout:g} s")
        if os.fstat(said).st_size > MOST_ANSWER:
            raise Declined(f"the answer is longer than {MOST_ANSWER} bytes")

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """What is left of its group ends, before the system may give its number to others."""
        with self._lock:
            _kill(process.pid)
            self._running.discard(process.pid)
        process.wait()


def as_prompt(messages: Sequence[Message]) -> str:
    """A conversation as one text; what follows the first question is set off by headings."""
    first = [message.text for message in messages if message.role == "system"]
    rest = [message for message in messages if message.role != "system"]
    parts = [*first, rest[0].text]
    for message in rest[1:]:
        parts.append(f"==== {_SPEAKERS[message.role]} ====\n\n{message.text}")
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has ended.  It stays a zombie, and so its number its own, where that can be."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    options = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, options) is not None


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _failure(code: int, complaints: bytes) -> str:
    text = complaints.decode("utf-8", "replace")
    said = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    ended = f"it ended with status {code}" if code > 0 else f"it was ended by signal {-code}"
    return f"{ended}: {said}" if said else ended
