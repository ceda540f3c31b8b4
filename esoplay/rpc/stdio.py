"""The process's own standard input and output, taken for the protocol alone."""

from __future__ import annotations

import os
import sys

from esoplay.rpc.connection import Connection
from esoplay.rpc.framing import descriptor_reader, descriptor_writer
from esoplay.rpc.methods import METHODS
from esoplay.rpc.server import Server


def serve_stdio(connection: Connection) -> None:
    """Serve the client on stdin and stdout; returns when stdin has ended."""
    source, sink = _claim()
    Server(METHODS, connection, descriptor_reader(source), descriptor_writer(sink)).serve()


def _claim() -> tuple[int, int]:
    """Descriptors of the protocol's input and output.

    From then on descriptor 0 is empty and descriptor 1 is stderr, so that neither a stray
    print nor a child process can write into the protocol or read from it.
    """
    sys.stdout.flush()
    protocol_input, protocol_output = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    return protocol_input, protocol_output
