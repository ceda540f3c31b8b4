"""Argument parser that suggests corrections for mistyped words, and the option ``--version``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import NoReturn, cast

_CHOICE = re.compile(r"invalid choice: '(?P<word>[^']*)' \(choose from (?P<known>.*)\)$")
_UNRECOGNIZED = re.compile(r"unrecognized arguments: (?P<words>.*)$")


class SuggestingParser(argparse.ArgumentParser):
    """Parser that suggests the closest command, action or option for a mistyped word."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message with a suggestion, then exit with status 2."""
        super().error(message + self._suggestion(message))

    def _suggestion(self, message: str) -> str:
        from esolangs.wording import suggest

        choice = _CHOICE.search(message)
        if choice is not None:
            return suggest(choice["word"], re.findall(r"[^', ]+", choice["known"]))
        found = _UNRECOGNIZED.search(message)
        words = [] if found is None else found["words"].split()
        option = next((word for word in words if word.startswith("--")), "").partition("=")[0]
        return suggest(option, _options(self)) if option else ""


class ShowVersion(argparse.Action):
    """``--version``: print version, commit and engines, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from esolangs.registry import find_language, language_ids
        from esoplay.version import VERSION, find_commit

        kinds: dict[str, list[str]] = {}
        for name in language_ids():
            language = find_language(name)
            kinds.setdefault(language.parse(language.sample()).engine, []).append(name)
        engines = (
            next(iter(kinds))
            if len(kinds) == 1
            else ", ".join(f"{kind} ({' '.join(names)})" for kind, names in kinds.items())
        )
        print(f"esoplay {VERSION}, commit {find_commit() or 'unknown'}, engines {engines}")
        parser.exit(0)


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the long options of a parser and of all its commands."""
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
        yield from (each for each in action.option_strings if each.startswith("--"))
        choices: object = action.choices  # pyright: ignore[reportUnknownMemberType]
        if isinstance(choices, dict):  # the commands of a parser by name
            for each in cast("dict[str, object]", choices).values():
                if isinstance(each, argparse.ArgumentParser):
                    yield from _options(each)
