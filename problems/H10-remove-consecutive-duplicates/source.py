"""H10: a character goes out unless it is the one before."""

from esoplay.codegen.source import byte, getc, putc


def main() -> None:
    before: byte = 0
    c = getc()
    while c != 0:
        if c != before:
            putc(c)
        before = c
        c = getc()


if __name__ == "__main__":
    main()
