"""What ``esoplay debug`` opens: a program with its map, or the one that is made of a source."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.codegen.source_map import SourceMap
    from esoplay.service.debugging import Debugger
    from esoplay.service.generating import GeneratedProgram


def is_source(path: str) -> bool:
    """Whether a file is a write-once source, by its name."""
    return path.endswith(".py")


def language_of(args: argparse.Namespace) -> str:
    """The language of the program, or the one that it is made in; raises UsageError."""
    from esoplay.service.programs import language_for

    if not is_source(args.file):
        return language_for(args.file, args.lang).id
    from esoplay.errors import UsageError
    from esoplay.service.generating import back_end_ids

    if args.lang is None:
        known = ", ".join(back_end_ids())
        raise UsageError(
            f"{args.file} is a write-once source: say --lang L for the language that its program "
            f"is made in, one of {known}"
        )
    if args.map is not None:
        raise UsageError("the program of a source is made with its map: --map is for programs")
    return language_for(args.file, args.lang).id


def debugger_for(args: argparse.Namespace, stdin: bytes | None) -> Debugger:
    """A debugger at step 0; stdin: None leaves the input open.

    Raises ParseError, SourceError, MapError and UsageError.
    """
    import time

    from esoplay.cli.output import parse_settings, read_program
    from esoplay.service.debugging import Debugger

    language = language_of(args)
    made = _made(args.file, language) if is_source(args.file) else None
    debugger = Debugger.open(
        language,
        read_program(args.file) if made is None else made.source,
        stdin=stdin or b"",
        closed=stdin is not None,
        dialect=args.dialect,
        options=parse_settings(args.set),
        seed=args.seed,
        started=int(time.time()),
    )
    if args.no_map:
        return debugger
    if made is None:
        _take_up_map(debugger, args)
    else:
        debugger.use_map(made.source_map)
    return debugger


def named_map(args: argparse.Namespace) -> SourceMap | None:
    """The map that ``--map`` names, None without it; raises MapError where it does not fit."""
    if args.map is None:
        return None
    from pathlib import Path

    from esoplay.cli.output import read_program
    from esoplay.service.source_maps import read_map

    source_map = read_map(Path(args.map))
    source_map.check(read_program(args.file))
    return source_map


def _made(file: str, language: str) -> GeneratedProgram:
    from pathlib import Path

    from esoplay.cli.output import read_program
    from esoplay.service.generating import generate, source_text

    return generate(source_text(read_program(file), file), language, name=Path(file).name)


def _take_up_map(debugger: Debugger, args: argparse.Namespace) -> None:
    """Open the map that is named, or the one beside the program if there is one that fits."""
    import os

    if args.map is not None:
        debugger.use_map(named_map(args))
        return
    if not os.path.exists(f"{args.file}.map.json"):
        return  # before anything is imported for it
    from esoplay.cli.output import narrate
    from esoplay.service.source_maps import MapError, map_path, read_map

    try:
        debugger.use_map(read_map(map_path(args.file)))
    except MapError as error:
        narrate(f"esoplay: warning: {map_path(args.file)} is not used: {error}")
