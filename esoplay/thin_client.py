#!/usr/bin/env python3
"""Play a session of esoplay over a Unix socket.

This one file is the whole client: it needs Python 3.8 or newer and nothing else, neither
esoplay nor any package.  `python3 session.py --help` lists the commands; their output and exit
status are the same as with `esoplay session`.

The path of the server's socket comes from --connect, the environment variable ESOPLAY_SOCKET, or
the file .esoplay-socket in the workspace.  If the answer to a submission or a run was lost, repeat
the same command: the server returns the first answer again and does not count the request twice.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import re
import socket
import sys
import uuid
from contextlib import suppress
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARKER = ".esoplay-session"
SOCKET = ".esoplay-socket"
MEMORY = ".esoplay-client"
MAX_MESSAGE_BYTES = 8 << 20
"""Maximum size of a message to the server, in bytes."""

PASSED, FAILED, USAGE, INTERNAL, INTERRUPTED = 0, 1, 2, 4, 130
_EXIT = {
    "usage": USAGE,
    "unknown_problem": USAGE,
    "unknown_session": USAGE,
    "store_error": INTERNAL,
    "internal_error": INTERNAL,
}
_RETRYABLE = ("store_error", "internal_error", "cancelled")  # repeating the request may succeed
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_COLUMNS = ("solved", "failed", "skipped", "active", "pending")


class EscapingStream:
    """Text stream that escapes control sequences; see esoplay/terminal_text.py."""

    mark = "\x1b" + os.urandom(8).hex()

    def __init__(self, stream: Any):
        self._stream = stream

    def write(self, text: str) -> int:
        parts = text.split(self.mark)
        parts[::2] = [escaped(part) for part in parts[::2]]
        self._stream.write("".join(parts))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def escaped(text: str) -> str:
    return text if text.isprintable() else _CONTROLS.sub(_escape, text)


def _escape(found: Any) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x7F else f"\\u{code:04x}"


class CommandFailed(Exception):
    """Raised when a command fails.  kind: the server's error kind, or "" if it sent none."""

    def __init__(self, message: str, exit_code: int, kind: str = ""):
        super().__init__(message)
        self.exit_code = exit_code
        self.kind = kind


class PendingRequests:
    """Requests without an answer, saved in a file of the workspace.

    The file also contains the heads (digests of the session's log) that the server returned, oldest
    first.
    """

    def __init__(self, folder: Path, session: str):
        self._file = folder / MEMORY
        self._session = session

    def heads(self) -> list[str]:
        return self._load()["heads"]

    def request_id(self, key: str) -> str:
        """Return the id of an unanswered request with this key, or save a new id and return it."""
        known = self._load()
        if key not in known["pending"]:
            known["pending"][key] = uuid.uuid4().hex
            for old in list(known["pending"])[:-50]:
                del known["pending"][old]
            self._save(known)
        return known["pending"][key]

    def record_answer(self, key: str | None, head: str | None) -> None:
        """Remove a request, which was answered, and save the head in the answer, if any.

        key: the key of the request.  head: the digest of the session's log.
        """
        known = self._load()
        before = json.dumps(known)
        known["pending"].pop(key, None)
        if head is not None and head not in known["heads"]:
            known["heads"] = [*known["heads"], head][-200:]
        if json.dumps(known) != before:
            self._save(known)

    def _load(self) -> dict[str, Any]:
        try:
            with open(self._file, encoding="ascii") as file:
                known = json.load(file)
            pending, heads = dict(known["pending"]), list(known["heads"])
            if known["session"] == self._session:
                return {"session": self._session, "pending": pending, "heads": heads}
        except (OSError, ValueError, KeyError, TypeError):
            pass  # missing, damaged, or from another session: ignored
        return {"session": self._session, "pending": {}, "heads": []}

    def _save(self, known: dict[str, Any]) -> None:
        beside = self._file.with_name(f"{MEMORY}.{os.getpid()}")
        try:
            with open(beside, "w", encoding="ascii") as file:
                json.dump(known, file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._file)
        except OSError as error:
            print_stderr(f"esoplay: cannot write {self._file}: {error.strerror}")


class Client:
    """Connection for one command."""

    def __init__(self, path: str, session: str | None, folder: Path):
        self._path = path
        self._session = session
        self._memory = PendingRequests(folder, session or "")

    def call(self, method: str, key: str | None = None, **params: Any) -> Any:
        """Call a method and return its result; None parameters are omitted.

        key: identifies a request that must not be executed twice.

        Raises CommandFailed if the server returns an error or cannot be reached.
        """
        given = {name: value for name, value in params.items() if value is not None}
        if self._session is not None and method.startswith("session."):
            given["session"] = self._session
        heads = self._memory.heads()
        repeat = "request_id" in given
        if key is not None and not repeat:
            key = hashlib.sha256(json.dumps([method, key]).encode()).hexdigest()
            given["request_id"] = self._memory.request_id(key)
        answer = self._exchange({"jsonrpc": "2.0", "id": 1, "method": method, "params": given})
        if "error" in answer:
            error = answer["error"]
            kind: str = error.get("data", {"kind": ""}).get("kind", "")
            if kind not in _RETRYABLE:
                self._memory.record_answer(key, None)
            code = USAGE if error["code"] == -32602 else _EXIT.get(kind, FAILED)
            raise CommandFailed(
                error["message"], INTERNAL if error["code"] == -32603 else code, kind
            )
        result = answer["result"]
        head = result.get("head")
        self._memory.record_answer(key, head)
        if head in heads[:-1] and key is None and not repeat:
            print_stderr(
                f"esoplay: the log lost events: the server returned the head (digest) {head}, "
                f"which is older than {heads[-1]}\ntry: save {heads[-1]}; when the session is "
                f"exported, run `esoplay session verify EXPORT --head {heads[-1]}`"
            )
        return result

    def last_head(self) -> str | None:
        """Return the last head (digest of the session's log) that the server returned."""
        heads = self._memory.heads()
        return heads[-1] if heads else None

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        line = json.dumps(request).encode() + b"\n"
        if len(line) > MAX_MESSAGE_BYTES:
            raise CommandFailed(f"the message is longer than {MAX_MESSAGE_BYTES} bytes", USAGE)
        try:
            with socket.socket(socket.AF_UNIX) as server:
                server.connect(self._path)
                with suppress(
                    BrokenPipeError
                ):  # the server closed the connection, perhaps after sending an error
                    server.sendall(line)
                with server.makefile("rb") as answers:
                    for text in answers:
                        message = json.loads(text)
                        if "method" not in message:
                            return message
        except OSError as error:
            raise CommandFailed(
                f"cannot reach {self._path}: {error.strerror or error}", USAGE
            ) from None
        except ValueError:
            pass  # incomplete line: the server was killed while it wrote
        raise CommandFailed(
            "the server exited before it answered; repeat the same command", INTERNAL
        )


# Output of the commands, also used by `esoplay session`


def show_statement(problem: dict[str, Any]) -> None:
    title = styled(problem["title"], "1")
    print(styled(problem["problem"], "36"), title, styled(problem["tier"], "2"))
    print(f"\n{problem['statement'].strip()}\n")
    for example in problem.get("examples", ()):
        other = [name for name in example if name not in ("input", "output")]
        more = "".join(f", {name} {example[name]!r}" for name in other)
        print(f"example: {example['input']!r} gives {example['output']!r}{more}")
    print(f"submissions left: {format_remaining(problem['submissions_left'])}", end="; ")
    print(f"local runs left: {format_remaining(problem['runs_left'])}")


def show_run(answer: dict[str, Any], name: str) -> None:
    """Print the program's output unchanged on stdout. ``name``: file name of the program."""
    if "stdout_base64" in answer:
        data = base64.b64decode(answer["stdout_base64"])
    else:
        data = answer["stdout"].encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.flush()
    if answer["stderr"]:
        print_stderr(f"esoplay: {name}: {answer['stderr']}")
    if answer["runs_left"] is not None:
        print_stderr(f"local runs left: {answer['runs_left']}")


def show_verdict(answer: dict[str, Any]) -> None:
    for test in answer.get("tests", ()):
        passed = test["verdict"] == "pass"
        sign = ("✓" if passed else "✗") if supports_unicode() else ("+" if passed else "x")
        mark = styled(sign, "32" if passed else "31")
        print(f"  {mark} {test['index']}  {test['verdict'].replace('_', ' ')}")
        for label in ("input", "expected", "got"):
            if label in test and not passed:
                print(f"       {styled(label.ljust(8), '2')}  {test[label]!r}")
        if "cause" in test:
            print(f"       {styled('cause   ', '2')}  {test['cause']['text']}")
    if answer.get("violation"):
        print(f"against the rules: {answer['violation']}")
    verdict = styled("solved", "32") if answer["solved"] else styled("not solved", "31")
    if "dialect" in answer:  # missing in answers of older servers
        print(f"dialect {answer['dialect']}")
    print(f"{answer['passed']} of {answer['total']} tests passed: {verdict}")
    if "other_dialect" in answer:
        print(answer["other_dialect"]["message"])
    if not answer["solved"]:
        left = format_remaining(answer["submissions_left"])
        print(f"submissions left: {left}; problem {answer['status']}")


def show_status(status: dict[str, Any], verbose: bool) -> None:
    state = "closed" if status["closed"] else "open"
    rules = f"{status['protocol']}, dialect {status['dialect']}"
    print(f"session {status['session']}: {status['language']}, {rules}, {state}")
    if status.get("visible_processes"):
        reason = status["visible_processes"]
        print(f"the operator accepted that the solver can see the server's processes: {reason}")
    rows = status["problems"]
    if verbose:
        for row in rows:
            name = styled(row["problem"], "36")
            print(f"  {name}  {row['status'].ljust(8)}  {_usage_text(row)}".rstrip())
    else:
        _show_tiers(status["tiers"])
        for word in _COLUMNS:
            members = [at for at, row in enumerate(rows) if row["status"] == word]
            if word == "active":
                for at in members:
                    name = styled(rows[at]["problem"], "36")
                    print(f"  {'active'.ljust(8)} {name}  {_usage_text(rows[at])}")
            elif members:
                print(f"  {word.ljust(8)} {_ranges(members, rows)}")
    print(", ".join(f"{count} {word}" for word, count in status["counts"].items() if count))


def _show_tiers(tiers: dict[str, dict[str, int]]) -> None:
    width = max(map(len, tiers), default=0)
    if tiers:
        print(styled(f"  {''.ljust(width)}" + "".join(word.rjust(9) for word in _COLUMNS), "2"))
    for tier, counts in tiers.items():
        numbers = "".join(str(counts[word]).rjust(9) for word in _COLUMNS)
        print(f"  {tier.ljust(width)}{numbers}")


def _usage_text(row: dict[str, Any]) -> str:
    if row["status"] == "pending":
        return ""
    line = f"runs: {row['runs']}, submissions: {row['submissions']}"
    if row["status"] == "active":
        for word in ("runs", "submissions"):
            left = row[f"{word}_left"]
            line += "" if left is None else f", {word} left: {left}"
    return line


def _ranges(members: list[int], rows: list[dict[str, Any]]) -> str:
    """Format problem ids, with ranges for consecutive ones. members: indexes of ``rows``."""
    runs: list[list[int]] = []
    for at in members:
        if runs and at == runs[-1][-1] + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    ends = ([rows[run[0]]["problem"], rows[run[-1]]["problem"]] for run in runs)
    return " ".join(first if first == last else f"{first}–{last}" for first, last in ends)


def format_remaining(remaining: int | None) -> str:
    return "as many as you like" if remaining is None else str(remaining)


def supports_unicode() -> bool:
    return str(sys.stdout.encoding).lower().startswith("utf")


def styled(text: str, code: str) -> str:
    """Return text in a style of the terminal, if colors are enabled."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if plain or not sys.stdout.isatty():
        return text
    mark = getattr(sys.stdout, "mark", "")
    return f"{mark}\x1b[{code}m{mark}{text}{mark}\x1b[0m{mark}"


def print_stderr(text: str) -> None:
    print(text, file=sys.stderr)


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=not supports_unicode()))


def read_file(path: str) -> bytes:
    """Read a file; - is stdin."""
    if path == "-":
        return sys.stdin.buffer.read(MAX_MESSAGE_BYTES + 1)
    try:
        with open(path, "rb") as file:
            return file.read(MAX_MESSAGE_BYTES + 1)
    except OSError as error:
        raise CommandFailed(f"cannot read {path}: {error.strerror}", USAGE) from None


def encode_base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def fetch(client: Client, args: argparse.Namespace) -> int:
    shown = client.call("session.fetch", problem=args.problem)
    print_json(shown) if args.json else show_statement(shown)
    return PASSED


def run(client: Client, args: argparse.Namespace) -> int:
    if args.file == args.input_file == "-":
        raise CommandFailed("FILE and --input-file cannot both be stdin", USAGE)
    program = encode_base64(read_file(args.file))
    given = os.fsencode(args.input or "") if args.input_file is None else read_file(args.input_file)
    key = [program, encode_base64(given), *(args.arguments or ())]
    answer = client.call(
        "session.run",
        json.dumps(key),
        program_base64=program,
        stdin_base64=encode_base64(given),
        arguments=args.arguments,
    )
    print_json(answer) if args.json else show_run(answer, args.file)
    return answer["exit_code"]


def submit(client: Client, args: argparse.Namespace) -> int:
    program = encode_base64(read_file(args.file))
    answer = client.call(
        "session.submit",
        json.dumps([args.problem.upper(), program]),
        problem=args.problem,
        program_base64=program,
        request_id=args.request_id,
    )
    print_json(answer) if args.json else show_verdict(answer)
    return PASSED if answer["solved"] else FAILED


def status(client: Client, args: argparse.Namespace) -> int:
    answer = client.call("session.status")
    print_json(answer) if args.json else show_status(answer, args.verbose)
    return PASSED


def skip(client: Client, args: argparse.Namespace) -> int:
    answer = client.call("session.skip")
    print_json(answer) if args.json else print(f"{answer['problem']}: {answer['status']}")
    return PASSED


def export(client: Client, args: argparse.Namespace) -> int:
    head = client.last_head()
    data = client.call("session.export")
    if args.output is None:
        print_json(data)
    else:
        try:
            with open(args.output, "w", encoding="utf-8") as file:
                file.write(json.dumps(data) + "\n")
        except OSError as error:
            raise CommandFailed(f"cannot write {args.output}: {error.strerror}", USAGE) from None
        count = len(data["events"])
        if args.json:
            print_json({"file": args.output, "events": count, "head": data["head"]})
        else:
            print_stderr(f"{count} event{'' if count == 1 else 's'} written to {args.output}")
    if head is not None and head not in compute_heads(data):
        raise CommandFailed(
            "events are missing from the export, or the log was rewritten: no event has the head "
            f"(digest) {head}, which the server returned earlier",
            FAILED,
        )
    return PASSED


def compute_heads(data: dict[str, Any]) -> set[str]:
    """Return the heads after each event of an export; see docs/sessions.md."""
    heads: set[str] = set()
    head = "0" * 64
    for one in data["events"]:
        body = json.dumps(one["body"], sort_keys=True, separators=(",", ":"))
        made = [head, data["session"], one["seq"], one["time_ms"], one["kind"], body]
        head = hashlib.sha256(json.dumps(made).encode()).hexdigest()
        heads.add(head)
    return heads


def card(client: Client, args: argparse.Namespace) -> int:
    now = client.call("session.status")
    asked = {"language": now["language"], "dialect": now["dialect"]}
    answer = client.call("language.card", **asked)
    print_json(answer) if args.json else print(answer["card"].strip())
    return PASSED


ACTIONS = {
    "fetch": fetch,
    "run": run,
    "submit": submit,
    "status": status,
    "skip": skip,
    "export": export,
    "card": card,
}


def perform(args: argparse.Namespace) -> int:
    """Run one action and return the exit status."""
    try:
        folder = find_folder_containing(MARKER) or Path.cwd()
        path = args.connect or os.environ.get("ESOPLAY_SOCKET") or first_line(SOCKET)
        if not path:
            raise CommandFailed(
                f"no server socket; use --connect PATH, or write the path into {SOCKET}", USAGE
            )
        session = args.session or first_line(MARKER)
        return ACTIONS[args.action](Client(path, session, folder), args)
    except CommandFailed as trouble:
        print_stderr(f"esoplay: {trouble}")
        return trouble.exit_code


def find_folder_containing(name: str) -> Path | None:
    """Return the nearest folder with a file of this name: the current folder or one above it."""
    here = Path.cwd()
    return next((one for one in (here, *here.parents) if (one / name).is_file()), None)


def first_line(name: str) -> str | None:
    folder = find_folder_containing(name)
    if folder is None:
        return None
    return os.fsdecode(read_file(str(folder / name)).split(b"\n")[0].strip()) or None


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(description="Solve the problems of an esoplay session.")
    actions = whole.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, help in (
        ("fetch", "show the problem to solve"),
        ("run", "run a program on an input of your own; its output goes to stdout"),
        ("submit", "submit a program to the hidden tests"),
        ("status", "show the state of the session"),
        ("skip", "skip the current problem, if the rules allow it"),
        ("export", "write the whole log as JSON, if the server allows it"),
        ("card", "show the reference card of the language"),
    ):
        one = actions.add_parser(name, help=help, description=help)
        one.add_argument(
            "--connect", metavar="PATH", help="path of the socket that the server listens on"
        )
        one.add_argument("--session", metavar="ID", help="default: the session of the workspace")
        one.add_argument("--json", action="store_true", help="print one JSON object")
        if name == "fetch":
            one.add_argument("problem", nargs="?", metavar="ID", help="default: the next problem")
        if name == "submit":
            one.add_argument("problem", metavar="ID", help="such as E08")
            one.add_argument(
                "--request-id",
                metavar="R",
                help="default: a random id, reused when the command is repeated",
            )
        if name in ("run", "submit"):
            one.add_argument("file", metavar="FILE", help="the program; - is stdin")
        if name == "run":
            given = one.add_mutually_exclusive_group()
            given.add_argument(
                "--input", metavar="TEXT", help="input of the program; default: empty"
            )
            given.add_argument("--input-file", metavar="F", help="file with the input")
            one.add_argument(
                "--argument",
                metavar="A",
                action="append",
                dest="arguments",
                help="argument of the program's command line; may be repeated; "
                "write --argument=-v for an argument that starts with a hyphen",
            )
        if name == "status":
            one.add_argument("-v", "--verbose", action="store_true", help="one line per problem")
        if name == "export":
            one.add_argument("-o", dest="output", metavar="FILE", help="default: stdout")
    return whole


def main() -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # pyright: ignore
    sys.stdout, sys.stderr = EscapingStream(sys.stdout), EscapingStream(sys.stderr)  # pyright: ignore
    try:
        code = perform(parser().parse_args())
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FAILED
    return code


if __name__ == "__main__":
    sys.exit(main())
