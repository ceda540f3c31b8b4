"""M09: Halving gives the digits from last to first."""

from esoplay.codegen.source import byte, chars, putc, read_int


def main() -> None:
    n = read_int()
    digits = chars(24)
    count: byte = 0
    while n > 1:
        digits[count] = byte(n % 2)
        n //= 2
        count += 1
    putc(ord("0") + byte(n))
    while count > 0:
        count -= 1
        putc(ord("0") + digits[count])


if __name__ == "__main__":
    main()
