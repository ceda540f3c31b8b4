"""``esoplay convert``: rewrite a program in another notation of its language."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esolangs.language import Language


SUMMARY = "rewrite a program in another notation of its language"
DESCRIPTION = """\
Rewrite FILE in another notation of its language. Only Whitespace has several: invisible (spaces,
tabs and line feeds), visible (the letters S, T and L) and assembly (mnemonics, one instruction per
line). The program must be valid.
Exit status: 0 converted, 1 the program is invalid, 2 usage."""
EXAMPLES = """\
examples:
  esoplay convert sum.wsa --from assembly -o sum.ws
  esoplay convert sum.ws --to assembly
  esoplay convert sum.ws --to visible
  printf "push 'A'\\nprintc\\n" | esoplay convert - --from assembly --to visible
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program; - is stdin")
    parser.add_argument(
        "--lang", metavar="L", help="language; default: by the file's extension, else Whitespace"
    )
    parser.add_argument(
        "--from", dest="source", metavar="N", help="notation of FILE; default: invisible"
    )
    parser.add_argument(
        "--to", dest="target", metavar="N", help="notation to write; default: invisible"
    )
    parser.add_argument("-o", dest="output", metavar="OUT", help="file to write; default: stdout")


def run(args: argparse.Namespace) -> int:
    from esolangs.errors import EngineError, ParseError
    from esoplay.cli.output import print_program, print_stderr, read_program
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError

    language = _find_language(args.file, args.lang)
    editing = language.editing()
    name = "stdin" if args.file == "-" else args.file
    try:
        given = language.configure("standard", _notation("--from", args.source, language))
        wanted = language.configure("standard", _notation("--to", args.target, language))
    except EngineError as error:
        raise UsageError(str(error)) from None
    if given["notation"] == wanted["notation"]:
        raise UsageError(
            f"FILE would be read and written in the same notation, {given['notation']}; give the "
            "notation of FILE with --from, or choose another one with --to"
        )
    source = read_program(args.file)
    hint = editing.misreading_hint(source) if args.source is None else ""
    advice = f"esoplay: {name}: try: {hint.replace('--set notation=', '--from ')}"
    try:
        language.parse(source, given)  # so that an error refers to the given text
    except ParseError as error:
        print_stderr(f"esoplay: {name}: line {error.line}, column {error.column}: {error.message}")
        if hint:
            print_stderr(advice)
        return EXIT_FAILED
    if hint:
        print_stderr(advice)
    plain = editing.from_notation(source, str(given["notation"]))
    program = editing.in_notation(plain, str(wanted["notation"]))
    if args.output is None:
        print_program(program)
        return EXIT_PASSED
    from pathlib import Path

    try:
        Path(args.output).write_bytes(program)
    except OSError as error:
        raise UsageError(f"cannot write {args.output}: {error.strerror}") from None
    return EXIT_PASSED


def _notation(option: str, value: str | None, language: Language) -> dict[str, str]:
    from esoplay.errors import UsageError

    if value is None:
        return {}
    known = next(each.values for each in language.options if each.name == "notation")
    if value not in known:
        raise UsageError(f"{option} {value}: expected one of {', '.join(map(str, known))}")
    return {"notation": value}


def _find_language(file: str, lang: str | None) -> Language:
    """Return the language of a program, which must have several notations.

    If neither ``lang`` nor the extension names a language, return the language with several
    notations, if there is just one.  Raises UsageError for a language with only one notation.
    """
    from esoplay.errors import UsageError
    from esoplay.programs.execution import language_for, languages

    several = [each for each in languages() if any(o.name == "notation" for o in each.options)]
    known = any(file.endswith(end) for each in languages() for end in each.extensions)
    if lang is None and not known and len(several) == 1:
        return several[0]
    language = language_for(file, lang)
    if language not in several:
        names = ", ".join(each.id for each in several)
        raise UsageError(f"{language.name} has only one notation; languages with several: {names}")
    return language
