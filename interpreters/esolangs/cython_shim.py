"""A replacement for ``import cython`` where Cython is not installed.

Engines are written in Cython's pure Python mode: the same file is compiled to C and imported as
plain Python, where types and decorators must have no effect.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` takes longer than running a small program
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

compiled = False


def _identity(value: Any) -> Any:
    return value


class _Nogil:
    """A replacement for ``with cython.nogil:`` and ``@cython.nogil``."""

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...

    def __call__(self, function: Any) -> Any:
        return function


nogil = _Nogil()


def _decorator(*_args: Any, **_kwargs: Any) -> Callable[[Any], Any]:
    return _identity


cclass = cfunc = ccall = inline = final = _identity
exceptval = locals = boundscheck = wraparound = cdivision = _decorator


def fused_type(*_types: Any) -> Any:
    return object


def declare(_type: Any = None, value: Any = None, **_kwargs: Any) -> Any:
    return value


def cast(_type: Any, value: Any, **_kwargs: Any) -> Any:
    return value


class _Type:
    """A replacement for C types, which occur only in annotations and declarations."""

    def __getitem__(self, _item: Any) -> _Type:
        return self


bint = char = uchar = ushort = int = uint = longlong = ulonglong = double = Py_ssize_t = _Type()
