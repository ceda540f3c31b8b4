"""Lines in, lines out, whatever the chunks."""

from __future__ import annotations

import os

from hypothesis import given
from hypothesis import strategies as st

from esoplay.rpc.transport import LineReader, OverlongLine, descriptor_writer


def read_all(data: bytes, sizes: list[int], limit: int) -> list[bytes | OverlongLine]:
    """The lines of ``data`` when it arrives in chunks of these sizes, and then in one."""
    chunks: list[bytes] = []
    for size in sizes:
        chunks.append(data[:size])
        data = data[size:]
    chunks = [chunk for chunk in [*chunks, data] if chunk]
    return list(LineReader(lambda _: chunks.pop(0) if chunks else b"", limit))


@given(
    st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b"")), max_size=8),
    st.lists(st.integers(1, 9), max_size=30),
)
def test_lines_do_not_depend_on_the_chunks_that_arrive(
    lines: list[bytes], sizes: list[int]
) -> None:
    expected = [OverlongLine(8) if len(line) > 8 else line for line in lines]
    assert read_all(b"".join(line + b"\n" for line in lines), sizes, 8) == expected


def test_a_last_line_without_newline_is_a_line() -> None:
    assert read_all(b"one\ntwo", [], 100) == [b"one", b"two"]


def test_an_endless_line_is_reported_before_its_newline() -> None:
    def endless(size: int) -> bytes:
        return b"x" * size

    assert next(iter(LineReader(endless, 1 << 20))) == OverlongLine(1 << 20)


def test_the_stream_continues_after_a_line_that_is_too_long() -> None:
    assert read_all(b"x" * 50 + b"\nnext\n", [7] * 9, 10) == [OverlongLine(10), b"next"]


def test_a_full_pipe_still_gets_every_byte() -> None:
    import threading

    source, sink = os.pipe()
    data = os.urandom(1 << 20)
    received = bytearray()

    def drain() -> None:
        while chunk := os.read(source, 1 << 16):
            received.extend(chunk)

    thread = threading.Thread(target=drain)
    thread.start()
    descriptor_writer(sink)(data)
    os.close(sink)
    thread.join()
    os.close(source)
    assert received == data
