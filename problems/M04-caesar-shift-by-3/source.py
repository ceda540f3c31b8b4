"""M04: Add 3, and subtract 26 beyond z."""

from esoplay.codegen.source import getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        c += 3
        if c > ord("z"):
            c -= 26
        putc(c)
        c = getc()


if __name__ == "__main__":
    main()
