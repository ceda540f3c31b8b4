# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""A table that gives each cell a number, its slot; snapshots can share parts of the table.

An engine stores the cells outside its window in slots.  The key of such a cell, a point or an
address, leads to its slot.
"""

from __future__ import annotations

from sys import getsizeof

try:
    import cython
except ImportError:  # the compiler is not needed at run time
    import esolangs.cython_shim as cython

_PAGE_BITS = cython.declare(cython.Py_ssize_t, 10)
_PAGE_MASK = cython.declare(cython.Py_ssize_t, (1 << 10) - 1)
_MAX_TABLE_KEYS = cython.declare(cython.Py_ssize_t, 2048)  # most keys in a single dictionary
_TABLES = 1024
_WORD_MASK = (1 << 64) - 1
# Differs in each process.
_HASH_SALT = cython.declare(cython.ulonglong, (hash(b"slots") & _WORD_MASK) | 1)
_MAX_OUTDATED = 1 << 18  # outdated entries that are never removed
_POINT_BYTES = 64  # size of the coordinates of a point


@cython.final
@cython.cclass
class SlotTable:
    """Assigns a number, its *slot*, to each of ``count`` keys; reuses free slots before new ones.

    ``pages`` are lists of the keys by slot, with None for a free slot.  ``shared`` has, for each
    page, the part of a snapshot that contains the page, or None; a shared page is copied before it
    is changed.

    ``tables`` are dictionaries from keys to slots.  A large dictionary would be copied at once when
    it grows.  So there are many small ones, and a hash that a program cannot predict selects the
    one for a key.  Snapshots do not store the dictionaries.  If ``exact`` is false, the
    dictionaries may have outdated entries; an entry is valid only if ``pages`` has its key at its
    slot.  ``entered`` has, for each index, a page or None: the dictionaries contain all keys of
    this page with their slots, also after a return to an earlier state.
    """

    def __init__(self):
        self.count = 0
        self._clear()

    def save(self):
        """Return the table's state, which ``load`` restores; None if the table has no slots.

        The state is a part of a snapshot.  It shares the pages with the table.
        """
        from esolangs.pages import SharedObject

        at: cython.Py_ssize_t
        if self.used == 0:
            return None
        for at in range(len(self.pages)):
            if self.shared[at] is None:
                keys = self.pages[at]
                size = sum([_POINT_BYTES + getsizeof(key) for key in keys if key is not None])
                self.shared[at] = SharedObject(keys, size + 8 * len(keys))
                self.entered[at] = keys
        return SharedObject(self.used, 0, tuple(self.shared))

    def load(self, saved):
        """Restore the state that ``save`` returned.

        The pages in ``entered`` need not be put into the dictionaries again.
        """
        page: list
        index: cython.Py_ssize_t
        at: cython.Py_ssize_t
        self.used = 0 if saved is None else saved.value
        self.shared = [] if saved is None else list(saved.parts)
        self.pages = [part.value for part in self.shared]
        self.free = []
        entries = sum([len(each) for each in self.tables])
        if self._is_crowded() or entries > 4 * self.used + _MAX_OUTDATED:
            entries = 0
            self.tables = [{} for _ in range(_TABLES if self.used > _MAX_TABLE_KEYS else 1)]
            self.entered = []
        self.exact = entries == 0
        self._add_places()
        for index in range(len(self.pages)):
            page = self.pages[index]
            if self.entered[index] is not page:
                for at in range(len(page)):
                    if page[at] is not None:
                        self._enter(page[at], (index << _PAGE_BITS) + at)
                self.entered[index] = page
            if None in page:
                for at in range(len(page)):
                    if page[at] is None:
                        self.free.append((index << _PAGE_BITS) + at)
        self.count = self.used - len(self.free)

    def _add_places(self):
        """Make ``entered`` at least as long as ``pages``."""
        self.entered.extend([None] * (len(self.pages) - len(self.entered)))

    @cython.cfunc
    def _enter(self, key: object, slot: cython.Py_ssize_t):
        """Put a key with its slot into its dictionary."""
        table: dict = self.table(key)
        old: cython.Py_ssize_t
        if not self.exact:
            found: object = table.get(key)
            if found is not None:
                old = found
                if old != slot:
                    self.entered[old >> _PAGE_BITS] = None
        table[key] = slot

    def _is_crowded(self):
        """Return whether a single dictionary is used for too many keys."""
        return self.used > _MAX_TABLE_KEYS and len(self.tables) == 1

    @cython.cfunc
    def table(self, key: object) -> dict:
        """Return the dictionary that a key belongs to."""
        mixed: cython.ulonglong
        if len(self.tables) == 1:
            return self.tables[0]
        if cython.compiled:
            mixed = hash(key)
            return self.tables[(mixed * _HASH_SALT) >> 54]
        return self.tables[(hash(key) * _HASH_SALT & _WORD_MASK) >> 54]

    @cython.ccall
    @cython.exceptval(-2, check=False)
    def find(self, key: object) -> cython.Py_ssize_t:
        """Return the slot of a key; -1 if it has none."""
        table: dict = self.table(key)
        found: object = table.get(key)
        slot: cython.Py_ssize_t
        page: list
        if found is None:
            return -1
        slot = found
        if self.exact:
            return slot
        if slot >= self.used:
            return -1
        page = self.pages[slot >> _PAGE_BITS]
        return slot if page[slot & _PAGE_MASK] == key else -1

    @cython.ccall
    @cython.exceptval(-2, check=False)
    def add(self, key: object) -> cython.Py_ssize_t:
        """Return a slot for a key, which must not have one yet."""
        slot: cython.Py_ssize_t = self.used
        page: list
        if self.free:
            slot = self.free.pop()
            page = self._own_page(slot >> _PAGE_BITS)
            page[slot & _PAGE_MASK] = key
        else:
            if slot & _PAGE_MASK == 0:
                self.pages.append([])
                self.shared.append(None)
                self._add_places()
            self._own_page(slot >> _PAGE_BITS).append(key)
            self.used += 1
        self.count += 1
        if self._is_crowded():
            self._fill_tables()
        else:
            self._enter(key, slot)
        return slot

    @cython.ccall
    @cython.exceptval(-2, check=False)
    def remove(self, key: object) -> cython.Py_ssize_t:
        """Remove a key; return the number of its slot, which is then free."""
        table: dict = self.table(key)
        slot: cython.Py_ssize_t = table.pop(key)
        page: list = self._own_page(slot >> _PAGE_BITS)
        page[slot & _PAGE_MASK] = None
        self.entered[slot >> _PAGE_BITS] = None
        self.free.append(slot)
        self.count -= 1
        if self.count == 0:
            self._clear()
        return slot

    def _clear(self):
        """Return to the initial state, which frees the memory of removed keys."""
        self.tables = [{}]
        self.exact = True
        self.pages = []
        self.shared = []
        self.entered = []
        self.free = []
        self.used = 0

    @cython.cfunc
    def _own_page(self, index: cython.Py_ssize_t) -> list:
        """Return a page that no snapshot shares."""
        if self.shared[index] is not None:
            self.pages[index] = list(self.pages[index])
            self.shared[index] = None
        return self.pages[index]

    def _fill_tables(self):
        """Create ``_TABLES`` dictionaries, and distribute all keys with their slots to them."""
        table: dict
        self.tables = [{} for _ in range(_TABLES)]
        self.entered = [None] * len(self.pages)
        self.exact = True
        for slot, key in self.items():
            table = self.table(key)
            table[key] = slot

    def items(self):
        """Return each used slot and its key."""
        index: cython.Py_ssize_t
        found: list = []
        for index in range(len(self.pages)):
            for at, key in enumerate(self.pages[index]):
                if key is not None:
                    found.append(((index << _PAGE_BITS) + at, key))
        return found

    def all_keys(self):
        """Return all keys, in the order of their slots."""
        return [key for page in self.pages for key in page if key is not None]
