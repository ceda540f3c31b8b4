"""E03: Print a greeting around the characters of the name."""

from esoplay.codegen.source import getc, putc, puts


def main() -> None:
    puts("Hello, ")
    c = getc()
    while c != 0:
        putc(c)
        c = getc()
    putc(ord("!"))


if __name__ == "__main__":
    main()
