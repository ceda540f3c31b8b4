"""B04: Replace the number by the sum of its squared digits until it is 1 or 4."""

from esoplay.codegen.source import puts, read_int


def main() -> None:
    n = read_int()
    while n != 1 and n != 4:
        total = 0
        while n > 0:
            rest = n // 10
            digit = n - rest * 10
            total += digit * digit
            n = rest
        n = total
    if n == 1:
        puts("happy")
    else:
        puts("sad")


if __name__ == "__main__":
    main()
