"""Send requests to models, with retries; run commands as models."""

from __future__ import annotations

import os
import random
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from tempfile import TemporaryFile
from threading import Event, Lock
from typing import Any, Literal, NamedTuple, Protocol
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from esoplay.errors import UsageError

Role = Literal["system", "user", "assistant"]

MAX_ANSWER_BYTES = 16 << 20
"""Maximum size of an answer in bytes."""


class Message(NamedTuple):
    """Message of a conversation; the role ``assistant`` is the model."""

    role: Role
    text: str

    def as_json(self) -> dict[str, Any]:
        return {"role": self.role, "content": self.text}


class ModelAnswer(NamedTuple):
    """Answer of a model.

    text: answer; invalid UTF-8 is decoded with ``surrogateescape``. input_tokens: tokens of the
    whole request, including ``cached_tokens``, which have a lower price. output_tokens: tokens of
    the answer, including ``reasoning_tokens``. Counts are None if not reported. finish: the
    endpoint's reason why the answer ended.
    """

    text: str
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    finish: str | None = None
    reasoning_tokens: int | None = None


class Model(Protocol):
    """Model that can be queried by several threads at the same time."""

    def ask(self, messages: Sequence[Message], seed: int | None) -> ModelAnswer:
        """Send a request and return the answer.

        Raises Unavailable if a retry may succeed, RequestDeclined if it cannot, and UsageError if
        all further requests would fail, too.
        """
        ...

    def close(self) -> None:
        """Abort pending requests if possible."""
        ...


class Unavailable(Exception):
    """Raised for a request that failed temporarily. retry_after: requested pause in seconds."""

    def __init__(self, reason: str, retry_after: float | None = None):
        super().__init__(reason)
        self.retry_after = retry_after


class RequestDeclined(Exception):
    """Raised for a request that was refused permanently."""


def to_bytes(text: str) -> bytes:
    """Encode a text as UTF-8; restore bytes that were decoded with ``surrogateescape``.

    If the text contains other surrogates, all are encoded with ``surrogatepass`` instead.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


# Retries after a pause.

FIRST_PAUSE_SECONDS = 1.0
"""Maximum seconds before the first retry; this maximum doubles with each further retry."""
MAX_PAUSE_SECONDS = 60.0
"""Maximum seconds before any retry if the endpoint requests no pause."""
MAX_REQUESTED_PAUSE_SECONDS = 900.0
"""Maximum seconds of a pause that an endpoint requests; longer ones are shortened."""


class EvaluationStopped(Exception):
    """Raised in all threads after the evaluation was stopped."""


class RetryingModel:
    """Model wrapper that retries a failed request up to ``retries`` times.

    stop: event that ends all pauses and prevents further tries.
    """

    def __init__(
        self, model: Model, retries: int, stop: Event, *, first_pause: float = FIRST_PAUSE_SECONDS
    ):
        self._model = model
        self._retries = retries
        self._stop = stop
        self._first_pause = first_pause

    def ask(
        self, messages: Sequence[Message], seed: int | None, on_retry: Callable[[str, float], None]
    ) -> ModelAnswer:
        """Return the answer; call ``on_retry`` with each failure and the seconds until the retry.

        Raises Unavailable if the last try fails, EvaluationStopped if the event is set, and the
        other exceptions of ``Model.ask``.
        """
        for tries in range(self._retries + 1):
            if self._stop.is_set():
                raise EvaluationStopped
            try:
                return self._model.ask(messages, seed)
            except Unavailable as error:
                if self._stop.is_set():
                    raise EvaluationStopped from None
                if tries == self._retries:
                    raise
                pause = self._pause(tries, error.retry_after)
                on_retry(str(error), pause)
            if self._stop.wait(pause):
                raise EvaluationStopped
        raise AssertionError("the last try returns or raises")

    def _pause(self, tries: int, requested: float | None) -> float:
        """Return the seconds until the next try: as requested, or an exponential backoff.

        Jitter prevents clients that were refused together from retrying together.
        """
        if requested is not None:
            return min(requested, MAX_REQUESTED_PAUSE_SECONDS)
        return min(MAX_PAUSE_SECONDS, self._first_pause * 2**tries) * random.uniform(0.5, 1)


# Addresses of endpoints and their proxies.


def normalize_base_url(base_url: str) -> str:
    """Return a base URL without a slash at the end; raise UsageError for an invalid one."""
    try:
        parts = urlsplit(base_url)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        sound = False
        parts = urlsplit("")
    if not sound or not base_url.isprintable() or not base_url.isascii() or " " in base_url:
        raise UsageError(
            f"--base-url: expected an address such as https://host/v1 or http://localhost:8000/v1, "
            f"not {base_url!r}"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            "--base-url: expected an address without user, password, query or fragment"
        )
    return base_url.rstrip("/")


def is_loopback(base_url: str) -> bool:
    """Return whether the host of the URL is this machine."""
    host = urlsplit(base_url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, such as 127.example.com
        return False


def proxy_for(address: str) -> str | None:
    """Return the system's proxy for an address, or None for a direct connection."""
    parts = urlsplit(address)
    if is_loopback(address) or proxy_bypass(parts.netloc):
        return None
    proxy = getproxies().get(parts.scheme)
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


# Commands as models: the prompt on stdin, the answer on stdout.

_MIN_POLL_SECONDS, _MAX_POLL_SECONDS = 0.001, 0.05  # seconds between two checks of a process
_MAX_STDERR_BYTES = 300  # maximum bytes shown of a command's stderr

_HEADINGS = {"assistant": "Your answer", "user": "Then"}


class CommandModel:
    """Model that answers each request by running a command, without a shell.

    All processes of the command are ended after its answer. timeout: maximum seconds for one
    answer. environment: additional environment variables.
    """

    def __init__(self, command: str, *, environment: Mapping[str, str], timeout: float = 600.0):
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"--command: {error}") from None
        if not self._words:
            raise UsageError("--command: expected a program and its arguments")
        if shutil.which(self._words[0]) is None:
            raise UsageError(f"--command: cannot find the program {self._words[0]}")
        self._environment = {**os.environ, **environment}
        self._timeout = timeout
        self._running: set[int] = set()
        self._lock = Lock()
        self._closed = False

    def ask(self, messages: Sequence[Message], seed: int | None) -> ModelAnswer:
        """Run the command with the conversation on stdin; return its output. See :class:`Model`."""
        environment = dict(self._environment)
        if seed is not None:
            environment["ESOPLAY_SAMPLING_SEED"] = str(seed)
        # Files instead of pipes, so that neither side waits for the other.
        with TemporaryFile() as prompt, TemporaryFile() as output, TemporaryFile() as complaints:
            prompt.write(to_bytes(as_prompt(messages)))
            prompt.seek(0)
            with self._lock:
                if self._closed:
                    raise Unavailable("aborted")
                try:
                    process = subprocess.Popen(
                        self._words,
                        stdin=prompt,
                        stdout=output,
                        stderr=complaints,
                        env=environment,
                        start_new_session=True,
                    )
                except (OSError, ValueError) as error:
                    reason = getattr(error, "strerror", None) or str(error)
                    raise UsageError(f"cannot start {self._words[0]}: {reason}") from None
                self._running.add(process.pid)
            try:
                self._wait(process, output.fileno())
            finally:
                self._kill_group(process)
            if process.returncode:
                complaints.seek(0, os.SEEK_END)
                complaints.seek(max(0, complaints.tell() - _MAX_STDERR_BYTES))
                raise Unavailable(_failure(process.returncode, complaints.read()))
            output.seek(0)
            return ModelAnswer(output.read(MAX_ANSWER_BYTES).decode("utf-8", "surrogateescape"))

    def close(self) -> None:
        """Kill the running commands; later requests fail. See :class:`Model`."""
        with self._lock:
            self._closed = True
            for pid in self._running:
                _kill(pid)

    def _wait(self, process: subprocess.Popen[bytes], output_fd: int) -> None:
        deadline = time.monotonic() + self._timeout
        pause = _MIN_POLL_SECONDS
        while not _has_ended(process):
            time.sleep(pause)
            pause = min(2 * pause, _MAX_POLL_SECONDS)
            if os.fstat(output_fd).st_size > MAX_ANSWER_BYTES:
                break
            if time.monotonic() > deadline:
                raise Unavailable(f"no answer within {self._timeout:g} s")
        if os.fstat(output_fd).st_size > MAX_ANSWER_BYTES:
            raise RequestDeclined(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")

    def _kill_group(self, process: subprocess.Popen[bytes]) -> None:
        """Kill the rest of the process group before its id can be reused."""
        with self._lock:
            _kill(process.pid)
            self._running.discard(process.pid)
        process.wait()


def as_prompt(messages: Sequence[Message]) -> str:
    """Return a conversation as one text, with headings above the later messages.

    System messages and the first other message have no heading.
    """
    first = [message.text for message in messages if message.role == "system"]
    rest = [message for message in messages if message.role != "system"]
    parts = [*first, rest[0].text]
    for message in rest[1:]:
        parts.append(f"==== {_HEADINGS[message.role]} ====\n\n{message.text}")
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Return whether a process has exited, without reaping it, so that its id is not reused."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    options = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, options) is not None


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _failure(code: int, stderr: bytes) -> str:
    text = stderr.decode("utf-8", "replace")
    message = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    ended = f"exit status {code}" if code > 0 else f"ended by signal {-code}"
    return f"{ended}: {message}" if message else ended
