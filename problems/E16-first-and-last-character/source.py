"""E16: Print the first character at once; remember the latest until the end."""

from esoplay.codegen.source import getc, putc


def main() -> None:
    last = getc()
    putc(last)
    c = getc()
    while c != 0:
        last = c
        c = getc()
    putc(ord(" "))
    putc(last)


if __name__ == "__main__":
    main()
