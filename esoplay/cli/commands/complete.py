"""``esoplay complete``: print a script for shell completion."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

TYPE_CHECKING = False


SUMMARY = "print a script that lets the shell complete commands and options"
DESCRIPTION = """\
Print a script for bash or zsh. It completes commands, actions, options, languages, protocols and
problems, and files where a command takes one; all names are in the script, so that Tab is fast.
Print it again when esoplay or its languages change.
Exit status: 0 done, 2 usage."""
EXAMPLES = """\
examples:
  eval "$(esoplay complete bash)"              in ~/.bashrc
  eval "$(esoplay complete zsh)"               in ~/.zshrc, after compinit
  esoplay complete bash > ~/.local/share/bash-completion/completions/esoplay
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh"), help="the shell")


def run(args: argparse.Namespace) -> int:
    from esolangs.registry import language_ids
    from esoplay.benchmark.sessions import PROTOCOLS
    from esoplay.errors import EXIT_PASSED
    from esoplay.evaluation.regimes import REGIMES
    from esoplay.packs.catalogue import list_problems
    from esoplay.programs.host_lanes import lane_ids

    languages = language_ids()
    values = {
        "--lang": languages,
        "--language": [*languages, *lane_ids()],
        "--familiar": [*languages, *lane_ids()],
        "--protocol": list(PROTOCOLS),
        "--regime": list(REGIMES),
        "--problem": [problem.id for problem in list_problems()],
    }
    found = list(places(args.full_parser(), values))
    make = bash_script if args.shell == "bash" else zsh_script
    print(make("esoplay", found), end="")
    return EXIT_PASSED


# A completion script for shells, generated from the parsers of the commands.
#
# The script contains all commands, actions, options and fixed values, so that Tab does not start
# esoplay.  The shell completes file names.

Values = Mapping[str, Sequence[str]]
"""Values of options that no parser lists, such as languages; keyed by option."""


class CommandPath(NamedTuple):
    """Command or action and what can follow it. ``words``: its words after ``esoplay``.

    below: the words that may follow it.  options: those without a value, and those with one, each
    with its values; none where the shell completes files.
    """

    words: tuple[str, ...]
    below: tuple[str, ...]
    flags: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]


def places(
    parser: argparse.ArgumentParser, values: Values, words: tuple[str, ...] = ()
) -> Iterator[CommandPath]:
    """Yield the path of a parser, then the paths of its commands."""
    flags: list[str] = []
    options: dict[str, tuple[str, ...]] = {}
    below: dict[str, argparse.ArgumentParser] = {}
    for action in cast("Any", parser)._actions:
        chosen: Any = action.choices
        if isinstance(chosen, dict):  # parsers by name
            below |= cast("dict[str, argparse.ArgumentParser]", chosen)
        for name in action.option_strings:
            if action.nargs == 0:
                flags.append(name)
            else:
                known = cast("Sequence[str]", chosen or values.get(action.option_strings[-1], ()))
                options[name] = tuple(known)
    yield CommandPath(words, tuple(sorted(below)), tuple(flags), options)
    for name, inner in sorted(below.items()):
        yield from places(inner, values, (*words, name))


def bash_script(program: str, found: Sequence[CommandPath]) -> str:
    """Return the completion script for bash; zsh reads it after ``bashcompinit``."""
    paths = "|".join(_quoted("/".join(("", *place.words))) for place in found if place.words)
    cases = "\n".join(_case(place) for place in found)
    return _BASH.format(program=program, name=f"_{program}", paths=paths, cases=cases)


def zsh_script(program: str, found: Sequence[CommandPath]) -> str:
    """Return the completion script for zsh."""
    return f"autoload -U +X bashcompinit && bashcompinit\n{bash_script(program, found)}"


_BASH = """\
# Completion of {program}; made by `{program} complete`.
{name}() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
    local at="" i words="" flags=""
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$at/${{COMP_WORDS[i]}}" in
            {paths}) at="$at/${{COMP_WORDS[i]}}" ;;
        esac
    done
    COMPREPLY=()
    case "$at" in
{cases}
    esac
    if [[ $cur == -* ]]; then words=$flags; fi
    if [[ $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); fi
}}
complete -o default -F {name} {program}
"""


def _case(place: CommandPath) -> str:
    """Return the case of the script for a path: values of the previous option, words, options."""
    lines = [f"        {_quoted('/'.join(('', *place.words)) if place.words else '')})"]
    for name, values in place.options.items():
        then = (
            f'COMPREPLY=($(compgen -W {_quoted(" ".join(values))} -- "$cur")); ' if values else ""
        )
        lines.append(f"            [[ $prev == {_quoted(name)} ]] && {{ {then}return; }}")
    lines.append(f"            words={_quoted(' '.join(place.below))}")
    lines.append(f"            flags={_quoted(' '.join((*place.flags, *place.options)))} ;;")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
