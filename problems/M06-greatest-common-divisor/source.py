"""M06: Euclid's algorithm on absolute values."""

from esoplay.codegen.source import print_int, read_int


def gcd(a: int, b: int) -> int:
    while b != 0:
        rest = a % b
        a = b
        b = rest
    return a


def main() -> None:
    a = read_int()
    b = read_int()
    if a < 0:
        a = -a
    if b < 0:
        b = -b
    print_int(gcd(a, b))


if __name__ == "__main__":
    main()
