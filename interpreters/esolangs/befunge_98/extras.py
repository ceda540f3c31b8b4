"""The dispatch of the rare instructions ``y ( ) i o`` and the letters of fingerprints.

Both builds execute them in Python.  An instruction that cannot be executed changes nothing.
"""

from __future__ import annotations

import os
import time

from esolangs import work
from esolangs.befunge_98.folder import (
    MAX_BYTES,
    count_created,
    is_free_path,
    may_create,
    open_file,
    path_to,
    resolve_name,
)
from esolangs.befunge_98.opcodes import BLANK, CELL_COST, QUEUE
from esolangs.befunge_98.transaction import StepRefused, Transaction
from esolangs.reasons import BUDGET, MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from esolangs.befunge_98._core import IP, Core
    from esolangs.limits import World


def execute(core: Core, ip: IP, op: int, world: World | None) -> int:
    """Execute instruction ``op`` of the active IP.

    Returns BUDGET if this succeeded, otherwise the reason why it failed.
    """
    transaction = Transaction(core, ip, world)
    core.effort += 16
    used, room = core.used, CELL_COST * ip.room
    try:
        transaction.begin()
        _instruction(transaction, op)
        transaction.finish()
    except StepRefused as refused:
        transaction.undo()
        # The buffer does not shrink; its size is already charged.
        core.used = used + CELL_COST * ip.room - room
        return refused.reason
    finally:
        core.reserved = 0
    return BUDGET


def _instruction(transaction: Transaction, op: int) -> None:
    if op == 121:  # y
        push_system_information(transaction)
    elif op in b"()":
        from esolangs.befunge_98.fingerprints import load, unload

        (load if op == 40 else unload)(transaction)
    elif op in b"io":
        if transaction.world is None or transaction.world.folder is None:
            transaction.execute_unknown()
        else:
            (load_file if op == 105 else store_file)(transaction)
    else:
        from esolangs.befunge_98.fingerprints import execute_letter

        if transaction.core.unbounded:
            transaction.charge_work(_estimate_work(transaction.ip))
        execute_letter(transaction, op)


def _estimate_work(ip: IP) -> int:
    """Return an estimate of the work of a fingerprint's instruction, from its operands."""
    lowest = 0 if ip.modes & QUEUE else max(0, ip.depth - MAX_OPERANDS)
    operands = ip.buffer[lowest : min(ip.depth, lowest + MAX_OPERANDS)]
    return 4 * work.of_square(max([work.words(value) for value in operands], default=0))


MAX_OPERANDS = 4  # few instructions pop more values
VERSION = 100
HANDPRINT = int.from_bytes(b"ESOP", "big")
CONCURRENT, INPUT, OUTPUT = 1, 2, 4  # flags: without running commands and unbuffered input


def push_system_information(transaction: Transaction) -> None:
    """Pop n, and push all values of ``y``, or only the n-th value if n is positive.

    If n exceeds the number of values, the excess selects a value of the stack, from the top.
    """
    wanted, ip = transaction.pop(), transaction.ip
    head, depth = _system_information(transaction), transaction.depth
    sizes, tail = len(head), len(head) + 1 + len(ip.below)
    if wanted <= 0:
        transaction.charge_moves(len(ip.below))
        for value in reversed(_TAIL):
            transaction.push(value)
        for _, size in ip.below:
            transaction.push(size)
        transaction.push(depth)
        for value in reversed(head):
            transaction.push(value)
        return
    at = wanted - 1
    if at < sizes:
        transaction.push(head[at])
    elif at == sizes:
        transaction.push(depth)
    elif at < tail:
        transaction.push(ip.below[tail - 1 - at][1])
    elif at < tail + len(_TAIL):
        transaction.push(_TAIL[at - tail])
    else:
        transaction.push(transaction.value_at(wanted - tail - len(_TAIL)))


def sysinfo_length(transaction: Transaction) -> int:
    """Return the number of cells that ``y`` reports."""
    return len(_system_information(transaction)) + 1 + len(transaction.ip.below) + len(_TAIL)


_TAIL = (0, 0, 0, 0)
"""The last values of ``y``: an empty program name, the end of the arguments, no environment."""


def _system_information(transaction: Transaction) -> list[int]:
    """Return the values of ``y`` (Funge-98, "System Information") up to the number of stacks."""
    core, ip, world = transaction.core, transaction.ip, transaction.world
    core.tighten_bounds()
    bounds = core.low_x, core.low_y, core.high_x, core.high_y
    left, top, right, bottom = bounds if core.low_x <= core.high_x else (0, 0, 0, 0)
    flags = CONCURRENT
    if world is not None and world.folder is not None:
        flags |= INPUT | OUTPUT
    return [
        flags,
        -1 if core.unbounded else 8,
        HANDPRINT,
        VERSION,
        0,  # no command can be run
        ord("/"),
        2,
        ip.id,
        0,
        *(ip.y, ip.x),
        *(ip.dy, ip.dx),
        *(ip.oy, ip.ox),
        *(top, left),
        *(bottom - top, right - left),
        *_clock(0 if world is None else world.started),
        len(ip.below) + 1,
    ]


def _clock(seconds: int) -> tuple[int, int]:
    """Return the date and the time in UTC, each in one cell; 1970 if the clock is out of range."""
    try:
        now = time.gmtime(seconds)
    except (OverflowError, ValueError, OSError):
        now = time.gmtime(0)
    date = (now.tm_year - 1900) * 65536 + now.tm_mon * 256 + now.tm_mday
    return date, now.tm_hour * 65536 + now.tm_min * 256 + now.tm_sec


def load_file(transaction: Transaction) -> None:
    """Execute ``i``: load a file, whose spaces leave cells unchanged; push its size and corner."""
    name, flags, (x, y) = transaction.pop_string(), transaction.pop(), transaction.pop_vector()
    data = _read(transaction, name)
    if data is None:
        transaction.reflect()
        return
    transaction.charge_writes(len(data))
    rows = [data] if flags & 1 else [row.replace(b"\f", b"") for row in data.splitlines()]
    core, ip = transaction.core, transaction.ip
    left, top = x + ip.ox, y + ip.oy

    def cells() -> Iterator[tuple[int, int, int]]:
        for line, row in enumerate(rows):
            for column, value in enumerate(row):
                if value != BLANK:
                    yield left + column, top + line, value

    width = max([len(row) for row in rows], default=0)
    far = transaction.count_outside(left, top, width, len(rows))
    if far:
        right, bottom = core.left + core.width, core.top + core.height
        far = sum(
            1
            for at_x, at_y, _ in cells()
            if not (core.left <= at_x < right and core.top <= at_y < bottom)
        )
    transaction.reserve_memory(far)
    transaction.push_vector(width, len(rows))
    transaction.push_vector(x, y)
    for at_x, at_y, value in cells():
        transaction.put(at_x, at_y, value)


def store_file(transaction: Transaction) -> None:
    """Execute ``o``: store a block of cells in a file, with a newline after every row.

    If the popped flags request a linear text file, spaces before newlines and newlines at the end
    of the file are left out.
    """
    name, flags = transaction.pop_string(), transaction.pop()
    (x, y), (width, height) = transaction.pop_vector(), transaction.pop_vector()
    path = path_to(transaction, resolve_name(transaction, name))
    if path is None or width < 1 or height < 1:
        transaction.reflect()
        return
    if width * height > min(MAX_BYTES, transaction.core.max_memory):
        raise StepRefused(MEMORY_FULL)
    transaction.charge_moves(width * height)
    left, top = x + transaction.ip.ox, y + transaction.ip.oy
    rows = [
        bytes([transaction.get(left + column, top + line) & 255 for column in range(width)])
        for line in range(height)
    ]
    if flags & 1:
        text = b"".join([row + b"\n" for row in rows])
        data = b"\n".join([line.rstrip(b" ") for line in text.split(b"\n")]).rstrip(b"\n")
    else:
        data = b"".join([row + b"\n" for row in rows])
    new = is_free_path(path)
    if (new and not may_create(transaction)) or not _write(path, data):
        transaction.reflect()
    elif new:
        count_created(transaction)


def _read(transaction: Transaction, name: list[int]) -> bytes | None:
    with open_file(path_to(transaction, resolve_name(transaction, name)), os.O_RDONLY) as file:
        if file is None:
            return None
        most = min(MAX_BYTES, transaction.core.max_memory)
        try:
            with open(file, "rb", closefd=False) as reader:
                data = reader.read(most + 1)
        except OSError:
            return None
    if len(data) > most:
        raise StepRefused(MEMORY_FULL)
    return data


def _write(path: str, data: bytes) -> bool:
    with open_file(path, os.O_WRONLY | os.O_CREAT) as file:
        if file is None:
            return False
        try:
            with open(file, "wb", closefd=False) as writer:
                writer.truncate(0)
                writer.write(data)
        except OSError:
            return False
    return True
