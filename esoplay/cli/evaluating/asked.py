"""Who is asked, and what that costs: a model by the options of ``esoplay eval``."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from esoplay.evaluation.models.asking import Model
    from esoplay.evaluation.models.endpoint import Endpoint
    from esoplay.evaluation.prices import Price

_CLIENT = 3  # the oldest major version of OpenAI's client that sends by httpx2
_MOST_FILE = 1 << 20  # bytes of a file of prices or of further members


def model_of(args: argparse.Namespace) -> Model:
    """Whom to ask; raises UsageError, also where what is needed for that is not installed."""
    if args.program is not None:
        from esoplay.evaluation.models.command import Command

        told = {"ESOPLAY_MODEL": name_of(args)}
        for name in ("temperature", "max_tokens"):
            value = getattr(args, name)
            if value is not None:
                told[f"ESOPLAY_{name.upper()}"] = str(value)
        return Command(args.program, told=told, timeout=args.timeout)
    return _endpoint()(
        args.base_url,
        args.model,
        key=_key(args),
        temperature=args.temperature,
        max_tokens=args.max_tokens,
        extra=further_members(args.extra),
        timeout=args.timeout,
    )


def name_of(args: argparse.Namespace) -> str:
    """The name that the evaluation gives to the model."""
    import shlex
    from pathlib import Path

    from esoplay.errors import UsageError

    if args.model is None:
        try:
            words = shlex.split(args.program)
        except ValueError as error:
            raise UsageError(f"--command: {error}") from None
        return Path(words[0]).name if words else ""
    if not args.model or not args.model.isprintable():
        raise UsageError("--model takes one line of printable characters")
    return args.model


def _endpoint() -> type[Endpoint]:
    from importlib.metadata import PackageNotFoundError, version

    from esoplay.errors import UsageError

    try:
        if int(version("openai").partition(".")[0]) < _CLIENT:
            raise PackageNotFoundError("openai")
        from esoplay.evaluation.models.endpoint import Endpoint
    except ModuleNotFoundError as error:  # which PackageNotFoundError is as well
        if (error.name or "").partition(".")[0] not in ("openai", "httpx2"):
            raise
        raise UsageError(
            "--base-url needs the extra llm: pip install 'esoplay[llm]' (--command does without)"
        ) from None
    return Endpoint


def _key(args: argparse.Namespace) -> str | None:
    """The key, which goes over an encrypted connection or stays on this machine."""
    import os

    from esoplay.errors import UsageError
    from esoplay.evaluation.models.address import checked_address, is_loopback

    key = os.environ.get(args.key_env or "OPENAI_API_KEY")
    if args.key_env is not None and not key:
        raise UsageError(f"--key-env: the environment has no {args.key_env}")
    if not key:
        return None
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError(f"the key in {args.key_env or 'OPENAI_API_KEY'} holds more than a key")
    address = checked_address(args.base_url)
    if address.startswith("https:") or is_loopback(address):
        return key
    if args.key_env is not None:
        raise UsageError("a key is not sent to another machine over http; use https")
    return None


def further_members(path: str | None) -> dict[str, Any] | None:
    """The object in a file, whose members go into each request."""
    if path is None:
        return None
    import json
    from typing import cast

    from esoplay.cli.output import read_file
    from esoplay.errors import UsageError

    try:
        text = read_file(path, _MOST_FILE).decode("utf-8")
        found: object = json.loads(text, parse_constant=_refuse)
        json.dumps(found, ensure_ascii=False).encode("utf-8")  # lone surrogates are no text
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: this is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f"{path}: expected one JSON object")
    members = cast("dict[str, Any]", found)
    for name in ("model", "messages", "stream", "n"):
        if name in members:
            raise UsageError(f"{path}: {name}: this is not for you to say")
    return members


def price_of(args: argparse.Namespace) -> Price | None:
    """What tokens of this model cost, if anybody has said so."""
    if args.prices is None:
        return None
    from esoplay.cli.output import read_file
    from esoplay.evaluation.prices import read_price

    return read_price(read_file(args.prices, _MOST_FILE), args.prices, name_of(args))


def _refuse(constant: str) -> None:
    """Python reads NaN and Infinity, which no endpoint has to."""
    raise ValueError(f"{constant} is no number of JSON")
