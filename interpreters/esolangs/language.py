"""The interfaces that every language and every parsed program implement."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from importlib import import_module

from esolangs.errors import OptionError
from esolangs.limits import Limits

TYPE_CHECKING = False


if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from esolangs.diagnosis import Diagnostics
    from esolangs.dialects import DialectDifference
    from esolangs.editing import Editing
    from esolangs.filters import FilterNames
    from esolangs.inspection import Inspector
    from esolangs.limits import World
    from esolangs.listing import Listing
    from esolangs.machine import Machine, Snapshot
    from esolangs.source import Span
    from esolangs.stops import Address, MarksCache
    from esolangs.tally import Tally

    OptionValue = str | int
    Options = Mapping[str, OptionValue]
else:
    OptionValue = Options = object  # so that annotations elsewhere can import them


class Option:
    """An option of a language, such as the value stored by a read at the end of input.

    values: the valid values; empty if any integer of at least ``least`` is valid.
    """

    __slots__ = ("default", "help", "least", "name", "values")

    def __init__(
        self,
        name: str,
        default: OptionValue,
        values: tuple[OptionValue, ...],
        help: str,
        least: int = 0,
    ):
        self.name = name
        self.default = default
        self.values = values
        self.help = help
        self.least = least

    def read(self, text: str | int) -> OptionValue:
        """Convert ``text`` to a value of this option; raise OptionError if it is invalid."""
        for value in self.values:
            if str(value) == str(text):
                return value
        if not self.values:
            try:
                number = int(text)
            except ValueError:
                number = self.least - 1
            if number >= self.least:
                return number
        expected = " | ".join(map(str, self.values)) or f"an integer, {self.least} or more"
        raise OptionError(f"option {self.name}: expected {expected}, found {text!r}")


class Language(ABC):
    """Describes a language and creates its programs; the engine is imported on first use.

    Its folder may have ``card.md``, ``sample`` and ``starter`` files with its first extension,
    and modules that are loaded late: ``diagnosis.py`` with ``DIAGNOSTICS``, ``dialects.py`` with
    ``DIFFERENCES``, ``editing.py`` with ``EDITING``, ``inspection.py`` with ``INSPECTOR``.

    id: stable name.  name: for people.  extensions: of source files, with the dot.
    dialects: name → options that differ from the defaults; has ``"standard"`` and ``"benchmark"``.
    uses_files: whether programs can read and write files, if their world has a folder. draws:
    whether programs can draw lines; see ``Machine.drawing``.
    """

    id: str
    name: str
    extensions: tuple[str, ...]
    options: tuple[Option, ...]
    dialects: Mapping[str, Options]
    uses_files: bool = False
    draws: bool = False

    def configure(
        self, dialect: str = "standard", changes: Mapping[str, str | int] | None = None
    ) -> dict[str, OptionValue]:
        """Return the options of ``dialect`` with ``changes`` applied.

        Raises OptionError if the dialect or a change is invalid.
        """
        if dialect not in self.dialects:
            from esolangs.wording import suggest  # late: needed only for errors

            known = ", ".join(self.dialects)
            meant = suggest(dialect, self.dialects)
            raise OptionError(
                f"unknown dialect {dialect!r} of {self.name}; expected one of {known}{meant}"
            )
        values = {option.name: option.default for option in self.options}
        values.update(self.dialects[dialect])
        known = {option.name: option for option in self.options}
        for name, text in (changes or {}).items():
            if name not in known:
                expected = (
                    f"expected one of {', '.join(known)}"
                    if known
                    else "the language has no options"
                )
                raise OptionError(f"unknown option {name!r} of {self.name}; {expected}")
            values[name] = known[name].read(text)
        return values

    @abstractmethod
    def parse(self, source: bytes, options: Options | None = None) -> Program:
        """Parse ``source``; raise ParseError if it is invalid.

        Options default to the dialect ``standard``.
        """

    def listing(self, source: bytes, options: Options | None = None) -> Listing | None:
        """Return the instructions of a source in readable form, up to its first error.

        Return None for a language with a readable source, which is the usual case.
        """
        return None

    def card(self, dialect: str = "standard") -> str:
        """Return the reference card in Markdown: commands, memory model, patterns, pitfalls."""
        return self.read_file("card.md").decode()

    def sample(self) -> bytes:
        """Return a small working program with output."""
        return self.read_file(f"sample{self.extensions[0]}")

    def starter(self) -> bytes:
        """Return the initial text of an empty editor: comments that outline a program."""
        return self.read_file(f"starter{self.extensions[0]}")

    def diagnostics(self) -> Diagnostics | None:
        """Return the explanations of states and faults, or None if the language has none."""
        module = self._module("diagnosis")
        return None if module is None else module.DIAGNOSTICS

    def differences(self) -> tuple[DialectDifference, ...]:
        """Return how ``benchmark`` differs from ``standard``, option by option; may be empty."""
        module = self._module("dialects")
        return () if module is None else module.DIFFERENCES

    def editing(self) -> Editing:
        """Return the editor support of the language."""
        module = self._module("editing")
        if module is None:
            from esolangs.editing import Editing

            return Editing()
        return module.EDITING

    def inspector(self) -> Inspector[Any]:
        """Return the inspector that shows machines of the language to a debugger."""
        module = self._module("inspection")
        if module is None:
            from esolangs.inspection import Inspector

            return Inspector()
        return module.INSPECTOR

    def read_file(self, name: str) -> bytes:
        """Return the content of a file in the language's folder."""
        folder = os.path.dirname(str(sys.modules[type(self).__module__].__file__))
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()

    def _module(self, name: str) -> Any:
        """Import a module of the language's folder; return None if it does not exist."""
        path = f"{type(self).__module__}.{name}"
        if path in sys.modules:
            return import_module(path)  # waits while another thread executes it
        from importlib.util import find_spec

        return None if find_spec(path) is None else import_module(path)


class Program(ABC):
    """A parsed program: immutable, shared by all its machines.

    engine: ``"compiled"`` or ``"plain"``.  marks_cache: the marks by which cores stop at
    locations, cached for large sets of locations; None before the first such set.
    has_conditional_instructions: whether some instructions have conditions; a step skips such an
    instruction if its condition is false.
    """

    language: Language
    source: bytes
    options: Options
    engine: str
    warnings: tuple[str, ...] = ()
    marks_cache: MarksCache | None = None
    has_conditional_instructions: bool = False

    @abstractmethod
    def start(
        self,
        stdin: bytes = b"",
        *,
        closed: bool = True,
        seed: int = 0,
        limits: Limits | None = None,
        world: World | None = None,
    ) -> Machine:
        """Return a machine at step 0.  ``closed=False`` leaves the input open for ``feed``.

        ``world``: the outside world that the program can access, in languages with such access.
        """

    @abstractmethod
    def resume(
        self,
        snapshot: Snapshot,
        stdin: bytes = b"",
        *,
        closed: bool = True,
        limits: Limits | None = None,
        world: World | None = None,
        instead_of: Machine | None = None,
    ) -> Machine:
        """Return a machine at the snapshot's step; ``stdin`` is the whole input since step 0.

        instead_of: a machine of this program that the caller does not use again; this method may
        reuse its memory and change its state.
        """

    @abstractmethod
    def spans(self) -> tuple[Span, ...]:
        """Return the spans of all instructions, in source order."""

    @abstractmethod
    def instruction_at(self, offset: int) -> Span | None:
        """Return the span of the instruction at ``offset``, or None in a comment."""

    def listing(self) -> Listing | None:
        """Return a listing of the instructions, or None if the source itself is readable."""
        return None

    def new_tally(self) -> Tally:
        """Return an empty tally of the kind that is fastest for this program's machines."""
        from esolangs.tally import Tally

        return Tally()

    def address_at(self, offset: int) -> Address:
        """Return the address of the instruction at a source offset, for a location stop.

        The address is the offset itself, or the point of fungespace into which the byte is loaded.
        """
        return offset

    def offset_at(self, address: Address) -> int | None:
        """Return the source offset of the byte with this address, or None."""
        return address if isinstance(address, int) else None

    def occurrences(self, text: str) -> tuple[Address, ...]:
        """Return the addresses of all instructions that are written as ``text``.

        Instructions are compared by their spelling in the source, or by name in languages that name
        them.
        """
        wanted = text.encode("utf-8", "surrogateescape")
        return tuple(
            self.address_at(start)
            for start, end in self.spans()
            if self.source[start:end] == wanted
        )

    def cell_readers(self, cell: Address) -> tuple[tuple[str, ...], str] | None:
        """Return the instructions that can read a cell, and when they read this cell.

        The first item of the result has the instructions, as :meth:`occurrences` expects them.  The
        second is the condition under which they read this cell, such as ``ptr == 5``.  Return None
        if the language does not support this.
        """
        return None

    def entry_address(self, span: Span) -> Address | None:
        """Return the address at which the expression in a source span is entered.

        Only languages in which part of a program is a value that can be called support this.
        Return None in other languages, and for an incomplete expression.
        """
        return None

    def places(self) -> Mapping[str, Address]:
        """Return the named places of the program, such as labels and scenes, in order.

        The addresses are valid in location stops.  Names are in the spelling that a user would
        type.
        """
        return {}

    def register_names(self) -> Mapping[str, str]:
        """Return the name and description of each register of ``Machine.registers``."""
        return {}

    def filter_names(self) -> FilterNames | None:
        """Return the names that filters can use; None if the engine ignores filters."""
        return None
