"""Values that are functions, for those who read what a program keeps in them."""

from __future__ import annotations

from abc import ABC, abstractmethod


class Value(ABC):
    """An atom with the operands that it has so far; opened only as far as somebody asks.

    It is to be read before its machine goes on.  Values may be large and share their parts.
    head: the atom as in source, in lower case.
    parts: the operands it keeps, first one first: one in `` `kx`` and `` `sx``, two in ``` ``sxy``;
    none of what cannot be opened, such as a promise.
    identity: equal for the same value, and for equal ones that share their parts.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def head(self) -> str: ...

    @property
    @abstractmethod
    def parts(self) -> tuple[Value, ...]: ...

    @property
    @abstractmethod
    def identity(self) -> int: ...
