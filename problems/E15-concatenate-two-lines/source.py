"""E15: everything as it comes; the newline becomes a space."""

from esoplay.codegen.source import getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        if c == ord("\n"):
            c = ord(" ")
        putc(c)
        c = getc()


if __name__ == "__main__":
    main()
