"""One thread reads messages, one answers them and moves the program between them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from esoplay.dap.adapter import Adapter
from esoplay.dap.protocol import BrokenStream, ClientGone, MessageWriter, read_messages
from esoplay.descriptors import claim_stdio, read_some, write_all

_MOST_WAITING = 1000
"""Messages read ahead; a flood beyond waits in the client's pipe."""

Message = dict[str, Any] | str


class MessageInbox:
    """Messages in the order they came.  Safe from any thread."""

    def __init__(self) -> None:
        self._messages: deque[Message] = deque()
        self._closed = False
        self._changed = threading.Condition()

    def put(self, message: Message) -> None:
        """Append; waits while too many are there."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._messages) < _MOST_WAITING or self._closed)
            self._messages.append(message)
            self._changed.notify_all()

    def waits(self) -> bool:
        """Whether one is there, or none will come any more."""
        return bool(self._messages) or self._closed

    def take(self, wait: bool) -> Message | None:
        """The next one; None when there is none, and ``wait`` is false or none will come."""
        with self._changed:
            if wait:
                self._changed.wait_for(self.waits)
            message = self._messages.popleft() if self._messages else None
            self._changed.notify_all()
            return message

    def close(self) -> None:
        """Say that no more will come."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def ended(self) -> bool:
        """Whether all that came was taken, and no more will."""
        return self._closed and not self._messages


def serve(read: Callable[[int], bytes], write: Callable[[bytes], object]) -> None:
    """Serve one client until it disconnects or its stream ends."""
    inbox = MessageInbox()
    adapter = Adapter(MessageWriter(write), inbox.waits)

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
        while not adapter.over:
            message = inbox.take(wait=not adapter.going)
            if message is not None:
                adapter.take(message)
            elif inbox.ended:
                return
            else:
                adapter.proceed()
    except ClientGone:
        pass  # with whatever it wanted
    finally:
        inbox.close()


def serve_stdio() -> None:
    """Serve the client on stdin and stdout, which are the protocol's alone."""
    source, sink = claim_stdio()
    serve(lambda size: read_some(source, size), lambda data: write_all(sink, data))
