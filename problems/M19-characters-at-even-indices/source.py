"""M19: Print every second character."""

from esoplay.codegen.source import getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        putc(c)
        c = getc()
        if c != 0:
            c = getc()


if __name__ == "__main__":
    main()
