"""The thin client as files of a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from esoplay import thin_client

CLIENT = "session.py"
COMMAND = f"python3 {CLIENT}"
"""How a solver with the client calls the moves of its session."""


def client_source() -> bytes:
    """The client, as it is run here, too."""
    return Path(thin_client.__file__).read_bytes()


def client_files(socket: Path) -> Mapping[str, str]:
    """What a workspace holds beside its instructions, for a server that listens on ``socket``."""
    return {CLIENT: client_source().decode(), thin_client.SOCKET: f"{socket.absolute()}\n"}
