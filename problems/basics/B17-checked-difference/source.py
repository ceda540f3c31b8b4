"""B17: -1 stands for an invalid number."""

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
    if first < 0 or second < 0 or first < second:
        puts("error")
    else:
        print_int(first - second)


if __name__ == "__main__":
    main()
