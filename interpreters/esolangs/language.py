"""The contract of a language and of a parsed program."""

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
    from esolangs.inspection import Inspector
    from esolangs.limits import World
    from esolangs.listing import Listing
    from esolangs.machine import Machine, Snapshot
    from esolangs.source import Span
    from esolangs.stops import Address, KeptMarks
    from esolangs.tally import Tally

    OptionValue = str | int
    Options = Mapping[str, OptionValue]
else:
    OptionValue = Options = object  # so that annotations elsewhere can import them


class Option:
    """One choice of meaning, such as what a read stores at the end of input.

    values: what it takes; empty when it takes any whole number not below ``least``.
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
        """The value that ``text`` spells; OptionError says what would have been taken."""
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
        taken = " | ".join(map(str, self.values)) or f"a whole number from {self.least}"
        raise OptionError(f"option {self.name} takes {taken}, not {text!r}")


class Language(ABC):
    """A frozen descriptor; importing it must stay cheap, so engines load on first use.

    Its folder may have ``card.md``, ``sample`` and ``starter`` files with its first extension,
    and modules that are loaded late: ``diagnosis.py`` with ``DIAGNOSTICS``, ``dialects.py`` with
    ``DIFFERENCES``, ``editing.py`` with ``EDITING``, ``inspection.py`` with ``INSPECTOR``.

    id: stable name.  name: for people.  extensions: of source files, with the dot.
    dialects: name → options that differ from the defaults; has ``"standard"`` and ``"benchmark"``.
    uses_files: programs can read and write files, where their world gives them a folder.
    draws: programs can draw; see ``Machine.drawing``.
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
        """All options of ``dialect`` with single ones changed; raises OptionError."""
        if dialect not in self.dialects:
            from esolangs.wording import suggest  # late: for errors alone

            known = ", ".join(self.dialects)
            meant = suggest(dialect, self.dialects)
            raise OptionError(f"{self.name} has no dialect {dialect!r}; it has {known}{meant}")
        values = {option.name: option.default for option in self.options}
        values.update(self.dialects[dialect])
        known = {option.name: option for option in self.options}
        for name, text in (changes or {}).items():
            if name not in known:
                raise OptionError(
                    f"{self.name} has no option {name!r}; it has {', '.join(known) or 'none'}"
                )
            values[name] = known[name].read(text)
        return values

    @abstractmethod
    def parse(self, source: bytes, options: Options | None = None) -> Program:
        """The program that ``source`` spells; raises ParseError.  Options default to standard."""

    def listing(self, source: bytes, options: Options | None = None) -> Listing | None:
        """The instructions of a source as people read them, up to the first that is wrong.

        None in a language whose source can be read as it is, which is the usual case.
        """
        return None

    def card(self, dialect: str = "standard") -> str:
        """Reference card in Markdown: commands, memory model, patterns, pitfalls."""
        return self.read_file("card.md").decode()

    def sample(self) -> bytes:
        """A small program that works and shows something."""
        return self.read_file(f"sample{self.extensions[0]}")

    def starter(self) -> bytes:
        """What an empty buffer opens with: a skeleton in comments that solves nothing."""
        return self.read_file(f"starter{self.extensions[0]}")

    def diagnostics(self) -> Diagnostics | None:
        """Explanations of states and faults; None if the language has none."""
        module = self._module("diagnosis")
        return None if module is None else module.DIAGNOSTICS

    def differences(self) -> tuple[DialectDifference, ...]:
        """How ``benchmark`` differs from ``standard``, option by option; empty if it does not."""
        module = self._module("dialects")
        return () if module is None else module.DIFFERENCES

    def editing(self) -> Editing:
        """What an editor may know of it."""
        module = self._module("editing")
        if module is None:
            from esolangs.editing import Editing

            return Editing()
        return module.EDITING

    def inspector(self) -> Inspector[Any]:
        """What a debugger shows of its machines, unless they answer for themselves."""
        module = self._module("inspection")
        if module is None:
            from esolangs.inspection import Inspector

            return Inspector()
        return module.INSPECTOR

    def read_file(self, name: str) -> bytes:
        """The content of a file in the language's folder."""
        folder = os.path.dirname(str(sys.modules[type(self).__module__].__file__))
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()

    def _module(self, name: str) -> Any:
        """A module of the language's folder, imported when first asked for; None without one."""
        path = f"{type(self).__module__}.{name}"
        if path in sys.modules:
            return sys.modules[path]
        from importlib.util import find_spec

        return None if find_spec(path) is None else import_module(path)


class Program(ABC):
    """A parsed program: immutable, shared by all its machines.

    engine: ``"compiled"`` or ``"plain"``.
    kept_marks: what its machines have made of large sets of locations, for all of them.
    passes_over: whether it has instructions that are passed over where a condition fails.
    """

    language: Language
    source: bytes
    options: Options
    engine: str
    warnings: tuple[str, ...] = ()
    kept_marks: KeptMarks | None = None
    passes_over: bool = False

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
        """A machine at step 0.  ``closed=False`` leaves the input open for ``feed``.

        ``world``: what it may learn of the outside, in languages that can ask.
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
    ) -> Machine:
        """A machine at the snapshot's step; ``stdin`` is the whole input since step 0."""

    @abstractmethod
    def spans(self) -> tuple[Span, ...]:
        """The span of every instruction, in source order."""

    @abstractmethod
    def instruction_at(self, offset: int) -> Span | None:
        """The instruction that covers the byte at ``offset``, or None on comment."""

    def listing(self) -> Listing | None:
        """The program's instructions as people read them; None where its source can be read."""
        return None

    def new_tally(self) -> Tally:
        """An empty tally, of the kind that this program's machines count in fastest."""
        from esolangs.tally import Tally

        return Tally()

    def address_of(self, offset: int) -> Address:
        """What a location stop calls the instruction at a source offset.

        The offset itself, or the point of fungespace that the byte was loaded into.
        """
        return offset

    def offset_of(self, address: Address) -> int | None:
        """The source offset whose byte has this address; None where the source has no such byte."""
        return address if isinstance(address, int) else None

    def occurrences(self, text: str) -> tuple[Address, ...]:
        """Where the instructions stand that people write as ``text``, as location stops name them.

        Those spelled so in the source; a language whose instructions also have names takes these.
        """
        wanted = text.encode("utf-8", "surrogateescape")
        return tuple(
            self.address_of(start)
            for start, end in self.spans()
            if self.source[start:end] == wanted
        )

    def reads(self, cell: Address) -> tuple[tuple[str, ...], str] | None:
        """How one sees that the next step will read a cell; None where one cannot.

        The instructions that read, as people write them, and the condition on the registers
        under which they read this cell.
        """
        return None

    def entered_at(self, span: Span) -> Address | None:
        """Where what stands in a span of the source is entered, as location stops name it.

        For languages in which a part of a program is a value that others call, wherever it was
        put.  None in other languages, or for an incomplete expression, which is where its text is.
        """
        return None

    def places(self) -> Mapping[str, Address]:
        """Names that the program gives to its places, such as labels and scenes, in order.

        Addresses are the same as for location stops.  Names are what a person would type.
        """
        return {}

    def register_names(self) -> Mapping[str, str]:
        """What ``Machine.registers`` names, and what each is, for conditions and help."""
        return {}
