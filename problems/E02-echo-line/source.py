"""E02: Copy each character to the output."""

from esoplay.codegen.source import getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        putc(c)
        c = getc()


if __name__ == "__main__":
    main()
