"""X12: Divide one number by the greatest common divisor, then multiply."""

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
    print_int(a // gcd(a, b) * b)


if __name__ == "__main__":
    main()
