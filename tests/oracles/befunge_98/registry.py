"""The instructions of each fingerprint, by letter."""

from __future__ import annotations

from oracles.befunge_98.control import FING, IMAP, MODE, SUBR
from oracles.befunge_98.copies import FRTH, INDV, JSTR
from oracles.befunge_98.environment import EVAR
from oracles.befunge_98.expressions import REXP
from oracles.befunge_98.files import DIRF, FILE
from oracles.befunge_98.fingerprints import MODU, NULL, ORTH, REFC, ROMA
from oracles.befunge_98.floats import FPDP, FPSP
from oracles.befunge_98.formats import FPRT
from oracles.befunge_98.integers import BASE, LONG
from oracles.befunge_98.numbers import CPLI, FIXP
from oracles.befunge_98.semantics import BOOL, Semantics
from oracles.befunge_98.strings import STRN
from oracles.befunge_98.times import DATE, HRTI, TIME
from oracles.befunge_98.toys import TOYS
from oracles.befunge_98.turtle import TURT
from oracles.befunge_98.vectors import THREE_D_SP

_ALL: dict[str, dict[str, Semantics]] = {
    "3DSP": THREE_D_SP,
    "BASE": BASE,
    "BOOL": BOOL,
    "CPLI": CPLI,
    "DATE": DATE,
    "DIRF": DIRF,
    "EVAR": EVAR,
    "FILE": FILE,
    "FING": FING,
    "FIXP": FIXP,
    "FPDP": FPDP,
    "FPRT": FPRT,
    "FPSP": FPSP,
    "FRTH": FRTH,
    "REXP": REXP,
    "HRTI": HRTI,
    "IMAP": IMAP,
    "INDV": INDV,
    "JSTR": JSTR,
    "LONG": LONG,
    "MODE": MODE,
    "MODU": MODU,
    "NULL": NULL,
    "ORTH": ORTH,
    "REFC": REFC,
    "ROMA": ROMA,
    "STRN": STRN,
    "SUBR": SUBR,
    "TIME": TIME,
    "TOYS": TOYS,
    "TURT": TURT,
}
FINGERPRINTS = {int.from_bytes(name.encode()): letters for name, letters in _ALL.items()}
