"""Write once, run in five: a small typed subset of Python, compiled to each language.

``lowering`` turns a source into the statements of ``ir``, which every back end takes; ``cpython``
runs the same text as it stands, and so says what it means.  A back end is one folder, named after
its language; what it needs of macros can be used without the rest.
"""
