"""Seeds of hidden tests, commitments to seeds, and a reproducible random generator.

A seed consists of 32 bytes.  Learners use the public :data:`PRACTICE_SEED`.  A benchmark uses a
random seed that only the grader knows, and publishes a commitment to it, which later proves that
the tests were chosen in advance.
"""

from __future__ import annotations

import hmac
import os
import secrets
import select
import stat
import time
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from operator import length_hint
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from esoplay.errors import UsageError

SEED_LENGTH = 32
SEED_SECONDS = 5.0
"""Maximum seconds to wait for a seed from a pipe."""
SALT_LENGTH = 16
PRACTICE_SEED = blake2b(b"esoplay practice", digest_size=SEED_LENGTH).digest()
"""Public seed for practice, whose hidden tests may be shown."""


ORDER_VERSION = 2
"""Version of the run order of hidden tests; increase it with any change of ``RunOrder``.

Sessions of older releases have no version and run their tests in numerical order.
"""


class RunOrder(NamedTuple):
    """Order in which the hidden tests of one submission run.

    It depends on the secret seed, so that an observer of the machine does not know which test is
    running, and on the submission, so that observations cannot be reused.  The numbers of tests in
    reports are the same for every submission.
    """

    session: str
    submission: int

    def permutation(self, seed: bytes, problem: str, count: int) -> list[int]:
        """Return the numbers of ``count`` hidden tests, from 0, in the order in which they run."""
        rng = Rng(seed).fork("run order", ORDER_VERSION, self.session, problem, self.submission)
        return rng.shuffle(range(count))


class PackIdentity(Protocol):
    """The parts of a pack that a seed commitment covers: id, version and digest of fixed tests."""

    @property
    def id(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def tests_digest(self) -> str: ...


def random_seed() -> bytes:
    """Return a new secret seed of 256 bits."""
    return secrets.token_bytes(SEED_LENGTH)


def parse_seed(text: str) -> bytes:
    """Parse a seed from the user: ``practice``, 64 hexadecimal digits, or any other text.

    Other texts are hashed.  Such a seed is as easy to guess as the text, so use :func:`random_seed`
    for a benchmark.
    """
    if not text:
        raise UsageError("a seed cannot be empty")
    if text == "practice":
        return PRACTICE_SEED
    data = text.encode("utf-8", "surrogateescape")  # shell arguments need not be valid text
    return (
        _from_hex(text) or blake2b(data, digest_size=SEED_LENGTH, person=b"esoplay.seed").digest()
    )


def commitment(seed: bytes, salt: bytes, pack: PackIdentity, generator: int | None = None) -> str:
    """Return a commitment to seed, pack, generator and fixed tests, which does not reveal them.

    The format is ``blake2b:SALT:DIGEST`` in hexadecimal.  When the seed is revealed,
    :func:`commitment_holds` checks it.
    """
    fixed = [pack.tests_digest] if pack.tests_digest else []
    version = GENERATOR_VERSION if generator is None else generator
    fields = encode_fields(seed, pack.id, pack.version, version, *fixed)
    digest = blake2b(fields, salt=salt, digest_size=32, person=b"esoplay.commit")
    return f"blake2b:{salt.hex()}:{digest.hexdigest()}"


def commitment_holds(
    recorded: str, seed: bytes, pack: PackIdentity, generator: int | None = None
) -> bool:
    """Return whether ``recorded`` commits to this seed, pack and generator."""
    try:
        _, salt, _ = recorded.split(":")
        made = commitment(seed, bytes.fromhex(salt), pack, generator)
    except ValueError:
        return False
    return hmac.compare_digest(made, recorded)


def report_salt(seed: bytes) -> bytes:
    """Return a salt for the commitment in a report, derived from ``seed``.

    All reports with the same seed and pack therefore have the same commitment.
    """
    return blake2b(seed, digest_size=SALT_LENGTH, person=b"esoplay.report").digest()


def write_seed_file(path: Path, seed: bytes) -> None:
    """Write ``seed`` to a new file that only its owner can read; never overwrite a file."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(fd, "w") as file:
            file.write(seed.hex() + "\n")
    except OSError as error:
        raise UsageError(f"cannot write the seed file {path}: {error.strerror}") from error


def read_seed_file(path: Path) -> bytes:
    """Read the seed in ``path``.  Raise UsageError if other users can access the file."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # opening a FIFO would wait for a writer
        try:
            mode = stat.S_IMODE(os.fstat(fd).st_mode)
            text = _read_with_timeout(fd, SEED_SECONDS)
        finally:
            os.close(fd)
    except TimeoutError:
        raise UsageError(
            f"cannot read the seed file {path}: nothing was written to it within "
            f"{SEED_SECONDS:g} seconds"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot read the seed file {path}: {error.strerror}") from error
    if mode & 0o077:
        raise UsageError(
            f"the seed file {path} can be read or changed by other users (mode {mode:04o}); "
            f"make it private with: chmod 600 {path}"
        )
    seed = _from_hex(text.decode("ascii", "replace").strip())
    if seed is None:
        raise UsageError(f"the seed file {path} must contain exactly 64 hexadecimal digits")
    return seed


_MAX_FILE_BYTES = 1024  # maximum bytes read from a seed file


def _read_with_timeout(fd: int, seconds: float) -> bytes:
    """Read a file or pipe; raise TimeoutError after ``seconds``, or OSError if reading fails."""
    deadline = time.monotonic() + seconds
    wait = select.poll()
    wait.register(fd, select.POLLIN)
    text = b""
    while len(text) < _MAX_FILE_BYTES:
        if not wait.poll(max(0.0, deadline - time.monotonic()) * 1000):
            raise TimeoutError
        data = os.read(fd, _MAX_FILE_BYTES - len(text))
        if not data:
            break
        text += data
    return text


def _from_hex(text: str) -> bytes | None:
    if len(text) != 2 * SEED_LENGTH:
        return None
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        return None
    return seed if len(seed) == SEED_LENGTH else None  # fromhex() skips whitespace


# A random generator with the same results on every machine.
#
# Python's ``random`` may change between versions, but hidden tests must not.  The bytes are BLAKE2b
# in counter mode with a 256-bit key.  Generators are forked by labels, so that one problem does not
# affect another.

GENERATOR_VERSION = 2
"""Version of the test generator; increase it with any change of the generated tests."""

T = TypeVar("T")


class Rng:
    """Deterministic generator of unbiased random values, seeded with ``key``."""

    __slots__ = ("_buffer", "_counter", "_key", "_used")

    def __init__(self, key: bytes):
        self._key = blake2b(key, digest_size=32, person=b"esoplay.key").digest()
        self._counter = 0
        self._buffer = b""
        self._used = 0  # number of bytes of the buffer that were used

    def fork(self, *labels: str | int) -> Rng:
        """Return an independent generator for ``labels``; it does not depend on earlier draws."""
        return Rng(blake2b(_encode_labels(*labels), key=self._key, person=b"esoplay.fork").digest())

    def integer(self, minimum: int, maximum: int) -> int:
        """Return a uniform integer between ``minimum`` and ``maximum``, both included."""
        width = maximum - minimum + 1
        if 1 < width <= 256:  # the most frequent case: one byte per draw
            shift = _SHIFTS[width]
            while True:
                used = self._used
                if used == len(self._buffer):
                    self._refill(1)
                    used = 0
                self._used = used + 1
                drawn = self._buffer[used] >> shift
                if drawn < width:
                    return minimum + drawn
                # Draw again: a remainder would be biased towards small numbers.
        if width < 1:
            raise ValueError(f"empty range: {minimum} to {maximum}")
        bits = (width - 1).bit_length()
        size = (bits + 7) // 8
        while True:
            start, end = self._used, self._used + size
            if end > len(self._buffer):
                start, end = 0, size
                self._refill(size)
            self._used = end
            drawn = int.from_bytes(self._buffer[start:end]) >> (-bits % 8)
            if drawn < width:  # else draw again, as above
                return minimum + drawn

    def _draw_each(self, width: int, count: int) -> list[int]:
        """Return ``count`` uniform integers: below ``width``, below ``width`` - 1, and so on.

        The same as repeated calls of ``integer``, but faster.
        """
        end = width - count
        found: list[int] = []
        while width > max(end, 256):
            found.append(self.integer(0, width - 1))
            width -= 1
        while width > max(end, 1):
            if self._used == len(self._buffer):
                self._refill(1)
            shift = _SHIFTS[width]
            least = max(end, 128 >> shift)  # greater widths have the same shift
            drawn = iter(self._buffer[self._used :].translate(_SHIFTED[shift]))
            for number in drawn:
                if number < width:
                    found.append(number)
                    width -= 1
                    if width == least:
                        break
            self._used = len(self._buffer) - length_hint(drawn)
        if width > end:
            found.append(0)  # below 1, which takes no byte
        return found

    def chance(self, hits: int, total: int) -> bool:
        """Return True with probability ``hits`` / ``total``."""
        return self.integer(1, total) <= hits

    def choice(self, items: Sequence[T]) -> T:
        """Return a random item."""
        return items[self.integer(0, len(items) - 1)]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return ``count`` items, or all if fewer, from different positions in random order."""
        width = len(items)
        taken = min(count, width)
        found: list[T] = []
        moved: dict[int, T] = {}  # items that a partial shuffle would have moved, by new position
        for place, further in enumerate(self._draw_each(width, taken)):
            other = place + further
            found.append(moved[other] if other in moved else items[other])
            moved[other] = moved[place] if place in moved else items[place]
        return found

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order, as a new list."""
        mixed = list(items)
        last = len(mixed)
        for other in self._draw_each(last, last):
            last -= 1
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def text(self, alphabet: Sequence[str], minimum: int, maximum: int) -> str:
        """Return a random string of ``minimum`` to ``maximum`` characters of the alphabet."""
        length = minimum if minimum == maximum else self.integer(minimum, maximum)
        if length == 1:
            return self.choice(alphabet)
        if not 1 < len(alphabet) <= 256:
            return "".join(self.choice(alphabet) for _ in range(length))
        # The same as above, but for many bytes at once.
        indices, rejected = _tables(len(alphabet))
        drawn = b""
        while len(drawn) < length:
            if self._used == len(self._buffer):
                self._refill(1)
            taken = self._buffer[self._used : self._used + length - len(drawn)]
            self._used += len(taken)
            drawn += taken.translate(indices, rejected)
        if length > 8 and isinstance(alphabet, str) and alphabet.isascii():
            return drawn.translate(alphabet.encode().ljust(256)).decode()
        return "".join(map(alphabet.__getitem__, drawn))

    def _refill(self, count: int) -> None:
        """Remove the used bytes of the buffer; append random bytes until it has ``count``."""
        self._buffer = self._buffer[self._used :]
        self._used = 0
        while len(self._buffer) < count:
            counter = self._counter.to_bytes(8)
            self._buffer += blake2b(counter, key=self._key, person=b"esoplay.draw").digest()
            self._counter += 1


_SHIFTS = [8 - max(width - 1, 0).bit_length() for width in range(257)]
"""Number of low bits to drop from a random byte, by width, to draw an integer below the width."""

_SHIFTED = [bytes(byte >> shift for byte in range(256)) for shift in range(9)]
"""Tables for ``bytes.translate``; table ``n``, from 0 to 8, drops the ``n`` low bits of a byte."""


@lru_cache(256)
def _tables(width: int) -> tuple[bytes, bytes]:
    """Return two tables with which a random byte becomes an integer from 0 to ``width`` - 1.

    The first contains the integer for each value of a byte, the second the values to reject: their
    integers are too large, so another byte must be drawn.
    """
    shift = _SHIFTS[width]
    indices = bytes(byte >> shift for byte in range(256))
    return indices, bytes(byte for byte in range(256) if byte >> shift >= width)


def encode_fields(*fields: str | int | bytes) -> bytes:
    """Encode the fields as bytes; different lists of fields have different encodings."""
    encoded = [field if isinstance(field, bytes) else str(field).encode() for field in fields]
    return b"".join(len(field).to_bytes(8) + field for field in encoded)


_encode_labels = lru_cache(1024, typed=True)(encode_fields)
