"""The server of B15: HTTP on 127.0.0.1, one request for each connection."""

import socket
from contextlib import suppress


def answer(method: str, path: str, body: str) -> tuple[int, dict[str, str], str]:
    """Answer with the word in upper case, in the form that the path names."""
    word = body.upper() if method == "POST" else ""
    texts = {
        "/missing": f'{{"whisper": "{body}"}}',
        "/number": f'{{"shout": {len(body)}}}',
        "/text": word,
    }
    text = texts.get(path, f'{{"shout": "{word}"}}')
    return 503 if path == "/busy" else 200, {"Content-Type": "application/json"}, text


def serve(connection: socket.socket) -> None:
    with connection, connection.makefile("rb") as request:
        method, path, _ = request.readline().decode().split(" ")
        length = 0
        while line := request.readline().strip():
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        status, headers, text = answer(method, path, request.read(length).decode())
        lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(text)}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        connection.sendall("\r\n".join([*lines, "", text]).encode())


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 18115))
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        with suppress(OSError, ValueError):  # the client has left, or sent something else than HTTP
            serve(connection)


if __name__ == "__main__":
    main()
