"""B08: lower-case letters are 97 and above."""

from esoplay.codegen.source import getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        if c < ord("a"):
            putc(ord("_"))
            c = c + 32
        putc(c)
        c = getc()


if __name__ == "__main__":
    main()
