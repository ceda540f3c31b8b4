# The attributes and functions of SlotTable for the C compiler.
cdef class SlotTable:
    cdef list tables
    cdef bint exact
    cdef list pages
    cdef list shared
    cdef list entered
    cdef readonly Py_ssize_t used
    cdef readonly Py_ssize_t count
    cdef list free
    cdef dict table(self, object key)
    cpdef Py_ssize_t find(self, object key) except -2
    cpdef Py_ssize_t add(self, object key) except -2
    cpdef Py_ssize_t remove(self, object key) except -2
    cdef list _own_page(self, Py_ssize_t index)
    cdef _enter(self, object key, Py_ssize_t slot)
