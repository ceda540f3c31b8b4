"""Recognize files of languages in which program generators are written.

The table for the workspace rules contains only common names, and renaming a file evades it. So a
violation is recorded, but the absence of a violation proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

BINARY = "binary"
"""Name used as the language of a native executable.

Such files are allowed if a compiled language is allowed.
"""

SCRIPT = "script"
"""Name used as the language of a script whose ``#!`` line names no interpreter in ``HOSTS``."""


class Host(NamedTuple):
    """Names and interpreters by which files of a programming language are recognized.

    extensions, names: lower-case extensions and names of source files. interpreters: programs in a
    ``#!`` line. compiles: whether compilers of the language create native executables.
    """

    extensions: tuple[str, ...]
    interpreters: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    compiles: bool = False


HOSTS: Mapping[str, Host] = MappingProxyType(
    {
        "ada": Host((".adb", ".ads"), compiles=True),
        "assembler": Host((".s", ".asm"), compiles=True),
        "awk": Host((".awk",), ("awk", "gawk", "mawk", "nawk")),
        "basic": Host((".bas", ".vb")),
        "batch": Host((".bat", ".cmd")),
        "c": Host((".c", ".h"), ("tcc",), compiles=True),
        "c++": Host((".cc", ".cpp", ".cxx", ".hh", ".hpp"), compiles=True),
        "c#": Host((".cs", ".csx"), ("dotnet-script",), compiles=True),
        "clojure": Host((".clj", ".cljs"), ("clojure", "bb")),
        "crystal": Host((".cr",), ("crystal",), compiles=True),
        "dart": Host((".dart",), ("dart",), compiles=True),
        "elixir": Host((".ex", ".exs"), ("elixir",)),
        "erlang": Host((".erl",), ("escript",)),
        "f#": Host((".fs", ".fsx"), compiles=True),
        "fortran": Host((".f", ".f90", ".f95"), compiles=True),
        "go": Host((".go",), compiles=True),
        "groovy": Host((".groovy",), ("groovy",)),
        "haskell": Host((".hs", ".lhs"), ("runghc", "runhaskell", "stack"), compiles=True),
        "java": Host((".java", ".class", ".jar"), ("java", "jshell")),
        "javascript": Host((".js", ".mjs", ".cjs", ".jsx"), ("node", "nodejs", "bun", "qjs")),
        "julia": Host((".jl",), ("julia",)),
        "kotlin": Host((".kt", ".kts"), ("kotlin",)),
        "lisp": Host((".lisp", ".lsp", ".el", ".fasl"), ("sbcl", "clisp", "emacs")),
        "lua": Host((".lua",), ("lua", "luajit")),
        "m4": Host((".m4",), ("m4",)),
        "make": Host((".mk",), ("make",), ("makefile", "gnumakefile")),
        "nim": Host((".nim",), compiles=True),
        "ocaml": Host((".ml", ".mli"), ("ocaml",), compiles=True),
        "pascal": Host((".pas", ".pp"), ("instantfpc",), compiles=True),
        "perl": Host((".pl", ".pm"), ("perl",)),
        "php": Host((".php",), ("php",)),
        "powershell": Host((".ps1", ".psm1"), ("pwsh", "powershell")),
        "python": Host((".py", ".pyw", ".pyi", ".pyc", ".ipynb"), ("python", "pypy", "uv")),
        "r": Host((".r",), ("rscript",)),
        "racket": Host((".rkt",), ("racket",)),
        "ruby": Host((".rb",), ("ruby",)),
        "rust": Host((".rs",), ("rust-script",), compiles=True),
        "scala": Host((".scala", ".sc"), ("scala", "scala-cli")),
        "scheme": Host((".scm", ".ss"), ("guile", "chicken", "scheme")),
        "sed": Host((".sed",), ("sed",)),
        "shell": Host(
            (".sh", ".bash", ".zsh", ".fish", ".ksh"),
            ("sh", "bash", "dash", "zsh", "fish", "ksh", "busybox"),
        ),
        "swift": Host((".swift",), ("swift",), compiles=True),
        "tcl": Host((".tcl",), ("tclsh", "wish", "expect")),
        "typescript": Host((".ts", ".tsx", ".mts", ".cts"), ("ts-node", "tsx", "deno")),
        "wasm": Host((".wasm", ".wat")),
        "zig": Host((".zig",), compiles=True),
    }
)

_BY_EXTENSION = {ending: name for name, host in HOSTS.items() for ending in host.extensions}
_BY_NAME = {file: name for name, host in HOSTS.items() for file in host.names}
_BY_INTERPRETER = {word: name for name, host in HOSTS.items() for word in host.interpreters}
_MAGIC = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


def find_host_by_name(file_name: str) -> str | None:
    """Return the language of a file by its name, or None if ``HOSTS`` does not list the name."""
    lower = file_name.lower()
    dot = lower.rfind(".")
    return _BY_NAME.get(lower) or (_BY_EXTENSION.get(lower[dot:]) if dot >= 0 else None)


def find_host_by_content(first_bytes: bytes) -> str | None:
    """Return the language of a file that begins with these bytes, or None if unknown.

    A ``#!`` line with an absolute path names the language; if it does not name a known one, the
    result is ``SCRIPT``.  For machine code, it is ``BINARY``.
    """
    if first_bytes.startswith(b"#!"):
        line = first_bytes[2:].split(b"\n", 1)[0].strip()
        return _script_language(line) if line.startswith(b"/") else None
    return BINARY if first_bytes.startswith(_MAGIC) or _is_windows_program(first_bytes) else None


def is_language_allowed(allowed: tuple[str, ...], language: str) -> bool:
    """Return whether files in ``language`` may be in the workspace."""
    if language == BINARY:
        return any(HOSTS[name].compiles for name in allowed)
    return language in allowed


def _is_windows_program(first_bytes: bytes) -> bool:
    return first_bytes.startswith(b"MZ") and b"\0" in first_bytes[:64]


def _script_language(line: bytes) -> str:
    """Return the language of the first known program in a ``#!`` line; ``SCRIPT`` if none is."""
    for word in line.decode("latin-1").replace("\\", "/").split():
        program = word.rsplit("/", 1)[-1].lower().removesuffix(".exe")
        name = _BY_INTERPRETER.get(program) or _BY_INTERPRETER.get(program.rstrip("0123456789.-"))
        if name is not None:
            return name
    return SCRIPT
