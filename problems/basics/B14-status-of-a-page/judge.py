"""B14 Status of a Page: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

PORT = 18114


def solve(text: str) -> str:
    return text.rpartition("/")[2] if f":{PORT}/" in text else "error"


def cases(rng):
    yield "fine", f"http://127.0.0.1:{PORT}/status/{rng.choice([200, 201, 202, 203, 206])}"
    yield "redirect", f"http://127.0.0.1:{PORT}/status/{rng.choice([301, 302, 303, 307, 308])}"
    yield "client", f"http://127.0.0.1:{PORT}/status/{rng.integer(400, 451)}"
    yield "client", f"http://127.0.0.1:{PORT}/status/{rng.choice([404, 410, 418, 429])}"
    yield "server", f"http://127.0.0.1:{PORT}/status/{rng.integer(500, 511)}"
    yield "nothing", f"http://127.0.0.1:{rng.integer(18190, 18199)}/status/200"
