"""E15: Copy the input, with a space for the newline."""

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
