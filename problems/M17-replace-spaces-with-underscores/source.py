"""M17: Print an underscore for each space."""

from esoplay.codegen.source import getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        if c == ord(" "):
            c = ord("_")
        putc(c)
        c = getc()


if __name__ == "__main__":
    main()
