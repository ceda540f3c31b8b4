"""X06: Square and multiply: multiply where the bit of the exponent is 1."""

from esoplay.codegen.source import print_int, read_int


def main() -> None:
    base = read_int()
    exponent = read_int()
    modulus = read_int()
    power = 1 % modulus
    base %= modulus
    while exponent > 0:
        if exponent % 2 == 1:
            power = power * base % modulus
        base = base * base % modulus
        exponent //= 2
    print_int(power)


if __name__ == "__main__":
    main()
