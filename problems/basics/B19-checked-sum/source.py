"""B19: a missing line is empty, so it is not a valid number."""

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
    count = number()
    total = 0
    valid: byte = 1
    if count < 0 or count > 6:
        valid = 0
        count = 0
    while count > 0:
        value = number()
        if value < 0:
            valid = 0
        elif valid == 1:
            total += value
            if total > 65535:
                valid = 0
        count -= 1
    if valid == 1:
        print_int(total)
    else:
        puts("error")


if __name__ == "__main__":
    main()
