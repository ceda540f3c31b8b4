r"""The Unlambda back end: statements are functions from one state to the next.

The building blocks of programs can be used alone:

>>> from esoplay.codegen.unlambda import number, standard_library
>>> library = standard_library()
>>> library.define("square", r"\x. mul x x")
>>> library.add("twelve", number(12))
>>> program = library.text(r"print (square twelve)")

``program`` is Unlambda that prints 144.  ``docs/codegen/unlambda.md`` lists the content of the
library.
"""

from __future__ import annotations

from esoplay.codegen.generated import BackEnd
from esoplay.codegen.unlambda.back_end import generate, standard_library
from esoplay.codegen.unlambda.numbers import number, recursive
from esoplay.codegen.unlambda.terms import Library, TermError

__all__ = ["BACK_END", "Library", "TermError", "number", "recursive", "standard_library"]

BACK_END = BackEnd("unlambda", generate)
