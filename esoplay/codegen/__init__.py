"""A compiler from a small typed subset of Python to each esoteric language.

``lowering`` compiles a source to the statements of ``ir``, the input of every back end. ``cpython``
runs the source itself, which defines the correct result.  A back end is a folder named after its
language; its builders can be used alone.
"""
