"""E11: Add the digits while reading; skip the minus sign."""

from esoplay.codegen.source import getc, print_int


def main() -> None:
    total = 0
    c = getc()
    while c != 0:
        if c != ord("-"):
            total += c - ord("0")
        c = getc()
    print_int(total)


if __name__ == "__main__":
    main()
