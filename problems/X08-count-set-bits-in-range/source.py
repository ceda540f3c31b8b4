"""X08: the ones below a number, bit by bit: full periods, and what of the last one counts."""

from esoplay.codegen.source import print_int, read_int


def ones_below(n: int) -> int:
    ones = 0
    bit = 1
    while bit < n:
        period = bit + bit
        ones += n // period * bit
        rest = n % period
        if rest > bit:
            ones += rest - bit
        bit = period
    return ones


def main() -> None:
    low = read_int()
    high = read_int()
    print_int(ones_below(high + 1) - ones_below(low))


if __name__ == "__main__":
    main()
