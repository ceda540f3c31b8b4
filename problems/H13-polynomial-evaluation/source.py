"""H13: Horner's method: multiply by x and add the next coefficient."""

from esoplay.codegen.source import byte, ints, print_int, read_int


def main() -> None:
    degree = byte(read_int())
    coefficients = ints(6)
    for i in range(degree + 1):
        coefficients[i] = read_int()
    x = read_int()
    value = 0
    for i in range(degree + 1):
        value = value * x + coefficients[i]
    print_int(value)


if __name__ == "__main__":
    main()
