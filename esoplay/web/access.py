"""Access control of the web server: token, cookie, Host and Origin."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Iterable

TOKEN_BYTES = 32
"""Number of random bytes in a token; 256 bits cannot be guessed."""


def is_loopback(address: str) -> bool:
    """Return whether only programs on this computer can connect to ``address``."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


class Access:
    """Access control of one server, with a token that is valid while the server runs.

    host_names: names of the server, in addition to IP addresses. Other names are refused, because
    another site could resolve its name to this server (DNS rebinding).
    """

    def __init__(self, host_names: Iterable[str] = ()) -> None:
        self.token = secrets.token_urlsafe(TOKEN_BYTES)
        self.cookie = secrets.token_urlsafe(TOKEN_BYTES)
        """Value of the cookie, different from the token, which may be in the browser history."""
        self._host_names = {"localhost", *(name.lower() for name in host_names)}

    def accepts_token(self, token: str | None) -> bool:
        """Return whether a token is correct, in constant time."""
        return _tokens_equal(token, self.token)

    def accepts_cookie(self, cookie: str | None) -> bool:
        """Return whether a cookie is correct, in constant time."""
        return _tokens_equal(cookie, self.cookie)

    def accepts_host(self, host: str | None) -> bool:
        """Return whether a ``Host`` header names this server by an address or one of its names.

        The port is ignored, because port forwarding may change it.
        """
        name = host_name(host or "")
        if name is None:
            return False
        if name in self._host_names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def accepts_origin(self, origin: str | None, host: str | None) -> bool:
        """Return whether an ``Origin`` header belongs to a page of this server."""
        if not origin or not host:
            return False
        scheme, separator, place = origin.partition("://")
        return bool(separator) and scheme in ("http", "https") and place.lower() == host.lower()


def host_name(host: str) -> str | None:
    """Return the name in ``NAME:PORT`` in lower case, without brackets; None if it is malformed."""
    if host.startswith("["):
        name, bracket, port = host[1:].partition("]")
        if not bracket or (port and not port.startswith(":")):
            return None
        port = port[1:]
    else:
        name, _, port = host.partition(":")
    if port and not (port.isascii() and port.isdigit()):
        return None
    return name.lower().removesuffix(".") or None


def _tokens_equal(given: str | None, expected: str) -> bool:
    return hmac.compare_digest((given or "").encode("utf-8", "replace"), expected.encode())
