"""B07: Print a letter at the start and after each space."""

from esoplay.codegen.source import getc, putc


def main() -> None:
    before = ord(" ")
    c = getc()
    while c != 0:
        if before == ord(" "):
            putc(c - 32)
        before = c
        c = getc()


if __name__ == "__main__":
    main()
