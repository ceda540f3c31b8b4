"""H12: Add the codes while reading."""

from esoplay.codegen.source import getc, print_int


def main() -> None:
    total = 0
    c = getc()
    while c != 0:
        total += c
        c = getc()
    print_int(total)


if __name__ == "__main__":
    main()
