"""E17: Subtract 32 from small letters."""

from esoplay.codegen.source import getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        if c >= ord("a") and c <= ord("z"):
            c -= 32
        putc(c)
        c = getc()


if __name__ == "__main__":
    main()
