"""Differences between the dialects of a language, each with an example program.

A language whose dialects differ has a module ``dialects.py``, loaded on first use.  Its
``DIFFERENCES`` has one entry for each option that the dialects set differently.
"""

from __future__ import annotations

from typing import NamedTuple


class DialectDifference(NamedTuple):
    """An option that the dialects ``standard`` and ``benchmark`` set differently.

    subject: what the option affects, such as "`readn`".  standard, benchmark: how that behaves in
    each dialect.  program, stdin: a run whose result differs because of this option alone.
    """

    option: str
    subject: str
    standard: str
    benchmark: str
    program: bytes
    stdin: bytes = b""

    @property
    def sentence(self) -> str:
        """Return the difference in words: subject, effect in each dialect, without a full stop."""
        return f"{self.subject}: {self.standard} in standard, {self.benchmark} in benchmark"
