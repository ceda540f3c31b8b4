"""E19: ``divide`` truncates towards zero."""

from esoplay.codegen.source import divide, print_int, read_int


def main() -> None:
    a = read_int()
    b = read_int()
    print_int(divide(a + b, 2))


if __name__ == "__main__":
    main()
