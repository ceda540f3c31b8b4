"""Prime factors by trial division: a Brainfuck program that ``esoplay generate`` makes.

python factor.py > factor.bf        print the program
python factor.py --factors          print what it prints
"""

from __future__ import annotations

import sys

FIRST, LAST = 1_999_993, 2_000_003

SOURCE = """
def main() -> None:
    n = {first}
    while n <= {last}:
        print_int(n)
        putc(ord(":"))
        rest = n
        d = 2
        while d * d <= rest:
            while rest % d == 0:
                putc(ord(" "))
                print_int(d)
                rest //= d
            d += 1
        if rest > 1:
            putc(ord(" "))
            print_int(rest)
        putc(ord("\\n"))
        n += 1
"""


def program(first: int = FIRST, last: int = LAST) -> str:
    """Brainfuck source that prints the prime factors of all numbers from ``first`` to ``last``."""
    from esoplay.codegen.back_ends import generate_program
    from esoplay.codegen.lowering import compile_source

    return generate_program(compile_source(SOURCE.format(first=first, last=last)), "brainfuck").text


def factors(first: int = FIRST, last: int = LAST) -> str:
    """What ``program`` prints."""
    return "".join(f"{n}:{_factors(n)}\n" for n in range(first, last + 1))


def _factors(n: int) -> str:
    found = ""
    divisor = 2
    while divisor * divisor <= n:
        while n % divisor == 0:
            found += f" {divisor}"
            n //= divisor
        divisor += 1
    return f"{found} {n}" if n > 1 else found


if __name__ == "__main__":
    from measure import use_checkout_unless_installed

    use_checkout_unless_installed()
    print(factors() if "--factors" in sys.argv[1:] else program(), end="")
