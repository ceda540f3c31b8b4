"""Where a part of the source is entered: the atom whose place the function that it makes carries.

The value of an expression is a combinator, with the operands it has so far: ``s`` with one in
`` `sx ``, with two in ``` ``sxy ```.  The machine knows a function by the place of its combinator;
so whoever applies the value is about to execute the instruction there.  Which one that is comes
out by reducing the outermost application first, which needs no operand's value; what has effects
or takes a continuation is left alone.
"""

from __future__ import annotations

from esolangs.unlambda.opcodes import OPERAND, PAYLOAD, PLACE, PLACES, TAG, I, K, S

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

    Term = int | tuple["Term", "Term"]  # a node of the tree, or an application made since

_MOST = 10_000  # reductions


def entry(code: array[int], node: int) -> int | None:
    """The place of the combinator that the expression at a node comes to; None if unknown."""
    head: Term = node
    operands: list[Term] = []  # the next one last
    for _ in range(_MOST):
        while True:
            if isinstance(head, tuple):
                head, operand = head
            elif code[head] & TAG == OPERAND:
                operand = code[head] >> PAYLOAD
                head += 1
            else:
                break
            operands.append(operand)
        tag = code[head] & TAG
        if tag == S and len(operands) > 2:
            x, y, z = operands.pop(), operands.pop(), operands.pop()
            operands += [(y, z), z]
            head = x
        elif tag == K and len(operands) > 1:
            head = operands.pop()
            operands.pop()
        elif tag == I and operands:
            head = operands.pop()
        elif tag in (S, K) or not operands:
            return code[head] >> PLACE & PLACES
        else:
            return None
    return None
