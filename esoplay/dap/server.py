"""The adapter's threads: one reads messages, another answers them and runs the program."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from esoplay.dap.adapter import Adapter
from esoplay.dap.protocol import BrokenStream, ClientDisconnected, MessageWriter, read_messages
from esoplay.descriptors import claim_stdio, read_some, write_all

_MAX_QUEUED_MESSAGES = 1000
"""The maximum number of queued messages; further messages remain in the client's pipe."""

Message = dict[str, Any] | str


class MessageInbox:
    """A thread-safe queue of messages in the order of arrival."""

    def __init__(self) -> None:
        self._messages: deque[Message] = deque()
        self._closed = False
        self._changed = threading.Condition()

    def put(self, message: Message) -> None:
        """Append a message; wait while the queue is full."""
        with self._changed:
            self._changed.wait_for(
                lambda: len(self._messages) < _MAX_QUEUED_MESSAGES or self._closed
            )
            self._messages.append(message)
            self._changed.notify_all()

    def is_ready(self) -> bool:
        """Return whether ``take`` would not wait: the queue has a message or is closed."""
        return bool(self._messages) or self._closed

    def take(self, wait: bool) -> Message | None:
        """Return the next message, or None if the queue is empty.

        wait: whether to wait for a message until the queue is closed.
        """
        with self._changed:
            if wait:
                self._changed.wait_for(self.is_ready)
            message = self._messages.popleft() if self._messages else None
            self._changed.notify_all()
            return message

    def close(self) -> None:
        """Close the queue: no more messages arrive."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def ended(self) -> bool:
        """Whether the queue is closed and empty."""
        return self._closed and not self._messages


def serve(read: Callable[[int], bytes], write: Callable[[bytes], object]) -> None:
    """Serve one client until it disconnects or its stream ends."""
    inbox = MessageInbox()
    adapter = Adapter(MessageWriter(write), inbox.is_ready)

    def receive() -> None:
        try:
            for message in read_messages(read):
                inbox.put(message)
        except BrokenStream as error:
            inbox.put(str(error))
        except OSError:
            pass
        finally:
            inbox.close()

    threading.Thread(target=receive, daemon=True).start()
    try:
        while not adapter.is_over:
            message = inbox.take(wait=not adapter.is_running)
            if message is not None:
                adapter.handle(message)
            elif inbox.ended:
                return
            else:
                adapter.proceed()
    except ClientDisconnected:
        pass  # the client has disconnected
    finally:
        inbox.close()


def serve_stdio() -> None:
    """Serve the client on stdin and stdout, which only carry messages of the protocol."""
    source, sink = claim_stdio()
    serve(lambda size: read_some(source, size), lambda data: write_all(sink, data))
