"""Addresses of endpoints, and the way to them."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from esoplay.errors import UsageError


def checked_address(base_url: str) -> str:
    """A base address without its last slash; raises UsageError."""
    try:
        parts = urlsplit(base_url)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        sound = False
        parts = urlsplit("")
    if not sound or not base_url.isprintable() or not base_url.isascii() or " " in base_url:
        raise UsageError(
            f"--base-url takes an address such as https://host/v1 or http://localhost:8000/v1, "
            f"not {base_url!r}"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError("--base-url takes no user, password, query or fragment")
    return base_url.rstrip("/")


def is_loopback(base_url: str) -> bool:
    """Whether the address is this machine's own."""
    host = urlsplit(base_url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, such as 127.example.com
        return False


def proxy_for(address: str) -> str | None:
    """The proxy that the system names for an address, never one for this machine's own."""
    parts = urlsplit(address)
    if is_loopback(address) or proxy_bypass(parts.netloc):
        return None
    proxy = getproxies().get(parts.scheme)
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"
