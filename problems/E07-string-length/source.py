"""E07: Count the characters."""

from esoplay.codegen.source import getc, print_int


def main() -> None:
    length = 0
    c = getc()
    while c != 0:
        length += 1
        c = getc()
    print_int(length)


if __name__ == "__main__":
    main()
