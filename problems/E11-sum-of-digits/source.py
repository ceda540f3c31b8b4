"""E11: digits are added as they are read; the minus is passed over."""

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
