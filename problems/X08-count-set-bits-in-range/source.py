"""X08: Count the bits below a number: at each bit, those of full periods and of the remainder."""

from esoplay.codegen.source import print_int, read_int


def ones_below(n: int) -> int:
    ones = 0
    rest = 0
    bit = 1
    full = 0
    while n > 0:
        if n % 2 == 1:
            ones += full + rest
            rest += bit
        full += full + bit
        bit += bit
        n //= 2
    return ones


def main() -> None:
    low = read_int()
    high = read_int()
    print_int(ones_below(high + 1) - ones_below(low))


if __name__ == "__main__":
    main()
