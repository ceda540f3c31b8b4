"""``esoplay web``: serve the terminal application to browsers."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SUMMARY = "open the terminal application in a browser, on this machine"
DESCRIPTION = """\
Serve the terminal application to browsers on this machine until Ctrl-C or SIGTERM, and print the
address to open. The address has a token; without it nothing is served. All pages share your
progress, notes and settings, as terminals do. Closing a page ends its application.
Anyone with the address can do everything that you can do in the application.
Needs the extra web: pip install 'esoplay[web]'."""
EXAMPLES = """\
examples:
  esoplay web
  esoplay web --port 0                 on a free port
  esoplay web --pages 1                one page at a time
  ssh -t -L 8000:127.0.0.1:8000 HOST esoplay web
                                       on another machine, from here
"""

MISSING_EXTRA_MESSAGE = "`esoplay web` needs the extra web: pip install 'esoplay[web]'"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=8000, metavar="N", help="default: 8000")
    parser.add_argument(
        "--pages",
        type=int,
        default=4,
        metavar="N",
        help="maximum number of open pages; default: 4",
    )
    parser.add_argument(
        "--bind",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="default: 127.0.0.1, which only this machine can reach",
    )
    parser.add_argument(
        "--allow-network",
        action="store_true",
        help="allow a --bind address that other machines can reach, without encryption",
    )
    parser.add_argument(
        "--host-name",
        action="append",
        default=[],
        metavar="NAME",
        help="a name by which browsers reach this server, besides localhost and addresses; "
        "may be repeated",
    )


def run(args: argparse.Namespace) -> int:
    from esoplay.errors import EXIT_PASSED, UsageError

    if args.pages < 1:
        raise UsageError("--pages must be an integer, 1 or more")
    try:
        import aiohttp
        import textual_serve
    except ModuleNotFoundError:
        raise UsageError(MISSING_EXTRA_MESSAGE) from None
    del aiohttp, textual_serve

    import asyncio

    from esoplay.cli.output import print_stderr
    from esoplay.web.access import Access
    from esoplay.web.server import WebServer, listen, make_address, serve

    access = Access(args.host_name)
    with listen(args.bind, args.port, allow_network=args.allow_network) as listener:
        server = WebServer(access, port=listener.getsockname()[1], pages=args.pages)

        def announce() -> None:
            print(make_address(listener, access.token), flush=True)
            print_stderr(
                "Open this address in a browser; each page runs an application of its own. Ctrl-C "
                "stops these and the server."
            )

        asyncio.run(serve(server, listener, announce))
    return EXIT_PASSED
