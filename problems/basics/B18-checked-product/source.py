"""B18: Divide to check whether the product fits."""

from esoplay.codegen.source import byte, getc, print_int, puts


def number() -> int:
    """Return the number in a line, -1 if it is invalid."""
    value = 0
    digits: byte = 0
    c = getc()
    while c != 0 and c != 10:
        if ord("0") <= c <= ord("9") and digits < 5:
            value = value * 10 + (c - 48)
            digits += 1
        else:
            digits = 9
        c = getc()
    if digits == 0 or digits == 9 or value > 65535:
        value = -1
    return value


def main() -> None:
    first = number()
    second = number()
    fits: byte = 1
    if first < 0 or second < 0:
        fits = 0
    elif second > 0:
        if first > 65535 // second:
            fits = 0
    if fits == 1:
        print_int(first * second)
    else:
        puts("error")


if __name__ == "__main__":
    main()
