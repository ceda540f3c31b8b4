"""``esoplay complete``: print a script that completes commands, options and values."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

SUMMARY = "print a script that lets the shell complete commands and options"
DESCRIPTION = """\
Print a script for bash, zsh or fish. It completes commands, actions, options, languages, dialects,
protocols and problems, and files where a command accepts one. All names are in the script, so
pressing Tab does not start esoplay. Print it again when esoplay or its languages change.
Exit status: 0 done, 2 usage."""
EXAMPLES = """\
examples:
  eval "$(esoplay complete bash)"              in ~/.bashrc
  eval "$(esoplay complete zsh)"               in ~/.zshrc, after compinit
  esoplay complete fish > ~/.config/fish/completions/esoplay.fish
  esoplay complete bash > ~/.local/share/bash-completion/completions/esoplay
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=tuple(SCRIPTS), help="the shell")


def run(args: argparse.Namespace) -> int:
    from esolangs.registry import find_language, language_ids
    from esoplay.benchmark.sessions import PROTOCOLS
    from esoplay.errors import EXIT_PASSED
    from esoplay.evaluation.regimes import REGIMES
    from esoplay.grading.packs import installed_ids
    from esoplay.packs.catalogue import BUILT_IN, FURTHER_PACKS, list_problems
    from esoplay.programs.host_lanes import lane_ids

    languages = language_ids()
    dialects = (dialect for name in languages for dialect in find_language(name).dialects)
    values = {
        "--lang": languages,
        "--language": [*languages, *lane_ids()],
        "--familiar": [*languages, *lane_ids()],
        "--dialect": list(dict.fromkeys(dialects)),
        "--pack": [BUILT_IN, *FURTHER_PACKS, *installed_ids()],
        "--protocol": list(PROTOCOLS),
        "--regime": list(REGIMES),
        "--problem": [problem.id for problem in list_problems()],
    }
    commands = list(command_paths(args.full_parser(), values))
    print(SCRIPTS[args.shell]("esoplay", commands), end="")
    return EXIT_PASSED


Values = Mapping[str, Sequence[str]]
"""The values of options that have no ``choices`` in the parser, by option, such as ``--lang``."""


class OptionCompletions(NamedTuple):
    """Option and its completions.

    values: the completions of its value, empty if it accepts a file or any text; None if the option
    takes no value.
    """

    names: tuple[str, ...]
    help: str
    values: tuple[str, ...] | None


class CommandPath(NamedTuple):
    """A command, or an action of a command, named by the words after ``esoplay``.

    next_words: the possible next words: commands or actions with their summaries, or values.
    """

    path: tuple[str, ...]
    next_words: Mapping[str, str]
    options: tuple[OptionCompletions, ...]

    @property
    def name(self) -> str:
        """The path as completion scripts write it, such as ``/session/init``; "" for esoplay."""
        return "/".join(("", *self.path)) if self.path else ""


def command_paths(
    parser: argparse.ArgumentParser, values: Values, path: tuple[str, ...] = ()
) -> Iterator[CommandPath]:
    """Yield the command of a parser and its subcommands."""
    options: list[OptionCompletions] = []
    words: dict[str, str] = {}
    parsers: dict[str, argparse.ArgumentParser] = {}
    for action in cast("Any", parser)._actions:
        choices: Any = action.choices
        if isinstance(choices, dict):
            parsers |= cast("dict[str, argparse.ArgumentParser]", choices)
            words |= {one.dest: one.help or "" for one in action._choices_actions}
        elif not action.option_strings:
            words |= dict.fromkeys(map(str, choices or ()), "")
        else:
            listed = cast("Sequence[object]", choices or values.get(action.option_strings[-1], ()))
            known = None if action.nargs == 0 else tuple(map(str, listed))
            summary = "" if action.help == argparse.SUPPRESS else action.help or ""
            options.append(OptionCompletions(tuple(action.option_strings), summary, known))
    yield CommandPath(path, dict(sorted(words.items())) if parsers else words, tuple(options))
    for name, inner in sorted(parsers.items()):
        yield from command_paths(inner, values, (*path, name))


def bash_script(program: str, commands: Sequence[CommandPath]) -> str:
    """Return the script for bash.

    Bash splits a word such as ``--lang=b`` at the equals sign, and the script allows for that.
    """
    return _fill(_BASH, program, commands)


def zsh_script(program: str, commands: Sequence[CommandPath]) -> str:
    """Return the script for zsh."""
    return _fill(_ZSH, program, commands)


def _fill(template: str, program: str, commands: Sequence[CommandPath]) -> str:
    return template.format(
        program=program,
        name=f"_{program}",
        paths="|".join(_quote(command.name) for command in commands if command.path),
        cases="\n".join(_case(command) for command in commands),
    )


_BASH = """\
# Completion of {program}; made by `{program} complete bash`.
{name}() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
    local at="" i word quoted option="" below=() flags=() values=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$at/${{COMP_WORDS[i]}}" in
            {paths}) at="$at/${{COMP_WORDS[i]}}" ;;
        esac
    done
    if [[ $cur == "=" ]]; then
        cur=""
    elif [[ $prev == "=" ]]; then
        prev=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    case "$at" in
{cases}
    esac
    if [[ ! $option ]]; then
        if [[ $cur == -* ]]; then values=("${{flags[@]}}"); else values=("${{below[@]}}"); fi
    fi
    COMPREPLY=()
    for word in "${{values[@]}}"; do
        printf -v quoted %q "$word"
        if [[ $cur == [\\"\\']* ]]; then
            if [[ $word == "${{cur:1}}"* ]]; then COMPREPLY+=("$word"); fi
        elif [[ $word == "$cur"* || $quoted == "$cur"* ]]; then
            COMPREPLY+=("$quoted")
        fi
    done
}}
complete -o default -F {name} {program}
"""

_ZSH = """\
#compdef {program}
# Completion of {program}; made by `{program} complete zsh`.
{name}() {{
    local cur=${{words[CURRENT]}} prev=${{words[CURRENT-1]}} at="" i option=""
    local -a below flags values
    for ((i = 2; i < CURRENT; i++)); do
        case "$at/${{words[i]}}" in
            {paths}) at="$at/${{words[i]}}" ;;
        esac
    done
    if [[ $cur == --*=* ]]; then
        prev=${{cur%%=*}}
        compset -P '*='
    fi
    case "$at" in
{cases}
    esac
    if [[ $option ]]; then
        if (( $#values )); then compadd -a values; else _files; fi
    elif [[ $cur == -* ]]; then
        compadd -a flags
    elif (( $#below )); then
        compadd -a below
    else
        _files
    fi
}}
compdef {name} {program}
"""


def _case(command: CommandPath) -> str:
    """Return the branch of a ``case`` with the possible words after a command, for bash and zsh."""
    lines = [f"        {_quote(command.name)})", '            case "$prev" in']
    for option in command.options:
        if option.values is not None:
            names = "|".join(map(_quote, option.names))
            lines.append(f"                {names}) option=1; values=({_list(option.values)}) ;;")
    flags = [name for option in command.options for name in option.names]
    lines += [
        "            esac",
        f"            below=({_list(command.next_words)})",
        f"            flags=({_list(flags)}) ;;",
    ]
    return "\n".join(lines)


def _list(words: Iterable[str]) -> str:
    return " ".join(map(_quote, words))


def _quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def fish_script(program: str, commands: Sequence[CommandPath]) -> str:
    """Return the script for fish, which shows the summaries as well."""
    patterns = " ".join(_quote_for_fish(command.name) for command in commands if command.path)
    lines = [_FISH.format(program=program, patterns=patterns)]
    for command in commands:
        condition = f"__{program}_at {_quote_for_fish(command.name)}"
        start = f"complete -c {program} -n {_quote_for_fish(condition)}"
        for word, summary in command.next_words.items():
            lines.append(
                f"{start} -f -a {_quote_for_fish(_fish_word(word))}{_fish_description(summary)}"
            )
        for option in command.options:
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in option.names
            )
            if option.values:
                names += f" -x -a {_quote_for_fish(' '.join(map(_fish_word, option.values)))}"
            elif option.values is not None:
                names += " -r"
            lines.append(f"{start} {names}{_fish_description(option.help)}")
    return "\n".join(lines) + "\n"


_FISH = """\
# Completion of {program}; made by `{program} complete fish`.
function __{program}_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        if contains -- "$at/$word" {patterns}
            set at "$at/$word"
        end
    end
    test "$at" = "$argv[1]"
end"""


def _quote_for_fish(text: str) -> str:
    """Put a text in single quotes, within which fish recognizes escaped backslashes and quotes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _fish_word(text: str) -> str:
    """Escape a value within a list that fish splits into words."""
    return re.sub(r"([^\w./:@%+-])", r"\\\1", text)


def _fish_description(summary: str) -> str:
    first = re.split(r"[;.] ", summary.replace("%%", "%"), maxsplit=1)[0]
    return f" -d {_quote_for_fish(first)}" if first else ""


SCRIPTS: Mapping[str, Callable[[str, Sequence[CommandPath]], str]] = {
    "bash": bash_script,
    "zsh": zsh_script,
    "fish": fish_script,
}
"""Functions that create the scripts, by shell."""
