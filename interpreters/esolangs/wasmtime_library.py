"""Compile and run WebAssembly with the shared library of the ``wasmtime`` package.

Importing the package takes longer than many runs, because it describes the whole C API.  The few
functions that a tier needs are declared here.  The structures of the API are not declared: each is
stored in ``_STRUCT_BYTES`` bytes, and only addresses in these bytes are used.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import weakref

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

MAJOR_VERSION = 50
"""The major version of wasmtime whose functions are declared here."""

_STRUCT_BYTES = 64
"""Number of bytes that are reserved for each structure.

The largest structure takes 32: a kind and, at offset ``_UNION_OFFSET``, an export.
"""

_UNION_OFFSET = 8
_PREFIX = {"linux": "_lib", "darwin": "_lib", "win32": "_"}
_SUFFIX = {"linux": ".so", "darwin": ".dylib", "win32": ".dll"}

_pointer, _size = ctypes.c_void_p, ctypes.c_size_t
_FUNCTIONS: dict[str, tuple[type[object] | None, tuple[type[object], ...]]] = {
    "wasm_config_new": (_pointer, ()),
    "wasmtime_config_parallel_compilation_set": (None, (_pointer, ctypes.c_bool)),
    "wasm_engine_new_with_config": (_pointer, (_pointer,)),
    "wasmtime_module_new": (_pointer, (_pointer, ctypes.c_char_p, _size, _pointer)),
    "wasmtime_module_delete": (None, (_pointer,)),
    "wasmtime_store_new": (_pointer, (_pointer, _pointer, _pointer)),
    "wasmtime_store_context": (_pointer, (_pointer,)),
    "wasmtime_store_delete": (None, (_pointer,)),
    "wasmtime_instance_new": (
        _pointer,
        (_pointer, _pointer, _pointer, _size, _pointer, _pointer),
    ),
    "wasmtime_instance_export_get": (
        ctypes.c_bool,
        (_pointer, _pointer, ctypes.c_char_p, _size, _pointer),
    ),
    "wasmtime_memory_data": (_pointer, (_pointer, _pointer)),
    "wasmtime_memory_data_size": (_size, (_pointer, _pointer)),
    "wasmtime_memory_grow": (_pointer, (_pointer, _pointer, ctypes.c_uint64, _pointer)),
    "wasmtime_func_call": (
        _pointer,
        (_pointer, _pointer, _pointer, _size, _pointer, _size, _pointer),
    ),
    "wasmtime_error_delete": (None, (_pointer,)),
    "wasm_trap_delete": (None, (_pointer,)),
}


class WasmtimeError(Exception):
    """The library could not compile, instantiate or run a module."""


class CompiledModule:
    """A WebAssembly module, compiled to machine code by wasmtime."""

    def __init__(self, code: bytes):
        """Compile ``code``.

        Raises ImportError if version ``MAJOR_VERSION`` of wasmtime is not installed, OSError if the
        address space of this process is limited, and WasmtimeError if wasmtime refuses the code.
        """
        self.library = _library()
        found = _pointer()
        self.library.check(
            self.library.call["wasmtime_module_new"](
                self.library.engine, code, len(code), ctypes.byref(found)
            )
        )
        self.pointer = found
        _delete_with_owner(self, self.library.call["wasmtime_module_delete"], found)


class ModuleInstance:
    """The memory ``m`` and the function ``r`` of a module, in a separate store."""

    def __init__(self, module: CompiledModule):
        library = self._library = module.library
        store = library.call["wasmtime_store_new"](library.engine, None, None)
        _delete_with_owner(self, library.call["wasmtime_store_delete"], store)
        self._context = library.call["wasmtime_store_context"](store)
        instance, trap = ctypes.create_string_buffer(_STRUCT_BYTES), _pointer()
        library.check(
            library.call["wasmtime_instance_new"](
                self._context, module.pointer, None, 0, instance, ctypes.byref(trap)
            ),
            trap,
        )
        self._exports = {name: ctypes.create_string_buffer(_STRUCT_BYTES) for name in (b"m", b"r")}
        for name, space in self._exports.items():
            if not library.call["wasmtime_instance_export_get"](
                self._context, instance, name, len(name), space
            ):
                raise WasmtimeError(f"the module does not export {name!r}")
        self._memory = ctypes.addressof(self._exports[b"m"]) + _UNION_OFFSET
        self._function = ctypes.addressof(self._exports[b"r"]) + _UNION_OFFSET
        self._result = ctypes.create_string_buffer(_STRUCT_BYTES)
        self._number = ctypes.c_int32.from_buffer(self._result, _UNION_OFFSET)
        self._trap = _pointer()
        self._call = library.call["wasmtime_func_call"]

    def run(self) -> int:
        """Call the function ``r``, and return its result."""
        trap = self._trap
        error = self._call(
            self._context, self._function, None, 0, self._result, 1, ctypes.byref(trap)
        )
        if error or trap:
            self._library.check(error, trap)
        return self._number.value

    def grow(self, pages: int) -> None:
        """Add pages to the memory, or raise WasmtimeError."""
        before = ctypes.c_uint64()
        self._library.check(
            self._library.call["wasmtime_memory_grow"](
                self._context, self._memory, pages, ctypes.byref(before)
            )
        )

    def view(self) -> memoryview[int]:
        """Return a view of the memory, which keeps the store alive; call again after ``grow``."""
        call = self._library.call
        size: int = call["wasmtime_memory_data_size"](self._context, self._memory)
        address: int = call["wasmtime_memory_data"](self._context, self._memory)

        class Bytes(ctypes.c_ubyte * size):
            """The memory of ``owner``, which stays alive as long as a view of it is in use."""

            owner: ModuleInstance

        found = Bytes.from_address(address)
        found.owner = self
        return memoryview(found).cast("B")


class _Library:
    """The C functions of wasmtime, and the engine with which this process compiles modules."""

    def __init__(self, path: str) -> None:
        library = ctypes.CDLL(path)
        self.call: dict[str, Callable[..., int]] = {}
        try:
            for name, (result, arguments) in _FUNCTIONS.items():
                function = self.call[name] = library[name]
                function.restype, function.argtypes = result, arguments  # pyright: ignore
        except AttributeError as missing:
            raise ImportError(str(missing)) from None
        config = self.call["wasm_config_new"]()
        self.call["wasmtime_config_parallel_compilation_set"](config, False)
        self.engine = self.call["wasm_engine_new_with_config"](config)

    def check(self, error: int | None, trap: ctypes.c_void_p | None = None) -> None:
        """Raise WasmtimeError if a call returned an error, or if compiled code trapped."""
        if error:
            self.call["wasmtime_error_delete"](error)
            raise WasmtimeError("wasmtime refuses this module")
        if trap:
            self.call["wasm_trap_delete"](trap)
            raise WasmtimeError("compiled code trapped")


_loaded: _Library | None = None
_lock = threading.Lock()


def _library() -> _Library:
    global _loaded
    with _lock:
        path = find_library()
        if path is None:
            raise ImportError(f"wasmtime {MAJOR_VERSION} is not installed")
        _refuse_limited_memory()
        if _loaded is None:
            _loaded = _Library(path)
    return _loaded


def find_library() -> str | None:
    """Return the path of the library in the ``wasmtime`` package, without importing it.

    Return None if the package or its library for this platform is missing, or if it has another
    major version, whose functions may differ.
    """
    from importlib.util import find_spec

    if "wasmtime" in sys.modules and not sys.modules["wasmtime"]:
        return None  # its import is blocked
    spec = find_spec("wasmtime")
    for folder in (spec and spec.submodule_search_locations) or ():
        names = os.listdir(os.path.dirname(folder))
        if not any(name.startswith(f"wasmtime-{MAJOR_VERSION}.") for name in names):  # its metadata
            continue
        for name in os.listdir(folder):
            if name.startswith(f"{sys.platform}-"):
                kind = f"{_PREFIX[sys.platform]}wasmtime{_SUFFIX[sys.platform]}"
                return os.path.join(folder, name, kind)
    return None


def _refuse_limited_memory() -> None:
    """Raise OSError if the address space is limited, because a module reserves much of it."""
    try:
        import resource
    except ImportError:
        return
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        raise OSError("the address space of this process is limited (ulimit -v)")


def _delete_with_owner(owner: object, delete: Callable[..., int], pointer: object) -> None:
    """Delete the object at a pointer after its owner is garbage-collected, but not at exit.

    A thread may still compile or run at exit, and the system then releases all memory.
    """
    weakref.finalize(owner, delete, pointer).atexit = False
