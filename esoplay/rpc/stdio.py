"""The process's own standard input and output, taken for the protocol alone."""

from __future__ import annotations

from esoplay.descriptors import claim_stdio
from esoplay.rpc.connection import Connection
from esoplay.rpc.framing import descriptor_reader, descriptor_ready, descriptor_writer
from esoplay.rpc.methods import METHODS
from esoplay.rpc.server import Server


def serve_stdio(connection: Connection) -> None:
    """Serve the client on stdin and stdout; returns when stdin has ended."""
    source, sink = claim_stdio()
    read, write = descriptor_reader(source), descriptor_writer(sink)
    Server(METHODS, connection, read, write, ready=descriptor_ready(sink)).serve()
