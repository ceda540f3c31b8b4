"""E06: Only the last character matters: the codes of even digits are even."""

from esoplay.codegen.source import byte, getc, puts


def main() -> None:
    digit: byte = 0
    c = getc()
    while c != 0:
        digit = c
        c = getc()
    if digit % 2 == 0:
        puts("even")
    else:
        puts("odd")


if __name__ == "__main__":
    main()
