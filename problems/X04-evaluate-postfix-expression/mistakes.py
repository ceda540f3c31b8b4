"""Wrong ways to evaluate postfix notation, by the edge class that catches each."""

from __future__ import annotations

from collections.abc import Callable

Division = Callable[[int, int], int]


def _truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _away(a: int, b: int) -> int:
    return -(-abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def _value(tokens: list[str], divide: Division = _truncated, swapped: bool = False) -> int:
    stack: list[int] = []
    for token in tokens:
        if token.isdigit():
            stack.append(int(token))
            continue
        right, left = stack.pop(), stack.pop()
        if swapped:
            left, right = right, left
        if token == "/":
            stack.append(divide(left, right))
        else:
            stack.append({"+": left + right, "-": left - right, "*": left * right}[token])
    return stack.pop()


def single__operators_make_results(text: str) -> str:
    return str(_value(text.split())) if len(text) > 1 else ""


def order__operands_swapped(text: str) -> str:
    return str(_value(text.split(), swapped=True))


def truncate__rounded_down(text: str) -> str:
    return str(_value(text.split(), divide=lambda a, b: a // b))


def truncate__rounded_away_from_zero(text: str) -> str:
    return str(_value(text.split(), divide=_away))


def nested__from_left_to_right(text: str) -> str:
    operands = [token for token in text.split() if token.isdigit()]
    operators = [token for token in text.split() if not token.isdigit()]
    tokens = operands[:1]
    for pair in zip(operands[1:], operators, strict=True):
        tokens += pair
    return str(_value(tokens))


def zero__ends_the_input(text: str) -> str:
    return str(_value(text.partition("0")[0].split()))


def largest__kept_in_a_byte(text: str) -> str:
    return str(_value(text.split()) % 256)


def largest__sixteen_bits(text: str) -> str:
    return str(_value(text.split()) % 65536)
