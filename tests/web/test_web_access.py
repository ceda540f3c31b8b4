"""Requests need the token, and the origin and host name of the page itself."""

from __future__ import annotations

import re

import pytest
from aiohttp import WSServerHandshakeError
from web_server import Serve

from esoplay.web.access import Access, is_loopback

PATHS = ["/", "/page.js", "/page.css", "/static/js/textual.js", "/static/", "/ws", "/nothing"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("given", [{}, {"token": ""}, {"token": "guess"}])
async def test_nothing_is_served_without_the_token(
    serve: Serve, path: str, given: dict[str, str]
) -> None:
    async with serve() as asker:
        headers = {"Origin": asker.origin}
        async with asker.client.get(path, params=given, headers=headers) as answer:
            assert answer.status == 403
            assert "esoplay web" in await answer.text()
            assert not answer.cookies


async def test_a_socket_needs_the_cookie(serve: Serve) -> None:
    async with serve() as asker:
        with pytest.raises(WSServerHandshakeError) as refused:
            await asker.socket()
        assert refused.value.status == 403
        with pytest.raises(WSServerHandshakeError) as refused:
            await asker.client.ws_connect(
                f"/ws?token={asker.access.token}", headers={"Origin": asker.origin}
            )
        assert refused.value.status == 403
        await asker.enter()
        async with asker.socket() as socket:
            await socket.send_json(["stdin", "x"])
            assert await socket.receive_bytes() == b"Dx"


async def test_the_token_becomes_a_cookie_and_leaves_the_address(serve: Serve) -> None:
    async with serve() as asker:
        given = {"token": asker.access.token}
        async with asker.client.get("/", params=given, allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (303, "/")
            (cookie,) = answer.cookies.values()
            assert cookie["httponly"]
            assert cookie["samesite"] == "Strict"
            assert cookie.value != asker.access.token
        async with asker.client.get("/") as answer:
            assert answer.status == 200
            assert asker.access.token not in await answer.text()
        for path in PATHS[1:4]:
            async with asker.client.get(path) as answer:
                assert answer.status == 200


async def test_a_page_of_another_site_is_refused(serve: Serve) -> None:
    async with serve() as asker:
        await asker.enter()
        port = asker.client.port
        foreign = ["http://evil.example", "null", f"http://127.0.0.1:{port}1", "http://127.0.0.1"]
        for origin in foreign:
            for path in ("/", "/ws"):
                async with asker.client.get(path, headers={"Origin": origin}) as answer:
                    assert answer.status == 403, (origin, path)
        async with asker.client.get("/ws") as answer:  # browsers always say where a socket is from
            assert answer.status == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "", "[::1", "127.0.0.1:x"])
async def test_the_host_name_of_another_site_is_refused(serve: Serve, host: str) -> None:
    async with serve() as asker:
        await asker.enter()
        headers = {"Host": host, "Origin": f"http://{host}"}
        for path in ("/", "/ws"):
            async with asker.client.get(path, headers=headers) as answer:
                assert answer.status in (400, 403)


async def test_a_host_name_given_as_an_option_is_served(serve: Serve) -> None:
    async with serve(names=("Box.example",)) as asker:
        given = {"token": asker.access.token}
        headers = {"Host": "box.example:8000"}
        async with asker.client.get(
            "/", params=given, headers=headers, allow_redirects=False
        ) as answer:
            assert answer.status == 303


def test_known_hosts_and_origins_are_accepted_and_others_refused() -> None:
    access = Access()
    for host in ("127.0.0.1:8000", "LOCALHOST", "localhost.:9000", "[::1]:80", "192.168.0.7:80"):
        assert access.accepts_host(host), host
    for host in (None, "", ":80", "localhost.evil.example", "127.0.0.1.evil.example", "a@b"):
        assert not access.accepts_host(host), host
    assert access.accepts_origin("http://localhost:8000", "LocalHost:8000")
    assert not access.accepts_origin("http://localhost:8001", "localhost:8000")
    assert not access.accepts_origin("file://localhost:8000", "localhost:8000")
    assert not access.accepts_origin("localhost:8000", "localhost:8000")


def test_each_server_has_its_own_long_token() -> None:
    tokens = {Access().token for _ in range(50)} | {Access().cookie for _ in range(50)}
    assert len(tokens) == 100
    assert all(len(token) >= 43 for token in tokens)
    assert not Access().accepts_token("ünï\ud800")


def test_loopback_addresses_are_recognized() -> None:
    assert all(map(is_loopback, ["127.0.0.1", "127.9.9.9", "::1", "localhost"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "10.0.0.1", "box.example", ""]))


async def test_every_answer_forbids_content_from_other_hosts(serve: Serve) -> None:
    async with serve() as asker:
        statuses: set[int] = set()
        for path, given in [
            ("/", {}),
            ("/", {"token": asker.access.token}),
            *[(p, {}) for p in PATHS],
        ]:
            headers = {"Origin": asker.origin}
            async with asker.client.get(path, params=given, headers=headers) as answer:
                statuses.add(answer.status)
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "frame-ancestors 'none'" in policy
                assert not re.search(r"https?:|\*|unsafe-eval|script-src[^;]*unsafe", policy)
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert statuses == {200, 400, 403, 404}


async def test_a_page_refers_to_no_other_host(serve: Serve) -> None:
    async with serve() as asker:
        await asker.enter()
        own = f"ws://127.0.0.1:{asker.client.port}/ws"
        for path in ("/", "/page.css", "/page.js", "/static/css/xterm.css"):
            async with asker.client.get(path) as answer:
                text = (await answer.text()).replace(own, "")
            named = re.findall(
                r"""(?:src=|href=|url\(|data-[a-z-]*url=)\s*["']?([^"')\s]+)""", text
            )
            assert all(re.match(r"/[a-z]|data:", name) for name in named), (path, named)
            assert not re.search(r"@import|fetch\(|XMLHttpRequest|sendBeacon", text)
