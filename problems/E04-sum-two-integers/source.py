"""E04: Add two integers of the language."""

from esoplay.codegen.source import print_int, read_int


def main() -> None:
    a = read_int()
    b = read_int()
    print_int(a + b)


if __name__ == "__main__":
    main()
